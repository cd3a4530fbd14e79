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
    /// For rules about rows that are older than this: `$1` is the moment that long ago. Such a rule
    /// is answered from an index, so it is cheap on a database of any size.
    pub age: Option<Age>,
}

/// How old a row must be to break a rule.
#[derive(Clone, Copy)]
pub(super) enum Age {
    /// Something should have been done to it by now.
    Late(Duration),
    /// Nobody leaves such a row behind, whether a server runs or not.
    Broken(Duration),
}
