//! What every request has that goes out, whoever made it.

use hyper::header::{CONTENT_LENGTH, HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Method, Request};

/// Who asks, where whoever made the request does not say it.
const AGENT: &str = concat!("Waybill/", env!("CARGO_PKG_VERSION"));

/// Says who asks, and how long a body is that has nothing in it where a body is expected: some
/// gateways refuse a POST without a length (411), and HTTP/1.1 tells none for an empty body by
/// itself.
pub(crate) fn complete<B: hyper::body::Body>(request: &mut Request<B>) {
    let is_empty = request.body().is_end_stream();
    let has_body = matches!(*request.method(), Method::POST | Method::PUT | Method::PATCH);
    let headers: &mut HeaderMap = request.headers_mut();
    if !headers.contains_key(USER_AGENT) {
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    }
    if has_body && is_empty {
        headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
}
