//! Noting that a carrier does not have a booking whose outcome was unknown: somebody looked. It is
//! the way out for what nobody can ask about: from then on the shipment can be deleted.

use waybill_carriers::Carriers;
use waybill_domain::booking::{CallEnd, Failure, Seen, Step, record};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, ShipmentId, TeamId};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, carrier_calls, shipments};

use crate::booking::{apply, booking_with};

/// What is noted as the evidence of a call that is settled in this way.
pub const EVIDENCE: &str = "somebody looked, and it is not on the carrier's list";

/// Whether it failed, the carrier may have it, and nobody will know by asking.
fn is_undecided(carriers: &Carriers, shipment: &Shipment, now: Time) -> bool {
    shipment.state == ShipmentState::Failed && booking_with(carriers, shipment).is_undecided(now)
}

/// Every shipment that is undecided, of all teams.
pub fn any_list_undecided(
    tx: &mut Tx<'_>,
    carriers: &Carriers,
    now: Time,
) -> Result<Vec<(TeamId, Shipment)>, Error> {
    let mut undecided = Vec::new();
    for (team, id) in shipments::any_list_unknown(tx)? {
        let found = shipments::find(tx, team, id)?;
        let found = found.filter(|shipment| is_undecided(carriers, shipment, now));
        undecided.extend(found.map(|shipment| (team, shipment)));
    }
    Ok(undecided)
}

/// Notes that the carrier does not have it, and tells everyone. False when that cannot be said yet,
/// or something else is known by now.
pub fn note(
    tx: &mut Tx<'_>,
    carriers: &Carriers,
    (team, id): (TeamId, ShipmentId),
    event: EventId,
    now: Time,
) -> Result<bool, Error> {
    let Some(old) = shipments::lock(tx, team, id)? else { return Ok(false) };
    let change = record(&booking_with(carriers, &old), Seen::NotListed, now);
    if change.call != Some(CallEnd::Absent) || change.step != Step::Done {
        return Ok(false);
    }
    let (from, mut known) = (old.step, old);
    apply(&mut known, &change, now);
    known.failure = known.failure.map(Failure::without_booking);
    let event = Event::of_shipment(event, EventKind::ShipmentFailed, now, id, known.batch);
    if !shipments::change(tx, team, from, &known, Some(&event))? {
        return Ok(false);
    }
    carrier_calls::set_outcome(tx, team, id, CallEnd::Absent, Some(EVIDENCE), now)?;
    Ok(true)
}
