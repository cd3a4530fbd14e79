//! Why nothing was drawn.

use std::path::PathBuf;

use waybill_domain::fields::FieldErrors;
use waybill_paper::Problem;

/// What kept `waybill render` from drawing.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No printer of ours has this resolution.
    #[error("--dpi: write 203 or 300")]
    Dpi,
    /// No paper has this format.
    #[error("--format: write pdf, zpl or png")]
    Format,
    /// ZPL becomes a picture and nothing else.
    #[error("--format: a ZPL file is shown as png")]
    FormatOfZpl,
    /// What the file holds cannot be drawn.
    #[error("{}: {source}", path.display())]
    Paper {
        /// The file.
        path: PathBuf,
        /// Why.
        source: PaperError,
    },
}

/// Why a paper cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    /// It is not described at all.
    #[error("this is not a JSON object")]
    NotJson,
    /// Some of what is on it cannot be.
    #[error("{0}")]
    Fields(FieldErrors),
    /// It does not become a file.
    #[error("{0}")]
    Drawing(Problem),
}
