//! The texts in the middle of a label, and how close they stand to make room.

use waybill_domain::party::Party;

use super::super::party::{Styles, city_rows, paragraphs, reach, rows};
use super::data::Label;
use super::handling;
use crate::numbers;
use crate::sheet::{Row, Sheet};
use crate::text::Style;

/// How close the texts stand to make room. Nothing is left out.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Density {
    /// A row for each part of an address.
    Rows,
    /// Addresses are paragraphs of the smallest letters.
    Paragraphs,
}

/// The texts, before they are set.
pub(super) struct Texts<'a> {
    /// Whether the sender has the whole width and what is known of the parcel in its last row.
    pub is_tight: bool,
    pub sender: Vec<Row<'a>>,
    pub reference: Vec<Row<'a>>,
    pub receiver: Vec<Row<'a>>,
    pub point: Vec<Row<'a>>,
    pub code: Vec<Row<'a>>,
    pub route: Vec<Row<'a>>,
    pub notes: Vec<Row<'a>>,
}

impl<'a> Texts<'a> {
    pub fn new(
        sheet: &Sheet,
        label: &'a Label,
        path: &dyn Fn(&str) -> String,
        density: Density,
    ) -> Texts<'a> {
        let is_tight = density == Density::Paragraphs;
        let line = Style::new(8.0, 5.0).lines(2);
        let styles = Styles { name: line.bold(), line, city: line, country: line };
        let mut sender = address(&label.sender, &path("sender"), styles, is_tight);
        if is_tight {
            sender.extend(facts(sheet, label, path));
        }
        let styles = Styles {
            name: Style::new(15.0, 6.5).bold().lines(2),
            line: Style::new(13.0, 6.0).lines(2),
            city: Style::new(19.0, 7.0).bold().lines(2),
            country: Style::new(11.0, 6.0).bold().lines(2),
        };
        let mut receiver = address(&label.receiver, &path("receiver"), styles, is_tight);
        let phone = Style::new(9.0, 6.0).lines(1);
        let phone = reach(&label.receiver, &path("receiver"), phone).into_iter().take(1);
        match (is_tight, receiver.last_mut()) {
            // A paragraph goes on with it.
            (true, Some(last)) => phone.for_each(|phone| {
                last.text = format!("{}, {}", last.text, phone.text).into();
            }),
            _ => receiver.extend(phone),
        }
        let row =
            |field: &str, text: &'a str, style| Row { path: path(field), text: text.into(), style };
        let one = |field: &str, text: Option<&'a str>, style| {
            text.map(|text| row(field, text, style)).into_iter().collect::<Vec<_>>()
        };
        let point = label.pickup_point.as_ref();
        // Callers put all kinds of things into the reference: it gets what is left.
        let reference = Style::new(9.5, 5.0).bold().lines(8);
        let code = Style::new(14.0, 7.0).bold().right().lines(2);
        let route = Style::new(32.0, 12.0).bold().lines(1);
        let beside = label.reference.as_deref().filter(|_| !is_tight);
        Texts {
            is_tight,
            sender,
            reference: one("reference", beside, reference),
            receiver,
            point: point.map(|_| pickup_point(label, path)).unwrap_or_default(),
            code: one("pickup_point.code", point.and_then(|point| point.code.as_deref()), code),
            route: one("routing_code", label.routing_code.as_deref(), route),
            notes: handling::notes(sheet, label, path),
        }
    }
}

fn address<'a>(party: &'a Party, path: &str, styles: Styles, is_tight: bool) -> Vec<Row<'a>> {
    if !is_tight {
        return rows(party, path, &styles);
    }
    // A paragraph has one size, so that its largest letters do not take the room of all others.
    let least = |style: Style| Style { size: style.size.min(12.0), least: 5.0, lines: 20, ..style };
    let Styles { name, line, city, country } = styles;
    let (name, line) = (least(name), least(line));
    paragraphs(party, path, &Styles { name, line, city: least(city), country: least(country) })
}

/// Weight, date and reference as a row.
fn facts<'a>(sheet: &Sheet, label: &Label, path: &dyn Fn(&str) -> String) -> Option<Row<'a>> {
    let language = sheet.language;
    let facts = [
        ("paper-weight", label.weight.map(|weight| numbers::weight(weight, language))),
        ("paper-date", label.date.map(|date| numbers::date(date, language))),
        ("paper-reference", label.reference.clone()),
    ];
    let known = facts.into_iter().filter_map(|(key, text)| Some((key, text?)));
    let texts: Vec<String> =
        known.map(|(key, text)| format!("{}: {text}", sheet.say(key))).collect();
    let style = Style::new(8.0, 5.0).bold().lines(20);
    let row = Row { path: path("reference"), text: texts.join("  ·  ").into(), style };
    (!texts.is_empty()).then_some(row)
}

fn pickup_point<'a>(label: &'a Label, path: &dyn Fn(&str) -> String) -> Vec<Row<'a>> {
    let Some(point) = &label.pickup_point else { return Vec::new() };
    let line = Style::new(10.0, 5.5).lines(2);
    let row = |field: &str, text: &'a str, style| Row {
        path: path(&format!("pickup_point.{field}")),
        text: text.into(),
        style,
    };
    let mut rows = vec![row("name", &point.name, Style::new(12.0, 6.0).bold().lines(2))];
    for (index, text) in point.address_lines.iter().enumerate() {
        rows.push(row(&format!("address_lines.{index}"), text, line));
    }
    let area = point.administrative_area.as_deref();
    let place = (point.postal_code.as_str(), point.city.as_str(), area, point.country);
    rows.extend(city_rows(&place, &path("pickup_point"), line.bold()));
    rows
}
