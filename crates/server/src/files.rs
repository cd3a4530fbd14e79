//! Signed download URLs: whoever has one may read one file for a quarter of an hour, and nobody can
//! make one or change one.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use waybill_domain::ids::DocumentId;
use waybill_domain::time::Time;

const LIFE: Duration = Duration::from_mins(15);

/// Signs and checks URLs.
pub struct Signer(Hmac<Sha256>);

/// What a URL turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is ours and still good.
    Good,
    /// It was ours, and its time is over.
    Expired,
    /// It was never ours.
    Forged,
}

impl Signer {
    /// Signs with this key.
    pub fn new(key: [u8; 32]) -> Signer {
        let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key);
        Signer(mac.expect("HMAC takes a key of any length"))
    }

    /// The path of a file with its signature, and when that ends.
    pub fn sign(&self, document: DocumentId, filename: &str, now: Time) -> (String, Time) {
        // Whole seconds, so that the time in the URL is the time that is told.
        let expires = now.plus(LIFE).0 / 1_000_000;
        let signature = self.mac(document, filename, expires).finalize().into_bytes();
        let signature: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
        let path = format!("/files/{document}/{filename}?expires={expires}&signature={signature}");
        (path, Time(expires * 1_000_000))
    }

    /// Judges a URL by its parts.
    pub fn check(
        &self,
        document: DocumentId,
        filename: &str,
        expires: &str,
        signature: &str,
        now: Time,
    ) -> Verdict {
        let is_plain = !expires.is_empty() && expires.bytes().all(|byte| byte.is_ascii_digit());
        let Some(seconds) = expires.parse::<i64>().ok().filter(|_| is_plain) else {
            return Verdict::Forged;
        };
        let Some(signature) = decode(signature) else { return Verdict::Forged };
        if self.mac(document, filename, seconds).verify_slice(&signature).is_err() {
            return Verdict::Forged;
        }
        let is_over = now.0 >= seconds.saturating_mul(1_000_000);
        if is_over { Verdict::Expired } else { Verdict::Good }
    }

    fn mac(&self, document: DocumentId, filename: &str, expires: i64) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(document.0.as_bytes());
        mac.update(&expires.to_be_bytes());
        mac.update(filename.as_bytes());
        mac
    }
}

fn decode(text: &str) -> Option<Vec<u8>> {
    if text.len() != 64 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    (0..32).map(|index| u8::from_str_radix(&text[index * 2..index * 2 + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_url_is_good_for_its_file_and_its_time_alone() {
        let signer = Signer::new([3; 32]);
        let (id, now) = (DocumentId(Uuid::from_u128(1)), Time(1_000_000_000_000));
        let (path, until) = signer.sign(id, "label.pdf", now);
        let (_, query) = path.split_once("?expires=").unwrap();
        let (expires, signature) = query.split_once("&signature=").unwrap();
        let check = |id: DocumentId, name: &str, expires: &str, signature: &str, now: Time| {
            signer.check(id, name, expires, signature, now)
        };
        assert_eq!(check(id, "label.pdf", expires, signature, now), Verdict::Good);
        let last = until.minus(Duration::from_micros(1));
        assert_eq!(check(id, "label.pdf", expires, signature, last), Verdict::Good);
        assert_eq!(check(id, "label.pdf", expires, signature, until), Verdict::Expired);
        let other = DocumentId(Uuid::from_u128(2));
        assert_eq!(check(other, "label.pdf", expires, signature, now), Verdict::Forged);
        assert_eq!(check(id, "label.pdg", expires, signature, now), Verdict::Forged);
        assert_eq!(check(id, "label.pdf", "9999999999", signature, now), Verdict::Forged);
        for index in 0..signature.len() {
            let mut changed = signature.to_owned().into_bytes();
            changed[index] = if changed[index] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(check(id, "label.pdf", expires, &changed, now), Verdict::Forged);
        }
        let upper = signature.to_uppercase();
        assert!(
            upper == signature || check(id, "label.pdf", expires, &upper, now) == Verdict::Forged
        );
    }
}
