//! Texts with places in braces: what they fit, what is kept of it, and how they are filled in.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Unkept, UnknownRule};

/// Fits whatever is there.
pub const ANY: &str = "{any}";
/// Fits what is not there.
pub const ABSENT: &str = "{absent}";

/// What was kept of a request.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Captures {
    texts: BTreeMap<String, String>,
    lists: BTreeMap<String, Vec<Captures>>,
}

impl Captures {
    /// The text that was kept under this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// Keeps a text.
    pub fn keep(&mut self, name: &str, text: &str) {
        self.texts.insert(name.to_owned(), text.to_owned());
    }

    /// Keeps what was kept of each entry of a list.
    pub fn keep_list(&mut self, name: &str, entries: Vec<Captures>) {
        self.lists.insert(name.to_owned(), entries);
    }

    /// What was kept of each entry of a list.
    pub fn list(&self, name: &str) -> Option<&[Captures]> {
        self.lists.get(name).map(Vec::as_slice)
    }

    /// Both, unless a text is in both and differs.
    pub fn joined(&self, earlier: &Captures) -> Option<Captures> {
        let agrees = |(name, text): (&String, &String)| self.get(name).is_none_or(|it| it == text);
        let mut both = earlier.clone();
        both.texts.extend(self.texts.clone());
        both.lists.extend(self.lists.clone());
        earlier.texts.iter().all(agrees).then_some(both)
    }

    /// These, and those around them.
    pub fn within(&self, around: &Captures) -> Captures {
        let mut both = around.clone();
        both.texts.extend(self.texts.clone());
        both.lists.extend(self.lists.clone());
        both
    }
}

/// What a place wants of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Filled,
    Digits,
    Number,
    Date,
    Time,
    Base64,
}

impl Rule {
    fn parse(name: &str) -> Option<Rule> {
        Some(match name {
            "digits" => Rule::Digits,
            "number" => Rule::Number,
            "date" => Rule::Date,
            "time" => Rule::Time,
            "base64" => Rule::Base64,
            _ => return None,
        })
    }

    fn keeps(self, text: &str) -> bool {
        let shaped = |text: &str, shape: &str| {
            let same = |(byte, like): (u8, u8)| match like {
                b'0' => byte.is_ascii_digit(),
                like => byte == like,
            };
            text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(same)
        };
        match self {
            Rule::Filled => !text.is_empty(),
            Rule::Digits => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()),
            Rule::Number => text.parse::<f64>().is_ok_and(f64::is_finite),
            Rule::Date => shaped(text, "0000-00-00"),
            Rule::Time => {
                text.get(..19).is_some_and(|start| shaped(start, "0000-00-00T00:00:00"))
                    && text.get(19..).is_some_and(|end| end.ends_with('Z') || end.contains(':'))
            }
            Rule::Base64 => STANDARD.decode(text).is_ok(),
        }
    }
}

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece<'a> {
    Plain(&'a str),
    Place(&'a str, Rule),
}

/// The pieces of a text. What is not a name between braces stands for itself.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, UnknownRule> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        let place = after.split_once('}').filter(|(inner, _)| is_place(inner));
        let Some((inner, next)) = place else {
            let end = before.len() + 1;
            found.push(Piece::Plain(&rest[..end]));
            rest = after;
            continue;
        };
        if !before.is_empty() {
            found.push(Piece::Plain(before));
        }
        found.push(match inner.split_once(':') {
            None => Piece::Place(inner, Rule::Filled),
            Some((name, rule)) => {
                let unknown = || UnknownRule(rule.to_owned());
                Piece::Place(name, Rule::parse(rule).ok_or_else(unknown)?)
            }
        });
        rest = next;
    }
    if !rest.is_empty() {
        found.push(Piece::Plain(rest));
    }
    Ok(found)
}

fn is_place(inner: &str) -> bool {
    let is_name = |text: &str| {
        let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !text.is_empty() && text.bytes().all(|byte| is_letter(byte) || byte == b'_')
    };
    let (name, rule) = inner.split_once(':').unwrap_or((inner, "filled"));
    is_name(name) && is_name(rule)
}

