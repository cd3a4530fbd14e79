//! A failed shipment that the carrier may have: what can and cannot be done with it here.

use waybill_domain::booking::Note;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_domain::words::Message;
use waybill_engine::app::App;
use waybill_engine::booking;
use waybill_store::shipments::Shipment;

/// Why it can neither be cancelled nor deleted and has no documents: one answer to all of them, so
/// that they agree. Nothing when the outcome is known, or is waited for.
pub fn why_not(app: &App, shipment: &Shipment, now: Time) -> Option<Message> {
    if shipment.state != ShipmentState::Failed || !shipment.step.is_open() {
        return None;
    }
    let is_restored = shipment.has_note(Note::Restored);
    let key = match booking::booking_of(app, shipment).is_asked(now) {
        _ if is_restored => "outcome-restored",
        true => "outcome-asked",
        false => "outcome-unknown",
    };
    Some(Message::new(key).text("carrier", booking::carrier_name(app, shipment)))
}
