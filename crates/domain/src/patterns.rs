//! Forms of text that are checked here and told to callers as regular expressions, in the contract
//! and in the catalog. The expressions follow ECMA-262 and need neither look-around nor `\s`, so
//! that validators in every language read them alike.

use std::ops::RangeInclusive;

/// The longest mail address, in characters.
pub const EMAIL_MAX: usize = 254;
/// The longest phone number with the signs between its digits.
pub const PHONE_MAX: usize = 50;

/// Never part of a text: controls, and marks that turn the reading direction. A test holds them to
/// what `Text` refuses.
const CONTROLS: &[(char, char)] = &[
    ('\u{0}', '\u{1f}'),
    ('\u{7f}', '\u{9f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2066}', '\u{2069}'),
    ('\u{feff}', '\u{feff}'),
];
/// White space that is not a control.
const SPACES: &[(char, char)] = &[
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
];
/// Spaces, controls and what turns the reading direction: never part of an address.
const NOT_IN_EMAIL: &[(char, char)] = &[
    ('\u{0}', ' '),
    ('\u{7f}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200f}'),
    ('\u{2028}', '\u{202f}'),
    ('\u{205f}', '\u{206f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];
const SIGNS_NOT_IN_EMAIL: &str = "<>(),;:\"@";
/// How many digits a phone number has.
const PHONE_DIGITS: RangeInclusive<usize> = 4..=15;
/// How many digits an international phone number has.
const E164_DIGITS: RangeInclusive<usize> = 7..=15;

/// Whether it is never part of a text.
pub fn is_control(c: char) -> bool {
    is_in(CONTROLS, c)
}

/// Text without control characters.
pub fn printable() -> String {
    format!("^[^{}]*$", class(CONTROLS))
}

/// Text without control characters that is not blank.
pub fn filled() -> String {
    let controls = class(CONTROLS);
    format!("^[^{controls}]*[^{controls}{}][^{controls}]*$", class(SPACES))
}

/// One `@` with something on both sides and a dot behind it. Only a mail proves an address.
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let is_good = |c: char| !SIGNS_NOT_IN_EMAIL.contains(c) && !is_in(NOT_IN_EMAIL, c);
    let labels: Vec<&str> = domain.split('.').collect();
    text.chars().count() <= EMAIL_MAX
        && !local.is_empty()
        && labels.len() > 1
        && labels.iter().all(|label| !label.is_empty())
        && local.chars().chain(domain.chars()).all(is_good)
}

/// Whether it is the name of a host with a dot in it, such as `shop.example.com`.
pub fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() <= 253 && text.contains('.') && text.split('.').all(is_label)
}

/// An e-mail address, apart from its length.
pub fn email() -> String {
    let not = format!("{SIGNS_NOT_IN_EMAIL}{}", class(NOT_IN_EMAIL));
    format!("^[^{not}]+@[^.{not}]+(?:\\.[^.{not}]+)+$")
}

/// Digits, with the signs that people put between them.
pub fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let rest = text.strip_prefix('+').unwrap_or(text);
    PHONE_DIGITS.contains(&digits)
        && text.len() <= PHONE_MAX
        && rest.bytes().all(|b| b.is_ascii_digit() || b" ()-./".contains(&b))
}

/// The same, apart from its length.
pub fn phone() -> String {
    let (min, max) = (PHONE_DIGITS.start(), PHONE_DIGITS.end());
    format!(r"^\+?[ ()./-]*(?:[0-9][ ()./-]*){{{min},{max}}}$")
}

/// E.164, as carriers want it.
pub fn is_e164(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('+') else { return false };
    E164_DIGITS.contains(&digits.len())
        && !digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The same as a regular expression.
pub fn e164() -> String {
    format!(r"^\+[1-9][0-9]{{{},{}}}$", E164_DIGITS.start() - 1, E164_DIGITS.end() - 1)
}

fn is_in(ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// The ranges as the inside of a class of characters.
fn class(ranges: &[(char, char)]) -> String {
    let code = |c: char| format!("\\u{:04x}", u32::from(c));
    let range = |(first, last): &(char, char)| match first == last {
        true => code(*first),
        false => format!("{}-{}", code(*first), code(*last)),
    };
    ranges.iter().map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::Text;

    #[test]
    fn controls_and_spaces_are_those_that_a_text_is_checked_for() {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            let is_control = Text::up_to(1).problem(&text).is_some();
            assert_eq!(is_in(CONTROLS, c), is_control, "{c:?}");
            assert_eq!(is_in(SPACES, c), c.is_whitespace() && !is_control, "{c:?}");
        }
    }

    #[test]
    fn e_mail_addresses_and_phone_numbers_look_like_some() {
        for good in ["ada@example.com", "a+b@sub.example.co", "é@example.dk"] {
            assert!(is_email(good), "{good}");
        }
        for bad in ["", "ada", "@example.com", "a@b", "a@b..c", "a@b@c.d", "a b@c.de", "<a@b.c>"] {
            assert!(!is_email(bad), "{bad}");
        }
        for good in ["+4530274735", "30 27 47 35", "(030) 27-47.35"] {
            assert!(is_phone(good), "{good}");
        }
        for bad in ["", "+", "123", "+45 call me", "12345678901234567", "1234\n5678"] {
            assert!(!is_phone(bad), "{bad}");
        }
    }

    #[test]
    fn an_expression_is_spelled_so_that_every_language_reads_it() {
        assert_eq!(phone(), r"^\+?[ ()./-]*(?:[0-9][ ()./-]*){4,15}$");
        assert_eq!(e164(), r"^\+[1-9][0-9]{6,14}$");
        assert!(printable().starts_with(r"^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e"));
        for pattern in [printable(), filled(), email()] {
            assert!(pattern.is_ascii() && !pattern.contains(r"\s") && !pattern.contains("(?="));
        }
    }
}
