//! The parcel label and the return label: what a hub's scanner and a driver's eye need, largest
//! what is needed most.

mod data;
mod handling;
mod middle;
mod read;
mod texts;

use waybill_domain::fields::FieldErrors;
use waybill_domain::words::Message;

use super::layout::Layout;
use super::paper_size::PaperSize;
use crate::page::{Area, Document, Page};
use crate::renderer::Renderer;
use crate::sheet::Sheet;
use crate::text::Style;
pub use data::{Barcode, Label, LabelKind, Labels, PickupPoint};

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
