//! What stands on a label.

use jiff::civil::Date;
use waybill_domain::country::Country;
use waybill_domain::language::Language;
use waybill_domain::measure::{Money, Weight};
use waybill_domain::parcel::DangerousGoods;
use waybill_domain::party::Party;

use super::super::paper_size::PaperSize;
use crate::symbol::Symbology;

/// The labels of a shipment, one for each parcel.
#[derive(Clone, PartialEq, Debug)]
pub struct Labels {
    /// Of the captions.
    pub language: Language,
    /// What they are printed on.
    pub paper: PaperSize,
    /// One page each.
    pub labels: Vec<Label>,
}

/// What a label is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelKind {
    /// To the customer.
    Parcel,
    /// Back from the customer.
    Return,
}

/// One label.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// What it is for.
    pub kind: LabelKind,
    /// Who carries it.
    pub carrier: String,
    /// The service's name.
    pub service: String,
    /// The sign that sorters look for: one to four letters.
    pub service_mark: Option<String>,
    /// Who sends it.
    pub sender: Party,
    /// Who gets it.
    pub receiver: Party,
    /// Where the receiver fetches it.
    pub pickup_point: Option<PickupPoint>,
    /// The carrier's route or terminal.
    pub routing_code: Option<String>,
    /// The barcode that names the parcel.
    pub tracking: Barcode,
    /// A second, square barcode.
    pub matrix: Option<Barcode>,
    /// With packaging.
    pub weight: Option<Weight>,
    /// The sender's own reference.
    pub reference: Option<String>,
    /// The names of addons, in the label's language.
    pub addons: Vec<String>,
    /// What the driver collects.
    pub cash_on_delivery: Option<Money>,
    /// The number of the parcel with which the amount is collected, when it is not this one.
    pub cash_with_parcel: Option<u32>,
    /// How old the receiver must be.
    pub minimum_age: Option<u32>,
    /// Where the parcel may be left.
    pub leave_at: Option<String>,
    /// What is dangerous in it.
    pub dangerous_goods: Vec<DangerousGoods>,
    /// For the driver.
    pub instructions: Option<String>,
    /// Which parcel this is, from 1.
    pub number: u32,
    /// Of how many.
    pub count: u32,
    /// The day of shipping.
    pub date: Option<Date>,
    /// Whether it is for trying things out and moves no parcel.
    pub is_test: bool,
}

/// Where a receiver fetches a parcel.
#[derive(Clone, PartialEq, Debug)]
pub struct PickupPoint {
    /// The carrier's code of it.
    pub code: Option<String>,
    /// What it is called.
    pub name: String,
    /// Street and number.
    pub address_lines: Vec<String>,
    /// The postal code.
    pub postal_code: String,
    /// The city.
    pub city: String,
    /// A state, province or region.
    pub administrative_area: Option<String>,
    /// Says in which order code and city stand.
    pub country: Option<Country>,
}

/// A barcode to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Barcode {
    /// Its kind.
    pub symbology: Symbology,
    /// What it says; GS1 kinds have their identifiers in parentheses.
    pub content: String,
    /// What is printed below it; the content when nothing else is given.
    pub text: Option<String>,
}
