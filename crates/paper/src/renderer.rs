//! The press: fonts and their subsets, read once and shared by all threads, and the three ways to
//! print with them.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use waybill_domain::document::Format;

use crate::check;
use crate::font::Font;
use crate::page::{Document, Weight};
use crate::pdf::{self, Subset, SubsetKey};
use crate::problem::Problem;
use crate::{raster, zpl};

/// How fine a printer prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dpi {
    /// 203 dots an inch: eight dots a millimetre.
    Dpi203,
    /// 300 dots an inch.
    Dpi300,
}

impl Dpi {
    /// Reads the number.
    pub fn parse(number: i64) -> Option<Dpi> {
        match number {
            203 => Some(Dpi::Dpi203),
            300 => Some(Dpi::Dpi300),
            _ => None,
        }
    }

    pub(crate) fn per_metre(self) -> u32 {
        match self {
            Dpi::Dpi203 => 8_000,
            Dpi::Dpi300 => 11_811,
        }
    }

    pub(crate) fn per_mm(self) -> f32 {
        self.per_metre() as f32 / 1000.0
    }

    /// The nearest dot to a place in millimetres.
    pub(crate) fn dots(self, mm: f32) -> i64 {
        (mm * self.per_mm()).round() as i64
    }
}

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

/// So many subsets are kept; each has some twenty kilobytes.
const SUBSETS_MAX: usize = 256;

/// Draws and checks. Make one and share it.
pub struct Renderer {
    regular: Font,
    bold: Font,
    subsets: RwLock<HashMap<SubsetKey, Arc<Subset>>>,
}

impl Default for Renderer {
    fn default() -> Renderer {
        Renderer::new()
    }
}

impl Renderer {
    /// Reads the fonts.
    pub fn new() -> Renderer {
        Renderer {
            regular: Font::read(include_bytes!("../assets/NotoSans-Regular.ttf")),
            bold: Font::read(include_bytes!("../assets/NotoSans-Bold.ttf")),
            subsets: RwLock::default(),
        }
    }

    pub(crate) fn font(&self, weight: Weight) -> &Font {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// What of a font goes into a PDF file. Those for common letters stay; names in other letters
    /// come and go, so the store is emptied before it grows.
    pub(crate) fn subset(&self, key: SubsetKey) -> Option<Arc<Subset>> {
        if let Some(subset) = self.subsets.read().ok().and_then(|known| known.get(&key).cloned()) {
            return Some(subset);
        }
        let subset = Arc::new(Subset::new(self.font(key.weight), &key)?);
        if let Ok(mut known) = self.subsets.write() {
            if known.len() >= SUBSETS_MAX {
                known.clear();
            }
            known.insert(key, Arc::clone(&subset));
        }
        Some(subset)
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
        let labels = zpl::preview::draw(self, zpl)?;
        labels.iter().map(|label| raster::png(label, dpi)).collect()
    }

    /// Draws a document without reading it back. What is stored is drawn with `render`.
    pub fn draw(&self, document: &Document, format: Format, dpi: Dpi) -> Result<Vec<u8>, Problem> {
        let first = document.pages.first().ok_or_else(|| Problem::file("document-not-drawn"))?;
        match format {
            Format::Pdf => pdf::write(self, document),
            Format::Zpl => Ok(zpl::write(self, document, dpi)),
            Format::Png if document.pages.len() == 1 => {
                raster::png(&raster::draw(self, first, dpi), dpi)
            }
            Format::Png => Err(Problem::file("document-pages-png")),
            Format::Xlsx => Err(Problem::file("document-not-drawn")),
        }
    }
}
