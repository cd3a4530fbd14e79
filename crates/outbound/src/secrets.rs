//! Secrets that are known, so that none is written down or printed.

mod spelling;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use waybill_domain::json::Json;

use spelling::Precision;

/// What stands where a secret stood.
pub const HIDDEN: &str = "redacted";

/// A longer one is hidden wherever it is; a shorter one, which may be an ordinary word, where it
/// stands alone.
const LONG: usize = 8;
/// What is shorter is in every text.
const SHORT: usize = 3;
/// Names and passwords are sent in pairs. With more texts than these, it is no longer known which.
const PAIRED_MAX: usize = 16;
/// The signs that letters in another spelling begin with.
const SIGNS: &[u8] = b"+%\\&";

/// Texts that let somebody in, with their base64, the longest first: it may have a shorter one in
/// it.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

/// What is looked through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    /// What is read by programs again.
    Data,
    /// What people read: it may have been cut, and a number in it may be of something else.
    Words,
    /// What people read and compare: events, places.
    Notes,
}

impl Secrets {
    /// Every text and number in the credentials of an account.
    pub fn of_credentials(credentials: &Json) -> Secrets {
        let mut texts = Vec::new();
        collect(credentials, &mut texts);
        let mut secrets = Secrets::default();
        texts.iter().for_each(|text| secrets.add(text));
        for text in texts.iter().take(PAIRED_MAX) {
            for other in texts.iter().take(PAIRED_MAX) {
                secrets.add_base64(&format!("{text}:{other}"));
            }
        }
        secrets.sort();
        secrets
    }

    /// One more.
    pub fn learn(&mut self, text: &str) {
        self.add(text);
        self.sort();
    }

    fn add(&mut self, text: &str) {
        if text.chars().count() < SHORT || text == HIDDEN {
            return;
        }
        self.0.push(text.to_owned());
        self.add_base64(text);
    }

    fn add_base64(&mut self, text: &str) {
        let bases =
            [STANDARD.encode(text), STANDARD_NO_PAD.encode(text), URL_SAFE_NO_PAD.encode(text)];
        self.0.extend(bases.into_iter().filter(|base| base.len() >= LONG));
    }

    fn sort(&mut self) {
        self.0.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        self.0.dedup();
    }

    /// How many are known.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The text without them, for programs to read.
    pub fn hide(&self, text: &str) -> String {
        self.without(text, TextKind::Data)
    }

    /// Words for people without them, however they are written. A number is hidden where it stands
    /// alone: numbers of parcels have numbers of customers in them.
    pub fn hide_in_words(&self, text: &str) -> String {
        self.without(text, TextKind::Words)
    }

    /// The same, of those alone that cannot be an ordinary word or number.
    pub fn hide_in_notes(&self, text: &str) -> String {
        self.without(text, TextKind::Notes)
    }

    /// Bytes of the same length without those that are long.
    pub fn blot(&self, bytes: &mut [u8]) {
        let (starts, mut at) = (self.starts(), 0);
        while at < bytes.len() {
            let rest = &bytes[at..];
            let known = self.0.iter().filter(|secret| is_long(secret));
            let mut ends = known.filter_map(|secret| spelling::end(rest, secret, Precision::Exact));
            match starts[usize::from(rest[0])].then(|| ends.next()).flatten() {
                Some(end) => {
                    bytes[at..at + end].fill(b'x');
                    at += end;
                }
                None => at += 1,
            }
        }
    }

    fn without(&self, text: &str, kind: TextKind) -> String {
        let (starts, mut kept, mut told, mut at) = (self.starts(), String::new(), 0, 0);
        let bytes = text.as_bytes();
        while at < bytes.len() {
            let found = starts[usize::from(bytes[at])]
                .then(|| self.0.iter().find_map(|secret| found(text, at, secret, kind)));
            match found.flatten() {
                Some(end) => {
                    kept.push_str(&text[told..at]);
                    kept.push_str(HIDDEN);
                    (told, at) = (end, end);
                }
                None => at = text.ceil_char_boundary(at + 1),
            }
        }
        kept.push_str(&text[told..]);
        kept
    }

    /// The bytes that one of them may begin with.
    fn starts(&self) -> [bool; 256] {
        let mut starts = [false; 256];
        let firsts = self.0.iter().map(|secret| secret.as_bytes()[0]);
        let either = firsts.flat_map(|it| [it.to_ascii_lowercase(), it.to_ascii_uppercase()]);
        either.chain(SIGNS.iter().copied()).for_each(|byte| starts[usize::from(byte)] = true);
        starts
    }
}

