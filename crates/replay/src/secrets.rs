//! Secrets that are known, so that none is written down or printed.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use waybill_domain::json::Json;

/// What stands where a secret stood.
pub const HIDDEN: &str = "redacted";

/// A longer one is hidden wherever it is; a shorter one, which may be an ordinary word, where it
/// stands alone.
const LONG: usize = 8;
/// What is shorter is in every text.
const SHORT: usize = 3;

/// Texts that let somebody in, in every form that they take on the wire, the longest first: it may
/// have a shorter one in it.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// Every text and number in the credentials of an account.
    pub fn of_credentials(credentials: &Json) -> Secrets {
        let mut texts = Vec::new();
        collect(credentials, &mut texts);
        let mut secrets = Secrets::default();
        for text in &texts {
            secrets.learn(text);
            for other in &texts {
                let pair = format!("{text}:{other}");
                secrets.learn(&STANDARD.encode(pair));
            }
        }
        secrets
    }

    /// One more.
    pub fn learn(&mut self, text: &str) {
        if text.chars().count() < SHORT || text == HIDDEN {
            return;
        }
        let written = Json::text(text).to_string();
        let in_json = written.trim_matches('"').to_owned();
        let encoded: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
        let spaced = encoded.replace('+', "%20");
        let bases = [STANDARD.encode(text), URL_SAFE_NO_PAD.encode(text)];
        self.0.extend([text.to_owned(), in_json, encoded, spaced]);
        self.0.extend(bases.into_iter().filter(|base| base.len() >= LONG));
        self.0.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        self.0.dedup();
    }

    /// How many forms are known.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The text without them.
    pub fn hide(&self, text: &str) -> String {
        let found = self.0.iter().filter(|secret| text.contains(secret.as_str()));
        found.fold(text.to_owned(), |text, secret| without(&text, secret))
    }

    /// Bytes of the same length without those that are long.
    pub fn blot(&self, bytes: &mut [u8]) {
        for secret in self.0.iter().filter(|secret| secret.len() >= LONG) {
            let mut from = 0;
            let at = |rest: &[u8]| {
                rest.windows(secret.len()).position(|window| window == secret.as_bytes())
            };
            while let Some(place) = at(&bytes[from..]) {
                let end = from + place + secret.len();
                bytes[from + place..end].fill(b'x');
                from = end;
            }
        }
    }
}

fn without(text: &str, secret: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(secret) {
        let (before, after) = (&rest[..at], &rest[at + secret.len()..]);
        let is_open = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let last = before.chars().next_back().or(kept.chars().next_back());
        let stands_alone = is_open(last) && is_open(after.chars().next());
        kept.push_str(before);
        kept.push_str(if secret.len() >= LONG || stands_alone { HIDDEN } else { secret });
        rest = after;
    }
    kept.push_str(rest);
    kept
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

    #[test]
    fn a_secret_is_hidden_in_every_form_that_it_takes() {
        let json = parse(br#"{"user": "shop", "key": "hush&quiet \u00f8!"}"#).unwrap();
        let secrets = Secrets::of_credentials(&json);
        for text in [
            "it is hush&quiet ø!, said the carrier",
            "?kode=hush%26quiet+%C3%B8%21&x=1",
            "?kode=hush%26quiet%20%C3%B8%21&x=1",
            "Basic c2hvcDpodXNoJnF1aWV0IMO4IQ==",
        ] {
            let hidden = secrets.hide(text);
            assert!(hidden.contains(HIDDEN) && !hidden.contains("hush"), "{hidden}");
            assert!(!hidden.contains("c2hvcDpod"), "{hidden}");
        }
    }

    #[test]
    fn a_short_secret_is_hidden_where_it_stands_alone() {
        let mut secrets = Secrets::default();
        secrets.learn("key");
        secrets.learn("of");
        let hidden = secrets.hide("the keyword of key_2 of key, \"key\"");
        assert_eq!(hidden, format!("the keyword of key_2 of {HIDDEN}, \"{HIDDEN}\""));
    }

    #[test]
    fn bytes_keep_their_length_without_secrets() {
        let mut secrets = Secrets::default();
        secrets.learn("hush-hush");
        let mut bytes = *b"%PDF hush-hush\xff hush";
        secrets.blot(&mut bytes);
        assert_eq!(&bytes, b"%PDF xxxxxxxxx\xff hush");
    }
}
