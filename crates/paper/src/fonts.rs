//! The fonts and their subsets for PDF files, read once and shared by all threads.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use crate::font::Font;
use crate::page::Weight;
use crate::pdf::subset::{Subset, SubsetKey};

/// So many subsets are kept; each has some twenty kilobytes.
const SUBSETS_MAX: usize = 256;

/// The fonts that everything is drawn with.
pub(crate) struct FontSet {
    regular: Font,
    bold: Font,
    subsets: RwLock<HashMap<SubsetKey, Arc<Subset>>>,
}

impl FontSet {
    /// Reads the fonts.
    pub fn read() -> FontSet {
        FontSet {
            regular: Font::read(include_bytes!("../assets/NotoSans-Regular.ttf")),
            bold: Font::read(include_bytes!("../assets/NotoSans-Bold.ttf")),
            subsets: RwLock::default(),
        }
    }

    pub fn font(&self, weight: Weight) -> &Font {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// What of a font goes into a PDF file. Those for common letters stay; names in other letters
    /// come and go, so the store is emptied before it grows.
    pub fn subset(&self, key: SubsetKey) -> Option<Arc<Subset>> {
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
}
