//! The mistakes made on purpose that take more than a question. Without the feature `planted-bugs`
//! none can be made: every answer here is a constant.

#[cfg(feature = "planted-bugs")]
use waybill_domain::booking::Permit;
use waybill_domain::ids::TeamId;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
pub use waybill_outbound::planted::is;
use waybill_store::carrier_calls::Intent;
use waybill_store::shipments::Shipment;
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
