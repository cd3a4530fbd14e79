//! One request as a handler sees it: path, query, headers and a body that is read once, bounded in
//! size and time.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::body::HttpBody;
use axum::http::{HeaderMap, HeaderName, Method, header};
use http_body_util::BodyExt;
use waybill_domain::fields;
use waybill_domain::idempotency::{Key, fingerprint};
use waybill_domain::ids::{ShipmentId, TeamId, parse_uuid};
use waybill_domain::json::{Json, VALUES_MAX};
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::planted;
use waybill_engine::timings::{Part, Timings};
use waybill_store::{Error, Tx, idempotency};

use super::caller::Member;
use super::dialect::Dialect;
use super::headers::single;
use super::query::Query;
use super::reply::ApiError;
use super::routes::Route;
use super::state::Api;
use crate::memory::{SMALL, Share};

/// The most that a body may hold.
#[derive(Clone, Copy)]
pub struct BodyLimit {
    /// Bytes.
    pub bytes: usize,
    /// JSON values: to check one costs more than to read its bytes.
    pub values: usize,
}

impl BodyLimit {
    /// Unless the route says otherwise.
    pub const USUAL: BodyLimit = BodyLimit { bytes: 1024 * 1024, values: 25_000 };
    /// For long tables of small values.
    pub const TABLE: BodyLimit = BodyLimit { values: VALUES_MAX, ..BodyLimit::USUAL };
    /// For a hundred shipments.
    pub const BATCH: BodyLimit = BodyLimit { bytes: 8 * 1024 * 1024, values: VALUES_MAX };
}

/// A larger body is not read and checked beside small requests.
const LARGE: u64 = 4 * 1024;
/// The longest that a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(20);
/// So much of a body that nobody wants is let in, for so long.
const DRAIN_MAX: usize = 16 * 1024 * 1024;
const DRAIN_TIME: Duration = Duration::from_secs(3);
/// A chunk costs as much as so many bytes, however small it is.
const CHUNK_COST: usize = 16 * 1024;
/// A body comes in so many chunks at most, and one more for each so many bytes.
const CHUNKS_MAX: usize = 4_000;
const CHUNK_MIN: usize = 32;

/// One request.
pub struct Request {
    /// The running service.
    pub app: App,
    /// Its HTTP side.
    pub api: Arc<Api>,
    /// When it arrived.
    pub now: Time,
    /// The id that its answer and its log line carry.
    pub request_id: String,
    /// The language of its answer.
    pub language: Language,
    /// The address that the connection came from.
    pub peer: IpAddr,
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
    /// The shipment that it is about, for its log line.
    pub(super) shipment: Arc<OnceLock<ShipmentId>>,
    /// How its route speaks.
    pub(super) dialect: &'static Dialect,
    /// The routes of its path.
    pub(super) routes: Option<Arc<Vec<Route>>>,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) body: Unread,
    /// The room that the body takes, for as long as the request is worked on.
    pub(super) share: Option<Share>,
}

/// What has not been read of a body. Whoever answers keeps a share of it, to let a caller who is
/// still sending finish.
#[derive(Clone)]
pub struct Unread(Arc<Mutex<Body>>);

impl Unread {
    /// A body of which nothing was read.
    pub fn new(body: Body) -> Unread {
        Unread(Arc::new(Mutex::new(body)))
    }

    /// Whether it is large, or may become so.
    pub fn is_large(&self) -> bool {
        let body = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        body.size_hint().upper().is_none_or(|size| size > LARGE)
    }

    fn take(&self) -> Body {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn put_back(&self, body: Body) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = body;
    }

