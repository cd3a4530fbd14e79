//! Why a server does not start, or did not end well.

use std::io;
use std::path::PathBuf;

use waybill_carriers::registry::OpenError;
use waybill_engine::files::FilesError;

use crate::logs::LogsError;

/// What kept a server from its work. A place is the flag, the variable or the line of the settings
/// file that a setting came from.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// `--log` cannot be followed.
    #[error("{place}: {source}")]
    Log {
        /// Where the setting came from.
        place: String,
        /// Why.
        source: LogsError,
    },
    /// The port cannot be had.
    #[error("{place} {address}: {source}")]
    Listen {
        /// Where the setting came from.
        place: String,
        /// What was to be listened on.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// The name of a host has no address.
    #[error("{place} {address}: no address has that name")]
    NoAddress {
        /// Where the setting came from.
        place: String,
        /// What was to be listened on.
        address: String,
    },
    /// The carriers cannot be used with these addresses.
    #[error("{place}: {source}")]
    Carriers {
        /// Where the setting came from.
        place: String,
        /// Why.
        source: OpenError,
    },
    /// The database would be a folder.
    #[error("{}: this is a folder, and a file is needed", .0.display())]
    DatabaseIsFolder(PathBuf),
    /// The database would lie nowhere.
    #[error("{}: there is no folder {}", file.display(), folder.display())]
    NoFolder {
        /// The database.
        file: PathBuf,
        /// What is missing.
        folder: PathBuf,
    },
    /// The place for files is not as it should be.
    #[error("{place} {why}")]
    FilesPlace {
        /// Where the setting came from.
        place: String,
        /// What is wrong with it.
        why: Box<FilesError>,
    },
    /// Files cannot be kept in the database.
    #[error(transparent)]
    FilesInDatabase(Box<FilesError>),
    /// What was just written is not there.
    #[error("the database does not keep its own name")]
    NoOwner,
    /// Nobody could stop the server.
    #[error("signals: {0}")]
    Signals(#[source] io::Error),
    /// A part of the server panicked.
    #[error("{0}")]
    Panicked(#[source] tokio::task::JoinError),
}
