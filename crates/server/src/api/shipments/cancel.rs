//! Cancelling, deleting, and recovering documents.

use std::time::Duration;

use axum::http::{StatusCode, header};
use waybill_carriers::Cancelled;
use waybill_domain::booking::Step;
use waybill_domain::event::{Event, Kind};
use waybill_domain::ids::{EventId, ShipmentId};
use waybill_domain::json::{Json, parse};
use waybill_domain::words::Message;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, events, idempotency, jobs, shipments};

use super::{load, view};
use crate::api::caller::Member;
use crate::api::reply::{ApiError, Reply};
use crate::api::request::{Call, find_claim, once};
use crate::app::{CANCEL, booking_job, lease};
use crate::batching;
use crate::desk;
use crate::planted;
use crate::timings::Part;

/// How soon an unclear cancellation is asked for again.
const ASK_AGAIN: Duration = Duration::from_secs(2);

/// `POST …/shipments/{shipment}/cancel`: cancelling again is harmless, and two at once are one
/// call: whoever has the lease of the shipment's cancellation asks. An outcome that stays unclear
/// is asked for again by the worker, which has that lease then.
pub async fn cancel(call: Call, member: Member) -> Result<Reply, ApiError> {
    let id = call.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    call.query.knowing(&[]).finish()?;
    let claim = call.claim(&Json::Null)?;
    if shipment.state == "cancelled" {
        let reply = Reply::data(view::view(&call, &shipment, &files)?).private();
        return Ok(if is_replay(&call, member, claim).await? { reply.replayed() } else { reply });
    }
    if shipment.state != "booked" {
        let message = Message::new("not-cancellable").text("state", &shipment.state);
        return Err(ApiError::Conflict(message));
    }
    let job = take_lease(&call, member, id).await?;
    let asked = desk::cancel(&call.app, member.team, &shipment, Some(&call.request_id));
    let outcome = call.timed(Part::Carrier, asked).await?;
    let (now, app) = (call.now, call.app.clone());
    match outcome {
        Cancelled::Done => {}
        Cancelled::Refused(words) => {
            call.write(move |tx| jobs::finish(tx, &job)).await?;
            let message = Message::new("cancel-refused").text("words", words);
            return Err(ApiError::Conflict(message));
        }
        Cancelled::Unknown(why) => {
            let again = move |tx: &mut Tx<'_>| {
                let soon = tx.now(now)?.plus(ASK_AGAIN);
                jobs::again(tx, &job, soon, "the outcome is unclear")
            };
            call.write(again).await?;
            return Err(ApiError::CarrierUnclear(why));
        }
    }
    call.write(move |tx| {
        jobs::finish(tx, &job)?;
        once(tx, member, claim.as_ref(), now, (id.into(), 200), |tx| {
            desk::set_cancelled(tx, &app, member.team, &shipment, now)?;
            Ok(())
        })
    })
    .await?;
    call.app.work_arrived.notify_one();
    let (shipment, files) = load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    Ok(Reply::data(view::view(&call, &shipment, &files)?).private())
}

/// The lease of the shipment's cancellation. Whoever loses it by a crash is followed by a worker.
async fn take_lease(
    call: &Call,
    member: Member,
    id: ShipmentId,
) -> Result<jobs::Claimed, ApiError> {
    let (now, team, request_id) = (call.now, member.team, call.request_id.clone());
    let take = move |tx: &mut Tx<'_>| {
        let now = tx.now(now)?;
        let job = jobs::take(tx, CANCEL, id.into(), Some(team), now, lease())?;
        if job.is_some() {
            jobs::set_request(tx, CANCEL, id.into(), &request_id)?;
        }
        // Somebody may have cancelled it since it was read.
        let state = shipments::lock_state(tx, team, id)?;
        job.filter(|_| state.as_deref() == Some("booked")).ok_or(ApiError::Processing(None))
    };
    call.write(take).await
}

async fn is_replay(
    call: &Call,
    member: Member,
    claim: Option<idempotency::Request>,
) -> Result<bool, ApiError> {
    let Some(claim) = claim else { return Ok(false) };
    let found = call.read(move |tx| find_claim(tx, member.team, &claim)).await?;
    Ok(found.is_some())
}

/// `DELETE …/shipments/{shipment}`: only what no carrier has, or may have.
pub async fn delete(call: Call, member: Member) -> Result<Reply, ApiError> {
    let id = call.id("shipment", ShipmentId::parse)?;
    load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    call.query.knowing(&[]).finish()?;
    let (now, event) = (call.now, EventId(call.app.ids.uuid()));
    let deleted = call
        .write(move |tx| {
            let Some(shipment) = shipments::find(tx, member.team, id)? else {
                return Ok::<_, ApiError>(None);
            };
            let is_pending = shipment.state == "pending";
            if is_pending && !batching::remove_member(tx, member.team, &shipment, now)? {
                return Err(ApiError::Conflict(Message::new("batch-started")));
            }
            if planted::is("delete-without-check") {
                return Ok(planted::delete(tx, member.team, &shipment)?.then_some(()));
            }
            if !shipments::delete(tx, member.team, id, now)? {
                // An error, so that nothing of this is kept.
                return Err(ApiError::Conflict(Message::new("not-deletable")));
            }
            let kind = Kind::ShipmentDeleted;
            let event = Event::of_shipment(event, kind, now, id, shipment.batch);
            events::append(tx, member.team, &event)?;
            Ok(Some(()))
        })
        .await?;
    call.app.work_arrived.notify_one();
    deleted.map(|()| Reply::nothing()).ok_or(ApiError::NotFound)
}

/// False for a booking of which the carrier took only a part.
fn has_every_number(shipment: &Shipment) -> bool {
    match parse(shipment.parcels.as_bytes()) {
        Ok(Json::List(parcels)) => parcels
            .iter()
            .all(|parcel| matches!(parcel.member("tracking_number"), Some(Json::Text(_)))),
        _ => false,
    }
}

/// `POST …/shipments/{shipment}/documents`: gets the documents of an accepted booking again. It
/// never books: it only sets the step in which nothing can.
pub async fn recover_documents(call: Call, member: Member) -> Result<Reply, ApiError> {
    let id = call.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    call.query.knowing(&[]).finish()?;
    if shipment.state == "booked" || shipment.state == "cancelled" {
        return Ok(Reply::data(view::view(&call, &shipment, &files)?).private());
    }
    let is_recoverable = shipment.state == "failed"
        && shipment.carrier_reference.is_some()
        && has_every_number(&shipment);
    if !is_recoverable {
        return Err(ApiError::Conflict(Message::new("nothing-to-recover")));
    }
    let mut again = shipment.clone();
    (again.step, again.tries) = (Step::Accepted, 0);
    let (team, now, request_id) = (member.team, call.now, call.request_id.clone());
    call.write(move |tx| {
        // Nothing changes when they are being fetched already.
        if shipments::set_booking(tx, team, Step::Done, &again)? {
            let due = tx.now(now)?;
            jobs::schedule(tx, booking_job(&again), id.into(), Some(team), due)?;
            jobs::set_request(tx, booking_job(&again), id.into(), &request_id)?;
        }
        Ok::<_, Error>(())
    })
    .await?;
    call.app.work_arrived.notify_one();
    let (shipment, files) = load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    let body = Json::object([("data", view::view(&call, &shipment, &files)?)]);
    let location = call.url().trim_end_matches("/documents").to_owned();
    let reply = Reply::json(StatusCode::ACCEPTED, body).private();
    Ok(reply.header(header::LOCATION, location).header(header::RETRY_AFTER, "5"))
}