    /// Reads the rest and forgets it, within bounds. Most clients send all before they listen: an
    /// answer on a connection that is closed under their hands would be lost.
    pub async fn drain(&self) {
        let mut body = self.take();
        let mut left = DRAIN_MAX;
        let all = async {
            while left > 0 && !body.is_end_stream() {
                let Some(Ok(frame)) = body.frame().await else { return };
                let bytes = frame.data_ref().map_or(0, |data| data.len());
                left = left.saturating_sub(bytes.max(CHUNK_COST));
            }
        };
        let _in_vain = tokio::time::timeout(DRAIN_TIME, all).await;
    }
}

/// As much of a body as may be.
async fn read_within(body: &mut Body, max: usize) -> Result<bytes::Bytes, ApiError> {
    let (mut read, mut chunks) = (bytes::BytesMut::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::BadRequest)?;
        let Some(data) = frame.data_ref() else { continue };
        if read.len() + data.len() > max {
            return Err(ApiError::TooLarge(max));
        }
        read.extend_from_slice(data);
        chunks += 1;
        if chunks > CHUNKS_MAX + read.len() / CHUNK_MIN {
            return Err(ApiError::TinyChunks);
        }
    }
    Ok(read.freeze())
}

impl Request {
    /// What is stored of the token that it carries.
    pub fn token_hash(&self) -> Result<TokenHash, ApiError> {
        (self.dialect.credential)(&self.headers)
    }

    /// Notes which shipment this is about, when the path does not say so.
    pub fn concerns(&self, shipment: ShipmentId) {
        // Only the first is logged: what follows from it may be about others.
        let _known = self.shipment.set(shipment);
    }

    /// A part of the path. A route without it is a mistake of ours, which no caller can tell from
    /// a resource that is not there.
    pub fn parameter(&self, name: &str) -> Result<&str, ApiError> {
        let found = self.parameters.iter().find(|(other, _)| other == name);
        let value = found.map(|(_, value)| value.as_str());
        // Nothing is called by a control character, and PostgreSQL cannot even be asked for a zero.
        value.filter(|value| !value.chars().any(char::is_control)).ok_or(ApiError::NotFound)
    }

    /// An id in the path. A malformed id is a 404.
    pub fn id<T>(&self, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, ApiError> {
        parse(self.parameter(name)?).ok_or(ApiError::NotFound)
    }

    /// The text of a header that is a list: several lines of it are one.
    pub fn header_list(&self, name: HeaderName) -> Option<String> {
        let values = self.headers.get_all(name).iter();
        let lines: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
        (!lines.is_empty()).then(|| lines.join(", "))
    }

    /// A header's text, when it is there once.
    pub fn header(&self, name: HeaderName) -> Option<&str> {
        single(&self.headers, name)
    }

    /// The URL of this request's path, under the prefix that the caller used.
    pub fn url(&self) -> String {
        format!("{}{}", self.app.base_url(), self.path)
    }

    /// Reads from the store, on this request's time.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.timed(Part::Db, self.app.read(work)).await
    }

