//! What of a font goes into a file: whole alphabets, so that a few subsets serve every label and
//! each is made and compressed once.

use pdf_writer::Name;
use pdf_writer::types::UnicodeCmap;
use subsetter::GlyphRemapper;

use super::packed;
use crate::font::Font;
use crate::page::{Document, Mark, Weight};

/// The alphabets of a subset, one bit each. ASCII is always there, and the letters of the six
/// languages come before the rest of Latin, which few labels need.
const ALPHABETS: [std::ops::RangeInclusive<u32>; 8] = [
    0x20..=0x7e,
    0xa0..=0xff,
    0x100..=0x17f,
    0x180..=0x2ff,
    0x300..=0x3ff,
    0x400..=0x45f,
    0x460..=0x5ff,
    0x1e00..=0x1eff,
];
/// Signs and whatever else is in no alphabet.
const OTHERS: u16 = 1 << 8;
const OWN: u16 = 1 << 9;
const OWN_LETTERS: &str = "\u{a0}·×ÄÅÆÉÖØÜßäåæéöøü";

/// No letter of ours is beyond this.
const LETTERS_END: u32 = 0x2300;

/// Which subset.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SubsetKey {
    pub weight: Weight,
    alphabets: u16,
}

fn alphabet(letter: char) -> u16 {
    if OWN_LETTERS.contains(letter) {
        return OWN;
    }
    let place = ALPHABETS.iter().position(|alphabet| alphabet.contains(&u32::from(letter)));
    place.map_or(OTHERS, |place| 1 << place)
}

impl SubsetKey {
    /// The alphabets that a document uses in this weight.
    pub fn of(document: &Document, weight: Weight) -> SubsetKey {
        let mut alphabets = 1;
        for mark in document.pages.iter().flat_map(|page| &page.marks) {
            if let Mark::Text(block) = mark
                && block.weight == weight
            {
                let text = block.lines.iter().flat_map(|line| line.text.chars());
                let foreign = text.filter(|letter| !letter.is_ascii());
                alphabets |= foreign.map(alphabet).fold(0, |all, one| all | one);
            }
        }
        SubsetKey { weight, alphabets }
    }
}

/// A part of a font, ready to be put into a file.
pub(crate) struct Subset {
    pub name: String,
    /// Compressed.
    pub file: Vec<u8>,
    /// Of the file when unpacked.
    pub length: i32,
    /// Which glyph is which character, compressed.
    pub unicode: Vec<u8>,
    /// Of each glyph, in thousandths of an em.
    pub widths: Vec<f32>,
    pub stem: f32,
    /// Character → glyph of this subset.
    places: Vec<u16>,
}

impl Subset {
    pub fn new(font: &Font, key: SubsetKey) -> Option<Subset> {
        let mut mapper = GlyphRemapper::new();
        let info = super::SYSTEM;
        let mut unicode = UnicodeCmap::<u16>::new(Name(b"Custom"), info);
        let mut widths = vec![600.0];
        let mut places = vec![0; LETTERS_END as usize];
        for letter in (0x20..LETTERS_END).filter_map(char::from_u32) {
            let wanted = alphabet(letter) & key.alphabets != 0;
            let Some(glyph) = font.glyph(letter).filter(|_| wanted) else { continue };
            let place = mapper.remap(glyph.id);
            if let Some(known) = places.get_mut(letter as usize) {
                *known = place;
            }
            // Two characters may share a glyph; its first meaning is kept.
            if usize::from(place) == widths.len() {
                widths.push(f32::from(glyph.advance) * 1000.0 / font.units);
                unicode.pair(place, letter);
            }
        }
        let file = subsetter::subset(font.data, 0, &mapper).ok()?;
        let (weight, stem) = match key.weight {
            Weight::Regular => ("NotoSans-Regular", 80.0),
            Weight::Bold => ("NotoSans-Bold", 140.0),
        };
        Some(Subset {
            name: format!("{}+{weight}", tag(key.alphabets)),
            length: file.len() as i32,
            file: packed_well(&file),
            unicode: packed(&unicode.finish()),
            widths,
            stem,
            places,
        })
    }

    /// The glyphs of a text as they are written into a page.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        let glyphs = text.chars().filter_map(|letter| self.places.get(letter as usize));
        glyphs.flat_map(|glyph| glyph.to_be_bytes()).collect()
    }
}

/// Six capital letters for each set of alphabets.
fn tag(alphabets: u16) -> String {
    let mut rest = alphabets;
    let letters = std::iter::from_fn(|| {
        let letter = char::from(b'A' + (rest % 26) as u8);
        rest /= 26;
        Some(letter)
    });
    letters.take(6).collect()
}

/// A font is compressed once and sent a million times.
fn packed_well(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}
