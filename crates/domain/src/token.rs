//! Texts that let somebody in: a prefix that says what it is, and 43 base62 characters of which the
//! last 6 are a checksum. A typo, or a string that a scanner took for a token, is refused without a
//! look-up. Only a SHA-256 is ever stored.

use sha2::{Digest, Sha256};

use crate::ids::IdSource;
use crate::secret::Secret;

const RANDOM: usize = 37;
const CHECKSUM: usize = 6;
const CLIENT_ID: usize = 16;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What is stored of a token.
pub type TokenHash = [u8; 32];

/// What a text lets its bearer do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `wb_`: call the API, as a user, a print agent or an app.
    Access,
    /// `wbs_`: prove to be an OAuth client.
    ClientSecret,
    /// `wbr_`: get the next access token.
    Refresh,
    /// `wba_`: get the first access token, once.
    Code,
    /// `wbi_`: come into a team, once.
    Invitation,
}

impl TokenKind {
    fn prefix(self) -> &'static str {
        match self {
            TokenKind::Access => "wb_",
            TokenKind::ClientSecret => "wbs_",
            TokenKind::Refresh => "wbr_",
            TokenKind::Code => "wba_",
            TokenKind::Invitation => "wbi_",
        }
    }

    /// A new one with 220 random bits.
    pub fn generate(self, ids: &dyn IdSource) -> Secret<String> {
        let body = random_text(ids, RANDOM);
        let checksum = checksum(&body);
        Secret::new(format!("{}{body}{checksum}", self.prefix()))
    }

    /// The hash to look it up by; nothing when the text cannot be one of these.
    pub fn hash(self, text: &str) -> Option<TokenHash> {
        let body = text.strip_prefix(self.prefix())?;
        let is_base62 = body.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if body.len() != RANDOM + CHECKSUM || !is_base62 {
            return None;
        }
        let (random, written) = body.split_at(RANDOM);
        (checksum(random) == written).then(|| Sha256::digest(text.as_bytes()).into())
    }
}

/// A new access token.
pub fn generate(ids: &dyn IdSource) -> Secret<String> {
    TokenKind::Access.generate(ids)
}

/// The hash to look an access token up by; nothing when the text cannot be one of ours.
pub fn hash(token: &str) -> Option<TokenHash> {
    TokenKind::Access.hash(token)
}

/// What an OAuth client calls itself: `wbc_` and 16 base62 characters. It is no secret.
pub fn generate_client_id(ids: &dyn IdSource) -> String {
    format!("wbc_{}", random_text(ids, CLIENT_ID))
}

/// Whether two hashes are the same, in a time that does not tell where they differ.
pub fn is_same(one: &TokenHash, other: &TokenHash) -> bool {
    let difference = one.iter().zip(other).fold(0, |seen, (one, other)| seen | (one ^ other));
    std::hint::black_box(difference) == 0
}

fn random_text(ids: &dyn IdSource, length: usize) -> String {
    let mut body = String::with_capacity(length);
    while body.len() < length {
        let mut bytes = [0; 64];
        ids.fill(&mut bytes);
        // 248 is four times 62: what lies above would make some characters likelier than others.
        let fair = bytes.iter().filter(|byte| **byte < 248).map(|byte| usize::from(byte % 62));
        body.extend(fair.take(length - body.len()).map(|index| char::from(ALPHABET[index])));
    }
    body
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

    #[test]
    fn each_kind_has_its_prefix_and_is_none_of_the_others() {
        let kinds = [
            (TokenKind::Access, "wb_"),
            (TokenKind::ClientSecret, "wbs_"),
            (TokenKind::Refresh, "wbr_"),
            (TokenKind::Code, "wba_"),
            (TokenKind::Invitation, "wbi_"),
        ];
        for (kind, prefix) in kinds {
            let text = kind.generate(&Counting(AtomicU8::new(3)));
            let text = text.expose();
            assert!(text.starts_with(prefix) && text.len() == prefix.len() + 43, "{text}");
            for (other, _) in kinds {
                assert_eq!(other.hash(text).is_some(), other == kind, "{text} as {other:?}");
            }
        }
    }

    #[test]
    fn a_client_id_is_sixteen_characters_and_hashes_are_compared_whole() {
        let id = generate_client_id(&Counting(AtomicU8::new(3)));
        assert!(id.starts_with("wbc_") && id.len() == 20, "{id}");
        let mut other = [7; 32];
        assert!(is_same(&[7; 32], &other));
        other[31] = 8;
        assert!(!is_same(&[7; 32], &other));
    }
}
