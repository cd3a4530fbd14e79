//! One request as a handler sees it: path, query, headers and a body that is read once, bounded in
//! size and time.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, Method, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use waybill_domain::fields::read_object;
use waybill_domain::idempotency::{Key, fingerprint};
use waybill_domain::ids::TeamId;
use waybill_domain::json::Json;
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_store::{Error, Tx, idempotency};

use super::caller::Member;
use super::query::Query;
use super::reply::ApiError;
use crate::app::App;
use crate::planted;

/// The most that a body may hold, unless the route says otherwise.
pub const BODY_MAX: usize = 1024 * 1024;
/// The longest that a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(20);

/// One request.
pub struct Call {
    /// The running service.
    pub app: App,
    /// When it arrived.
    pub now: Time,
    /// The id that its answer and its log line carry.
    pub request_id: String,
    /// The language of its answer.
    pub language: Language,
    /// Who sent it.
    pub address: IpAddr,
    /// Its method.
    pub method: Method,
    /// Its path as it was sent, without the query.
    pub path: String,
    /// Its query.
    pub query: Query,
    /// Its headers.
    pub headers: HeaderMap,
    /// How long the parts of it took.
    pub timings: Arc<Timings>,
    pub(super) parameters: Vec<(String, String)>,
    /// Behind a lock only so that a call may be shared between threads.
    pub(super) body: Mutex<Body>,
}

/// Microseconds spent in parts of a request.
#[derive(Default, Debug)]
pub struct Timings {
    /// Waiting for the store.
    pub db: AtomicU64,
    /// Waiting for a carrier.
    pub carrier: AtomicU64,
}

impl Call {
    /// A part of the path. A route without it is a mistake of ours, which no caller can tell from
    /// a resource that is not there.
    pub fn parameter(&self, name: &str) -> Result<&str, ApiError> {
        let found = self.parameters.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str()).ok_or(ApiError::NotFound)
    }

    /// An id in the path. What is no id can not be there.
    pub fn id<T>(&self, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, ApiError> {
        parse(self.parameter(name)?).ok_or(ApiError::NotFound)
    }

    /// A header's text, when it is there once.
    pub fn header(&self, name: HeaderName) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        values.next().filter(|_| values.next().is_none())?.to_str().ok()
    }

    /// The URL of this request's path, under the prefix that the caller used.
    pub fn url(&self) -> String {
        format!("{}{}", self.app.base_url, self.path)
    }

    /// Reads from the store, on this request's time.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let started = self.app.clock.monotonic();
        let result = self.app.store.read(work).await;
        self.note_db(started);
        result
    }

    /// Writes to the store, on this request's time.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let started = self.app.clock.monotonic();
        let result = self.app.store.write(work).await;
        self.note_db(started);
        result
    }

    /// Notes the time since then as spent in the store.
    pub fn note_db(&self, started: Duration) {
        let spent = self.app.clock.monotonic().saturating_sub(started);
        self.timings.db.fetch_add(micros(spent), Ordering::Relaxed);
    }

    /// Notes the time that a carrier took.
    pub fn note_carrier(&self, spent: Duration) {
        self.timings.carrier.fetch_add(micros(spent), Ordering::Relaxed);
    }

    /// The body as a JSON object.
    pub async fn json(&mut self) -> Result<Json, ApiError> {
        self.json_within(BODY_MAX).await
    }

    /// The same, of up to so many bytes.
    pub async fn json_within(&mut self, max: usize) -> Result<Json, ApiError> {
        self.check_media()?;
        let bytes = self.bytes(max).await?;
        Ok(read_object(&bytes)?)
    }

    /// The body as it came, of whatever media type.
    pub async fn whole_body(&mut self) -> Result<bytes::Bytes, ApiError> {
        self.bytes(BODY_MAX).await
    }

    fn check_media(&self) -> Result<(), ApiError> {
        let encoding = self.headers.get(header::CONTENT_ENCODING);
        if encoding.is_some_and(|encoding| encoding.as_bytes() != b"identity") {
            return Err(ApiError::UnsupportedMedia);
        }
        let media = self.header(header::CONTENT_TYPE).unwrap_or_default();
        let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match media.as_str() {
            "application/json" => Ok(()),
            "application/merge-patch+json" if self.method == Method::PATCH => Ok(()),
            _ => Err(ApiError::UnsupportedMedia),
        }
    }

    async fn bytes(&mut self, max: usize) -> Result<bytes::Bytes, ApiError> {
        let announced = self.header(header::CONTENT_LENGTH).and_then(|text| text.parse().ok());
        if announced.is_some_and(|length: u64| length > max as u64) {
            return Err(ApiError::TooLarge(max));
        }
        let body = self.body.get_mut().unwrap_or_else(PoisonError::into_inner);
        let body = Limited::new(std::mem::take(body), max);
        match tokio::time::timeout(BODY_TIME, body.collect()).await {
            Err(_) => Err(ApiError::TooSlow),
            Ok(Ok(collected)) => Ok(collected.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(ApiError::TooLarge(max)),
            Ok(Err(_)) => Err(ApiError::BadRequest),
        }
    }

    /// The `Idempotency-Key` with the fingerprint of this body, when there is a key.
    pub fn claim(&self, body: &Json) -> Result<Option<idempotency::Request>, ApiError> {
        let name = HeaderName::from_static("idempotency-key");
        if !self.headers.contains_key(&name) {
            return Ok(None);
        }
        let key = self.header(name).and_then(Key::parse).ok_or_else(|| {
            ApiError::invalid("Idempotency-Key", Message::new("bad-idempotency-key"))
        })?;
        Ok(Some(idempotency::Request {
            method: self.method.to_string(),
            path: canonical(&self.path).to_owned(),
            key: planted::key(key.as_str(), self.header(header::AUTHORIZATION)),
            fingerprint: fingerprint(body),
        }))
    }
}

