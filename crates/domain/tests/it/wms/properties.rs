//! What must hold in every state, and what must be able to happen.

use stateright::Property;
use waybill_domain::wms::RequestState;

use super::world::{Data, Fate, ITEMS, LEVELS, REQUESTS, WANTED};
use super::{Warehouse, World};

pub const ENOUGH: &str = "what is reserved is there";
pub const ADDS_UP: &str = "what is on hand is the sum of the ledger";
pub const RESERVED: &str = "what is reserved is what requests have";
pub const ALL_OR_NOTHING: &str = "a request has all that it wants or nothing";
pub const LEAVES_ONCE: &str = "stock leaves once for what is shipped and never for another";
pub const SHIPPED: &str = "shipped is what has one booked shipment";
pub const ONE_ALIVE: &str = "a request has no two shipments that are or may be booked";
pub const BOOKED_ONCE: &str = "the carrier takes one parcel for a request";
pub const NAMED: &str = "a request names the shipment that is or may be booked";
pub const SILENT: &str = "what the carrier took is known or being found out";
pub const NO_CIRCLE: &str = "nobody waits for who waits for him";

/// Holds for all requests.
fn each(world: &World, holds: impl Fn(&Data, usize) -> bool) -> bool {
    (0..REQUESTS).all(|request| holds(&world.data, request))
}

fn state(data: &Data, request: usize) -> RequestState {
    data.requests[request].state
}

/// What a request has of each item, by a count of each level.
fn by_item(counts: impl Fn(usize) -> i64) -> [i64; ITEMS] {
    let mut sums = [0; ITEMS];
    for (level, (item, _)) in LEVELS.iter().enumerate() {
        sums[*item] += counts(level);
    }
    sums
}

fn is_enough(_: &Warehouse, world: &World) -> bool {
    world.data.stock.iter().all(|stock| stock.level.is_sound())
}

fn adds_up(_: &Warehouse, world: &World) -> bool {
    world.data.stock.iter().all(|stock| stock.level.on_hand == stock.adjusted)
}

fn is_reserved_for_requests(_: &Warehouse, world: &World) -> bool {
    let held = |level: usize| -> i64 {
        let requests = world.data.requests.iter().filter(|request| request.state.holds_stock());
        requests.map(|request| request.allocations[level]).sum()
    };
    world.data.stock.iter().enumerate().all(|(level, row)| row.level.reserved == held(level))
}

fn is_all_or_nothing(_: &Warehouse, world: &World) -> bool {
    each(world, |data, request| {
        let row = &data.requests[request];
        let lacks = row.missing.iter().any(|count| *count > 0);
        let has = by_item(|level| row.allocations[level]);
        let is_right = match row.state {
            state if state.holds_stock() => has == WANTED[request],
            // It may still tell where its stock was.
            RequestState::Shipped => true,
            _ => has == [0; ITEMS],
        };
        is_right && lacks == (row.state == RequestState::Backordered)
    })
}

fn leaves_once(_: &Warehouse, world: &World) -> bool {
    each(world, |data, request| {
        let taken = by_item(|level| data.stock[level].taken[request]);
        match state(data, request) {
            RequestState::Shipped => taken == WANTED[request],
            _ => taken == [0; ITEMS],
        }
    })
}

fn is_shipped_once_booked(_: &Warehouse, world: &World) -> bool {
    each(world, |data, request| {
        let booked = data.shipments_of(request).filter(|one| one.fate.was_booked()).count();
        booked == usize::from(state(data, request) == RequestState::Shipped)
    })
}

fn has_one_alive(_: &Warehouse, world: &World) -> bool {
    each(world, |data, request| {
        let is_or_was = |fate: Fate| fate.is_live() || fate.was_booked();
        data.shipments_of(request).filter(|one| is_or_was(one.fate)).count() <= 1
    })
}

/// One that was cancelled there before it was ever booked here is nobody's any more.
fn is_taken_once(_: &Warehouse, world: &World) -> bool {
    each(world, |data, request| {
        let is_given_back = |fate: Fate| fate == Fate::Cancelled { was_booked: false };
        let taken = data.shipments_of(request).filter(|one| one.is_taken == Some(true));
        taken.filter(|one| !is_given_back(one.fate)).count() <= 1
    })
}

fn is_named(_: &Warehouse, world: &World) -> bool {
    let numbered = world.data.shipments.iter().enumerate();
    let mut alive = numbered.filter(|(_, one)| one.fate.is_live());
    alive.all(|(number, one)| world.data.requests[one.request].shipment == Some(number))
}

fn is_known(_: &Warehouse, world: &World) -> bool {
    let is_lost = |fate| matches!(fate, Fate::Failed | Fate::Deleted);
    let mut taken = world.data.shipments.iter().filter(|one| one.is_taken == Some(true));
    taken.all(|one| !is_lost(one.fate))
}

fn goes_on(warehouse: &Warehouse, world: &World) -> bool {
    let [one, other] = &world.servers;
    let waits = |one: &super::Server, other| one.waits_for(&world.data, other, warehouse.flaw);
    !(waits(one, other) && waits(other, one))
}

pub fn all() -> Vec<Property<Warehouse>> {
    vec![
        Property::always(ENOUGH, is_enough),
        Property::always(ADDS_UP, adds_up),
        Property::always(RESERVED, is_reserved_for_requests),
        Property::always(ALL_OR_NOTHING, is_all_or_nothing),
        Property::always(LEAVES_ONCE, leaves_once),
        Property::always(SHIPPED, is_shipped_once_booked),
        Property::always(ONE_ALIVE, has_one_alive),
        Property::always(BOOKED_ONCE, is_taken_once),
        Property::always(NAMED, is_named),
        Property::always(SILENT, is_known),
        Property::always(NO_CIRCLE, goes_on),
        Property::sometimes("a second shipment ships after a refusal", |_, world: &World| {
            let shipped = |data: &Data, request| state(data, request) == RequestState::Shipped;
            (0..REQUESTS).any(|request| {
                let mut made = world.data.shipments_of(request);
                shipped(&world.data, request) && made.any(|one| one.fate == Fate::Failed)
            })
        }),
        Property::sometimes(
            "one that was backordered is shipped after the other's cancel",
            |_, world: &World| {
                let states = [state(&world.data, 0), state(&world.data, 1)];
                states == [RequestState::Cancelled, RequestState::Shipped]
            },
        ),
        Property::sometimes("both have stock, once more was brought", |_, world: &World| {
            world.data.requests.iter().all(|request| request.state.holds_stock())
        }),
        Property::sometimes(
            "a request is cancelled after its shipment was deleted",
            |_, world: &World| {
                (0..REQUESTS).any(|request| {
                    let mut made = world.data.shipments_of(request);
                    state(&world.data, request) == RequestState::Cancelled
                        && made.any(|one| one.fate == Fate::Deleted)
                })
            },
        ),
        Property::sometimes("one waits for the other", |warehouse: &Warehouse, world: &World| {
            let [one, other] = &world.servers;
            one.waits_for(&world.data, other, warehouse.flaw)
        }),
    ]
}