fn is_long(secret: &str) -> bool {
    secret.chars().count() >= LONG
}

/// Where a secret ends that is to be hidden from here on.
fn found(text: &str, at: usize, secret: &str, kind: TextKind) -> Option<usize> {
    let is_number = secret.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = is_long(secret) && (kind == TextKind::Data || !is_number);
    let precision = match kind {
        TextKind::Words if is_plain => Precision::Cut,
        TextKind::Notes if is_plain => Precision::AnyCase,
        TextKind::Notes => return None,
        _ => Precision::Exact,
    };
    let end = spelling::end(&text.as_bytes()[at..], secret, precision)? + at;
    (is_plain || stands_alone(text, at, end)).then_some(end)
}

fn stands_alone(text: &str, at: usize, end: usize) -> bool {
    let is_open = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    let before = &text[..at];
    let begins = is_open(before.chars().next_back()) || spelling::ends_escaped(before.as_bytes());
    begins && is_open(text[end..].chars().next())
}

fn collect(json: &Json, texts: &mut Vec<String>) {
    match json {
        Json::Text(text) => texts.push(text.clone()),
        Json::Number(number) => texts.push(number.as_str().to_owned()),
        Json::List(values) => values.iter().for_each(|value| collect(value, texts)),
        Json::Object(members) => members.iter().for_each(|(_, value)| collect(value, texts)),
        Json::Null | Json::Bool(_) | Json::Written(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use waybill_domain::json::parse;

    use super::*;

    fn known(texts: &[&str]) -> Secrets {
        let mut secrets = Secrets::default();
        texts.iter().for_each(|text| secrets.learn(text));
        secrets
    }

    #[test]
    fn a_secret_is_hidden_in_every_form_that_it_takes() {
        let json = parse(br#"{"user": "shop", "key": "hush&quiet \u00f8!"}"#).unwrap();
        let secrets = Secrets::of_credentials(&json);
        for text in [
            "it is hush&quiet ø!, said the carrier",
            "?kode=hush%26quiet+%C3%B8%21&x=1",
            "?kode=hush%26quiet%20%c3%b8!&x=1",
            "<p>kode=hush&amp;quiet &#248;!</p>",
            r#"{"kode": "hush\u0026quiet \u00f8!"}"#,
            "Basic c2hvcDpodXNoJnF1aWV0IMO4IQ==",
            "Basic%20c2hvcDpodXNoJnF1aWV0IMO4IQ%3D%3D",
        ] {
            for hidden in [secrets.hide(text), secrets.hide_in_words(text)] {
                assert!(hidden.contains(HIDDEN) && !hidden.contains("hush"), "{hidden}");
                assert!(!hidden.contains("c2hvcDpod"), "{hidden}");
            }
        }
        assert_eq!(known(&["hush-hush"]).hide_in_words("HUSH-Hush."), "redacted.");
    }

    #[test]
    fn a_short_secret_is_hidden_where_it_stands_alone() {
        let secrets = known(&["key", "of"]);
        let hidden = secrets.hide("the keyword of key_2 of key, \"key\"");
        assert_eq!(hidden, format!("the keyword of key_2 of {HIDDEN}, \"{HIDDEN}\""));
        assert_eq!(secrets.hide_in_words("kode%3Dkey%26x\\nkey"), "kode%3Dredacted%26x\\nredacted");
        assert_eq!(secrets.hide_in_notes("the key, Key"), "the key, Key");
    }

    #[test]
    fn the_number_of_a_customer_stays_in_the_numbers_of_parcels() {
        let secrets = known(&["1234567890"]);
        let words = "customer 1234567890 may not cancel 00123456789000001";
        let hidden = "customer redacted may not cancel 00123456789000001";
        assert_eq!(secrets.hide_in_words(words), hidden);
        assert_eq!(secrets.hide_in_notes(words), words);
        assert!(!secrets.hide(words).contains("1234567890"));
    }

    #[test]
    fn the_beginning_of_a_secret_is_hidden_at_the_end_of_words() {
        let secrets = known(&["hush-hush-hush-hush"]);
        assert_eq!(secrets.hide_in_words("you sent hush-hush-hu"), "you sent redacted");
        assert_eq!(secrets.hide("you sent hush-hush-hu"), "you sent hush-hush-hu");
    }

    #[test]
    fn bytes_keep_their_length_without_secrets() {
        let secrets = known(&["hush-hush"]);
        let mut bytes = *b"%PDF hush-hush\xff hush";
        secrets.blot(&mut bytes);
        assert_eq!(&bytes, b"%PDF xxxxxxxxx\xff hush");
    }
}
