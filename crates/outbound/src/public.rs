//! Sends to addresses that others gave us, and to nothing else that they might have meant.
//!
//! On every attempt the name is resolved, or was moments ago, every address it has is checked, and
//! the connection is made to one that was checked: a name that changes its mind in between changes
//! nothing. One address that is not public refuses the name. A proxy is asked for the address that
//! was checked. No redirect is followed, and a delivery ends after 15 seconds and 16 KiB, whatever
//! the other side does.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::timeout;
use waybill_domain::endpoint::{Endpoint, Host, Refusal, is_public};
use waybill_domain::words::Message;

use crate::Network;

/// How long a new address may take to resolve before it is taken on trust: each attempt checks it
/// again.
const CHECK_TIME_MAX: Duration = Duration::from_secs(2);

/// The way out. Cheap to clone.
#[derive(Clone)]
pub struct Outbound {
    network: Network,
    is_private_allowed: bool,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The address is one that we do not call. Nothing was sent.
    NotAllowed,
    /// The name has no address. Nothing was sent.
    NoAddress,
    /// No address of it took a connection. Nothing was sent.
    NoConnection,
    /// The other side could not prove who it is. Nothing was sent.
    NoTls,
    /// It took longer than an attempt may.
    TooSlow,
    /// The connection broke, or what came was not HTTP.
    Broken,
}

impl Failure {
    const ALL: [Failure; 6] = [
        Failure::NotAllowed,
        Failure::NoAddress,
        Failure::NoConnection,
        Failure::NoTls,
        Failure::TooSlow,
        Failure::Broken,
    ];

    /// The name in the database, which is also the sentence for people.
    pub fn name(self) -> &'static str {
        match self {
            Failure::NotAllowed => "attempt-not-allowed",
            Failure::NoAddress => "attempt-no-address",
            Failure::NoConnection => "attempt-no-connection",
            Failure::NoTls => "attempt-no-tls",
            Failure::TooSlow => "attempt-too-slow",
            Failure::Broken => "attempt-broken",
        }
    }

    /// The sentence for a stored name.
    pub fn explain(name: &str) -> Option<Message> {
        let found = Failure::ALL.into_iter().find(|failure| failure.name() == name);
        found.map(|failure| Message::new(failure.name()))
    }
}

impl Outbound {
    /// `is_private_allowed` lifts every rule about addresses, for local use.
    pub fn new(network: Network, is_private_allowed: bool) -> Outbound {
        Outbound { network, is_private_allowed }
    }

    /// What this shares with other ways out.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Whether an address may be given to us. A name that does not resolve yet may: it is asked
    /// again before anything is sent.
    pub async fn check(&self, url: &str) -> Result<(), Refusal> {
        let endpoint = Endpoint::parse(url).ok_or(Refusal::Malformed)?;
        if self.is_private_allowed {
            return Ok(());
        }
        if let Some(refusal) = endpoint.refusal() {
            return Err(refusal);
        }
        match timeout(CHECK_TIME_MAX, self.addresses(&endpoint)).await {
            Ok(Err(Failure::NotAllowed)) => Err(Refusal::NotPublic),
            _ => Ok(()),
        }
    }

    /// The addresses to which a connection may be made now: all that the name has, or none.
    pub(crate) async fn addresses(&self, endpoint: &Endpoint) -> Result<Vec<SocketAddr>, Failure> {
        if !self.is_private_allowed && endpoint.refusal().is_some() {
            return Err(Failure::NotAllowed);
        }
        let found = match &endpoint.host {
            Host::Address(address) => vec![*address],
            Host::Name(name) => {
                self.network.resolver.resolve(name).await.map_err(|_| Failure::NoAddress)?
            }
        };
        if found.is_empty() {
            return Err(Failure::NoAddress);
        }
        if !self.is_private_allowed && !found.iter().all(|address| is_public(*address)) {
            return Err(Failure::NotAllowed);
        }
        Ok(found.into_iter().map(|address| SocketAddr::new(address, endpoint.port)).collect())
    }
}
