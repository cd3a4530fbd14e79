//! Requests over a connection, in the version of HTTP that the other side chose.

use std::error::Error;

use bytes::Bytes;
use h2::Reason;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::{TrySendError, http1, http2};
use hyper::header::{HOST, HeaderValue};
use hyper::http::uri::{Authority, PathAndQuery, Scheme};
use hyper::{Request, Response, Uri};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};

use super::error::SendError;
use super::guard::{Guard, Guarded};
use crate::headers;

/// What writes requests. One is under way at a time, also with HTTP/2.
pub(super) enum Sender {
    Http1(http1::SendRequest<Full<Bytes>>),
    Http2(http2::SendRequest<Full<Bytes>>),
}

impl Sender {
    /// Speaks HTTP over a stream. What carries it is not known from here on.
    pub async fn start<S>(stream: S, is_http2: bool, guard: Guard) -> hyper::Result<Sender>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        // A connection ends when its sender is dropped or the other side closes; its error reaches
        // the sender.
        if is_http2 {
            let stream = TokioIo::new(Guarded::http2(stream, guard));
            let (sender, connection) = http2::handshake(TokioExecutor::new(), stream).await?;
            tokio::spawn(connection);
            return Ok(Sender::Http2(sender));
        }
        let stream = TokioIo::new(Guarded::http1(stream, guard));
        let (sender, connection) = http1::handshake(stream).await?;
        tokio::spawn(connection);
        Ok(Sender::Http1(sender))
    }

    /// Waits until a request can be written.
    pub async fn ready(&mut self) -> hyper::Result<()> {
        match self {
            Sender::Http1(sender) => sender.ready().await,
            Sender::Http2(sender) => sender.ready().await,
        }
    }

    /// Whether no request can be written any more.
    pub fn is_closed(&self) -> bool {
        match self {
            Sender::Http1(sender) => sender.is_closed(),
            Sender::Http2(sender) => sender.is_closed(),
        }
    }

    /// Sends a request, once, and waits for the head of its answer.
    pub async fn send(
        &mut self,
        mut request: Request<Full<Bytes>>,
        authority: &Authority,
    ) -> Result<Response<Incoming>, SendError> {
        headers::complete(&mut request);
        let unwritable = || SendError::NotSent("the request cannot be written".to_owned());
        match self {
            Sender::Http1(sender) => {
                let host = HeaderValue::from_str(authority.as_str()).map_err(|_| unwritable())?;
                request.headers_mut().insert(HOST, host);
                sender.try_send_request(request).await.map_err(explain)
            }
            Sender::Http2(sender) => {
                request.headers_mut().remove(HOST);
                let path = request.uri().path_and_query().cloned();
                *request.uri_mut() = absolute(authority, path).ok_or_else(unwritable)?;
                sender.try_send_request(request).await.map_err(explain)
            }
        }
    }
}

/// HTTP/2 names host and scheme with the path. It is only spoken over TLS.
fn absolute(authority: &Authority, path: Option<PathAndQuery>) -> Option<Uri> {
    let path = path.unwrap_or_else(|| PathAndQuery::from_static("/"));
    let uri = Uri::builder().scheme(Scheme::HTTPS).authority(authority.clone());
    uri.path_and_query(path).build().ok()
}

fn explain(mut error: TrySendError<Request<Full<Bytes>>>) -> SendError {
    // hyper gives the request back only when it did not begin to write it.
    let is_given_back = error.take_message().is_some();
    let error = error.into_error();
    match is_given_back || is_refused(&error) {
        true => SendError::NotSent(error.to_string()),
        false => SendError::Unclear(error.to_string()),
    }
}

/// Whether the other side says that it did nothing at all with the request: RFC 9113, section 8.7.
/// What a farewell (GOAWAY) leaves unsaid is not taken for that: the library reports those requests
/// that were left out and those that were cut off alike.
fn is_refused(error: &hyper::Error) -> bool {
    let found = error.source().and_then(|source| source.downcast_ref::<h2::Error>());
    found.is_some_and(|error| {
        error.is_reset() && error.is_remote() && error.reason() == Some(Reason::REFUSED_STREAM)
    })
}
