//! The outgoing connection. A `Line` is open before it is handed out, so nothing but writing lies
//! between the decision to send and the bytes.
//!
//! An error says whether the request can have left: `NotSent` is given only when the request came
//! back unsent, or there was no connection to send it on. Everything else is `Unclear`, also an
//! answer that is too long or too late. Nothing is ever sent twice and no redirect is followed.
//! Bodies, queries and headers are never logged.

mod guard;

use std::collections::HashMap;
use std::fmt;
use std::io::{Error, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use guard::{Guard, Guarded};
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{HOST, HeaderMap, HeaderValue};
use hyper::http::uri::{Authority, Scheme};
use hyper::{Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpStream, lookup_host};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

/// A longer answer than this is no answer.
pub const REPLY_BYTES_MAX: usize = 2 * 1024 * 1024;
/// A connection that does not open in this time is given up.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);
/// An idle connection is not used again after this: servers close theirs sooner or later, and a
/// request that meets the closing is `Unclear`.
const IDLE_TIME_MAX: Duration = Duration::from_secs(15);
/// So many idle connections are kept for each authority.
const IDLE_MAX: usize = 128;
/// A kept connection that is not free again in this time is left alone.
const READY_TIME_MAX: Duration = Duration::from_millis(100);

/// So many threads at once wait for the addresses of a carrier's name: the rest of them draws.
const LOOK_UPS_MAX: usize = 4;

type Sender = SendRequest<Full<Bytes>>;

/// Opens lines, and keeps those that can be used again.
#[derive(Clone)]
pub struct Lines {
    idle: Arc<Idle>,
    look_ups: Arc<Semaphore>,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines { idle: Arc::default(), look_ups: Arc::new(Semaphore::new(LOOK_UPS_MAX)) }
    }
}

/// Connections that wait for their next request.
#[derive(Default)]
struct Idle {
    by_authority: Mutex<HashMap<Authority, Vec<Waiting>>>,
}

struct Waiting {
    sender: Sender,
    /// The same socket, to ask the system whether the other side has closed it: hyper's own task
    /// may not have been told yet.
    socket: std::net::TcpStream,
    /// Says how late a request may begin to leave.
    guard: Guard,
    /// When it last carried something.
    since: Instant,
}

impl Waiting {
    /// Whether a request can be written to it: it is open, and nothing came that nobody asked for.
    fn is_open(&self) -> bool {
        let is_silent = |error: Error| error.kind() == ErrorKind::WouldBlock;
        !self.sender.is_closed() && self.socket.peek(&mut [0]).is_err_and(is_silent)
    }

    fn is_fresh(&self) -> bool {
        !self.sender.is_closed() && self.since.elapsed() < IDLE_TIME_MAX
    }
}

/// An open connection over which one request can be sent at once. When it is dropped unused, or
/// its answer was read whole, the connection is kept for the next.
pub struct Line {
    /// There until it is used.
    open: Option<Waiting>,
    authority: Authority,
    idle: Arc<Idle>,
}

/// A whole answer.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, at most `REPLY_BYTES_MAX` long.
    pub body: Bytes,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SendError {
    /// Not a byte of the request left.
    NotSent(String),
    /// The request may have arrived, and may have been acted on.
    Unclear(String),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::NotSent(words) => write!(f, "not sent: {words}"),
            SendError::Unclear(words) => write!(f, "no usable answer: {words}"),
        }
    }
}

impl Lines {
    /// A line to the host of this address: one that is kept, or else a new one.
    pub async fn dial(&self, base: &Uri) -> Result<Line, String> {
        let authority = base.authority().ok_or("the address has no host")?;
        if authority.as_str().contains('@') {
            // It would be seen in traces, and sent to nobody.
            return Err("the address has a user in it".to_owned());
        }
        let line = |open| Line {
            open: Some(open),
            authority: authority.clone(),
            idle: Arc::clone(&self.idle),
        };
        while let Some(mut waiting) = self.idle.take(authority) {
            if let Ok(Ok(())) = timeout(READY_TIME_MAX, waiting.sender.ready()).await {
                return Ok(line(waiting));
            }
        }
        connect(&self.look_ups, base.scheme(), authority).await.map(line)
    }
}

