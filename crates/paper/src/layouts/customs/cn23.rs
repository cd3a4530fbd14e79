//! CN23: the declaration for what is heavier or worth more.

use waybill_domain::fields::FieldErrors;

use super::super::items;
use super::super::party::whole;
use super::super::table::{Cell, Column, INNER, LEFT, Paged, column};
use super::{CustomsForm, OPEN, TITLE, reasons};
use crate::numbers;
use crate::page::{Align, Area, Document};
use crate::renderer::Renderer;
use crate::text::Style;

const COLUMNS: &[Column] = &[
    column("paper-description", 70.0, Align::Left),
    column("paper-hs-code", 24.0, Align::Left),
    column("paper-origin", 16.0, Align::Left),
    column("paper-quantity", 18.0, Align::Right),
    column("paper-net-weight", 24.0, Align::Right),
    column("paper-value", 28.0, Align::Right),
];

pub(super) fn layout(form: &CustomsForm, renderer: &Renderer) -> Result<Document, FieldErrors> {
    let language = form.language;
    let mut paged = Paged::new(renderer, language, "paper-customs-title");
    head(&mut paged, form);
    let rows = form.items.iter().enumerate().map(|(index, item)| {
        let path = |field: &str| format!("items.{index}.{field}");
        let weight = items::grams(item).map(|grams| numbers::kilograms(grams, language));
        let value = items::value(item);
        let value = value.map(|(minor, currency)| numbers::sum(minor, currency, language));
        let name = item.description.clone().or_else(|| item.sku.clone());
        let origin = item.country_of_origin.map(|country| country.to_string());
        let cells: Vec<Cell> = vec![
            (path("description"), name.unwrap_or_default()),
            (path("hs_code"), item.hs_code.clone().unwrap_or_default()),
            (path("country_of_origin"), origin.unwrap_or_default()),
            (path("quantity"), numbers::count(item.quantity, language)),
            (path("net_weight"), weight.unwrap_or_default()),
            (path("unit_price"), value.unwrap_or_default()),
        ];
        cells
    });
    paged.table(COLUMNS, rows);
    foot(&mut paged, form);
    paged.done()
}

fn head(paged: &mut Paged, form: &CustomsForm) {
    let style = Style::new(8.0, 6.0).lines(1);
    paged.sheet.text(Area::new(LEFT, paged.y - 3.0, 110.0, 4.0), style, "language", TITLE);
    paged.sheet.text(Area::new(LEFT, paged.y + 0.8, 110.0, 4.0), style, "language", OPEN);
    let style = Style::new(28.0, 20.0).bold().right().lines(1);
    paged.sheet.text(Area::new(LEFT + 140.0, 14.0, 40.0, 13.0), style, "language", "CN 23");
    if let Some(tracking) = &form.tracking {
        let code = (tracking.symbology, tracking.content.as_str());
        let area = Area::new(LEFT + 95.0, paged.y + 1.0, 85.0, 13.0);
        paged.sheet.code(area, 3, "tracking.content", code);
        let text = tracking.text.as_deref().unwrap_or(&tracking.content);
        let style = Style::new(10.0, 6.0).bold().centred().lines(1);
        let area = Area::new(LEFT + 95.0, paged.y + 14.4, 85.0, 5.0);
        paged.sheet.text(area, style, "tracking.text", text);
    }
    paged.y += 21.0;
    let boxes = [
        ("paper-from", whole(&form.sender, "sender")),
        ("paper-to", whole(&form.receiver, "receiver")),
    ];
    paged.boxes(44.0, &boxes);
    paged.facts(&[
        ("paper-carrier", "carrier", Some(&form.carrier)),
        ("paper-reference", "reference", form.reference.as_deref()),
        ("paper-invoice-number", "invoice_number", form.invoice_number.as_deref()),
        ("paper-licence", "licence_number", form.licence_number.as_deref()),
        ("paper-certificate", "certificate_number", form.certificate_number.as_deref()),
    ]);
    let area = Area::new(LEFT, paged.y, INNER, 10.0);
    reasons(&mut paged.sheet, area, 3, &form.content_type);
    paged.y += 12.0;
}

fn foot(paged: &mut Paged, form: &CustomsForm) {
    let language = form.language;
    let net = items::total_grams(&form.items);
    paged.sum("paper-net-weight", "items", &numbers::kilograms(net, language), false);
    if let Some(weight) = form.gross_weight {
        let text = numbers::weight(weight, language);
        paged.sum("paper-gross-weight", "gross_weight", &text, false);
    }
    if let Some(postage) = form.postage {
        paged.sum("paper-postage", "postage", &numbers::money(postage, language), false);
    }
    if let Some((minor, currency)) = items::sum(&mut paged.sheet, &form.items, &[]) {
        let text = numbers::sum(minor, currency, language);
        paged.sum("paper-total-value", "items", &text, true);
    }
    if let Some(comments) = &form.comments {
        paged.need(16.0);
        let caption = Style::new(7.0, 5.0).lines(1);
        paged.sheet.words(Area::new(LEFT, paged.y, INNER, 3.6), caption, "paper-comments");
        let area = Area::new(LEFT, paged.y + 3.4, INNER, 12.0);
        paged.sheet.text(area, Style::new(9.0, 6.5).lines(3), "comments", comments);
        paged.y += 16.0;
    }
    paged.paragraph(form.promise());
    if let Some(date) = form.date {
        paged.need(24.0);
        let text = numbers::date(date, language);
        let area = Area::new(LEFT, paged.y + 8.5, 85.0, 5.0);
        paged.sheet.text(area, Style::new(9.0, 7.0).lines(1), "date", &text);
    }
    paged.signatures(&["paper-signature"]);
}
