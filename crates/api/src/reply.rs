//! What goes back: a `Reply` from a handler, or the contract's table of errors.

mod conversions;

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use sha2::{Digest, Sha256};
use waybill_domain::access::Scope;
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::ShipmentId;
use waybill_domain::json::{Json, MemberName};
use waybill_domain::language::Language;
use waybill_domain::words::Message;
use waybill_store::epochs::LostSpan;

use crate::legacy::failure::LegacyFailure;
use crate::memory::{Memory, SMALL, Share};
use crate::taken::WhenTaken;

/// An answer that a handler made.
#[derive(Debug)]
pub struct Reply {
    status: StatusCode,
    headers: Vec<(HeaderName, String)>,
    body: Content,
    when_taken: Option<WhenTaken>,
}

#[derive(Debug)]
enum Content {
    Nothing,
    Json(Json),
    Bytes(bytes::Bytes),
    Stream(Body),
    Large(bytes::Bytes, Share),
}

impl Reply {
    /// A JSON body with this status.
    pub fn json(status: StatusCode, body: Json) -> Reply {
        Reply { status, headers: Vec::new(), body: Content::Json(body), when_taken: None }
    }

    /// 200 with one resource: `{"data": …}`.
    pub fn data(data: Json) -> Reply {
        Reply::json(StatusCode::OK, Json::object([("data", data)]))
    }

    /// 201 with a resource that has no address of its own: it is read in its list.
    pub fn made(data: Json) -> Reply {
        Reply::data(data).status(StatusCode::CREATED)
    }

    /// 201 with one resource and where it is found.
    pub fn created(location: String, data: Json) -> Reply {
        let body = Json::object([("data", data)]);
        Reply::json(StatusCode::CREATED, body).header(header::LOCATION, location)
    }

    /// 204.
    pub fn nothing() -> Reply {
        let (status, body) = (StatusCode::NO_CONTENT, Content::Nothing);
        Reply { status, headers: Vec::new(), body, when_taken: None }
    }

    /// 200 with bytes of another media type.
    pub fn bytes(content_type: &str, bytes: impl Into<bytes::Bytes>) -> Reply {
        let body = Content::Bytes(bytes.into());
        Reply { status: StatusCode::OK, headers: Vec::new(), body, when_taken: None }
            .header(header::CONTENT_TYPE, content_type)
    }

    /// 200 with a body that comes in parts.
    pub fn stream(content_type: &str, body: Body) -> Reply {
        let body = Content::Stream(body);
        Reply { status: StatusCode::OK, headers: Vec::new(), body, when_taken: None }
            .header(header::CONTENT_TYPE, content_type)
    }

    /// 206 with the bytes from `first` to `last`, both included.
    pub fn part(content_type: &str, bytes: Vec<u8>, first: usize, last: usize) -> Reply {
        let total = bytes.len();
        let part = bytes::Bytes::from(bytes).slice(first..=last);
        Reply::bytes(content_type, part)
            .status(StatusCode::PARTIAL_CONTENT)
            .header(header::CONTENT_RANGE, format!("bytes {first}-{last}/{total}"))
    }

    /// The same with another status.
    pub fn status(mut self, status: StatusCode) -> Reply {
        self.status = status;
        self
    }

    /// Adds a header.
    pub fn header(mut self, name: HeaderName, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }

    /// The result of an action that was done before, for the same key.
    pub fn replayed(self) -> Reply {
        self.header(HeaderName::from_static("idempotency-replayed"), "true")
    }

    /// Does this once the caller has taken all of it.
    pub fn when_taken(self, act: impl FnOnce() + Send + Sync + 'static) -> Reply {
        Reply { when_taken: Some(WhenTaken::new(act)), ..self }
    }

    /// Personal data or signed URLs: nobody may keep a copy.
    pub fn private(self) -> Reply {
        self.header(header::CACHE_CONTROL, "private, no-store")
    }

