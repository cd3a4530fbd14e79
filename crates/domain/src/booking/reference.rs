//! The name of an attempt, and the right to send it once.

use std::fmt;

use crate::ids::IdSource;

/// The alphabet of references: one vowel only, so that few words come about, and no letters that
/// look like digits.
const ALPHABET: &[u8; 32] = b"0123456789BCDFGHJKLMNPQRSTVWXYZA";

/// An attempt's own reference: 20 characters, 100 random bits, fit for every carrier's field.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reference(String);

impl Reference {
    /// A new reference.
    pub fn new(ids: &dyn IdSource) -> Reference {
        let mut bytes = [0; 20];
        ids.fill(&mut bytes);
        Reference(bytes.iter().map(|b| char::from(ALPHABET[usize::from(b % 32)])).collect())
    }

    /// Reads a stored reference.
    pub fn from_stored(text: String) -> Reference {
        Reference(text)
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

/// The right to send one attempt once. The store makes it when it writes the intent, and hands it
/// out only after the commit; sending takes it by value.
#[derive(Debug)]
pub struct Permit(());

impl Permit {
    /// For the store alone, inside the transaction that writes the intent. The layering test
    /// checks that nothing else calls this.
    pub fn for_committed_intent() -> Permit {
        Permit(())
    }
}
