//! The states of a fulfilment request, and which action leads where.

use crate::named::named;

named! {
    /// How far a request is.
    RequestState {
        Received = "received",
        Allocated = "allocated",
        Backordered = "backordered",
        Picking = "picking",
        Packed = "packed",
        Shipped = "shipped",
        Cancelled = "cancelled",
    }
    /// What can be done with a request.
    Action {
        Allocate = "allocate",
        Pick = "pick",
        Pack = "pack",
        Ship = "ship",
        Cancel = "cancel",
    }
}

impl RequestState {
    /// Whether stock is promised to a request in this state.
    pub fn holds_stock(self) -> bool {
        matches!(self, RequestState::Allocated | RequestState::Picking | RequestState::Packed)
    }

    /// Whether nothing follows any more.
    pub fn is_over(self) -> bool {
        matches!(self, RequestState::Shipped | RequestState::Cancelled)
    }
}

/// What an action does to a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It is done already: nothing changes.
    AsItIs,
    /// The request becomes this.
    To(RequestState),
    /// Stock is looked for: `allocated` when there is enough, else `backordered`.
    LookForStock,
    /// Its shipment is booked, unless one is that the carrier has or may have.
    Book,
    /// It is cancelled, unless it has a shipment that the carrier has or may have.
    CancelUnlessBooking,
    /// Not from here: 409.
    Refused,
}

/// What an action does to a request in this state. The whole table of the contract.
pub fn act(state: RequestState, action: Action) -> Step {
    use RequestState::{Allocated, Backordered, Cancelled, Packed, Picking, Received, Shipped};
    match (action, state) {
        (Action::Allocate, Received | Backordered) => Step::LookForStock,
        (Action::Allocate, Allocated)
        | (Action::Pick, Picking)
        | (Action::Pack, Packed)
        | (Action::Ship, Shipped)
        | (Action::Cancel, Cancelled) => Step::AsItIs,
        (Action::Pick, Allocated) => Step::To(Picking),
        (Action::Pack, Picking) => Step::To(Packed),
        (Action::Ship, Packed) => Step::Book,
        (Action::Cancel, Received | Backordered | Allocated | Picking) => Step::To(Cancelled),
        (Action::Cancel, Packed) => Step::CancelUnlessBooking,
        _ => Step::Refused,
    }
}
