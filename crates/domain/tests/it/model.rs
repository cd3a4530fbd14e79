//! The booking protocol, model-checked: two workers, a job with a lease and a fence, the shipment's
//! row, the log of intents, a network that loses and delays, and a carrier that books whatever
//! arrives. `decide` and `record` are the real ones.

mod properties;
mod protocol;
mod rows;
mod worker;
mod world;

use stateright::{Checker, Model};

use protocol::Protocol;

fn check(protocol: Protocol, states_min: usize) {
    let checker = protocol.checker().threads(2).spawn_bfs().join();
    eprintln!("{} {}", checker.unique_state_count(), checker.max_depth());
    checker.assert_properties();
    assert!(checker.unique_state_count() > states_min);
}

#[test]
fn idempotent() {
    check(Protocol::IDEMPOTENT, 100);
}
#[test]
fn lookup() {
    check(Protocol::lookup(), 100);
}
#[test]
fn blind() {
    check(Protocol::BLIND, 100);
}
