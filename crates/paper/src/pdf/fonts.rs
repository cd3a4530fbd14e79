//! The fonts of one file, by their names in it.

use std::sync::Arc;

use pdf_writer::Name;

use super::subset::{Subset, SubsetKey};
use crate::fonts::FontSet;
use crate::page::{Document, Weight};

pub(super) const REGULAR: Name = Name(b"R");
pub(super) const BOLD: Name = Name(b"B");

/// The fonts of one file.
pub(super) struct Fonts {
    pub regular: Arc<Subset>,
    pub bold: Arc<Subset>,
}

impl Fonts {
    /// The fonts with the alphabets that the document uses.
    pub fn of(document: &Document, fonts: &FontSet) -> Option<Fonts> {
        let subset = |weight| fonts.subset(SubsetKey::of(document, weight));
        Some(Fonts { regular: subset(Weight::Regular)?, bold: subset(Weight::Bold)? })
    }

    /// The name of a font, and its letters.
    pub fn get(&self, weight: Weight) -> (Name<'static>, &Subset) {
        match weight {
            Weight::Regular => (REGULAR, &self.regular),
            Weight::Bold => (BOLD, &self.bold),
        }
    }
}
