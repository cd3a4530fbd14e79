//! ZPL II: the printer's own barcodes and font where they can, dots where they cannot.
//!
//! Data stands only in `^FD` fields with `^FH` escapes, so no text ever becomes a command. Matrix
//! symbols go out as dots: their modules were read back, a printer's own encoder was not.

pub(crate) mod field;
pub(crate) mod graphic;
pub(crate) mod parse;
pub(crate) mod preview;
pub(crate) mod rules;

use std::fmt::Write;

use crate::bitmap::{Bitmap, Letters};
use crate::dpi::Dpi;
use crate::fonts::FontSet;
use crate::page::{Align, Block, Code, Document, Line, Mark, Page};
use crate::raster::{area_dots, code_dots};

/// How high font 0 must be for letters of one em: its capitals are as high as ours.
const FONT_HEIGHT: f32 = 1.0;
/// From the top of font 0 down to its baseline, in its height.
pub(crate) const FONT_ASCENT: f32 = 0.76;

/// Writes a document: one label format for each page.
pub(crate) fn write(fonts: &FontSet, document: &Document, dpi: Dpi) -> Vec<u8> {
    let mut out = String::with_capacity(4096);
    for page in &document.pages {
        write_page(&mut out, fonts, page, dpi);
    }
    out.into_bytes()
}

/// Writing to memory does not fail, so what `write!` returns is dropped.
macro_rules! put {
    ($out:expr, $($text:tt)*) => { let _ = write!($out, $($text)*); };
}

fn write_page(out: &mut String, fonts: &FontSet, page: &Page, dpi: Dpi) {
    let (width, height) = (dpi.dots(page.width), dpi.dots(page.height));
    put!(out, "^XA\n^CI28\n^PW{width}\n^LL{height}\n^LH0,0\n");
    for mark in &page.marks {
        match mark {
            Mark::Text(block) => {
                for line in &block.lines {
                    write_line(out, fonts, block, line, dpi);
                }
            }
            Mark::Fill(area) => {
                let (x, y, width, height) = area_dots(*area, dpi);
                let line = width.min(height);
                put!(out, "^FO{x},{y}^GB{width},{height},{line},B,0^FS\n");
            }
            Mark::Code(code) => write_code(out, code, dpi),
            Mark::Picture(area, picture) => {
                let (x, y, width, height) = area_dots(*area, dpi);
                let size = |length| u32::try_from(length).unwrap_or(0);
                let mut dots = Bitmap::new(size(width), size(height));
                dots.draw_picture(picture, (0, 0), (width, height));
                write_dots(out, (x, y), &dots, false);
            }
        }
    }
    out.push_str("^XZ\n");
}

/// Latin letters that font 0 of every printer has. A field block would interpret a backslash.
fn is_native(text: &str) -> bool {
    text.chars().all(|c| matches!(c, ' '..='~' | '¡'..='¬' | '®'..='ÿ') && c != '\\')
}

fn write_line(out: &mut String, fonts: &FontSet, block: &Block, line: &Line, dpi: Dpi) {
    // Lines are broken already, so that a space that holds words together is one like any other.
    let text = line.text.replace('\u{a0}', " ");
    if !is_native(&text) {
        return write_letters(out, fonts, block, line, dpi);
    }
    let size = (block.em * FONT_HEIGHT * dpi.per_mm()).round().max(1.0);
    let y = (dpi.dots(line.baseline) - (size * FONT_ASCENT).round() as i64).max(0);
    let align = match block.align {
        Align::Left => None,
        Align::Centre => Some('C'),
        Align::Right => Some('R'),
    };
    let x = dpi.dots(block.x).max(0);
    put!(out, "^FO{x},{y}^A0N,{size},{size}");
    if let Some(align) = align {
        put!(out, "^FB{},1,0,{align}", dpi.dots(block.width));
    }
    out.push_str(if block.is_white { "^FR^FH_^FD" } else { "^FH_^FD" });
    field::escape(out, &text);
    out.push_str("^FS\n");
}

/// A line that the printer has no letters for, as dots.
fn write_letters(out: &mut String, fonts: &FontSet, block: &Block, line: &Line, dpi: Dpi) {
    let em = block.em * dpi.per_mm();
    let (left, top) = (block.left_of(line) * dpi.per_mm(), line.baseline * dpi.per_mm() - em);
    let size = |length: f32| length.ceil().max(1.0) as u32;
    let mut dots = Bitmap::new(size(line.width * dpi.per_mm() + em * 0.1), size(em * 1.3));
    let letters = Letters { font: fonts.font(block.weight), em: (em, em), is_white: false };
    letters.draw(&mut dots, 0.0, em, &line.text);
    let at = (left.round().max(0.0) as i64, top.round().max(0.0) as i64);
    write_dots(out, at, &dots, block.is_white);
}

fn write_dots(out: &mut String, at: (i64, i64), dots: &Bitmap, is_reverse: bool) {
    let (total, row) = (dots.rows().len(), dots.stride());
    let reverse = if is_reverse { "^FR" } else { "" };
    put!(out, "^FO{},{}{reverse}^GFA,{total},{total},{row},", at.0, at.1);
    graphic::pack(out, dots);
    out.push_str("^FS\n");
}

fn write_code(out: &mut String, code: &Code, dpi: Dpi) {
    let place = code_dots(code, dpi);
    if code.symbol.symbology.is_linear() {
        let (module, height) = place.module;
        put!(out, "^FO{},{}^BY{module}^BCN,{height},N,N,N,N^FH_^FD", place.x, place.y);
        field::escape(out, &field::code128(&code.symbol));
        out.push_str("^FS\n");
        return;
    }
    let modules = &code.symbol.modules;
    let size = |count: u32| count * u32::try_from(place.module.0).unwrap_or(1);
    let mut dots = Bitmap::new(size(modules.width), size(modules.height()));
    dots.draw_modules(modules, (0, 0), place.module);
    write_dots(out, (place.x, place.y), &dots, false);
}
