//! The pickup points of Bring.

use waybill_domain::country::Country;
use waybill_domain::json::Json;
use waybill_domain::party::Address;
use waybill_domain::point::{Hours, Point, PointKind, Position};
use waybill_outbound::line::Response;

use crate::CarrierError;
use crate::answers::unexpected;
use crate::members::{long_body, text, text_or_number};

/// The types that are lockers, by country.
const LOCKERS: &[(&str, &[&str])] = &[
    ("NO", &["37"]),
    ("SE", &["38", "39"]),
    ("DK", &["43", "86"]),
    ("FI", &["LOCKER", "SmartPOST"]),
];
/// The types of post offices, in Norway.
const POST_OFFICES: [&str; 2] = ["19", "21"];
/// The type that nobody can fetch from, in Norway.
const NOT_FOR_PICKUP: &str = "1";

/// The points of an answer. One without a position is left out.
pub fn points(response: &Response, country: Country) -> Result<Vec<Point>, CarrierError> {
    if response.status.as_u16() != 200 {
        return Err(unexpected(response));
    }
    match long_body(response).member("pickupPoint") {
        Some(Json::List(entries)) => {
            Ok(entries.iter().filter_map(|entry| point(entry, country)).collect())
        }
        _ => Err(CarrierError::Unreadable("a list of pickup points")),
    }
}

fn point(entry: &Json, country: Country) -> Option<Point> {
    let field = |name| text_or_number(entry, name);
    let degrees = |name, max| Position::parse_degrees(field(name)?.trim(), max);
    let position =
        Position { latitude: degrees("latitude", 90)?, longitude: degrees("longitude", 180)? };
    Some(Point {
        carrier: "bring".to_owned(),
        code: field("id")?,
        name: field("name")?,
        kind: kind(&field("type").unwrap_or_default(), country)?,
        address: Address {
            lines: vec![field("visitingAddress")?],
            postal_code: field("visitingPostalCode")?,
            city: field("visitingCity")?,
            administrative_area: None,
            country,
        },
        position: Some(position).filter(|at| (at.latitude, at.longitude) != (0, 0))?,
        hours: text(entry, "openingHoursEnglish").and_then(hours),
    })
}

/// What stands there; nothing where nothing can be fetched.
fn kind(told: &str, country: Country) -> Option<PointKind> {
    let is_norwegian = country.code() == "NO";
    let lockers = LOCKERS.iter().find(|(code, _)| *code == country.code());
    let is_locker = lockers.is_some_and(|(_, types)| types.contains(&told));
    match told {
        NOT_FOR_PICKUP if is_norwegian => None,
        _ if is_locker => Some(PointKind::Locker),
        told if is_norwegian && POST_OFFICES.contains(&told) => Some(PointKind::PostOffice),
        _ => Some(PointKind::ParcelShop),
    }
}

/// `Mon - Fri: 0800-2200, Sat: 0800-2000`. What cannot be read gives no hours.
fn hours(told: &str) -> Option<Hours> {
    let mut parts = Vec::new();
    for part in told.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (days, times) = part.split_once(':')?;
        let times = times.trim();
        if times.eq_ignore_ascii_case("closed") {
            continue;
        }
        let (opens, closes) = times.split_once('-')?;
        let days = days.replace(' ', "");
        parts.push(format!("{days} {}-{}", clock(opens)?, clock(closes)?));
    }
    if parts.is_empty() { None } else { Hours::parse_short(&parts.join("; ")) }
}

/// `0800` as `08:00`.
fn clock(told: &str) -> Option<String> {
    let (hour, minute) = told.trim().split_at_checked(2)?;
    let minute = minute.trim_start_matches([':', '.']);
    let is_two = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_two(hour) && is_two(minute)).then(|| format!("{hour}:{minute}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_read_as_bring_writes_them_or_not_at_all() {
        let short = Hours::parse_short;
        assert_eq!(
            hours("Mon - Fri: 0800-2200, Sat: 0800-2000"),
            short("mo-fr 08:00-22:00; sa 08:00-20:00")
        );
        assert_eq!(hours("Mon - Sun: 0000-2400"), short("mo-su 00:00-24:00"));
        assert_eq!(hours("Mon: 0800-1200, Sun: Closed"), short("mo 08:00-12:00"));
        for told in ["", "Always", "Mon: 8-22", "Mon 0800-2200", "Day: 0800-2200", "Mon: 0800"] {
            assert_eq!(hours(told), None, "{told}");
        }
    }

    #[test]
    fn a_type_says_what_stands_there_in_its_country() {
        let at = |told, code| kind(told, Country::parse(code).unwrap());
        for (told, code, wanted) in [
            ("37", "NO", Some(PointKind::Locker)),
            ("1", "NO", None),
            ("19", "NO", Some(PointKind::PostOffice)),
            ("21", "NO", Some(PointKind::PostOffice)),
            ("4", "NO", Some(PointKind::ParcelShop)),
            ("19", "SE", Some(PointKind::ParcelShop)),
            ("38", "SE", Some(PointKind::Locker)),
            ("39", "SE", Some(PointKind::Locker)),
            ("37", "SE", Some(PointKind::ParcelShop)),
            ("1", "SE", Some(PointKind::ParcelShop)),
            ("43", "DK", Some(PointKind::Locker)),
            ("86", "DK", Some(PointKind::Locker)),
            ("LOCKER", "FI", Some(PointKind::Locker)),
            ("SmartPOST", "FI", Some(PointKind::Locker)),
            ("", "FI", Some(PointKind::ParcelShop)),
        ] {
            assert_eq!(at(told, code), wanted, "{told} {code}");
        }
    }
}
