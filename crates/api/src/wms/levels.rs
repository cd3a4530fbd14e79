//! How many pieces lie where.

use axum::http::StatusCode;
use waybill_domain::json::Json;
use waybill_domain::page::{CursorScope, Page};
use waybill_store::wms::levels::{self, Filter, StoredLevel};

use crate::caller::Member;
use crate::lists::{CursorQuery, cursor_envelope, render_within_limit};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

const PARAMETERS: &[&str] = &["sku", "location", "cursor", "per_page"];

/// `GET …/inventory-levels`, by SKU and then by location.
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(PARAMETERS);
    let filter = Filter { sku: query.filled("sku"), location: query.filled("location") };
    let (filters, shown) = (request.query.filters(&[]), request.query.without("cursor"));
    let scope = CursorScope { list: "listInventoryLevels", team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let rows = request.read(move |tx| levels::list(tx, member.team, &filter, cursor, wanted));
    let (rows, count) = render_within_limit(rows.await?, wanted, |row| Ok(view(row)))?;
    let page = Page::new(rows, count, cursor, |(row, _)| (0, row.id));
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// A level as it is shown.
pub fn view(stored: &StoredLevel) -> Json {
    Json::object([
        ("catalog_item_uuid", Json::text(stored.item)),
        ("sku", stored.sku.as_str().into()),
        ("location", stored.location.as_str().into()),
        ("on_hand", stored.level.on_hand.into()),
        ("reserved", stored.level.reserved.into()),
        ("available", stored.level.available().into()),
        ("updated_at", Json::text(stored.updated_at)),
    ])
}
