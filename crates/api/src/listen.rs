//! The accept loop: connection caps, time-outs for those who send nothing or too slowly, and a
//! drain that lets requests under way finish.

mod frames;
mod heads;
mod idle_timeout;
mod outgoing;
mod slots;
mod watched;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Request, Response, StatusCode, Version, header};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;
use waybill_domain::ids::IdSource;
use waybill_engine::app::App;

use crate::dispatch::Peer;
use crate::open_files::{connections_max, lingering_max};
use crate::taken::{Untaken, WhenTaken};
use idle_timeout::IdleTimeoutStream;
use outgoing::{Outgoing, Streams};
use slots::{ConnectionSlot, ConnectionSlots, Refused};
use watched::Watched;

/// Open connections from one address, or one network of IPv6.
const PER_ADDRESS_MAX: usize = 2048;
/// Requests under way on one connection of HTTP/2.
const STREAMS_MAX: u32 = 100;
/// Bytes of a body that a peer of HTTP/2 may send before they are read.
const STREAM_WINDOW: u32 = 64 * 1024;
/// Bytes of one answer that the library may hold, besides what we hold ourselves.
const SEND_BUFFER_MAX: usize = 64 * 1024;
/// How long a connection that made room for another one is kept open.
const LINGER: Duration = Duration::from_secs(1);
/// The largest head.
const HEAD_MAX: usize = 64 * 1024;

/// How long we wait for others.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// A head must be complete within this time.
    pub head: Duration,
    /// A connection on which nothing moves for this long is closed. Requests that wait for a
    /// booking take less.
    pub quiet: Duration,
    /// Requests under way get this long to finish when the server stops.
    pub drain: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        let seconds = Duration::from_secs;
        Timeouts { head: seconds(10), quiet: seconds(30), drain: seconds(20) }
    }
}

/// Serves connections until `stop` is done, then lets the requests under way finish.
pub fn serve(
    app: App,
    router: Router,
    listener: TcpListener,
    timeouts: Timeouts,
    stop: impl Future + Send + 'static,
) -> BoxFuture<'static, ()> {
    boxed(app, router, listener, timeouts, Box::pin(async move { drop(stop.await) }))
}

/// Boxed here, because a future is compiled once more in each crate that waits for it.
fn boxed(
    app: App,
    router: Router,
    listener: TcpListener,
    timeouts: Timeouts,
    stop: BoxFuture<'static, ()>,
) -> BoxFuture<'static, ()> {
    Box::pin(accept_all(app, router, listener, timeouts, stop))
}

async fn accept_all(
    app: App,
    router: Router,
    listener: TcpListener,
    timeouts: Timeouts,
    mut stop: BoxFuture<'static, ()>,
) {
    let slots = ConnectionSlots::new(connections_max(), PER_ADDRESS_MAX);
    let server = Arc::new(Server {
        ids: app.ids().clone(),
        router,
        builder: builder(timeouts),
        quiet: timeouts.quiet,
        lingering: Semaphore::new(lingering_max()),
        graceful: Mutex::new(Some(GracefulShutdown::new())),
    });
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &slots) => accepted,
            () = &mut stop => break,
        };
        let Some((stream, peer, slot)) = accepted else { continue };
        tokio::spawn(Arc::clone(&server).hold(stream, peer, slot));
    }
    drop(listener);
    let graceful = server.graceful().take();
    slots.close_silent();
    let Some(graceful) = graceful else { return };
    if tokio::time::timeout(timeouts.drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time and were cut off");
    }
}

/// What all connections share.
struct Server {
    ids: Arc<dyn IdSource>,
    router: Router,
    builder: auto::Builder<Streams>,
    quiet: Duration,
    /// How many more may be kept open for a moment.
    lingering: Semaphore,
    /// Nothing once the server stops.
    graceful: Mutex<Option<GracefulShutdown>>,
}

impl Server {
    fn graceful(&self) -> MutexGuard<'_, Option<GracefulShutdown>> {
        self.graceful.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds a connection to its end. Those who hold many to keep others out send nothing, so one
    /// that has sent nothing is a socket, a timer and a small task.
    async fn hold(self: Arc<Server>, stream: TcpStream, peer: SocketAddr, slot: ConnectionSlot) {
        let usage = slot.usage();
        let mut first = [0];
        let has_spoken = tokio::select! {
            peeked = stream.peek(&mut first) => peeked.is_ok_and(|bytes| bytes > 0),
            () = tokio::time::sleep(self.quiet) => false,
            () = usage.closed() => {
                self.linger(&stream).await;
                false
            }
        };
        if !has_spoken {
            return;
        }
        usage.speak();
        // Boxed, because it is large.
        let Some(connection) = self.connection(stream, peer, &slot).map(Box::pin) else { return };
        tokio::select! {
            () = connection => {}
            () = usage.closed() => {}
        }
        drop(slot);
    }

