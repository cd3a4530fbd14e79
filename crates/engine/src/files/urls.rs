//! Signed download URLs: whoever has one may read one file for a quarter of an hour, or for as long
//! as was agreed, and nobody can make one or change one. The signature begins with the id of its
//! key, so that keys can be replaced: `signature=1f3a90bc.…`.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use waybill_domain::ids::DocumentId;
use waybill_domain::time::Time;

use crate::keys::{KeyId, Keys};

/// How long a URL is good. A key that is replaced must be kept as long.
pub const LIFE: Duration = Duration::from_mins(15);
/// The name that pictures of a document's pages have. No file of ours is called so.
pub const PREVIEW: &str = "preview.png";
/// How the signed text is made.
const VERSION: u8 = 2;

/// Signs with the first key, and checks with the one that signed.
pub struct Signer {
    first: Key,
    others: Vec<Key>,
}

struct Key {
    id: KeyId,
    mac: Hmac<Sha256>,
}

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
    /// Signs and checks with these keys.
    pub fn new(keys: &Keys) -> Signer {
        let derived = keys.derive_all("files").into_iter();
        let mut all = derived.map(|derived| {
            let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&derived.key);
            Key { id: derived.id, mac: mac.expect("HMAC takes a key of any length") }
        });
        let first = all.next().expect("a ring has a first key");
        Signer { first, others: all.collect() }
    }

    /// The path of a file with its signature, and when that ends.
    pub fn sign(&self, document: DocumentId, filename: &str, now: Time) -> (String, Time) {
        self.sign_for(document, filename, now, LIFE)
    }

    /// The same for another time.
    pub fn sign_for(
        &self,
        document: DocumentId,
        filename: &str,
        now: Time,
        life: Duration,
    ) -> (String, Time) {
        let (query, expires) = self.query(document, filename, now.plus(life));
        (format!("/files/{document}/{filename}?{query}"), expires)
    }

    /// The path of a picture of a document's first page. Page and width are not signed.
    pub fn sign_preview(&self, document: DocumentId, now: Time) -> String {
        let (query, _) = self.query(document, PREVIEW, now.plus(LIFE));
        format!("/files/{document}/{PREVIEW}?page=1&width=400&{query}")
    }

    fn query(&self, document: DocumentId, filename: &str, until: Time) -> (String, Time) {
        // Whole seconds, so that the time in the URL is the time that is told.
        let expires = until.0 / 1_000_000;
        let mac = self.first.mac(document, filename, expires).finalize().into_bytes();
        let mac: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
        let signature = format!("{}.{mac}", self.first.id);
        (format!("expires={expires}&signature={signature}"), Time(expires * 1_000_000))
    }

    /// Checks a URL by its parts.
    pub fn check(
        &self,
        document: DocumentId,
        filename: &str,
        expires: &str,
        signature: &str,
        now: Time,
    ) -> Verdict {
        let is_plain = expires.bytes().all(|byte| byte.is_ascii_digit())
            && !(expires.is_empty() || expires.starts_with('0'));
        let Some(seconds) = expires.parse::<i64>().ok().filter(|_| is_plain) else {
            return Verdict::Forged;
        };
        let Some((id, mac)) = signature.split_once('.') else { return Verdict::Forged };
        let (Some(id), Some(mac)) = (decode::<4>(id), decode::<32>(mac)) else {
            return Verdict::Forged;
        };
        let mut all = std::iter::once(&self.first).chain(&self.others);
        let Some(key) = all.find(|key| key.id == KeyId(id)) else { return Verdict::Forged };
        if key.mac(document, filename, seconds).verify_slice(&mac).is_err() {
            return Verdict::Forged;
        }
        let is_over = now.0 >= seconds.saturating_mul(1_000_000);
        if is_over { Verdict::Expired } else { Verdict::Good }
    }
}

impl Key {
    fn mac(&self, document: DocumentId, filename: &str, expires: i64) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        mac.update(&[VERSION]);
        mac.update(&self.id.0);
        mac.update(document.0.as_bytes());
        mac.update(&expires.to_be_bytes());
        mac.update(filename.as_bytes());
        mac
    }
}

/// Exactly so many bytes in lower-case hexadecimal digits: one signature has one spelling.
fn decode<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    let is_hex = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if text.len() != 2 * LENGTH || !is_hex {
        return None;
    }
    let mut bytes = [0; LENGTH];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_url_is_good_for_its_file_and_its_time_alone() {
        let signer = Signer::new(&Keys::new([3; 32]));
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
        assert_eq!(check(id, "label.pdf", &format!("0{expires}"), signature, now), Verdict::Forged);
        let upper = signature.to_uppercase();
        assert!(
            upper == signature || check(id, "label.pdf", expires, &upper, now) == Verdict::Forged
        );
    }

    #[test]
    fn a_url_outlives_its_key_while_that_is_kept() {
        let (id, now) = (DocumentId(Uuid::from_u128(1)), Time(1_000_000_000_000));
        let (old, new) = (Keys::new([3; 32]), Keys::new([4; 32]));
        let (path, _) = Signer::new(&old).sign(id, "label.pdf", now);
        let (_, query) = path.split_once("?expires=").unwrap();
        let (expires, signature) = query.split_once("&signature=").unwrap();
        let check = |keys: &Keys| Signer::new(keys).check(id, "label.pdf", expires, signature, now);
        assert_eq!(check(&new.clone().opening([3; 32])), Verdict::Good);
        assert_eq!(check(&new), Verdict::Forged);
        let (path, _) = Signer::new(&new.clone().opening([3; 32])).sign(id, "label.pdf", now);
        assert!(path.contains(&format!("&signature={}.", new.ids()[0])));
        // The same MAC under the name of another key is nothing.
        let (_, mac) = signature.split_once('.').unwrap();
        let renamed = format!("{}.{mac}", new.ids()[0]);
        let ring = Signer::new(&new.opening([3; 32]));
        assert_eq!(ring.check(id, "label.pdf", expires, &renamed, now), Verdict::Forged);
    }
}
