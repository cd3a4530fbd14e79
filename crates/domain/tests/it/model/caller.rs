//! What callers do once a booking has ended: ask for its documents again, or cancel it. This
//! follows `recover.rs` of the shipments of `waybill-api`, and `waybill_engine::cancellation`.

use waybill_domain::booking::{Seen, Step, may_be_cancelled, record};

use super::protocol::{Flaw, Protocol};
use super::rows;
use super::world::{Cancel, World, moment};

impl Protocol {
    /// One transaction: the row is read under a lock. While a cancellation is not settled, it is
    /// refused.
    pub fn wish_documents(&self, world: &mut World) {
        let mut row = world.row.clone();
        if self.has(Flaw::RecoverByCopy) {
            row.is_cancelled = false;
        }
        let is_settled = world.cancel == Cancel::No || self.has(Flaw::RecoverByCopy);
        let change = record(&self.booking(&row), Seen::DocumentsWanted, moment(world.now));
        if world.wishes == 0 || !is_settled || change.step != Step::Accepted {
            return;
        }
        row.apply(&change);
        row.is_reopened = true;
        world.row = row;
        world.wishes -= 1;
        rows::schedule(world);
    }

    /// The shipment is booked or failed, so the carrier is asked, and cancels what it has. Asking
    /// again would change nothing.
    pub fn cancel_there(&self, world: &mut World) {
        let row = &world.row;
        let is_possible = !row.is_reopened && may_be_cancelled(&self.booking(row));
        if world.cancel == Cancel::No && is_possible {
            world.cancel = Cancel::Made(row.step);
        }
    }

    /// One transaction, however long after. The row is read again under a lock.
    pub fn cancel_here(&self, world: &mut World) {
        let Cancel::Made(step) = world.cancel else { return };
        world.cancel = Cancel::Written;
        if self.has(Flaw::CancelByCopy) && world.row.step != step {
            return;
        }
        let change = record(&self.booking(&world.row), Seen::Cancelled, moment(world.now));
        if change.is_cancelled {
            world.row.apply(&change);
            world.row.is_reopened = false;
        }
    }
}
