//! How the older API speaks: its credential may stand in the query, its errors have a shape of
//! their own, and it is lenient where its clients are careless.

use axum::http::{HeaderMap, Method, StatusCode, header};
use waybill_domain::fields::FieldErrors;
use waybill_domain::json::Json;
use waybill_domain::token::{self, TokenHash};
use waybill_domain::words::Message;

use super::headers::add;
use crate::dialect::{AnswerContext, Dialect, JSON};
use crate::headers::{bearer_hash, has_bearer, single};
use crate::query::Query;
use crate::reply::{ApiError, NoCaller, Reply, said};

/// The parameter that may carry the token.
const API_TOKEN: &str = "api_token";
/// What is answered to whoever has no token of ours. Clients compare it, in every language.
const NO_CALLER: &str = "Invalid API token provided";

/// Everything below `/api/v1/` and `/api/v2/`, unknown paths included.
pub static LEGACY: Dialect =
    Dialect { credential, accepts, error, headers: add, ignores_unknown: true, ..JSON };

/// The list of carriers, whose callers have longer ids.
pub static ROUTING: Dialect = Dialect { request_id_max: 128, ..LEGACY };

/// The bearer token, or the one in the query. Whoever sends two does not know which one counts, and
/// neither do we.
fn credential(headers: &HeaderMap, query: &Query) -> Result<TokenHash, ApiError> {
    let mut given = query.values(API_TOKEN);
    let Some(text) = given.next() else { return bearer_hash(headers) };
    if has_bearer(headers) || given.next().is_some() {
        return Err(ApiError::TwoCredentials);
    }
    let why = if text.is_empty() { NoCaller::Missing } else { NoCaller::Malformed };
    token::hash(&text).ok_or(ApiError::Unauthenticated(why))
}

/// A body that does not say what it is, is JSON.
fn accepts(_: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    let encoding = headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| encoding.as_bytes() != b"identity") {
        return Err(ApiError::UnsupportedMedia);
    }
    if !headers.contains_key(header::CONTENT_TYPE) {
        return Ok(());
    }
    let media = single(headers, header::CONTENT_TYPE).ok_or(ApiError::UnsupportedMedia)?;
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match media.as_str() {
        "" | "application/json" => Ok(()),
        media if media.ends_with("+json") => Ok(()),
        _ => Err(ApiError::UnsupportedMedia),
    }
}

fn error(error: ApiError, to: &AnswerContext<'_>) -> Reply {
    let none = FieldErrors::default();
    let body = match &error {
        ApiError::Unauthenticated(_) => Json::object([("message", NO_CALLER.into())]),
        ApiError::Invalid(errors) => {
            whole(&error, ("ValidationException", to.request_id), errors, to)
        }
        ApiError::LegacyBooking(failure) => {
            let id = failure.shipment.to_string();
            whole(&error, ("BookingException", &id), &failure.errors, to)
        }
        ApiError::LegacyInProgress { shipment } => {
            whole(&error, ("BookingInProgressException", &shipment.to_string()), &none, to)
        }
        _ => {
            let message = error.message(to.request_id).say(to.language);
            Json::object([("message", message.into())])
        }
    };
    let reply = error.with_headers(Reply::json(error.status(), body));
    match error.status() {
        StatusCode::UNAUTHORIZED => reply.header(header::CONTENT_LANGUAGE, "en"),
        _ => reply,
    }
}

/// An error that says what it is called, what it is about, and where to read of it.
fn whole(
    error: &ApiError,
    (code, id): (&str, &str),
    errors: &FieldErrors,
    to: &AnswerContext<'_>,
) -> Json {
    let message = match error {
        ApiError::Invalid(_) => Message::new("legacy-invalid"),
        _ => error.message(to.request_id),
    };
    let about = format!("{}/docs#{code}", to.base_url);
    Json::object([
        ("message", message.say(to.language).into()),
        ("code", code.into()),
        ("id", id.into()),
        ("errors", Json::Object(said(errors, to.language))),
        ("links", Json::object([("about", about.into())])),
    ])
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn posted(media: &'static str) -> Result<(), ApiError> {
        let value = HeaderValue::from_static(media);
        accepts(&Method::POST, &HeaderMap::from_iter([(header::CONTENT_TYPE, value)]))
    }

    #[test]
    fn a_body_may_leave_out_what_it_is_and_must_not_be_something_else() {
        assert!(accepts(&Method::POST, &HeaderMap::new()).is_ok());
        for media in ["application/json", "APPLICATION/JSON; charset=utf-8", "application/hal+json"]
        {
            assert!(posted(media).is_ok(), "{media}");
        }
        for media in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
            assert!(posted(media).is_err(), "{media}");
        }
    }

    #[test]
    fn two_tokens_are_a_mistake_also_when_they_are_the_same() {
        let none = HeaderMap::new();
        let twice = Query::parse(Some("api_token=a&api_token=a"));
        assert!(matches!(credential(&none, &twice), Err(ApiError::TwoCredentials)));
        let late = format!("{}api_token=a&api_token=b", "x&".repeat(500));
        let late = Query::parse(Some(&late));
        assert!(matches!(credential(&none, &late), Err(ApiError::TwoCredentials)));
        let bearer = HeaderValue::from_static("bearer x");
        let bearer = HeaderMap::from_iter([(header::AUTHORIZATION, bearer)]);
        let once = Query::parse(Some("api_token=a"));
        assert!(matches!(credential(&bearer, &once), Err(ApiError::TwoCredentials)));
    }
}
