//! An agent as the older API shows it.

use waybill_domain::fields::read_stored;
use waybill_domain::json::{Json, Number, parse};
use waybill_domain::party::Address;
use waybill_domain::point::Hours;
use waybill_store::service_points::Stored;

use crate::reply::ApiError;

/// The point, under the name of a carrier and with how many metres it is away.
pub fn view(point: &Stored, carrier: &str, away: Option<i64>) -> Result<Json, ApiError> {
    let address = address(point)?;
    let (first, others) = address
        .lines
        .split_first()
        .map_or(("", &[][..]), |(first, others)| (first.as_str(), others));
    let others = (!others.is_empty()).then(|| others.join(", "));
    // Hundredths of a kilometre, half up.
    let distance =
        away.map(|metres| Json::Number(Number::from_steps(((metres + 5) / 10).into(), 2)));
    Ok(Json::object([
        ("id", Json::text(point.id)),
        ("type", "agent".into()),
        ("agent_no", point.code.as_str().into()),
        ("carrier", carrier.into()),
        ("distance", distance.into()),
        ("company", point.name.as_str().into()),
        ("name_line1", Json::Null),
        ("name_line2", Json::Null),
        ("address_line1", first.into()),
        ("address_line2", others.into()),
        ("postal_code", address.postal_code.as_str().into()),
        ("city", address.city.as_str().into()),
        ("country", address.country.code().into()),
        ("coordinates", point.position.to_json()),
        ("opening_hours", opening_hours(point)?),
    ]))
}

/// The street and the number of a point.
pub fn first_line(point: &Stored) -> Option<String> {
    address(point).ok()?.lines.into_iter().next()
}

/// Its postal code as it is told.
pub fn postal_code(point: &Stored) -> Option<String> {
    address(point).ok().map(|address| address.postal_code)
}

fn address(point: &Stored) -> Result<Address, ApiError> {
    let json = parse(point.address.as_bytes()).ok();
    let address = json.and_then(|json| read_stored(&json, Address::read).ok());
    address.ok_or_else(|| unreadable("address", point))
}

/// An entry for each period of the week.
fn opening_hours(point: &Stored) -> Result<Json, ApiError> {
    let Some(text) = &point.opening_hours else { return Ok(Json::List(Vec::new())) };
    let json = parse(text.as_bytes()).ok();
    let hours = json.and_then(|json| read_stored(&json, Hours::read).ok());
    let hours = hours.ok_or_else(|| unreadable("opening hours", point))?;
    let periods = hours.regular().into_iter().map(|(day, opens, closes)| {
        let clock = |time: &str| Json::text(format!("{time}:00"));
        Json::object([("day", day.into()), ("opens", clock(opens)), ("closes", clock(closes))])
    });
    Ok(Json::list(periods))
}

fn unreadable(what: &str, point: &Stored) -> ApiError {
    ApiError::Internal(format!("the {what} of the service point {} cannot be read", point.id))
}
