//! Dots: what a thermal printer prints. One bit each, black or white, never grey.

use ab_glyph_rasterizer::{Point, Rasterizer, point};

use crate::font::{Font, Stroke};
use crate::symbol::Modules;

/// More dots than an A3 page at 600 dpi are nobody's label.
pub(crate) const DOTS_MAX: u64 = 80_000_000;

/// A black and white picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bitmap {
    width: u32,
    height: u32,
    stride: usize,
    bits: Vec<u8>,
}

impl Bitmap {
    /// A white picture. One that is too large is cut off.
    pub fn new(width: u32, height: u32) -> Bitmap {
        let height = u64::from(height).min(DOTS_MAX / u64::from(width.max(1))) as u32;
        let stride = width.div_ceil(8) as usize;
        Bitmap { width, height, stride, bits: vec![0; stride * height as usize] }
    }

    /// A picture from its rows, eight dots in a byte, the leftmost in the highest bit, 1 is black.
    pub fn from_rows(width: u32, rows: Vec<u8>) -> Option<Bitmap> {
        let stride = width.div_ceil(8) as usize;
        let height = u32::try_from(rows.len().checked_div(stride)?).ok()?;
        let is_whole = rows.len() == stride * height as usize;
        is_whole.then_some(Bitmap { width, height, stride, bits: rows })
    }

    /// Dots across.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Dots down.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The rows, eight dots in a byte, 1 is black.
    pub fn rows(&self) -> &[u8] {
        &self.bits
    }

    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// True for a black dot. Outside everything is white.
    pub fn is_black(&self, x: i64, y: i64) -> bool {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return false };
        if x >= self.width || y >= self.height {
            return false;
        }
        let byte = self.bits.get(y as usize * self.stride + (x / 8) as usize);
        byte.is_some_and(|byte| byte & (0x80 >> (x % 8)) != 0)
    }

    pub(crate) fn set(&mut self, x: i64, y: i64, is_black: bool) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
        if x >= self.width || y >= self.height {
            return;
        }
        if let Some(byte) = self.bits.get_mut(y as usize * self.stride + (x / 8) as usize) {
            let bit = 0x80 >> (x % 8);
            if is_black { *byte |= bit } else { *byte &= !bit }
        }
    }

    /// Blackens a rectangle.
    pub(crate) fn fill(&mut self, x: i64, y: i64, width: i64, height: i64) {
        let (left, right) = (x.max(0), (x + width).min(i64::from(self.width)));
        for row in y.max(0)..(y + height).min(i64::from(self.height)) {
            self.fill_row(row as usize, left, right);
        }
    }

    fn fill_row(&mut self, row: usize, left: i64, right: i64) {
        if right <= left {
            return;
        }
        let (first, last) = (left as usize / 8, (right - 1) as usize / 8);
        let Some(bytes) = self.bits.get_mut(row * self.stride + first..=row * self.stride + last)
        else {
            return;
        };
        let head = 0xff_u8 >> (left % 8);
        let tail = 0xff_u8 << (7 - (right - 1) % 8);
        match bytes {
            [one] => *one |= head & tail,
            [first, middle @ .., last] => {
                *first |= head;
                middle.fill(0xff);
                *last |= tail;
            }
            [] => {}
        }
    }

    /// Blackens the modules of a barcode, each a rectangle of whole dots.
    pub(crate) fn draw_modules(&mut self, modules: &Modules, at: (i64, i64), dots: (i64, i64)) {
        for (column, row, length) in modules.runs() {
            let (x, y) = (at.0 + i64::from(column) * dots.0, at.1 + i64::from(row) * dots.1);
            self.fill(x, y, i64::from(length) * dots.0, dots.1);
        }
    }

    /// Draws another picture stretched over a rectangle.
    pub(crate) fn draw_picture(&mut self, picture: &Bitmap, at: (i64, i64), size: (i64, i64)) {
        for y in 0..size.1.min(i64::from(self.height)) {
            for x in 0..size.0.min(i64::from(self.width)) {
                let from_x = x * i64::from(picture.width) / size.0.max(1);
                let from_y = y * i64::from(picture.height) / size.1.max(1);
                if picture.is_black(from_x, from_y) {
                    self.set(at.0 + x, at.1 + y, true);
                }
            }
        }
    }
}

/// Letters of one size.
pub(crate) struct Letters<'a> {
    pub font: &'a Font,
    /// The em in dots, across and down.
    pub em: (f32, f32),
    pub is_white: bool,
}

