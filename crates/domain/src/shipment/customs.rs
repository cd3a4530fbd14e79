//! What customs want to know about a shipment as a whole.

use crate::fields::{Fields, Text, one_of};
use crate::json::Json;
use crate::measure::Money;
use crate::words::Message;

/// Customs data.
#[derive(Clone, PartialEq, Debug)]
pub struct Customs {
    /// Why it is sent.
    pub content_type: Option<String>,
    /// Who pays what, Incoterms 2020.
    pub incoterm: Option<String>,
    /// The invoice's number.
    pub invoice_number: Option<String>,
    /// The invoice's date, `2026-11-14`.
    pub invoice_date: Option<String>,
    /// What the transport costs.
    pub shipping_cost: Option<Money>,
    /// What it is insured for.
    pub insured_value: Option<Money>,
}

const CONTENT_TYPES: &[&str] =
    &["commercial_goods", "commercial_sample", "gift", "documents", "returned_goods", "other"];
const INCOTERMS: &[&str] =
    &["EXW", "FCA", "CPT", "CIP", "DAP", "DPU", "DDP", "FAS", "FOB", "CFR", "CIF"];

impl Customs {
    /// Reads the `customs` object.
    pub fn read(fields: &Fields) -> Option<Customs> {
        let word = |choices: &'static [&'static str]| {
            move |text: &str| choices.contains(&text).then(|| text.to_owned())
        };
        let content_type =
            fields.parsed("content_type", word(CONTENT_TYPES), || one_of(CONTENT_TYPES));
        let incoterm = fields.parsed("incoterm", word(INCOTERMS), || one_of(INCOTERMS));
        let date = fields.parsed("invoice_date", parse_date, || Message::new("not-a-date"));
        let money = |name| fields.object(name).then(|f| Money::read(&f)).optional();
        Some(Customs {
            content_type: content_type.optional(),
            incoterm: incoterm.optional(),
            invoice_number: fields.text("invoice_number", Text::up_to(100)).optional(),
            invoice_date: date.optional(),
            shipping_cost: money("shipping_cost"),
            insured_value: money("insured_value"),
        })
    }

    /// The object as it was accepted.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("content_type", self.content_type.as_deref().into()),
            ("incoterm", self.incoterm.as_deref().into()),
            ("invoice_number", self.invoice_number.as_deref().into()),
            ("invoice_date", self.invoice_date.as_deref().into()),
            ("shipping_cost", self.shipping_cost.map(Money::to_json).into()),
            ("insured_value", self.insured_value.map(Money::to_json).into()),
        ])
    }
}

/// A date of the calendar, in its one spelling.
fn parse_date(text: &str) -> Option<String> {
    let date: jiff::civil::Date = text.parse().ok()?;
    (date.to_string() == text).then(|| text.to_owned())
}
