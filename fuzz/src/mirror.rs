//! A body as `serde_json` reads it: numbers as their text, duplicate keys kept, depth bounded.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use waybill_domain::json::Json;

/// The deepest nesting that a body may have.
pub const DEPTH_MAX: usize = 32;

/// A value in the eyes of `serde_json`.
pub enum Mirror {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Mirror>),
    Object(Vec<(String, Mirror)>),
}

/// Why there is no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    NotJson,
    TooDeep,
}

/// Reads a whole input.
pub fn read(input: &[u8]) -> Result<Mirror, Refusal> {
    let raw: &RawValue = serde_json::from_slice(input).map_err(|_| Refusal::NotJson)?;
    value(raw.get(), 0)
}

/// Reads one value, which the level above has cut out. Nothing here recurses inside `serde_json`,
/// so its own limit on depth does not matter.
fn value(text: &str, depth: usize) -> Result<Mirror, Refusal> {
    let is_container = text.starts_with(['{', '[']);
    if is_container && depth >= DEPTH_MAX {
        return Err(Refusal::TooDeep);
    }
    Ok(match text.as_bytes()[0] {
        b'{' => Mirror::Object(members(text, depth)?),
        b'[' => {
            let entries: Vec<&RawValue> = leaf(text)?;
            let entries = entries.into_iter().map(|entry| value(entry.get(), depth + 1));
            Mirror::List(entries.collect::<Result<_, _>>()?)
        }
        b'"' => Mirror::Text(leaf(text)?),
        b't' | b'f' => Mirror::Bool(leaf(text)?),
        b'n' => Mirror::Null,
        _ => Mirror::Number(text.to_owned()),
    })
}

fn members(text: &str, depth: usize) -> Result<Vec<(String, Mirror)>, Refusal> {
    let Members(members) = leaf(text)?;
    let member = |(name, raw): (String, &RawValue)| Ok((name, value(raw.get(), depth + 1)?));
    members.into_iter().map(member).collect()
}

fn leaf<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|_| Refusal::NotJson)
}

/// The members of an object in their order, duplicates included.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'de>, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

impl Mirror {
    /// True when our reader saw the same: every string, every number's text, every order.
    pub fn is(&self, json: &Json) -> bool {
        match (self, json) {
            (Mirror::Null, Json::Null) => true,
            (Mirror::Bool(left), Json::Bool(right)) => left == right,
            (Mirror::Number(left), Json::Number(right)) => left == right.as_str(),
            (Mirror::Text(left), Json::Text(right)) => left == right,
            (Mirror::List(left), Json::List(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(l, r)| l.is(r))
            }
            (Mirror::Object(left), Json::Object(right)) => {
                let mut pairs = left.iter().zip(right);
                left.len() == right.len() && pairs.all(|(l, r)| l.0 == r.0 && l.1.is(&r.1))
            }
            _ => false,
        }
    }

    /// The dotted path of every key that an object has more than once, sorted.
    pub fn duplicates(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.find_duplicates("", &mut found);
        found.sort();
        found
    }

    fn find_duplicates(&self, path: &str, found: &mut Vec<String>) {
        match self {
            Mirror::List(entries) => {
                for (index, entry) in entries.iter().enumerate() {
                    entry.find_duplicates(&format!("{path}{index}."), found);
                }
            }
            Mirror::Object(members) => {
                for (index, (name, value)) in members.iter().enumerate() {
                    let before = members[..index].iter().filter(|(other, _)| other == name);
                    if before.count() == 1 {
                        found.push(format!("{path}{name}"));
                    }
                    value.find_duplicates(&format!("{path}{name}."), found);
                }
            }
            _ => {}
        }
    }
}

/// How many brackets are open at once, at most, with those inside strings left out.
pub fn depth(text: &[u8]) -> usize {
    let (mut open, mut deepest, mut in_string, mut is_escaped) = (0_usize, 0, false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => open += 1,
            b'}' | b']' if !in_string => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_found_wherever_they_are() {
        let mirror = read(br#"{"a":[{"b":1,"b":2}],"c":1,"c":1,"c":1}"#).ok().unwrap();
        assert_eq!(mirror.duplicates(), ["a.0.b", "c"]);
    }

    #[test]
    fn depth_is_bounded_and_counted() {
        let deep = |n| "[".repeat(n) + &"]".repeat(n);
        assert!(read(deep(32).as_bytes()).is_ok());
        assert_eq!(read(deep(33).as_bytes()).err(), Some(Refusal::TooDeep));
        assert_eq!(depth(br#"[{"[[\"[[":1}]"#), 2);
    }

    #[test]
    fn lone_surrogates_and_marks_of_byte_order_are_not_json() {
        for text in [&br#"["\ud800"]"#[..], b"\xef\xbb\xbf{}", b"1 2", b"\"\xff\""] {
            assert_eq!(read(text).err(), Some(Refusal::NotJson));
        }
    }
}
