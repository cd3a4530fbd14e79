//! Opens a connection to a carrier: plain or with TLS, straight or through the operator's proxy.

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use hyper::http::uri::{Authority, Scheme};
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;

use super::guard::Guard;
use super::pool::Idle;
use super::sender::Sender;
use crate::Network;
use crate::boxed::Boxed;
use crate::network::HTTP2;
use crate::proxy::{Target, TunnelError};
use crate::resolve::addresses;

/// A connection that does not open in this time is given up.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);

/// Why there is no line. Nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum DialError {
    /// There is nobody to call.
    #[error("the address has no host")]
    NoHost,
    /// A user would be seen in traces, and sent to nobody.
    #[error("the address has a user in it")]
    HasUser,
    /// The address is not one of HTTP.
    #[error("{0}: only http:// and https:// addresses can be called")]
    Scheme(Authority),
    /// Nobody is there, or the name has no address.
    #[error("{0}: {1}")]
    Unreachable(Authority, io::Error),
    /// The proxy does not lead there.
    #[error("{0}: {1}")]
    NoTunnel(Authority, TunnelError),
    /// It took too long.
    #[error("{0}: no connection in time")]
    TooSlow(Authority),
    /// The other side could not prove who it is.
    #[error("{0}: TLS failed: {1}")]
    Tls(Authority, io::Error),
    /// The connection broke before it could be used.
    #[error("{0}: {1}")]
    Broken(Authority, hyper::Error),
}

/// Opens a connection, in good time or not at all.
pub(super) async fn connect(
    network: &Network,
    scheme: Option<&Scheme>,
    authority: &Authority,
) -> Result<Idle, DialError> {
    let is_https = match scheme {
        Some(scheme) if *scheme == Scheme::HTTPS => true,
        Some(scheme) if *scheme == Scheme::HTTP => false,
        _ => return Err(DialError::Scheme(authority.clone())),
    };
    let opening = timeout(CONNECT_TIME_MAX, open(network, is_https, authority)).await;
    opening.unwrap_or_else(|_| Err(DialError::TooSlow(authority.clone())))
}

async fn open(network: &Network, is_https: bool, authority: &Authority) -> Result<Idle, DialError> {
    let unreachable = |error| DialError::Unreachable(authority.clone(), error);
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let port = authority.port_u16().unwrap_or(if is_https { 443 } else { 80 });
    let stream = match network.proxy_for(host).filter(|_| is_https) {
        Some(proxy) => {
            let tunnel = proxy.tunnel(&*network.resolver, &Target::new(host, port)).await;
            tunnel.map_err(|error| DialError::NoTunnel(authority.clone(), error))?
        }
        None => {
            let found = addresses(&*network.resolver, host, port).await.map_err(unreachable)?;
            TcpStream::connect(found.as_slice()).await.map_err(unreachable)?
        }
    };
    let tls = is_https.then_some((&network.tls_any_http, host));
    prepare(stream, tls).await.map_err(|error| match error {
        OpenError::Socket(error) => unreachable(error),
        OpenError::Tls(error) => DialError::Tls(authority.clone(), error),
        OpenError::Broken(error) => DialError::Broken(authority.clone(), error),
    })
}

/// Why a stream carries no requests.
pub(super) enum OpenError {
    /// The system says so.
    Socket(io::Error),
    /// The other side could not prove who it is.
    Tls(io::Error),
    /// The connection broke before it could be used.
    Broken(hyper::Error),
}

/// Makes a stream carry requests, with TLS when the host has to prove its name.
pub(super) fn prepare<'a>(
    stream: TcpStream,
    tls: Option<(&'a TlsConnector, &'a str)>,
) -> Boxed<'a, Result<Idle, OpenError>> {
    Box::pin(async move {
        stream.set_nodelay(true).map_err(OpenError::Socket)?;
        let socket = stream.as_fd().try_clone_to_owned().map_err(OpenError::Socket)?;
        let guard = Guard::default();
        let sender = match tls {
            None => Sender::start(stream, false, guard.clone()).await,
            Some((tls, host)) => {
                let name = ServerName::try_from(host.to_owned());
                let name = name.map_err(|error| OpenError::Tls(io::Error::other(error)))?;
                let stream = tls.connect(name, stream).await.map_err(OpenError::Tls)?;
                let is_http2 = stream.get_ref().1.alpn_protocol() == Some(HTTP2);
                Sender::start(stream, is_http2, guard.clone()).await
            }
        };
        let sender = sender.map_err(OpenError::Broken)?;
        Ok(Idle { sender, socket: socket.into(), guard, since: Instant::now() })
    })
}
