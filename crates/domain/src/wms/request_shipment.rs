//! What the shipment of a packed request means for it.

use crate::booking::{Held, Step};
use crate::shipment::ShipmentState;

/// How it is with the shipment that was made for a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestShipment {
    /// Nothing was booked, or it was cancelled: there may be another shipment.
    Free,
    /// It is being booked, or its documents are made: whoever asks waits for that.
    UnderWay,
    /// The carrier has it, whole or in part, or may have it: nothing else may be booked.
    Held,
    /// It is booked.
    Booked,
}

impl RequestShipment {
    /// From what is known of the shipment.
    pub fn of(state: ShipmentState, step: Step, held: Held) -> RequestShipment {
        match state {
            ShipmentState::Pending | ShipmentState::Processing => RequestShipment::UnderWay,
            ShipmentState::Booked => RequestShipment::Booked,
            ShipmentState::Failed if step.is_open() || held != Held::Nothing => {
                RequestShipment::Held
            }
            ShipmentState::Failed | ShipmentState::Cancelled | ShipmentState::Deleted => {
                RequestShipment::Free
            }
        }
    }
}
