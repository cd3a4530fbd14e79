//! Attempts to one receiver, one after another or side by side. A connection whose answer was read
//! whole carries the next request, if its address is still one of the name's.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{Builder, SendRequest};
use hyper::header::{HOST, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use waybill_domain::endpoint::{Endpoint, Host};
use waybill_domain::webhook::ATTEMPT_MAX;

use crate::proxy::Target;
use crate::public::{Failure, Outbound};

/// No more of an answer is read.
pub const REPLY_BYTES_MAX: usize = 16 * 1024;
/// An answer's head may not be longer.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// An address that does not take a connection in this time is passed over.
const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);
/// A kept connection that is not free in this time is left alone.
const READY_TIME_MAX: Duration = Duration::from_millis(20);

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
    idle: Mutex<Vec<Open>>,
}

/// An open connection. It is closed when this is dropped, whatever the other side is doing.
pub(crate) struct Open {
    sender: SendRequest<Full<Bytes>>,
    is_https: bool,
    authority: String,
    peer: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for Open {
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

impl Conversation {
    pub(crate) fn new(outbound: Outbound) -> Conversation {
        Conversation { outbound, idle: Mutex::default() }
    }

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
            && let Ok(Ok(())) = timeout(READY_TIME_MAX, kept.sender.ready()).await
        {
            match kept.send(request.clone()).await {
                Ok(response) => return self.read(kept, response).await,
                Err(Unanswered::Lost) => return Err(Failure::Broken),
                // It was closed while it rested: a fresh one carries the request.
                Err(Unanswered::Unsent) => {}
            }
        }
        let mut open = self.outbound.connect(&endpoint, &addresses).await?;
        let response = open.send(request).await.map_err(|_| Failure::Broken)?;
        self.read(open, response).await
    }

    /// A connection that rests, to an address that was just checked.
    fn take(&self, endpoint: &Endpoint, addresses: &[SocketAddr]) -> Option<Open> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|open| !open.sender.is_closed());
        let fits = |open: &Open| {
            open.is_https == endpoint.is_https
                && open.authority == endpoint.authority
                && addresses.contains(&open.peer)
        };
        let place = idle.iter().position(fits)?;
        Some(idle.swap_remove(place))
    }

    async fn read(&self, open: Open, response: Response<Incoming>) -> Result<Answer, Failure> {
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
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(open);
        }
        let retry_after = parts.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        Ok(Answer {
            status: parts.status.as_u16(),
            retry_after: retry_after.map(str::to_owned),
            body: read.freeze(),
        })
    }
}

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
    Ok(request)
}

impl Open {
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

impl Outbound {
    /// Connects to the first of the checked addresses that answers.
    pub(crate) async fn connect(
        &self,
        endpoint: &Endpoint,
        addresses: &[SocketAddr],
    ) -> Result<Open, Failure> {
        for peer in addresses {
            let stream = timeout(CONNECT_TIME_MAX, self.reach(endpoint, *peer)).await;
            let Ok(Some(stream)) = stream else { continue };
            let _best_effort = stream.set_nodelay(true);
            if !endpoint.is_https {
                return open(endpoint, *peer, stream).await;
            }
            let secured = self.network().tls.connect(server_name(endpoint)?, stream).await;
            return open(endpoint, *peer, secured.map_err(|_| Failure::NoTls)?).await;
        }
        Err(Failure::NoConnection)
    }

    /// A connection to a checked address. A proxy is told the address and not the name: it might
    /// find another address for it, which nobody has checked.
    async fn reach(&self, endpoint: &Endpoint, peer: SocketAddr) -> Option<TcpStream> {
        let network = self.network();
        let host = match &endpoint.host {
            Host::Name(name) => name.clone(),
            Host::Address(address) => address.to_string(),
        };
        match network.proxy_for(&host).filter(|_| endpoint.is_https) {
            Some(proxy) => proxy.tunnel(&*network.resolver, &Target::Address(peer)).await.ok(),
            None => TcpStream::connect(peer).await.ok(),
        }
    }
}

fn server_name(endpoint: &Endpoint) -> Result<ServerName<'static>, Failure> {
    match &endpoint.host {
        Host::Address(address) => Ok(ServerName::from(*address)),
        Host::Name(name) => ServerName::try_from(name.clone()).map_err(|_| Failure::NoTls),
    }
}

async fn open<S>(endpoint: &Endpoint, peer: SocketAddr, stream: S) -> Result<Open, Failure>
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
    Ok(Open { sender, is_https, authority, peer, task })
}
