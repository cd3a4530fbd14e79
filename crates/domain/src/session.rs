//! How long somebody stays signed in, and what the cookie of a browser holds: 256 random bits, of
//! which only a hash is stored.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::ids::IdSource;
use crate::secret::Secret;
use crate::time::Time;
use crate::token::TokenHash;

/// The longest that a session lasts.
pub const LIFE: Duration = Duration::from_hours(12);
/// The longest that it lasts when nothing is heard of it.
pub const IDLE: Duration = Duration::from_hours(1);

const BYTES: usize = 32;

/// A new random value for a cookie.
pub fn generate(ids: &dyn IdSource) -> Secret<String> {
    let mut bytes = [0; BYTES];
    ids.fill(&mut bytes);
    Secret::new(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a cookie holds what [`generate`] makes.
pub fn is_well_formed(cookie: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    cookie.len() == 2 * BYTES && cookie.bytes().all(is_digit)
}

/// What is stored of it; nothing when it cannot be ours.
pub fn hash(cookie: &str) -> Option<TokenHash> {
    is_well_formed(cookie).then(|| Sha256::digest(cookie.as_bytes()).into())
}

/// When a session ends by itself that was begun and last heard of at these times.
pub fn ends_at(created_at: Time, seen_at: Time) -> Time {
    created_at.plus(LIFE).min(seen_at.plus(IDLE))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    struct Fixed;

    impl IdSource for Fixed {
        fn uuid(&self) -> Uuid {
            Uuid::nil()
        }
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0xa7);
        }
    }

    #[test]
    fn a_cookie_holds_256_bits_and_anything_else_is_not_one() {
        let cookie = generate(&Fixed);
        assert_eq!(cookie.expose(), &"a7".repeat(32));
        assert!(hash(cookie.expose()).is_some());
        for other in ["", "a7", &"A7".repeat(32), &"a7".repeat(33), &"å".repeat(32)] {
            assert_eq!(hash(other), None, "{other}");
        }
    }

    #[test]
    fn a_session_ends_after_an_hour_without_a_word_and_after_twelve_in_any_case() {
        let (begun, hour) = (Time(0), Duration::from_hours(1));
        assert_eq!(ends_at(begun, begun), begun.plus(hour));
        assert_eq!(ends_at(begun, begun.plus(5 * hour)), begun.plus(6 * hour));
        assert_eq!(ends_at(begun, begun.plus(hour * 23 / 2)), begun.plus(12 * hour));
    }
}
