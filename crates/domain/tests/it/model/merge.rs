//! Worlds that nothing can tell apart are made one, which is what keeps the check short. Each rule
//! says why it hides nothing.

use waybill_domain::booking::{CallEnd, CarrierKind, Step};

use super::protocol::{Flaw, Protocol};
use super::world::{Cancel, End, Point, Row, Verdict, Worker, World};

impl Protocol {
    /// The one world that stands for all like this one.
    pub fn merge(&self, world: &mut World) {
        forget_tries(world);
        forget_unsent(world);
        if let Cancel::Made(step) = &mut world.cancel
            && !self.has(Flaw::CancelByCopy)
        {
            // Whoever writes reads the row again.
            *step = Step::Done;
        }
        if self.kind == CarrierKind::Idempotent {
            forget_repeats(world);
        }
        for worker in &mut world.workers {
            let is_heard = self.has(Flaw::NoFence) && worker.may_see();
            if !worker.holds && !is_heard {
                forget_stale(worker);
            }
        }
        world.workers.sort_by_key(|worker| match worker {
            Worker { holds: true, .. } => 0,
            Worker { at: Point::Permitted { .. }, .. } => 1,
            Worker { at: Point::Idle, .. } => 3,
            _ => 2,
        });
    }
}

/// Every pause is over at the next tick, however often something was tried. Documents alone are
/// given up after a number of tries.
fn forget_tries(world: &mut World) {
    let World { row, workers, .. } = world;
    let read = workers.iter_mut().filter_map(|worker| match &mut worker.at {
        Point::Decided(_, row) | Point::Saw { row, .. } => Some(row),
        Point::Permitted { row, .. } | Point::Waiting { row, .. } => Some(row),
        Point::Idle | Point::Refused | Point::Claimed => None,
    });
    read.chain([row]).filter(|row| row.step != Step::Accepted).for_each(|row| row.tries = 0);
}

/// A call of which no byte left is never heard of again.
fn forget_unsent(world: &mut World) {
    let is_unsent = world.calls.last() == Some(&Some(End(CallEnd::NotSent)))
        && world.calls.len() == world.carrier.len()
        && world.carrier.last() == Some(&Verdict::Nothing);
    let reference = world.carrier.len().wrapping_sub(1);
    let is_out = world.wire.iter().any(|request| request.reference == reference);
    let is_held = world.workers.iter().any(|worker| match worker.at {
        Point::Permitted { reference: held, .. } | Point::Waiting { reference: held, .. } => {
            held == reference
        }
        _ => false,
    });
    if is_unsent && !is_out && !is_held {
        world.calls.pop();
        world.carrier.pop();
    }
}

/// Of several requests with one reference the last can do all that the others can; and none can do
/// anything once the carrier has made up its mind.
fn forget_repeats(world: &mut World) {
    let World { wire, carrier, .. } = world;
    wire.retain(|request| carrier[request.reference] == Verdict::Nothing);
    wire.sort_by_key(|request| std::cmp::Reverse(request.sent_at));
    wire.dedup_by_key(|request| request.reference);
}

/// Whatever a worker without the lease has seen, the fence refuses it first of all. Only a request
/// that it may still send counts.
fn forget_stale(worker: &mut Worker) {
    let blank = Row::new();
    worker.at = match worker.at {
        Point::Permitted { reference, since, .. } => {
            Point::Permitted { row: blank, reference, since }
        }
        Point::Idle => Point::Idle,
        _ => Point::Refused,
    };
}
