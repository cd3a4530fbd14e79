//! The booking protocol, model-checked in every order in which things can happen.
//!
//! Two workers, a job with a lease and a fence, the shipment's row, the log of intents, a network
//! that loses and delays, and a carrier that books whatever arrives. A worker can stop between any
//! two actions for as long as it likes, or crash; time goes on. Once a booking has ended, callers
//! ask for its documents again and cancel it. `decide` and `record` are the real ones; `rows.rs`,
//! `worker.rs` and `caller.rs` follow `waybill-store`, `waybill_worker::book` and what callers do.
//!
//! Not in here: clocks of servers that disagree, a database that was lost, a stop between the check
//! of the budget and the first byte, and a carrier that forgets.

mod caller;
mod flaws;
mod merge;
mod properties;
mod protocol;
mod rows;
mod worker;
mod world;

use crate::check;
use protocol::Protocol;

#[test]
fn an_idempotent_carrier_books_once_whatever_happens() {
    check(Protocol::idempotent(), 84_000);
}

#[test]
fn a_carrier_that_can_be_asked_books_once_whatever_happens() {
    check(Protocol::lookup(), 140_000);
}

#[test]
fn a_carrier_that_cannot_be_asked_books_once_whatever_happens() {
    check(Protocol::blind(), 28_000);
}

#[test]
fn what_a_carrier_has_is_booked_or_cancelled_and_never_called_for_again() {
    check(Protocol::after_acceptance(), 10_000);
}

#[test]
fn what_a_carrier_has_in_part_gets_documents_or_is_cancelled_and_is_never_booked() {
    check(Protocol::after_partial_acceptance(), 1_000);
}
