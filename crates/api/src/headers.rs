//! What the headers of a request say.

use axum::http::{HeaderMap, HeaderName, header};
use waybill_domain::token::{self, TokenHash};

use super::reply::{ApiError, NoCaller};

/// A header's text, when it is there once.
pub fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())?.to_str().ok()
}

/// What is stored of the token in `Authorization: Bearer …`.
pub fn bearer_hash(headers: &HeaderMap) -> Result<TokenHash, ApiError> {
    let token = bearer(headers).ok_or(ApiError::Unauthenticated(NoCaller::Missing))?;
    token::hash(token).ok_or(ApiError::Unauthenticated(NoCaller::Malformed))
}

/// Whether there is an `Authorization: Bearer …`, whatever its token is.
pub fn has_bearer(headers: &HeaderMap) -> bool {
    headers.get_all(header::AUTHORIZATION).iter().any(|value| {
        let scheme = value.as_bytes().split(|byte| *byte == b' ').next().unwrap_or_default();
        scheme.eq_ignore_ascii_case(b"bearer")
    })
}

/// The token of `Authorization: Bearer …`. Two such headers are not a credential.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = single(headers, header::AUTHORIZATION)?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
