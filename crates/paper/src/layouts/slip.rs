//! The packing slip: what the customer finds in which parcel. It has no prices, and does not say
//! where anything lay.

use jiff::civil::Date;
use waybill_domain::fields::{FieldErrors, Fields, Value, each};
use waybill_domain::language::Language;
use waybill_domain::party::Party;

use super::layout::Layout;
use super::paper_size::PaperSize;
use super::party::{Styles, paragraphs, reach, rows};
use super::table::{Cell, Column, Paged, column};
use crate::page::{Align, Area, Document};
use crate::renderer::Renderer;
use crate::sheet::Row;
use crate::text::Style;
use crate::{numbers, read};

/// A packing slip.
#[derive(Clone, PartialEq, Debug)]
pub struct PackingSlip {
    /// Of the captions.
    pub language: Language,
    /// What it is printed on.
    pub paper: PaperSize,
    /// What people call what was ordered.
    pub number: String,
    /// What a scanner reads beside the heading.
    pub code: Option<String>,
    /// The sender's own reference.
    pub reference: Option<String>,
    /// The day of packing.
    pub date: Option<Date>,
    /// Who sends it.
    pub sender: Option<Party>,
    /// Who gets it.
    pub customer: Party,
    /// In how many parcels.
    pub parcel_count: i64,
    /// What is in them, in any order: the paper has the order of the parcels.
    pub lines: Vec<SlipLine>,
}

/// What is in one parcel.
#[derive(Clone, PartialEq, Debug)]
pub struct SlipLine {
    /// Which parcel, from one.
    pub parcel: i64,
    /// What it is.
    pub sku: String,
    /// What people call it.
    pub name: String,
    /// How many.
    pub quantity: i64,
}

const WIDE: &[Column] = &[
    column("paper-parcel", 18.0, Align::Left),
    column("paper-sku", 48.0, Align::Left),
    column("paper-item", 94.0, Align::Left),
    column("paper-quantity", 20.0, Align::Right),
];
const NARROW: &[Column] = &[
    column("paper-parcel", 13.0, Align::Left),
    column("paper-sku", 25.0, Align::Left),
    column("paper-item", 37.0, Align::Left),
    column("paper-quantity", 15.0, Align::Right),
];

/// How high the box of an address is, if it does not need more.
const BOX: f32 = 34.0;
/// The same for that of a sender who has little room.
const LOW_BOX: f32 = 17.0;
/// An address that is higher in rows is set as paragraphs.
const ROWS_MOST: f32 = 50.0;

impl Layout for PackingSlip {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        let language = self.language;
        let mut paged = Paged::on(self.paper, renderer, language, "paper-packing-slip");
        if let Some(code) = &self.code {
            paged.corner("code", code);
        }
        self.people(&mut paged, renderer);
        let number = renderer.shown(&self.number);
        let reference = self.reference.as_ref().map(|text| renderer.shown(text));
        let date = self.date.map(|date| numbers::date(date, language));
        let parcels = numbers::count(self.parcel_count, language);
        paged.long_facts(&[
            ("paper-number", "number", Some(&number)),
            ("paper-reference", "reference", reference.as_deref()),
            ("paper-date", "date", date.as_deref()),
            ("paper-parcels", "parcel_count", Some(&parcels)),
        ]);
        let mut lines: Vec<(usize, &SlipLine)> = self.lines.iter().enumerate().collect();
        lines.sort_by_key(|(_, line)| line.parcel);
        let rows = lines.into_iter().map(|(index, line)| {
            let path = |field: &str| format!("lines.{index}.{field}");
            let cells: Vec<Cell> = vec![
                (path("parcel"), format!("{}/{}", line.parcel, self.parcel_count)),
                (path("sku"), renderer.shown(&line.sku)),
                (path("name"), renderer.shown(&line.name)),
                (path("quantity"), numbers::count(line.quantity, language)),
            ];
            cells
        });
        paged.table(if self.is_wide() { WIDE } else { NARROW }, rows);
        paged.done()
    }
}

impl PackingSlip {
    fn is_wide(&self) -> bool {
        self.paper == PaperSize::A4
    }

    /// Both addresses beside each other, or one below the other where the paper is narrow.
    fn people(&self, paged: &mut Paged<'_>, renderer: &Renderer) {
        let width = if self.is_wide() { paged.frame.inner / 2.0 } else { paged.frame.inner };
        let customer = address(paged, renderer, &self.customer, ("customer", width));
        match &self.sender {
            Some(sender) if self.is_wide() => {
                let sender = address(paged, renderer, sender, ("sender", width));
                paged.boxes(BOX, &[("paper-from", sender), ("paper-to", customer)]);
            }
            Some(sender) => {
                paged.boxes(LOW_BOX, &[("paper-from", short(renderer, sender, "sender"))]);
                paged.boxes(BOX, &[("paper-to", customer)]);
            }
            None => paged.boxes(BOX, &[("paper-to", customer)]),
        }
    }

    pub(crate) fn read(fields: &Fields) -> Option<PackingSlip> {
        let sender = fields.object("sender").then(|party| Party::read(&party)).optional();
        let customer = fields.object("customer").then(|party| Party::read(&party)).required();
        let lines = fields.list("lines", 1..=100_000).then(|list| each(&list, SlipLine::read));
        let (lines, number) = (lines.required(), read::filled(fields, "number").required());
        let parcel_count = fields.integer("parcel_count", 1..=99).required();
        Some(PackingSlip {
            language: read::language(fields),
            paper: read::paper(fields),
            code: read::text(fields, "code"),
            reference: read::text(fields, "reference"),
            date: read::date(fields, "date").optional(),
            sender,
            customer: customer?,
            parcel_count: parcel_count?,
            number: number?,
            lines: lines?,
        })
    }
}

/// The rows of an address, without the numbers that authorities know its people by.
fn address<'a>(
    paged: &Paged<'_>,
    renderer: &Renderer,
    party: &'a Party,
    (path, width): (&str, f32),
) -> Vec<Row<'a>> {
    let line = Style::new(9.0, 6.0).lines(4);
    let styles = Styles { name: line.bold(), line, city: line, country: line };
    let mut wanted = rows(party, path, &styles);
    wanted.extend(reach(party, path, line));
    let wanted = in_letters(renderer, wanted);
    let area = Area::new(0.0, 0.0, width - 4.0, BOX - 5.6);
    match paged.sheet.fitted(area, &wanted) {
        Ok(stack) if stack.height <= ROWS_MOST => wanted,
        _ => short(renderer, party, path),
    }
}

/// The same in a few paragraphs, where there is little room.
fn short<'a>(renderer: &Renderer, party: &'a Party, path: &str) -> Vec<Row<'a>> {
    let line = Style::new(8.0, 5.0);
    let styles = Styles { name: line.bold(), line, city: line, country: line };
    in_letters(renderer, paragraphs(party, path, &styles))
}

fn in_letters<'a>(renderer: &Renderer, rows: Vec<Row<'a>>) -> Vec<Row<'a>> {
    rows.into_iter().map(|row| Row { text: renderer.shown(&row.text).into(), ..row }).collect()
}

impl SlipLine {
    fn read(value: &Value) -> Option<SlipLine> {
        let fields = value.object()?;
        let text = |name| read::filled(&fields, name).required();
        let (sku, name) = (text("sku"), text("name"));
        let quantity = fields.integer("quantity", 1..=1_000_000_000).required();
        let parcel = fields.integer("parcel", 1..=99).required();
        Some(SlipLine { sku: sku?, name: name?, quantity: quantity?, parcel: parcel? })
    }
}
