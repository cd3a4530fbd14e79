//! What a team pays its carriers, as rows that are read and replaced together.

use axum::http::StatusCode;
use uuid::Uuid;
use waybill_domain::json::Json;
use waybill_domain::page::{CursorScope, Page};
use waybill_domain::tariff::Rate;
use waybill_engine::rates::rows;
use waybill_store::tariffs;

use super::caller::Member;
use super::lists::{CursorQuery, cursor_envelope, render_within_limit};
use super::reply::{ApiError, Reply};
use super::request::Request;
use super::unread::BodyLimit;

/// `GET …/rates`
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let query = request.query.knowing(&["cursor", "per_page"]);
    let shown = request.query.without("cursor");
    let filters = request.query.filters(&[]);
    let scope = CursorScope { list: "listRates", team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let rows = request.read(move |tx| tariffs::list(tx, member.team, cursor, wanted)).await?;
    let (rows, count) =
        render_within_limit(rows, wanted, |(_, body)| Ok(Json::Written(body.clone())))?;
    let page = Page::new(rows, count, cursor, |((position, _), _)| (*position, Uuid::nil()));
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body))
}

/// `PUT …/rates`
pub async fn replace(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, errors) = request.json_body_within(BodyLimit::TABLE).await?;
    let is_known = |code: &str| request.app.catalog().service(code).is_some();
    let rates = errors.or(Rate::parse_all(&body, is_known))?;
    let rows = rows(rates);
    let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let act = request.act();
    request.write(move |tx| tariffs::replace(tx, member.team, &rows, &act)).await?;
    Ok(Reply::data(Json::object([("rate_count", count.into())])))
}