    /// Writes to the store, on this request's time.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.timed(Part::Db, self.app.write(work)).await
    }

    /// Does a part of this request, and notes how long it took.
    pub async fn timed<T>(&self, part: Part, work: impl Future<Output = T>) -> T {
        self.timings.during(self.app.clock().as_ref(), part, work).await
    }

    /// The body as a JSON object.
    pub async fn json(&mut self) -> Result<Json, ApiError> {
        self.json_within(BodyLimit::USUAL).await
    }

    /// The same with another limit.
    pub async fn json_within(&mut self, limit: BodyLimit) -> Result<Json, ApiError> {
        (self.dialect.accepts)(&self.method, &self.headers)?;
        let bytes = self.bytes(limit.bytes).await?;
        (self.dialect.parse)(&bytes, limit.values)
    }

    /// Refuses a body that says something, where there is nothing to say: an empty one and an empty
    /// object are fine.
    pub async fn no_body(&mut self) -> Result<(), ApiError> {
        let bytes = self.bytes(BodyLimit::USUAL.bytes).await?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        (self.dialect.accepts)(&self.method, &self.headers)?;
        let body = (self.dialect.parse)(&bytes, BodyLimit::USUAL.values)?;
        Ok(fields::read(&body, |_| Some(()))?)
    }

    /// The body as it came, of whatever media type.
    pub async fn whole_body(&mut self) -> Result<bytes::Bytes, ApiError> {
        self.bytes(BodyLimit::USUAL.bytes).await
    }

    async fn bytes(&mut self, max: usize) -> Result<bytes::Bytes, ApiError> {
        let announced = self.header(header::CONTENT_LENGTH).and_then(|text| text.parse().ok());
        if announced.is_some_and(|length: u64| length > max as u64) {
            return Err(ApiError::TooLarge(max));
        }
        self.make_room(announced.map_or(max, |length| length.try_into().unwrap_or(max))).await?;
        let mut body = self.body.take();
        let read = tokio::time::timeout(BODY_TIME, read_within(&mut body, max)).await;
        let read = read.unwrap_or(Err(ApiError::TooSlow));
        if matches!(read, Err(ApiError::TooLarge(_))) {
            self.body.put_back(body);
        }
        read
    }

    /// Waits until a large body may come. Most that are waited for are there within moments.
    async fn make_room(&mut self, bytes: usize) -> Result<(), ApiError> {
        if bytes > SMALL {
            let room = self.api.bodies.wait_for(self.caller(), bytes, BODY_TIME).await;
            let full = || ApiError::Unavailable("too many bodies are being received".to_owned());
            self.share = Some(room.ok_or_else(full)?);
        }
        Ok(())
    }

    /// The address, or network, that this came from.
    pub fn caller(&self) -> IpAddr {
        self.api.limits.caller(self.peer, &self.headers)
    }

    /// The path without its prefix, which is the same action under `/v2` and `/beta`, and with its
    /// ids in one spelling.
    fn canonical_path(&self) -> String {
        let template = self.routes.as_ref().map_or(&self.path, |routes| &routes[0].path);
        let path = template.strip_prefix("/v2").or_else(|| template.strip_prefix("/beta"));
        let mut path = path.unwrap_or(template).to_owned();
        for (name, value) in &self.parameters {
            let id = parse_uuid(value).map_or_else(|| value.clone(), |id| id.to_string());
            path = path.replace(&format!("{{{name}}}"), &id);
        }
        path
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
            path: self.canonical_path(),
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

fn reused() -> ApiError {
    ApiError::invalid("Idempotency-Key", Message::new("idempotency-key-reused"))
}

/// What became of an action that a key may protect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idempotent {
    /// It was done now.
    Executed,
    /// It was done before, and made this resource with this status.
    Replayed(uuid::Uuid, u16),
}

/// Does something at most once for a key, inside the accepting transaction: the key, the action and
/// its resource are stored together or not at all.
pub fn run_idempotent(
    tx: &mut Tx<'_>,
    member: Member,
    claim: Option<&idempotency::Request>,
    now: Time,
    (resource, status): (uuid::Uuid, u16),
    act: impl FnOnce(&mut Tx<'_>) -> Result<(), ApiError>,
) -> Result<Idempotent, ApiError> {
    let Some(claim) = claim else { return act(tx).map(|()| Idempotent::Executed) };
    match idempotency::claim(tx, member.team, claim, now)? {
        idempotency::Claimed::New => {
            act(tx)?;
            idempotency::bind(tx, member.team, claim, resource, status)?;
            Ok(Idempotent::Executed)
        }
        idempotency::Claimed::Busy => Err(ApiError::Processing(None)),
        idempotency::Claimed::Taken { fingerprint_matches: false, .. } => Err(reused()),
        idempotency::Claimed::Taken { resource: Some(resource), status, .. } => {
            Ok(Idempotent::Replayed(resource, status))
        }
        idempotency::Claimed::Taken { resource: None, .. } => Err(ApiError::Processing(None)),
    }
}
