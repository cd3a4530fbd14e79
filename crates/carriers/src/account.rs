//! A team's account with a carrier.

use jiff::tz::TimeZone;
use waybill_domain::calendar::named_zone;
use waybill_domain::fields::Fields;
use waybill_domain::ids::AccountId;
use waybill_domain::json::Json;
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_domain::words::Message;

use crate::booking::Why;

/// A team's account with a carrier.
#[derive(Clone, Debug)]
pub struct Account {
    /// Which one it is.
    pub id: AccountId,
    /// When it was changed last: what is cached for an account is forgotten with it.
    pub changed_at: Time,
    /// What the carrier asks for to let us in.
    pub credentials: Secret<Json>,
    /// What the team chose, not secret.
    pub options: Json,
}

/// What a carrier says when it is asked whether an account works.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// It works, or the carrier cannot be asked.
    Good,
    /// The carrier refused it, in its own words.
    Refused(Why),
    /// No usable answer.
    Unknown(Why),
}

/// Reads the clock that an account may name in its options. An adapter whose requests tell the
/// local time reads it where it checks accounts.
pub fn read_time_zone(options: &Fields) -> Option<TimeZone> {
    options.parsed(TIME_ZONE, named_zone, || Message::new("not-a-time-zone")).optional()
}

/// The clock that an account names, if it does.
pub(crate) fn chosen_time_zone(options: &Json) -> Option<TimeZone> {
    match options.member(TIME_ZONE) {
        Some(Json::Text(name)) => named_zone(name),
        _ => None,
    }
}

const TIME_ZONE: &str = "time_zone";
