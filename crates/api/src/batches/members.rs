//! The members of a batch: added up to a hundred at a time, all or none, and listed in the order in
//! which they were added.

use axum::http::StatusCode;
use waybill_domain::batch::{BatchState, Tally};
use waybill_domain::fields::{FieldErrors, read_what_can_be};
use waybill_domain::ids::{BatchId, ShipmentId};
use waybill_domain::json::Json;
use waybill_domain::page::{Cursor, CursorScope, Direction, Page};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::words::Message;
use waybill_store::batches::{self, Batch};
use waybill_store::epochs::{self, LostSpan};
use waybill_store::shipments::{self, Shipment};
use waybill_store::{Error, Tx};

use super::find;
use crate::caller::Member;
use crate::lists::{CursorQuery, cursor_envelope, render_within_limit};
use crate::reply::{ApiError, Reply};
use crate::request::{Idempotent, Request, run_idempotent};
use crate::shipments::{BookingTeam, Intake, LabelWish, accept, load_intake, show_one, with_files};
use crate::unread::BodyLimit;

/// The most shipments in one request.
const ADD_MAX: usize = 100;
/// `POST …/booking-batches/{batch}/shipments`
pub async fn add(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let batch = find(&request, member).await?;
    let id = batch.id;
    let (body, claim, request_errors) = request.idempotent_body_within(BodyLimit::BATCH).await?;
    let (wanted, errors) = read_what_can_be(&body, |fields| {
        let rows = fields.list("data", 1..=ADD_MAX).required()?;
        Some(rows.iter().map(|row| row.json().clone()).collect::<Vec<_>>())
    });
    let Some(wanted) = wanted else { return request_errors.or(Err(errors)) };
    let count = wanted.len();
    let team = match load_intake(&request, member, wanted.iter(), claim.as_ref()).await? {
        Intake::Replayed(first) => {
            return Ok(added(&request, member, id, ShipmentId(first), count).await?.replayed());
        }
        Intake::New(team) => team,
    };
    // What is not open now will never be open again.
    check_open(&batch)?;
    let members = request_errors.or(accept_all(&request, &team, &wanted, errors).await)?;
    let (first, now) = (members[0].id, request.now);
    let write = move |tx: &mut Tx<'_>| {
        run_idempotent(tx, member, claim.as_ref(), now, (first.into(), 201), |tx| {
            let batch = batches::lock(tx, member.team, id)?.ok_or(ApiError::NotFound)?;
            check_open(&batch)?;
            Ok(insert(tx, member, batch, members.clone())?)
        })
    };
    match request.write(write).await? {
        Idempotent::Executed => {
            request.app.wake_everywhere(id.into());
            added(&request, member, id, first, count).await
        }
        Idempotent::Replayed(first, _) => {
            Ok(added(&request, member, id, ShipmentId(first), count).await?.replayed())
        }
    }
}

fn check_open(batch: &Batch) -> Result<(), ApiError> {
    match batch.state {
        BatchState::Open => Ok(()),
        _ => Err(ApiError::Conflict(Message::new("batch-not-open"))),
    }
}

/// Checks every member, and tells all that is wrong with any, and with the body around them.
async fn accept_all(
    request: &Request,
    team: &BookingTeam,
    wanted: &[Json],
    mut errors: FieldErrors,
) -> Result<Vec<Shipment>, ApiError> {
    let mut members = Vec::with_capacity(wanted.len());
    for (index, body) in wanted.iter().enumerate() {
        // No more are told, so no more are looked for.
        if errors.is_full() {
            break;
        }
        match accept(request, team, body, LabelWish::AsTheTeam).await {
            Ok(shipment) => members.push(shipment),
            Err(ApiError::Invalid(found)) => errors.extend(found.under(&format!("data.{index}"))),
            Err(other) => return Err(other),
        }
        // A hundred members are checked for a while: others take their turn in between.
        tokio::task::yield_now().await;
    }
    if errors.is_empty() { Ok(members) } else { Err(ApiError::Invalid(errors)) }
}

fn insert(
    tx: &mut Tx<'_>,
    member: Member,
    mut batch: Batch,
    members: Vec<Shipment>,
) -> Result<(), Error> {
    for mut shipment in members {
        shipment.state = ShipmentState::Pending;
        shipment.batch = Some(batch.id.into());
        shipment.batch_position = Some(batch.member_count);
        shipments::insert(tx, member.team, &shipment)?;
        batch.member_count += 1;
        batch.counts = batch.counts.moved(1, None, Some(Tally::Pending));
        batch.updated_at = shipment.created_at;
    }
    batches::set(tx, member.team, &batch)
}

/// What one request added: `count` members from the first one on.
async fn added(
    request: &Request,
    member: Member,
    id: BatchId,
    first: ShipmentId,
    count: usize,
) -> Result<Reply, ApiError> {
    let rows = request.read(move |tx| {
        let at = batches::position_of(tx, member.team, first)?.unwrap_or(0);
        let until = at + i64::try_from(count).unwrap_or(i64::MAX);
        let cursor =
            Cursor { direction: Direction::Next, at: at - 1, id: first.into(), sync_until: None };
        let rows = shipments::list_batch(tx, member.team, id, Some(cursor), count)?;
        let is_of_it = |row: &Shipment| row.batch_position.is_some_and(|at| at < until);
        with_files(tx, member.team, rows.into_iter().filter(is_of_it).collect())
    });
    let rows = rows.await?;
    let shown = rows.iter().map(|(row, files)| show_one(request, row, files));
    let shown = shown.collect::<Result<Vec<_>, _>>()?;
    let body = Json::object([("data", Json::List(shown))]);
    Ok(Reply::json(StatusCode::CREATED, body).private())
}

/// `GET …/booking-batches/{batch}/shipments`
pub async fn list(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = find(&request, member).await?.id;
    let query = request.query.knowing(&["cursor", "per_page"]);
    // A cursor of one batch says nothing in another.
    let shown = request.query.without("cursor");
    let sealed = format!("batch={id}&{}", request.query.filters(&[]));
    let scope = CursorScope { list: "listBatchShipments", team: member.team, filters: &sealed };
    let from = CursorQuery::read(&request, scope, query)?;
    let (cursor, wanted) = (from.cursor, from.per_page);
    let rows = request.read(move |tx| {
        if let Some(span) = find_lost(tx, member, cursor)? {
            return Err(ApiError::Lost(span));
        }
        let count = shipments::room_of_batch(tx, member.team, id, cursor, wanted)?;
        let rows = shipments::list_batch(tx, member.team, id, cursor, count)?;
        Ok((with_files(tx, member.team, rows)?, count))
    });
    let (rows, count) = rows.await?;
    let (rows, count) =
        render_within_limit(rows, count, |(row, files)| show_one(&request, row, files))?;
    let page = Page::new(rows, count, cursor, |((row, _), _)| {
        (row.batch_position.unwrap_or(0), row.id.into())
    });
    let body = cursor_envelope(&request, scope, page, wanted, &shown);
    Ok(Reply::json(StatusCode::OK, body).private())
}

/// What was lost, when the cursor stands at a member that a restored database does not know.
fn find_lost(
    tx: &mut Tx<'_>,
    member: Member,
    cursor: Option<Cursor>,
) -> Result<Option<LostSpan>, Error> {
    let Some(cursor) = cursor else { return Ok(None) };
    let position = batches::position_of(tx, member.team, ShipmentId(cursor.id))?;
    if position == Some(cursor.at) { Ok(None) } else { epochs::last_noted(tx) }
}
