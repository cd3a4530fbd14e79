//! A team's account with a carrier.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use waybill_domain::calendar::{capital_zone, local_time, named_zone};
use waybill_domain::country::Country;
use waybill_domain::fields::{FieldErrors, Fields, read};
use waybill_domain::ids::AccountId;
use waybill_domain::json::Json;
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_outbound::Secrets;

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
    /// What the carrier gave for the credentials. It lets us in as they do.
    pub issued: IssuedTokens,
}

/// So many tokens are remembered as secret: one that was refused, and those after it.
const ISSUED_MAX: usize = 8;

/// The access tokens that were used for an account while it was open, the last one at the end.
#[derive(Clone, Default, Debug)]
pub struct IssuedTokens(Arc<Mutex<Vec<Secret<String>>>>);

impl IssuedTokens {
    fn all(&self) -> MutexGuard<'_, Vec<Secret<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that this one is used.
    pub(crate) fn note(&self, token: &Secret<String>) {
        let mut all = self.all();
        all.retain(|known| known != token);
        if all.len() == ISSUED_MAX {
            all.remove(0);
        }
        all.push(token.clone());
    }
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

/// Checks the two objects of an account. Whatever the readers do not ask for is a problem.
pub fn check_members(
    credentials: (&Json, &dyn Fn(&Fields) -> bool),
    options: (&Json, &dyn Fn(&Fields) -> bool),
) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for ((json, read_fields), path) in [(credentials, "credentials"), (options, "options")] {
        let nothing = Json::Object(Vec::new());
        let json = if *json == Json::Null { &nothing } else { json };
        let found = read(json, |fields| read_fields(fields).then_some(()));
        errors.extend(found.err().unwrap_or_default().under(path));
    }
    errors
}

impl Account {
    /// Everything that lets us in.
    pub fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::of_credentials(self.credentials.expose());
        self.issued.all().iter().for_each(|token| secrets.learn(token.expose()));
        secrets
    }

    /// The date and time at the merchant of the account: by the clock that its options name, or
    /// else by that of the capital of the merchant's country.
    pub fn local_time(&self, country: Option<Country>, now: Time) -> DateTime {
        local_time_by(&self.options, country, now)
    }
}

/// The same, where there are only options.
pub(crate) fn local_time_by(options: &Json, country: Option<Country>, now: Time) -> DateTime {
    let chosen = match options.member(TIME_ZONE) {
        Some(Json::Text(name)) => named_zone(name),
        _ => None,
    };
    let capital = || country.map_or(TimeZone::UTC, capital_zone);
    local_time(now, &chosen.unwrap_or_else(capital))
}

const TIME_ZONE: &str = "time_zone";
