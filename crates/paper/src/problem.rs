//! What keeps something from being printed, at the path of the field that caused it.

use std::fmt;

use waybill_domain::fields::FieldErrors;
use waybill_domain::words::Message;

/// One reason why something cannot be drawn or taken, in no language yet.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// The dotted path of the field, or `document` for the file as a whole.
    pub path: String,
    /// What is wrong.
    pub message: Message,
}

impl Problem {
    /// A problem at a field.
    pub fn new(path: impl Into<String>, message: Message) -> Problem {
        Problem { path: path.into(), message }
    }

    /// A problem with the file as a whole.
    pub(crate) fn file(key: &'static str) -> Problem {
        Problem::new("document", Message::new(key))
    }
}

/// In English, for logs and the command line.
impl fmt::Display for Problem {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        FieldErrors::from(self.clone()).fmt(to)
    }
}

impl From<Problem> for FieldErrors {
    fn from(problem: Problem) -> FieldErrors {
        FieldErrors::one(problem.path, problem.message)
    }
}
