//! Why the secret keys that are there cannot be used.

use std::path::PathBuf;

use waybill_engine::keys::{KeyFileError, KeyId};

/// What is wrong with the secret keys, or with a database or a copy that needs others.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] KeyFileError),
    /// A database was made with keys, and there are none.
    #[error(
        "there is no secret key file {}, and this database was made with one: put it back, or \
         give it with --secret-key-file",
        .0.display()
    )]
    Missing(PathBuf),
    /// A database was made with other keys.
    #[error("this database was made with another secret key file: give it with --secret-key-file")]
    OfAnother,
    /// What is sealed with a key that no server has yet cannot be opened by those that run.
    #[error(
        "no server was started with the key {0} yet, and one that runs with the old file could \
         not open what is sealed with it: give the file to all servers, restart them, and rewrap \
         then"
    )]
    NotStarted(KeyId),
    /// What is in a database is not to be sealed with keys that do not open it.
    #[error("this database was made with another secret key file")]
    CannotRewrap,
    /// Some of what is in a database was sealed with keys that are gone.
    #[error("{count} values cannot be opened with these keys, such as {first}")]
    Locked {
        /// How many.
        count: usize,
        /// The row of the first.
        first: String,
    },
    /// A copy was made with keys, and there are none.
    #[error(
        "there is no secret key file {}, and {} was made with one: put its own in place, or give \
         it with --secret-key-file",
        file.display(),
        copy.display()
    )]
    MissingForCopy {
        /// Where the keys are looked for.
        file: PathBuf,
        /// The copy.
        copy: PathBuf,
    },
    /// A copy was made with other keys.
    #[error(
        "{} was made with another secret key than those in {}: put its own in place, or give it \
         with --secret-key-file",
        copy.display(),
        file.display()
    )]
    NotOfCopy {
        /// Where the keys are.
        file: PathBuf,
        /// The copy.
        copy: PathBuf,
    },
}
