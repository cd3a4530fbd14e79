//! OAuth 2.0: apps that act for users, and programs that act for one team.
//!
//! Every token is opaque. A refresh token is good once and gives the next one: the tokens that come
//! from one consent are a family, and a refresh token that is used a second time ends all of it,
//! because one of the two who have it is a thief ([`rotation`]). A code is good once as well
//! ([`exchange`]).

pub mod authorization;
pub mod exchange;
pub mod pkce;
pub mod redirect;
pub mod rotation;

use std::time::Duration;

use crate::access::{Scope, Scopes};
use crate::named::named;

/// How long an access token is good.
pub const ACCESS_LIFE: Duration = Duration::from_hours(1);
/// How long a refresh token is good.
pub const REFRESH_LIFE: Duration = Duration::from_hours(24 * 30);
/// How long a family is good, from the consent on.
pub const FAMILY_LIFE: Duration = Duration::from_hours(24 * 365);
/// How long a code is good.
pub const CODE_LIFE: Duration = Duration::from_mins(1);
/// How long a secret works after it was replaced.
pub const OLD_SECRET_LIFE: Duration = Duration::from_hours(24);
named! {
    /// How a client asks for a token.
    GrantType {
        ClientCredentials = "client_credentials",
        AuthorizationCode = "authorization_code",
        RefreshToken = "refresh_token",
    }
    /// What is wrong with a request, as RFC 6749 calls it.
    ErrorCode {
        InvalidRequest = "invalid_request",
        InvalidClient = "invalid_client",
        InvalidGrant = "invalid_grant",
        InvalidScope = "invalid_scope",
        UnauthorizedClient = "unauthorized_client",
        UnsupportedGrantType = "unsupported_grant_type",
        UnsupportedResponseType = "unsupported_response_type",
        AccessDenied = "access_denied",
    }
}

impl ErrorCode {
    /// What the developer of a client is told. RFC 6749 asks for ASCII, so it is in English.
    pub fn description(self) -> &'static str {
        match self {
            ErrorCode::InvalidRequest => "The request is malformed.",
            ErrorCode::InvalidClient => "The client is unknown or did not prove who it is.",
            ErrorCode::InvalidGrant => {
                "The code or the token is unknown, was used, has expired or is not this client's."
            }
            ErrorCode::InvalidScope => "A scope is unknown or more than was granted.",
            ErrorCode::UnauthorizedClient => "This client may not ask in this way.",
            ErrorCode::UnsupportedGrantType => {
                "grant_type must be client_credentials, authorization_code or refresh_token."
            }
            ErrorCode::UnsupportedResponseType => "response_type must be code.",
            ErrorCode::AccessDenied => "The user did not agree.",
        }
    }
}

/// What a client gets that asks for these scopes and may have those: left out, it gets all of them.
/// Commas separate nothing here, and what is for operators is for no app.
pub fn asked_scopes(asked: Option<&str>, allowed: &Scopes) -> Result<Scopes, ErrorCode> {
    let Some(text) = asked else { return Ok(allowed.in_order()) };
    if text.contains(',') {
        return Err(ErrorCode::InvalidScope);
    }
    let scopes = Scopes::parse(text).map_err(|_| ErrorCode::InvalidScope)?;
    let operators = [Scope::OPERATOR_READ, Scope::OPERATOR_WRITE];
    let is_for_operators = operators.iter().any(|scope| scopes.names(*scope));
    if scopes.is_empty() || is_for_operators || !allowed.contain(&scopes) {
        return Err(ErrorCode::InvalidScope);
    }
    Ok(scopes.in_order())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str, allowed: &str) -> Option<String> {
        let allowed = Scopes::parse(allowed).unwrap();
        asked_scopes(Some(text), &allowed).ok().map(|scopes| scopes.to_string())
    }

    #[test]
    fn scopes_that_are_left_out_are_all_that_a_client_may_have() {
        let allowed = Scopes::parse("wms:read shipments:read").unwrap();
        let given = asked_scopes(None, &allowed).unwrap();
        assert_eq!(given.to_string(), "shipments:read wms:read");
    }

    #[test]
    fn a_client_asks_for_what_it_may_have_and_for_nothing_else() {
        let allowed = "shipments:read wms:read";
        assert_eq!(asked("wms:read", allowed).as_deref(), Some("wms:read"));
        assert_eq!(
            asked(" wms:read  shipments:read wms:read", allowed).as_deref(),
            Some("shipments:read wms:read")
        );
        for bad in ["*", "tracking:read", "wms:raed", "wms:read,shipments:read", " ", "WMS:READ"] {
            assert_eq!(asked(bad, allowed), None, "{bad}");
        }
        assert_eq!(asked("*", "*").as_deref(), Some("*"));
        assert_eq!(asked("wms:read", "*").as_deref(), Some("wms:read"));
    }

    #[test]
    fn what_is_for_operators_is_no_scope_of_an_app() {
        for bad in ["operator:read", "shipments:read operator:write", "* operator:read"] {
            assert_eq!(asked(bad, "*"), None, "{bad}");
        }
    }
}