    /// Says which version this is, and answers 304 when the caller has it already.
    pub fn etag(self, etag: String, if_none_match: Option<&str>) -> Reply {
        let is_known = if_none_match.is_some_and(|known| matches_etag(known, &etag));
        if is_known && self.status == StatusCode::OK {
            let unchanged = Reply {
                status: StatusCode::NOT_MODIFIED,
                headers: self.headers,
                body: Content::Nothing,
                when_taken: None,
            };
            return unchanged.header(header::ETAG, etag);
        }
        self.header(header::ETAG, etag)
    }

    /// The same, with room for it if it is large; an error when there is none.
    pub fn held(mut self, answers: &Arc<Memory>, caller: IpAddr) -> Result<Reply, ApiError> {
        let bytes = match self.body {
            Content::Json(json) => {
                let value = "application/json".to_owned();
                self.headers.insert(0, (header::CONTENT_TYPE, value));
                bytes::Bytes::from(json.to_string())
            }
            Content::Bytes(bytes) => bytes,
            body => return Ok(Reply { body, ..self }),
        };
        let share = hold(answers, caller, bytes.len())?;
        Ok(Reply { body: Content::Bytes(bytes), ..self }.holding(share))
    }

    /// The bytes are held with this share, if there is one, until they are sent.
    pub fn holding(self, share: Option<Share>) -> Reply {
        match (self.body, share) {
            (Content::Bytes(bytes), Some(share)) => {
                Reply { body: Content::Large(bytes, share), ..self }
            }
            (body, _) => Reply { body, ..self },
        }
    }

    /// The HTTP response. An invalid header value is left out, never sent raw.
    pub fn into_response(self) -> Response<Body> {
        let (body, content_type) = match self.body {
            Content::Nothing => (Body::empty(), None),
            Content::Json(json) => (Body::from(json.to_string()), Some("application/json")),
            Content::Bytes(bytes) => (Body::from(bytes), None),
            Content::Stream(body) => (body, None),
            Content::Large(bytes, share) => (Body::new(share.with(bytes)), None),
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        if let Some(when_taken) = self.when_taken {
            // Whoever serves the connection knows when that is.
            response.extensions_mut().insert(when_taken);
        }
        if let Some(content_type) = content_type {
            let value = HeaderValue::from_static(content_type);
            response.headers_mut().insert(header::CONTENT_TYPE, value);
        }
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }
}

/// The `ETag` of an answer that is the same as long as its bytes are.
pub fn version(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits: String = digest[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{digits}\"")
}

/// A share of memory for an answer of so many bytes. Small ones need none.
pub fn hold(
    answers: &Arc<Memory>,
    caller: IpAddr,
    bytes: usize,
) -> Result<Option<Share>, ApiError> {
    if bytes <= SMALL {
        return Ok(None);
    }
    let full = || ApiError::Unavailable("too many answers are being sent".to_owned());
    answers.take(caller, bytes).ok_or_else(full).map(Some)
}

/// Whether an `If-Match` or `If-None-Match` header names this version.
pub fn matches_etag(header: &str, etag: &str) -> bool {
    header.split(',').map(str::trim).any(|candidate| {
        candidate == "*" || candidate.strip_prefix("W/").unwrap_or(candidate) == etag
    })
}

/// How we ask for a token (RFC 6750).
const REALM: &str = "Bearer realm=\"waybill\"";

/// Why a request has no caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCaller {
    /// It has no token.
    Missing,
    /// The check digits are wrong: the token was not copied whole.
    Malformed,
    /// Its token is unknown, was revoked or has expired.
    Unknown,
}

