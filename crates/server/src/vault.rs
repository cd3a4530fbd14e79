//! Seals what must not lie open in the database: carriers' credentials, signing secrets.
//!
//! Each value is bound to the id of its row, so that one can not be moved to another.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use uuid::Uuid;
use waybill_carriers::Account;
use waybill_domain::ids::IdSource;
use waybill_domain::json::{Json, parse};
use waybill_domain::secret::Secret;
use waybill_store::carrier_accounts;

/// The first byte of a sealed value: how it was sealed.
const VERSION: u8 = 1;
const NONCE: usize = 24;

/// Seals and opens.
pub struct Vault(XChaCha20Poly1305);

impl Vault {
    /// A vault with this key.
    pub fn new(key: [u8; 32]) -> Vault {
        Vault(XChaCha20Poly1305::new(&key.into()))
    }

    /// Seals a value for the row with this id.
    pub fn seal(&self, id: Uuid, value: &Json, ids: &dyn IdSource) -> Vec<u8> {
        let mut nonce = [0; NONCE];
        ids.fill(&mut nonce);
        let text = value.to_string();
        let payload = Payload { msg: text.as_bytes(), aad: id.as_bytes() };
        let sealed = self
            .0
            .encrypt(&XNonce::from(nonce), payload)
            .expect("sealing a small value does not fail");
        [&[VERSION], &nonce[..], &sealed].concat()
    }

    /// Opens what was sealed for the row with this id.
    pub fn open(&self, id: Uuid, sealed: &[u8]) -> Option<Json> {
        let (version, rest) = sealed.split_first()?;
        let (nonce, sealed) = rest.split_at_checked(NONCE)?;
        let nonce: [u8; NONCE] = nonce.try_into().ok()?;
        let payload = Payload { msg: sealed, aad: id.as_bytes() };
        let text = self.0.decrypt(&XNonce::from(nonce), payload).ok()?;
        parse(&text).ok().filter(|_| *version == VERSION)
    }

    /// An account with its credentials open, for a carrier.
    pub fn account(&self, row: &carrier_accounts::Account) -> Result<Account, String> {
        let credentials = self
            .open(row.id.into(), &row.credentials)
            .ok_or("the credentials can not be opened with this secret key")?;
        let options = parse(row.options.as_bytes()).unwrap_or(Json::Null);
        Ok(Account { credentials: Secret::new(credentials), options })
    }
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

    #[test]
    fn what_is_sealed_opens_only_for_its_row_and_its_key() {
        let (vault, id) = (Vault::new([1; 32]), Uuid::from_u128(5));
        let secret = Json::object([("api_key", "hunter2".into())]);
        let sealed = vault.seal(id, &secret, &Sevens);
        assert!(!sealed.windows(7).any(|window| window == b"hunter2"));
        assert_eq!(vault.open(id, &sealed), Some(secret));
        assert_eq!(vault.open(Uuid::from_u128(6), &sealed), None);
        assert_eq!(Vault::new([2; 32]).open(id, &sealed), None);
        for index in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[index] ^= 1;
            assert_eq!(vault.open(id, &changed), None, "byte {index}");
        }
        assert_eq!(vault.open(id, &[]), None);
    }
}
