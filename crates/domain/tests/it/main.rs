//! The protocols of booking, printing, print agents and warehouses, checked in every order in which
//! things can happen.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agents;
mod model;
mod permutations;
mod printing;
mod wms;

use std::hash::Hash;

use stateright::{Checker, Model};

/// Visits every state and holds every property against it. The floor is there because a check of
/// nothing passes as well.
#[track_caller]
fn check<M>(model: M, states_min: usize)
where
    M: Model + Send + Sync + 'static,
    M::State: std::fmt::Debug + Hash + Clone + PartialEq + Send + Sync,
    M::Action: std::fmt::Debug + Clone + PartialEq,
{
    let checker = model.checker().threads(2).spawn_bfs().join();
    checker.assert_properties();
    let states = checker.unique_state_count();
    assert!(states >= states_min, "only {states} states");
}
