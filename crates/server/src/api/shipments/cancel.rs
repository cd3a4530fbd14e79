//! Cancelling, deleting, and recovering documents.

use axum::http::{StatusCode, header};
use waybill_carriers::{Booked, Cancelled};
use waybill_domain::booking::{Reference, Step};
use waybill_domain::document::Format;
use waybill_domain::event::{Event, Kind};
use waybill_domain::ids::{EventId, ShipmentId};
use waybill_domain::json::{Json, parse};
use waybill_domain::words::Message;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, carrier_accounts, carrier_calls, events, jobs, shipments};

use super::{load, view};
use crate::api::caller::Member;
use crate::api::reply::{ApiError, Reply};
use crate::api::request::Call;
use crate::app::BOOK;
use crate::planted;

/// `POST …/shipments/{shipment}/cancel`: cancelling again is harmless, so a key changes nothing.
pub async fn cancel(call: Call, member: Member) -> Result<Reply, ApiError> {
    call.query.knowing(&[]).finish()?;
    call.claim(&Json::Null)?;
    let id = call.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    match shipment.state.as_str() {
        "cancelled" => return Ok(Reply::data(view::view(&call, &shipment, &files)?).private()),
        "booked" => {}
        state => {
            let message = Message::new("not-cancellable").text("state", state);
            return Err(ApiError::Conflict(message));
        }
    }
    match ask_carrier(&call, member, &shipment).await? {
        Cancelled::Done => {}
        Cancelled::Refused(words) => {
            let message = Message::new("cancel-refused").text("words", words);
            return Err(ApiError::Conflict(message));
        }
        Cancelled::Unknown(why) => return Err(ApiError::CarrierUnclear(why)),
    }
    let mut cancelled = shipment.clone();
    cancelled.state = "cancelled".to_owned();
    (cancelled.cancelled_at, cancelled.updated_at) = (Some(call.now), call.now);
    let (team, from) = (member.team, shipment.step);
    let kind = Kind::ShipmentCancelled;
    let event =
        Event::of_shipment(EventId(call.app.ids.uuid()), kind, call.now, id, shipment.batch);
    call.write(move |tx| {
        // Of two who cancel at once, one finds it booked and tells.
        let is_booked = shipments::lock_state(tx, team, id)?.as_deref() == Some("booked");
        if is_booked && shipments::set_booking(tx, team, from, &cancelled)? {
            events::append(tx, team, &event)?;
        }
        Ok::<_, Error>(())
    })
    .await?;
    call.app.work_arrived.notify_one();
    let (shipment, files) = load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    Ok(Reply::data(view::view(&call, &shipment, &files)?).private())
}

async fn ask_carrier(
    call: &Call,
    member: Member,
    shipment: &Shipment,
) -> Result<Cancelled, ApiError> {
    let (team, id, account) = (member.team, shipment.id, shipment.account);
    let (accepted, account) = call
        .read(move |tx| {
            let accepted = carrier_calls::find_accepted(tx, team, id)?;
            Ok::<_, Error>((accepted, carrier_accounts::find(tx, team, account)?))
        })
        .await?;
    let carrier = call.app.carriers.get(&shipment.carrier_code);
    let (Some(accepted), Some(account), Some(carrier)) = (accepted, account, carrier) else {
        return Err(ApiError::Internal(format!("shipment {id} is booked with nobody")));
    };
    let Some(cancelling) = carrier.cancelling() else {
        return Ok(Cancelled::Refused(Message::new("no-cancelling").say(call.language)));
    };
    let account = call.app.vault.account(&account).map_err(ApiError::Internal)?;
    let snapshot = parse(shipment.snapshot.as_bytes()).unwrap_or(Json::Null);
    let format = match snapshot.member("label_format") {
        Some(Json::Text(format)) => Format::parse(format),
        _ => None,
    };
    let booked = Booked {
        reference: Reference::from_stored(accepted.reference),
        carrier_reference: shipment.carrier_reference.clone().unwrap_or_default(),
        label_format: format.unwrap_or(Format::Pdf),
    };
    Ok(cancelling.cancel(&account, &booked).await)
}

/// `DELETE …/shipments/{shipment}`: only what no carrier has, or may have.
pub async fn delete(call: Call, member: Member) -> Result<Reply, ApiError> {
    call.query.knowing(&[]).finish()?;
    let id = call.id("shipment", ShipmentId::parse)?;
    let (now, event) = (call.now, EventId(call.app.ids.uuid()));
    let deleted = call
        .write(move |tx| {
            let Some(shipment) = shipments::find(tx, member.team, id)? else {
                return Ok::<_, Error>(None);
            };
            if planted::is("delete-without-check") {
                return planted::delete(tx, member.team, &shipment).map(Some);
            }
            let is_deleted = shipments::delete(tx, member.team, id, now)?;
            if is_deleted {
                let kind = Kind::ShipmentDeleted;
                let event = Event::of_shipment(event, kind, now, id, shipment.batch);
                events::append(tx, member.team, &event)?;
            }
            Ok(Some(is_deleted))
        })
        .await?;
    call.app.work_arrived.notify_one();
    match deleted {
        None => Err(ApiError::NotFound),
        Some(true) => Ok(Reply::nothing()),
        Some(false) => Err(ApiError::Conflict(Message::new("not-deletable"))),
    }
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
    call.query.knowing(&[]).finish()?;
    let id = call.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    if shipment.state == "booked" || shipment.state == "cancelled" {
        return Ok(Reply::data(view::view(&call, &shipment, &files)?).private());
    }
    let is_recoverable = shipment.state == "failed"
        && shipment.step == Step::Done
        && shipment.carrier_reference.is_some()
        && has_every_number(&shipment);
    if !is_recoverable {
        return Err(ApiError::Conflict(Message::new("nothing-to-recover")));
    }
    let mut again = shipment.clone();
    (again.step, again.tries) = (Step::Accepted, 0);
    let (team, now) = (member.team, call.now);
    call.write(move |tx| {
        if shipments::set_booking(tx, team, Step::Done, &again)? {
            let due = tx.now(now)?;
            jobs::schedule(tx, BOOK, id.into(), Some(team), due)?;
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
