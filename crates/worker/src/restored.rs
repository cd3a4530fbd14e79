//! A database that was restored from a copy: a new epoch begins, and what the copy was about to
//! book or to print is held back. The lost database may have done it, and nobody here can know.

use std::sync::Arc;

use uuid::Uuid;
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::batch::Tally;
use waybill_domain::booking::{Ending, Failure, Note, Reference, Step, fail};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, ShipmentId, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_engine::app::App;
use waybill_engine::booking::{apply, booking_of};
use waybill_engine::{batching, printing};
use waybill_store::epochs::{self, Known, LostSpan};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, audit, batches, carrier_calls, jobs, shipments};

/// Begins an epoch at the start of a server. From then on every connection to PostgreSQL is asked
/// first whether it leads to the same copy, before anything is written there: a fail-over or a
/// recovery under a running server begins an epoch too.
pub async fn begin_epoch(app: &App) -> Result<(), Error> {
    let server = app.clone();
    let begun = app.write(move |tx| {
        begin(tx, &server, epochs::begin)?;
        Known::read(tx, server.now())
    });
    let (known, server) = (begun.await?, Arc::downgrade(app));
    app.store().verify_connections(move |tx| match server.upgrade() {
        Some(server) => begin(tx, &server, |tx, id, copy, now| {
            epochs::begin_if_moved(tx, id, copy, now, &known)
        }),
        None => Ok(()),
    });
    Ok(())
}

fn begin(
    tx: &mut Tx<'_>,
    app: &App,
    begin: impl Fn(&mut Tx<'_>, Uuid, &str, Time) -> Result<Option<LostSpan>, Error>,
) -> Result<(), Error> {
    let now = app.now();
    let lost = begin(tx, app.new_uuid(), &app.store().copy_name(), now)?;
    let Some(span) = lost else { return Ok(()) };
    let held = hold_back(tx, app, now)?;
    let prints = printing::hold_back(tx, app, now)?;
    app.wake_runner();
    tracing::warn!(
        lost_after = %span.after,
        until = %span.until,
        bookings_held_back = held,
        print_jobs_held_back = prints,
        "the database is another copy than before: what happened in between may be lost; \
         `waybill reconcile` asks the carriers"
    );
    Ok(())
}

/// Books nothing that the lost database may have booked. Shipments that were not sent fail as those
/// whose outcome is unknown, and batches that have not ended are stopped: also the open ones, which
/// may have been started in the lost time. Tells how many shipments.
fn hold_back(tx: &mut Tx<'_>, app: &App, now: Time) -> Result<usize, Error> {
    let note = Failure::of_note(Note::Restored);
    let unsent = shipments::any_list_unsent(tx)?;
    // Before those join them that are forgotten below.
    let waiting = shipments::any_list_waiting(tx)?;
    for (team, id) in &unsent {
        let reference = Reference::new(app.ids().as_ref());
        carrier_calls::insert_forgotten(tx, *team, *id, &reference, now)?;
        shipments::set_forgotten(tx, *team, *id, &note, now)?;
        end_soon(tx, *id, now)?;
    }
    for (team, id, noted) in waiting {
        shipments::end_waiting(tx, team, id, &Failure::interrupted(noted), now)?;
        end_soon(tx, id, now)?;
    }
    let mut held = unsent.len();
    for (team, id) in &batches::any_list_unfinished(tx)? {
        let Some(mut batch) = batches::lock(tx, *team, *id)? else { continue };
        while let Some(member) = batches::next_member(tx, *team, *id)? {
            fail_member(tx, app, *team, member, now)?;
            batch.counts = batch.counts.moved(1, Some(Tally::Pending), Some(Tally::Failed));
            held += 1;
        }
        batching::stop(tx, app, *team, batch, now)?;
        let act = Act::by_system(app.new_uuid(), now, None);
        let done = (Action::BatchStopped, &Subject::unnamed("booking_batch", *id));
        audit::insert(tx, *team, &act, done, &Changes::none())?;
    }
    Ok(held)
}

/// Lets somebody tell at once how a booking ended. Leases are of servers of the lost database, and
/// their ends would be waited for.
fn end_soon(tx: &mut Tx<'_>, shipment: ShipmentId, now: Time) -> Result<(), Error> {
    // Alarms go by the clock of the store.
    let now = tx.now(now)?;
    [JobKind::Book, JobKind::BookMember]
        .iter()
        .try_for_each(|kind| jobs::take_back(tx, *kind, shipment.into(), now))
}

/// A member that was not begun may have been booked in the lost time: its outcome is unknown.
fn fail_member(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    mut member: Shipment,
    now: Time,
) -> Result<(), Error> {
    let reference = Reference::new(app.ids().as_ref());
    carrier_calls::insert_forgotten(tx, team, member.id, &reference, now)?;
    let note = Failure::of_note(Note::Restored);
    shipments::set_forgotten(tx, team, member.id, &note, now)?;
    member.step = Step::Unknown;
    member.called_at = Some(now);
    let change = fail(&booking_of(app, &member), Ending::Deadline, now);
    member.failure = Failure::told(Some(note), &change);
    apply(&mut member, &change, now);
    let (id, kind) = (EventId(app.new_uuid()), EventKind::ShipmentFailed);
    let event = Event::of_shipment(id, kind, now, member.id, member.batch);
    match shipments::change(tx, team, Step::Unknown, &member, Some(&event))? {
        true => Ok(()),
        false => Err(Error::Broken(format!("shipment {}: it cannot be held back", member.id))),
    }
}
