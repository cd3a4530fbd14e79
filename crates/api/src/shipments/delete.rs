//! Deleting what no carrier has, or may have.

use waybill_domain::audit::{Action, Changes, Subject};
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, ShipmentId};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::words::Message;
use waybill_engine::batching;
use waybill_engine::fulfilment;
use waybill_engine::planted;
use waybill_store::audit;
use waybill_store::shipments::{self, Shipment};

use super::load::load;
use super::unknown;
use crate::caller::Member;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// `DELETE …/shipments/{shipment}`
pub async fn delete(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("shipment", ShipmentId::parse)?;
    load(&request, member, id).await?.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    let (now, event, app) = (request.now, EventId(request.app.new_uuid()), request.app.clone());
    let act = request.act();
    let deleted = request
        .write(move |tx| {
            let Some(shipment) = shipments::find(tx, member.team, id)? else {
                return Ok::<_, ApiError>(None);
            };
            let is_pending = shipment.state == ShipmentState::Pending;
            if is_pending && !batching::remove_member(tx, member.team, &shipment, now)? {
                return Err(ApiError::Conflict(Message::new("batch-started")));
            }
            if planted::is("delete-without-check") {
                return Ok(planted::delete(tx, member.team, &shipment)?.then_some(()));
            }
            let kind = EventKind::ShipmentDeleted;
            let event = Event::of_shipment(event, kind, now, id, shipment.batch);
            if !shipments::delete(tx, member.team, id, &event, now)? {
                // An error, so that nothing of this is kept.
                let unknown = unknown::why_not(&app, &shipment, now);
                let why = unknown.unwrap_or_else(|| Message::new(why_not(&shipment)));
                return Err(ApiError::Conflict(why));
            }
            fulfilment::forget(tx, &app, member.team, &shipment, now)?;
            let done = (Action::ShipmentDeleted, &Subject::unnamed("shipment", id));
            audit::insert(tx, member.team, &act, done, &Changes::none())?;
            Ok(Some(()))
        })
        .await?;
    request.app.wake_runner();
    deleted.map(|()| Reply::nothing()).ok_or(ApiError::NotFound)
}

fn why_not(shipment: &Shipment) -> &'static str {
    match (shipment.state, shipment.ending) {
        // Its batch was stopped first.
        (ShipmentState::Cancelled, None) => "never-begun",
        (ShipmentState::Cancelled, Some(_)) => "cancelled-not-deletable",
        _ => "not-deletable",
    }
}
