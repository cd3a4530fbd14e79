//! How an area of the API speaks: where the caller's credential stands, what a body looks like, and
//! how an error is told. A route names its dialect; handlers do not know it.

use axum::http::{HeaderMap, Method, header};
use waybill_domain::fields::read_object_within;
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::token::TokenHash;

use super::headers::{bearer_hash, single};
use super::pages;
use super::query::Query;
use super::reply::{ApiError, NoCaller, Reply};

/// How an area of the API speaks.
pub struct Dialect {
    /// What is stored of the token that the headers, or the query, carry.
    pub credential: fn(&HeaderMap, &Query) -> Result<TokenHash, ApiError>,
    /// Fails where a body of this media type or encoding is not read.
    pub accepts: fn(&Method, &HeaderMap) -> Result<(), ApiError>,
    /// Reads a body with at most so many values as a JSON object.
    pub parse: fn(&[u8], usize) -> Result<Json, ApiError>,
    /// An error as an answer.
    pub error: fn(ApiError, &AnswerContext<'_>) -> Reply,
    /// Adds the headers that every answer has, errors included.
    pub headers: fn(&mut HeaderMap, &AnswerContext<'_>),
    /// Whether scripts of pages of others may read the answers.
    pub is_cross_origin: bool,
    /// Whether what we do not know in a query or a body is ignored. Where a mistyped name costs
    /// money it is refused; clients in the field send what nobody can list.
    pub ignores_unknown: bool,
    /// A `Request-ID` of the caller is kept up to this length.
    pub request_id_max: usize,
}

/// What an answer says of its request and of the service.
pub struct AnswerContext<'a> {
    /// The language of the caller.
    pub language: Language,
    /// The id of the request.
    pub request_id: &'a str,
    /// What our URLs begin with.
    pub base_url: &'a str,
    /// When the older API ends, as a header has it, where the operator has said so.
    pub sunset: Option<&'a str>,
}

/// JSON and bearer tokens: everything under `/v2` and `/beta`, and what is public.
pub static JSON: Dialect = Dialect {
    credential: |headers, _| bearer_hash(headers),
    accepts: is_json,
    parse: parse_json,
    error: |error, to| error.into_reply(to.language, to.request_id),
    headers: |_, _| {},
    is_cross_origin: true,
    ignores_unknown: false,
    request_id_max: 64,
};

/// Carriers that call us by themselves, each in its own way: the message proves where it is from,
/// and an adapter reads it. No access token would help.
pub static CARRIER: Dialect =
    Dialect { credential: |_, _| Err(ApiError::NotFromCarrier), accepts: |_, _| Ok(()), ..JSON };

/// Pages for people: a browser brings a cookie, which only handlers of pages read, and forms.
pub static PAGE: Dialect = Dialect {
    credential: |_, _| Err(ApiError::Unauthenticated(NoCaller::Missing)),
    accepts: |_, _| Err(ApiError::UnsupportedMedia),
    error: |error, to| pages::error(error, to.language, to.request_id),
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
