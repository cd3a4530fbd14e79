//! A team's account with a carrier.

use waybill_domain::ids::AccountId;
use waybill_domain::json::Json;
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;

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
