//! What is kept of what went wrong: the carrier's words as they came, or a note of ours, which is
//! told in the language of whoever reads it.

use waybill_carriers::booking::Complaint;
use waybill_domain::json::{Json, parse};
use waybill_domain::words::Message;

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
    /// It was sent, and no answer says what became of it.
    NoAnswer = "note-no-answer",
    /// No answer said so, but by now the carrier is known not to have it.
    Absent = "note-absent",
    /// The carrier sent no documents.
    NoDocuments = "note-no-documents",
    /// What the carrier sent could not be made into documents.
    Documents = "note-papers",
    /// The database was restored from a copy that does not know whether it was sent.
    Restored = "note-restored",
    /// The database was restored from a copy that had sent it and waits for the answer.
    Interrupted = "note-interrupted",
    /// There is no way to speak to the carrier.
    NoAccount = "note-no-account",
}

/// The carrier's complaints as they are stored.
pub fn complaints(complaints: &[Complaint]) -> Vec<Json> {
    let details = complaints.iter().map(|complaint| {
        Json::object([
            ("path", complaint.path.as_deref().into()),
            ("carrier_code", complaint.code.as_deref().into()),
            ("message", complaint.message.as_str().into()),
        ])
    });
    details.collect()
}

/// A note of ours as it is stored.
pub fn note(note: Note) -> Json {
    Json::object([("key", note.key().into())])
}

/// The same details, marked as being about documents rather than about the booking.
pub fn of_documents(details: Vec<Json>) -> Vec<Json> {
    let marked = details.into_iter().map(|mut detail| {
        detail.merge(&Json::object([(ABOUT, DOCUMENTS.into())]));
        detail
    });
    marked.collect()
}

/// Whether a detail is about documents, of a booking that failed for another reason.
pub fn is_of_documents(detail: &Json) -> bool {
    detail.member(ABOUT) == Some(&Json::text(DOCUMENTS))
}

const ABOUT: &str = "about";
const DOCUMENTS: &str = "documents";

/// The details that are stored.
pub fn details(failure: Option<&str>) -> Vec<Json> {
    let failure = failure.and_then(|text| parse(text.as_bytes()).ok()).unwrap_or(Json::Null);
    match failure.member("details") {
        Some(Json::List(details)) => details.clone(),
        _ => Vec::new(),
    }
}

/// Whether it failed because the database was restored before it was sent.
pub fn is_restored(failure: Option<&str>) -> bool {
    has(failure, Note::Restored)
}

/// Whether the database was restored while the carrier was being asked.
pub fn is_interrupted(failure: Option<&str>) -> bool {
    has(failure, Note::Interrupted)
}

fn has(failure: Option<&str>, wanted: Note) -> bool {
    details(failure).contains(&note(wanted))
}

/// A failure as it is stored. While it may still come to a good end it has no reason.
pub fn stored(reason: Option<&str>, details: Vec<Json>) -> String {
    Json::object([("reason", reason.into()), ("details", Json::List(details))]).to_string()
}

/// What is noted when the database was restored: that, and what the carrier had said before.
pub fn interrupted(failure: Option<&str>) -> String {
    let said = details(failure).into_iter().filter(|detail| !is_note(detail));
    stored(None, std::iter::once(note(Note::Interrupted)).chain(said).collect())
}

/// The same failure once the carrier is known not to have the booking: that it does not say so is
/// not true any more.
pub fn without_booking(failure: &str) -> String {
    let failure = parse(failure.as_bytes()).unwrap_or(Json::Null);
    let unknown = note(Note::NoAnswer);
    let known =
        |detail: &Json| if *detail == unknown { note(Note::Absent) } else { detail.clone() };
    let details = match failure.member("details") {
        Some(Json::List(details)) => details.iter().map(known).collect(),
        _ => Vec::new(),
    };
    let reason = match failure.member("reason") {
        Some(Json::Text(reason)) => Some(reason.as_str()),
        _ => None,
    };
    stored(reason, details)
}

/// Whether a detail is a note of ours, not the carrier's words.
pub fn is_note(detail: &Json) -> bool {
    detail.member("key").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_nothing_was_booked_it_is_not_said_that_nobody_knows() {
        let said = Json::object([("message", "Closed".into())]);
        let unknown = stored(Some("deadline"), vec![said.clone(), note(Note::NoAnswer)]);
        let known = stored(Some("deadline"), vec![said, note(Note::Absent)]);
        assert_eq!(without_booking(&unknown), known);
        assert_eq!(without_booking(&known), known);
    }
}
