//! People and places in rows, each row at the path of the field that it came from.

mod form;

use std::borrow::Cow;

use waybill_domain::country::Country;
use waybill_domain::fields::FieldErrors;
use waybill_domain::party::{Address, Party};

use crate::numbers;
use crate::page::Weight;
use crate::renderer::Renderer;
use crate::sheet::Row;
use crate::text::{Style, printable};

/// How the rows of an address are set.
pub(crate) struct Styles {
    pub name: Style,
    pub line: Style,
    pub city: Style,
    pub country: Style,
}

/// A piece of an address, and the field that it came from.
type Piece<'a> = (String, Cow<'a, str>);

/// The rows of an address. The path is that of the party.
pub(crate) fn rows<'a>(party: &'a Party, path: &str, styles: &Styles) -> Vec<Row<'a>> {
    let place = place(&party.address, path);
    let mut rows: Vec<Row> = name(party, path).into_iter().map(|p| row(p, styles.line)).collect();
    if let Some(first) = rows.first_mut() {
        first.style = styles.name;
    }
    rows.extend(lines(party, path).into_iter().map(|piece| row(piece, styles.line)));
    rows.extend(
        place
            .into_iter()
            .map(|(is_city, piece)| row(piece, if is_city { styles.city } else { styles.line })),
    );
    rows.push(row(country(party, path), styles.country));
    rows
}

/// The same address in three paragraphs, where there is no room for a row each.
pub(crate) fn paragraphs<'a>(party: &'a Party, path: &str, styles: &Styles) -> Vec<Row<'a>> {
    let mut place: Vec<Piece> =
        place(&party.address, path).into_iter().map(|(_, piece)| piece).collect();
    place.push(country(party, path));
    let parts =
        [(name(party, path), styles.name), (lines(party, path), styles.line), (place, styles.city)];
    parts.into_iter().filter_map(|(pieces, style)| Some(row(joined(pieces)?, style))).collect()
}

/// Postal code, city and area of a place in the order of its country.
pub(crate) fn city_rows<'a>(
    address: &(&str, &str, Option<&str>, Option<Country>),
    path: &str,
    style: Style,
) -> Vec<Row<'a>> {
    let pieces = form::rows(*address).into_iter();
    pieces.map(|(_, field, text)| row((format!("{path}.{field}"), text.into()), style)).collect()
}

/// Phone, and mail address, as one short row each.
pub(crate) fn reach<'a>(party: &'a Party, path: &str, style: Style) -> Vec<Row<'a>> {
    let fields = [("phone", &party.contact.phone), ("email", &party.contact.email)];
    let filled = fields.into_iter().filter_map(|(field, text)| Some((field, text.as_deref()?)));
    filled
        .map(|(field, text)| row((format!("{path}.contact.{field}"), text.into()), style))
        .collect()
}

/// The rows of a party with its tax numbers.
pub(crate) fn whole<'a>(party: &'a Party, path: &str) -> Vec<Row<'a>> {
    let line = Style::new(9.0, 6.5).lines(4);
    let styles = Styles { name: line.bold(), line, city: line, country: line };
    let mut rows = rows(party, path, &styles);
    rows.extend(reach(party, path, line));
    for (kind, number) in party.numbers() {
        let name = kind.replace('_', " ").to_uppercase();
        let text = format!("{name}: {number}").into();
        rows.push(Row { path: format!("{path}.identifiers.{kind}"), text, style: line });
    }
    rows
}

/// The letters of a party that no paper can show, each at its field below the path.
pub fn party_problems(renderer: &Renderer, party: &Party, path: &str) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for row in whole(party, path) {
        for weight in [Weight::Regular, Weight::Bold] {
            if let Err(message) = printable(renderer.font(weight), &row.text) {
                errors.add(row.path.clone(), message);
            }
        }
    }
    errors
}

fn row<'a>((path, text): Piece<'a>, style: Style) -> Row<'a> {
    Row { path, text, style }
}

/// The name, and the company where it says more.
fn name<'a>(party: &'a Party, path: &str) -> Vec<Piece<'a>> {
    let contact = &party.contact;
    let company = contact.company.as_deref().filter(|company| *company != contact.name);
    let pieces = [("name", Some(contact.name.as_str())), ("company", company)].into_iter();
    pieces
        .filter_map(|(field, text)| Some((format!("{path}.contact.{field}"), text?.into())))
        .collect()
}

fn lines<'a>(party: &'a Party, path: &str) -> Vec<Piece<'a>> {
    let lines = party.address.lines.iter().enumerate();
    let path = |index| format!("{path}.address.address_lines.{index}");
    lines.map(|(index, line)| (path(index), line.as_str().into())).collect()
}

/// The rows between street and country, and whether each names the city or its code.
fn place<'a>(address: &Address, path: &str) -> Vec<(bool, Piece<'a>)> {
    let area = address.administrative_area.as_deref();
    let parts = (address.postal_code.as_str(), address.city.as_str(), area, Some(address.country));
    let rows = form::rows(parts).into_iter();
    rows.map(|(is_city, field, text)| (is_city, (format!("{path}.address.{field}"), text.into())))
        .collect()
}

fn country<'a>(party: &Party, path: &str) -> Piece<'a> {
    let country = party.address.country;
    let text = format!("{} ({country})", numbers::country(country)).to_uppercase();
    (format!("{path}.address.country"), text.into())
}

/// Pieces as one text; its problems belong to the longest of them.
fn joined<'a>(pieces: Vec<Piece<'a>>) -> Option<Piece<'a>> {
    let text = pieces.iter().map(|(_, text)| text.as_ref()).collect::<Vec<_>>().join(", ");
    let longest = pieces.into_iter().max_by_key(|(_, text)| text.len())?;
    Some((longest.0, text.into()))
}