/// The first rule in a text that does not exist.
pub fn unknown_rule(text: &str) -> Option<UnknownRule> {
    pieces(text).err()
}

/// Whether the pattern fits the text. What it keeps is added.
pub fn fits(pattern: &str, text: &str, captures: &mut Captures) -> bool {
    if pattern == ANY {
        return true;
    }
    let Ok(pieces) = pieces(pattern) else { return false };
    match fit(&pieces, text, captures) {
        Some(found) => {
            *captures = found;
            true
        }
        None => false,
    }
}

/// Whether a text has places. One that is to stand for itself must have none.
pub fn has_places(text: &str) -> bool {
    pieces(text).map_or(true, |pieces| pieces.iter().any(|it| matches!(it, Piece::Place(..))))
}

/// What is kept when the pieces fit the text: a place takes as little as it can.
fn fit(pieces: &[Piece<'_>], text: &str, captures: &Captures) -> Option<Captures> {
    match pieces {
        [] => text.is_empty().then(|| captures.clone()),
        [Piece::Plain(plain), rest @ ..] => fit(rest, text.strip_prefix(plain)?, captures),
        [Piece::Place(name, rule), rest @ ..] => {
            if let Some(kept) = captures.get(name) {
                return fit(rest, text.strip_prefix(kept)?, captures);
            }
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            let ends: Vec<usize> = if rest.is_empty() { vec![text.len()] } else { ends.collect() };
            ends.into_iter().filter(|end| rule.keeps(&text[..*end])).find_map(|end| {
                let mut more = captures.clone();
                more.keep(name, &text[..end]);
                fit(rest, &text[end..], &more)
            })
        }
    }
}

/// The text with its places filled in. A rule that does not exist is not a place.
pub fn fill(pattern: &str, captures: &Captures) -> Result<String, Unkept> {
    let mut text = String::new();
    for piece in pieces(pattern).unwrap_or_else(|_| vec![Piece::Plain(pattern)]) {
        match piece {
            Piece::Plain(plain) => text.push_str(plain),
            Piece::Place(name, _) => {
                text.push_str(captures.get(name).ok_or_else(|| Unkept(name.to_owned()))?);
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(pattern: &str, text: &str) -> Option<Vec<(String, String)>> {
        let mut captures = Captures::default();
        fits(pattern, text, &mut captures).then(|| captures.texts.into_iter().collect())
    }

    #[test]
    fn a_place_keeps_what_it_fits_and_fits_the_same_again() {
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(kept("/a/{id}/b", "/a/7/b"), Some(vec![pair("id", "7")]));
        assert_eq!(kept("{a}-{b:digits}", "x-y-3"), Some(vec![pair("a", "x-y"), pair("b", "3")]));
        assert_eq!(kept("{a}+{a}", "x+x"), Some(vec![pair("a", "x")]));
        assert_eq!(kept("{a}+{a}", "x+y"), None);
        assert_eq!(kept("/a/{id}", "/a/"), None);
        assert_eq!(kept(r#"{"not": {a}}"#, r#"{"not": 1}"#), Some(vec![pair("a", "1")]));
    }

    #[test]
    fn a_rule_is_kept_or_the_text_does_not_fit() {
        for (rule, good, bad) in [
            ("digits", "0123", "12a"),
            ("number", "-1.5", "one"),
            ("date", "2026-11-16", "2026-11-6"),
            ("time", "2026-11-16T10:00:00.5Z", "2026-11-16"),
            ("base64", "aGk=", "a!"),
        ] {
            assert!(kept(&format!("{{a:{rule}}}"), good).is_some(), "{rule}");
            assert!(kept(&format!("{{a:{rule}}}"), bad).is_none(), "{rule}");
        }
        assert_eq!(unknown_rule("x{a:odd}"), Some(UnknownRule("odd".to_owned())));
    }

    #[test]
    fn a_text_is_filled_in_with_what_was_kept() {
        let mut captures = Captures::default();
        captures.keep("a", "1");
        assert_eq!(fill("x{a}y", &captures), Ok("x1y".to_owned()));
        assert_eq!(fill("{b}", &captures), Err(Unkept("b".to_owned())));
    }
}
