//! The sentences as they stand in the files, for the tests of their words.

use std::collections::BTreeMap;

use super::source;
use crate::language::Language;

/// One sentence as it is written, with all its forms.
pub struct Written(String);

impl Written {
    /// Everything after the equals sign, as it stands in the file.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The words alone, all forms after each other: blanks and choices are left out.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        let mut lines = self.0.lines();
        // The head and the tail of a choice, which are not words.
        let without_choice = |line: &str| -> String {
            let line = line.trim_start().trim_start_matches('*');
            match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
                Some((_, words)) => words.to_owned(),
                None => line.to_owned(),
            }
        };
        for line in &mut lines {
            let mut rest = without_choice(line);
            while let Some((before, after)) = rest.clone().split_once('{') {
                text.push_str(before);
                rest = after.split_once('}').map_or(String::new(), |(_, after)| after.to_owned());
            }
            text.push_str(rest.trim_start_matches('}'));
            text.push(' ');
        }
        text.trim().to_owned()
    }

    /// Whether it continues a field's path: then it starts in lower case.
    pub fn is_predicate(&self) -> bool {
        let starts_with_blank = self.0.starts_with('{') && !self.0.contains("->");
        !starts_with_blank && self.plain().starts_with(char::is_lowercase)
    }
}

/// Every sentence of a language by its key.
pub fn texts(language: Language) -> BTreeMap<String, Written> {
    let mut all: BTreeMap<String, Written> = BTreeMap::new();
    let mut current = None;
    for line in source(language).lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(" =").filter(|_| line.starts_with(char::is_alphabetic)) {
            Some((key, text)) => {
                all.insert(key.to_owned(), Written(text.trim_start().to_owned()));
                current = Some(key.to_owned());
            }
            None => {
                if let Some(written) = current.as_ref().and_then(|key| all.get_mut(key)) {
                    written.0.push('\n');
                    written.0.push_str(line);
                }
            }
        }
    }
    all
}

/// Whether a letter is part of a word; a hyphen joins two words to one.
pub fn is_word_char(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '-' || letter == '\''
}
