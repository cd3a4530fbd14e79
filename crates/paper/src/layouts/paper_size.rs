//! The sizes of paper that we print on.

/// The size of paper that labels are printed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaperSize {
    /// 100 × 150 mm.
    Label100x150,
    /// 102 × 152 mm: four by six inches.
    Label102x152,
    /// 105 × 148 mm: A6.
    Label105x148,
    /// A4, the label in its upper left corner.
    A4,
}

impl PaperSize {
    /// Every spelling there is.
    pub const NAMES: &[&str] = &["100x150", "102x152", "105x148", "a4"];

    /// Reads the exact spelling.
    pub fn parse(text: &str) -> Option<PaperSize> {
        match text {
            "100x150" => Some(PaperSize::Label100x150),
            "102x152" => Some(PaperSize::Label102x152),
            "105x148" => Some(PaperSize::Label105x148),
            "a4" => Some(PaperSize::A4),
            _ => None,
        }
    }

    /// Width and height in millimetres.
    pub fn size(self) -> (f32, f32) {
        match self {
            PaperSize::Label100x150 => (100.0, 150.0),
            PaperSize::Label102x152 => (102.0, 152.0),
            PaperSize::Label105x148 => (105.0, 148.0),
            PaperSize::A4 => A4,
        }
    }
}

pub(crate) const A4: (f32, f32) = (210.0, 297.0);
