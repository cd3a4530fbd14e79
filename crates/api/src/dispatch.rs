//! Around every handler: Request-ID, language, the order of checks, rate limits, headers, one log
//! line.
//!
//! The order is fixed: 401, then 404 for a team that the caller is not in, then 403 for scope and
//! role, then 429, and only then the handler with its 404, 409 and 422. A panic in a handler is a
//! 500 for its caller and nothing for anyone else.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::RawPathParams;
use axum::http::{self, HeaderMap, HeaderName, Method, Response, header};
use axum::routing::any;
use futures_util::FutureExt;
use tracing::Instrument;
use waybill_domain::ids::{PrintAgentId, ShipmentId, TeamId};
use waybill_domain::language::Language;
use waybill_engine::agents::AgentCaller;
use waybill_engine::app::App;

use super::access_log::{AccessLog, REQUEST_ID};
use super::authenticate::authenticate;
use super::caller::Caller;
use super::cors;
use super::dialect::JSON;
use super::legacy::paths::{Found, Paths, is_legacy};
use super::legacy::site::{TEAM, find_team};
use super::limits::Bucket;
use super::query::Query;
use super::reply::{ApiError, Reply};
use super::request::{Request, Rights};
use super::routes::{Cost, Handler, Route, routes};
use super::state::Api;
use super::unread::Unread;

const METRICS: &str = "/metrics";
/// Where print agents register.
pub(super) const REGISTER: &str = "/beta/print-agents/register";
/// What is said of a method that nobody has: its first letters.
const METHOD_SHOWN: usize = 20;

/// Whoever calls too often, or in tiny chunks, waits for the answer that says so: one connection
/// that never stops asking would cost as much as if it were served.
const REFUSAL_PAUSE: Duration = Duration::from_millis(50);

/// Requests of one team that may wait for their turn.
const WAITING_MAX: usize = 100;

/// A page with more rows than this is large.
const FEW_ROWS: u32 = 100;

/// The address of the peer, put into a request by whoever accepted its connection.
#[derive(Clone, Copy)]
pub struct Peer(pub IpAddr);

/// The whole API as one service.
pub fn router(api: Arc<Api>) -> Router {
    service(api, |_| true)
}

/// The same without `/metrics`, which has an address of its own.
pub fn router_without_metrics(api: Arc<Api>) -> Router {
    service(api, |path| path != METRICS)
}

/// What those who watch over the service ask for, and nothing else.
pub fn probes(api: Arc<Api>) -> Router {
    service(api, is_probe)
}

fn service(api: Arc<Api>, is_served: impl Fn(&str) -> bool) -> Router {
    let mut by_path: BTreeMap<String, Vec<Route>> = BTreeMap::new();
    for route in routes().into_iter().filter(|route| is_served(&route.path)) {
        by_path.entry(route.path.clone()).or_default().push(route);
    }
    let (mut router, mut legacy) = (Router::new(), Paths::default());
    for (path, routes) in by_path {
        let (api, routes) = (api.clone(), Arc::new(routes));
        if is_legacy(&path) {
            legacy.add(&path, routes);
            continue;
        }
        let answer = move |parameters: Result<RawPathParams, _>, request| {
            let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
            // A parameter that is not UTF-8 names nothing.
            let parameters = parameters.iter().flatten().map(owned).collect();
            let dialect = routes.first().map_or(&JSON, |route| route.dialect);
            let found = Found { routes: Some(routes.clone()), parameters, dialect };
            serve(api.clone(), found, request)
        };
        router = router.route(&path, any(answer));
    }
    let legacy = Arc::new(legacy);
    router.fallback(move |request: http::Request<Body>| {
        let nothing = || Found { routes: None, parameters: Vec::new(), dialect: &JSON };
        let found = legacy.find(request.uri().path()).unwrap_or_else(nothing);
        serve(api.clone(), found, request)
    })
}

/// Answers one request, for whose path this was found.
async fn serve(api: Arc<Api>, found: Found, request: http::Request<Body>) -> Response<Body> {
    let Found { routes, parameters, dialect } = found;
    let app = api.app().clone();
    let started = app.monotonic();
    let (parts, body) = request.into_parts();
    let peer = parts.extensions.get::<Peer>().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0);
    let unread = Unread::new(body);
    let awaits_leave = parts.headers.contains_key(header::EXPECT);
    let mut request = Request {
        now: app.now(),
        known_at: started,
        rights: None,
        request_id: request_id(&app, &parts.headers, dialect.request_id_max),
        language: Language::En,
        peer,
        path: parts.uri.path().to_owned(),
        query: Query::parse(parts.uri.query()),
        method: parts.method,
        headers: parts.headers,
        who: None,
        timings: Arc::default(),
        shipment: Arc::default(),
        client: Arc::default(),
        dialect,
        routes: routes.clone(),
        parameters,
        body: unread.clone(),
        share: None,
        app: app.clone(),
        api: api.clone(),
    };
    let caller = request.caller();
    if let Ok(shipment) = request.id("shipment", ShipmentId::parse) {
        request.concerns(shipment);
    }
    let accept = request.header_list(header::ACCEPT_LANGUAGE);
    request.language = Language::look_up(accept.as_deref(), Language::En);
    let mut access_log = log_of(&request);
    // The span has level ERROR, so that no filter removes it.
    let span = tracing::error_span!("request", request_id = %access_log.request_id);
    let result =
        AssertUnwindSafe(dispatch(request, routes.as_deref().map(Vec::as_slice), &mut access_log))
            .catch_unwind()
            .instrument(span)
            .await
            .unwrap_or_else(|_| Err(ApiError::Internal("a handler panicked".to_owned())));
    let micros = app.monotonic().saturating_sub(started).as_micros();
    if matches!(result, Err(ApiError::TooMany(_) | ApiError::TinyChunks)) {
        tokio::time::sleep(REFUSAL_PAUSE).await;
    }
    // With `Expect: 100-continue` there is no body to drain.
    if !awaits_leave {
        unread.drain().await;
    }
    let result = result.and_then(|reply| reply.held(api.answers(), caller));
    access_log.finish(result, u64::try_from(micros).unwrap_or(u64::MAX))
}

