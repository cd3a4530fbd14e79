//! What proves that a form is one that we drew for this browser: a MAC over a random cookie of the
//! browser, the step, the fields that must come back as they were, and the time.
//!
//! Another site can make a browser send a form, and cannot read the cookie or make the MAC.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use waybill_domain::time::Time;

use crate::keys::{KeyId, Keys};

/// For so many seconds a form may be sent after it was drawn.
const LIFE: i64 = 60 * 60;
/// How the text under the MAC is made.
const VERSION: u8 = 1;
const SECOND: i64 = 1_000_000;

/// What a form is bound to.
#[derive(Clone, Copy, Debug)]
pub struct FormBinding<'a> {
    /// The random value in the browser's cookie.
    pub browser: &'a str,
    /// What the form is for. A form for one step is not one for another.
    pub step: &'a str,
    /// The fields that must come back as they were.
    pub fields: &'a [(String, String)],
}

/// Signs forms with the first key, and checks them with the one that signed.
pub struct FormSigner {
    first: Key,
    others: Vec<Key>,
}

struct Key {
    id: KeyId,
    mac: Hmac<Sha256>,
}

impl FormSigner {
    /// Signs and checks with these keys.
    pub fn new(keys: &Keys) -> FormSigner {
        let derived = keys.derive_all("forms").into_iter();
        let mut all = derived.map(|derived| {
            let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&derived.key);
            Key { id: derived.id, mac: mac.expect("HMAC takes a key of any length") }
        });
        let first = all.next().expect("a ring has a first key");
        FormSigner { first, others: all.collect() }
    }

    /// The token of a form: `1f3a90bc.1763500000.…`.
    pub fn sign(&self, form: FormBinding<'_>, now: Time) -> String {
        let second = now.0 / SECOND;
        let mac = self.first.mac(form, second).finalize().into_bytes();
        let mac: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}.{second}.{mac}", self.first.id)
    }

    /// Whether the token is of this form, and the form is not too old.
    pub fn is_good(&self, token: &str, form: FormBinding<'_>, now: Time) -> bool {
        self.check(token, form, now).is_some()
    }

    fn check(&self, token: &str, form: FormBinding<'_>, now: Time) -> Option<()> {
        let (id, rest) = token.split_once('.')?;
        let (second, mac) = rest.split_once('.')?;
        let mut all = std::iter::once(&self.first).chain(&self.others);
        let key = all.find(|key| key.id.to_string() == id)?;
        let second: i64 = second.parse().ok()?;
        key.mac(form, second).verify_slice(&decode(mac)?).ok()?;
        let age = (now.0 / SECOND).checked_sub(second)?;
        (age <= LIFE).then_some(())
    }
}

impl Key {
    fn mac(&self, form: FormBinding<'_>, second: i64) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        mac.update(&[VERSION]);
        mac.update(&self.id.0);
        mac.update(&second.to_be_bytes());
        let fields = form.fields.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
        for part in [form.browser, form.step].into_iter().chain(fields) {
            // With its length before it, no part can pass for two.
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }
}

fn decode(text: &str) -> Option<[u8; 32]> {
    let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if text.len() != 64 || !is_hex {
        return None;
    }
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time(1_763_500_000_000_000);

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_form_is_good_for_its_browser_step_fields_and_hour_alone() {
        let signer = FormSigner::new(&Keys::new([3; 32]));
        let own = fields(&[("state", "x"), ("scope", "")]);
        let form = FormBinding { browser: "b", step: "consent", fields: &own };
        let token = signer.sign(form, NOW);
        assert!(signer.is_good(&token, form, NOW));
        let hour = Time(NOW.0 + LIFE * SECOND);
        assert!(signer.is_good(&token, form, hour));
        assert!(!signer.is_good(&token, form, Time(hour.0 + SECOND)));
        assert!(!signer.is_good(&token, FormBinding { browser: "c", ..form }, NOW));
        assert!(!signer.is_good(&token, FormBinding { step: "sign-in", ..form }, NOW));
        for other in [
            &[("state", "y"), ("scope", "")][..],
            &[("state", "x")],
            &[("state", "x"), ("scope", ""), ("a", "")],
            &[("scope", ""), ("state", "x")],
            &[("statex", ""), ("scope", "")],
            &[("state", "xscope"), ("", "")],
        ] {
            let other = fields(other);
            assert!(!signer.is_good(&token, FormBinding { fields: &other, ..form }, NOW));
        }
    }

    #[test]
    fn a_token_that_was_changed_anywhere_is_not_good() {
        let signer = FormSigner::new(&Keys::new([3; 32]));
        let form = FormBinding { browser: "b", step: "consent", fields: &[] };
        let token = signer.sign(form, NOW);
        for index in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[index] = if changed[index] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(!signer.is_good(&changed, form, NOW), "{changed}");
        }
        for other in ["", ".", "..", &token[1..], &format!("{token}0"), &token.to_uppercase()] {
            assert!(!signer.is_good(other, form, NOW), "{other}");
        }
    }

    #[test]
    fn a_form_outlives_its_key_while_that_is_kept() {
        let form = FormBinding { browser: "b", step: "consent", fields: &[] };
        let token = FormSigner::new(&Keys::new([3; 32])).sign(form, NOW);
        let kept = FormSigner::new(&Keys::new([4; 32]).opening([3; 32]));
        assert!(kept.is_good(&token, form, NOW));
        assert!(!FormSigner::new(&Keys::new([4; 32])).is_good(&token, form, NOW));
    }
}
