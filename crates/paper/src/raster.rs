//! A page as dots, and dots as a PNG file of one bit a dot that knows its size in millimetres.

use crate::bitmap::{Bitmap, Letters};
use crate::dpi::Dpi;
use crate::fonts::FontSet;
use crate::page::{Area, Block, Code, Mark, Page};
use crate::problem::Problem;

/// Where a barcode's modules are, in dots.
pub(crate) struct CodeDots {
    pub x: i64,
    pub y: i64,
    /// The size of a module. Bars are as high as their area.
    pub module: (i64, i64),
}

/// Whole dots from here to there: edges are rounded, so neighbours meet without a seam.
pub(crate) fn area_dots(area: Area, dpi: Dpi) -> (i64, i64, i64, i64) {
    let (x, y) = (dpi.dots(area.x), dpi.dots(area.y));
    let (right, bottom) = (dpi.dots(area.x + area.width), dpi.dots(area.y + area.height));
    (x, y, (right - x).max(1), (bottom - y).max(1))
}

/// Modules are whole dots, and the symbol stands in the middle of its area.
pub(crate) fn code_dots(code: &Code, dpi: Dpi) -> CodeDots {
    let modules = &code.symbol.modules;
    let (left, top, width, height) = area_dots(code.area, dpi);
    let module = ((code.module * dpi.per_mm() + 0.01) as i64).max(1);
    let x = left + (width - i64::from(modules.width) * module) / 2;
    if code.symbol.symbology.is_linear() {
        return CodeDots { x, y: top, module: (module, height) };
    }
    let y = top + (height - i64::from(modules.height()) * module) / 2;
    CodeDots { x, y, module: (module, module) }
}

/// A page as dots.
pub(crate) fn draw(fonts: &FontSet, page: &Page, dpi: Dpi) -> Bitmap {
    let size = |length: f32| u32::try_from(dpi.dots(length)).unwrap_or(0);
    let mut bitmap = Bitmap::new(size(page.width), size(page.height));
    for mark in &page.marks {
        match mark {
            Mark::Text(block) => draw_block(fonts, &mut bitmap, block, dpi),
            Mark::Fill(area) => {
                let (x, y, width, height) = area_dots(*area, dpi);
                bitmap.fill(x, y, width, height);
            }
            Mark::Code(code) => {
                let place = code_dots(code, dpi);
                bitmap.draw_modules(&code.symbol.modules, (place.x, place.y), place.module);
            }
            Mark::Picture(area, picture) => {
                let (x, y, width, height) = area_dots(*area, dpi);
                bitmap.draw_picture(picture, (x, y), (width, height));
            }
        }
    }
    bitmap
}

fn draw_block(fonts: &FontSet, bitmap: &mut Bitmap, block: &Block, dpi: Dpi) {
    let em = block.em * dpi.per_mm();
    let font = fonts.font(block.weight);
    let letters = Letters { font, em: (em, em), is_white: block.is_white };
    for line in &block.lines {
        let (x, baseline) = (block.left_of(line), line.baseline);
        letters.draw(bitmap, x * dpi.per_mm(), baseline * dpi.per_mm(), &line.text);
    }
}

/// The picture as a PNG file.
pub(crate) fn png(bitmap: &Bitmap, dpi: Dpi) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(16 * 1024);
    let mut encoder = png::Encoder::new(&mut bytes, bitmap.width(), bitmap.height());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    let per_metre = dpi.per_metre();
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    let white: Vec<u8> = bitmap.rows().iter().map(|byte| !byte).collect();
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&white)?;
        writer.finish()
    });
    written.map_err(|_| Problem::file("document-not-drawn"))?;
    Ok(bytes)
}