/// The contract's table of errors. Outcomes of a booking are not here: they are replies.
#[derive(Debug)]
pub enum ApiError {
    /// 400: not a request that HTTP allows.
    BadRequest,
    /// 400: the request has two credentials, and nobody can tell which one it means.
    TwoCredentials,
    /// 401: no token, or none of ours.
    Unauthenticated(NoCaller),
    /// 401: the message does not prove that it is the carrier's.
    NotFromCarrier,
    /// 413: the body comes in too many chunks for its size.
    TinyChunks,
    /// 403: the token lacks this scope.
    LacksScope(Scope),
    /// 403: the user is not an administrator of the team.
    LacksRole,
    /// 403: the token is a print agent's, and this is for users.
    NotForAgents,
    /// 403: this is for users, and the token is of a client that acts for itself.
    NotForClients,
    /// 403: this concerns a user in all its teams, and the token is good in one.
    NotForOneTeam,
    /// 403: what an app made would outlive what its user agreed to.
    NotForApps,
    /// 403: what a token that ends made would not end.
    NotForExpiring,
    /// 404: not there, or not for this team.
    NotFound,
    /// 404: what the key made was deleted.
    Deleted,
    /// 404: no such path.
    UnknownPath,
    /// 405: the path does not know the method.
    MethodNotAllowed {
        /// The method that was used.
        method: String,
        /// What `Allow` lists.
        allowed: String,
    },
    /// 408: the body did not arrive in time.
    TooSlow,
    /// 409: the state of the resource does not allow it.
    Conflict(Message),
    /// 409 with `Retry-After`: the same key is being processed; where to look, when that is known.
    Processing(Option<String>),
    /// 502: a carrier gave no clear answer to a request to cancel.
    CancelUnclear {
        /// For the log.
        why: String,
        /// Where the shipment is read.
        location: String,
    },
    /// 502: a carrier did not close the day.
    NotClosed {
        /// For the log.
        why: String,
        /// What the carrier said, if it said anything.
        words: Option<String>,
    },
    /// 410: it was there, and its time is over.
    Gone,
    /// 410: the position of a feed is not one any more.
    Expired,
    /// 410: the position of a feed was told by a database that was lost.
    Forgotten,
    /// 410: the caller may have seen what a restored database does not know.
    Lost(LostSpan),
    /// 413: the body is over the limit.
    TooLarge(usize),
    /// 415: the body is not plain JSON.
    UnsupportedMedia,
    /// 416: the file has so many bytes, and none of those that were asked for.
    NoSuchRange(usize),
    /// 422: what is wrong, where.
    Invalid(FieldErrors),
    /// 429: wait so many seconds.
    TooMany(u64),
    /// 500: our fault; the text is for the log.
    Internal(String),
    /// 503: not now; the text is for the log.
    Unavailable(String),
    /// 424, 502 or 504 on a legacy path: nothing was booked, or nobody knows.
    LegacyBooking(Box<LegacyFailure>),
    /// 503 with `Retry-After` on a legacy path: the booking goes on.
    LegacyInProgress {
        /// The shipment.
        shipment: ShipmentId,
    },
}

impl ApiError {
    /// One problem with one field, parameter or header.
    pub fn invalid(path: &str, message: Message) -> ApiError {
        ApiError::Invalid(FieldErrors::one(path, message))
    }

    pub(super) fn status(&self) -> StatusCode {
        match self {
            ApiError::BadRequest | ApiError::TwoCredentials => StatusCode::BAD_REQUEST,
            ApiError::Unauthenticated(_) | ApiError::NotFromCarrier => StatusCode::UNAUTHORIZED,
            ApiError::LacksScope(_)
            | ApiError::LacksRole
            | ApiError::NotForAgents
            | ApiError::NotForClients
            | ApiError::NotForOneTeam
            | ApiError::NotForApps
            | ApiError::NotForExpiring => StatusCode::FORBIDDEN,
            ApiError::NotFound | ApiError::Deleted | ApiError::UnknownPath => StatusCode::NOT_FOUND,
            ApiError::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ApiError::Conflict(_) | ApiError::Processing(_) => StatusCode::CONFLICT,
            ApiError::CancelUnclear { .. } | ApiError::NotClosed { .. } => StatusCode::BAD_GATEWAY,
            ApiError::Gone | ApiError::Expired | ApiError::Forgotten | ApiError::Lost(_) => {
                StatusCode::GONE
            }
            ApiError::TooLarge(_) | ApiError::TinyChunks => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ApiError::NoSuchRange(_) => StatusCode::RANGE_NOT_SATISFIABLE,
            ApiError::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            ApiError::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            ApiError::Unavailable(_) | ApiError::LegacyInProgress { .. } => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            ApiError::LegacyBooking(failure) => failure.status,
        }
    }

