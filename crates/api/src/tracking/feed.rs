//! The feed. A cursor is a position and the epoch in which it was told, sealed with the filters:
//! what comes after it has not been read. When everything has been read it is the feed's end, also
//! when the filters left nothing.

use axum::http::StatusCode;
use uuid::Uuid;
use waybill_domain::ids::{ShipmentId, TrackingId, parse_uuid};
use waybill_domain::page::{Cursor, CursorScope, Direction, Page};
use waybill_domain::words::Message;
use waybill_store::Error;
use waybill_store::epochs::{self, Epoch};
use waybill_store::feed::{self, FeedBounds, FeedEntry, Filter};

use super::view::TrackingView;
use crate::caller::Member;
use crate::lists::{CursorQuery, cursor_envelope, render_within_limit};
use crate::reply::{ApiError, Reply};
use crate::request::Request;

const PARAMETERS: &[&str] = &["shipment_uuid", "tracking_uuid", "cursor", "per_page"];

/// What was read.
enum Read {
    /// These entries, one more than wanted when there are more, how far the feed goes, and the
    /// epoch in which they were read.
    Entries(Vec<FeedEntry>, FeedBounds, Epoch),
    /// Nothing: the position is not a position of this feed any more.
    Expired,
    /// Nothing: the position was told by a database that was lost.
    Forgotten,
}

/// `GET …/tracking/events`
pub async fn feed(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(PARAMETERS);
    let not_a_uuid = || Message::new("not-a-uuid");
    let filter = Filter {
        shipment: query.parsed("shipment_uuid", parse_uuid, not_a_uuid).map(ShipmentId),
        tracking: query.parsed("tracking_uuid", parse_uuid, not_a_uuid).map(TrackingId),
    };
    // The page size is not among them: a reader may go on with another one.
    let filters = filters(filter);
    let scope = CursorScope { list: "readTrackingEvents", team: member.team, filters: &filters };
    let from = CursorQuery::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    let read = request.read(move |tx| {
        let bounds = feed::bounds(tx, member.team)?;
        let after = cursor.map_or(bounds.floor, |cursor| cursor.at);
        if after < bounds.floor {
            return Ok::<_, Error>(Read::Expired);
        }
        if let Some(Cursor { id: epoch, .. }) = cursor
            && (after > bounds.last || !feed::is_known_position(tx, member.team, after, epoch)?)
        {
            return Ok(Read::Forgotten);
        }
        let entries = feed::list(tx, member.team, filter, after, limit)?;
        Ok(Read::Entries(entries, bounds, epochs::current(tx)?))
    });
    let (rows, bounds, epoch) = match read.await? {
        Read::Expired => return Err(ApiError::Expired),
        Read::Forgotten => return Err(ApiError::Forgotten),
        Read::Entries(rows, bounds, epoch) => (rows, bounds, epoch),
    };
    let mut view = TrackingView::new(&request);
    let (mut rows, count) = render_within_limit(rows, wanted, |row| Ok(view.entry(row)))?;
    let has_more = rows.len() > count;
    rows.truncate(count);
    let last = rows.last().map(|(row, _)| row.recorded.position);
    let at = last.filter(|_| has_more).unwrap_or(bounds.last);
    let resume = Cursor { direction: Direction::Next, at, id: epoch.id, sync_until: None };
    let (next, resume) = (has_more.then_some(resume), Some(resume));
    let page = Page { rows, next, previous: None, resume, sync_until: None };
    let shown = request.query.without("cursor");
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// The filters in one text, however they were written.
fn filters(filter: Filter) -> String {
    let text = |id: Option<Uuid>| id.map(|id| id.to_string()).unwrap_or_default();
    let (shipment, tracking) = (filter.shipment.map(Uuid::from), filter.tracking.map(Uuid::from));
    format!("shipment_uuid={}&tracking_uuid={}", text(shipment), text(tracking))
}