    /// Keeps a connection that made room for another one open for a moment. Whoever comes back as
    /// soon as it is sent away would else be sent away ten thousand times a second.
    async fn linger(&self, stream: &TcpStream) {
        let Ok(_one) = self.lingering.try_acquire() else { return };
        let _either = tokio::time::timeout(LINGER, stream.peek(&mut [0])).await;
    }

    /// Answers what comes; nothing when the server stops.
    fn connection(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        slot: &ConnectionSlot,
    ) -> Option<impl Future<Output = ()> + use<>> {
        let watcher = self.graceful().as_ref().map(GracefulShutdown::watcher)?;
        let (router, requests) = (self.router.clone(), slot.usage());
        let untaken = Untaken::default();
        let answers = untaken.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let (mut parts, body) = request.into_parts();
            parts.extensions.insert(Peer(peer.ip()));
            let (router, under_way) = (router.clone(), requests.begin());
            let answers = answers.clone();
            answers.note_request();
            async move {
                // Without it the connection ends in a moment.
                let Some(under_way) = under_way else { return std::future::pending().await };
                if !names_its_host(&parts) {
                    return Ok(not_http().map(|body| Outgoing::new(body, under_way)));
                }
                let answer = router.oneshot(Request::from_parts(parts, Body::new(body))).await;
                answer.map(|mut answer| {
                    let when_taken = answer.extensions_mut().remove::<WhenTaken>();
                    let answer = answer.map(|body| Outgoing::new(body, under_way));
                    match when_taken {
                        Some(act) => answer.map(|body| body.telling(act, answers)),
                        None => answer,
                    }
                })
            }
        });
        let stream = Watched::new(stream, untaken);
        let io = TokioIo::new(IdleTimeoutStream::new(stream, self.quiet, self.ids.clone()));
        let connection = self.builder.serve_connection_with_upgrades(io, service).into_owned();
        // A broken connection is the peer's affair; what it asked for is logged on its own.
        Some(watcher.watch(connection).map(drop))
    }
}

/// HTTP/1.1 wants one `Host`, which the library leaves to us.
fn names_its_host(parts: &Parts) -> bool {
    parts.version != Version::HTTP_11 || parts.headers.get_all(header::HOST).iter().count() == 1
}

/// What the library answers to bytes that are not a request; [`IdleTimeoutStream`] gives it a body
/// and an id.
fn not_http() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

fn builder(timeouts: Timeouts) -> auto::Builder<Streams> {
    let mut builder = auto::Builder::new(Streams { quiet: timeouts.quiet });
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.head)
        .max_buf_size(HEAD_MAX)
        .keep_alive(true);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Duration::from_secs(10))
        .keep_alive_timeout(Duration::from_secs(10))
        .max_concurrent_streams(STREAMS_MAX)
        // What is sent before anybody reads it is held in memory: a little of each request, and
        // none of them holds up the others.
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(STREAMS_MAX * STREAM_WINDOW)
        .max_send_buf_size(SEND_BUFFER_MAX)
        .max_header_list_size(HEAD_MAX as u32);
    builder
}

type Accepted = (TcpStream, SocketAddr, ConnectionSlot);

/// The next connection, once there is room for it.
async fn accept(listener: &TcpListener, slots: &ConnectionSlots) -> Option<Accepted> {
    let (stream, peer) = match listener.accept().await {
        Ok(accepted) => accepted,
        Err(error) => {
            // Out of files, mostly. Those in use come back.
            tracing::warn!(%error, "a connection could not be accepted");
            slots.make_room();
            tokio::time::sleep(Duration::from_millis(50)).await;
            return None;
        }
    };
    // Answers are small: waiting to fill a packet only delays them.
    let _ignored = stream.set_nodelay(true);
    loop {
        match slots.take(peer.ip()) {
            Ok(slot) => return Some((stream, peer, slot)),
            // One address that has very many requests under way gets no more.
            Err(Refused::Address) => return None,
            Err(Refused::All) => slots.freed().await,
        }
    }
}
