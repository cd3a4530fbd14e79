//! A connection to an address that was checked, which carries one request at a time.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1::{Builder, SendRequest};
use hyper::header::{HOST, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use waybill_domain::endpoint::{Endpoint, Host};

use crate::Network;
use crate::boxed::Boxed;
use crate::headers;
use crate::proxy::Target;
use crate::public::Failure;

/// An answer's head may not be longer.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// An address that does not take a connection in this time is passed over.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);
/// A kept connection that is not free in this time is left alone.
const READY_TIME_MAX: Duration = Duration::from_millis(20);

/// An open connection. It is closed when this is dropped, whatever the other side is doing.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    is_https: bool,
    authority: String,
    peer: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Why a request has no answer.
pub(crate) enum Unanswered {
    /// It did not begin to leave.
    Unsent,
    /// It may have arrived.
    Lost,
}

impl Connection {
    /// Connects to the first of the checked addresses that answers.
    pub(crate) fn to<'a>(
        network: &'a Network,
        endpoint: &'a Endpoint,
        addresses: &'a [SocketAddr],
    ) -> Boxed<'a, Result<Connection, Failure>> {
        Box::pin(connect(network, endpoint, addresses))
    }

    /// Whether it is still open.
    pub(crate) fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Whether it leads to this endpoint, at one of these addresses.
    pub(crate) fn fits(&self, endpoint: &Endpoint, addresses: &[SocketAddr]) -> bool {
        self.is_https == endpoint.is_https
            && self.authority == endpoint.authority
            && addresses.contains(&self.peer)
    }

    /// Whether it takes a request within a moment.
    pub(crate) async fn is_ready(&mut self) -> bool {
        matches!(timeout(READY_TIME_MAX, self.sender.ready()).await, Ok(Ok(())))
    }

    pub(crate) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, Unanswered> {
        self.sender.try_send_request(request).await.map_err(|mut error| {
            // hyper gives the request back only when it did not begin to write it.
            if error.take_message().is_some() { Unanswered::Unsent } else { Unanswered::Lost }
        })
    }
}

async fn connect(
    network: &Network,
    endpoint: &Endpoint,
    addresses: &[SocketAddr],
) -> Result<Connection, Failure> {
    for peer in addresses {
        let stream = timeout(CONNECT_TIME_MAX, reach(network, endpoint, *peer)).await;
        let Ok(Some(stream)) = stream else { continue };
        let _best_effort = stream.set_nodelay(true);
        if !endpoint.is_https {
            return open(endpoint, *peer, stream).await;
        }
        let secured = network.tls.connect(server_name(endpoint)?, stream).await;
        return open(endpoint, *peer, secured.map_err(|_| Failure::NoTls)?).await;
    }
    Err(Failure::NoConnection)
}

/// A stream to a checked address. A proxy is told the address and not the name: it might find
/// another address for it, which nobody has checked.
async fn reach(network: &Network, endpoint: &Endpoint, peer: SocketAddr) -> Option<TcpStream> {
    let host = match &endpoint.host {
        Host::Name(name) => name.clone(),
        Host::Address(address) => address.to_string(),
    };
    match network.proxy_for(&host).filter(|_| endpoint.is_https) {
        Some(proxy) => proxy.tunnel(&*network.resolver, &Target::Address(peer)).await.ok(),
        None => TcpStream::connect(peer).await.ok(),
    }
}

fn server_name(endpoint: &Endpoint) -> Result<ServerName<'static>, Failure> {
    match &endpoint.host {
        Host::Address(address) => Ok(ServerName::from(*address)),
        Host::Name(name) => ServerName::try_from(name.clone()).map_err(|_| Failure::NoTls),
    }
}

async fn open<S>(endpoint: &Endpoint, peer: SocketAddr, stream: S) -> Result<Connection, Failure>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = Builder::new();
    builder.max_buf_size(HEAD_BYTES_MAX);
    let handshake = builder.handshake(TokioIo::new(stream)).await;
    let (sender, connection) = handshake.map_err(|_| Failure::Broken)?;
    // Its error reaches the sender.
    let task = tokio::spawn(async move { drop(connection.await) });
    let (is_https, authority) = (endpoint.is_https, endpoint.authority.clone());
    Ok(Connection { sender, is_https, authority, peer, task })
}

/// A request for what is there.
pub(crate) fn request(
    method: Method,
    endpoint: &Endpoint,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Request<Full<Bytes>>, Failure> {
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = endpoint.path.parse().map_err(|_| Failure::NotAllowed)?;
    *request.headers_mut() = headers;
    let host = HeaderValue::from_str(&endpoint.authority).map_err(|_| Failure::NotAllowed)?;
    request.headers_mut().insert(HOST, host);
    headers::complete(&mut request);
    Ok(request)
}
