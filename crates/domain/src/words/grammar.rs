//! Rules of grammar that a sentence with blanks, or after a field's path, must keep.

use super::texts::texts;
use crate::language::Language;

/// Finnish verbs that take the uninflected path as their subject, and `ei` with any of them.
const FINNISH_VERBS: &[&str] = &[
    "on",
    "ei",
    "saa",
    "sisältää",
    "puuttuu",
    "esiintyy",
    "vaatii",
    "tarjoaa",
    "edellyttää",
    "tarkoittaa",
    "menee",
];

#[track_caller]
fn none(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// The first clause, which has the path as its subject.
fn first_clause(text: &str) -> &str {
    text.split([';', ':', ',', '(']).next().unwrap_or(text)
}

/// Why a Finnish message cannot have a path as its subject.
fn finnish_problem(text: &str) -> Option<String> {
    let words: Vec<&str> = first_clause(text).split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    if !FINNISH_VERBS.contains(&first) {
        return Some(format!("begins with \"{first}\", which is none of {FINNISH_VERBS:?}"));
    }
    for pair in words.windows(2) {
        let is_duty = pair[1].ends_with("tava") || pair[1].ends_with("tävä");
        if pair[0] == "on" && is_duty {
            return Some(format!("\"on {}\" wants a subject in the genitive", pair[1]));
        }
        if pair[0] == "voi" && !["olla", "tulla"].contains(&pair[1]) {
            return Some(format!("\"voi {}\" makes the path an object: partitive", pair[1]));
        }
    }
    words
        .iter()
        .find(|word| ["täytyy", "pitää", "tulee"].contains(word))
        .map(|word| format!("\"{word}\" wants a subject in the genitive"))
}

#[test]
fn finnish_messages_have_the_uninflected_path_as_their_subject() {
    let english = texts(Language::En);
    let mut problems = Vec::new();
    for (key, written) in texts(Language::Fi) {
        if english[&key].is_predicate()
            && let Some(problem) = finnish_problem(&written.plain())
        {
            problems.push(format!("fi.ftl {key}: {problem}; see the rule at the top of the file"));
        }
    }
    none(problems);
    assert!(finnish_problem("on oltava päivämäärä").is_some());
    assert!(finnish_problem("ei voi muuttaa").is_some());
    assert!(finnish_problem("pitää antaa").is_some());
    assert!(finnish_problem("ei ole päivämäärä").is_none());
}

#[test]
fn what_follows_a_path_in_english_follows_it_in_every_language() {
    let english = texts(Language::En);
    let mut problems = Vec::new();
    for language in Language::ALL {
        for (key, written) in texts(language) {
            if written.is_predicate() != english[&key].is_predicate() {
                problems.push(format!("{language}.ftl {key}: starts in the other case"));
            }
        }
    }
    none(problems);
}

#[test]
fn no_blank_has_an_ending_of_its_own() {
    let mut problems = Vec::new();
    for language in Language::ALL {
        for (key, written) in texts(language) {
            for after in written.raw().split('}').skip(1) {
                let after = after.strip_prefix(':').unwrap_or(after);
                if after.starts_with(char::is_alphabetic) {
                    problems.push(format!("{language}.ftl {key}: the blank before \"{after}\""));
                }
            }
        }
    }
    none(problems);
}

#[test]
fn no_sentence_has_a_blank_for_a_state() {
    let mut problems = Vec::new();
    for language in Language::ALL {
        for (key, written) in texts(language) {
            if written.raw().contains("$state") {
                problems.push(format!(
                    "{language}.ftl {key}: a state is not a word; write a sentence for each state"
                ));
            }
        }
    }
    none(problems);
}
