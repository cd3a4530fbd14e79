//! One request as a handler sees it: path, query and headers. Its body is read in `body`.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, Method};
use waybill_domain::access::Scope;
use waybill_domain::audit::{Act, Actor};
use waybill_domain::ids::{ShipmentId, TeamId, parse_uuid};
use waybill_domain::language::Language;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::timings::{Part, Timings};
use waybill_store::{Error, Tx, idempotency};

use super::caller::{Caller, Member};
use super::dialect::Dialect;
use super::headers::single;
use super::query::Query;
use super::reply::ApiError;
use super::routes::Route;
use super::state::Api;
use super::unread::Unread;
use super::writer::Writer;
use crate::memory::Share;

/// What a route asks of its caller.
#[derive(Clone, Copy)]
pub(super) struct Rights {
    /// The team in the path, where the route has one.
    pub team: Option<TeamId>,
    /// The scope of the token.
    pub scope: Option<Scope>,
    /// Whether an administrator is asked for.
    pub needs_admin: bool,
}

/// One request.
pub struct Request {
    /// The running service.
    pub app: App,
    /// Its HTTP side.
    pub api: Arc<Api>,
    /// When it arrived, with its body once that was read.
    pub now: Time,
    /// When it was seen who asks.
    pub(super) known_at: Duration,
    /// What its route asks of that caller, once it was seen that it is so.
    pub(super) rights: Option<Rights>,
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
    /// Who asks, once that is known.
    pub who: Option<Arc<Caller>>,
    /// How long the parts of it took.
    pub timings: Arc<Timings>,
    /// The shipment that it is about, for its log line.
    pub(super) shipment: Arc<OnceLock<ShipmentId>>,
    /// The OAuth client that it is of, for its log line.
    pub(super) client: Arc<OnceLock<String>>,
    /// How its route speaks.
    pub(super) dialect: &'static Dialect,
    /// The routes of its path.
    pub(super) routes: Option<Arc<Vec<Route>>>,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) body: Unread,
    /// The room that the body takes, for as long as the request is worked on.
    pub(super) share: Option<Share>,
}

impl Rights {
    /// Whether the caller has them. A team that it is not in looks like one that does not exist.
    pub fn check(self, caller: &Caller) -> Result<(), ApiError> {
        match (self.team, self.scope) {
            (Some(team), scope) => {
                caller.in_team(team)?;
                match scope {
                    Some(scope) => caller.may(team, scope, self.needs_admin),
                    None => caller.is_no_agent(),
                }
            }
            (None, Some(scope)) => caller.has(scope),
            (None, None) => caller.is_no_agent(),
        }
    }
}

impl Request {
    /// What is stored of the token that it carries.
    pub fn token_hash(&self) -> Result<TokenHash, ApiError> {
        (self.dialect.credential)(&self.headers, &self.query)
    }

    /// Notes which shipment this is about, when the path does not say so.
    pub fn concerns(&self, shipment: ShipmentId) {
        // Only the first shipment is logged.
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

    /// A path of ours as a browser sees it, below the path of the base URL.
    pub fn page_path(&self, path: &str) -> String {
        format!("{}{path}", path_of(self.app.base_url()))
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

    /// The same for a short closure, which may share its snapshot with others.
    pub async fn read_grouped<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.timed(Part::Db, self.app.read_grouped(work)).await
    }

    /// Writes to the store, on this request's time, while the team of its route is there.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.writer().write(work).await
    }

    /// What it writes with.
    pub fn writer(&self) -> Writer {
        let team = self.rights.and_then(|rights| rights.team);
        Writer { app: self.app.clone(), timings: self.timings.clone(), team }
    }

    /// Does a part of this request, and notes how long it took.
    pub async fn timed<T>(&self, part: Part, work: impl Future<Output = T>) -> T {
        self.timings.during(self.app.clock().as_ref(), part, work).await
    }

    /// The address, or network, that this came from.
    pub fn caller(&self) -> IpAddr {
        self.api.limits().caller(self.peer, &self.headers)
    }

    /// By whom this is done, when and from where, for one line of the audit log.
    pub fn act(&self) -> Act {
        let actor = self.who.as_ref().map(|who| who.actor.clone());
        Act {
            id: self.app.new_uuid(),
            at: self.now,
            actor: actor.unwrap_or_else(|| Arc::new(Actor::system())),
            request_id: Some(self.request_id.clone()),
            address: Some(self.api.limits().address(self.peer, &self.headers).to_string()),
        }
    }

    /// The path without its prefix, which is the same action under `/v2` and `/beta`, and with its
    /// ids in one spelling.
    pub(super) fn canonical_path(&self) -> String {
        let template = self.routes.as_ref().map_or(&self.path, |routes| &routes[0].path);
        let path = template.strip_prefix("/v2").or_else(|| template.strip_prefix("/beta"));
        let mut path = path.unwrap_or(template).to_owned();
        for (name, value) in &self.parameters {
            let id = parse_uuid(value).map_or_else(|| value.clone(), |id| id.to_string());
            path = path.replace(&format!("{{{name}}}"), &id);
        }
        path
    }
}

/// The path of a base URL, without a slash at its end; empty when it has none.
fn path_of(base_url: &str) -> &str {
    let host = base_url.find("://").map_or(0, |at| at + 3);
    base_url[host..].find('/').map_or("", |at| &base_url[host + at..])
}

/// What a key was already used for by the same request; an error when it was for another.
pub fn find_claim(
    tx: &mut Tx<'_>,
    team: TeamId,
    claim: &idempotency::KeyClaim,
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
    claim: Option<&idempotency::KeyClaim>,
    now: Time,
    made: (uuid::Uuid, u16),
    act: impl FnOnce(&mut Tx<'_>) -> Result<(), ApiError>,
) -> Result<Idempotent, ApiError> {
    let Some(claim) = claim else { return act(tx).map(|()| Idempotent::Executed) };
    match idempotency::claim(tx, member.team, claim, made, now)? {
        idempotency::KeyState::New => act(tx).map(|()| Idempotent::Executed),
        idempotency::KeyState::Busy => Err(ApiError::Processing(None)),
        idempotency::KeyState::Taken { fingerprint_matches: false, .. } => Err(reused()),
        idempotency::KeyState::Taken { resource: Some(resource), status, .. } => {
            Ok(Idempotent::Replayed(resource, status))
        }
        idempotency::KeyState::Taken { resource: None, .. } => Err(ApiError::Processing(None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_lead_below_the_path_of_the_base_url() {
        assert_eq!(path_of("https://x.example/base"), "/base");
        assert_eq!(path_of("https://x.example/a/b"), "/a/b");
        assert_eq!(path_of("https://x.example:8080"), "");
    }
}
