//! What failures are counted by. The database knows a MAC of it, and not what people typed: some
//! type their password where the e-mail address belongs.

use std::net::IpAddr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use waybill_domain::failures::{FailureLimit, OF_ADDRESS, OF_EMAIL, OF_EMAIL_AND_ADDRESS};
use waybill_store::failures::FailureWindow;

use crate::keys::Keys;

/// Names the windows of failures, so that the database does not say what people typed.
pub struct WindowNames(Hmac<Sha256>);

impl WindowNames {
    /// Names made with the first of these keys.
    pub fn new(keys: &Keys) -> WindowNames {
        let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&keys.derive("failures"));
        WindowNames(mac.expect("HMAC takes a key of any length"))
    }

    /// The failures of whoever these parts name.
    pub fn window(&self, limit: FailureLimit, who: &[&str]) -> FailureWindow {
        let mut mac = self.0.clone();
        for part in [limit.name].iter().chain(who) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        FailureWindow { key: mac.finalize().into_bytes().into(), limit }
    }

    /// All that limit sign-ins with this address from there. A success clears the first.
    pub fn of_sign_in(&self, email: &str, address: IpAddr) -> [FailureWindow; 3] {
        let address = address.to_string();
        [
            self.window(OF_EMAIL_AND_ADDRESS, &[email, &address]),
            self.window(OF_EMAIL, &[email]),
            self.window(OF_ADDRESS, &[&address]),
        ]
    }
}
