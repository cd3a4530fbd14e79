//! The papers: plain data on one side, pages on the other.

pub(crate) mod label;
pub(crate) mod party;
pub(crate) mod table;

use waybill_domain::fields::FieldErrors;

use crate::page::Document;
use crate::press::Press;

/// Data that has a layout.
pub trait Layout {
    /// Lays the data out, or says of every field what keeps it from being printed. This draws
    /// nothing, so it is also the check before a booking; what is not known by then, such as the
    /// tracking number, is stood in for by a value of the same length.
    fn layout(&self, press: &Press) -> Result<Document, FieldErrors>;
}

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

pub struct AnyPaper(label::Labels);
impl AnyPaper { pub fn from_json(json: &waybill_domain::json::Json) -> Result<label::Labels, FieldErrors> {
 waybill_domain::fields::read(json, |f| { let _ = read_t(f); label::Labels::read(f) }) } }
fn read_t(f: &waybill_domain::fields::Fields) -> Option<String> { crate::read::text(f, "type") }
