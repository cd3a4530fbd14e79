//! What is not certain of GLS, in one place. docs/carriers/gls.md lists it for people.

use std::time::Duration;

use waybill_domain::tracking::Status;

/// How long it takes at most until a booking can be looked up by its weight.
pub const SETTLE: Duration = Duration::from_secs(60);

/// The answers to a look that prove that a parcel is there, or is not. That an unchanged weight
/// changes nothing is told; that it works at once after a booking is not.
pub const IS_THERE: &str = "MORE_THAN_ONE_RESULT";
/// The same of one that is not.
pub const IS_NOT_THERE: &str = "INVALID_SHIPMENT_ID";

/// What an event means by the start of its code, where the parcel's own status says nothing of it;
/// the first that fits counts. What is not among them is a parcel on its way.
pub const EVENTS: &[(&str, Status)] = &[
    ("DELIVD.PARCELSHOP", Status::AvailableForPickup),
    ("DELIVD", Status::Delivered),
    ("PREADV", Status::InfoReceived),
    ("INDELI", Status::OutForDelivery),
    ("OUTDEL", Status::OutForDelivery),
    ("NODELI", Status::AttemptFailed),
    ("NOTDEL", Status::AttemptFailed),
];

/// Where people in this country see where a parcel is.
pub fn tracking_link(country: &str, number: &str) -> String {
    match country {
        "DK" => format!("https://gls-group.com/DK/da/find-pakke?match={number}"),
        _ => format!("https://gls-group.com/track/{number}"),
    }
}
