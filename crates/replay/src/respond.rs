//! The answer to a request, on the wire.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use hyper::{Response, StatusCode};

use crate::error::Unkept;
use crate::fault::Kind;
use crate::file::{Answer, Body};
use crate::json;
use crate::pattern::{Captures, fill};

const JSON: &str = "application/json";
const PAGE: &str = "<!DOCTYPE html><html><body><h1>Down for maintenance</h1></body></html>";
const MIB: usize = 1024 * 1024;

/// Why the connection is closed.
#[derive(Debug)]
pub struct Dropped;

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("dropped on purpose")
    }
}

impl std::error::Error for Dropped {}

/// A body that may break off.
pub struct Sent {
    chunks: VecDeque<Bytes>,
    /// As it was announced.
    left: u64,
    breaks: bool,
}

impl Sent {
    fn whole(bytes: Bytes) -> Sent {
        Sent { left: bytes.len() as u64, chunks: VecDeque::from([bytes]), breaks: false }
    }
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = Dropped;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Dropped>>> {
        match self.chunks.pop_front() {
            Some(chunk) => {
                self.left = self.left.saturating_sub(chunk.len() as u64);
                Poll::Ready(Some(Ok(Frame::data(chunk))))
            }
            None if self.breaks => Poll::Ready(Some(Err(Dropped))),
            None => Poll::Ready(None),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

/// An answer with this status, content type and body.
pub fn plain(status: StatusCode, content_type: &str, body: Bytes) -> Response<Sent> {
    let mut response = Response::new(Sent::whole(body));
    *response.status_mut() = status;
    if let Ok(value) = HeaderValue::from_str(content_type)
        && !content_type.is_empty()
    {
        response.headers_mut().insert(CONTENT_TYPE, value);
    }
    response
}

/// The answer as the file has it.
pub fn filled(answer: &Answer, captures: &Captures) -> Result<(Response<Sent>, Bytes), Unkept> {
    let (content_type, body) = match &answer.body {
        Body::Json(body) => (JSON, Bytes::from(json::filled(body, captures)?.to_string())),
        Body::Text(text) => {
            let text = fill(text, captures)?;
            ("text/plain; charset=utf-8", text.into())
        }
        Body::Bytes(bytes) if bytes.is_empty() => ("", Bytes::new()),
        Body::Bytes(bytes) => ("application/octet-stream", bytes.clone()),
    };
    let mut response = plain(answer.status, content_type, body.clone());
    for (name, value) in &answer.headers {
        let value = fill(value, captures)?;
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(&value)) {
            response.headers_mut().insert(name, value);
        }
    }
    Ok((response, body))
}

/// What goes wrong in the place of this answer.
pub async fn spoiled(
    kind: Kind,
    mut response: Response<Sent>,
    body: Bytes,
) -> Result<Response<Sent>, Dropped> {
    let half = body.slice(..body.len() / 2);
    match kind {
        Kind::Drop => return Err(Dropped),
        Kind::Hang => match std::future::pending::<Infallible>().await {},
        Kind::Broken => {
            let left = (body.len() as u64).max(2);
            *response.body_mut() = Sent { chunks: VecDeque::from([half]), left, breaks: true };
        }
        Kind::Cut => *response.body_mut() = Sent::whole(half),
        Kind::Page => return Ok(plain(StatusCode::OK, "text/html", PAGE.into())),
        Kind::WrongType => {
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        }
        Kind::Big(mebibytes) => {
            let body = vec![b' '; mebibytes * MIB + 1];
            *response.body_mut() = Sent::whole(body.into());
        }
        Kind::Redirect(place) => {
            let mut response = plain(StatusCode::TEMPORARY_REDIRECT, "", Bytes::new());
            if let Ok(place) = HeaderValue::from_str(&place) {
                response.headers_mut().insert(LOCATION, place);
            }
            return Ok(response);
        }
        Kind::Status(status, content_type, body) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
            return Ok(plain(status, &content_type, body.into()));
        }
    }
    Ok(response)
}
