//! Opens a connection to a carrier: plain or with TLS.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::AsFd;
use std::time::Duration;

use hyper::client::conn::http1::handshake;
use hyper::http::uri::{Authority, Scheme};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use super::guard::{Guard, Guarded};
use super::pool::{Idle, Sender};
use crate::Network;

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
    let addresses = resolve(network, host, port).await.map_err(unreachable)?;
    let stream = TcpStream::connect(addresses.as_slice()).await.map_err(unreachable)?;
    stream.set_nodelay(true).map_err(unreachable)?;
    let socket = stream.as_fd().try_clone_to_owned().map_err(unreachable)?;
    let guard = Guard::default();
    let stream = Guarded { stream, guard: guard.clone() };
    let sender = match is_https {
        false => begin(stream).await,
        true => {
            let failed = |error| DialError::Tls(authority.clone(), error);
            let name = ServerName::try_from(host.to_owned());
            let name = name.map_err(|error| failed(io::Error::other(error)))?;
            begin(network.tls.connect(name, stream).await.map_err(failed)?).await
        }
    };
    let sender = sender.map_err(|error| DialError::Broken(authority.clone(), error))?;
    Ok(Idle { sender, socket: socket.into(), guard, since: Instant::now() })
}

/// Speaks HTTP over a stream. What carries it is not known from here on.
async fn begin<S>(stream: S) -> hyper::Result<Sender>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    // It ends when the sender is dropped or the other side closes; its error reaches the sender.
    tokio::spawn(connection);
    Ok(sender)
}

async fn resolve(network: &Network, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let found = match host.parse::<IpAddr>() {
        Ok(address) => vec![address],
        Err(_) => network.resolver.resolve(host).await?,
    };
    Ok(found.into_iter().map(|address| SocketAddr::new(address, port)).collect())
}
