//! The name of an attempt, and the right to send it once.

use std::fmt;

use crate::ids::IdSource;
use crate::time::Time;

/// The alphabet of references: one vowel only, so that few words come about, and no letters that
/// look like digits; in the order in which they sort.
const ALPHABET: &[u8; 32] = b"0123456789ABCDFGHJKLMNPQRSTVWXYZ";

/// Characters that tell the time, and those that are random.
const TIME: usize = 9;
const RANDOM: usize = 11;

/// An attempt's own reference: 20 characters, fit for every carrier's field. It begins with the
/// time, so that an index of references grows at its end however many there are; 55 bits are
/// random.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference(String);

impl Reference {
    /// A new reference.
    pub fn new(ids: &dyn IdSource) -> Reference {
        let milliseconds = ids.uuid().as_u128() >> 80;
        let digits = (0..TIME).rev().map(|place| milliseconds >> (5 * place));
        let mut bytes = [0; RANDOM];
        ids.fill(&mut bytes);
        let letters = digits.chain(bytes.iter().map(|byte| u128::from(*byte)));
        Reference(letters.map(|number| char::from(ALPHABET[(number % 32) as usize])).collect())
    }

    /// Reads a stored reference.
    pub fn from_stored(text: String) -> Reference {
        Reference(text)
    }

    /// Whether a text looks like a reference that was made here. A number of as many digits, as
    /// carriers give to parcels, does not.
    pub fn is_like(text: &str) -> bool {
        let is_letter = |byte: &u8| ALPHABET.contains(byte);
        let has_letter = text.bytes().any(|byte| byte.is_ascii_uppercase());
        text.len() == TIME + RANDOM && text.as_bytes().iter().all(is_letter) && has_letter
    }

    /// When it was made, as its first characters tell. One that was not made here tells nonsense.
    pub fn made_at(&self) -> Time {
        let digit = |byte: u8| ALPHABET.iter().position(|letter| *letter == byte).unwrap_or(0);
        let digits = self.0.bytes().take(TIME).map(digit);
        let milliseconds = digits.fold(0_u64, |sum, digit| sum * 32 + digit as u64);
        Time(i64::try_from(milliseconds).unwrap_or(i64::MAX).saturating_mul(1000))
    }

    /// The text that the carrier is given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The right to send one attempt once. The store makes it when it writes the intent, or when an
/// attempt that is open may be sent again, and hands it out only after the commit; sending takes it
/// by value.
#[derive(Debug)]
pub struct Permit(());

impl Permit {
    /// For the store alone, inside a transaction that has the intent. The layering test
    /// checks that nothing else calls this.
    pub fn for_committed_intent() -> Permit {
        Permit(())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// Ids of this many milliseconds, and random bytes that are all the same.
    struct Ids(u128, u8);

    impl IdSource for Ids {
        fn uuid(&self) -> Uuid {
            Uuid::from_u128(self.0 << 80)
        }

        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.1);
        }
    }

    #[test]
    fn references_sort_by_their_time_whatever_is_random_in_them() {
        let times = [0, 31, 32, 1_795_004_398_000, 1_795_004_398_001, (1 << 45) - 1];
        let references = times.map(|time| Reference::new(&Ids(time, (time % 32) as u8)));
        assert!(references.is_sorted_by(|one, other| one.as_str() < other.as_str()));
        assert!(references.iter().all(|reference| reference.as_str().len() == 20));
        assert_ne!(Reference::new(&Ids(7, 1)), Reference::new(&Ids(7, 2)));
    }

    #[test]
    fn a_reference_is_told_from_the_numbers_of_carriers() {
        let reference = Reference::new(&Ids(1_795_004_398_001, 10));
        assert!(Reference::is_like(reference.as_str()));
        for other in ["00370724750000000019", "", "ORDER-1", "0123456789ABCDEFGHJK"] {
            assert!(!Reference::is_like(other), "{other}");
        }
    }

    #[test]
    fn a_reference_tells_when_it_was_made() {
        for milliseconds in [0, 1_795_004_398_001, (1 << 45) - 1] {
            let made_at = Reference::new(&Ids(milliseconds, 7)).made_at();
            assert_eq!(u128::from(made_at.0.unsigned_abs()), milliseconds * 1000);
        }
    }
}
