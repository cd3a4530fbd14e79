//! A shipment as the booking machine sees it.

use std::time::Duration;

use waybill_carriers::Carriers;
use waybill_carriers::booking::Lookup;
use waybill_domain::booking::{Booking, Ending, Held, Kind};
use waybill_domain::document::Format;
use waybill_domain::json::{Json, parse};
use waybill_store::Error;
use waybill_store::shipments::Shipment;

use crate::app::{App, send_budget};
use crate::planted;

/// The order as it was accepted.
pub fn stored_input(shipment: &Shipment) -> Result<Json, Error> {
    parse(shipment.input.as_bytes()).map_err(|_| unreadable(shipment, "order"))
}

/// What was resolved when the shipment was accepted.
pub fn stored_snapshot(shipment: &Shipment) -> Result<Json, Error> {
    parse(shipment.snapshot.as_bytes()).map_err(|_| unreadable(shipment, "snapshot"))
}

/// A part of a stored shipment that cannot be read.
pub fn unreadable(shipment: &Shipment, what: &str) -> Error {
    Error::Broken(format!("the stored {what} of the shipment {} cannot be read", shipment.id))
}

/// The format that was agreed on when the shipment was accepted.
pub fn label_format(snapshot: &Json) -> Format {
    match snapshot.member("label_format") {
        Some(Json::Text(format)) => Format::parse(format).unwrap_or(Format::Pdf),
        _ => Format::Pdf,
    }
}

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
        calls: 0,
    }
}

/// Whether the carrier can be asked, in the words of the machine.
fn kind(carriers: &Carriers, shipment: &Shipment) -> Kind {
    let Some(carrier) = carriers.get(&shipment.carrier_code) else { return Kind::Blind };
    match carrier.lookup(&shipment.service_code) {
        Lookup::Idempotent => Kind::Idempotent,
        Lookup::ByReference { .. } if planted::is("no-settle") => {
            Kind::Lookup { settle: Duration::ZERO }
        }
        // The carrier counts from the call, we from the intent before it.
        Lookup::ByReference { settle, .. } => Kind::Lookup { settle: settle + send_budget() },
        Lookup::Never => Kind::Blind,
    }
}

/// What the carrier is known to have of it.
pub fn held(shipment: &Shipment) -> Held {
    if shipment.carrier_reference.is_none() || shipment.state == "cancelled" {
        return Held::Nothing;
    }
    let Ok(Json::List(parcels)) = parse(shipment.parcels.as_bytes()) else { return Held::Part };
    match parcels.iter().all(has_number) {
        true => Held::All,
        false => Held::Part,
    }
}

/// Whether the carrier took this parcel.
pub fn has_number(parcel: &Json) -> bool {
    matches!(parcel.member("tracking_number"), Some(Json::Text(_)))
}

/// The number of each parcel; nothing for one that the carrier did not take.
pub fn tracking_numbers(shipment: &Shipment) -> Vec<Option<String>> {
    let Ok(Json::List(parcels)) = parse(shipment.parcels.as_bytes()) else { return Vec::new() };
    let number = |parcel: &Json| match parcel.member("tracking_number") {
        Some(Json::Text(number)) => Some(number.clone()),
        _ => None,
    };
    parcels.iter().map(number).collect()
}
