//! People and places in rows, each row at the path of the field that it came from.

use std::borrow::Cow;

use waybill_domain::party::Party;

use crate::numbers;
use crate::sheet::Row;
use crate::text::Style;

/// How the rows of an address are set.
pub(crate) struct Styles {
    pub name: Style,
    pub line: Style,
    pub city: Style,
    pub country: Style,
}

/// The rows of an address. The path is that of the party.
pub(crate) fn rows<'a>(party: &'a Party, path: &str, styles: &Styles) -> Vec<Row<'a>> {
    let (contact, address) = (&party.contact, &party.address);
    let row = |field: &str, text: Cow<'a, str>, style| Row {
        path: format!("{path}.{field}"),
        text,
        style,
    };
    let mut rows = vec![row("contact.name", contact.name.as_str().into(), styles.name)];
    if let Some(company) = contact.company.as_deref().filter(|company| *company != contact.name) {
        rows.push(row("contact.company", company.into(), styles.line));
    }
    for (index, line) in address.lines.iter().enumerate() {
        let field = format!("address.address_lines.{index}");
        rows.push(row(&field, line.as_str().into(), styles.line));
    }
    rows.extend(city(path, &address.postal_code, &address.city, styles.city));
    if let Some(area) = address.administrative_area.as_deref() {
        rows.push(row("address.administrative_area", area.into(), styles.line));
    }
    let country = format!("{} ({})", numbers::country(address.country), address.country);
    rows.push(row("address.country", country.to_uppercase().into(), styles.country));
    rows
}

/// Code and city on one row; the row's problems belong to whichever is longer.
pub(crate) fn city<'a>(path: &str, code: &str, city: &str, style: Style) -> Option<Row<'a>> {
    let longer = if code.chars().count() > city.chars().count() { "postal_code" } else { "city" };
    let text = format!("{code} {city}");
    Some(Row { path: format!("{path}.address.{longer}"), text: text.into(), style })
}

/// Phone, and mail address, as one short row each.
pub(crate) fn reach<'a>(party: &'a Party, path: &str, style: Style) -> Vec<Row<'a>> {
    let fields = [("phone", &party.contact.phone), ("email", &party.contact.email)];
    let filled = fields.into_iter().filter_map(|(field, text)| Some((field, text.as_deref()?)));
    filled
        .map(|(field, text)| Row {
            path: format!("{path}.contact.{field}"),
            text: text.into(),
            style,
        })
        .collect()
}
