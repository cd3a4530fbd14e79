//! The press: the fonts, and the three ways to print with them.

use unicode_normalization::UnicodeNormalization;
use waybill_domain::document::Format;

use crate::dpi::Dpi;
use crate::font::Font;
use crate::fonts::FontSet;
use crate::page::{Document, Weight};
use crate::problem::Problem;
use crate::zpl::preview::{DOTS_MAX, LabelRange};
use crate::{check, pdf, raster, zpl};

/// A file that was drawn and read back.
#[derive(Clone, PartialEq, Debug)]
pub struct Rendered {
    /// The file.
    pub bytes: Vec<u8>,
    /// Of each page in millimetres, measured in the file.
    pub width_mm: f64,
    /// Of each page in millimetres, measured in the file.
    pub height_mm: f64,
    /// Counted in the file.
    pub page_count: u32,
}

/// Draws and checks. Make one and share it.
pub struct Renderer {
    fonts: FontSet,
}

impl Default for Renderer {
    fn default() -> Renderer {
        Renderer::new()
    }
}

impl Renderer {
    /// Reads the fonts.
    pub fn new() -> Renderer {
        Renderer { fonts: FontSet::read() }
    }

    pub(crate) fn fonts(&self) -> &FontSet {
        &self.fonts
    }

    pub(crate) fn font(&self, weight: Weight) -> &Font {
        self.fonts.font(weight)
    }

    /// Text as far as it can be printed, with a mark in the place of each letter that no font has:
    /// for papers that are read beside the thing itself, and useful without that letter.
    pub fn shown(&self, text: &str) -> String {
        let has = |weight, letter| self.font(weight).glyph(letter).is_some();
        let letter = |letter: char| match letter {
            known if has(Weight::Regular, known) && has(Weight::Bold, known) => known,
            space if space.is_whitespace() || space.is_control() => ' ',
            _ => '?',
        };
        text.nfc().map(letter).collect()
    }

    /// Draws a document and reads it back: barcodes, page sizes and page count.
    pub fn render(
        &self,
        document: &Document,
        format: Format,
        dpi: Dpi,
    ) -> Result<Rendered, Problem> {
        let bytes = self.draw(document, format, dpi)?;
        let measured = check::check(&bytes, document, format, dpi)?;
        Ok(Rendered {
            bytes,
            width_mm: measured.width_mm,
            height_mm: measured.height_mm,
            page_count: measured.page_count,
        })
    }

    /// Shows what a printer makes of ZPL: a PNG file for each label. Knows the commands that we
    /// write; any other one is a problem.
    pub fn preview(&self, zpl: &[u8], dpi: Dpi) -> Result<Vec<Vec<u8>>, Problem> {
        let labels = zpl::preview::draw(&self.fonts, zpl, LabelRange::All, None, DOTS_MAX)?;
        labels.iter().map(|label| raster::png(label, dpi)).collect()
    }

    /// Draws a document without reading it back. What is stored is drawn with `render`.
    pub fn draw(&self, document: &Document, format: Format, dpi: Dpi) -> Result<Vec<u8>, Problem> {
        let first = document.pages.first().ok_or_else(|| Problem::file("document-not-drawn"))?;
        match format {
            Format::Pdf => pdf::write(&self.fonts, document),
            Format::Zpl => Ok(zpl::write(&self.fonts, document, dpi)),
            Format::Png if document.pages.len() == 1 => {
                raster::png(&raster::draw(&self.fonts, first, dpi), dpi)
            }
            Format::Png => Err(Problem::file("document-pages-png")),
            Format::Xlsx => Err(Problem::file("document-not-drawn")),
        }
    }
}
