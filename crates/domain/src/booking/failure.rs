//! What is kept of what went wrong: the carrier's words as they came, or a note of ours, which is
//! told in the language of whoever reads it.

use super::state::Ending;
use crate::json::Json;
use crate::words::Message;

macro_rules! notes {
    ($($(#[$doc:meta])* $name:ident = $key:literal,)*) => {
        /// What we say where the carrier said nothing.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Note { $($(#[$doc])* $name),* }

        impl Note {
            /// The key of its sentence, which is also how it is stored.
            pub fn key(self) -> &'static str {
                match self { $(Note::$name => $key),* }
            }

            /// Its sentence.
            pub fn message(self) -> Message {
                match self { $(Note::$name => Message::new($key)),* }
            }

            /// Reads the stored spelling.
            pub fn parse(key: &str) -> Option<Note> {
                match key { $($key => Some(Note::$name),)* _ => None }
            }
        }
    };
}

notes! {
    /// It was never sent.
    NotSent = "note-not-sent",
    /// Nobody tried to send it before the deadline.
    NotTried = "note-not-tried",
    /// It was sent, and no answer says what became of it.
    NoAnswer = "note-no-answer",
    /// No answer said so, but by now the carrier is known not to have it.
    Absent = "note-absent",
    /// The carrier sent no documents.
    NoDocuments = "note-no-documents",
    /// What the carrier sent could not be made into documents.
    DocumentsUnusable = "note-papers",
    /// Documents were made, and could not be put where they belong.
    NotKept = "note-not-kept",
    /// The database was restored from a copy that does not know whether it was sent.
    Restored = "note-restored",
    /// The database was restored from a copy that had sent it and waits for the answer.
    Interrupted = "note-interrupted",
    /// There is no way to speak to the carrier.
    NoAccount = "note-no-account",
}

/// One thing that a carrier did not like.
#[derive(Clone, PartialEq, Debug)]
pub struct Complaint {
    /// Where in the caller's input, when that is known.
    pub path: Option<String>,
    /// The carrier's own code.
    pub code: Option<String>,
    /// The carrier's own words.
    pub message: String,
}

/// Who said it.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// The carrier.
    ByCarrier(Complaint),
    /// We did.
    ByUs(Note),
}

/// One thing that went wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Detail {
    /// What was said.
    pub said: Said,
    /// Whether it is about documents, of a booking that failed for another reason.
    pub is_of_documents: bool,
}

/// What went wrong with a booking.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Failure {
    /// How it ended. While it may still come to a good end there is no reason.
    pub reason: Option<Ending>,
    /// Everything that was said.
    pub details: Vec<Detail>,
}

impl From<Note> for Detail {
    fn from(note: Note) -> Detail {
        Detail { said: Said::ByUs(note), is_of_documents: false }
    }
}

impl From<Complaint> for Detail {
    fn from(complaint: Complaint) -> Detail {
        Detail { said: Said::ByCarrier(complaint), is_of_documents: false }
    }
}

impl Detail {
    /// The same, about documents rather than about the booking.
    pub fn of_documents(self) -> Detail {
        Detail { is_of_documents: true, ..self }
    }

    /// Whether these are words of ours, not the carrier's.
    pub fn is_note(&self) -> bool {
        matches!(self.said, Said::ByUs(_))
    }

    /// The path that it is about.
    pub fn path(&self) -> Option<&str> {
        match &self.said {
            Said::ByCarrier(complaint) => complaint.path.as_deref(),
            Said::ByUs(_) => None,
        }
    }

    fn stored(json: &Json) -> Option<Detail> {
        let said = match json.member_text("key") {
            Some(key) => Said::ByUs(Note::parse(key)?),
            None => Said::ByCarrier(Complaint {
                path: json.member_text("path").map(str::to_owned),
                code: json.member_text("carrier_code").map(str::to_owned),
                message: json.member_text("message")?.to_owned(),
            }),
        };
        Some(Detail { said, is_of_documents: json.member_text("about") == Some("documents") })
    }

    fn to_json(&self) -> Json {
        let mut json = match &self.said {
            Said::ByUs(note) => Json::object([("key", note.key().into())]),
            Said::ByCarrier(complaint) => Json::object([
                ("path", complaint.path.as_deref().into()),
                ("carrier_code", complaint.code.as_deref().into()),
                ("message", complaint.message.as_str().into()),
            ]),
        };
        if self.is_of_documents {
            json.merge(&Json::object([("about", "documents".into())]));
        }
        json
    }
}

impl Failure {
    /// A failure that may still come to a good end.
    pub fn of_note(note: Note) -> Failure {
        Failure { reason: None, details: vec![note.into()] }
    }

    /// Reads what `to_json` wrote.
    pub fn stored(json: &Json) -> Option<Failure> {
        let reason = match json.member("reason")? {
            Json::Null => None,
            Json::Text(reason) => Some(Ending::parse(reason)?),
            _ => return None,
        };
        let Json::List(details) = json.member("details")? else { return None };
        let details = details.iter().map(Detail::stored).collect::<Option<Vec<Detail>>>()?;
        Some(Failure { reason, details })
    }

    /// What is stored.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("reason", self.reason.map(Ending::name).into()),
            ("details", Json::list(self.details.iter().map(Detail::to_json))),
        ])
    }

    /// Whether this was noted about the booking.
    pub fn has(&self, note: Note) -> bool {
        self.details.contains(&Detail::from(note))
    }

    /// What is noted when the database was restored while the carrier was being asked: that, and
    /// what the carrier had said before.
    pub fn interrupted(before: Option<Failure>) -> Failure {
        let said = before.unwrap_or_default().details.into_iter().filter(|it| !it.is_note());
        let details = std::iter::once(Note::Interrupted.into()).chain(said).collect();
        Failure { reason: None, details }
    }

    /// The same failure once the carrier is known not to have the booking: that nobody knows is
    /// not true any more.
    pub fn without_booking(mut self) -> Failure {
        let unknown = Detail::from(Note::NoAnswer);
        for detail in self.details.iter_mut().filter(|detail| **detail == unknown) {
            *detail = Note::Absent.into();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn said(message: &str) -> Complaint {
        let (path, code) = (Some("parcels.0".to_owned()), None);
        Complaint { path, code, message: message.to_owned() }
    }

    #[test]
    fn once_nothing_was_booked_it_is_not_said_that_nobody_knows() {
        let failed = |note: Note| Failure {
            reason: Some(Ending::Deadline),
            details: vec![said("Closed").into(), note.into()],
        };
        assert_eq!(failed(Note::NoAnswer).without_booking(), failed(Note::Absent));
        assert_eq!(failed(Note::Absent).without_booking(), failed(Note::Absent));
    }

    #[test]
    fn what_is_stored_is_read_again_and_nothing_else_is() {
        let details = vec![said("Closed").into(), Detail::from(Note::NoDocuments).of_documents()];
        let failure = Failure { reason: Some(Ending::Rejected), details };
        let text = failure.to_json().to_string();
        assert_eq!(Failure::stored(&parse(text.as_bytes()).unwrap()), Some(failure));
        for broken in [
            "{}",
            r#"{"reason":"none","details":[]}"#,
            r#"{"reason":null,"details":{}}"#,
            r#"{"reason":null,"details":[{"key":"note-from-nowhere"}]}"#,
            r#"{"reason":null,"details":[{"path":"x"}]}"#,
        ] {
            assert_eq!(Failure::stored(&parse(broken.as_bytes()).unwrap()), None, "{broken}");
        }
    }
}
