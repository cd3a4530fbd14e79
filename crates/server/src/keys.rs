//! The secret key file: 32 random bytes from which every other key is derived by purpose.
//!
//! The file is made on first start, readable by its owner alone. All servers of one database share
//! it; a server with another file refuses to start, because it could neither open the cursors nor
//! the encrypted credentials of the others.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use waybill_domain::ids::IdSource;
use waybill_domain::secret::Secret;

/// The key of keys.
#[derive(Clone, Debug)]
pub struct Keys(Secret<[u8; 32]>);

impl Keys {
    /// Keys from these bytes.
    pub fn new(master: [u8; 32]) -> Keys {
        Keys(Secret::new(master))
    }

    /// Reads the file, or makes it when there is none. The error is one line for the operator.
    pub fn load_or_create(path: &Path, ids: &dyn IdSource) -> Result<Keys, String> {
        let explain = |error| format!("secret key file {}: {error}", path.display());
        match File::open(path) {
            Ok(mut file) => {
                let mut text = String::new();
                file.read_to_string(&mut text).map_err(|error| explain(error.to_string()))?;
                let master = decode(text.trim()).ok_or_else(|| {
                    explain("must hold 64 hexadecimal digits and nothing else".to_owned())
                })?;
                Ok(Keys::new(master))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let mut master = [0; 32];
                ids.fill(&mut master);
                create(path, &master).map_err(|error| explain(error.to_string()))?;
                Ok(Keys::new(master))
            }
            Err(error) => Err(explain(error.to_string())),
        }
    }

    /// The key for one purpose.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(self.0.expose())
            .expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// A name for the key that tells nothing about it: stored, to notice another key.
    pub fn fingerprint(&self) -> String {
        encode(&self.derive("fingerprint")[..8])
    }
}

/// Writes the whole file under another name first, so that a crash leaves no half key.
fn create(path: &Path, master: &[u8]) -> std::io::Result<()> {
    let draft = path.with_extension("draft");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    writeln!(file, "{}", encode(master))?;
    file.sync_all()?;
    std::fs::rename(&draft, path)
}

fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn decode(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[index * 2..index * 2 + 2], 16).ok()?;
    }
    Some(bytes)
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
    }

    #[test]
    fn a_key_file_holds_exactly_64_hexadecimal_digits() {
        assert_eq!(decode(&encode(&[9; 32])), Some([9; 32]));
        for bad in ["", "zz", &"g".repeat(64), &"0".repeat(63), &"é".repeat(32)] {
            assert_eq!(decode(bad), None);
        }
    }
}
