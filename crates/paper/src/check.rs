//! The self-check: reads a drawn file back. Every barcode is taken from the file's own bytes and
//! decoded; page sizes and the number of pages are measured, never assumed.

mod pdf;
mod zpl;

use waybill_domain::document::Format;

use crate::bitmap::Bitmap;
use crate::dpi::Dpi;
use crate::inspect::{self, Measured};
use crate::page::{Code, Document};
use crate::problem::Problem;
use crate::raster::code_dots;
use crate::symbol::{Modules, decode};

/// The most that a measured side may differ from the layout, in millimetres.
const TOLERANCE: f64 = 0.1;

/// Checks a file against the document that it was drawn from.
pub(crate) fn check(
    bytes: &[u8],
    document: &Document,
    format: Format,
    dpi: Dpi,
) -> Result<Measured, Problem> {
    let measured = match format {
        Format::Pdf => pdf::check(bytes, document)?,
        Format::Zpl => zpl::check(bytes, document, dpi)?,
        Format::Png => {
            let (bitmap, measured) = inspect::png(bytes)?;
            let mut codes = document.pages.iter().flat_map(|page| page.codes());
            codes.try_for_each(|code| in_picture(&bitmap, code, dpi))?;
            measured
        }
        Format::Xlsx => return Err(Problem::file("document-not-drawn")),
    };
    let pages = document.pages.iter().all(|page| {
        (f64::from(page.width) - measured.width_mm).abs() < TOLERANCE
            && (f64::from(page.height) - measured.height_mm).abs() < TOLERANCE
    });
    let is_same = pages && document.pages.len() == measured.page_count as usize;
    is_same.then_some(measured).ok_or_else(|| Problem::file("document-self-check"))
}

/// Compares what modules say with what they should say. A square symbol was decoded when it was
/// made, so dots that are the same as its own need no second, slow decoding; others do.
fn says(code: &Code, modules: &Modules) -> Result<(), Problem> {
    if !code.symbol.symbology.is_linear() && *modules == code.symbol.modules {
        return Ok(());
    }
    let said = decode(code.symbol.symbology, modules);
    let is_right = said.as_deref() == Some(code.symbol.content.as_str());
    is_right.then_some(()).ok_or_else(|| Problem::file("document-self-check"))
}

/// Reads a barcode from the dots of a page: every dot of a module must be the same, and the quiet
/// zone around the symbol must be white.
fn in_picture(bitmap: &Bitmap, code: &Code, dpi: Dpi) -> Result<(), Problem> {
    let place = code_dots(code, dpi);
    let modules = sample(bitmap, (place.x, place.y), place.module, &code.symbol.modules);
    says(code, &modules.ok_or_else(|| Problem::file("document-self-check"))?)?;
    let quiet = i64::from(code.symbol.symbology.quiet()) * place.module.0;
    let right = place.x + i64::from(code.symbol.modules.width) * place.module.0;
    let rows = i64::from(code.symbol.modules.height()) * place.module.1;
    let is_quiet = (place.y..place.y + rows).all(|y| {
        (place.x - quiet..place.x).chain(right..right + quiet).all(|x| !bitmap.is_black(x, y))
    });
    is_quiet.then_some(()).ok_or_else(|| Problem::file("document-self-check"))
}

/// The modules at a place, as many as `like` has; nothing when one is half black.
fn sample(bitmap: &Bitmap, at: (i64, i64), module: (i64, i64), like: &Modules) -> Option<Modules> {
    let mut bits = Vec::with_capacity(like.bits.len());
    for row in 0..i64::from(like.height()) {
        for column in 0..i64::from(like.width) {
            let (x, y) = (at.0 + column * module.0, at.1 + row * module.1);
            let is_black = bitmap.is_black(x, y);
            let is_plain = (y..y + module.1)
                .all(|y| (x..x + module.0).all(|x| bitmap.is_black(x, y) == is_black));
            bits.push(is_plain.then_some(is_black)?);
        }
    }
    Some(Modules { width: like.width, bits })
}
