//! The two embedded fonts: which letters they have, how wide those are, and their outlines.
//!
//! Latin, Greek and Cyrillic need no shaping once accents are composed: one character is one glyph.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

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
        let face = Face::parse(data, 0).expect("our own fonts are whole");
        let mut glyphs = vec![Glyph::default(); LETTERS_END];
        for (letter, place) in (0..).zip(&mut glyphs) {
            let letter = char::from_u32(letter);
            if let Some(id) = letter.and_then(|letter| face.glyph_index(letter)) {
                let advance = face.glyph_hor_advance(id).unwrap_or_default();
                *place = Glyph { id: id.0, advance };
            }
        }
        let count = face.number_of_glyphs();
        let outlines = (0..count).map(|id| outline(&face, GlyphId(id))).collect();
        Font { data, units: f32::from(face.units_per_em()), glyphs, outlines }
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

fn outline(face: &Face, id: GlyphId) -> Vec<Stroke> {
    let mut pen = Pen::default();
    // A glyph that cannot be drawn has no strokes; the golden pictures would show it.
    let _ = face.outline_glyph(id, &mut pen);
    pen.0
}

#[derive(Default)]
struct Pen(Vec<Stroke>);

impl OutlineBuilder for Pen {
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
