//! The accept loop: connection caps, time-outs for those who send nothing or too slowly, and a
//! drain that lets requests under way finish.

mod heads;
mod outgoing;
mod polite;

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Request, Response, StatusCode, Version, header};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt;

use crate::api::shell::Peer;
use crate::app::App;
use crate::proxies::network;
use outgoing::{Outgoing, Streams};
use polite::Polite;

/// Open connections in all.
const CONNECTIONS_MAX: usize = 8192;
/// Open connections from one address, or one network of IPv6.
const PER_ADDRESS_MAX: usize = 2048;
/// Requests under way on one connection of HTTP/2.
const STREAMS_MAX: u32 = 100;
/// Bytes of one answer that the library may hold, besides what we hold ourselves.
const SEND_BUFFER_MAX: usize = 64 * 1024;
/// The largest head.
const HEAD_MAX: usize = 64 * 1024;

/// How long we wait for others.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// A head must be complete within this time.
    pub head: Duration,
    /// A connection on which nothing moves for this long is closed. Requests that wait for a
    /// booking take a third of it.
    pub quiet: Duration,
    /// Requests under way get this long to finish when the server stops.
    pub drain: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let seconds = Duration::from_secs;
        Patience { head: seconds(10), quiet: seconds(30), drain: seconds(20) }
    }
}

/// Serves connections until `stop` is done, then lets the requests under way finish.
pub async fn serve(
    app: App,
    router: Router,
    listener: TcpListener,
    patience: Patience,
    stop: impl Future,
) {
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let per_address = PerAddress::default();
    let builder = builder(patience);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &room) => accepted,
            _ = &mut stop => break,
        };
        let Some((stream, peer, permit)) = accepted else { continue };
        // One address that holds very many connections gets no more, at no cost to the others.
        let Some(seat) = per_address.take(peer.ip()) else { continue };
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let (mut parts, body) = request.into_parts();
            parts.extensions.insert(Peer(peer.ip()));
            let router = router.clone();
            async move {
                if !names_its_host(&parts) {
                    return Ok(not_http().map(Outgoing::new));
                }
                let answer = router.oneshot(Request::from_parts(parts, Body::new(body))).await;
                answer.map(|answer| answer.map(Outgoing::new))
            }
        });
        let io = TokioIo::new(Polite::new(stream, patience.quiet, app.ids.clone()));
        let connection = builder.serve_connection_with_upgrades(io, service).into_owned();
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A broken connection is the peer's affair; what it asked for is logged on its own.
            let _ended = connection.await;
            drop((permit, seat));
        });
    }
    drop(listener);
    if tokio::time::timeout(patience.drain, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests did not finish in time and were cut off");
    }
}

/// HTTP/1.1 wants one `Host`, which the library leaves to us.
fn names_its_host(parts: &Parts) -> bool {
    parts.version != Version::HTTP_11 || parts.headers.get_all(header::HOST).iter().count() == 1
}

/// What the library answers to bytes that are no request; [`Polite`] gives it a body and an id.
fn not_http() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

fn builder(patience: Patience) -> auto::Builder<Streams> {
    let mut builder = auto::Builder::new(Streams { quiet: patience.quiet });
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .max_buf_size(HEAD_MAX)
        .keep_alive(true);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Duration::from_secs(10))
        .keep_alive_timeout(Duration::from_secs(10))
        .max_concurrent_streams(STREAMS_MAX)
        .max_send_buf_size(SEND_BUFFER_MAX)
        .max_header_list_size(HEAD_MAX as u32);
    builder
}

type Accepted = (TcpStream, SocketAddr, OwnedSemaphorePermit);

/// The next connection, once there is room for it.
async fn accept(listener: &TcpListener, room: &Arc<Semaphore>) -> Option<Accepted> {
    let permit = room.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Answers are small: waiting to fill a packet only delays them.
            let _ignored = stream.set_nodelay(true);
            Some((stream, peer, permit))
        }
        Err(error) => {
            // Out of file descriptors, mostly. Those in use come back.
            tracing::warn!(%error, "a connection could not be accepted");
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
    }
}

/// How many connections each address holds.
#[derive(Clone, Default)]
struct PerAddress(Arc<Mutex<HashMap<IpAddr, usize>>>);

struct Seat(PerAddress, IpAddr);

impl PerAddress {
    fn take(&self, address: IpAddr) -> Option<Seat> {
        let address = network(address);
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(address).or_insert(0);
        if *count >= PER_ADDRESS_MAX {
            return None;
        }
        *count += 1;
        Some(Seat(self.clone(), address))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut held = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.1) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_its_seats_back() {
        let per_address = PerAddress::default();
        let address = IpAddr::from([127, 0, 0, 1]);
        let seats: Vec<Seat> =
            (0..PER_ADDRESS_MAX).filter_map(|_| per_address.take(address)).collect();
        assert!(per_address.take(address).is_none());
        assert!(per_address.take(IpAddr::from([127, 0, 0, 2])).is_some());
        drop(seats);
        assert!(per_address.take(address).is_some());
    }

    #[test]
    fn a_network_of_ipv6_has_the_seats_of_one_address() {
        let per_address = PerAddress::default();
        let address = |last: u16| IpAddr::from([0x2001, 0xdb8, 0, 7, 0, 0, 0, last]);
        let numbers = 0..u16::try_from(PER_ADDRESS_MAX).unwrap();
        let seats: Vec<Seat> = numbers.filter_map(|n| per_address.take(address(n))).collect();
        assert_eq!(seats.len(), PER_ADDRESS_MAX);
        assert!(per_address.take(address(9999)).is_none());
        assert!(per_address.take("2001:db8:0:8::1".parse().unwrap()).is_some());
        assert!(per_address.take("::ffff:127.0.0.1".parse().unwrap()).is_some());
    }
}
