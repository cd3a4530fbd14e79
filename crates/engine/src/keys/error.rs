//! What is wrong with a key file.

use std::io;
use std::path::PathBuf;

use super::file::KEYS_MAX;

/// A key file that cannot be used, in one line for the operator.
#[derive(Debug, thiserror::Error)]
#[error("secret key file {path}: {fault}", path = path.display())]
pub struct KeyFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: KeyFault,
}

/// What is wrong with it. No variant holds a key.
#[derive(Debug, thiserror::Error)]
pub enum KeyFault {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not a key.
    #[error("line {0} must hold 64 hexadecimal digits")]
    Line(usize),
    /// It has no key to sign with.
    #[error("it holds no key of 64 hexadecimal digits that is not next")]
    NoKey,
    /// It has two keys to come.
    #[error("only one key can be next")]
    TwoNext,
    /// It has too many keys to try them all.
    #[error("more than {KEYS_MAX} keys: take the oldest ones out")]
    TooMany,
    /// A key is to come already.
    #[error("a key is prepared already: `waybill key rotate` uses it")]
    Prepared,
}
