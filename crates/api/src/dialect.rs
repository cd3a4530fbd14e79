//! How an area of the API speaks: where the caller's credential stands, what a body looks like, and
//! how an error is told. A route names its dialect; handlers do not know it.

use axum::http::{HeaderMap, Method, header};
use waybill_domain::fields::read_object_within;
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::token::TokenHash;

use super::headers::{bearer_hash, single};
use super::pages;
use super::reply::{ApiError, NoCaller, Reply};

/// How an area of the API speaks.
pub struct Dialect {
    /// What is stored of the token that the headers carry.
    pub credential: fn(&HeaderMap) -> Result<TokenHash, ApiError>,
    /// Fails where a body of this media type or encoding is not read.
    pub accepts: fn(&Method, &HeaderMap) -> Result<(), ApiError>,
    /// Reads a body with at most so many values as a JSON object.
    pub parse: fn(&[u8], usize) -> Result<Json, ApiError>,
    /// An error as an answer, in a language, for the request with this id.
    pub error: fn(ApiError, Language, &str) -> Reply,
    /// Whether scripts of pages of others may read the answers.
    pub is_cross_origin: bool,
}

/// JSON and bearer tokens: everything under `/v2` and `/beta`, and what is public.
pub static JSON: Dialect = Dialect {
    credential: bearer_hash,
    accepts: is_json,
    parse: parse_json,
    error: ApiError::into_reply,
    is_cross_origin: true,
};

/// Carriers that call us by themselves, each in its own way: the message proves where it is from,
/// and an adapter reads it. No access token would help.
pub static CARRIER: Dialect =
    Dialect { credential: |_| Err(ApiError::NotFromCarrier), accepts: |_, _| Ok(()), ..JSON };

/// Pages for people: a browser brings a cookie, which only handlers of pages read, and forms.
pub static PAGE: Dialect = Dialect {
    credential: |_| Err(ApiError::Unauthenticated(NoCaller::Missing)),
    accepts: |_, _| Err(ApiError::UnsupportedMedia),
    error: pages::error,
    is_cross_origin: false,
    ..JSON
};

fn is_json(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    let encoding = headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| encoding.as_bytes() != b"identity") {
        return Err(ApiError::UnsupportedMedia);
    }
    let media = single(headers, header::CONTENT_TYPE).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match media.as_str() {
        "application/json" => Ok(()),
        "application/merge-patch+json" if *method == Method::PATCH => Ok(()),
        _ => Err(ApiError::UnsupportedMedia),
    }
}

fn parse_json(bytes: &[u8], values_max: usize) -> Result<Json, ApiError> {
    Ok(read_object_within(bytes, values_max)?)
}
