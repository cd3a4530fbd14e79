//! What is known about a request by the time that it is answered, and what is made of it: headers,
//! one log line, counts.

mod refusals;

use std::sync::{Arc, LazyLock, OnceLock};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Response, header};
use tokio::time::Instant;
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::language::Language;
use waybill_engine::timings::Timings;

use super::cors;
use super::counts::Counts;
use super::dialect::{AnswerContext, Dialect};
use super::limits::RateLimitHeaders;
use super::reply::{ApiError, Reply};
use super::routes::Route;
use super::state::Api;
use refusals::Refusals;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// One request on its way out.
pub(super) struct AccessLog {
    pub api: Arc<Api>,
    pub request_id: String,
    pub method: Method,
    /// How its route speaks.
    pub dialect: &'static Dialect,
    /// The routes of its path.
    pub routes: Option<Arc<Vec<Route>>>,
    /// Which of them answered.
    pub route: Option<usize>,
    pub language: Language,
    pub team: Option<TeamId>,
    /// The shipment that it was about.
    pub shipment: Arc<OnceLock<ShipmentId>>,
    /// The OAuth client that it was of.
    pub client: Arc<OnceLock<String>>,
    pub timings: Arc<Timings>,
    pub rate_limit: Option<RateLimitHeaders>,
}

static TOO_MANY: Refusals = Refusals::new();
static UNKNOWN: Refusals = Refusals::new();

impl AccessLog {
    /// The response, logged and counted.
    pub fn finish(self, result: Result<Reply, ApiError>, micros: u64) -> Response<Body> {
        // What a team is told may have words of its language in it; other pages have their own.
        let is_spoken = result.is_err() || self.team.is_some();
        let cause = result.as_ref().err().and_then(|error| error.cause()).map(str::to_owned);
        let to = AnswerContext {
            language: self.language,
            request_id: &self.request_id,
            base_url: self.api.app().base_url(),
            sunset: self.api.legacy_sunset(),
        };
        let reply = result.unwrap_or_else(|error| (self.dialect.error)(error, &to));
        let mut response = reply.into_response();
        (self.dialect.headers)(response.headers_mut(), &to);
        let status = response.status().as_u16();
        let is_logged = match status {
            429 => TOO_MANY.may_be_logged(Instant::now()),
            401 => UNKNOWN.may_be_logged(Instant::now()),
            _ => true,
        };
        if is_logged {
            self.log(status, micros, cause.as_deref());
        }
        self.count(status, micros);
        let timing = self.timings.header(micros);
        let headers = response.headers_mut();
        let mut set = |name: HeaderName, value: String| {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        };
        set(REQUEST_ID, self.request_id);
        set(SERVER_TIMING, timing);
        if is_spoken && !headers.contains_key(header::CONTENT_LANGUAGE) {
            let language = HeaderValue::from_static(self.language.tag());
            headers.insert(header::CONTENT_LANGUAGE, language);
        }
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Some(rate_limit) = self.rate_limit {
            headers.insert(HeaderName::from_static("ratelimit-policy"), rate_limit.policy);
            headers.insert(HeaderName::from_static("ratelimit"), rate_limit.rest);
        }
        if self.dialect.is_cross_origin {
            cors::expose(headers);
        }
        response
    }

    fn count(&self, status: u16, micros: u64) {
        static UNKNOWN: LazyLock<Counts> = LazyLock::new(Counts::default);
        let route = self.routes.as_ref().zip(self.route).map(|(routes, index)| &routes[index]);
        let (operation, counts) = match route {
            Some(route) => (route.operation.as_str(), &route.counts),
            None => ("", &*UNKNOWN),
        };
        counts.requests(operation, name_of(&self.method), status).increment(1);
        counts.seconds(operation).record(micros as f64 / 1e6);
    }

    /// One line for each request: the route's template, never the path or the query as sent.
    fn log(&self, status: u16, micros: u64, cause: Option<&str>) {
        let team = self.team.map(tracing::field::display);
        let shipment = self.shipment.get().map(tracing::field::display);
        let client = self.client.get().map(tracing::field::display);
        let (id, method) = (&self.request_id, name_of(&self.method));
        let route = self.routes.as_ref().map_or("(none)", |routes| routes[0].path.as_str());
        let millis = micros as f64 / 1000.0;
        match cause {
            Some(cause) => tracing::error!(
                request_id = %id, method, route, status, millis, team, shipment, client, cause,
                "request failed"
            ),
            None => tracing::info!(
                request_id = %id, method, route, status, millis, team, shipment, client, "request"
            ),
        }
    }
}

/// What a method is called in metrics and in the log. Those that this API does not have are one:
/// strangers may invent as many as they like.
pub(super) fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