/// What is written down of a request, so far.
fn log_of(request: &Request) -> AccessLog {
    AccessLog {
        api: request.api.clone(),
        request_id: request.request_id.clone(),
        method: request.method.clone(),
        dialect: request.dialect,
        routes: request.routes.clone(),
        route: None,
        language: request.language,
        team: None,
        shipment: request.shipment.clone(),
        client: request.client.clone(),
        timings: request.timings.clone(),
        rate_limit: None,
    }
}

async fn dispatch(
    mut request: Request,
    routes: Option<&[Route]>,
    access_log: &mut AccessLog,
) -> Result<Reply, ApiError> {
    if request.method == Method::OPTIONS && routes.is_some() {
        limit_anonymous(&request, access_log).await?;
        return Ok(methods(&request, routes));
    }
    let all = routes.unwrap_or_default();
    access_log.route = all.iter().position(|route| answers(route, &request.method));
    let Some(route) = access_log.route.map(|index| &all[index]) else {
        limit_anonymous(&request, access_log).await?;
        return Err(no_route(&request, routes));
    };
    let (scope, needs_admin, answer) = match &route.handler {
        Handler::Public(answer) => {
            limit_public(&request, &route.path, access_log).await?;
            return answer(request).await;
        }
        Handler::User { scope, answer } => {
            let caller = known_caller(&request, access_log).await?;
            let rights = Rights { team: None, scope: *scope, needs_admin: false };
            rights.check(&caller)?;
            let bucket = Bucket::Caller(caller.principal.id());
            limit(&request, caller.bucket(bucket), access_log).await?;
            (request.who, request.rights) = (Some(caller.clone()), Some(rights));
            return answer(request, caller).await;
        }
        Handler::Agent(answer) => {
            let agent = known_agent(&mut request, access_log).await?;
            let (api, is_large) = (request.api.clone(), is_large(&request));
            let answering = answer(request, agent);
            return if is_large { api.heavy().run(answering).await } else { answering.await };
        }
        Handler::Team { scope, needs_admin, answer } => (*scope, *needs_admin, answer),
    };
    let caller = known_caller(&request, access_log).await?;
    let team = team_in_path(&mut request, &caller).await;
    let (team, (member, language)) = match team.and_then(|team| Ok((team, caller.in_team(team)?))) {
        Ok(known) => known,
        Err(error) => {
            // To guess the ids of teams counts against the limit; the answer is 404 either way.
            let bucket = caller.bucket(Bucket::Caller(caller.principal.id()));
            let _also = limit(&request, bucket, access_log).await;
            return Err(error);
        }
    };
    speak_of(&mut request, team, language, access_log);
    let bucket = if request.method.is_safe() { Bucket::Reads(team) } else { Bucket::Writes(team) };
    let within = limit(&request, caller.bucket(bucket), access_log).await;
    let rights = Rights { team: Some(team), scope, needs_admin };
    rights.check(&caller)?;
    within?;
    (request.who, request.rights) = (Some(caller), Some(rights));
    if route.cost != Cost::Much && !is_large(&request) {
        return answer(request, member).await;
    }
    let api = request.api.clone();
    let is_queued = route.cost != Cost::WaitsForCarrier;
    let _turn = match is_queued {
        true => {
            let turn = api.costly_queue().take_within(team, WAITING_MAX).await;
            Some(turn.ok_or(ApiError::TooMany(1))?)
        }
        false => None,
    };
    api.heavy().run(answer(request, member)).await
}

/// Which methods the path has, for OPTIONS.
fn methods(request: &Request, routes: Option<&[Route]>) -> Reply {
    let allowed = allowed(routes);
    match request.dialect.is_cross_origin {
        true => cors::preflight(&allowed),
        false => Reply::nothing().header(header::ALLOW, allowed),
    }
}

