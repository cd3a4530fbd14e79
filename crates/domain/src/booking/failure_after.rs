//! What is told of a failure once more is known of a booking.

use super::failure::{Complaint, Detail, Failure, Note};
use super::machine::{Change, Seen};
use super::miss::Doubt;
use super::state::{CallEnd, Ending, Held};

/// What stood in the way on our side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// There is no way to speak to the carrier.
    NoAccount,
    /// What the carrier sent could not be made into documents.
    DocumentsUnusable,
    /// Documents were made, and could not be put where they belong.
    NotKept,
}

/// An observation, as far as it counts for what is told of a failure.
#[derive(Clone, PartialEq, Debug)]
pub struct Learnt<'a> {
    /// What was seen.
    pub seen: Seen,
    /// What stood in the way on our side.
    pub obstacle: Option<Obstacle>,
    /// What the carrier said.
    pub said: &'a [Complaint],
    /// What the carrier has of it by now.
    pub held: Held,
    /// Whether it took that with this very answer.
    pub is_taken_now: bool,
    /// Whether it has ever taken it.
    pub was_taken: bool,
    /// What everyone was told before.
    pub told: Option<Ending>,
    /// Whether the public state is a failure until now.
    pub is_failed: bool,
}

impl Failure {
    /// What is kept for when the booking fails, or told as it does. Silence does not replace the
    /// carrier's words, unless they were about something else: once it has the booking, only
    /// documents can fail.
    pub fn after(old: Option<Failure>, change: &Change, learnt: &Learnt<'_>) -> Option<Failure> {
        let old = match change.call {
            Some(CallEnd::Absent) => old.map(Failure::without_booking),
            _ => old,
        };
        Failure::told(with_news(old, change, learnt), change)
    }

    /// What is told when a change ends the booking, with all that is known.
    pub fn told(known: Option<Failure>, change: &Change) -> Option<Failure> {
        let Some(ending) = change.ending else { return known };
        if ending == Ending::Booked {
            return None;
        }
        let mut failure = known.unwrap_or_default();
        if failure.details.is_empty() {
            let note = match change.called_at {
                None if change.tries == 0 => Note::NotTried,
                None => Note::NotSent,
                Some(_) => Note::NoAnswer,
            };
            failure.details.push(note.into());
        }
        Some(Failure { reason: Some(ending), ..failure })
    }
}

/// What is to be said where the carrier said nothing.
fn note(change: &Change, learnt: &Learnt<'_>) -> Option<Note> {
    match (learnt.seen, learnt.obstacle) {
        (_, Some(Obstacle::NoAccount)) => Some(Note::NoAccount),
        // That it was not sent again says nothing of what was sent before.
        (Seen::NotSent { .. } | Seen::Unsendable, _) if change.call == Some(CallEnd::Unknown) => {
            Some(Note::NoAnswer)
        }
        (Seen::NotSent { .. } | Seen::Unsendable, _) => Some(Note::NotSent),
        (Seen::Unclear | Seen::NoAnswer, _) => Some(Note::NoAnswer),
        (Seen::Absent(_), _) => {
            let is_no_answer = change.doubt.is_some_and(|doubt| doubt != Doubt::TooEarly);
            is_no_answer.then_some(Note::NoAnswer)
        }
        (Seen::DocumentsFailed, Some(Obstacle::DocumentsUnusable)) => Some(Note::DocumentsUnusable),
        (Seen::DocumentsFailed, Some(Obstacle::NotKept)) => Some(Note::NotKept),
        (Seen::DocumentsFailed, None) => Some(Note::NoDocuments),
        _ => None,
    }
}

fn with_news(old: Option<Failure>, change: &Change, learnt: &Learnt<'_>) -> Option<Failure> {
    let said: Vec<Detail> = learnt.said.iter().cloned().map(Detail::from).collect();
    let note = note(change, learnt);
    if learnt.held == Held::Part && !learnt.is_taken_now {
        return Some(of_documents(old, said, note, learnt.told));
    }
    let is_interrupted = old.as_ref().is_some_and(|old| old.has(Note::Interrupted));
    let has_words = old.as_ref().is_some_and(|old| !old.details.iter().all(Detail::is_note));
    let mut details = match note {
        _ if !said.is_empty() => said,
        // Why it failed early is told, rather than that nobody answers since.
        Some(Note::NoAnswer) if is_interrupted => return old,
        Some(_) if has_words && learnt.seen != Seen::DocumentsFailed => return old,
        Some(note) => vec![note.into()],
        None => return old,
    };
    if is_interrupted && !learnt.was_taken {
        details.insert(0, Note::Interrupted.into());
    }
    Some(Failure { reason: learnt.told.filter(|_| learnt.is_failed), details })
}

/// Keeps what was said of documents beside why the other parcels were refused. Once there are
/// documents, nothing is to be said of them.
fn of_documents(
    old: Option<Failure>,
    said: Vec<Detail>,
    note: Option<Note>,
    reason: Option<Ending>,
) -> Failure {
    let said = if said.is_empty() { note.map(Detail::from).into_iter().collect() } else { said };
    let known = old.unwrap_or_default().details.into_iter().filter(|it| !it.is_of_documents);
    let details = known.chain(said.into_iter().map(Detail::of_documents)).collect();
    Failure { reason, details }
}

#[cfg(test)]
mod tests;
