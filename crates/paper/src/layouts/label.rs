//! The parcel label and the return label: what a hub's scanner and a driver's eye need, largest
//! what is needed most.

mod handling;
mod middle;
mod read;
mod texts;

use jiff::civil::Date;
use waybill_domain::country::Country;
use waybill_domain::fields::FieldErrors;
use waybill_domain::language::Language;
use waybill_domain::measure::{Money, Weight};
use waybill_domain::parcel::DangerousGoods;
use waybill_domain::party::Party;
use waybill_domain::words::Message;

use super::{Layout, PaperSize};
use crate::page::{Area, Document, Page};
use crate::renderer::Renderer;
use crate::sheet::Sheet;
use crate::symbol::Symbology;
use crate::text::Style;

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

/// The layout is made for the smallest paper: this wide and high, and never more.
const WIDTH: f32 = 100.0;
const HEIGHT: f32 = 148.0;
const LEFT: f32 = 3.0;
const INNER: f32 = 94.0;
const CAPTION: Style = Style::new(6.5, 5.0).lines(1);

impl Layout for Labels {
    fn layout(&self, renderer: &Renderer) -> Result<Document, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut pages = Vec::with_capacity(self.labels.len());
        for (index, label) in self.labels.iter().enumerate() {
            match self.page(renderer, label, &format!("labels.{index}")) {
                Ok(page) => pages.push(page),
                Err(problems) => errors.extend(problems),
            }
        }
        let is_return = self.labels.iter().all(|label| label.kind == LabelKind::Return);
        let key = if is_return { "paper-return-label" } else { "paper-label" };
        let title = Message::new(key).say(self.language);
        let document = Document { title, language: self.language, pages };
        if errors.is_empty() { Ok(document) } else { Err(errors) }
    }
}

impl Labels {
    fn page(&self, renderer: &Renderer, label: &Label, path: &str) -> Result<Page, FieldErrors> {
        let (width, height) = self.paper.size();
        let sheet = Sheet::new(renderer, self.language, width, height);
        let mut sheet = match self.paper {
            PaperSize::A4 => sheet.at(5.0, 5.0),
            _ => sheet.at((width - WIDTH) / 2.0, (height - HEIGHT) / 2.0),
        };
        if self.paper == PaperSize::A4 {
            sheet.frame(Area::new(0.0, 0.0, WIDTH, HEIGHT));
        }
        let path = |field: &str| format!("{path}.{field}");
        header(&mut sheet, label, &path);
        let bottom = middle::put(&mut sheet, label, &path);
        tracking(&mut sheet, label, bottom, &path);
        sheet.done()
    }
}

/// The service's mark and name, and which parcel of how many.
fn header(sheet: &mut Sheet, label: &Label, path: &dyn Fn(&str) -> String) {
    let mut x = LEFT;
    if let Some(mark) = &label.service_mark {
        sheet.fill(Area::new(LEFT, 2.0, 22.0, 16.0));
        let style = Style::new(34.0, 14.0).bold().white().centred().lines(1);
        sheet.text(Area::new(LEFT, 2.6, 22.0, 15.4), style, &path("service_mark"), mark);
        x += 24.0;
    }
    let style = Style::new(17.0, 8.0).bold().lines(2).heading();
    sheet.text(Area::new(x, 2.0, 76.0 - x, 11.6), style, &path("service"), &label.service);
    let style = Style::new(9.0, 6.0).lines(1);
    sheet.text(Area::new(x, 13.6, 76.0 - x, 4.6), style, &path("carrier"), &label.carrier);
    sheet.words(Area::new(77.0, 2.0, 20.0, 3.4), CAPTION.right(), "paper-parcel");
    let count = format!("{}/{}", label.number, label.count);
    let style = Style::new(20.0, 9.0).bold().right().lines(1);
    sheet.text(Area::new(77.0, 5.4, 20.0, 9.0), style, &path("count"), &count);
    sheet.rule(LEFT, 19.0, INNER);
}

/// The barcode that every scanner on the way reads. A test label says so below it.
fn tracking(sheet: &mut Sheet, label: &Label, top: f32, path: &dyn Fn(&str) -> String) {
    let barcode = &label.tracking;
    let end = if label.is_test { 133.5 } else { 139.5 };
    let area = Area::new(LEFT, top + 2.5, INNER, end - top - 2.5);
    sheet.code(area, 4, &path("tracking.content"), (barcode.symbology, &barcode.content));
    let text = barcode.text.as_deref().unwrap_or(&barcode.content);
    let style = Style::new(13.0, 7.0).bold().centred().lines(1);
    let area = Area::new(LEFT, end + 0.8, INNER, 6.4);
    sheet.text(area, style, &path("tracking.text"), text);
    if label.is_test {
        sheet.fill(Area::new(LEFT, 140.8, INNER, 6.0));
        let style = Style::new(12.0, 7.0).bold().white().centred().lines(1).heading();
        sheet.words(Area::new(LEFT, 141.1, INNER, 5.6), style, "paper-test-label");
    }
}