/// Opens a connection. The sender does not know what carries it, so that another scheme is another
/// arm here and nothing else.
async fn connect(
    look_ups: &Arc<Semaphore>,
    scheme: Option<&Scheme>,
    authority: &Authority,
) -> Result<Waiting, String> {
    if scheme != Some(&Scheme::HTTP) {
        return Err(format!("{authority}: only http:// addresses can be called"));
    }
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let port = authority.port_u16().unwrap_or(80);
    let failed = |error: &dyn fmt::Display| format!("{authority}: {error}");
    let opening = async {
        let addresses = resolve(look_ups, host, port).await?;
        TcpStream::connect(addresses.as_slice()).await
    };
    let stream = timeout(CONNECT_TIME_MAX, opening).await;
    let stream = stream.map_err(|_| failed(&"no connection in time"))?;
    let stream = stream.map_err(|error| failed(&error))?;
    stream.set_nodelay(true).map_err(|error| failed(&error))?;
    let socket = stream.as_fd().try_clone_to_owned().map_err(|error| failed(&error))?;
    let guard = Guard::default();
    let stream = TokioIo::new(Guarded { stream, guard: guard.clone() });
    let (sender, connection) = handshake(stream).await.map_err(|error| failed(&error))?;
    // It ends when the sender is dropped or the other side closes; its error reaches the sender.
    tokio::spawn(connection);
    Ok(Waiting { sender, socket: socket.into(), guard, since: Instant::now() })
}

/// The addresses of a host. A look-up that nobody waits for any more still has its thread, so it
/// keeps its permit until it ends.
async fn resolve(
    look_ups: &Arc<Semaphore>,
    host: &str,
    port: u16,
) -> Result<Vec<SocketAddr>, Error> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let permit = Arc::clone(look_ups).acquire_owned().await.map_err(Error::other)?;
    let host = host.to_owned();
    let looking = tokio::spawn(async move {
        let found = lookup_host((host, port)).await.map(Iterator::collect);
        drop(permit);
        found
    });
    looking.await.map_err(Error::other)?
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

    /// Sends the request, once, and reads the whole answer. The request's address is a path.
    pub async fn send(
        mut self,
        request: Request<Bytes>,
        time_max: Duration,
    ) -> Result<Response, SendError> {
        let started = Instant::now();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let result = self.exchange(request, started + time_max).await;
        let millis = started.elapsed().as_millis();
        let authority = self.authority.as_str();
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

    async fn exchange(
        &mut self,
        request: Request<Bytes>,
        until: Instant,
    ) -> Result<Response, SendError> {
        let not_sent = |words: &str| SendError::NotSent(words.to_owned());
        let unclear = |words: &dyn fmt::Display| SendError::Unclear(words.to_string());
        let mut request = request.map(Full::new);
        let host = HeaderValue::from_str(self.authority.as_str());
        let host = host.map_err(|_| not_sent("the host cannot be written in a header"))?;
        request.headers_mut().insert(HOST, host);
        let mut open = self.open.take().ok_or_else(|| not_sent("the line was used"))?;
        match timeout_at(until, open.sender.ready()).await {
            Ok(Ok(())) if open.is_open() => {}
            Ok(_) => return Err(not_sent("the connection was closed before the request")),
            Err(_) => return Err(not_sent("the connection was not free in time")),
        }
        let answer = timeout_at(until, open.sender.try_send_request(request)).await;
        let response = match answer.map_err(|_| unclear(&"no answer in time"))? {
            Ok(response) => response,
            Err(mut error) => {
                // hyper gives the request back only when it did not begin to write it.
                let is_unsent = error.take_message().is_some();
                let words = error.into_error().to_string();
                return Err(if is_unsent { not_sent(&words) } else { unclear(&words) });
            }
        };
        let (head, body) = response.into_parts();
        let body = timeout_at(until, Limited::new(body, REPLY_BYTES_MAX).collect()).await;
        let body = body.map_err(|_| unclear(&"the answer did not end in time"))?;
        let body = body.map_err(|error| unclear(&error))?.to_bytes();
        self.idle.keep(&self.authority, Waiting { since: Instant::now(), ..open });
        Ok(Response { status: head.status, headers: head.headers, body })
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(unused) = self.open.take() {
            unused.guard.set(None);
            self.idle.keep(&self.authority, unused);
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({})", self.authority)
    }
}

impl Idle {
    fn lock(&self) -> MutexGuard<'_, HashMap<Authority, Vec<Waiting>>> {
        self.by_authority.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection that was used last: it is the least likely to have been closed.
    fn take(&self, authority: &Authority) -> Option<Waiting> {
        let mut all = self.lock();
        let kept = all.get_mut(authority)?;
        while let Some(waiting) = kept.pop() {
            if waiting.is_fresh() && waiting.is_open() {
                return Some(waiting);
            }
        }
        None
    }

    fn keep(&self, authority: &Authority, waiting: Waiting) {
        let mut all = self.lock();
        let kept = all.entry(authority.clone()).or_default();
        kept.retain(Waiting::is_fresh);
        if kept.len() < IDLE_MAX && waiting.is_fresh() {
            kept.push(waiting);
        }
    }
}
