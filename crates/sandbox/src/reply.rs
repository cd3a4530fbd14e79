//! The shapes of the sandbox carrier's answers, good and bad.

use std::fmt;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use waybill_domain::json::Json;

use crate::record::refusal;

/// What goes back.
pub enum Reply {
    /// This status and this body.
    Json(u16, Json),
    /// Nonsense, with a status that means well.
    Garbage,
    /// Nothing: the connection breaks.
    Break,
}

/// The connection is to be broken without an answer.
#[derive(Debug)]
pub struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken on purpose")
    }
}

impl std::error::Error for Broken {}

/// The reply on its way. What was not read comes with a time to come back.
pub fn response(reply: Reply) -> Result<Response<Full<Bytes>>, Broken> {
    let (status, media_type, body) = match reply {
        Reply::Json(status, body) => (status, "application/json", body.to_string()),
        Reply::Garbage => (201, "text/html", "<html><body>It works!</body>".to_owned()),
        Reply::Break => return Err(Broken),
    };
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = StatusCode::from_u16(status).map_err(|_| Broken)?;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    if matches!(status, 429 | 503) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    Ok(response)
}

/// A refusal of the whole request.
pub fn refused(status: u16, code: &str, message: &str) -> Reply {
    errors(status, vec![refusal(None, code, message)])
}

/// A refusal with all that is wrong.
pub fn errors(status: u16, errors: Vec<Json>) -> Reply {
    Reply::Json(status, Json::object([("errors", Json::List(errors))]))
}
