//! CN22: everything on one label, so only as many items as fit.

use waybill_domain::fields::FieldErrors;
use waybill_domain::words::Message;

use super::super::items;
use super::super::party::{Styles, rows};
use super::{CustomsForm, OPEN, TITLE, reasons};
use crate::numbers;
use crate::page::{Align, Area, Document};
use crate::renderer::Renderer;
use crate::sheet::Sheet;
use crate::text::Style;

const LEFT: f32 = 3.0;
const INNER: f32 = 94.0;
const CAPTION: Style = Style::new(6.5, 4.5).lines(2);
/// Where the rows of items begin, how high one is, and how many there are.
const ROWS: (f32, f32, usize) = (52.0, 6.6, 6);
/// Left edges and widths of description, tariff number, origin, weight and value.
const COLUMNS: [(f32, f32); 5] =
    [(3.0, 38.0), (41.0, 15.0), (56.0, 11.0), (67.0, 13.0), (80.0, 17.0)];

pub(super) fn layout(form: &CustomsForm, renderer: &Renderer) -> Result<Document, FieldErrors> {
    let (width, height) = form.paper.size();
    let sheet = Sheet::new(renderer, form.language, width, height);
    let mut sheet = match form.paper {
        super::PaperSize::A4 => sheet.at(5.0, 5.0),
        _ => sheet.at((width - 100.0) / 2.0, (height - 148.0) / 2.0),
    };
    head(&mut sheet, form);
    if form.items.len() > ROWS.2 {
        sheet.errors.add("items", Message::new("no-room-on-paper"));
    }
    table(&mut sheet, form);
    totals(&mut sheet, form);
    foot(&mut sheet, form);
    let title = format!("CN22 {}", sheet.say("paper-customs-title"));
    Ok(Document { title, language: form.language, pages: vec![sheet.done()?] })
}

fn head(sheet: &mut Sheet, form: &CustomsForm) {
    sheet.frame(Area::new(1.5, 1.5, 97.0, 145.0));
    let style = Style::new(10.0, 7.0).bold().lines(2).heading();
    sheet.text(Area::new(LEFT, 3.0, 70.0, 9.5), style, "language", TITLE);
    let style = Style::new(20.0, 12.0).bold().right().lines(1);
    sheet.text(Area::new(74.0, 3.0, 23.0, 9.5), style, "language", "CN 22");
    sheet.text(Area::new(LEFT, 12.4, 62.0, 3.6), CAPTION.lines(1), "language", OPEN);
    let local = format!("{} · {}", sheet.say("paper-customs-title"), sheet.say("paper-may-open"));
    sheet.text(Area::new(LEFT, 15.6, INNER, 3.6), CAPTION.lines(1), "language", &local);
    let style = Style::new(8.0, 5.5).bold().right().lines(1);
    sheet.text(Area::new(66.0, 12.0, 31.0, 4.0), style, "carrier", &form.carrier);
    sheet.rule(1.5, 19.5, 97.0);
    let line = Style::new(7.5, 5.0).lines(2);
    let styles = Styles { name: line.bold(), line, city: line, country: line };
    sheet.words(Area::new(LEFT, 20.3, 44.0, 3.2), CAPTION.lines(1), "paper-from");
    sheet.stack(Area::new(LEFT, 23.2, 45.0, 15.0), &rows(&form.sender, "sender", &styles));
    sheet.words(Area::new(51.0, 20.3, 44.0, 3.2), CAPTION.lines(1), "paper-to");
    sheet.stack(Area::new(51.0, 23.2, 46.0, 15.0), &rows(&form.receiver, "receiver", &styles));
    sheet.rule(1.5, 38.5, 97.0);
    reasons(sheet, Area::new(LEFT, 40.0, INNER, 5.0), 3, &form.content_type);
}

