//! What of a font goes into a file. Letters that most labels need are in every subset, so few
//! subsets serve nearly all labels, and each of those is made and compressed once.

use pdf_writer::Name;
use pdf_writer::types::UnicodeCmap;
use subsetter::GlyphRemapper;

use super::shared::{SYSTEM, packed};
use crate::font::Font;
use crate::page::{Document, Mark, Weight};

/// Letters of the six languages beyond ASCII: they come together, as most labels need some.
const OWN_LETTERS: &str = "\u{a0}·×ÄÅÆÉÖØÜßäåæéöøü";

/// No letter of ours is beyond this.
const LETTERS_END: u32 = 0x2300;

/// Which subset: ASCII is always in it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct SubsetKey {
    pub weight: Weight,
    has_own: bool,
    /// Any other letters, in order, each once.
    others: Vec<char>,
}

impl SubsetKey {
    /// The letters that a document uses in this weight.
    pub fn of(document: &Document, weight: Weight) -> SubsetKey {
        let mut key = SubsetKey { weight, has_own: false, others: Vec::new() };
        for mark in document.pages.iter().flat_map(|page| &page.marks) {
            if let Mark::Text(block) = mark
                && block.weight == weight
            {
                block.lines.iter().for_each(|line| key.add(&line.text));
            }
        }
        key.others.sort_unstable();
        key
    }

    fn add(&mut self, text: &str) {
        for letter in text.chars().filter(|letter| !letter.is_ascii()) {
            if OWN_LETTERS.contains(letter) {
                self.has_own = true;
            } else if !self.others.contains(&letter) {
                self.others.push(letter);
            }
        }
    }

    fn has(&self, letter: char) -> bool {
        letter.is_ascii()
            || (self.has_own && OWN_LETTERS.contains(letter))
            || self.others.binary_search(&letter).is_ok()
    }

    /// Six capital letters for each set of letters.
    fn tag(&self) -> String {
        let letters = self.others.iter().map(|letter| u64::from(u32::from(*letter)));
        let mix = |state: u64, part: u64| (state ^ part).wrapping_mul(0x0000_0100_0000_01b3);
        let mut state = letters.fold(mix(0xcbf2_9ce4_8422_2325, u64::from(self.has_own)), mix);
        let letters = std::iter::from_fn(|| {
            state = state.rotate_left(11);
            Some(char::from(b'A' + (state % 26) as u8))
        });
        letters.take(6).collect()
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
    pub fn new(font: &Font, key: &SubsetKey) -> Option<Subset> {
        let mut mapper = GlyphRemapper::new();
        let mut unicode = UnicodeCmap::<u16>::new(Name(b"Custom"), SYSTEM);
        let mut widths = vec![600.0];
        let mut places = vec![0; LETTERS_END as usize];
        for letter in (0x20..LETTERS_END).filter_map(char::from_u32) {
            let Some(glyph) = font.glyph(letter).filter(|_| key.has(letter)) else { continue };
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
            name: format!("{}+{weight}", key.tag()),
            length: file.len() as i32,
            file: packed(&file),
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
