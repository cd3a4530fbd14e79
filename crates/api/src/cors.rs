//! Cross-origin calls: any origin may call with a token, none with cookies, because there are none.

use axum::http::{HeaderMap, HeaderValue, header};

use super::reply::Reply;

const EXPOSED: &str = "Location, Retry-After, Request-ID, Idempotency-Replayed, RateLimit, \
                       RateLimit-Policy, Server-Timing, ETag, Content-Language";
const ACCEPTED: &str = "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, \
                        If-None-Match, Request-ID";

/// The answer to a browser that asks before it calls.
pub fn preflight(allowed: &str) -> Reply {
    Reply::nothing()
        .header(header::ALLOW, allowed)
        .header(header::ACCESS_CONTROL_ALLOW_METHODS, allowed)
        .header(header::ACCESS_CONTROL_ALLOW_HEADERS, ACCEPTED)
        .header(header::ACCESS_CONTROL_MAX_AGE, "600")
}

/// The header of an answer that only pages of ours may read.
pub const SAME_ORIGIN: &str = "cross-origin-resource-policy";

/// Lets a browser's script read the answer and the headers that it needs, unless the answer is for
/// pages of ours alone.
pub fn expose(headers: &mut HeaderMap) {
    if headers.contains_key(SAME_ORIGIN) {
        return;
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}
