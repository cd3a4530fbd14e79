//! The postal customs declarations CN22 and CN23 of the Universal Postal Union. Their titles are
//! in English and French on every form, the captions in the language of the paper.

mod cn22;
mod cn23;

use jiff::civil::Date;
use waybill_domain::fields::{FieldErrors, Fields, one_of};
use waybill_domain::language::Language;
use waybill_domain::measure::{Money, Weight};
use waybill_domain::parcel::Item;
use waybill_domain::party::Party;

use super::items::{self, REASONS};
use super::label::Barcode;
use super::layout::Layout;
use super::paper_size::PaperSize;
use crate::page::{Area, Document};
use crate::read;
use crate::renderer::Renderer;
use crate::sheet::{RULE, Sheet};
use crate::text::Style;

const TITLE: &str = "CUSTOMS DECLARATION / DÉCLARATION EN DOUANE";
const OPEN: &str = "May be opened officially / Peut être ouvert d'office";

/// Which form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CustomsKind {
    /// The small one, on a label.
    Cn22,
    /// The large one, on A4.
    Cn23,
}

/// A customs declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct CustomsForm {
    /// Which form.
    pub kind: CustomsKind,
    /// Of the captions.
    pub language: Language,
    /// What a CN22 is printed on.
    pub paper: PaperSize,
    /// Who carries.
    pub carrier: String,
    /// Who sends.
    pub sender: Party,
    /// Who gets it.
    pub receiver: Party,
    /// Why it is sent, such as `gift`.
    pub content_type: String,
    /// What is sent.
    pub items: Vec<Item>,
    /// Whether dangerous goods are in it: then nobody certifies that none are.
    pub is_dangerous: bool,
    /// With packaging.
    pub gross_weight: Option<Weight>,
    /// What the postage was.
    pub postage: Option<Money>,
    /// The parcel's number as a barcode.
    pub tracking: Option<Barcode>,
    /// The sender's own reference.
    pub reference: Option<String>,
    /// What customs should know, such as quarantine.
    pub comments: Option<String>,
    /// Of the licence, if one is needed.
    pub licence_number: Option<String>,
    /// Of the certificate, if one is needed.
    pub certificate_number: Option<String>,
    /// Of the invoice that goes along.
    pub invoice_number: Option<String>,
    /// The day of signing.
    pub date: Option<Date>,
}

impl Layout for CustomsForm {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        match self.kind {
            CustomsKind::Cn22 => cn22::layout(self, renderer),
            CustomsKind::Cn23 => cn23::layout(self, renderer),
        }
    }
}

impl CustomsForm {
    /// What the sender signs.
    fn promise(&self) -> &'static str {
        match self.is_dangerous {
            true => "paper-customs-promise-dangerous",
            false => "paper-customs-promise",
        }
    }
}

/// The reasons with a box each, the right one crossed, in columns of an area.
fn reasons(sheet: &mut Sheet, area: Area, columns: usize, chosen: &str) {
    let width = area.width / columns as f32;
    for (index, (name, key)) in REASONS.iter().enumerate() {
        let x = area.x + width * (index % columns) as f32;
        let y = area.y + 5.0 * (index / columns) as f32;
        let side = 3.0;
        sheet.frame(Area::new(x, y, side, side));
        if *name == chosen {
            sheet.fill(Area::new(
                x + 2.0 * RULE,
                y + 2.0 * RULE,
                side - 4.0 * RULE,
                side - 4.0 * RULE,
            ));
        }
        let style = Style::new(8.0, 5.5).lines(1);
        sheet.words(Area::new(x + side + 1.0, y - 0.4, width - side - 2.0, 4.0), style, key);
    }
}

const KINDS: &[&str] = &["cn22", "cn23"];

impl CustomsForm {
    pub(crate) fn read(fields: &Fields) -> Option<CustomsForm> {
        let kind = |text: &str| match text {
            "cn22" => Some(CustomsKind::Cn22),
            "cn23" => Some(CustomsKind::Cn23),
            _ => None,
        };
        let kind = fields.parsed("form", kind, || one_of(KINDS)).required();
        let party = |name| fields.object(name).then(|party| Party::read(&party)).required();
        let (sender, receiver) = (party("sender"), party("receiver"));
        let items = items::read(fields);
        let weight = fields.object("gross_weight").then(|weight| Weight::read(&weight)).optional();
        let postage = fields.object("postage").then(|money| Money::read(&money)).optional();
        let tracking = fields.object("tracking").then(|code| Barcode::read(&code)).optional();
        let carrier = read::filled(fields, "carrier").required();
        Some(CustomsForm {
            language: read::language(fields),
            paper: read::paper(fields),
            content_type: items::reason(fields).unwrap_or_else(|| "other".to_owned()),
            gross_weight: weight,
            postage,
            tracking,
            is_dangerous: fields.boolean("is_dangerous").optional().unwrap_or(false),
            reference: read::text(fields, "reference"),
            comments: read::text(fields, "comments"),
            licence_number: read::text(fields, "licence_number"),
            certificate_number: read::text(fields, "certificate_number"),
            invoice_number: read::text(fields, "invoice_number"),
            date: read::date(fields, "date").optional(),
            kind: kind?,
            carrier: carrier?,
            sender: sender?,
            receiver: receiver?,
            items: items?,
        })
    }
}
