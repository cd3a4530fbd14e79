//! The contract as JSON, and a page that shows it. The page's assets are inside the binary: it
//! works without the internet.
//!
//! The page is RapiDoc with a script of ours. Of the pages that show a contract it is the one that
//! has a search over operations, shows one operation at a time and can try it, and it is small.

mod demo;

use std::sync::LazyLock;

pub use crate::state::Demo;
use axum::http::{HeaderName, header};
use bytes::Bytes;

use super::cors::SAME_ORIGIN;
use super::reply::{ApiError, Reply, version};
use super::request::Request;

/// The contract, as the build script merged it.
pub const OPENAPI: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

/// Only what comes from here may run, be shown or be called; the page's own styles are inline.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' blob: data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

const PAGE: &str = include_str!("../assets/docs/index.html");

/// What the page loads: name, kind, bytes.
const ASSETS: [(&str, &str, &[u8]); 3] = [
    ("docs.css", "text/css; charset=utf-8", include_bytes!("../assets/docs/docs.css")),
    ("docs.js", "text/javascript; charset=utf-8", include_bytes!("../assets/docs/docs.js")),
    (
        "rapidoc-min.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../assets/docs/rapidoc-min.js"),
    ),
];

/// `GET /openapi.json`
pub async fn get_openapi(request: Request) -> Result<Reply, ApiError> {
    static VERSION: LazyLock<String> = LazyLock::new(|| version(OPENAPI.as_bytes()));
    let reply = Reply::bytes("application/json", Bytes::from_static(OPENAPI.as_bytes()));
    Ok(reply.etag(VERSION.clone(), request.header(header::IF_NONE_MATCH)))
}

/// `GET /docs`
pub async fn get_docs(request: Request) -> Result<Reply, ApiError> {
    let demo = request.api.demo().filter(|demo| demo.is_shown_to(&request));
    let page = match demo {
        Some(demo) => Bytes::from(demo.fill_in(PAGE)),
        None => Bytes::from_static(PAGE.as_bytes()),
    };
    let reply = Reply::bytes("text/html; charset=utf-8", page)
        .header(header::CONTENT_SECURITY_POLICY, POLICY)
        .header(header::CACHE_CONTROL, "private, no-store")
        .header(header::REFERRER_POLICY, "no-referrer");
    Ok(reply.header(HeaderName::from_static(SAME_ORIGIN), "same-origin"))
}

/// `GET /docs/{file}`: what the page loads.
pub async fn get_docs_file(request: Request) -> Result<Reply, ApiError> {
    static VERSIONS: LazyLock<[String; ASSETS.len()]> =
        LazyLock::new(|| ASSETS.map(|(_, _, bytes)| version(bytes)));
    let name = request.parameter("file")?;
    let all = ASSETS.iter().zip(VERSIONS.iter());
    let found = all.into_iter().find(|((known, _, _), _)| *known == name);
    let ((_, kind, bytes), version) = found.ok_or(ApiError::UnknownPath)?;
    let reply = Reply::bytes(kind, Bytes::from_static(bytes));
    Ok(reply.etag(version.clone(), request.header(header::IF_NONE_MATCH)))
}
