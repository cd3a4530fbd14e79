//! Why a printer that cannot be asked what it has takes nothing now. Nothing was sent.

use std::io;
use std::path::PathBuf;

/// Why a device takes nothing now.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// Nobody takes a connection there.
    #[error("there is no connection: {0}")]
    NoConnection(#[from] io::Error),
    /// There was no answer in time.
    #[error("there was no answer in time")]
    TooSlow,
    /// A folder cannot be used.
    #[error("{}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The work was broken off.
    #[error("it was broken off")]
    BrokenOff,
}
