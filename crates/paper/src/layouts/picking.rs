//! The pick list: what is taken from where, for whoever walks through the warehouse.

use jiff::civil::Date;
use waybill_domain::fields::{FieldErrors, Fields, Value, each};
use waybill_domain::language::Language;

use super::layout::Layout;
use super::paper_size::PaperSize;
use super::table::tiers::{Coded, Tile};
use super::table::{Column, Paged, column};
use crate::page::{Align, Document};
use crate::renderer::Renderer;
use crate::text::Style;
use crate::{numbers, read};

/// A pick list.
#[derive(Clone, PartialEq, Debug)]
pub struct PickList {
    /// Of the captions.
    pub language: Language,
    /// What it is printed on.
    pub paper: PaperSize,
    /// What people call what is picked for.
    pub number: String,
    /// What a scanner reads beside the heading.
    pub code: Option<String>,
    /// The sender's own reference.
    pub reference: Option<String>,
    /// The day of the list.
    pub date: Option<Date>,
    /// What is taken, in any order: the paper has the order of the locations.
    pub lines: Vec<PickLine>,
}

/// What is taken from one location.
#[derive(Clone, PartialEq, Debug)]
pub struct PickLine {
    /// Where it lies.
    pub location: String,
    /// What it is.
    pub sku: String,
    /// What people call it.
    pub name: String,
    /// How many.
    pub quantity: i64,
    /// Which parcel it goes into, from one.
    pub parcel: i64,
}

const WIDE: [&[Column]; 2] = [
    &[column("paper-location", 85.0, Align::Left), column("paper-sku", 95.0, Align::Left)],
    &[
        column("paper-item", 130.0, Align::Left),
        column("paper-quantity", 28.0, Align::Right),
        column("paper-parcel", 22.0, Align::Right),
    ],
];
const NARROW: [&[Column]; 2] = [
    &[column("paper-location", 40.0, Align::Left), column("paper-sku", 50.0, Align::Left)],
    &[
        column("paper-item", 54.0, Align::Left),
        column("paper-quantity", 20.0, Align::Right),
        column("paper-parcel", 16.0, Align::Right),
    ],
];

const CODE: Style = Style::new(11.0, 6.0).bold().lines(16);
const NAME: Style = Style::new(8.5, 6.0).lines(16);
const NUMBER: Style = Style::new(12.0, 7.0).bold().lines(1);

impl Layout for PickList {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        let language = self.language;
        let mut paged = Paged::on(self.paper, renderer, language, "paper-pick-list");
        if let Some(code) = &self.code {
            paged.corner("code", code);
        }
        let number = renderer.shown(&self.number);
        let reference = self.reference.as_ref().map(|text| renderer.shown(text));
        let date = self.date.map(|date| numbers::date(date, language));
        let pieces = self.lines.iter().fold(0_i64, |sum, line| sum.saturating_add(line.quantity));
        let pieces = numbers::count(pieces, language);
        paged.long_facts(&[
            ("paper-number", "number", Some(&number)),
            ("paper-reference", "reference", reference.as_deref()),
            ("paper-date", "date", date.as_deref()),
            ("paper-quantity", "lines", Some(&pieces)),
        ]);
        let is_wide = self.paper == PaperSize::A4;
        let tiers = if is_wide { &WIDE } else { &NARROW };
        let widths = tiers[0].iter().map(|column| column.width - 2.0);
        let widths: Vec<f32> = widths.collect();
        let mut lines: Vec<(usize, &PickLine)> = self.lines.iter().enumerate().collect();
        lines.sort_by(|(_, one), (_, other)| one.place().cmp(&other.place()));
        let rows = lines.into_iter().map(|(index, line)| {
            let path = |field: &str| format!("lines.{index}.{field}");
            let tile = |field, text, style| Tile { cell: (path(field), text), style, code: None };
            let coded = |field, text: &str, width: &f32| {
                let code = Coded::new(text, *width, is_wide);
                Tile { code, ..tile(field, renderer.shown(text), CODE) }
            };
            let quantity = numbers::count(line.quantity, language);
            vec![
                coded("location", &line.location, &widths[0]),
                coded("sku", &line.sku, &widths[1]),
                tile("name", renderer.shown(&line.name), NAME),
                tile("quantity", quantity, NUMBER),
                tile("parcel", numbers::count(line.parcel, language), NUMBER),
            ]
        });
        paged.tiers(tiers, rows);
        paged.done()
    }
}

impl PickList {
    pub(crate) fn read(fields: &Fields) -> Option<PickList> {
        let lines = fields.list("lines", 1..=100_000).then(|list| each(&list, PickLine::read));
        let (lines, number) = (lines.required(), read::filled(fields, "number").required());
        Some(PickList {
            language: read::language(fields),
            paper: read::paper(fields),
            code: read::text(fields, "code"),
            reference: read::text(fields, "reference"),
            date: read::date(fields, "date").optional(),
            number: number?,
            lines: lines?,
        })
    }
}

impl PickLine {
    /// Locations in ascending order of their bytes, as stock is taken.
    fn place(&self) -> (&[u8], &[u8], i64) {
        (self.location.as_bytes(), self.sku.as_bytes(), self.parcel)
    }

    fn read(value: &Value) -> Option<PickLine> {
        let fields = value.object()?;
        let text = |name| read::filled(&fields, name).required();
        let (location, sku, name) = (text("location"), text("sku"), text("name"));
        let quantity = fields.integer("quantity", 1..=1_000_000_000).required();
        let parcel = fields.integer("parcel", 1..=99).required();
        Some(PickLine {
            location: location?,
            sku: sku?,
            name: name?,
            quantity: quantity?,
            parcel: parcel?,
        })
    }
}
