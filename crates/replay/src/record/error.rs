//! Why nothing is recorded.

use std::io;
use std::path::PathBuf;

/// Why nothing is recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// There is no port to listen on.
    #[error("the recorder cannot listen: {0}")]
    NoPort(#[source] io::Error),
    /// A folder or file cannot be used.
    #[error("{path}: {error}", path = path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The folder has something in it.
    #[error("{} has files in it; --overwrite takes what was recorded there away", .0.display())]
    NotEmpty(PathBuf),
    /// The address of the carrier is none. It is not repeated: a password may be in it.
    #[error(
        "that is no address of a carrier: write http:// or https:// and a host, without user, \
         query or fragment"
    )]
    NotAnAddress,
}
