//! What is not certain of dao, in one place: its own document is known by its head only, and three
//! programs that speak to it are where these come from. docs/carriers/dao.md lists them for people.

use waybill_domain::tracking::Status;

/// Where a parcel is booked that starts in a shop and ends at a door.
pub const SHOP_TO_HOME_PATH: &str = "/DAODirekte/ShoptildirekteLeveringsordre.php";
/// Where a parcel is booked that starts and ends in a shop.
pub const SHOP_TO_SHOP_PATH: &str = "/DAOPakkeshop/c2cindleveringsordre.php";
/// The parameter that asks for proof of an age.
pub const AGE_PARAMETER: &str = "idkrav";
/// Where people see where a parcel is; its number follows.
pub const TRACKING_LINK: &str = "https://www.dao.as/privat/find-din-pakke?stregkode=";
/// A refusal whose words name one of these is about us, not about the parcel.
pub const ACCESS_WORDS: [&str; 3] = ["kundeid", "kode", "adgang"];

/// The codes of events, of one source; the list of today is at `/TrackNTraceKoder.php`. What is not
/// among them is a parcel on its way.
pub const EVENTS: &[(&str, Status)] = &[
    ("70", Status::InfoReceived),
    ("10", Status::AtTerminal),
    ("20", Status::AtTerminal),
    ("60", Status::OutForDelivery),
    ("30", Status::Delivered),
    ("40", Status::AttemptFailed),
    ("50", Status::Returned),
];