impl Letters<'_> {
    /// Draws text that begins at `x` and stands on `baseline`, in dots.
    pub fn draw(&self, bitmap: &mut Bitmap, x: f32, baseline: f32, text: &str) {
        let mut pen = x;
        let mut rasterizer = Rasterizer::new(0, 0);
        for letter in text.chars() {
            if pen > bitmap.width() as f32 {
                return;
            }
            let Some(glyph) = self.font.glyph(letter) else { continue };
            self.draw_glyph(bitmap, &mut rasterizer, glyph.id, (pen.round(), baseline.round()));
            pen += f32::from(glyph.advance) * self.em.0 / self.font.units;
        }
    }

    fn draw_glyph(&self, on: &mut Bitmap, rasterizer: &mut Rasterizer, id: u16, at: (f32, f32)) {
        let strokes = self.font.outline(id);
        let scale = (self.em.0 / self.font.units, self.em.1 / self.font.units);
        let Some((left, top, right, bottom)) = bounds(strokes, scale) else { return };
        rasterizer.reset((right - left) as usize + 1, (bottom - top) as usize + 1);
        let place = |x: f32, y: f32| point(x * scale.0 - left, -y * scale.1 - top);
        trace(strokes, place, rasterizer);
        let (x0, y0) = ((at.0 + left) as i64, (at.1 + top) as i64);
        rasterizer.for_each_pixel_2d(|x, y, coverage| {
            if coverage > 0.5 {
                on.set(x0 + i64::from(x), y0 + i64::from(y), !self.is_white);
            }
        });
    }
}

/// The rectangle of whole dots around an outline; nothing for a space.
fn bounds(strokes: &[Stroke], scale: (f32, f32)) -> Option<(f32, f32, f32, f32)> {
    let mut found: Option<(f32, f32, f32, f32)> = None;
    let mut see = |x: f32, y: f32| {
        let (x, y) = (x * scale.0, -y * scale.1);
        let old = found.unwrap_or((x, y, x, y));
        found = Some((old.0.min(x), old.1.min(y), old.2.max(x), old.3.max(y)));
    };
    for stroke in strokes {
        match *stroke {
            Stroke::Move(x, y) | Stroke::Line(x, y) => see(x, y),
            Stroke::Quad([a, b, x, y]) => (see(a, b), see(x, y)).1,
            Stroke::Cubic([a, b, c, d, x, y]) => (see(a, b), see(c, d), see(x, y)).2,
            Stroke::Close => {}
        }
    }
    let (left, top, right, bottom) = found?;
    Some((left.floor(), top.floor(), right.ceil(), bottom.ceil()))
}

fn trace(strokes: &[Stroke], place: impl Fn(f32, f32) -> Point, rasterizer: &mut Rasterizer) {
    let (mut start, mut pen) = (point(0.0, 0.0), point(0.0, 0.0));
    for stroke in strokes {
        match *stroke {
            Stroke::Move(x, y) => {
                start = place(x, y);
                pen = start;
            }
            Stroke::Line(x, y) => {
                rasterizer.draw_line(pen, place(x, y));
                pen = place(x, y);
            }
            Stroke::Quad([a, b, x, y]) => {
                rasterizer.draw_quad(pen, place(a, b), place(x, y));
                pen = place(x, y);
            }
            Stroke::Cubic([a, b, c, d, x, y]) => {
                rasterizer.draw_cubic(pen, place(a, b), place(c, d), place(x, y));
                pen = place(x, y);
            }
            Stroke::Close => {
                rasterizer.draw_line(pen, start);
                pen = start;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filled_rectangle_has_exactly_its_dots() {
        for (x, y, width, height) in [(0, 0, 1, 1), (3, 1, 5, 2), (7, 0, 10, 3), (-4, -4, 8, 8)] {
            let mut bitmap = Bitmap::new(21, 5);
            bitmap.fill(x, y, width, height);
            for (px, py) in (0..21).flat_map(|px| (0..5).map(move |py| (px, py))) {
                let is_inside = px >= x && px < x + width && py >= y && py < y + height;
                assert_eq!(bitmap.is_black(px, py), is_inside, "{px} {py}");
            }
        }
    }

    #[test]
    fn a_huge_picture_is_cut_off() {
        assert!(Bitmap::new(u32::MAX, u32::MAX).rows().len() <= DOTS_MAX as usize);
        assert_eq!(Bitmap::new(0, 9).rows().len(), 0);
    }
}
