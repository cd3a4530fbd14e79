//! What is known of a file before it is opened, and what was measured in it.

use crate::dpi::Dpi;
use crate::problem::Problem;

/// No file has more pages.
pub(super) const PAGES_MAX: usize = 1_000;
/// No page is longer, in millimetres.
const SIDE_MAX: f64 = 2_000.0;

/// What was measured in a file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    /// Of every page, as it is read, in millimetres.
    pub width_mm: f64,
    /// Of every page, as it is read, in millimetres.
    pub height_mm: f64,
    /// Pages or labels.
    pub page_count: u32,
}

/// What is known of a file before it is opened.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// For which printer ZPL was made: it has no unit of its own.
    pub dpi: Dpi,
    /// How wide the labels are that were ordered, for ZPL and PNG that do not say it, in
    /// millimetres.
    pub width_mm: Option<f64>,
    /// How long they are, in the same way.
    pub height_mm: Option<f64>,
}

impl From<Dpi> for Expected {
    /// Nothing but the printer is known.
    fn from(dpi: Dpi) -> Expected {
        Expected { dpi, width_mm: None, height_mm: None }
    }
}

/// A file whose pages are all of one size.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its pages.
    pub measured: Measured,
}

/// A measured size, if it is one.
pub(super) fn measured(width_mm: f64, height_mm: f64, pages: usize) -> Result<Measured, Problem> {
    let is_size = |side: f64| side.is_finite() && side > 1.0 && side <= SIDE_MAX;
    if !is_size(width_mm) || !is_size(height_mm) {
        return Err(Problem::file("document-no-size"));
    }
    let round = |side: f64| (side * 100.0).round() / 100.0;
    Ok(Measured {
        width_mm: round(width_mm),
        height_mm: round(height_mm),
        page_count: u32::try_from(pages).unwrap_or(u32::MAX),
    })
}
