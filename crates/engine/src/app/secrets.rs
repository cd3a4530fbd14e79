//! What is derived from the secret key file, and what hashes passwords.

use waybill_domain::page::Sealer;

use crate::failures::WindowNames;
use crate::files::Signer;
use crate::forms::FormSigner;
use crate::keys::Keys;
use crate::passwords::Passwords;
use crate::vault::Vault;

/// What is derived from the secret key file, and what hashes passwords.
pub struct Secrets {
    vault: Vault,
    signer: Signer,
    sealer: Sealer,
    form_signer: FormSigner,
    window_names: WindowNames,
    passwords: Passwords,
}

impl Secrets {
    pub(super) fn new(keys: &Keys, processors: usize) -> Secrets {
        Secrets {
            vault: Vault::new(keys),
            signer: Signer::new(keys),
            sealer: keys.sealer(),
            form_signer: FormSigner::new(keys),
            window_names: WindowNames::new(keys),
            passwords: Passwords::new(processors),
        }
    }

    /// Seals credentials.
    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    /// Signs download URLs.
    pub fn signer(&self) -> &Signer {
        &self.signer
    }

    /// Signs the forms of pages.
    pub fn form_signer(&self) -> &FormSigner {
        &self.form_signer
    }

    /// Names the windows in which failures are counted.
    pub fn window_names(&self) -> &WindowNames {
        &self.window_names
    }

    /// Hashes passwords.
    pub fn passwords(&self) -> &Passwords {
        &self.passwords
    }

    /// Seals the cursors of lists.
    pub fn sealer(&self) -> &Sealer {
        &self.sealer
    }
}
