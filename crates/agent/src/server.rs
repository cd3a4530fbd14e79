//! Calls of an agent to its server. Every address is built from the server's own, whatever an
//! answer says.

use std::time::Duration;

use bytes::Bytes;
use hyper::header::{ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, DATE, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request};
use jiff::fmt::rfc2822::DateTimeParser;
use waybill_domain::json::Json;
use waybill_domain::secret::Secret;
use waybill_domain::time::Time;
use waybill_outbound::line::Response;
use waybill_outbound::{Lines, Network};

use crate::options::ServerUrl;
use crate::protocol;

/// A call that waits for nothing is answered in this time.
pub const CALL_TIME_MAX: Duration = Duration::from_secs(20);
/// The longest answer beside a file.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// A server does not keep an agent waiting for longer than this.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(60);

/// Why a call was not answered well.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CallError {
    /// The server does not know the agent, or not by this token.
    #[error("the server does not know this agent")]
    Unknown,
    /// What is asked for contradicts what the server has.
    #[error("{0}")]
    Conflict(String),
    /// The server refuses it.
    #[error("status {status}: {message}")]
    Refused {
        /// The status.
        status: u16,
        /// What it says.
        message: String,
    },
    /// There is no answer now; there may be one later.
    #[error("{why}")]
    NoAnswer {
        /// Why.
        why: String,
        /// When the server wants to be asked again.
        after: Option<Duration>,
    },
}

/// A server, as it is called.
pub struct Server {
    lines: Lines,
    url: ServerUrl,
    token: Option<Secret<String>>,
}

/// What is asked for.
pub struct Call<'a> {
    /// How.
    pub method: Method,
    /// The path below the server's own.
    pub path: &'a str,
    /// The body, if there is one.
    pub body: Option<Json>,
    /// The answer comes within this time.
    pub time_max: Duration,
    /// It is not longer than this.
    pub bytes_max: usize,
}

impl<'a> Call<'a> {
    /// A call with a body, answered at once.
    pub fn new(method: Method, path: &'a str, body: Json) -> Call<'a> {
        let (time_max, bytes_max) = (CALL_TIME_MAX, ANSWER_BYTES_MAX);
        Call { method, path, body: Some(body), time_max, bytes_max }
    }
}

impl Server {
    /// The server at this address, called with this token.
    pub fn new(network: Network, url: ServerUrl, token: Option<Secret<String>>) -> Server {
        Server { lines: Lines::new(network), url, token }
    }

    /// Calls, once.
    pub async fn call(&self, call: Call<'_>) -> Result<Response, CallError> {
        let no_answer = |why: String| CallError::NoAnswer { why, after: None };
        let path = format!("{}{}", self.url.prefix, call.path);
        let mut request = Request::builder()
            .method(call.method)
            .uri(path)
            .header(USER_AGENT, concat!("waybill-agent/", env!("CARGO_PKG_VERSION")))
            .header(ACCEPT_LANGUAGE, "en");
        if let Some(token) = &self.token {
            request = request.header(AUTHORIZATION, format!("Bearer {}", token.expose()));
        }
        if call.body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let body = call.body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        let request = request.body(body).map_err(|error| no_answer(error.to_string()))?;
        let line = self.lines.dial(&self.url.base).await;
        let line = line.map_err(|error| no_answer(error.to_string()))?;
        let sent = line.reading_up_to(call.bytes_max).send(request, call.time_max).await;
        check(sent.map_err(|error| no_answer(error.to_string()))?)
    }
}

fn check(response: Response) -> Result<Response, CallError> {
    let status = response.status.as_u16();
    let complaint = || protocol::read_complaint(&response.body);
    Err(match status {
        200..=299 => return Ok(response),
        401 | 404 => CallError::Unknown,
        409 => CallError::Conflict(complaint()),
        408 | 429 | 500.. => {
            let after = response.headers.get(RETRY_AFTER).and_then(|after| after.to_str().ok());
            let after = after.and_then(|after| after.parse().ok()).map(Duration::from_secs);
            let why = format!("the server answers {status} {}", complaint()).trim_end().to_owned();
            CallError::NoAnswer { why, after: after.map(|after| after.min(RETRY_AFTER_MAX)) }
        }
        _ => CallError::Refused { status, message: complaint() },
    })
}

/// An answer that is not what it should be.
pub fn not_understood() -> CallError {
    let why = "the answer is not that of a Waybill server of this version".to_owned();
    CallError::NoAnswer { why, after: None }
}

/// When an answer was made, by the clock of who made it.
pub fn made_at(response: &Response) -> Option<Time> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    let date = response.headers.get(DATE)?.to_str().ok()?;
    Some(Time(PARSER.parse_timestamp(date).ok()?.as_microsecond()))
}
