//! The checker is worth something because it finds what is wrong: each way to break the protocol
//! breaks a property.

use std::collections::BTreeSet;

use stateright::{Checker, HasDiscoveries, Model};

use super::printer::Kind;
use super::{CUPS, HALVES, Protocol, WHOLE_JOBS};

/// A way to get it wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flaw {
    /// Nothing is committed before bytes leave.
    NoIntent,
    /// A lost answer counts as not sent.
    BlindRetry,
    /// A lost answer is followed by the same document again.
    Resend,
    /// A job is believed to be ours by its number.
    NoNameCheck,
    /// A cancelled job is not read back.
    NotReadBack,
    /// An answer that says "ok" is enough, whatever state it tells.
    StatusAlone,
    /// A printer that prints halves is believed to have had the whole file.
    HalfIsWhole,
    /// A job that is not found by its name counts as not sent.
    MissingIsUnsent,
}

/// The flaw breaks this law, at one of these printers.
#[track_caller]
fn breaks_at(printers: &[Kind], flaw: Flaw, law: &'static str) {
    let is_broken = |printer: &Kind| {
        let is_found = HasDiscoveries::AllOf(BTreeSet::from([law]));
        let protocol = Protocol { printer: *printer, flaw: Some(flaw) };
        let checker = protocol.checker().threads(2).finish_when(is_found).spawn_bfs().join();
        checker.discovery(law).is_some()
    };
    assert!(printers.iter().any(is_broken), "{flaw:?} goes unseen");
}

#[track_caller]
fn breaks(flaw: Flaw, law: &'static str) {
    breaks_at(&[CUPS, HALVES], flaw, law);
}

const ONCE: &str = "nothing is printed twice";
const WHOLE: &str = "printed means that the whole file was";

#[test]
fn without_an_intent_a_crash_prints_twice() {
    breaks(Flaw::NoIntent, ONCE);
}

#[test]
fn a_lost_answer_that_counts_as_not_sent_prints_twice() {
    breaks(Flaw::BlindRetry, ONCE);
}

#[test]
fn a_document_that_is_sent_again_is_printed_twice() {
    breaks(Flaw::Resend, ONCE);
}

#[test]
fn a_cancel_that_is_not_read_back_prints_twice() {
    breaks(Flaw::NotReadBack, ONCE);
}

#[test]
fn a_job_of_somebody_else_is_taken_for_ours_without_its_name() {
    breaks(Flaw::NoNameCheck, WHOLE);
}

#[test]
fn an_answer_without_its_state_is_no_proof() {
    breaks(Flaw::StatusAlone, WHOLE);
}

#[test]
fn half_a_file_is_not_a_whole_one() {
    breaks(Flaw::HalfIsWhole, WHOLE);
}

#[test]
fn a_whole_job_that_is_not_found_and_is_sent_again_prints_twice() {
    breaks_at(&[WHOLE_JOBS], Flaw::MissingIsUnsent, ONCE);
    breaks_at(&[WHOLE_JOBS], Flaw::BlindRetry, ONCE);
}
