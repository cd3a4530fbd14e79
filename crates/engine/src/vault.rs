//! Seals what must not lie open in the database: carriers' credentials, signing secrets.
//!
//! Each value is bound to the id of its row, so that one cannot be moved to another, and says
//! which key sealed it.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use uuid::Uuid;
use waybill_carriers::{Account, IssuedTokens};
use waybill_domain::ids::{AccountId, IdSource};
use waybill_domain::json::{Json, parse};
use waybill_domain::secret::Secret;
use waybill_store::carrier_accounts;

use crate::keys::{KeyId, Keys};

/// The first byte of a sealed value: how it was sealed. Version 1 did not name its key.
const NAMELESS: u8 = 1;
const VERSION: u8 = 2;
const NONCE: usize = 24;

/// Seals with the first key and opens with any.
pub struct Vault {
    first: (KeyId, XChaCha20Poly1305),
    others: Vec<(KeyId, XChaCha20Poly1305)>,
}

/// What became of a value that was to be sealed anew.
#[derive(PartialEq, Eq, Debug)]
pub enum Renewed {
    /// The first key had sealed it already.
    Already,
    /// The same value, sealed with the first key.
    Sealed(Vec<u8>),
    /// No key of the ring opens it.
    Locked,
}

/// Why an account cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AccountError {
    /// No key of the ring opens the credentials.
    #[error("the credentials cannot be opened with this secret key")]
    Locked,
    /// What the team chose cannot be read.
    #[error("the options of the account {0} cannot be read")]
    Options(AccountId),
}

impl Vault {
    /// A vault with these keys.
    pub fn new(keys: &Keys) -> Vault {
        let derived = keys.derive_all("credentials").into_iter();
        let mut all =
            derived.map(|derived| (derived.id, XChaCha20Poly1305::new(&derived.key.into())));
        let first = all.next().expect("a ring has a first key");
        Vault { first, others: all.collect() }
    }

    /// Seals a value for the row with this id.
    pub fn seal(&self, id: Uuid, value: &Json, ids: &dyn IdSource) -> Vec<u8> {
        let mut nonce = [0; NONCE];
        ids.fill(&mut nonce);
        let text = value.to_string();
        let (key, cipher) = &self.first;
        let payload = Payload { msg: text.as_bytes(), aad: &bound(id, *key) };
        let sealed = cipher
            .encrypt(&XNonce::from(nonce), payload)
            .expect("sealing a small value does not fail");
        [&[VERSION], &key.0[..], &nonce, &sealed].concat()
    }

    /// Opens what was sealed for the row with this id.
    pub fn open(&self, id: Uuid, sealed: &[u8]) -> Option<Json> {
        let text = match sealed.split_first()? {
            (&VERSION, rest) => {
                let (named, rest) = rest.split_first_chunk()?;
                let named = KeyId(*named);
                let mut all = std::iter::once(&self.first).chain(&self.others);
                let (key, cipher) = all.find(|(key, _)| *key == named)?;
                decrypt(cipher, &bound(id, *key), rest)?
            }
            (&NAMELESS, rest) => {
                // Whoever sealed it knew one key: it is among the oldest.
                let mut all = self.others.iter().rev().chain(std::iter::once(&self.first));
                all.find_map(|(_, cipher)| decrypt(cipher, id.as_bytes(), rest))?
            }
            _ => return None,
        };
        parse(&text).ok()
    }

    /// Seals with the first key what another one sealed for the row with this id.
    pub fn renew(&self, id: Uuid, sealed: &[u8], ids: &dyn IdSource) -> Renewed {
        let begin = [&[VERSION], &self.first.0.0[..]].concat();
        match self.open(id, sealed) {
            None => Renewed::Locked,
            Some(_) if sealed.starts_with(&begin) => Renewed::Already,
            Some(value) => Renewed::Sealed(self.seal(id, &value, ids)),
        }
    }

    /// An account with its credentials open, for a carrier.
    pub fn account(&self, row: &carrier_accounts::Account) -> Result<Account, AccountError> {
        let credentials = self.open(row.id.into(), &row.credentials).ok_or(AccountError::Locked)?;
        let options = row.read_options();
        Ok(Account {
            id: row.id,
            changed_at: row.updated_at,
            credentials: Secret::new(credentials),
            options: options.map_err(|_| AccountError::Options(row.id))?,
            issued: IssuedTokens::default(),
        })
    }
}

/// What a value is bound to besides its key.
fn bound(id: Uuid, key: KeyId) -> Vec<u8> {
    [&id.as_bytes()[..], &[VERSION], &key.0].concat()
}

fn decrypt(cipher: &XChaCha20Poly1305, aad: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, msg) = sealed.split_first_chunk::<NONCE>()?;
    cipher.decrypt(&XNonce::from(*nonce), Payload { msg, aad }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sevens;

    impl IdSource for Sevens {
        fn uuid(&self) -> Uuid {
            Uuid::nil()
        }
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(7);
        }
    }

    fn ring(masters: &[u8]) -> Vault {
        let mut masters = masters.iter().map(|byte| [*byte; 32]);
        let first = Keys::new(masters.next().unwrap());
        Vault::new(&masters.fold(first, Keys::opening))
    }

    /// As versions sealed that knew one key.
    fn nameless(master: u8, id: Uuid, value: &Json) -> Vec<u8> {
        let cipher = XChaCha20Poly1305::new(&Keys::new([master; 32]).derive("credentials").into());
        let text = value.to_string();
        let payload = Payload { msg: text.as_bytes(), aad: id.as_bytes() };
        let sealed = cipher.encrypt(&XNonce::from([7; NONCE]), payload).unwrap();
        [&[NAMELESS], &[7; NONCE][..], &sealed].concat()
    }

    #[test]
    fn what_an_older_key_sealed_opens_while_that_is_kept_and_is_sealed_anew() {
        let id = Uuid::from_u128(5);
        let secret = Json::object([("api_key", "hunter2".into())]);
        for old in [nameless(1, id, &secret), ring(&[1]).seal(id, &secret, &Sevens)] {
            let vault = ring(&[3, 2, 1]);
            assert_eq!(vault.open(id, &old), Some(secret.clone()));
            assert_eq!(ring(&[3, 2]).open(id, &old), None);
            assert_eq!(ring(&[3, 2]).renew(id, &old, &Sevens), Renewed::Locked);
            let Renewed::Sealed(new) = vault.renew(id, &old, &Sevens) else { panic!() };
            assert_eq!(ring(&[3]).open(id, &new), Some(secret.clone()));
            assert_eq!(vault.renew(id, &new, &Sevens), Renewed::Already);
            assert_eq!(vault.renew(Uuid::from_u128(6), &new, &Sevens), Renewed::Locked);
        }
    }

    #[test]
    fn what_is_sealed_opens_only_for_its_row_and_its_key() {
        let (vault, id) = (ring(&[1]), Uuid::from_u128(5));
        let secret = Json::object([("api_key", "hunter2".into())]);
        let sealed = vault.seal(id, &secret, &Sevens);
        assert!(!sealed.windows(7).any(|window| window == b"hunter2"));
        assert_eq!(vault.open(id, &sealed), Some(secret));
        assert_eq!(vault.open(Uuid::from_u128(6), &sealed), None);
        assert_eq!(ring(&[2]).open(id, &sealed), None);
        for index in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[index] ^= 1;
            assert_eq!(vault.open(id, &changed), None, "byte {index}");
        }
        assert_eq!(vault.open(id, &[]), None);
    }
}
