//! An answer, from wherever it came.

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

/// More headers than any answer of ours has.
const HEADERS_MAX: usize = 64;

/// A whole answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// Reads what came over a connection up to its end, for a request with this method. None when
    /// it is not exactly one whole answer of a known length.
    pub fn parse(method: &str, bytes: &[u8]) -> Option<Answer> {
        let mut room = [httparse::EMPTY_HEADER; HEADERS_MAX];
        let mut head = httparse::Response::new(&mut room);
        let httparse::Status::Complete(end) = head.parse(bytes).ok()? else { return None };
        let mut headers = HeaderMap::new();
        for header in head.headers.iter() {
            let name = HeaderName::from_bytes(header.name.as_bytes()).ok()?;
            headers.append(name, HeaderValue::from_bytes(header.value).ok()?);
        }
        let answer = Answer { status: head.code?, headers, bytes: bytes[end..].to_vec() };
        let length = match answer.header("content-length") {
            _ if method == "HEAD" || matches!(answer.status, 204 | 304) => 0,
            Some(text) => text.parse().ok()?,
            None => return None,
        };
        (answer.bytes.len() == length).then_some(answer)
    }

    /// A header that is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The kind of body without parameters, such as `application/json`.
    pub fn media(&self) -> &str {
        let sent = self.header("content-type").unwrap_or_default();
        sent.split(';').next().unwrap_or_default()
    }

    /// The body, when that is JSON.
    pub fn value(&self) -> Option<Value> {
        serde_json::from_slice(&self.bytes).ok()
    }
}
