//! The parcel label and the return label: what a hub's scanner and a driver's eye need, largest
//! what is needed most.

mod read;

use jiff::civil::Date;
use waybill_domain::fields::FieldErrors;
use waybill_domain::language::Language;
use waybill_domain::measure::Weight;
use waybill_domain::party::Party;
use waybill_domain::words::Message;

use super::party::{Styles, city, reach, rows};
use super::{Layout, PaperSize};
use crate::numbers;
use crate::page::{Area, Document, Page};
use crate::press::Press;
use crate::sheet::{Row, Sheet};
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
    /// For the driver.
    pub instructions: Option<String>,
    /// Which parcel this is, from 1.
    pub number: u32,
    /// Of how many.
    pub count: u32,
    /// The day of shipping.
    pub date: Option<Date>,
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
    fn layout(&self, press: &Press) -> Result<Document, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut pages = Vec::with_capacity(self.labels.len());
        for (index, label) in self.labels.iter().enumerate() {
            match self.page(press, label, &format!("labels.{index}")) {
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
    fn page(&self, press: &Press, label: &Label, path: &str) -> Result<Page, FieldErrors> {
        let (width, height) = self.paper.size();
        let sheet = Sheet::new(press, self.language, width, height);
        let mut sheet = match self.paper {
            PaperSize::A4 => sheet.at(5.0, 5.0),
            _ => sheet.at((width - WIDTH) / 2.0, (height - HEIGHT) / 2.0),
        };
        if self.paper == PaperSize::A4 {
            sheet.frame(Area::new(0.0, 0.0, WIDTH, HEIGHT));
        }
        let path = |field: &str| format!("{path}.{field}");
        header(&mut sheet, label, &path);
        sender(&mut sheet, label, &path);
        receiver(&mut sheet, label, &path);
        routing(&mut sheet, label, &path);
        tracking(&mut sheet, label, &path);
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

/// Who sends it, and what is known of the parcel.
fn sender(sheet: &mut Sheet, label: &Label, path: &dyn Fn(&str) -> String) {
    sheet.words(Area::new(LEFT, 20.0, 40.0, 3.2), CAPTION, "paper-from");
    let line = Style::new(8.0, 5.5).lines(2);
    let styles = Styles { name: line.bold(), line, city: line, country: line };
    let rows = rows(&label.sender, &path("sender"), &styles);
    sheet.stack(Area::new(LEFT, 23.0, 56.0, 19.0), &rows);
    sheet.bar(61.0, 19.0, 24.0);
    let language = sheet.language;
    let weight = label.weight.map(|weight| numbers::weight(weight, language));
    let date = label.date.map(|date| numbers::date(date, language));
    let style = Style::new(9.5, 6.0).bold().lines(1);
    let facts =
        [("paper-weight", "weight", weight.as_deref()), ("paper-date", "date", date.as_deref())];
    let known = facts.iter().filter_map(|(caption, field, text)| Some((caption, field, (*text)?)));
    for (x, (caption, field, text)) in [62.5, 80.0].into_iter().zip(known) {
        sheet.words(Area::new(x, 20.0, 17.0, 3.2), CAPTION, caption);
        sheet.text(Area::new(x, 23.0, 17.0, 4.6), style, &path(field), text);
    }
    if let Some(reference) = label.reference.as_deref() {
        sheet.words(Area::new(62.5, 27.6, 34.5, 3.2), CAPTION, "paper-reference");
        // Callers put all kinds of things here: it gets what is left.
        let style = Style::new(9.5, 5.0).bold().lines(5);
        sheet.text(Area::new(62.5, 30.6, 34.5, 12.0), style, &path("reference"), reference);
    }
    sheet.rule(LEFT, 43.0, INNER);
}

/// Who gets it: the largest words on the label.
fn receiver(sheet: &mut Sheet, label: &Label, path: &dyn Fn(&str) -> String) {
    let mut y = 44.0;
    if label.kind == LabelKind::Return {
        sheet.fill(Area::new(LEFT, 43.0, INNER, 7.0));
        let style = Style::new(14.0, 8.0).bold().white().centred().lines(1).heading();
        sheet.words(Area::new(LEFT, 43.5, INNER, 6.4), style, "paper-return");
        y = 51.0;
    }
    let bottom = if label.pickup_point.is_some() { 64.0 } else { 85.0 };
    sheet.words(Area::new(LEFT, y, 40.0, 3.2), CAPTION, "paper-to");
    let styles = Styles {
        name: Style::new(15.0, 8.0).bold().lines(2),
        line: Style::new(13.0, 7.5).lines(2),
        city: Style::new(19.0, 9.0).bold().lines(2),
        country: Style::new(11.0, 7.0).bold().lines(2),
    };
    let mut rows = rows(&label.receiver, &path("receiver"), &styles);
    let phone = Style::new(9.0, 6.5).lines(1);
    rows.extend(reach(&label.receiver, &path("receiver"), phone).into_iter().take(1));
    sheet.stack(Area::new(LEFT, y + 3.0, INNER, bottom - y - 3.0), &rows);
    match &label.pickup_point {
        Some(point) => pickup_point(sheet, point, path),
        None => sheet.rule(LEFT, 86.0, INNER),
    }
}

fn pickup_point(sheet: &mut Sheet, point: &PickupPoint, path: &dyn Fn(&str) -> String) {
    sheet.frame(Area::new(LEFT, 65.0, INNER, 20.0));
    sheet.words(Area::new(LEFT + 1.5, 65.8, 40.0, 3.2), CAPTION, "paper-pickup-point");
    let row = |field: &str, text: &str, style| Row {
        path: path(&format!("pickup_point.{field}")),
        text: text.to_owned().into(),
        style,
    };
    let line = Style::new(10.0, 6.5).lines(2);
    let mut rows = vec![row("name", &point.name, Style::new(12.0, 7.0).bold().lines(2))];
    for (index, text) in point.address_lines.iter().enumerate() {
        rows.push(row(&format!("address_lines.{index}"), text, line));
    }
    let place = city("", &point.postal_code, &point.city, line.bold());
    rows.extend(place.map(|row| Row { path: path("pickup_point.city"), ..row }));
    sheet.stack(Area::new(LEFT + 1.5, 68.6, 66.0, 16.0), &rows);
    if let Some(code) = &point.code {
        let style = Style::new(14.0, 7.0).bold().right().lines(2);
        let area = Area::new(72.0, 68.6, 23.5, 12.0);
        sheet.text(area, style, &path("pickup_point.code"), code);
    }
}

/// Where it goes next, and what else was asked for.
fn routing(sheet: &mut Sheet, label: &Label, path: &dyn Fn(&str) -> String) {
    let width = if label.matrix.is_some() { 68.0 } else { INNER };
    if let Some(code) = &label.routing_code {
        let style = Style::new(32.0, 12.0).bold().lines(1);
        sheet.text(Area::new(LEFT, 87.0, width, 14.0), style, &path("routing_code"), code);
    }
    let mut rows = Vec::new();
    if !label.addons.is_empty() {
        let style = Style::new(10.0, 6.0).bold().lines(2);
        let text = label.addons.join("  ·  ").into();
        rows.push(Row { path: path("addons"), text, style });
    }
    if let Some(text) = label.instructions.as_deref() {
        let style = Style::new(7.5, 5.5).lines(3);
        rows.push(Row { path: path("instructions"), text: text.into(), style });
    }
    let top = if label.routing_code.is_some() { 100.6 } else { 87.5 };
    sheet.stack(Area::new(LEFT, top, width, 110.2 - top), &rows);
    if let Some(matrix) = &label.matrix {
        let area = Area::new(73.5, 87.0, 23.5, 23.5);
        let code = (matrix.symbology, matrix.content.as_str());
        sheet.code(area, 8, &path("matrix.content"), code);
    }
    sheet.rule(LEFT, 111.0, INNER);
}

/// The barcode that every scanner on the way reads.
fn tracking(sheet: &mut Sheet, label: &Label, path: &dyn Fn(&str) -> String) {
    let barcode = &label.tracking;
    let area = Area::new(LEFT, 113.5, INNER, 26.0);
    sheet.code(area, 4, &path("tracking.content"), (barcode.symbology, &barcode.content));
    let text = barcode.text.as_deref().unwrap_or(&barcode.content);
    let style = Style::new(13.0, 7.0).bold().centred().lines(1);
    sheet.text(Area::new(LEFT, 140.3, INNER, 6.4), style, &path("tracking.text"), text);
}
