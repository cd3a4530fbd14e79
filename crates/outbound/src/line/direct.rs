//! A connection to an address that was checked, without a proxy, which its user keeps.
//!
//! Every address that the name has is asked about, and one that may not be called refuses the name;
//! the connection is made to one that was asked about. It tells as a `Line` does whether a request
//! can have left, and carries one request after another.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use hyper::Request;
use hyper::http::uri::Authority;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use waybill_domain::endpoint::{Endpoint, Host};

use super::connect::{OpenError, prepare};
use super::error::SendError;
use super::pool::Idle;
use super::{Response, exchange};
use crate::Network;
use crate::trust::Trust;

/// An open connection. It is closed when this is dropped.
pub struct DirectLine {
    open: Idle,
    authority: Authority,
    peer: SocketAddr,
    key: Option<String>,
}

/// Why there is no connection. Nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum DirectError {
    /// One of the name's addresses may not be called.
    #[error("the address may not be called")]
    NotAllowed,
    /// The name has no address.
    #[error("the name has no address")]
    UnknownName,
    /// No address of it took a connection.
    #[error("there is no connection: {0}")]
    NoConnection(io::Error),
    /// It took too long.
    #[error("there is no connection in time")]
    TooSlow,
    /// The other side could not prove who it is.
    #[error("TLS failed: {0}")]
    Tls(io::Error),
    /// Nobody vouches for it, and its key is not the one that it had.
    #[error("the certificate changed")]
    OtherKey,
}

impl DirectLine {
    /// Opens a connection within this time, if every address of the endpoint may be called.
    pub async fn dial(
        network: &Network,
        (endpoint, trust): (&Endpoint, &Trust),
        may_call: impl Fn(IpAddr) -> bool,
        time_max: Duration,
    ) -> Result<DirectLine, DirectError> {
        let until = Instant::now() + time_max;
        let opening = async {
            let addresses = resolve(network, endpoint).await?;
            if !addresses.iter().all(|address| may_call(*address)) {
                return Err(DirectError::NotAllowed);
            }
            open(network, (endpoint, trust), &addresses, until).await
        };
        timeout_at(until, opening).await.unwrap_or(Err(DirectError::TooSlow))
    }

    /// The address to which it leads.
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// The hash of the key of the other side, when no authority vouches for it.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Whether a request can be written to it now.
    pub async fn is_ready(&mut self) -> bool {
        self.open.is_ready().await
    }

    /// The next request begins to leave before this moment or never does; then the outcome is
    /// `Unclear`, because the request cannot be had back.
    pub fn send_before(&mut self, until: Option<Instant>) {
        self.open.guard.set(until);
    }

    /// Sends the request, once, and reads the whole answer. The request's address is a path. After
    /// an error the connection is closed.
    pub async fn send(
        &mut self,
        request: Request<Bytes>,
        time_max: Duration,
        response_bytes_max: usize,
    ) -> Result<Response, SendError> {
        let until = Instant::now() + time_max;
        let open = &mut self.open;
        let answer = exchange(open, request, &self.authority, until, response_bytes_max).await;
        if answer.is_err() {
            self.open.close();
        }
        answer
    }
}

async fn resolve(network: &Network, endpoint: &Endpoint) -> Result<Vec<IpAddr>, DirectError> {
    let found = match &endpoint.host {
        Host::Address(address) => vec![*address],
        Host::Name(name) => {
            network.resolver.resolve(name).await.map_err(|_| DirectError::UnknownName)?
        }
    };
    if found.is_empty() { Err(DirectError::UnknownName) } else { Ok(found) }
}

/// Tries one address after another. None may use up the time of those behind it.
async fn open(
    network: &Network,
    (endpoint, trust): (&Endpoint, &Trust),
    addresses: &[IpAddr],
    until: Instant,
) -> Result<DirectLine, DirectError> {
    let mut last = DirectError::UnknownName;
    for (tried, address) in addresses.iter().enumerate() {
        let behind = u32::try_from(addresses.len() - tried).unwrap_or(u32::MAX);
        let peer = SocketAddr::new(*address, endpoint.port);
        let share = until.saturating_duration_since(Instant::now()) / behind;
        match timeout(share, TcpStream::connect(peer)).await {
            Ok(Ok(stream)) => return start(network, (endpoint, trust), peer, stream).await,
            Ok(Err(error)) => last = DirectError::NoConnection(error),
            Err(_) => last = DirectError::TooSlow,
        }
    }
    Err(last)
}

async fn start(
    network: &Network,
    (endpoint, trust): (&Endpoint, &Trust),
    peer: SocketAddr,
    stream: TcpStream,
) -> Result<DirectLine, DirectError> {
    let host = match &endpoint.host {
        Host::Name(name) => name.clone(),
        Host::Address(address) => address.to_string(),
    };
    let (tls, key) =
        network.tls_trusting(trust).map_err(|error| DirectError::Tls(io::Error::other(error)))?;
    let tls = endpoint.is_https.then_some((&tls, host.as_str()));
    let open = prepare(stream, tls).await.map_err(|error| match error {
        OpenError::Socket(error) => DirectError::NoConnection(error),
        OpenError::Tls(_) if is_other(trust, key.get()) => DirectError::OtherKey,
        OpenError::Tls(error) => DirectError::Tls(error),
        OpenError::Broken(error) => DirectError::NoConnection(io::Error::other(error)),
    })?;
    let authority = endpoint.authority.parse().map_err(|_| DirectError::UnknownName)?;
    Ok(DirectLine { open, authority, peer, key: key.get().cloned() })
}

/// Whether a key was seen that is not the one which is believed.
fn is_other(trust: &Trust, seen: Option<&String>) -> bool {
    matches!((trust, seen), (Trust::Key(known), Some(seen)) if known != seen)
}
