//! What goes wrong instead of an answer.

use serde::Deserialize;

/// What goes wrong, and whether the carrier has done by then what it was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What goes wrong.
    pub kind: Kind,
    /// Whether it counts as done: a booking is made, and nobody is told.
    pub is_done: bool,
}

/// What goes wrong.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The connection is closed without an answer.
    Drop,
    /// Nothing is ever said.
    Hang,
    /// The connection breaks in the middle of the body.
    Broken,
    /// The answer ends well, and half of its body is missing.
    Cut,
    /// A page for people, with status 200.
    Page,
    /// The answer says that it is a text.
    WrongType,
    /// A body of so many MiB and one byte.
    Big(usize),
    /// The answer leads elsewhere.
    Redirect(String),
    /// Another answer: status, content type, body.
    Status(u16, String, String),
}

impl Fault {
    /// It goes wrong before the carrier has done anything.
    pub fn before(kind: Kind) -> Fault {
        Fault { kind, is_done: false }
    }

    /// It goes wrong after the carrier has done what it was asked for.
    pub fn after(kind: Kind) -> Fault {
        Fault { kind, is_done: true }
    }

    /// An empty answer with this status, before anything is done.
    pub fn status(status: u16) -> Fault {
        Fault::before(Kind::Status(status, String::new(), String::new()))
    }
}
