//! The key that makes a repeated request harmless, and the fingerprint that tells whether it is
//! one.

use sha2::{Digest, Sha256};

use crate::json::Json;

/// SHA-256 of a body in canonical form.
pub type Fingerprint = [u8; 32];

/// A well-formed `Idempotency-Key`: 16 to 128 of `A-Z a-z 0-9 . _ -`, case-sensitive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key(String);

impl Key {
    /// Reads the header's value. Quotes, as some drafts ask for them, are not part of the pattern.
    pub fn parse(text: &str) -> Option<Key> {
        let is_good = (16..=128).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
        is_good.then(|| Key(text.to_owned()))
    }

    /// The key as it came.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The fingerprint of a body: the order of an object's keys and the spelling of a number do not
/// count, the order of a list does. A request without a body has that of `null`.
pub fn fingerprint(body: &Json) -> Fingerprint {
    let mut canonical = String::new();
    write(&mut canonical, body);
    Sha256::digest(canonical.as_bytes()).into()
}

fn write(out: &mut String, json: &Json) {
    match json {
        Json::Number(number) => out.push_str(&number.canonical()),
        Json::List(values) => {
            out.push('[');
            for value in values {
                write(out, value);
                out.push(',');
            }
            out.push(']');
        }
        Json::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|left, right| left.0.cmp(&right.0));
            out.push('{');
            for (name, value) in members {
                out.push_str(&Json::text(name).to_string());
                out.push(':');
                write(out, value);
                out.push(',');
            }
            out.push('}');
        }
        simple => out.push_str(&simple.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn of(text: &str) -> Fingerprint {
        fingerprint(&parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn the_order_of_keys_and_the_spelling_of_numbers_do_not_count() {
        assert_eq!(of(r#"{"a":1,"b":[1.50]}"#), of(r#"{"b":[15e-1],"a":1.0}"#));
        assert_eq!(of(r#"{"a":"\u0061"}"#), of(r#"{"a":"a"}"#));
    }

    #[test]
    fn the_order_of_a_list_and_every_value_count() {
        assert_ne!(of("[1,2]"), of("[2,1]"));
        assert_ne!(of(r#"{"a":null}"#), of("{}"));
        assert_ne!(of(r#"{"a":"1"}"#), of(r#"{"a":1}"#));
        assert_ne!(of(r#"{"a":"1,"}"#), of(r#"{"a":"1","":""}"#));
    }

    #[test]
    fn a_key_has_sixteen_to_a_hundred_and_twenty_eight_plain_characters() {
        assert!(Key::parse("order-4521.try_1").is_some());
        for bad in ["short", "\"order-4521-try-1\"", "order 4521 attempt", &"x".repeat(129)] {
            assert!(Key::parse(bad).is_none(), "{bad}");
        }
    }
}
