//! The commercial invoice and the proforma invoice that customs ask for.

use jiff::civil::Date;
use waybill_domain::fields::{FieldErrors, Fields, each};
use waybill_domain::language::Language;
use waybill_domain::measure::{Money, Weight};
use waybill_domain::parcel::Item;
use waybill_domain::party::Party;

use super::items::{self, REASONS};
use super::layout::Layout;
use super::party::whole;
use super::table::{Cell, Column, Paged, TEXT, column};
use crate::page::{Align, Document};
use crate::renderer::Renderer;
use crate::{numbers, read};

/// Whether it is to be paid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvoiceKind {
    /// The goods were sold.
    Commercial,
    /// The goods have a value but were not sold.
    Proforma,
}

/// An invoice for customs.
#[derive(Clone, PartialEq, Debug)]
pub struct Invoice {
    /// Whether it is to be paid.
    pub kind: InvoiceKind,
    /// Of the captions.
    pub language: Language,
    /// Its number.
    pub number: String,
    /// Its date.
    pub date: Date,
    /// Who sells.
    pub seller: Party,
    /// Who buys.
    pub buyer: Party,
    /// What is sold.
    pub items: Vec<Item>,
    /// Why it is sent, such as `commercial_goods`.
    pub content_type: Option<String>,
    /// Who pays what, Incoterms 2020.
    pub incoterm: Option<String>,
    /// The parcels' numbers at the carrier.
    pub tracking_numbers: Vec<String>,
    /// How many parcels the goods are in.
    pub parcel_count: Option<i64>,
    /// The seller's own reference.
    pub reference: Option<String>,
    /// What the transport costs.
    pub shipping_cost: Option<Money>,
    /// What the insurance costs.
    pub insurance_cost: Option<Money>,
    /// Of all parcels, with packaging.
    pub gross_weight: Option<Weight>,
}

const COLUMNS: &[Column] = &[
    column("paper-description", 56.0, Align::Left),
    column("paper-hs-code", 23.0, Align::Left),
    column("paper-origin", 16.0, Align::Left),
    column("paper-quantity", 15.0, Align::Right),
    column("paper-net-weight", 22.0, Align::Right),
    column("paper-unit-price", 23.0, Align::Right),
    column("paper-amount", 25.0, Align::Right),
];

impl Layout for Invoice {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        let language = self.language;
        let title = match self.kind {
            InvoiceKind::Commercial => "paper-invoice-commercial",
            InvoiceKind::Proforma => "paper-invoice-proforma",
        };
        let mut paged = Paged::new(renderer, language, title);
        self.head(&mut paged);
        let rows = self.items.iter().enumerate().map(|(index, item)| row(index, item, language));
        paged.table(COLUMNS, rows);
        self.sums(&mut paged);
        if self.kind == InvoiceKind::Proforma {
            paged.paragraph("paper-not-for-payment");
        }
        paged.paragraph("paper-invoice-promise");
        paged.signatures(&["paper-signature"]);
        paged.done()
    }
}

/// One item as a row of cells.
fn row(index: usize, item: &Item, language: Language) -> Vec<Cell> {
    let cell = |field: &str, text: Option<String>| {
        (format!("items.{index}.{field}"), text.unwrap_or_default())
    };
    let value = items::value(item);
    vec![
        cell("description", item.description.clone().or_else(|| item.sku.clone())),
        cell("hs_code", item.hs_code.clone()),
        cell("country_of_origin", item.country_of_origin.map(|country| country.to_string())),
        cell("quantity", Some(numbers::count(item.quantity, language))),
        cell("net_weight", items::grams(item).map(|grams| numbers::kilograms(grams, language))),
        cell("unit_price", item.unit_price.map(|price| numbers::money(price, language))),
        cell("unit_price", value.map(|(minor, currency)| numbers::sum(minor, currency, language))),
    ]
}

