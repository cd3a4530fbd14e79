//! Cancelling what a carrier has: asking for it, and writing down how that ended.
//!
//! Between the two anything may happen to the shipment: its documents may be tried again, a late
//! success may come in, a server may die. So whoever writes reads the row again, under a lock: what
//! the carrier has cancelled is never shown as booked because of an old copy.

use waybill_carriers::{Cancelled, Cancelling};
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::booking::{Seen, may_be_cancelled, record};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, ShipmentId, TeamId};
use waybill_domain::language::Language;
use waybill_domain::printing::PrintProblem;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_store::attempts::{self, AttemptOutcome};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, audit, print_jobs, shipments, trackings};

use crate::app::App;
use crate::booking::{apply, booking_of};
use crate::bound_carrier::{BoundCarrier, booked};
use crate::printing;

/// Whether a caller may ask for it: the booking ended, and the carrier has it, whole or in part.
pub fn is_possible(app: &App, shipment: &Shipment) -> bool {
    matches!(shipment.state, ShipmentState::Booked | ShipmentState::Failed)
        && may_be_cancelled(&booking_of(app, shipment))
}

/// Asks the carrier to cancel, for this request, and notes what it said. Asking again is harmless.
///
/// That the call leaves is committed before it does, so a server that starts after a crash knows of
/// a call whose answer nobody has, as it knows of one whose answer was lost.
pub async fn ask(
    app: &App,
    team: TeamId,
    shipment: &Shipment,
    request_id: Option<&str>,
) -> Result<Cancelled, Error> {
    let (id, begun, request) = (shipment.id, app.now(), request_id.map(str::to_owned));
    let begin = move |tx: &mut Tx<'_>| {
        let before = attempts::find_cancelled(tx, team, id)?;
        let number = attempts::begin_cancel(tx, team, id, request.as_deref(), begun)?;
        Ok::<_, Error>((before, number))
    };
    let (before, number) = app.write(begin).await?;
    let cancelled = match ask_carrier(app, team, shipment).await? {
        Cancelled::Refused(words) if !is_certain(app, shipment) => doubted(before, words),
        answer => answer,
    };
    let (outcome, words) = match &cancelled {
        Cancelled::Done => (AttemptOutcome::Done, None),
        Cancelled::Refused(words) => (AttemptOutcome::Refused, Some(words.clone())),
        Cancelled::NotSent(why) => (AttemptOutcome::Failed, Some(why.clone())),
        Cancelled::Unknown(why) => (AttemptOutcome::Unclear, Some(why.clone())),
    };
    let now = app.now();
    let end = move |tx: &mut Tx<'_>| {
        attempts::end(tx, team, id, number, (outcome, words.as_deref()), now)
    };
    app.write(end).await?;
    Ok(cancelled)
}

/// Whether a refusal of the carrier proves that it was not cancelled before.
fn is_certain(app: &App, shipment: &Shipment) -> bool {
    let carrier = app.carriers().get(&shipment.carrier_code);
    carrier.is_none_or(|it| it.cancelling().is_none_or(Cancelling::refusal_is_certain))
}

/// What a refusal comes to from a carrier that says the same of what is cancelled already.
fn doubted(before: Option<AttemptOutcome>, words: String) -> Cancelled {
    match before {
        None => Cancelled::Refused(words),
        // It said yes, and nobody came to write that down.
        Some(AttemptOutcome::Done) => Cancelled::Done,
        Some(_) => Cancelled::Unknown(words),
    }
}

async fn ask_carrier(app: &App, team: TeamId, shipment: &Shipment) -> Result<Cancelled, Error> {
    let bound = match BoundCarrier::open(app, team, shipment).await? {
        Ok(bound) => bound,
        Err(unusable) => return Ok(Cancelled::NotSent(unusable.to_string())),
    };
    let Some(booked) = booked(app, team, shipment).await? else {
        return Ok(Cancelled::NotSent("booked with nobody".to_owned()));
    };
    Ok(match bound.carrier.cancelling() {
        Some(cancelling) => {
            let call = cancelling.cancel(&bound.account, &booked);
            bound.counted(app, "cancel", call).await
        }
        None => Cancelled::Refused(Message::new("no-cancelling").say(Language::En)),
    })
}

/// Writes that the carrier cancelled it and who wanted that, and tells; its parcels are not polled
/// any more. False when that is known already: of two who cancel at once, one writes.
pub fn confirm(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    id: ShipmentId,
    act: &Act,
) -> Result<bool, Error> {
    let now = act.at;
    let Some(old) = shipments::lock(tx, team, id)? else { return Ok(false) };
    let change = record(&booking_of(app, &old), Seen::Cancelled, now);
    if !change.is_cancelled {
        return Ok(false);
    }
    let (from, mut cancelled) = (old.step, old);
    apply(&mut cancelled, &change, now);
    let event = event(app, &cancelled, EventKind::ShipmentCancelled, now);
    trackings::stop_polling(tx, team, id)?;
    let open = print_jobs::list_open_of_shipment(tx, team, id)?;
    printing::give_up_unsent(tx, app, team, open, PrintProblem::ShipmentCancelled, now)?;
    if !shipments::change(tx, team, from, &cancelled, Some(&event))? {
        return Ok(false);
    }
    let done = (Action::ShipmentCancelled, &Subject::unnamed("shipment", id));
    audit::insert(tx, team, act, done, &Changes::none())?;
    Ok(true)
}

/// Writes that a cancellation whose outcome was unclear came to nothing: whoever was told that the
/// shipment may be cancelled reads it again.
pub fn refuse(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    id: ShipmentId,
    now: Time,
) -> Result<(), Error> {
    let found = shipments::lock(tx, team, id)?;
    let Some(mut shipment) = found.filter(|shipment| is_possible(app, shipment)) else {
        return Ok(());
    };
    shipment.updated_at = now;
    // That it is booked was told once, and still holds.
    let is_failed = shipment.state == ShipmentState::Failed;
    let event = is_failed.then(|| event(app, &shipment, EventKind::ShipmentFailed, now));
    shipments::change(tx, team, shipment.step, &shipment, event.as_ref())?;
    Ok(())
}

fn event(app: &App, shipment: &Shipment, kind: EventKind, now: Time) -> Event {
    Event::of_shipment(EventId(app.new_uuid()), kind, now, shipment.id, shipment.batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_that_proves_nothing_is_read_by_what_calls_before_led_to() {
        let words = || "Pakken er annulleret".to_owned();
        assert_eq!(doubted(None, words()), Cancelled::Refused(words()));
        let lost = doubted(Some(AttemptOutcome::Unclear), words());
        assert_eq!(lost, Cancelled::Unknown(words()));
        assert_eq!(doubted(Some(AttemptOutcome::Done), words()), Cancelled::Done);
    }
}
