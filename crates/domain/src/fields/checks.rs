//! Rules for single values that several bodies share.

use crate::words::Message;

/// A rule for text: how many characters, and that they are printable.
#[derive(Clone, Copy)]
pub struct Text {
    min: usize,
    max: usize,
}

impl Text {
    /// At least one character that is not a space, at most `max`.
    pub const fn filled(max: usize) -> Text {
        Text { min: 1, max }
    }

    /// Possibly empty, at most `max` characters.
    pub const fn up_to(max: usize) -> Text {
        Text { min: 0, max }
    }

    /// What is wrong with the text, if anything.
    pub fn problem(self, text: &str) -> Option<Message> {
        let length = text.chars().count();
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        if self.min > 0 && text.trim().is_empty() {
            Some(Message::new("blank"))
        } else if length > self.max {
            Some(Message::new("too-long").count("max", count(self.max)))
        } else if text.chars().any(is_control) {
            Some(Message::new("control-character"))
        } else {
            None
        }
    }
}

/// C0, DEL and C1 controls, and the marks that turn the reading direction of what follows.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// "must be one of: a, b".
pub fn one_of(choices: &[&str]) -> Message {
    Message::new("not-one-of").text("choices", choices.join(", "))
}

/// "is not a known field", with the nearest known name where one is near.
pub fn unknown(key: &'static str, name: &str, known: &[&'static str]) -> Message {
    let near = known
        .iter()
        .map(|other| (distance(name, other), *other))
        .filter(|(distance, other)| *distance <= 1 + other.len() / 4)
        .min();
    match (near, key) {
        (Some((_, near)), "unknown-parameter") => {
            Message::new("unknown-parameter-near").text("near", near)
        }
        (Some((_, near)), _) => Message::new("unknown-field-near").text("near", near),
        (None, key) => Message::new(key),
    }
}

/// Levenshtein distance, case ignored. Long names are near nothing.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().take(65).flat_map(char::to_lowercase).collect();
    let right: Vec<char> = right.chars().flat_map(char::to_lowercase).collect();
    if left.len() > 64 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(l != r);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
