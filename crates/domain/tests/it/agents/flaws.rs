//! The checker is worth something because it finds what is wrong: each way to break the rules
//! prints twice, or prints what was given up.

use std::collections::BTreeSet;

use stateright::{Checker, HasDiscoveries, Model};

use super::Protocol;

/// A way to get it wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flaw {
    /// The agent prints before it knows that the job is its own.
    PrintUntaken,
    /// The server offers what somebody has.
    OfferHeld,
    /// A job belongs to the agent and not to its spool.
    AnySpool,
    /// A session that is over may call.
    AnySession,
}

#[track_caller]
fn breaks(flaw: Flaw, law: &'static str) {
    let is_found = HasDiscoveries::AllOf(BTreeSet::from([law]));
    let protocol = Protocol { flaw: Some(flaw) };
    let checker = protocol.checker().threads(2).finish_when(is_found).spawn_bfs().join();
    assert!(checker.discovery(law).is_some(), "{flaw:?} goes unseen");
}

const ONCE: &str = "nothing is printed twice";

#[test]
fn an_agent_that_does_not_wait_for_the_answer_prints_what_was_given_up() {
    breaks(Flaw::PrintUntaken, "what was given up is not printed");
}

#[test]
fn an_agent_that_does_not_wait_for_the_answer_prints_what_another_prints() {
    breaks(Flaw::PrintUntaken, ONCE);
}

#[test]
fn a_job_that_is_offered_after_it_was_taken_is_printed_twice() {
    breaks(Flaw::OfferHeld, ONCE);
}

#[test]
fn a_job_that_another_spool_holds_is_printed_twice() {
    breaks(Flaw::AnySpool, ONCE);
}

#[test]
fn a_report_of_a_session_that_is_over_prints_twice() {
    breaks(Flaw::AnySession, ONCE);
}
