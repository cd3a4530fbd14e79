//! Why the spool cannot be used.

use std::io;
use std::path::PathBuf;

/// Why the spool cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// Another agent has it.
    #[error("{} is in use: another agent runs with this spool", .0.display())]
    InUse(PathBuf),
    /// There is none.
    #[error("there is no spool in {}: start the agent there first", .0.display())]
    Missing(PathBuf),
    /// A newer version has written it.
    #[error("{} was written by a newer version of waybill: install that one", .0.display())]
    Newer(PathBuf),
    /// The system does not let us.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The database failed. What was to be written is not.
    #[error("the spool: {0}")]
    Database(#[from] rusqlite::Error),
    /// A row holds what no version has written.
    #[error("the spool: {0} is not readable")]
    Broken(&'static str),
    /// The thread that writes is gone.
    #[error("the spool is closed")]
    Closed,
}
