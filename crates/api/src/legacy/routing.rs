//! The carriers that there are, for everyone alike.

use axum::http::{StatusCode, header};
use waybill_domain::json::Json;

use crate::caller::Member;
use crate::reply::{ApiError, Reply, version};
use crate::request::Request;

/// `GET /api/v2/team/{team}/routing/carriers`
pub async fn carriers(request: Request, _: Member) -> Result<Reply, ApiError> {
    let base_url = request.app.base_url();
    let carriers = request.app.catalog().carriers.iter().map(|carrier| carrier.entry(base_url));
    let body = Json::object([("data", Json::list(carriers))]);
    let etag = version(body.to_string().as_bytes());
    let reply =
        Reply::json(StatusCode::OK, body).header(header::CACHE_CONTROL, "private, no-cache");
    Ok(reply.etag(etag, request.header(header::IF_NONE_MATCH)))
}
