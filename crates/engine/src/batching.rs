//! How a batch moves on. Whatever changes a member calls this in the same transaction: the counts
//! follow, and the next member begins where the last one ended. So a crash leaves a batch with
//! exactly one member in hand, and that one has a job.
//!
//! A batch that was started waits as `queued` while its team has as many in hand as it may.

use waybill_domain::batch::{BatchState, BatchStep, Tally, decide};
use waybill_domain::booking::{BOOKING_TIME_MAX, GIVE_UP_AFTER};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{BatchId, EventId, TeamId};
use waybill_domain::time::Time;
use waybill_store::batches::{self, Batch, tally};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, events, jobs, teams};

use crate::app::{App, booking_job};
use crate::handoff::HandedJob;
use waybill_domain::job::JobKind;

/// Moves a batch on, as far as it can go now. What it hands back is to be run at once.
pub fn advance(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    id: BatchId,
    now: Time,
) -> Result<Option<HandedJob>, Error> {
    match batches::lock(tx, team, id)? {
        Some(batch) => step(tx, app, team, batch, now),
        None => Ok(None),
    }
}

/// A shipment changed: when it is a member of a batch, its batch changes with it.
pub fn member_changed(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    (old, new): (&Shipment, &Shipment),
    now: Time,
) -> Result<Option<HandedJob>, Error> {
    let (from, to) = (tally(old), tally(new));
    let Some(id) = new.batch.filter(|_| from != to) else { return Ok(None) };
    let Some(mut batch) = batches::lock(tx, team, BatchId(id))? else { return Ok(None) };
    batch.counts = batch.counts.moved(1, Some(from), Some(to));
    step(tx, app, team, batch, now)
}

/// Cancels what is not begun, and stops when nothing is in hand.
pub fn stop(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    mut batch: Batch,
    now: Time,
) -> Result<(), Error> {
    let cancelled = batches::cancel_pending(tx, team, batch.id, now)?;
    for member in &cancelled {
        let (id, batch) = (EventId(app.new_uuid()), Some(batch.id.into()));
        let event = Event::of_shipment(id, EventKind::ShipmentCancelled, now, *member, batch);
        events::append(tx, team, &event)?;
    }
    let count = i64::try_from(cancelled.len()).unwrap_or(i64::MAX);
    batch.counts = batch.counts.moved(count, Some(Tally::Pending), Some(Tally::Cancelled));
    batch.state = BatchState::Stopping;
    step(tx, app, team, batch, now)?;
    Ok(())
}

/// Takes a member that is not begun out of its batch. False when the batch is not open any more.
pub fn remove_member(
    tx: &mut Tx<'_>,
    team: TeamId,
    member: &Shipment,
    now: Time,
) -> Result<bool, Error> {
    let Some(id) = member.batch else { return Ok(true) };
    let Some(mut batch) = batches::lock(tx, team, BatchId(id))? else { return Ok(true) };
    if batch.state != BatchState::Open {
        return Ok(false);
    }
    batch.counts = batch.counts.moved(1, Some(Tally::Pending), None);
    batch.updated_at = now;
    batches::set(tx, team, &batch).map(|()| true)
}

/// Writes down what happened to a batch.
pub fn tell(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    batch: BatchId,
    kind: EventKind,
    now: Time,
) -> Result<(), Error> {
    let event = Event::new(EventId(app.new_uuid()), kind, now, ("batch_uuid", batch.into()));
    events::append(tx, team, &event.in_batch(batch.into()))
}

/// Does what is to be done next with a locked batch, and writes it.
fn step(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    mut batch: Batch,
    now: Time,
) -> Result<Option<HandedJob>, Error> {
    batch.updated_at = now;
    let mut handed = None;
    match decide(batch.state, &batch.counts) {
        BatchStep::Rest => {}
        BatchStep::Begin
            if batch.state == BatchState::Queued && !take_turn(tx, app, team, now)? => {}
        BatchStep::Begin => handed = begin(tx, app, team, &mut batch, now)?,
        BatchStep::End(state) => {
            (batch.state, batch.finished_at) = (state, Some(now));
            let is_stopped = state == BatchState::Stopped;
            let kind = if is_stopped { EventKind::BatchStopped } else { EventKind::BatchCompleted };
            tell(tx, app, team, batch.id, kind, now)?;
            wake_next(tx, team, now)?;
        }
    }
    batches::set(tx, team, &batch)?;
    Ok(handed)
}

fn begin(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    batch: &mut Batch,
    now: Time,
) -> Result<Option<HandedJob>, Error> {
    let Some(mut member) = batches::next_member(tx, team, batch.id)? else {
        return Err(Error::Broken(format!("batch {}: a pending member is missing", batch.id)));
    };
    batches::begin_member(tx, team, &mut member, now, (BOOKING_TIME_MAX, GIVE_UP_AFTER))?;
    batch.counts = batch.counts.moved(1, Some(Tally::Pending), Some(Tally::Processing));
    batch.state = BatchState::Processing;
    let job = app.start_job(tx, booking_job(&member), member.id.into(), team, now)?;
    Ok(job.map(|job| HandedJob { job, shipment: Some(Box::new(member)), waiting: None }))
}

/// Whether the team may have one batch more in hand. When there is room for another still, the
/// next one that waits is woken too.
fn take_turn(tx: &mut Tx<'_>, app: &App, team: TeamId, now: Time) -> Result<bool, Error> {
    // Two batches that begin at once must not both take the last turn.
    teams::lock(tx, team)?;
    let left = app.batches_at_once() - batches::count_running(tx, team)?;
    if left > 1 {
        wake_next(tx, team, now)?;
    }
    Ok(left > 0)
}

fn wake_next(tx: &mut Tx<'_>, team: TeamId, now: Time) -> Result<(), Error> {
    match batches::next_queued(tx, team)? {
        Some(next) => {
            let due = tx.now(now)?;
            jobs::schedule(tx, JobKind::Batch, next.into(), Some(team), due)
        }
        None => Ok(()),
    }
}
