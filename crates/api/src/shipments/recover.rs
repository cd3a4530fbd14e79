//! Documents again, of a booking that the carrier has.

use axum::http::{StatusCode, header};
use waybill_domain::audit::{Action, Changes, Subject};
use waybill_domain::booking::{Seen, Step, record};
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::json::Json;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::app::{App, booking_job};
use waybill_engine::booking;
use waybill_store::attempts::{self, Attempt};
use waybill_store::{Tx, audit, documents, jobs, shipments};

use super::load::load;
use super::{unknown, view};
use crate::caller::Member;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `POST …/shipments/{shipment}/documents`: gets the documents of an accepted booking again. It
/// never books: it only sets the step in which nothing can.
pub async fn recover_documents(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("shipment", ShipmentId::parse)?;
    load(&request, member, id).await?.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    request.no_body().await?;
    try_documents_again(&request, member, id).await?;
    let (shipment, files) = load(&request, member, id).await?.ok_or(ApiError::NotFound)?;
    let shown = view::view(&request, &shipment, &files)?;
    // A shipment that the carrier took in part stays failed, also with its documents.
    let is_over = matches!(shipment.state, ShipmentState::Booked | ShipmentState::Failed);
    if is_over && !files.is_empty() {
        return Ok(Reply::data(shown).private());
    }
    let location = request.url().trim_end_matches("/documents").to_owned();
    let reply = Reply::json(StatusCode::ACCEPTED, Json::object([("data", shown)])).private();
    Ok(reply.header(header::LOCATION, location).header(header::RETRY_AFTER, "5"))
}

/// Lets the documents of an accepted booking be tried again, unless they are there or tried
/// already.
pub async fn try_documents_again(
    request: &Request,
    member: Member,
    id: ShipmentId,
) -> Result<(), ApiError> {
    let (app, team, now) = (request.app.clone(), member.team, request.now);
    let (request_id, act) = (request.request_id.clone(), request.act());
    request
        .write(move |tx| {
            if let Some(job) = reopen(tx, &app, team, id, now)? {
                jobs::set_request(tx, job, id.into(), &request_id)?;
                attempts::insert(tx, team, id, &Attempt::documents_wanted(&request_id, now))?;
                let done = (Action::DocumentsRecovered, &Subject::unnamed("shipment", id));
                audit::insert(tx, team, &act, done, &Changes::none())?;
            }
            Ok::<_, ApiError>(())
        })
        .await?;
    request.app.wake_runner();
    Ok(())
}

/// Says that the documents are tried again, and sets the alarm for it: tells which. Nothing changes
/// when they are there, or being fetched already.
fn reopen(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    id: ShipmentId,
    now: Time,
) -> Result<Option<JobKind>, ApiError> {
    // As it is now: an old copy would undo a cancellation.
    let shipment = shipments::lock(tx, team, id)?.ok_or(ApiError::NotFound)?;
    let conflict = |key| Err(ApiError::Conflict(Message::new(key)));
    match (shipment.state, shipment.step, shipment.ending) {
        (ShipmentState::Booked, ..) | (_, Step::Accepted, Some(_)) => return Ok(None),
        (ShipmentState::Cancelled, ..) => return conflict("cancelled-no-documents"),
        _ => {}
    }
    if !documents::list_of(tx, team, SourceKind::Shipment, id.into())?.is_empty() {
        return Ok(None);
    }
    let change = record(&booking::booking_of(app, &shipment), Seen::DocumentsWanted, now);
    if change.step != Step::Accepted {
        let unknown = unknown::why_not(app, &shipment, now);
        return unknown.map_or(conflict("nothing-to-recover"), |it| Err(ApiError::Conflict(it)));
    }
    let cancelling = jobs::find(tx, JobKind::Cancel, id.into())?;
    if cancelling.is_some_and(|(run_at, ..)| run_at.is_some()) {
        return conflict("cancel-unsettled");
    }
    let (from, mut again) = (shipment.step, shipment);
    booking::apply(&mut again, &change, now);
    if !shipments::change(tx, team, from, &again, None)? {
        return Ok(None);
    }
    let (due, job) = (tx.now(now)?, booking_job(&again));
    jobs::schedule(tx, job, id.into(), Some(team), due)?;
    Ok(Some(job))
}
