//! What a transaction writes when it has all its locks: what the statements of the store do, with
//! the conditions that they have.

use waybill_domain::wms::{Action, Level, RequestShipment, RequestState, Step, act};

use super::flaws::Flaw;
use super::rules::{find_stock, request_shipment};
use super::server::{End, Server, Task};
use super::world::{Data, Fate, ITEMS, LEVELS, Shipment, WANTED};

/// Whether the task changes anything now: with no change there is nothing to be checked.
pub fn is_wanted(task: Task, data: &Data, flaw: Option<Flaw>) -> bool {
    match task {
        Task::Adjust { level, delta } => adjusted(data, level, delta, flaw).is_some(),
        Task::Act(action, request) => decide(action, data, request, data.fate(request), flaw),
        Task::Report { .. } | Task::Delete(_) | Task::CancelShipment { .. } => true,
        Task::Follow(shipment) => {
            let request = data.shipments[shipment].request;
            data.requests[request].state == RequestState::Packed
        }
    }
}

/// Whether the action goes on, by the state of the request and what was read of its shipment.
fn decide(
    action: Action,
    data: &Data,
    request: usize,
    fate: Option<Fate>,
    flaw: Option<Flaw>,
) -> bool {
    let request_shipment = match (flaw, fate) {
        (Some(Flaw::UnclearIsFailed), Some(Fate::Unclear))
        | (Some(Flaw::HeldIsFailed), Some(Fate::Held)) => RequestShipment::Free,
        _ => request_shipment(fate),
    };
    match act(data.requests[request].state, action) {
        Step::To(_) | Step::LookForStock => true,
        Step::Book => request_shipment == RequestShipment::Free,
        Step::CancelUnlessBooking => {
            request_shipment == RequestShipment::Free || flaw == Some(Flaw::CancelledBesideShipment)
        }
        Step::AsItIs | Step::Refused => false,
    }
}

fn adjusted(data: &Data, level: usize, delta: i64, flaw: Option<Flaw>) -> Option<Level> {
    let before = data.stock[level].level;
    match flaw {
        Some(Flaw::AdjustedBelowReserved) => {
            let on_hand = before.on_hand + delta;
            (on_hand >= 0).then_some(Level { on_hand, ..before })
        }
        _ => before.adjusted(delta).ok(),
    }
}

/// Writes everything, or nothing when a condition does not hold.
pub fn commit(server: &Server, task: Task, data: &mut Data, flaw: Option<Flaw>) {
    match task {
        Task::Adjust { level, delta } => {
            if let Some(after) = adjusted(data, level, delta, flaw) {
                data.stock[level].level = after;
                data.stock[level].adjusted += delta;
                data.adjustments += 1;
            }
        }
        Task::Act(action, request) => {
            let is_unlocked = action == Action::Ship && server.stale.is_some();
            if is_unlocked || decide(action, data, request, server.fate, flaw) {
                write(server, action, data, request, flaw);
            }
        }
        Task::Report { shipment, from, end } => {
            let known = &mut data.shipments[shipment];
            if known.fate != from && flaw != Some(Flaw::NoFence) {
                return;
            }
            known.fate = end.fate();
            let is_late = from != Fate::Processing;
            let is_forgotten = is_late && flaw == Some(Flaw::LateSuccessForgotten);
            if end == End::Booked && flaw != Some(Flaw::ShippedApart) && !is_forgotten {
                ship(data, shipment, flaw);
            }
        }
        Task::Follow(shipment) => ship(data, shipment, flaw),
        Task::Delete(shipment) => {
            let known = &mut data.shipments[shipment];
            let is_free = request_shipment(Some(known.fate)) == RequestShipment::Free;
            if !is_free && flaw != Some(Flaw::DeletedUnclear) {
                return;
            }
            known.fate = Fate::Deleted;
            let request = &mut data.requests[known.request];
            if request.shipment == Some(shipment) || flaw == Some(Flaw::AnyForgotten) {
                request.shipment = None;
            }
        }
        Task::CancelShipment { shipment, from } => {
            let known = &mut data.shipments[shipment];
            if known.fate == from {
                known.fate = Fate::Cancelled { was_booked: from == Fate::Booked };
            }
        }
    }
}

fn write(server: &Server, action: Action, data: &mut Data, request: usize, flaw: Option<Flaw>) {
    let row = &mut data.requests[request];
    match act(row.state, action) {
        Step::LookForStock => reserve(server, data, request, flaw),
        Step::To(RequestState::Cancelled) | Step::CancelUnlessBooking => {
            if row.state.holds_stock() && flaw != Some(Flaw::KeptByCancelled) {
                for (stock, count) in data.stock.iter_mut().zip(row.allocations) {
                    stock.level = stock.level.released(count).unwrap_or(stock.level);
                }
            }
            row.state = RequestState::Cancelled;
            (row.allocations, row.missing) = ([0; LEVELS.len()], [0; ITEMS]);
        }
        Step::To(state) => row.state = state,
        Step::Book => {
            row.shipment = Some(data.shipments.len());
            data.shipments.push(Shipment { request, fate: Fate::Processing, is_taken: None });
        }
        Step::AsItIs | Step::Refused => {}
    }
}

fn reserve(server: &Server, data: &mut Data, request: usize, flaw: Option<Flaw>) {
    let mut levels = data.stock.map(|stock| stock.level);
    for (level, reserved) in levels.iter_mut().zip(server.stale.into_iter().flatten()) {
        level.reserved = reserved;
    }
    let available = levels.map(Level::available);
    let row = &mut data.requests[request];
    match find_stock(WANTED[request], available) {
        Ok(counts) => {
            row.state = RequestState::Allocated;
            (row.allocations, row.missing) = (counts, [0; ITEMS]);
            for ((stock, level), count) in data.stock.iter_mut().zip(levels).zip(counts) {
                if count > 0 {
                    stock.level = level.reserved(count).unwrap_or(stock.level);
                }
            }
        }
        Err(missing) => {
            (row.state, row.missing) = (RequestState::Backordered, missing);
            if flaw == Some(Flaw::PartlyKept) {
                for ((stock, count), (item, _)) in
                    data.stock.iter_mut().zip(&mut row.allocations).zip(LEVELS)
                {
                    *count = if missing[item] == 0 { stock.level.available().min(1) } else { 0 };
                    stock.level.reserved += *count;
                }
            }
        }
    }
}

/// The request of a shipment that becomes booked is shipped: what it has leaves, with a line of the
/// ledger for each level.
fn ship(data: &mut Data, shipment: usize, flaw: Option<Flaw>) {
    let request = data.shipments[shipment].request;
    let row = &mut data.requests[request];
    if row.state != RequestState::Packed && flaw != Some(Flaw::NoFence) {
        return;
    }
    row.state = RequestState::Shipped;
    for (stock, count) in data.stock.iter_mut().zip(row.allocations) {
        if count == 0 {
            continue;
        }
        let before = stock.level;
        stock.level = match flaw {
            Some(Flaw::LeftReserved) => Level { on_hand: before.on_hand - count, ..before },
            _ => before.shipped(count).unwrap_or(before),
        };
        if flaw != Some(Flaw::LedgerForgotten) {
            stock.adjusted -= count;
            stock.taken[request] += count;
        }
    }
}
