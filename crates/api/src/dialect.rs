//! How an area of the API speaks: where the caller's credential stands, what a body looks like, and
//! how an error is told. A route names its dialect; handlers do not know it.

use axum::http::{Method, header};
use waybill_domain::fields::read_object_within;
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::token::TokenHash;

use super::caller::bearer_hash;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// How an area of the API speaks.
pub struct Dialect {
    /// What is stored of the token that the request carries.
    pub credential: fn(&Request) -> Result<TokenHash, ApiError>,
    /// Fails where a body of this media type or encoding is not read.
    pub accepts: fn(&Request) -> Result<(), ApiError>,
    /// Reads a body with at most so many values as a JSON object.
    pub parse: fn(&[u8], usize) -> Result<Json, ApiError>,
    /// An error as an answer, in a language, for the request with this id.
    pub error: fn(ApiError, Language, &str) -> Reply,
}

/// JSON and bearer tokens: everything under `/v2` and `/beta`, and what is public.
pub static JSON: Dialect = Dialect {
    credential: bearer_hash,
    accepts: is_json,
    parse: parse_json,
    error: ApiError::into_reply,
};

/// Carriers that call us by themselves, each in its own way: the message proves where it is from,
/// and an adapter reads it. No access token would help.
pub static CARRIER: Dialect =
    Dialect { credential: |_| Err(ApiError::NotFromCarrier), accepts: |_| Ok(()), ..JSON };

fn is_json(request: &Request) -> Result<(), ApiError> {
    let encoding = request.headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| encoding.as_bytes() != b"identity") {
        return Err(ApiError::UnsupportedMedia);
    }
    let media = request.header(header::CONTENT_TYPE).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match media.as_str() {
        "application/json" => Ok(()),
        "application/merge-patch+json" if request.method == Method::PATCH => Ok(()),
        _ => Err(ApiError::UnsupportedMedia),
    }
}

fn parse_json(bytes: &[u8], values_max: usize) -> Result<Json, ApiError> {
    Ok(read_object_within(bytes, values_max)?)
}
