//! What is wrong with a request, collected at dotted paths.

use std::collections::BTreeMap;
use std::fmt;

use crate::language::Language;
use crate::words::Message;

/// So many paths are reported of one body: more than a hundred shipments with several mistakes each
/// have, and not a million for a body of nothing but mistakes.
const PROBLEMS_MAX: usize = 1000;

/// What is wrong with a request: field path → messages, in no language yet.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct FieldErrors(BTreeMap<String, Vec<Message>>);

/// Every problem at its path, in English and in one line: for logs and the command line.
impl fmt::Display for FieldErrors {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.0.iter().flat_map(|(path, messages)| {
            messages.iter().map(move |message| format!("{path} {}", message.say(Language::En)))
        });
        to.write_str(&all.collect::<Vec<_>>().join("; "))
    }
}

/// So much of a path is told: more than any path of the contract has, and not a name of a megabyte
/// that somebody sent.
const PATH_MAX: usize = 255;

/// A path that is as long as it may be, and says so when it was longer.
fn bounded(mut path: String) -> String {
    if let Some((end, _)) = path.char_indices().nth(PATH_MAX) {
        path.truncate(end);
        path.push('…');
    }
    path
}

impl FieldErrors {
    /// One problem at one path.
    pub fn one(path: impl Into<String>, message: Message) -> FieldErrors {
        let mut errors = FieldErrors::default();
        errors.add(path, message);
        errors
    }

    /// True when there are as many as are told: nothing that follows is told.
    pub fn is_full(&self) -> bool {
        self.0.len() >= PROBLEMS_MAX
    }

    /// Adds a problem, unless there are already more than anyone reads.
    pub fn add(&mut self, path: impl Into<String>, message: Message) {
        if self.is_full() {
            return;
        }
        let told = self.0.entry(bounded(path.into())).or_default();
        if !told.contains(&message) {
            told.push(message);
        }
    }

    /// Adds all problems of another reading.
    pub fn extend(&mut self, other: FieldErrors) {
        for (path, messages) in other.0 {
            for message in messages {
                self.add(path.clone(), message);
            }
        }
    }

    /// Adds the problems of a later look, except at places that have one already: what could not be
    /// read cannot be checked.
    pub fn extend_unless_covered(&mut self, other: FieldErrors) {
        let known = self.clone();
        for (path, messages) in other.0.into_iter().filter(|(path, _)| !known.covers(path)) {
            messages.into_iter().for_each(|message| self.add(path.clone(), message));
        }
    }

    /// All problems but those of one kind.
    #[must_use]
    pub fn without(mut self, key: &str) -> FieldErrors {
        self.0.retain(|_, messages| {
            messages.retain(|message| message.key() != key);
            !messages.is_empty()
        });
        self
    }

    /// The same problems, below this path.
    #[must_use]
    pub fn under(self, path: &str) -> FieldErrors {
        let moved = self.0.into_iter().map(|(below, messages)| match below.as_str() {
            "" => (path.to_owned(), messages),
            below => (format!("{path}.{below}"), messages),
        });
        FieldErrors(moved.collect())
    }

    /// True when nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True when something is wrong at exactly this path.
    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// True when something is wrong at this path or at what it is part of.
    pub fn covers(&self, path: &str) -> bool {
        let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
        self.0.contains_key("") || ends.into_iter().any(|end| self.0.contains_key(&path[..end]))
    }

    /// Takes out the problems at the paths that are meant.
    pub fn take(&mut self, is_meant: impl Fn(&str) -> bool) -> FieldErrors {
        FieldErrors(self.0.extract_if(.., |path, _| is_meant(path)).collect())
    }

    /// The paths with their messages, in the order of the paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[Message])> {
        self.0.iter().map(|(path, messages)| (path.as_str(), messages.as_slice()))
    }
}
