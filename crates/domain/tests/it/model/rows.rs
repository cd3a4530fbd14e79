//! The statements of the store, and what a worker sees of the carrier.

use waybill_domain::booking::{CallEnd, Seen};

use super::protocol::{LEASE, SETTLE};
use super::world::{End, Job, NOT_SENT, Point, Tick, Verdict, World, absent};

/// Leases the job: every older fence is void.
pub fn claim(world: &mut World, who: usize) {
    for worker in &mut world.workers {
        worker.holds = false;
    }
    world.workers[who].holds = true;
    world.workers[who].at = Point::Claimed;
    (world.job.is_leased, world.job.is_wanted) = (true, false);
    keep(world);
}

/// Renews the lease, unless it was ended.
pub fn keep(world: &mut World) {
    if world.job.is_leased {
        world.job.run_at = Some(world.now + LEASE);
    }
}

/// The worker has nothing more to do with the job.
pub fn leave(world: &mut World, who: usize) {
    world.workers[who].at = Point::Idle;
    world.workers[who].holds = false;
}

/// The job sleeps until then, or rests.
pub fn end_lease(world: &mut World, who: usize, until: Option<Tick>) {
    if world.job.is_leased {
        let wanted = world.job.is_wanted.then_some(world.now);
        let until = until.into_iter().chain(wanted).min();
        world.job = Job { run_at: until, is_leased: false, is_wanted: false };
    }
    leave(world, who);
}

/// Sets the alarm, or brings it forward. A lease is not disturbed.
pub fn schedule(world: &mut World) {
    match world.job.is_leased {
        true => world.job.is_wanted = true,
        false => world.job.run_at = Some(world.now),
    }
}

/// Notes what became of the open call.
pub fn set_outcome(world: &mut World, end: CallEnd) {
    if let Some(call) = world.open_call() {
        world.calls[call] = Some(End(end));
        world.was_accepted |= end == CallEnd::Accepted;
    }
}

/// The worker has seen something.
pub fn saw(world: &mut World, who: usize, seen: Seen) {
    let worker = &mut world.workers[who];
    let row = match &worker.at {
        Point::Decided(_, row) | Point::Permitted { row, .. } | Point::Waiting { row, .. } => {
            row.clone()
        }
        Point::Idle | Point::Refused | Point::Claimed | Point::Saw { .. } => return,
    };
    worker.at = Point::Saw { row, seen };
}

/// No line to the carrier: nothing was sent, nothing was asked.
pub fn dial_in_vain(world: &mut World, who: usize) {
    saw(world, who, NOT_SENT);
}

/// The answer to a request, once there is one: this, when it was booked.
pub fn answer(world: &mut World, who: usize, booked: Seen) {
    let Point::Waiting { reference, .. } = world.workers[who].at else { return };
    match world.carrier[reference] {
        Verdict::Booked(_) => saw(world, who, booked),
        Verdict::Refused => saw(world, who, Seen::Rejected),
        Verdict::Nothing => {}
    }
}

/// The carrier finds what it has booked, and the canary. A miss is true of this moment only.
pub fn find(world: &mut World, who: usize) {
    match world.open_call().map(|reference| world.carrier[reference]) {
        Some(Verdict::Booked(_)) => saw(world, who, Seen::Accepted),
        Some(_) => saw(world, who, absent(world.now, true, true)),
        None if world.workers[who].holds => end_lease(world, who, None),
        None => leave(world, who),
    }
}

/// The carrier finds nothing although there may be something. Nor does it find the canary; `trusts`
/// says that this is not looked at.
pub fn miss(world: &mut World, who: usize, trusts: bool) {
    saw(world, who, absent(world.now, true, trusts));
}

/// The carrier finds what it has booked; but the clock was set ahead, so that it seems later than
/// it is. `trusts` says that nobody knows of that.
pub fn find_ahead(world: &mut World, who: usize, trusts: bool) {
    find(world, who);
    if let Point::Saw { seen: seen @ Seen::Absent(_), .. } = &mut world.workers[who].at {
        *seen = absent(world.now + SETTLE, trusts, true);
    }
}
