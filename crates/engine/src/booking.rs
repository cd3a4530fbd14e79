//! A shipment as the booking machine sees it.

use std::time::Duration;

use waybill_carriers::Carriers;
use waybill_carriers::booking::Lookup;
use waybill_domain::booking::{Booking, CarrierKind, Change, Ending, Held, Step};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_store::shipments::Shipment;

use crate::app::{App, send_budget};
use crate::planted;

/// What people call the carrier of a shipment.
pub fn carrier_name<'a>(app: &'a App, shipment: &'a Shipment) -> &'a str {
    let carrier = app.catalog().carrier(&shipment.carrier_code);
    carrier.map_or(shipment.carrier_code.as_str(), |carrier| &carrier.name)
}

/// The shipment as `domain::booking` sees it.
pub fn booking_of(app: &App, shipment: &Shipment) -> Booking {
    booking_with(app.carriers(), shipment)
}

/// The same, with these carriers.
pub fn booking_with(carriers: &Carriers, shipment: &Shipment) -> Booking {
    Booking {
        step: shipment.step,
        kind: kind(carriers, shipment),
        deadline: shipment.deadline_at,
        give_up_at: shipment.give_up_at,
        called_at: shipment.called_at,
        is_failed: shipment.ending.is_some_and(|ending| ending != Ending::Booked),
        held: held(shipment),
        tries: u32::try_from(shipment.tries).unwrap_or(u32::MAX),
    }
}

/// Brings a shipment to where a change of its booking leads. What is told of a failure follows from
/// more than the change: see `Failure::after`.
pub fn apply(shipment: &mut Shipment, change: &Change, now: Time) {
    let is_reopened = shipment.step == Step::Done && change.step == Step::Accepted;
    (shipment.step, shipment.called_at) = (change.step, change.called_at);
    shipment.tries = i64::from(change.tries);
    if let Some(ending) = change.ending {
        shipment.ending = Some(ending);
        if ending == Ending::Booked {
            (shipment.state, shipment.booked_at) = (ShipmentState::Booked, Some(now));
        } else {
            shipment.state = ShipmentState::Failed;
        }
    }
    if is_reopened {
        shipment.state = ShipmentState::Processing;
    }
    if change.is_cancelled {
        (shipment.state, shipment.cancelled_at) = (ShipmentState::Cancelled, Some(now));
    }
    if is_reopened || change.is_cancelled || change.ending.is_some() {
        shipment.updated_at = now;
    }
}

/// Whether the carrier can be asked, in the words of the machine.
fn kind(carriers: &Carriers, shipment: &Shipment) -> CarrierKind {
    let Some(carrier) = carriers.get(&shipment.carrier_code) else { return CarrierKind::Blind };
    match carrier.lookup(&shipment.service_code) {
        Lookup::Idempotent => CarrierKind::Idempotent,
        Lookup::ByReference { .. } if planted::is("no-settle") => {
            CarrierKind::Lookup { settle: Duration::ZERO }
        }
        // The carrier counts from the call, we from the intent before it.
        Lookup::ByReference { settle, .. } => {
            CarrierKind::Lookup { settle: settle + send_budget() }
        }
        Lookup::Never => CarrierKind::Blind,
    }
}

/// What the carrier is known to have of it.
pub fn held(shipment: &Shipment) -> Held {
    if shipment.carrier_reference.is_none() || shipment.state == ShipmentState::Cancelled {
        return Held::Nothing;
    }
    match shipment.parcels.iter().all(|parcel| parcel.tracking_number.is_some()) {
        true => Held::All,
        false => Held::Part,
    }
}
