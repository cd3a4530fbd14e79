//! Connections that wait for their next request.

use std::collections::HashMap;
use std::io::{Error, ErrorKind};
use std::net::Shutdown;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::http::uri::{Authority, Scheme};
use tokio::time::{Instant, sleep, timeout};

use super::guard::Guard;
use super::sender::Sender;

/// An idle connection is not used again after this: servers close theirs sooner or later, and a
/// request that meets the closing is `Unclear`.
const IDLE_TIME_MAX: Duration = Duration::from_secs(15);
/// So many idle connections are kept for each server.
const IDLE_MAX: usize = 128;
/// A kept connection that is not free again in this time is left alone.
const READY_TIME_MAX: Duration = Duration::from_millis(100);
/// How long a connection may have bytes that nobody has read yet.
const UNREAD_PAUSE: Duration = Duration::from_millis(2);

/// A connection that carries nothing now.
pub(super) struct Idle {
    pub sender: Sender,
    /// The same socket, to ask the system whether the other side has closed it: hyper's own task
    /// may not have been told yet.
    pub socket: std::net::TcpStream,
    /// Says how late a request may begin to leave.
    pub guard: Guard,
    /// When it last carried something.
    pub since: Instant,
}

impl Idle {
    /// Waits until a request can be written to it. False when it is closed, or something came that
    /// nobody asked for.
    ///
    /// With TLS the other side may send tickets for later sessions at any time, and with HTTP/2
    /// settings and pings: those are read by the connection's own task, and are gone a moment
    /// later.
    pub async fn is_ready(&mut self) -> bool {
        let reading = async {
            loop {
                if self.sender.ready().await.is_err() {
                    return false;
                }
                match self.socket.peek(&mut [0]) {
                    Err(error) => return is_silent(&error),
                    Ok(0) => return false,
                    Ok(_) => sleep(UNREAD_PAUSE).await,
                }
            }
        };
        timeout(READY_TIME_MAX, reading).await.unwrap_or(false)
    }

    /// Ends the connection at once, whatever is still under way on it.
    pub fn close(&self) {
        // It may be closed already.
        let _closed = self.socket.shutdown(Shutdown::Both);
    }

    fn is_fresh(&self) -> bool {
        !self.sender.is_closed() && self.since.elapsed() < IDLE_TIME_MAX
    }
}

fn is_silent(error: &Error) -> bool {
    error.kind() == ErrorKind::WouldBlock
}

/// Idle connections, by whom they lead to.
#[derive(Default)]
pub(super) struct Pool(Mutex<HashMap<Server, Vec<Idle>>>);

/// Whom a connection leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Server {
    pub scheme: Option<Scheme>,
    pub authority: Authority,
}

impl Pool {
    fn lock(&self) -> MutexGuard<'_, HashMap<Server, Vec<Idle>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection that was used last: it is the least likely to have been closed.
    pub fn take(&self, server: &Server) -> Option<Idle> {
        let mut all = self.lock();
        let kept = all.get_mut(server)?;
        std::iter::from_fn(|| kept.pop()).find(Idle::is_fresh)
    }

    pub fn keep(&self, server: &Server, idle: Idle) {
        let mut all = self.lock();
        let kept = all.entry(server.clone()).or_default();
        kept.retain(Idle::is_fresh);
        if kept.len() < IDLE_MAX && idle.is_fresh() {
            kept.push(idle);
        }
    }
}
