//! What is not certain of GLS, in one place. docs/carriers/gls.md lists it for people.

use std::time::Duration;

use waybill_domain::json::Json;
use waybill_domain::measure::Decimal;
use waybill_domain::tracking::Status;

/// How long it takes at most until a booking can be looked up by its weight.
pub const SETTLE: Duration = Duration::from_secs(60);

/// The answers to a look that prove that a parcel is there, or is not. That an unchanged weight
/// changes nothing is told; that it works at once after a booking is not.
pub const IS_THERE: &str = "MORE_THAN_ONE_RESULT";
/// The same of one that is not.
pub const IS_NOT_THERE: &str = "INVALID_SHIPMENT_ID";

/// What an event means by the start of its code, where the parcel's own status says nothing of it;
/// the first that fits counts. What is not among them is a parcel on its way, such as one whose
/// delivery was changed (`CHANGD`). `INTIAL` is how GLS spells it: of these, `NORMAL` says that it
/// has the parcel, and others (`PREADVICE`, `E48_DATA`) that it does not have it yet.
pub const EVENTS: &[(&str, Status)] = &[
    ("DELIVD.PARCELSHOP", Status::AvailableForPickup),
    ("DELIVD", Status::Delivered),
    ("INTIAL.NORMAL", Status::InTransit),
    ("INTIAL", Status::InfoReceived),
    ("PREADV", Status::InfoReceived),
    ("INDELI", Status::OutForDelivery),
    ("OUTDEL", Status::OutForDelivery),
    ("NODELI", Status::AttemptFailed),
    ("NOTDEL", Status::AttemptFailed),
    ("CANCEL", Status::Exception),
];

/// The amount that a parcel is insured for: a text, as GLS's documentation of ShipIT has it. Its
/// description of the interface for machines, which is wrong elsewhere, has a number.
pub fn insured_amount(amount: Decimal) -> Json {
    Json::text(amount)
}

/// The weight by which a parcel is looked at: a text for the same reason.
pub fn told_weight(weight: &str) -> Json {
    weight.into()
}

/// Where people in this country see where a parcel is.
pub fn tracking_link(country: &str, number: &str) -> String {
    match country {
        "DK" => format!("https://gls-group.com/DK/da/find-pakke?match={number}"),
        _ => format!("https://gls-group.com/track/{number}"),
    }
}
