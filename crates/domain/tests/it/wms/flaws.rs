//! The checker is worth something because it finds what is wrong: each way to break the warehouse
//! breaks a law.

use std::collections::BTreeSet;

use stateright::{Checker, HasDiscoveries, Model};

use super::Warehouse;
use super::properties::{
    ADDS_UP, ALL_OR_NOTHING, BOOKED_ONCE, ENOUGH, LEAVES_ONCE, NAMED, NO_CIRCLE, ONE_ALIVE,
    RESERVED, SHIPPED, SILENT,
};

/// A way to get it wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flaw {
    /// Levels are read without a lock, and written as they were then.
    Unguarded,
    /// Items are locked in the order in which a request names them.
    AnyOrder,
    /// What there was of it stays reserved, although something was lacking.
    PartlyKept,
    /// An adjustment looks at what is on hand, not at what is reserved of it.
    AdjustedBelowReserved,
    /// A cancelled request keeps its reservations.
    KeptByCancelled,
    /// A request is cancelled whatever becomes of its shipment.
    CancelledBesideShipment,
    /// A request is read, and shipped without a look whether it changed.
    ShippedUnlocked,
    /// A deadline counts as a refusal.
    UnclearIsFailed,
    /// A shipment without documents counts as refused.
    HeldIsFailed,
    /// The request follows its shipment in a commit of its own.
    ShippedApart,
    /// A late success is the shipment's alone.
    LateSuccessForgotten,
    /// Stock leaves without a line of the ledger.
    LedgerForgotten,
    /// A worker that comes too late writes as well.
    NoFence,
    /// What is reserved is not given back when it leaves.
    LeftReserved,
    /// Deleting a shipment makes its request forget the one that it names now.
    AnyForgotten,
    /// A shipment that the carrier may have is deleted.
    DeletedUnclear,
}

/// The flaw breaks this law.
#[track_caller]
fn breaks(flaw: Flaw, law: &'static str) {
    let is_found = HasDiscoveries::AllOf(BTreeSet::from([law]));
    let warehouse = Warehouse { flaw: Some(flaw) };
    let checker = warehouse.checker().threads(2).finish_when(is_found).spawn_bfs().join();
    let states = checker.unique_state_count();
    assert!(checker.discovery(law).is_some(), "{flaw:?} goes unseen in {states} states");
}

#[test]
fn without_a_guard_more_is_reserved_than_there_is() {
    breaks(Flaw::Unguarded, RESERVED);
}

#[test]
fn without_one_order_of_locks_two_wait_for_each_other() {
    breaks(Flaw::AnyOrder, NO_CIRCLE);
}

#[test]
fn a_part_that_stays_reserved_is_seen() {
    breaks(Flaw::PartlyKept, ALL_OR_NOTHING);
}

#[test]
fn an_adjustment_that_takes_what_is_reserved_leaves_too_little() {
    breaks(Flaw::AdjustedBelowReserved, ENOUGH);
}

#[test]
fn a_cancelled_request_that_keeps_its_stock_is_seen() {
    breaks(Flaw::KeptByCancelled, RESERVED);
}

#[test]
fn a_request_that_is_cancelled_beside_its_shipment_is_sent_all_the_same() {
    breaks(Flaw::CancelledBesideShipment, SHIPPED);
}

#[test]
fn two_who_ship_without_a_lock_send_two_parcels() {
    breaks(Flaw::ShippedUnlocked, ONE_ALIVE);
    breaks(Flaw::ShippedUnlocked, BOOKED_ONCE);
}

#[test]
fn a_deadline_that_counts_as_refused_sends_two_parcels() {
    breaks(Flaw::UnclearIsFailed, BOOKED_ONCE);
}

#[test]
fn lacking_documents_that_count_as_refused_send_two_parcels() {
    breaks(Flaw::HeldIsFailed, BOOKED_ONCE);
}

#[test]
fn between_two_commits_a_booked_shipment_is_not_shipped() {
    breaks(Flaw::ShippedApart, SHIPPED);
}

#[test]
fn a_late_success_that_ships_nothing_is_seen() {
    breaks(Flaw::LateSuccessForgotten, SHIPPED);
}

#[test]
fn stock_that_leaves_without_a_line_is_missed() {
    breaks(Flaw::LedgerForgotten, ADDS_UP);
    breaks(Flaw::LedgerForgotten, LEAVES_ONCE);
}

#[test]
fn a_late_worker_takes_the_stock_twice() {
    breaks(Flaw::NoFence, LEAVES_ONCE);
}

#[test]
fn stock_that_left_and_is_still_reserved_is_seen() {
    breaks(Flaw::LeftReserved, RESERVED);
}

#[test]
fn a_request_that_forgets_the_wrong_shipment_is_seen() {
    breaks(Flaw::AnyForgotten, NAMED);
}

#[test]
fn a_deleted_shipment_that_the_carrier_has_is_missed() {
    breaks(Flaw::DeletedUnclear, SILENT);
}
