//! Receiver and sender of a v1 body as parties of a shipment.

use super::lenient::is_filled;
use super::names::Names;
use super::phone::international;
use crate::country::Country;
use crate::json::Json;

/// The lines of an address in the order in which they are printed.
const LINES: [&str; 3] = ["address_line1", "address_line2", "name_line2"];

/// The party; what is not one stays as it is, for others to say so.
pub fn party(given: &Json, name: &str, path: &str, names: &mut Names) -> Json {
    if !matches!(given, Json::Object(_)) {
        return given.clone();
    }
    let text = |member: &str| given.member(member).cloned().unwrap_or(Json::Null);
    let filled = |member: &str| given.member(member).filter(|value| is_filled(Some(value)));
    let from_company = filled("name_line1").is_none() && filled("company").is_some();
    if from_company {
        names.note(format!("{path}.contact.name"), format!("{name}.company"));
    }
    let called = filled("name_line1").or_else(|| filled("company"));
    let area = filled("state").or_else(|| {
        let region = filled("region")?;
        names.note(format!("{path}.address.administrative_area"), format!("{name}.region"));
        Some(region)
    });
    let mut lines = Vec::new();
    for member in LINES {
        let Some(line) = filled(member) else { continue };
        let at = format!("{path}.address.address_lines.{}", lines.len());
        names.note(at, format!("{name}.{member}"));
        lines.push(line.clone());
    }
    let lines = if lines.is_empty() { Json::Null } else { Json::List(lines) };
    let contact = Json::object([
        ("name", called.cloned().into()),
        ("company", filled("company").cloned().into()),
        ("email", filled("email").cloned().into()),
        ("phone", phone(&text("sms"), country(given))),
    ]);
    let address = Json::object([
        ("address_lines", lines),
        ("postal_code", text("postal_code")),
        ("city", text("city")),
        ("administrative_area", area.cloned().into()),
        ("country", text("country")),
    ]);
    Json::object([
        ("identifier", text("internal_id")),
        ("reference", text("internal_reference")),
        ("contact", contact),
        ("address", address),
    ])
}

/// The country of a party, where it is one.
pub fn country(given: &Json) -> Option<Country> {
    Country::parse(given.member_text("country")?)
}

/// A phone number, with the calling code of the country when it has none.
pub fn phone(given: &Json, country: Option<Country>) -> Json {
    match given {
        Json::Text(text) if !text.trim().is_empty() => international(text, country).into(),
        Json::Text(_) => Json::Null,
        other => other.clone(),
    }
}

/// Whether something is said of a party. Clients that have no sender of their own send one in which
/// every member is null.
pub fn is_said(given: &Json) -> bool {
    match given {
        Json::Object(members) => members.iter().any(|(_, value)| is_filled(Some(value))),
        other => *other != Json::Null,
    }
}
