//! The secret keys: a ring of 32 random bytes each, from which every other key is derived by
//! purpose.
//!
//! The first key of the ring seals and signs; every key of it opens and verifies, so that a key can
//! be replaced while what the old one made is still about. The file (`keys/file.rs`) is made on
//! first start, readable by its owner alone. All servers of one database share it; a server whose
//! ring lacks the key that the database knows refuses to start, because it could not open the
//! credentials there.

mod error;
mod file;

use std::fmt;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use waybill_domain::ids::IdSource;
use waybill_domain::page::Sealer;
use waybill_domain::secret::Secret;

pub use error::{KeyFault, KeyFileError};
pub use file::Turn;

/// Which key made something. It tells nothing about the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyId(pub [u8; 4]);

impl fmt::Display for KeyId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&encode(&self.0))
    }
}

/// A key for one purpose.
pub struct Derived {
    /// Of the key that it was derived from.
    pub id: KeyId,
    /// The key.
    pub key: [u8; 32],
}

#[derive(Clone, Debug)]
struct Master(Secret<[u8; 32]>);

impl Master {
    fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(self.0.expose())
            .expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    fn id(&self) -> KeyId {
        let [a, b, c, d, ..] = self.derive("id");
        KeyId([a, b, c, d])
    }

    fn fingerprint(&self) -> String {
        encode(&self.derive("fingerprint")[..8])
    }
}

/// The ring of keys of keys.
#[derive(Clone, Debug)]
pub struct Keys {
    first: Master,
    others: Vec<Master>,
}

impl Keys {
    /// A ring of one key.
    pub fn new(master: [u8; 32]) -> Keys {
        Keys { first: Master(Secret::new(master)), others: Vec::new() }
    }

    /// The same ring with one key more that opens and verifies.
    pub fn opening(mut self, master: [u8; 32]) -> Keys {
        self.others.push(Master(Secret::new(master)));
        self
    }

    /// Reads the file. The error is one line for the operator.
    pub fn load(path: &Path) -> Result<Keys, KeyFileError> {
        file::load(path)
    }

    /// Reads the file. None when there is no file, and one can be made.
    pub fn find(path: &Path) -> Result<Option<Keys>, KeyFileError> {
        file::find(path)
    }

    /// Reads the file, or makes it when there is none.
    pub fn load_or_create(path: &Path, ids: &dyn IdSource) -> Result<Keys, KeyFileError> {
        file::load_or_create(path, ids)
    }

    /// Gives the file another first key, or prepares one, and tells which. What it held stays.
    pub fn rotate(path: &Path, turn: Turn, ids: &dyn IdSource) -> Result<KeyId, KeyFileError> {
        file::rotate(path, turn, ids)
    }

    fn all(&self) -> impl Iterator<Item = &Master> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The ids of all keys; the first one's is the first.
    pub fn ids(&self) -> Vec<KeyId> {
        self.all().map(Master::id).collect()
    }

    /// The first key for one purpose.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        self.first.derive(purpose)
    }

    /// Every key for one purpose; the first one is the first.
    pub fn derive_all(&self, purpose: &str) -> Vec<Derived> {
        let derived = |master: &Master| Derived { id: master.id(), key: master.derive(purpose) };
        self.all().map(derived).collect()
    }

    /// What seals and opens the cursors of lists.
    pub fn sealer(&self) -> Sealer {
        let sealer = Sealer::new(self.derive("cursor"));
        self.others.iter().fold(sealer, |sealer, other| sealer.opening(other.derive("cursor")))
    }

    /// A name for the first key that tells nothing about it: stored, to notice another ring.
    pub fn fingerprint(&self) -> String {
        self.first.fingerprint()
    }

    /// Whether a key with this fingerprint is on the ring.
    pub fn knows(&self, fingerprint: &str) -> bool {
        self.all().any(|master| master.fingerprint() == fingerprint)
    }
}

fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_by_purpose_and_by_file() {
        let (one, two) = (Keys::new([1; 32]), Keys::new([2; 32]));
        assert_ne!(one.derive("cursor"), one.derive("files"));
        assert_ne!(one.derive("cursor"), two.derive("cursor"));
        assert_ne!(one.fingerprint(), two.fingerprint());
        assert_ne!(one.ids(), two.ids());
    }

    #[test]
    fn a_ring_knows_all_its_keys_and_signs_with_the_first() {
        let (one, two) = (Keys::new([1; 32]), Keys::new([2; 32]));
        let ring = Keys::new([2; 32]).opening([1; 32]);
        assert_eq!(ring.fingerprint(), two.fingerprint());
        assert_eq!(ring.derive("files"), two.derive("files"));
        assert!(ring.knows(&one.fingerprint()) && ring.knows(&two.fingerprint()));
        assert!(!two.knows(&one.fingerprint()));
        assert_eq!(ring.ids(), [two.ids(), one.ids()].concat());
    }
}
