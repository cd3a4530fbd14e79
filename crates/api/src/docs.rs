//! The contract as JSON, and a page that shows it. The page's assets are inside the binary: it
//! works without the internet.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::http::header;
use bytes::Bytes;
use utoipa_swagger_ui::Config;

use super::reply::{ApiError, Reply, version};
use super::request::Request;

/// The contract, as the build script converted it.
pub const OPENAPI: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

/// Only what comes from here may run or be shown; the page's own styles are inline.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; frame-ancestors 'none'";

/// `GET /openapi.json`
pub async fn get_openapi(request: Request) -> Result<Reply, ApiError> {
    static VERSION: LazyLock<String> = LazyLock::new(|| version(OPENAPI.as_bytes()));
    let reply = Reply::bytes("application/json", Bytes::from_static(OPENAPI.as_bytes()));
    Ok(reply.etag(VERSION.clone(), request.header(header::IF_NONE_MATCH)))
}

/// `GET /docs`
pub async fn get_docs(_: Request) -> Result<Reply, ApiError> {
    asset("index.html")
}

/// `GET /docs/{file}`: what the page loads.
pub async fn get_docs_file(request: Request) -> Result<Reply, ApiError> {
    asset(request.parameter("file")?)
}

/// An asset, prepared once: every caller gets the same bytes.
fn asset(name: &str) -> Result<Reply, ApiError> {
    static PREPARED: Mutex<BTreeMap<String, Asset>> = Mutex::new(BTreeMap::new());
    let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    let asset = match prepared.get(name) {
        Some(asset) => asset.clone(),
        None => {
            let asset = prepare(name)?;
            prepared.insert(name.to_owned(), asset.clone());
            asset
        }
    };
    let reply = Reply::bytes(&asset.content_type, asset.bytes);
    Ok(reply.header(header::CONTENT_SECURITY_POLICY, POLICY))
}

#[derive(Clone)]
struct Asset {
    content_type: String,
    bytes: Bytes,
}

fn prepare(name: &str) -> Result<Asset, ApiError> {
    let config = Arc::new(Config::from("/openapi.json").try_it_out_enabled(true));
    let found = utoipa_swagger_ui::serve(name, config)
        .map_err(|error| ApiError::Internal(error.to_string()))?;
    let file = found.ok_or(ApiError::UnknownPath)?;
    let mut bytes = file.bytes.into_owned();
    if name == "index.html" {
        // The page asks for its assets beside itself, and is itself at /docs without a slash.
        let page = String::from_utf8_lossy(&bytes).into_owned();
        let page =
            page.replace("./", "/docs/").replace("href=\"index.css\"", "href=\"/docs/index.css\"");
        bytes =
            page.replace("<title>Swagger UI</title>", "<title>Waybill API</title>").into_bytes();
    }
    Ok(Asset { content_type: file.content_type, bytes: bytes.into() })
}