    pub(super) fn message(&self, request_id: &str) -> Message {
        match self {
            ApiError::BadRequest => Message::new("bad-request"),
            ApiError::TwoCredentials => Message::new("two-credentials"),
            ApiError::Unauthenticated(NoCaller::Malformed) => Message::new("token-malformed"),
            ApiError::Unauthenticated(_) => Message::new("unauthenticated"),
            ApiError::NotFromCarrier => Message::new("not-from-carrier"),
            ApiError::LacksScope(scope) => Message::new("forbidden-scope").text("scope", scope),
            ApiError::LacksRole => Message::new("forbidden-role"),
            ApiError::NotForAgents => Message::new("forbidden-agent"),
            ApiError::NotForClients => Message::new("forbidden-client"),
            ApiError::NotForOneTeam => Message::new("forbidden-one-team"),
            ApiError::NotForApps => Message::new("forbidden-app"),
            ApiError::NotForExpiring => Message::new("forbidden-expiring"),
            ApiError::NotFound => Message::new("not-found"),
            ApiError::Deleted => Message::new("replayed-deleted"),
            ApiError::UnknownPath => Message::new("unknown-path"),
            ApiError::MethodNotAllowed { method, allowed } => {
                Message::new("method-not-allowed").text("method", method).text("allowed", allowed)
            }
            ApiError::TooSlow => Message::new("request-timeout"),
            ApiError::Conflict(message) => message.clone(),
            ApiError::Processing(_) => Message::new("conflict-in-progress"),
            ApiError::CancelUnclear { .. } => Message::new("cancel-unclear"),
            ApiError::NotClosed { words: None, .. } => Message::new("day-not-closed"),
            ApiError::NotClosed { words: Some(words), .. } => {
                Message::new("day-refused").text("words", words)
            }
            ApiError::Gone => Message::new("gone"),
            ApiError::Expired => Message::new("feed-expired"),
            ApiError::Forgotten => Message::new("feed-restored"),
            ApiError::Lost(span) => {
                Message::new("history-lost").text("after", span.after).text("until", span.until)
            }
            ApiError::TinyChunks => Message::new("chunks-too-small"),
            ApiError::TooLarge(max) => Message::new("payload-too-large").text("max", max),
            ApiError::UnsupportedMedia => Message::new("unsupported-media-type"),
            ApiError::NoSuchRange(size) => {
                let size = i64::try_from(*size).unwrap_or(i64::MAX);
                Message::new("no-such-range").count("size", size)
            }
            ApiError::Invalid(_) => Message::new("invalid"),
            ApiError::TooMany(seconds) => {
                let seconds = i64::try_from(*seconds).unwrap_or(i64::MAX);
                Message::new("too-many-requests").count("seconds", seconds)
            }
            ApiError::Internal(_) => Message::new("internal").text("id", request_id),
            ApiError::Unavailable(_) => Message::new("unavailable"),
            ApiError::LegacyBooking(failure) => failure.message.clone(),
            ApiError::LegacyInProgress { .. } => Message::new("legacy-in-progress"),
        }
    }

    /// The error as an answer in the caller's language.
    pub fn into_reply(self, language: Language, request_id: &str) -> Reply {
        let body = match &self {
            ApiError::Invalid(errors) => invalid_body(errors, language),
            _ => Json::object([("message", self.message(request_id).say(language).into())]),
        };
        self.with_headers(Reply::json(self.status(), body))
    }

