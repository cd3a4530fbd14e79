//! GS1 element strings: identifiers in parentheses, checked, joined with separators where a
//! scanner could not know where an element ends.

use waybill_domain::words::Message;

use super::code128::SEPARATOR;

/// Identifier prefix → length of the whole identifier, of its value, and what the value must be.
struct Rule {
    prefix: &'static str,
    digits: usize,
    least: usize,
    most: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Digits of which the last one checks the others.
    Checked,
    Digits,
    Letters,
}

const fn rule(prefix: &'static str, digits: usize, least: usize, most: usize, kind: Kind) -> Rule {
    Rule { prefix, digits, least, most, kind }
}

/// The elements that are seen on parcels (GS1 General Specifications, section 3).
const RULES: &[Rule] = &[
    rule("00", 2, 18, 18, Kind::Checked),
    rule("01", 2, 14, 14, Kind::Checked),
    rule("02", 2, 14, 14, Kind::Checked),
    rule("10", 2, 1, 20, Kind::Letters),
    rule("11", 2, 6, 6, Kind::Digits),
    rule("13", 2, 6, 6, Kind::Digits),
    rule("15", 2, 6, 6, Kind::Digits),
    rule("17", 2, 6, 6, Kind::Digits),
    rule("21", 2, 1, 20, Kind::Letters),
    rule("31", 4, 6, 6, Kind::Digits),
    rule("32", 4, 6, 6, Kind::Digits),
    rule("33", 4, 6, 6, Kind::Digits),
    rule("37", 2, 1, 8, Kind::Digits),
    rule("400", 3, 1, 30, Kind::Letters),
    rule("401", 3, 1, 30, Kind::Letters),
    rule("402", 3, 17, 17, Kind::Checked),
    rule("403", 3, 1, 30, Kind::Letters),
    rule("41", 3, 13, 13, Kind::Checked),
    rule("420", 3, 1, 20, Kind::Letters),
    rule("421", 3, 4, 12, Kind::Letters),
    rule("8008", 4, 8, 12, Kind::Digits),
];

/// Elements whose length a scanner knows: no separator follows them.
const PREDEFINED: &[&str] =
    &["00", "01", "02", "11", "12", "13", "15", "16", "17", "20", "31", "32", "33", "41"];

/// Reads `(00)…(401)…` and gives what goes into the symbol.
pub(crate) fn joined(text: &str) -> Result<String, Message> {
    let wrong = || Message::new("not-gs1");
    let mut rest = text;
    let mut joined = String::with_capacity(text.len());
    while !rest.is_empty() {
        let (identifier, value) =
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(wrong)?;
        let end = value.find('(').unwrap_or(value.len());
        let (value, following) = value.split_at(end);
        is_good(identifier, value).then_some(()).ok_or_else(wrong)?;
        joined.push_str(identifier);
        joined.push_str(value);
        let is_predefined = PREDEFINED.iter().any(|prefix| identifier.starts_with(prefix));
        if !is_predefined && !following.is_empty() {
            joined.push(SEPARATOR);
        }
        rest = following;
    }
    Ok(joined)
}

fn is_good(identifier: &str, value: &str) -> bool {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = |rule: &&Rule| {
        identifier.starts_with(rule.prefix)
            && identifier.len() == rule.digits
            && is_digits(identifier)
            && (rule.least..=rule.most).contains(&value.len())
    };
    let Some(rule) = RULES.iter().find(fits) else { return false };
    match rule.kind {
        Kind::Digits => is_digits(value),
        Kind::Checked => {
            let (body, last) = value.split_at(value.len().saturating_sub(1));
            is_digits(value) && check_digit(body).to_string() == last
        }
        Kind::Letters => {
            value.bytes().all(|b| b.is_ascii_alphanumeric() || b"!\"%&'*+,-./:;<=>?_".contains(&b))
        }
    }
}

/// The digit that makes a GS1 number whole, such as the last of an SSCC.
pub fn check_digit(digits: &str) -> u32 {
    let weighted = digits.bytes().rev().enumerate().map(|(at, digit)| {
        let weight = if at % 2 == 0 { 3 } else { 1 };
        weight * u32::from(digit.wrapping_sub(b'0') % 10)
    });
    (10 - weighted.sum::<u32>() % 10) % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_stand_only_where_a_length_is_unknown() {
        let joined = |text| joined(text).unwrap();
        assert_eq!(joined("(00)357012340000000014"), "00357012340000000014");
        assert_eq!(joined("(10)AB1(21)7"), "10AB1\u{1d}217");
        assert_eq!(joined("(01)05712345678909(10)A"), "010571234567890910A");
    }

    #[test]
    fn wrong_check_digits_lengths_and_identifiers_are_refused() {
        let wrong = [
            "(00)357012340000000012",
            "(00)35701234000000001",
            "(99)1",
            "(00357012340000000014",
            "00",
            "(10)",
            "(10)a b",
            "(10)æ",
        ];
        for text in wrong {
            assert!(joined(text).is_err(), "{text}");
        }
        assert_eq!(check_digit("35701234000000001"), 4);
    }
}