/// There is no such path, or the path has no such method.
fn no_route(request: &Request, routes: Option<&[Route]>) -> ApiError {
    match routes {
        None => ApiError::UnknownPath,
        Some(_) => ApiError::MethodNotAllowed {
            method: request.method.as_str().chars().take(METHOD_SHOWN).collect(),
            allowed: allowed(routes),
        },
    }
}

/// From here on the team is known: it is logged, and spoken to in its language.
fn speak_of(request: &mut Request, team: TeamId, language: Language, access_log: &mut AccessLog) {
    let accept = request.header_list(header::ACCEPT_LANGUAGE);
    request.language = Language::look_up(accept.as_deref(), language);
    (access_log.language, access_log.team) = (request.language, Some(team));
}

/// The team in the path. The older API has its domain there, in many spellings: from here on it is
/// the team's id, also where a key is kept.
async fn team_in_path(request: &mut Request, caller: &Caller) -> Result<TeamId, ApiError> {
    if !is_legacy(&request.path) {
        return request.id("teamUuid", TeamId::parse);
    }
    let team = find_team(request, caller).await?;
    let named = request.parameters.iter_mut().find(|(name, _)| name == TEAM);
    if let Some((_, value)) = named {
        *value = team.to_string();
    }
    Ok(team)
}

/// The print agent in the path, when it is the one that calls.
async fn known_agent(
    request: &mut Request,
    access_log: &mut AccessLog,
) -> Result<AgentCaller, ApiError> {
    let caller = known_caller(request, access_log).await?;
    let named = request.id("agent", PrintAgentId::parse).ok();
    let team = request.id("teamUuid", TeamId::parse);
    let found = team.and_then(|team| Ok((team, caller.in_team(team)?.1)));
    let agent = found.and_then(|(team, language)| {
        speak_of(request, team, language, access_log);
        caller.as_agent(team, named)
    });
    let bucket = caller.bucket(Bucket::Caller(caller.principal.id()));
    let within = limit(request, bucket, access_log).await;
    let agent = agent?;
    within.map(|()| agent)
}

/// Whether its body or the page that it asks for is large.
fn is_large(request: &Request) -> bool {
    let per_page = request.query.knowing(&[]).text("per_page").and_then(|text| text.parse().ok());
    request.body.is_large() || per_page.is_some_and(|rows: u32| rows > FEW_ROWS)
}

/// The caller; or, when there is none, a 401 that counts against the address it came from.
async fn known_caller(
    request: &Request,
    access_log: &mut AccessLog,
) -> Result<Arc<Caller>, ApiError> {
    match authenticate(request).await {
        Ok(caller) => Ok(caller),
        Err(error @ (ApiError::Unauthenticated(_) | ApiError::TwoCredentials)) => {
            limit_anonymous(request, access_log).await?;
            Err(error)
        }
        Err(other) => Err(other),
    }
}

/// What anyone may call is limited by address.
async fn limit_public(
    request: &Request,
    path: &str,
    access_log: &mut AccessLog,
) -> Result<(), ApiError> {
    match path {
        path if is_probe(path) => limit_probe(request, access_log).await,
        REGISTER => limit(request, Bucket::Registrations(request.caller()), access_log).await,
        _ => limit_anonymous(request, access_log).await,
    }
}

async fn limit_anonymous(request: &Request, access_log: &mut AccessLog) -> Result<(), ApiError> {
    limit(request, Bucket::Anonymous(request.caller()), access_log).await
}

/// Probes say nothing of their limit before it is reached: no prober comes near it.
async fn limit_probe(request: &Request, access_log: &mut AccessLog) -> Result<(), ApiError> {
    let within = limit(request, Bucket::Probes(request.caller()), access_log).await;
    if within.is_ok() {
        access_log.rate_limit = None;
    }
    within
}

async fn limit(
    request: &Request,
    bucket: Bucket,
    access_log: &mut AccessLog,
) -> Result<(), ApiError> {
    let (rate_limit, result) =
        request.api.limits().take(request.app.store(), bucket, request.now).await;
    access_log.rate_limit = rate_limit;
    result
}

fn is_probe(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | METRICS)
}

/// A GET route answers HEAD too; the body is left out on the way.
fn answers(route: &Route, method: &Method) -> bool {
    route.method == *method || (*method == Method::HEAD && route.method == Method::GET)
}

fn allowed(routes: Option<&[Route]>) -> String {
    let mut methods: Vec<&str> =
        routes.into_iter().flatten().map(|route| route.method.as_str()).collect();
    if methods.contains(&"GET") && !methods.contains(&"HEAD") {
        methods.push("HEAD");
    }
    methods.push("OPTIONS");
    methods.sort_unstable();
    methods.join(", ")
}

/// The caller's id when it keeps the pattern, else a new one.
fn request_id(app: &App, headers: &HeaderMap, max: usize) -> String {
    let is_good = |id: &str| {
        (1..=max).contains(&id.len())
            && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    };
    let given = text(headers, REQUEST_ID).filter(|id| is_good(id));
    given.unwrap_or_else(|| app.new_uuid().simple().to_string())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}
