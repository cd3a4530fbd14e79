//! Attempts to one receiver, one after another or side by side. A connection whose answer was read
//! whole carries the next request, if its address is still one of the name's.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::{HeaderMap, RETRY_AFTER};
use hyper::{Method, Response};
use tokio::time::{Instant, timeout};
use waybill_domain::endpoint::Endpoint;
use waybill_domain::webhook::ATTEMPT_MAX;

use crate::connection::{Connection, Unanswered, request};
use crate::public::{Failure, Outbound};

/// No more of an answer is read.
pub const REPLY_BYTES_MAX: usize = 16 * 1024;

/// The beginning of an answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its `Retry-After`.
    pub retry_after: Option<String>,
    /// Its body, as far as it was read.
    pub body: Bytes,
}

/// A series of attempts.
pub struct Conversation {
    outbound: Outbound,
    idle: Mutex<Vec<Connection>>,
}

impl Outbound {
    /// A series of attempts that may share connections.
    pub fn converse(&self) -> Conversation {
        Conversation { outbound: self.clone(), idle: Mutex::default() }
    }
}

impl Conversation {
    /// Posts the body once, and tells how long that took.
    pub async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> (Result<Answer, Failure>, Duration) {
        let started = Instant::now();
        let attempt = timeout(ATTEMPT_MAX, self.attempt(url, headers, body)).await;
        (attempt.unwrap_or(Err(Failure::TooSlow)), started.elapsed())
    }

    async fn attempt(&self, url: &str, headers: HeaderMap, body: Bytes) -> Result<Answer, Failure> {
        let endpoint = Endpoint::parse(url).ok_or(Failure::NotAllowed)?;
        let addresses = self.outbound.addresses(&endpoint).await?;
        let request = request(Method::POST, &endpoint, headers, body)?;
        if let Some(mut kept) = self.take(&endpoint, &addresses)
            && kept.is_ready().await
        {
            match kept.send(request.clone()).await {
                Ok(response) => return self.read(kept, response).await,
                Err(Unanswered::Lost) => return Err(Failure::Broken),
                // It was closed while it rested: a fresh one carries the request.
                Err(Unanswered::Unsent) => {}
            }
        }
        let network = self.outbound.network();
        let mut fresh = Connection::to(network, &endpoint, &addresses).await?;
        let response = fresh.send(request).await.map_err(|_| Failure::Broken)?;
        self.read(fresh, response).await
    }

    /// A connection that rests, to an address that was just checked.
    fn take(&self, endpoint: &Endpoint, addresses: &[SocketAddr]) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(Connection::is_open);
        let place = idle.iter().position(|kept| kept.fits(endpoint, addresses))?;
        Some(idle.swap_remove(place))
    }

    async fn read(
        &self,
        connection: Connection,
        response: Response<Incoming>,
    ) -> Result<Answer, Failure> {
        let (parts, mut body) = response.into_parts();
        let mut read = BytesMut::new();
        let mut is_whole = false;
        while !is_whole && read.len() < REPLY_BYTES_MAX {
            match body.frame().await {
                None => is_whole = true,
                Some(Err(_)) => return Err(Failure::Broken),
                Some(Ok(frame)) => {
                    let data = frame.into_data().unwrap_or_default();
                    let room = REPLY_BYTES_MAX - read.len();
                    read.extend_from_slice(&data[..data.len().min(room)]);
                }
            }
        }
        if is_whole {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        let retry_after = parts.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        Ok(Answer {
            status: parts.status.as_u16(),
            retry_after: retry_after.map(str::to_owned),
            body: read.freeze(),
        })
    }
}
