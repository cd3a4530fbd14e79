//! A connection to a carrier. A `Line` is open before it is handed out, so nothing but writing lies
//! between the decision to send and the bytes.
//!
//! An error says whether the request can have left: `NotSent` is given only when the request came
//! back unsent, or there was no connection to send it on. Everything else is `Unclear`, also an
//! answer that is too long or too late. Nothing is ever sent twice and no redirect is followed. The
//! other side chooses between HTTP/1.1 and, over TLS, HTTP/2; the promises are the same. Bodies,
//! queries and headers are never logged.

mod connect;
mod direct;
mod error;
mod frames;
mod guard;
mod pool;
mod sender;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::header::HeaderMap;
use hyper::http::uri::Authority;
use hyper::{Request, StatusCode, Uri};
use tokio::time::{Instant, timeout_at};
use waybill_domain::document::CARRIER_FILE_BYTES_MAX;

use crate::Network;
use crate::boxed::Boxed;
pub use connect::DialError;
pub use direct::{DirectError, DirectLine};
pub use error::SendError;
use pool::{Idle, Pool, Server};

const MIB: usize = 1024 * 1024;
/// A longer response counts as `Unclear`, unless the line was told to read more.
pub const RESPONSE_BYTES_MAX: usize = 2 * MIB;
/// Responses with labels in them.
pub const LABEL_BYTES_MAX: usize = CARRIER_FILE_BYTES_MAX;
/// Lists of service points.
pub const POINTS_BYTES_MAX: usize = 128 * MIB;

/// Opens lines, and keeps those that can be used again. Cheap to clone.
#[derive(Clone)]
pub struct Lines {
    network: Network,
    pool: Arc<Pool>,
}

/// An open connection over which one request can be sent at once. When it is dropped unused, or
/// its answer was read whole, the connection is kept for the next.
pub struct Line {
    /// There until it is used.
    open: Option<Idle>,
    server: Server,
    pool: Arc<Pool>,
    response_bytes_max: usize,
}

/// A whole answer.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Lines {
    /// Lines over this network.
    pub fn new(network: Network) -> Lines {
        Lines { network, pool: Arc::default() }
    }

    /// A line to the host of this address: one that is kept, or else a new one.
    pub async fn dial(&self, base: &Uri) -> Result<Line, DialError> {
        let authority = base.authority().ok_or(DialError::NoHost)?;
        if authority.as_str().contains('@') {
            return Err(DialError::HasUser);
        }
        let server = Server { scheme: base.scheme().cloned(), authority: authority.clone() };
        while let Some(mut idle) = self.pool.take(&server) {
            if idle.is_ready().await {
                return Ok(self.line(server, idle));
            }
        }
        let open = connect::connect(&self.network, base.scheme(), authority).await?;
        Ok(self.line(server, open))
    }

    fn line(&self, server: Server, open: Idle) -> Line {
        let (pool, response_bytes_max) = (Arc::clone(&self.pool), RESPONSE_BYTES_MAX);
        Line { open: Some(open), server, pool, response_bytes_max }
    }
}

impl Line {
    /// The first byte leaves within this time or never does; then the outcome is `Unclear`, because
    /// the request cannot be had back.
    pub fn send_within(self, time: Duration) -> Line {
        if let Some(open) = &self.open {
            open.guard.set(Some(Instant::now() + time));
        }
        self
    }

    /// Reads a response of up to so many bytes.
    pub fn reading_up_to(mut self, response_bytes_max: usize) -> Line {
        self.response_bytes_max = response_bytes_max;
        self
    }

    /// Sends the request, once, and reads the whole answer. The request's address is a path.
    pub async fn send(
        mut self,
        request: Request<Bytes>,
        time_max: Duration,
    ) -> Result<Response, SendError> {
        let started = Instant::now();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let result = self.send_once(request, started + time_max).await;
        let millis = started.elapsed().as_millis();
        let authority = self.server.authority.as_str();
        match &result {
            Ok(response) => {
                let status = response.status.as_u16();
                tracing::debug!(%method, authority, path, status, millis, "carrier answered");
            }
            Err(error) => {
                tracing::debug!(%method, authority, path, %error, millis, "carrier did not answer");
            }
        }
        result
    }

    async fn send_once(
        &mut self,
        request: Request<Bytes>,
        until: Instant,
    ) -> Result<Response, SendError> {
        let used = || SendError::NotSent("the line was used".to_owned());
        let mut open = self.open.take().ok_or_else(used)?;
        let (authority, bytes_max) = (&self.server.authority, self.response_bytes_max);
        let answer = exchange(&mut open, request, authority, until, bytes_max).await;
        match &answer {
            Ok(_) => self.pool.keep(&self.server, Idle { since: Instant::now(), ..open }),
            Err(_) => open.close(),
        }
        answer
    }
}

/// Sends a request over an open connection, once, and reads the whole answer.
fn exchange<'a>(
    open: &'a mut Idle,
    request: Request<Bytes>,
    authority: &'a Authority,
    until: Instant,
    response_bytes_max: usize,
) -> Boxed<'a, Result<Response, SendError>> {
    Box::pin(async move {
        let not_sent = |reason: &str| SendError::NotSent(reason.to_owned());
        let unclear = |reason: &dyn fmt::Display| SendError::Unclear(reason.to_string());
        match timeout_at(until, open.is_ready()).await {
            Ok(true) => {}
            Ok(false) => return Err(not_sent("the connection was closed before the request")),
            Err(_) => return Err(not_sent("the connection was not free in time")),
        }
        let sending = open.sender.send(request.map(Full::new), authority);
        let response = timeout_at(until, sending).await;
        let response = response.map_err(|_| unclear(&"no answer in time"))??;
        let (head, body) = response.into_parts();
        let body = timeout_at(until, Limited::new(body, response_bytes_max).collect()).await;
        let body = body.map_err(|_| unclear(&"the answer did not end in time"))?;
        let body = body.map_err(|error| unclear(&error))?.to_bytes();
        Ok(Response { status: head.status, headers: head.headers, body })
    })
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(unused) = self.open.take() {
            unused.guard.set(None);
            self.pool.keep(&self.server, unused);
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({})", self.server.authority)
    }
}