/// What a key was already used for by the same request; an error when it was for another.
pub fn find_claim(
    tx: &mut Tx<'_>,
    team: TeamId,
    claim: &idempotency::Request,
) -> Result<Option<uuid::Uuid>, ApiError> {
    match idempotency::find(tx, team, claim)? {
        None => Ok(None),
        Some((false, _)) => Err(reused()),
        Some((true, resource)) => Ok(resource),
    }
}

fn micros(spent: Duration) -> u64 {
    u64::try_from(spent.as_micros()).unwrap_or(u64::MAX)
}

fn reused() -> ApiError {
    ApiError::invalid("Idempotency-Key", Message::new("idempotency-key-reused"))
}

/// The path without its prefix: `/v2/…` and `/beta/…` are the same action.
fn canonical(path: &str) -> &str {
    path.strip_prefix("/v2").or_else(|| path.strip_prefix("/beta")).unwrap_or(path)
}

/// What became of an action that a key may protect.
pub enum Done {
    /// It was done now.
    Now,
    /// It was done before, and made this resource with this status.
    Before(uuid::Uuid, u16),
}

/// Does something at most once for a key, inside the accepting transaction: the key, the action and
/// its resource are stored together or not at all.
pub fn once(
    tx: &mut Tx<'_>,
    member: Member,
    claim: Option<&idempotency::Request>,
    now: Time,
    (resource, status): (uuid::Uuid, u16),
    act: impl FnOnce(&mut Tx<'_>) -> Result<(), ApiError>,
) -> Result<Done, ApiError> {
    let Some(claim) = claim else { return act(tx).map(|()| Done::Now) };
    match idempotency::claim(tx, member.team, claim, now)? {
        idempotency::Claimed::New => {
            act(tx)?;
            idempotency::bind(tx, member.team, claim, resource, status)?;
            Ok(Done::Now)
        }
        idempotency::Claimed::Busy => Err(ApiError::Processing(None)),
        idempotency::Claimed::Taken { fingerprint_matches: false, .. } => Err(reused()),
        idempotency::Claimed::Taken { resource: Some(resource), status, .. } => {
            Ok(Done::Before(resource, status))
        }
        idempotency::Claimed::Taken { resource: None, .. } => Err(ApiError::Processing(None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_is_one_action_under_either_prefix() {
        assert_eq!(canonical("/v2/teams/x/y"), canonical("/beta/teams/x/y"));
        assert_eq!(canonical("/api/v1/x"), "/api/v1/x");
    }
}
