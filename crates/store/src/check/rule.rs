//! What a rule is, and what breaks it.

use std::time::Duration;

/// Rows read at once when all of a table must pass by.
pub(super) const CHUNK: i64 = 200;

/// A row that breaks a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The rule, in words.
    pub rule: &'static str,
    /// What breaks it.
    pub subject: String,
    /// Whether it only waits for a server that works: nothing is broken when none was running.
    pub is_late: bool,
}

impl Violation {
    pub(super) fn new(rule: &'static str, subject: String) -> Violation {
        Violation { rule, subject, is_late: false }
    }
}

/// A rule that a query can tell: the rows it finds, each a word and an id, break it.
pub(super) struct Rule {
    pub name: &'static str,
    pub sql: &'static str,
    /// For rules about rows that are older than this: `$1` is the moment that long ago.
    pub age: Option<Age>,
}

/// How old a row must be to break a rule. All but the last are asked for every minute: they are
/// answered from an index, so they are cheap on a database of any size.
#[derive(Clone, Copy)]
pub(super) enum Age {
    /// Something should have been done to it by now.
    Late(Duration),
    /// Nobody leaves such a row behind, whether a server runs or not.
    Broken(Duration),
    /// As late, but a whole table is read for it: only by whoever asks for everything.
    LateInAll(Duration),
}

impl Age {
    pub(super) fn duration(self) -> Duration {
        let (Age::Late(age) | Age::Broken(age) | Age::LateInAll(age)) = self;
        age
    }

    pub(super) fn is_late(self) -> bool {
        matches!(self, Age::Late(_) | Age::LateInAll(_))
    }

    pub(super) fn is_cheap(self) -> bool {
        !matches!(self, Age::LateInAll(_))
    }
}
