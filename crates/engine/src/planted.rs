//! The mistakes made on purpose that take more than a question. Without the feature `planted-bugs`
//! none can be made: every answer here is a constant.

#[cfg(feature = "planted-bugs")]
use waybill_domain::booking::Permit;
use waybill_domain::ids::TeamId;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_domain::wms::RequestShipment;
pub use waybill_outbound::planted::is;
use waybill_store::carrier_calls::Intent;
use waybill_store::shipments::Shipment;
use waybill_store::wms::fulfilments::Fulfilment;
use waybill_store::wms::stock;
use waybill_store::{Error, Tx};

/// `no-intent`: the right to send, although nothing was written.
#[cfg(feature = "planted-bugs")]
pub fn unwritten_intent(now: Time) -> Option<Intent> {
    let intent = |permit| Intent { number: 1, started_at: now, permit };
    is("no-intent").then(|| intent(Permit::for_committed_intent()))
}

/// Without the feature there is no such right.
#[cfg(not(feature = "planted-bugs"))]
pub fn unwritten_intent(_now: Time) -> Option<Intent> {
    None
}

/// `delete-without-check`: hides the shipment, whatever a carrier may have of it.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, old: &Shipment) -> Result<bool, Error> {
    let deleted = Shipment { state: ShipmentState::Deleted, ..old.clone() };
    waybill_store::shipments::change(tx, team, old.step, &deleted, None)
}

/// `key-by-token`: a key counts for one token only, not for the whole team.
pub fn key(key: &str, token: Option<&str>) -> String {
    match token {
        Some(token) if is("key-by-token") => {
            let end: String = token.chars().rev().take(8).collect();
            format!("{key}-{end}")
        }
        _ => key.to_owned(),
    }
}

/// `wms-ship-held` and `wms-ship-twice`: there may be another shipment beside one that the carrier
/// has or may have, or beside one that is being booked.
pub fn request_shipment(request_shipment: RequestShipment) -> RequestShipment {
    match request_shipment {
        RequestShipment::Held if is("wms-ship-held") => RequestShipment::Free,
        RequestShipment::UnderWay if is("wms-ship-twice") => RequestShipment::Free,
        other => other,
    }
}

/// `wms-partly-kept`: what there was of it stays reserved, although something was lacking.
pub fn keep_part(
    tx: &mut Tx<'_>,
    team: TeamId,
    request: &Fulfilment,
    missing: &[i64],
    now: Time,
) -> Result<(), Error> {
    if is("wms-partly-kept") {
        let mut part = request.clone();
        let mut missing = missing.iter();
        part.lines.retain(|_| missing.next() == Some(&0));
        stock::reserve(tx, team, &part, now)?;
    }
    Ok(())
}
