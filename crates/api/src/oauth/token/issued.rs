//! What a client is given.

use waybill_domain::access::Scopes;
use waybill_domain::ids::TeamId;

use crate::oauth::refusal::Refusal;
use crate::reply::ApiError;

/// What a client is given, beside the tokens themselves.
pub struct Issued {
    /// What its access token allows, separated by spaces.
    pub scopes: String,
    /// Its one team.
    pub team: TeamId,
    /// Whether a refresh token goes with it.
    pub is_renewable: bool,
}

/// Reads scopes that we wrote ourselves.
pub fn stored_scopes(text: &str) -> Result<Scopes, Refusal> {
    let broken = |error| ApiError::Internal(format!("a stored scope: {error}"));
    Ok(Scopes::parse(text).map_err(broken)?)
}
