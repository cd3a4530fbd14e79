//! Why there is no demo.

use waybill_engine::passwords::HashingError;
use waybill_engine::points::RefreshError;
use waybill_printing::LinkError;
use waybill_store::Error;

use crate::cli::admin::AdminError;
use crate::cli::file_error::FileError;

/// What kept a server from making the demo.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The database does not answer.
    #[error(transparent)]
    Store(#[from] Error),
    /// The team or its token cannot be made.
    #[error(transparent)]
    Admin(#[from] AdminError),
    /// `demo.json` cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The id of the team cannot be read.
    #[error("the demo's team has no UUID")]
    NoUuid,
    /// The team is there without the user that it was made with.
    #[error("the demo team has no user {0}: start with another --database")]
    NoUser(String),
    /// There are no service points.
    #[error(transparent)]
    Points(#[from] RefreshError),
    /// Its user has no password.
    #[error(transparent)]
    Hashing(#[from] HashingError),
    /// The virtual printer does not answer.
    #[error("the virtual printer: {0}")]
    Printer(#[from] LinkError),
}
