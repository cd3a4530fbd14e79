//! What customs want to know of a shipment as a whole. A v1 body does not say it, so it is taken
//! from what it says otherwise.

use super::lenient::is_filled;
use super::names::Names;
use super::parcel::money;
use crate::json::Json;
use crate::time::Time;

/// The `customs` of a shipment that crosses a border.
pub fn customs(body: &Json, is_return: bool, now: Time, names: &mut Names) -> Json {
    let filled = |member: &str| body.member(member).filter(|value| is_filled(Some(value)));
    let number = filled("internal_reference").or_else(|| {
        let identifier = filled("internal_id")?;
        names.note("customs.invoice_number", "internal_id");
        Some(identifier)
    });
    let currency = body.member("currency").unwrap_or(&Json::Null);
    let cost = money(body.member("shipping_price_excluding_tax"), currency);
    Json::object([
        ("content_type", if is_return { "returned_goods" } else { "commercial_goods" }.into()),
        ("incoterm", "DAP".into()),
        ("invoice_number", number.cloned().into()),
        ("invoice_date", day(now).into()),
        ("shipping_cost", cost),
    ])
}

/// The day of a moment, in UTC.
fn day(now: Time) -> String {
    let text = now.to_string();
    text.split('T').next().unwrap_or_default().to_owned()
}
