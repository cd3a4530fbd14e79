//! Words that were given up for plainer ones.

use super::{none, sources};

/// Names that were replaced by conventional ones, which say the same to a stranger.
const RETIRED: &[&str] = &[
    "Desk",
    "Press",
    "Door",
    "Handed",
    "Makings",
    "Room",
    "Lane",
    "Standing",
    "Place",
    "Papers",
    "Matter",
    "Marks",
    "Numbered",
    "Given",
    "Wish",
    "Polite",
    "Patience",
    "Following",
    "Bad",
    "Case",
    "Ground",
    "Office",
    "Publication",
    "Recorded",
    "Reach",
    "FromCursor",
    "Newest",
    "Tried",
];

/// Words that no identifier has any more.
const RETIRED_WORDS: &[&str] =
    &["lane", "lanes", "seat", "seats", "judge", "judged", "untold", "standing"];

#[test]
fn retired_names_and_can_not_do_not_come_back() {
    let kinds = ["struct ", "enum ", "trait ", "type "];
    let mut problems = Vec::new();
    // The words that are refused must stand in the tests that refuse them.
    let is_exempt =
        |path: &str| path.ends_with("/tidy/names.rs") || path.ends_with("/words/terms.rs");
    for (path, text) in sources().iter().filter(|(path, _)| !is_exempt(path)) {
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split(|it: char| !it.is_alphanumeric()).collect();
            let is_made = kinds.iter().any(|kind| line.contains(kind));
            if is_made && RETIRED.iter().any(|name| words.contains(name)) {
                problems.push(format!("{path}:{} brings back a retired name", index + 1));
            }
            let mut parts = line.split(|it: char| !it.is_alphabetic()).map(str::to_lowercase);
            if parts.any(|part| RETIRED_WORDS.contains(&part.as_str())) {
                problems.push(format!("{path}:{} brings back a retired word", index + 1));
            }
            if line.contains(concat!("can", " not")) {
                problems.push(format!("{path}:{}: write \"cannot\"", index + 1));
            }
        }
    }
    none(problems);
}
