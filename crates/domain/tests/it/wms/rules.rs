//! What the real functions say of the rows.

use waybill_domain::booking::{Held, Step as BookingStep};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::wms::{Allocation, RequestShipment, Shelf, Take, Wanted, allocate};

use super::world::{Fate, ITEMS, LEVELS};

/// What becomes of a request for stock: what is taken of each level, or what is lacking of each
/// item.
pub fn find_stock(
    wanted: [i64; ITEMS],
    available: [i64; LEVELS.len()],
) -> Result<[i64; LEVELS.len()], [i64; ITEMS]> {
    let shelves = |item: usize| {
        // In another order than that of their names, which is not the caller's to keep.
        let levels = LEVELS.iter().zip(available).rev();
        let of_item = levels.filter(move |((known, _), _)| *known == item);
        of_item
            .map(|((_, location), available)| Shelf { location: (*location).to_owned(), available })
    };
    let lines: Vec<Wanted> = wanted
        .iter()
        .enumerate()
        .map(|(item, quantity)| Wanted { quantity: *quantity, shelves: shelves(item).collect() })
        .collect();
    match allocate(&lines) {
        Allocation::Short(missing) => Err(missing.try_into().unwrap()),
        Allocation::Scattered => unreachable!("there are few places"),
        Allocation::Whole(takes) => Ok(LEVELS.map(|(item, location)| {
            let of_level = |take: &&Take| take.location == location;
            takes[item].iter().filter(of_level).map(|take| take.quantity).sum()
        })),
    }
}

/// What the shipment of a request means for it.
pub fn request_shipment(fate: Option<Fate>) -> RequestShipment {
    let (state, step, held) = match fate {
        None => return RequestShipment::Free,
        Some(Fate::Processing) => (ShipmentState::Processing, BookingStep::Calling, Held::Nothing),
        Some(Fate::Failed) => (ShipmentState::Failed, BookingStep::Done, Held::Nothing),
        Some(Fate::Unclear) => (ShipmentState::Failed, BookingStep::Unknown, Held::Nothing),
        Some(Fate::Held) => (ShipmentState::Failed, BookingStep::Done, Held::All),
        Some(Fate::Booked) => (ShipmentState::Booked, BookingStep::Done, Held::All),
        Some(Fate::Cancelled { .. }) => {
            (ShipmentState::Cancelled, BookingStep::Done, Held::Nothing)
        }
        Some(Fate::Deleted) => (ShipmentState::Deleted, BookingStep::Done, Held::Nothing),
    };
    RequestShipment::of(state, step, held)
}