impl Invoice {
    fn head(&self, paged: &mut Paged) {
        let language = self.language;
        let boxes = [
            ("paper-seller", whole(&self.seller, "seller")),
            ("paper-buyer", whole(&self.buyer, "buyer")),
        ];
        paged.boxes(46.0, &boxes);
        let date = numbers::date(self.date, language);
        let reason = self.content_type.as_deref().and_then(|wanted| {
            REASONS.iter().find(|(name, _)| *name == wanted).map(|(_, key)| paged.sheet.say(key))
        });
        let weight = self.gross_weight.map(|weight| numbers::weight(weight, language));
        let parcels = self.parcel_count.map(|count| numbers::count(count, language));
        let number = match self.tracking_numbers.as_slice() {
            [one] => Some(one.as_str()),
            _ => None,
        };
        paged.facts(&[
            ("paper-invoice-number", "number", Some(&self.number)),
            ("paper-invoice-date", "date", Some(&date)),
            ("paper-incoterm", "incoterm", self.incoterm.as_deref()),
            ("paper-reason", "content_type", reason.as_deref()),
            ("paper-tracking", "tracking_numbers", number),
            ("paper-reference", "reference", self.reference.as_deref()),
            ("paper-parcels", "parcel_count", parcels.as_deref()),
            ("paper-gross-weight", "gross_weight", weight.as_deref()),
        ]);
        if self.tracking_numbers.len() > 1 {
            let numbers = self.tracking_numbers.join(", ");
            paged.fact("paper-tracking", "tracking_numbers", &numbers);
        }
    }

    fn sums(&self, paged: &mut Paged) {
        let language = self.language;
        let grams = items::total_grams(&self.items);
        paged.sum("paper-net-weight", "items", &numbers::kilograms(grams, language), false);
        let costs = [self.shipping_cost, self.insurance_cost];
        if let Some((minor, currency)) = items::sum(&mut paged.sheet, &self.items, &[]) {
            let text = numbers::sum(minor, currency, language);
            paged.sum("paper-subtotal", "items", &text, false);
        }
        let captions = ["paper-shipping-cost", "paper-insurance"];
        for (caption, cost) in captions.into_iter().zip(costs) {
            if let Some(cost) = cost {
                paged.sum(caption, "shipping_cost", &numbers::money(cost, language), false);
            }
        }
        if let Some((minor, currency)) = items::sum(&mut paged.sheet, &self.items, &costs) {
            let text = numbers::sum(minor, currency, language);
            paged.sum("paper-total", "items", &text, true);
        }
    }

    pub(crate) fn read(fields: &Fields, is_commercial: bool) -> Option<Invoice> {
        let kind = if is_commercial { InvoiceKind::Commercial } else { InvoiceKind::Proforma };
        let language = read::language(fields);
        let party = |name| fields.object(name).then(|party| Party::read(&party)).required();
        let (seller, buyer) = (party("seller"), party("buyer"));
        let items = items::read(fields);
        let money = |name| fields.object(name).then(|money| Money::read(&money)).optional();
        let weight = fields.object("gross_weight").then(|weight| Weight::read(&weight)).optional();
        let number = read::filled(fields, "number").required();
        let date = read::date(fields, "date").required();
        let numbers = fields.list("tracking_numbers", 0..=99);
        let numbers = numbers.then(|list| each(&list, |number| number.text(TEXT)));
        Some(Invoice {
            kind,
            language,
            content_type: items::reason(fields),
            incoterm: read::text(fields, "incoterm"),
            tracking_numbers: numbers.optional().unwrap_or_default(),
            parcel_count: fields.integer("parcel_count", 1..=99).optional(),
            reference: read::text(fields, "reference"),
            shipping_cost: money("shipping_cost"),
            insurance_cost: money("insurance_cost"),
            gross_weight: weight,
            number: number?,
            date: date?,
            seller: seller?,
            buyer: buyer?,
            items: items?,
        })
    }
}
