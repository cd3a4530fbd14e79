//! The two embedded fonts: which letters they have, how wide those are, and their outlines.
//!
//! Latin, Greek and Cyrillic need no shaping once accents are composed: one character is one glyph.

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// No letter of ours is beyond this.
const LETTERS_END: usize = 0x2300;

/// A font, read once.
pub(crate) struct Font {
    /// The file as it is embedded in the program.
    pub data: &'static [u8],
    /// Parts of an em.
    pub units: f32,
    glyphs: Vec<Glyph>,
    outlines: Vec<Vec<Stroke>>,
}

/// A glyph that stands for one character.
#[derive(Clone, Copy, Default)]
pub(crate) struct Glyph {
    /// Its number in the font; 0 where there is none.
    pub id: u16,
    /// In parts of an em.
    pub advance: u16,
}

/// A piece of an outline in parts of an em, upwards from the baseline.
#[derive(Clone, Copy)]
pub(crate) enum Stroke {
    Move(f32, f32),
    Line(f32, f32),
    Quad([f32; 4]),
    Cubic([f32; 6]),
    Close,
}

impl Font {
    pub fn read(data: &'static [u8]) -> Font {
        let font = FontRef::new(data).expect("our own fonts are whole");
        let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        let units = f32::from(font.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
        let mut glyphs = vec![Glyph::default(); LETTERS_END];
        for (letter, id) in font.charmap().mappings() {
            if let Some(place) = glyphs.get_mut(letter as usize) {
                let advance = metrics.advance_width(id).unwrap_or_default();
                let id = u16::try_from(id.to_u32()).unwrap_or_default();
                *place = Glyph { id, advance: advance.max(0.0) as u16 };
            }
        }
        let count = metrics.glyph_count();
        let outlines = (0..count).map(|id| outline(&font, GlyphId::new(id))).collect();
        Font { data, units, glyphs, outlines }
    }

    /// The glyph of a character, if the font has it.
    pub fn glyph(&self, letter: char) -> Option<Glyph> {
        self.glyphs.get(letter as usize).copied().filter(|glyph| glyph.id != 0)
    }

    /// How wide a character is, in parts of an em.
    pub fn advance(&self, letter: char) -> u32 {
        self.glyph(letter).map_or(0, |glyph| u32::from(glyph.advance))
    }

    /// How wide text is, in parts of an em.
    pub fn width(&self, text: &str) -> u32 {
        text.chars().map(|letter| self.advance(letter)).sum()
    }

    /// The outline of a glyph.
    pub fn outline(&self, id: u16) -> &[Stroke] {
        self.outlines.get(usize::from(id)).map_or(&[], Vec::as_slice)
    }
}

fn outline(font: &FontRef, id: GlyphId) -> Vec<Stroke> {
    let mut pen = Pen::default();
    if let Some(outline) = font.outline_glyphs().get(id) {
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        // A glyph that cannot be drawn has no strokes; the golden pictures would show it.
        let _ = outline.draw(settings, &mut pen);
    }
    pen.0
}

#[derive(Default)]
struct Pen(Vec<Stroke>);

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.push(Stroke::Move(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.push(Stroke::Line(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.push(Stroke::Quad([cx, cy, x, y]));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.0.push(Stroke::Cubic([ax, ay, bx, by, x, y]));
    }

    fn close(&mut self) {
        self.0.push(Stroke::Close);
    }
}
