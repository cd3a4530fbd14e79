//! Any of the papers, chosen by the type that a JSON file names.

use waybill_domain::fields::{FieldErrors, Fields, one_of, read};
use waybill_domain::json::Json;

use super::customs::CustomsForm;
use super::invoice::Invoice;
use super::label::Labels;
use super::layout::Layout;
use super::manifest::Manifest;
use super::packing::PackingList;
use super::picking::PickList;
use super::qr::QrPage;
use super::slip::PackingSlip;
use crate::page::Document;
use crate::renderer::Renderer;
use crate::report::summary::Summary;

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
    /// `pick_list`
    PickList(PickList),
    /// `packing_slip`
    PackingSlip(PackingSlip),
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
    "pick_list",
    "packing_slip",
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
            "pick_list" => PickList::read(fields).map(AnyPaper::PickList),
            "packing_slip" => PackingSlip::read(fields).map(AnyPaper::PackingSlip),
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
            AnyPaper::PickList(paper) => paper.layout(renderer),
            AnyPaper::PackingSlip(paper) => paper.layout(renderer),
            AnyPaper::Manifest(paper) => paper.layout(renderer),
            AnyPaper::Qr(paper) => paper.layout(renderer),
            AnyPaper::Report(paper) => paper.layout(renderer),
        }
    }
}
