//! API tokens: `wb_` and 43 base62 characters of which the last 6 are a checksum. A typo, or a
//! string that a scanner took for a token, is refused without a look-up. Only a SHA-256 is ever
//! stored.

use sha2::{Digest, Sha256};

use crate::ids::IdSource;
use crate::secret::Secret;

const PREFIX: &str = "wb_";
const RANDOM: usize = 37;
const CHECKSUM: usize = 6;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What is stored of a token.
pub type TokenHash = [u8; 32];

/// A new token with 220 random bits.
pub fn generate(ids: &dyn IdSource) -> Secret<String> {
    let mut body = String::with_capacity(RANDOM);
    while body.len() < RANDOM {
        let mut bytes = [0; 64];
        ids.fill(&mut bytes);
        // 248 is four times 62: what lies above would make some characters likelier than others.
        let fair = bytes.iter().filter(|byte| **byte < 248).map(|byte| usize::from(byte % 62));
        body.extend(fair.take(RANDOM - body.len()).map(|index| char::from(ALPHABET[index])));
    }
    let checksum = checksum(&body);
    Secret::new(format!("{PREFIX}{body}{checksum}"))
}

/// The hash to look the token up by; nothing when the text cannot be a token of ours.
pub fn hash(token: &str) -> Option<TokenHash> {
    let body = token.strip_prefix(PREFIX)?;
    if body.len() != RANDOM + CHECKSUM || !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let (random, written) = body.split_at(RANDOM);
    (checksum(random) == written).then(|| Sha256::digest(token.as_bytes()).into())
}

fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut digits = [0; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering};

    use uuid::Uuid;

    use super::*;

    struct Counting(AtomicU8);

    impl IdSource for Counting {
        fn uuid(&self) -> Uuid {
            Uuid::nil()
        }
        fn fill(&self, buffer: &mut [u8]) {
            for byte in buffer {
                *byte = self.0.fetch_add(7, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn a_token_has_its_prefix_its_length_and_a_hash() {
        let token = generate(&Counting(AtomicU8::new(3)));
        let token = token.expose();
        assert_eq!(token.len(), 46);
        assert!(token.starts_with("wb_"));
        assert!(hash(token).is_some());
    }

    #[test]
    fn any_single_typo_is_refused() {
        let token = generate(&Counting(AtomicU8::new(3)));
        let token = token.expose();
        for index in 0..token.len() {
            let mut typo = token.clone().into_bytes();
            typo[index] = if typo[index] == b'x' { b'y' } else { b'x' };
            assert_eq!(hash(std::str::from_utf8(&typo).unwrap()), None, "at {index}");
        }
        assert_eq!(hash(&token[..45]), None);
        assert_eq!(hash(&format!("{token} ")), None);
        assert_eq!(hash(""), None);
        assert_eq!(hash("wb_ææææææææææææææææææææææ"), None);
    }
}
