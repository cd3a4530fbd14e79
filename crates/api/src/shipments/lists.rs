//! The list of shipments, newest first or for incremental sync.

use std::time::Duration;

use axum::http::StatusCode;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{TeamId, parse_uuid};
use waybill_domain::page::{Cursor, CursorScope, Page};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_store::documents::Document;
use waybill_store::epochs::{self, LostSpan};
use waybill_store::shipments::{Filter, Shipment, Sort};
use waybill_store::{Error, Tx, shipments};

use super::view;
use crate::caller::Member;
use crate::documents;
use crate::lists::{CursorQuery, cursor_envelope, render_within_limit};
use crate::query::Reader;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

const PARAMETERS: &[&str] = &[
    "state",
    "reference",
    "identifier",
    "tracking_number",
    "batch_uuid",
    "updated_since",
    "sort",
    "cursor",
    "per_page",
];
const STATES: &[&str] = &["pending", "processing", "booked", "failed", "cancelled"];
/// A sync subtracts an overlap from its boundary: 60 seconds are suggested, more are allowed.
const SYNC_OVERLAP_MAX: Duration = Duration::from_hours(1);
const SORTS: &[&str] = &["-created_at", "updated_at"];

/// `GET …/shipments`
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(PARAMETERS);
    let mut filter = read_filter(&mut query);
    let sort = match query.choice("sort", SORTS) {
        Some("updated_at") => Sort::Updated,
        _ => Sort::CreatedDescending,
    };
    let shown = request.query.without("cursor");
    let filters = request.query.filters(&[("sort", SORTS[0])]);
    let scope = CursorScope { list: "listShipments", team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    // The boundary is fixed on the first page and travels in the cursor.
    let sync_until = from.cursor.and_then(|cursor| cursor.sync_until).unwrap_or(request.now);
    if sort == Sort::Updated {
        filter.updated_until = Some(sync_until);
    }
    let (cursor, wanted) = (from.cursor, from.per_page);
    let read = request.read(move |tx| {
        if sort == Sort::Updated
            && let Some(span) = find_lost(tx, filter.updated_since, cursor)?
        {
            return Ok::<_, Error>(Err(span));
        }
        let count = shipments::room(tx, member.team, &filter, sort, cursor, wanted)?;
        let rows = shipments::list(tx, member.team, &filter, sort, cursor, count)?;
        Ok(Ok((with_files(tx, member.team, rows)?, count)))
    });
    let (rows, count) = read.await?.map_err(ApiError::Lost)?;
    let key = |row: &Shipment| match sort {
        Sort::CreatedDescending => (0, row.id.into()),
        Sort::Updated => (row.updated_at.0, row.id.into()),
    };
    let (rows, count) =
        render_within_limit(rows, count, |(row, files)| view::view(&request, row, files))?;
    let page = Page::new(rows, count, cursor, |((row, _), _)| key(row)).until(sync_until);
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// What a sync that goes on from here may have seen of a database that was lost.
fn find_lost(
    tx: &mut Tx<'_>,
    updated_since: Option<Time>,
    cursor: Option<Cursor>,
) -> Result<Option<LostSpan>, Error> {
    let boundary = cursor.and_then(|cursor| cursor.sync_until).or(updated_since);
    boundary.map_or(Ok(None), |boundary| epochs::find_lost(tx, boundary, SYNC_OVERLAP_MAX))
}

/// Shipments with their files.
pub fn with_files(
    tx: &mut Tx<'_>,
    team: TeamId,
    rows: Vec<Shipment>,
) -> Result<Vec<(Shipment, Vec<Document>)>, Error> {
    documents::with_files(tx, team, SourceKind::Shipment, rows, |row| row.id.into())
}

fn read_filter(query: &mut Reader<'_>) -> Filter {
    Filter {
        state: query.choice("state", STATES).and_then(ShipmentState::parse),
        reference: query.filled("reference"),
        identifier: query.filled("identifier"),
        tracking_number: query.filled("tracking_number"),
        batch: query.parsed("batch_uuid", parse_uuid, || Message::new("not-a-uuid")),
        updated_since: query.time("updated_since"),
        updated_until: None,
    }
}
