//! JSON as it came in: numbers keep their text, objects keep their order, duplicate keys are found.
//!
//! A library that turns `0.1` into a binary float, or quietly keeps the last of two equal keys, is
//! of no use where a body buys a label. Reading is bounded in depth and in the number of values;
//! size is bounded by the caller.

use std::borrow::Cow;
use std::collections::HashMap;

mod number;
mod read;
mod split;
mod write;

pub use number::Number;
pub use read::{Fault, VALUES_MAX, parse, parse_within};
pub use split::split_members;

/// The name of a member. Those that we choose ourselves cost nothing to copy.
pub type MemberName = Cow<'static, str>;

/// A JSON value.
#[derive(Clone, PartialEq, Debug)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as text.
    Number(Number),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, in the order it was written. Keys are unique after reading.
    Object(Vec<(MemberName, Json)>),
    /// JSON that this writer wrote earlier and that only goes out again, so nobody reads it twice.
    Written(String),
}

impl Json {
    /// An object with these members.
    pub fn object<K: Into<MemberName>, const N: usize>(members: [(K, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// An array of these values.
    pub fn list(values: impl IntoIterator<Item = Json>) -> Json {
        Json::List(values.into_iter().collect())
    }

    /// A string made of anything that can be shown.
    pub fn text(value: impl ToString) -> Json {
        Json::Text(value.to_string())
    }

    /// The member of an object, if this is one and has it.
    pub fn member(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// The text that a member holds, if it is there and is one.
    pub fn member_text(&self, name: &str) -> Option<&str> {
        match self.member(name) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Applies an RFC 7396 merge patch to this value.
    pub fn merge(&mut self, patch: &Json) {
        let Json::Object(changes) = patch else {
            *self = patch.clone();
            return;
        };
        if !matches!(self, Json::Object(_)) {
            *self = Json::Object(Vec::new());
        }
        let Json::Object(members) = self else { return };
        // By name, so that a large patch of a large object costs no more than reading both.
        let mut by_name: HashMap<&str, &Json> =
            changes.iter().map(|(name, change)| (name.as_ref(), change)).collect();
        members.retain_mut(|(name, value)| match by_name.remove(name.as_ref()) {
            Some(Json::Null) => false,
            Some(change) => {
                value.merge(change);
                true
            }
            None => true,
        });
        for (name, change) in changes {
            if by_name.contains_key(name.as_ref()) && *change != Json::Null {
                let mut fresh = Json::Null;
                fresh.merge(change);
                members.push((name.clone(), fresh));
            }
        }
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Json {
        Json::Number(Number::from(value))
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Json {
        Json::Text(value.to_owned())
    }
}

impl From<String> for Json {
    fn from(value: String) -> Json {
        Json::Text(value)
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_merge_patch_replaces_arrays_and_removes_nulls() {
        let mut target = json(r#"{"a":{"b":1,"c":[1,2]},"d":4}"#);
        target.merge(&json(r#"{"a":{"c":[3],"b":null},"e":{"f":null,"g":1}}"#));
        assert_eq!(target, json(r#"{"a":{"c":[3]},"d":4,"e":{"g":1}}"#));
    }

    #[test]
    fn a_merge_patch_keeps_the_order_and_adds_at_the_end() {
        let mut target = json(r#"{"z":1,"y":2,"x":3}"#);
        target.merge(&json(r#"{"b":9,"x":4,"z":null,"a":8}"#));
        assert_eq!(target.to_string(), r#"{"y":2,"x":4,"b":9,"a":8}"#);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "this is about real time")]
    fn a_large_merge_patch_costs_about_as_much_as_reading_it() {
        let object = |count: usize, value: u8| {
            let members: Vec<String> = (0..count).map(|n| format!("\"k{n}\":{value}")).collect();
            json(&format!("{{{}}}", members.join(",")))
        };
        let (mut target, patch) = (object(100_000, 1), object(100_000, 2));
        let begun = std::time::Instant::now();
        target.merge(&patch);
        assert_eq!(target, patch);
        // Comparing each with each would take minutes.
        assert!(begun.elapsed() < std::time::Duration::from_secs(5));
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let text = r#"{"a":[1,-2.50,1e3,true,null,"æ\n\"\\\u0001"],"b":{}}"#;
        assert_eq!(json(&json(text).to_string()), json(text));
    }
}
