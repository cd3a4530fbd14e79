//! The papers: plain data on one side, pages on the other.

pub(crate) mod customs;
pub(crate) mod invoice;
pub(crate) mod items;
pub(crate) mod label;
pub(crate) mod manifest;
pub(crate) mod packing;
pub(crate) mod party;
pub(crate) mod qr;
pub(crate) mod table;

use waybill_domain::fields::{FieldErrors, Fields, one_of, read};
use waybill_domain::json::Json;

use crate::page::Document;
use crate::renderer::Renderer;
use crate::report::summary::Summary;
use customs::CustomsForm;
use invoice::Invoice;
use label::Labels;
use manifest::Manifest;
use packing::PackingList;
use qr::QrPage;

/// Data that has a layout.
pub trait Layout {
    /// Lays the data out, or says of every field what keeps it from being printed. This draws
    /// nothing, so it is also the check before a booking; what is not known by then, such as the
    /// tracking number, is stood in for by a value of the same length.
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors>;
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

/// Any of the papers, as a JSON file names it in `type`.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyPaper {
    /// `label`
    Labels(Labels),
    /// `customs_declaration`
    Customs(CustomsForm),
    /// `commercial_invoice`, `proforma_invoice`
    Invoice(Invoice),
    /// `packing_list`
    PackingList(PackingList),
    /// `manifest`
    Manifest(Manifest),
    /// `qr`
    Qr(QrPage),
    /// `report`
    Report(Summary),
}

const TYPES: &[&str] = &[
    "label",
    "customs_declaration",
    "commercial_invoice",
    "proforma_invoice",
    "packing_list",
    "manifest",
    "qr",
    "report",
];

impl AnyPaper {
    /// Reads `{"type": "label", …}`: the type's own fields stand beside it.
    pub fn from_json(json: &Json) -> Result<AnyPaper, FieldErrors> {
        read(json, AnyPaper::read)
    }

    fn read(fields: &Fields) -> Option<AnyPaper> {
        let known = |text: &str| TYPES.contains(&text).then(|| text.to_owned());
        let kind = fields.parsed("type", known, || one_of(TYPES)).required()?;
        match kind.as_str() {
            "label" => Labels::read(fields).map(AnyPaper::Labels),
            "customs_declaration" => CustomsForm::read(fields).map(AnyPaper::Customs),
            "packing_list" => PackingList::read(fields).map(AnyPaper::PackingList),
            "manifest" => Manifest::read(fields).map(AnyPaper::Manifest),
            "qr" => QrPage::read(fields).map(AnyPaper::Qr),
            "report" => Summary::read(fields).map(AnyPaper::Report),
            kind => Invoice::read(fields, kind == "commercial_invoice").map(AnyPaper::Invoice),
        }
    }
}

impl Layout for AnyPaper {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        match self {
            AnyPaper::Labels(paper) => paper.layout(renderer),
            AnyPaper::Customs(paper) => paper.layout(renderer),
            AnyPaper::Invoice(paper) => paper.layout(renderer),
            AnyPaper::PackingList(paper) => paper.layout(renderer),
            AnyPaper::Manifest(paper) => paper.layout(renderer),
            AnyPaper::Qr(paper) => paper.layout(renderer),
            AnyPaper::Report(paper) => paper.layout(renderer),
        }
    }
}
