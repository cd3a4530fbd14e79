//! A code alone, as a picture to show on a screen.

use waybill_domain::document::Format;
use waybill_domain::language::Language;

use crate::dpi::Dpi;
use crate::page::{Area, Document};
use crate::problem::Problem;
use crate::renderer::Renderer;
use crate::sheet::Sheet;
use crate::symbol::Symbology;

/// Millimetres.
const SIDE: f32 = 50.0;
/// The widest module, in dots.
const DOTS_MAX: u32 = 16;

/// A QR code as a PNG file, read back as any other.
pub fn qr_picture(renderer: &Renderer, content: &str) -> Result<Vec<u8>, Problem> {
    let mut sheet = Sheet::new(renderer, Language::En, SIDE, SIDE);
    let whole = Area::new(0.0, 0.0, SIDE, SIDE);
    sheet.code(whole, DOTS_MAX, "content", (Symbology::Qr, content));
    let page = sheet.done().map_err(|_| Problem::file("no-barcode"))?;
    let document = Document { title: "QR".to_owned(), language: Language::En, pages: vec![page] };
    Ok(renderer.render(&document, Format::Png, Dpi::Dpi203)?.bytes)
}
