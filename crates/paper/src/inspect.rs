//! Files that carriers make: are they what they say, how large are their pages, and what of them
//! may go on to a printer. Nothing is drawn, and everything is bounded.

mod pdf;
mod picture;
mod zpl;

use waybill_domain::document::Format;

pub(crate) use pdf::pages as pdf_pages;
pub(crate) use picture::read as png;
pub(crate) use zpl::Sizes as ZplSizes;

use crate::problem::Problem;
use crate::renderer::Dpi;

/// No file that a carrier makes is larger.
const BYTES_MAX: usize = 20 * 1024 * 1024;
/// No file has more pages.
pub(crate) const PAGES_MAX: usize = 1_000;
/// No page is longer, in millimetres.
pub(crate) const SIDE_MAX: f64 = 2_000.0;

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
    /// How wide the labels are that were ordered, for ZPL that does not say it, in millimetres.
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

/// Measures a file, and splits it where the sizes of its pages differ. A file that is not what it
/// is said to be is refused. A size that the file itself tells counts more than what is expected.
pub fn inspect(
    bytes: &[u8],
    format: Format,
    expected: impl Into<Expected>,
) -> Result<Vec<Part>, Problem> {
    if bytes.len() > BYTES_MAX {
        return Err(Problem::file("document-too-large"));
    }
    let whole = |measured| vec![Part { bytes: bytes.to_vec(), measured }];
    match format {
        Format::Pdf => pdf::split(bytes),
        Format::Png => Ok(whole(picture::measure(bytes)?)),
        Format::Zpl => Ok(whole(zpl::measure(bytes, expected.into())?)),
        Format::Xlsx => Err(Problem::file("document-format")),
    }
}

/// A measured size, if it is one.
fn measured(width_mm: f64, height_mm: f64, pages: usize) -> Result<Measured, Problem> {
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
