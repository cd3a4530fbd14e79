//! Waiting for a booking to end.

use std::time::Duration;

use waybill_domain::ids::ShipmentId;
use waybill_domain::shipment::ShipmentState;
use waybill_engine::wake::Waiter;
use waybill_store::documents::Document;
use waybill_store::shipments::Shipment;

use super::load::load;
use crate::caller::Member;
use crate::reply::ApiError;
use crate::request::Request;

/// Where another process may do the booking, its hint may be lost.
const LOOK: Duration = Duration::from_millis(250);

/// Waits for a booking to end, or for so long: the shipment as the store knows it then. A team with
/// very many who wait does not wait at all.
pub async fn wait(
    request: &Request,
    member: Member,
    id: ShipmentId,
    mut waiter: Waiter,
    longest: Duration,
) -> Result<(Shipment, Vec<Document>), ApiError> {
    let (api, start) = (&request.api, request.app.monotonic());
    let slot = api.waiting_bookings().take(member.team, api.waiting_bookings_max());
    let until = slot.as_ref().map_or(start, |_| start + longest);
    loop {
        let left = until.saturating_sub(request.app.monotonic());
        let pause = if request.app.store().is_shared() { left.min(LOOK) } else { left };
        let _signal_or_time = tokio::time::timeout(pause, waiter.wait()).await;
        // Who booked it in this process has it at hand.
        if let Some(done) = waiter.news().filter(|news| is_over(&news.shipment)) {
            return Ok((done.shipment.clone(), done.files.clone()));
        }
        let (shipment, files) = load(request, member, id).await?.ok_or(ApiError::NotFound)?;
        if is_over(&shipment) || request.app.monotonic() >= until {
            return Ok((shipment, files));
        }
    }
}

/// Documents that are tried again go on like the booking itself.
pub fn is_over(shipment: &Shipment) -> bool {
    shipment.ending.is_some() && shipment.state != ShipmentState::Processing
}