fn table(sheet: &mut Sheet, form: &CustomsForm) {
    // Two lines of reasons end here.
    let top = ROWS.0;
    sheet.rule(1.5, top - 2.5, 97.0);
    let captions =
        ["paper-description", "paper-hs-code", "paper-origin", "paper-net-weight", "paper-value"];
    for ((x, width), caption) in COLUMNS.into_iter().zip(captions) {
        let style = Style { align: align(caption), ..CAPTION };
        sheet.words(Area::new(x + 0.5, top - 1.7, width - 1.0, 5.6), style, caption);
    }
    let language = form.language;
    for (index, item) in form.items.iter().take(ROWS.2).enumerate() {
        let y = top + 4.6 + ROWS.1 * index as f32;
        sheet.fill(Area::new(LEFT, y, INNER, 0.125));
        let name = item.description.as_deref().or(item.sku.as_deref()).unwrap_or_default();
        let value = items::value(item);
        let texts = [
            ("description", format!("{} × {name}", item.quantity)),
            ("hs_code", item.hs_code.clone().unwrap_or_default()),
            (
                "country_of_origin",
                item.country_of_origin.map(|c| c.to_string()).unwrap_or_default(),
            ),
            (
                "net_weight",
                items::grams(item).map(|g| numbers::kilograms(g, language)).unwrap_or_default(),
            ),
            (
                "unit_price",
                value.map(|(minor, c)| numbers::sum(minor, c, language)).unwrap_or_default(),
            ),
        ];
        for ((x, width), (field, text)) in COLUMNS.into_iter().zip(texts) {
            let aligned = if matches!(field, "net_weight" | "unit_price") {
                Align::Right
            } else {
                Align::Left
            };
            let style = Style { align: aligned, ..Style::new(7.5, 5.0).lines(2) };
            let area = Area::new(x + 0.5, y + 0.4, width - 1.0, ROWS.1 - 0.4);
            sheet.text(area, style, &format!("items.{index}.{field}"), &text);
        }
    }
}

fn align(caption: &str) -> Align {
    if matches!(caption, "paper-net-weight" | "paper-value") { Align::Right } else { Align::Left }
}

fn totals(sheet: &mut Sheet, form: &CustomsForm) {
    let y = ROWS.0 + 4.6 + ROWS.1 * ROWS.2 as f32 + 0.6;
    sheet.rule(1.5, y, 97.0);
    let net = items::total_grams(&form.items);
    let grams = form.gross_weight.map_or(net, |weight| weight.grams());
    let style = Style::new(9.0, 6.0).bold().right().lines(1);
    sheet.words(Area::new(LEFT, y + 0.8, 30.0, 3.2), CAPTION.lines(1), "paper-total-weight");
    let weight = numbers::kilograms(grams, form.language);
    sheet.text(Area::new(LEFT + 20.0, y + 0.6, 25.0, 4.4), style, "gross_weight", &weight);
    sheet.words(Area::new(52.0, y + 0.8, 22.0, 3.2), CAPTION.lines(1), "paper-total-value");
    if let Some((minor, currency)) = items::sum(sheet, &form.items, &[]) {
        let value = numbers::sum(minor, currency, form.language);
        sheet.text(Area::new(66.0, y + 0.6, 31.0, 4.4), style, "items", &value);
    }
    sheet.rule(1.5, y + 5.6, 97.0);
}

fn foot(sheet: &mut Sheet, form: &CustomsForm) {
    let y = ROWS.0 + 4.6 + ROWS.1 * ROWS.2 as f32 + 6.8;
    sheet.words(Area::new(LEFT, y, INNER, 11.0), Style::new(6.5, 5.0), form.promise());
    let date = form.date.map(|date| numbers::date(date, form.language)).unwrap_or_default();
    sheet.words(Area::new(LEFT, y + 11.2, 44.0, 3.2), CAPTION.lines(1), "paper-signature");
    let style = Style::new(8.0, 6.0).lines(1);
    sheet.text(Area::new(LEFT, y + 14.2, 30.0, 4.0), style, "date", &date);
    let name = &form.sender.contact.name;
    sheet.text(Area::new(35.0, y + 14.2, 62.0, 4.0), style, "sender.contact.name", name);
    sheet.rule(LEFT, y + 18.2, INNER);
    if let Some(tracking) = &form.tracking {
        let code = (tracking.symbology, tracking.content.as_str());
        sheet.code(Area::new(LEFT, y + 19.6, INNER, 12.0), 3, "tracking.content", code);
        let text = tracking.text.as_deref().unwrap_or(&tracking.content);
        let style = Style::new(9.0, 6.0).bold().centred().lines(1);
        sheet.text(Area::new(LEFT, y + 32.0, INNER, 4.4), style, "tracking.text", text);
    }
}
