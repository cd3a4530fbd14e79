//! The packing list: what is in which parcel.

use jiff::civil::Date;
use waybill_domain::fields::{FieldErrors, Fields, each};
use waybill_domain::language::Language;
use waybill_domain::measure::Weight;
use waybill_domain::parcel::Parcel;
use waybill_domain::party::Party;

use super::items;
use super::layout::Layout;
use super::party::whole;
use super::table::{Cell, Column, Paged, column};
use crate::page::{Align, Document};
use crate::renderer::Renderer;
use crate::{numbers, read};

/// A packing list.
#[derive(Clone, PartialEq, Debug)]
pub struct PackingList {
    /// Of the captions.
    pub language: Language,
    /// The day of packing.
    pub date: Option<Date>,
    /// The sender's own reference.
    pub reference: Option<String>,
    /// Who sends it.
    pub sender: Party,
    /// Who gets it.
    pub receiver: Party,
    /// What is sent.
    pub parcels: Vec<Parcel>,
}

const COLUMNS: &[Column] = &[
    column("paper-parcel", 16.0, Align::Left),
    column("paper-sku", 36.0, Align::Left),
    column("paper-description", 82.0, Align::Left),
    column("paper-quantity", 20.0, Align::Right),
    column("paper-net-weight", 26.0, Align::Right),
];

impl Layout for PackingList {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        let language = self.language;
        let mut paged = Paged::new(renderer, language, "paper-packing-list");
        let boxes = [
            ("paper-from", whole(&self.sender, "sender")),
            ("paper-to", whole(&self.receiver, "receiver")),
        ];
        paged.boxes(42.0, &boxes);
        let date = self.date.map(|date| numbers::date(date, language));
        let count = numbers::count(self.parcels.len() as i64, language);
        let weight = Weight::sum(self.parcels.iter().map(|parcel| parcel.gross_weight));
        let weight = weight.map(|grams| numbers::kilograms(grams, language));
        paged.facts(&[
            ("paper-date", "date", date.as_deref()),
            ("paper-reference", "reference", self.reference.as_deref()),
            ("paper-parcels", "parcels", Some(&count)),
            ("paper-gross-weight", "parcels", weight.as_deref()),
        ]);
        let rows = self.parcels.iter().enumerate().flat_map(|(index, parcel)| {
            let count = self.parcels.len();
            let items = parcel.items.iter().enumerate();
            items.map(move |(at, item)| {
                let path = |field: &str| format!("parcels.{index}.items.{at}.{field}");
                let text = |text: &Option<String>| text.clone().unwrap_or_default();
                let weight = items::grams(item).map(|grams| numbers::kilograms(grams, language));
                let cells: Vec<Cell> = vec![
                    ("language".to_owned(), format!("{}/{count}", index + 1)),
                    (path("sku"), text(&item.sku)),
                    (path("description"), text(&item.description)),
                    (path("quantity"), numbers::count(item.quantity, language)),
                    (path("net_weight"), weight.unwrap_or_default()),
                ];
                cells
            })
        });
        paged.table(COLUMNS, rows);
        paged.done()
    }
}

impl PackingList {
    pub(crate) fn read(fields: &Fields) -> Option<PackingList> {
        let party = |name| fields.object(name).then(|party| Party::read(&party)).required();
        let (sender, receiver) = (party("sender"), party("receiver"));
        let parcels = fields.list("parcels", 1..=99).then(|list| each(&list, Parcel::read));
        let parcels = parcels.required();
        Some(PackingList {
            language: read::language(fields),
            date: read::date(fields, "date").optional(),
            reference: read::text(fields, "reference"),
            sender: sender?,
            receiver: receiver?,
            parcels: parcels?,
        })
    }
}
