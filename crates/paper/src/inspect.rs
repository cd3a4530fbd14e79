//! Files that carriers make: are they what they say, how large are their pages, and what of them
//! may go on to a printer. Nothing is drawn, and everything is bounded.

mod measured;
mod pdf;
mod picture;
mod zpl;

use waybill_domain::document::{CARRIER_FILE_BYTES_MAX, Format};

pub use measured::{Expected, Measured, Part};
pub(crate) use pdf::{inherited as pdf_inherited, load as load_pdf, pages as pdf_pages};
pub(crate) use picture::read as png;
pub(crate) use zpl::Sizes as ZplSizes;

use crate::problem::Problem;

/// Measures a file, and splits it where the sizes of its pages differ. A file that is not what it
/// is said to be is refused. A size that the file itself tells counts more than what is expected.
pub fn inspect(
    bytes: &[u8],
    format: Format,
    expected: impl Into<Expected>,
) -> Result<Vec<Part>, Problem> {
    if bytes.len() > CARRIER_FILE_BYTES_MAX {
        return Err(Problem::file("document-too-large"));
    }
    let whole = |measured| vec![Part { bytes: bytes.to_vec(), measured }];
    match format {
        Format::Pdf => pdf::split(bytes),
        Format::Png => Ok(whole(picture::measure(bytes, expected.into())?)),
        Format::Zpl => Ok(whole(zpl::measure(bytes, expected.into())?)),
        Format::Xlsx => Err(Problem::file("document-format")),
    }
}
