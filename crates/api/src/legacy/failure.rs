//! A booking without a label.

use axum::http::StatusCode;
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::ShipmentId;
use waybill_domain::words::Message;

/// Why there is no label.
#[derive(Debug)]
pub struct LegacyFailure {
    /// 424, 502 or 504.
    pub status: StatusCode,
    /// The shipment, which is stored.
    pub shipment: ShipmentId,
    /// What happened.
    pub message: Message,
    /// What the carrier said of single fields, by their v1 names.
    pub errors: FieldErrors,
    /// Whether it was said before, for the same key.
    pub is_replayed: bool,
}
