//! GLS's parcel shops and lockers, with when they are open.

use std::time::Duration;

use waybill_domain::country::Country;
use waybill_domain::fields::read;
use waybill_domain::json::Json;
use waybill_domain::party::Address;
use waybill_domain::point::{Hours, Point, PointKind, Position};
use waybill_outbound::line::{POINTS_BYTES_MAX, Response};

use super::client::Call;
use super::errors::strange;
use super::wire::BASE;
use crate::CarrierError;
use crate::members::{list, long_body, object, text, text_or_number, within};

/// The countries that parcels are fetched in.
pub const COUNTRIES: &[&str] = &[
    "DK", "SE", "NO", "FI", "DE", "NL", "BE", "LU", "AT", "FR", "ES", "IT", "PT", "PL", "CZ", "SK",
    "HU", "SI", "HR", "RO", "BG", "IE", "EE", "LV", "LT", "GR", "GB", "CH",
];
/// The list of a country is large and slow: so many times as long as any other answer.
const SLOWNESS: u32 = 8;
/// GLS's times are so much behind the clock, in minutes.
const BEHIND: i64 = 60;
const MILLISECONDS: i64 = 60_000;
const DAY: i64 = 24 * 60;
const WEEKDAYS: [(&str, &str); 7] = [
    ("MON", "monday"),
    ("TUE", "tuesday"),
    ("WED", "wednesday"),
    ("THU", "thursday"),
    ("FRI", "friday"),
    ("SAT", "saturday"),
    ("SUN", "sunday"),
];

/// The question for all points of a country.
pub fn call(country: Country, timeouts: Duration) -> Call {
    Call {
        bytes_max: POINTS_BYTES_MAX,
        time_max: Some(timeouts * SLOWNESS),
        ..Call::get(format!("{BASE}/parcelshop/country/{country}"))
    }
}

/// The points in the answer.
pub fn points(response: &Response, country: Country) -> Result<Vec<Point>, CarrierError> {
    let body = long_body(response);
    match (response.status.as_u16(), body.member("ParcelShop")) {
        (200, Some(Json::List(entries))) => {
            Ok(entries.iter().filter_map(|entry| point(entry, country)).collect())
        }
        (200, _) => Err(CarrierError::Unreadable("a list of parcel shops")),
        _ => Err(strange(response)),
    }
}

/// A point; nothing when it has no position, or nobody could find it.
fn point(entry: &Json, country: Country) -> Option<Point> {
    let address = entry.member("Address")?;
    let street = [text(address, "Street"), text(address, "StreetNumber")];
    let street = street.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let zip = text_or_number(address, "ZIPCode").or_else(|| text_or_number(address, "Zipcode"));
    let degrees = |name| {
        let told = within(entry, &["Location"]).and_then(|it| text_or_number(it, name))?;
        told.trim().parse::<f64>().ok()
    };
    Some(Point {
        carrier: "gls".to_owned(),
        code: text(entry, "ParcelShopID")?.to_owned(),
        name: text(address, "Name1")?.to_owned(),
        kind: match text(entry, "Type") {
            Some("LOCKER") => PointKind::Locker,
            _ => PointKind::ParcelShop,
        },
        address: Address {
            lines: if street.is_empty() { return None } else { vec![street] },
            postal_code: zip?,
            city: text(address, "City")?.to_owned(),
            administrative_area: None,
            country,
        },
        position: Position::new(degrees("Latitude")?, degrees("Longitude")?)?,
        hours: hours(list(entry, "WorkingDay")),
    })
}

/// From opening to closing, in minutes of the day.
type Span = (i64, i64);

/// When it is open; nothing when no time can be read.
fn hours(days: &[Json]) -> Option<Hours> {
    let of_day = |(theirs, ours): &(&str, &str)| {
        let day = days.iter().find(|day| text(day, "DayOfWeek") == Some(*theirs))?;
        let breaks: Vec<Span> = spans(day, "Breaks");
        let open = spans(day, "OpeningHours").into_iter().flat_map(|span| without(span, &breaks));
        let periods: Vec<Json> = open.map(period).collect();
        (!periods.is_empty())
            .then(|| Json::object([("weekday", (*ours).into()), ("periods", Json::list(periods))]))
    };
    let regular: Vec<Json> = WEEKDAYS.iter().filter_map(of_day).collect();
    let hours = object([("regular", Json::list(regular))]);
    read(&hours, Hours::read).ok()
}

/// The spans of a day that are some time long.
fn spans(day: &Json, name: &str) -> Vec<Span> {
    let entries = day.member(name).map_or(&[][..], |hours| list(hours, "OpeningHours"));
    let span = |entry: &Json| Some((minutes(entry, "From")?, minutes(entry, "To")?));
    let mut spans: Vec<Span> = entries.iter().filter_map(span).collect();
    spans.retain(|(from, to)| from < to && *to <= DAY);
    spans.sort_unstable();
    spans
}

/// Milliseconds since midnight less an hour, as minutes of the day.
fn minutes(entry: &Json, name: &str) -> Option<i64> {
    let milliseconds: i64 = text_or_number(entry, name)?.parse().ok()?;
    Some(milliseconds.div_euclid(MILLISECONDS) + BEHIND).filter(|minutes| *minutes >= 0)
}

/// A span without the breaks in it.
fn without(span: Span, breaks: &[Span]) -> Vec<Span> {
    let (mut parts, mut from) = (Vec::new(), span.0);
    for (begins, ends) in breaks.iter().filter(|it| it.0 < span.1 && it.1 > span.0) {
        parts.push((from, (*begins).max(from)));
        from = from.max(*ends);
    }
    parts.push((from, span.1.max(from)));
    parts.retain(|(from, to)| from < to);
    parts
}

fn period((from, to): Span) -> Json {
    let shown = |minutes: i64| Json::text(format!("{:02}:{:02}", minutes / 60, minutes % 60));
    Json::object([("opens", shown(from)), ("closes", shown(to))])
}
