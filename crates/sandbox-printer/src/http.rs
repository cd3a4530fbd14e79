//! The way in and out: IPP in requests of HTTP.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

use crate::arrival::{NoHead, RequestBody};
use crate::printer::{Reply, SandboxPrinter, answer};
use crate::status::Status;

const MEDIA_TYPE: &str = "application/ipp";

/// The connection is to be broken without an answer.
#[derive(Debug)]
pub struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken on purpose")
    }
}

impl std::error::Error for Broken {}

/// Answers one request. What has begun goes on when the caller hangs up.
pub async fn respond(
    printer: Arc<SandboxPrinter>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Broken> {
    let media_type = request.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    if request.method() != Method::POST {
        return Ok(refused(StatusCode::METHOD_NOT_ALLOWED));
    }
    if media_type != Some(MEDIA_TYPE.as_bytes()) {
        return Ok(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    let reply = tokio::spawn(handle(printer, request.into_body())).await.map_err(|_| Broken)?;
    let Reply::Answer(message) = reply else { return Err(Broken) };
    let mut response = Response::new(Full::new(message.encode()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    Ok(response)
}

async fn handle(printer: Arc<SandboxPrinter>, body: Incoming) -> Reply {
    let length = body.size_hint().exact();
    match RequestBody::read_head(body, length).await {
        Ok((head, rest)) => printer.answer(&head, rest).await,
        Err(NoHead::Cut) => Reply::Break,
        Err(NoHead::NotIpp(id)) => {
            let status = Status::BadRequest;
            Reply::Answer(answer((2, 0), status, id, &status.to_string()))
        }
    }
}

fn refused(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(b"This is a printer.\n")));
    *response.status_mut() = status;
    response
}