    /// An answer that tells this error, with the headers that say what to do about it.
    pub(super) fn with_headers(&self, reply: Reply) -> Reply {
        match self {
            ApiError::Unauthenticated(NoCaller::Missing) | ApiError::NotFromCarrier => {
                reply.header(header::WWW_AUTHENTICATE, REALM)
            }
            ApiError::Unauthenticated(_) => {
                reply.header(header::WWW_AUTHENTICATE, format!("{REALM}, error=\"invalid_token\""))
            }
            ApiError::LacksScope(scope) => {
                let what = format!("{REALM}, error=\"insufficient_scope\", scope=\"{scope}\"");
                reply.header(header::WWW_AUTHENTICATE, what)
            }
            ApiError::MethodNotAllowed { allowed, .. } => {
                reply.header(header::ALLOW, allowed.as_str())
            }
            ApiError::TooMany(seconds) => reply.header(header::RETRY_AFTER, seconds.to_string()),
            ApiError::LegacyInProgress { .. } => reply.header(header::RETRY_AFTER, "5"),
            ApiError::Processing(location) => {
                let reply = reply.header(header::RETRY_AFTER, "5");
                match location {
                    Some(location) => reply.header(header::LOCATION, location.as_str()),
                    None => reply,
                }
            }
            ApiError::CancelUnclear { location, .. } => {
                reply.header(header::LOCATION, location.as_str())
            }
            ApiError::Deleted => reply.replayed(),
            ApiError::LegacyBooking(failure) if failure.is_replayed => reply.replayed(),
            ApiError::Unavailable(_) => reply.header(header::RETRY_AFTER, "2"),
            ApiError::NoSuchRange(size) => {
                reply.header(header::CONTENT_RANGE, format!("bytes */{size}"))
            }
            ApiError::TooSlow
            | ApiError::TooLarge(_)
            | ApiError::TinyChunks
            | ApiError::BadRequest => {
                // What is left of the body must not be taken for the next request.
                reply.header(header::CONNECTION, "close")
            }
            _ => reply,
        }
    }

    /// What the log should say and the caller should not read.
    pub fn cause(&self) -> Option<&str> {
        match self {
            ApiError::Internal(cause)
            | ApiError::Unavailable(cause)
            | ApiError::CancelUnclear { why: cause, .. }
            | ApiError::NotClosed { why: cause, .. } => Some(cause),
            _ => None,
        }
    }
}

/// Paths, with lists of what is wrong there.
pub fn said(errors: &FieldErrors, language: Language) -> Vec<(MemberName, Json)> {
    let say = |messages: &[Message]| Json::list(messages.iter().map(|m| m.say(language).into()));
    errors.iter().map(|(path, messages)| (path.to_owned().into(), say(messages))).collect()
}

fn invalid_body(errors: &FieldErrors, language: Language) -> Json {
    let members = said(errors, language);
    let message = match errors.iter().next() {
        Some((path, [problem])) if members.len() == 1 => {
            Message::new("invalid-at").text("path", path).text("problem", problem.say(language))
        }
        _ => Message::new("invalid"),
    };
    let errors = Json::Object(members);
    Json::object([("message", message.say(language).into()), ("errors", errors)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_matched_whole_weak_or_by_star() {
        assert!(matches_etag("\"a\", W/\"b\"", "\"b\""));
        assert!(matches_etag("*", "\"b\""));
        assert!(!matches_etag("\"bb\"", "\"b\""));
    }

    #[test]
    fn a_header_value_with_a_line_break_is_never_sent() {
        let reply = Reply::nothing().header(header::LOCATION, "/a\r\nSet-Cookie: x");
        assert!(reply.into_response().headers().is_empty());
    }

    #[test]
    fn one_problem_is_told_in_the_message_itself() {
        let error = ApiError::invalid("title", Message::new("required"));
        let reply = error.into_reply(Language::En, "id");
        let Content::Json(body) = reply.body else { panic!() };
        assert_eq!(
            body.to_string(),
            r#"{"message":"The request is not valid: title is required","errors":{"title":["is required"]}}"#
        );
    }
}
