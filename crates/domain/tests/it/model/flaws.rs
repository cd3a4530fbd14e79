//! The checker is worth something because it finds what is wrong: each way to break the protocol
//! breaks a property.

use std::collections::BTreeSet;

use stateright::{Checker, HasDiscoveries, Model};

use super::properties::{CANCEL_KEPT, HEARD, INTENT, KEPT, NOT_AFTER, NOT_READY, ONCE, TRUTH};
use super::protocol::{Flaw, Protocol};

/// The flaw breaks this law. The search ends as soon as it is seen to.
#[track_caller]
fn breaks(protocol: Protocol, flaw: Flaw, law: &'static str) {
    let is_found = HasDiscoveries::AllOf(BTreeSet::from([law]));
    let protocol = protocol.with(flaw);
    let checker = protocol.checker().threads(2).finish_when(is_found).spawn_bfs().join();
    let states = checker.unique_state_count();
    assert!(checker.discovery(law).is_some(), "{flaw:?} goes unseen in {states} states");
}

#[test]
fn without_an_intent_a_crash_books_twice() {
    for protocol in [Protocol::idempotent(), Protocol::lookup(), Protocol::blind()] {
        breaks(protocol.clone(), Flaw::NoIntent, INTENT);
        breaks(protocol, Flaw::NoIntent, ONCE);
    }
}

#[test]
fn an_unclear_answer_that_counts_as_not_sent_books_twice() {
    breaks(Protocol::lookup(), Flaw::RetryUnclear, ONCE);
    breaks(Protocol::blind(), Flaw::RetryUnclear, ONCE);
}

#[test]
fn without_the_fence_a_frozen_worker_books_twice() {
    breaks(Protocol::lookup(), Flaw::NoFence, ONCE);
}

#[test]
fn without_the_send_budget_a_frozen_worker_books_twice() {
    breaks(Protocol::lookup(), Flaw::NoBudget, ONCE);
}

#[test]
fn a_settle_time_that_is_one_tick_too_short_books_twice() {
    breaks(Protocol::lookup(), Flaw::SettleTooShort, ONCE);
}

#[test]
fn a_miss_that_is_believed_at_once_books_twice() {
    breaks(Protocol::lookup(), Flaw::NoSettle, ONCE);
}

#[test]
fn a_miss_that_is_believed_without_a_canary_books_twice() {
    breaks(Protocol::lookup(), Flaw::NoCanary, ONCE);
}

#[test]
fn a_miss_that_is_believed_by_a_clock_which_was_set_books_twice() {
    breaks(Protocol::lookup(), Flaw::TrustedClock, ONCE);
}

#[test]
fn a_miss_that_is_dated_when_it_is_written_books_twice() {
    breaks(Protocol::lookup(), Flaw::LateMiss, ONCE);
}

#[test]
fn a_repetition_that_counts_as_the_attempt_itself_books_twice() {
    breaks(Protocol::idempotent(), Flaw::RepeatNotSent, ONCE);
}

#[test]
fn who_refuses_us_when_it_is_sent_again_may_have_booked_it_before() {
    breaks(Protocol::idempotent(), Flaw::RepeatDenied, TRUTH);
}

#[test]
fn a_miss_that_is_believed_after_the_deadline_calls_for_somebody_who_was_told() {
    breaks(Protocol::lookup(), Flaw::NoDeadline, NOT_AFTER);
}

#[test]
fn what_is_not_sent_after_the_deadline_must_not_be_ready_again() {
    breaks(Protocol::lookup(), Flaw::ReadyAfterTold, NOT_READY);
    breaks(Protocol::blind(), Flaw::ReadyAfterTold, NOT_READY);
}

#[test]
fn a_booking_that_is_made_ready_for_lack_of_documents_is_lost() {
    for protocol in [Protocol::idempotent(), Protocol::lookup(), Protocol::blind()] {
        breaks(protocol, Flaw::RebookForDocuments, KEPT);
    }
}

#[test]
fn without_a_second_word_a_caller_goes_on_believing_that_it_may_be_booked() {
    breaks(Protocol::lookup(), Flaw::SilentMiss, HEARD);
}

#[test]
fn a_cancellation_that_is_written_from_an_old_copy_is_lost() {
    breaks(Protocol::after_acceptance(), Flaw::CancelByCopy, CANCEL_KEPT);
}

#[test]
fn documents_that_are_asked_for_with_an_old_copy_undo_a_cancellation() {
    breaks(Protocol::after_acceptance(), Flaw::RecoverByCopy, CANCEL_KEPT);
}
