//! Why papers cannot be made.

use waybill_domain::fields::FieldErrors;
use waybill_paper::Problem;

use crate::files::FilesError;

/// Why papers cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PapersError {
    /// The catalog has lost the service.
    #[error("no such service")]
    NoService,
    /// The catalog has lost the carrier.
    #[error("no such carrier")]
    NoCarrier,
    /// Nobody sends it.
    #[error("no sender")]
    NoSender,
    /// What is to be printed cannot be read.
    #[error(transparent)]
    Store(#[from] waybill_store::Error),
    /// Something has no room, or no letters.
    #[error("{0}")]
    Layout(FieldErrors),
    /// It cannot be drawn.
    #[error("{0}")]
    Render(Problem),
    /// The carrier sent something else.
    #[error("not a file to pass on: {0}")]
    NotAFile(Problem),
    /// It cannot be put away.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The work was cut off.
    #[error(transparent)]
    Task(#[from] tokio::task::JoinError),
}
