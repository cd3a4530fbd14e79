//! What is different between a carrier and this database, and what to do about it.

use waybill_domain::shipment::ShipmentState;
use waybill_store::carrier_calls::KnownShipment;

/// A difference that somebody has to see to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is.
    pub what: &'static str,
    /// What to do about it.
    pub advice: &'static str,
}

const UNKNOWN_HERE: Difference = Difference {
    what: "booked with the carrier, unknown here",
    advice: "Use it or cancel it with the carrier: it cannot be seen from here.",
};
const DELETED_HERE: Difference = Difference {
    what: "booked with the carrier, deleted here",
    advice: "Use it or cancel it with the carrier: it cannot be seen from here.",
};
const CANCELLED_HERE: Difference = Difference {
    what: "booked with the carrier, cancelled here",
    advice: "Cancel it with the carrier: here it stays cancelled.",
};
const FAILED_HERE: Difference = Difference {
    what: "booked with the carrier, failed here",
    advice: "Do not book it again. If it does not become booked here by itself, use it or cancel \
             it with the carrier.",
};
const FAILED_HERE_UNASKED: Difference = Difference {
    what: FAILED_HERE.what,
    advice: "Do not book it again: use it or cancel it with the carrier. Nobody here asks for it. \
             Once it is cancelled there, note that with --not-booked.",
};
const NOT_YET_HERE: Difference = Difference {
    what: "booked with the carrier, not booked here yet",
    advice: "Start the server, and ask again when it is booked or failed here.",
};
const CANCELLED_THERE: Difference = Difference {
    what: "cancelled with the carrier, booked here",
    advice: "Cancel the shipment here too: to the carrier that is harmless.",
};
const CANCELLED_THERE_FAILED: Difference = Difference {
    what: "cancelled with the carrier, failed here",
    advice: "Cancel the shipment here too, and do not make its documents.",
};
const CANCELLED_THERE_UNDECIDED: Difference = Difference {
    what: "cancelled with the carrier, failed here",
    advice: "Nothing is booked. Note that with --not-booked, and book again what is still wanted.",
};
const CANCELLED_THERE_NOT_YET: Difference = Difference {
    what: "cancelled with the carrier, not booked here yet",
    advice: "Do not use its label. Start the server, and ask again when it is booked or failed \
             here.",
};

impl Difference {
    /// The same of a shipment that nobody here asks the carrier about any more.
    pub fn when_undecided(self) -> Difference {
        if self == FAILED_HERE { FAILED_HERE_UNASKED } else { self }
    }
}

/// What is different; nothing when nobody has to see to it.
pub fn find_difference(known: Option<&KnownShipment>, is_cancelled: bool) -> Option<Difference> {
    let Some(known) = known else { return (!is_cancelled).then_some(UNKNOWN_HERE) };
    use ShipmentState::{Booked, Cancelled, Deleted, Failed, Pending, Processing};
    match (known.state, is_cancelled) {
        (Booked, true) => Some(CANCELLED_THERE),
        (Failed, true) if known.is_accepted => Some(CANCELLED_THERE_FAILED),
        (Failed, true) if known.is_open => Some(CANCELLED_THERE_UNDECIDED),
        (Pending | Processing, true) => Some(CANCELLED_THERE_NOT_YET),
        (Cancelled, false) => Some(CANCELLED_HERE),
        (Deleted, false) => Some(DELETED_HERE),
        // A failed shipment that knows that the carrier has it tells so itself.
        (Failed, false) if !known.is_accepted => Some(FAILED_HERE),
        (Pending | Processing, false) if !known.is_accepted => Some(NOT_YET_HERE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cancellation_that_is_not_known_here_is_a_difference() {
        let id = waybill_domain::ids::ShipmentId(uuid::Uuid::nil());
        use ShipmentState::{Booked, Cancelled, Failed, Pending, Processing};
        let known = |state, is_accepted, is_open| {
            find_difference(Some(&KnownShipment { id, state, is_accepted, is_open }), true)
        };
        assert_eq!(known(Booked, true, false), Some(CANCELLED_THERE));
        assert_eq!(known(Failed, true, false), Some(CANCELLED_THERE_FAILED));
        assert_eq!(known(Failed, false, true), Some(CANCELLED_THERE_UNDECIDED));
        assert_eq!(known(Processing, true, false), Some(CANCELLED_THERE_NOT_YET));
        assert_eq!(known(Pending, false, false), Some(CANCELLED_THERE_NOT_YET));
        // It was refused here: what was booked and cancelled was another one.
        assert_eq!(known(Failed, false, false), None);
        assert_eq!((known(Cancelled, true, false), find_difference(None, true)), (None, None));
    }
}
