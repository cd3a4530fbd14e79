//! The lockers of Budbee.

use waybill_domain::country::Country;
use waybill_domain::json::Json;
use waybill_domain::party::Address;
use waybill_domain::point::{Hours, Point, PointKind, Position};
use waybill_outbound::line::Response;

use super::uncertain::LOCKERS;
use crate::CarrierError;
use crate::answers::unexpected;
use crate::members::{list, long_body, text, text_or_number};

/// The days, and how hours of ours call them.
const DAYS: [(&str, &str); 7] = [
    ("MONDAY", "mo"),
    ("TUESDAY", "tu"),
    ("WEDNESDAY", "we"),
    ("THURSDAY", "th"),
    ("FRIDAY", "fr"),
    ("SATURDAY", "sa"),
    ("SUNDAY", "su"),
];

/// The lockers of an answer about this country. One without a position is left out.
pub fn lockers(response: &Response, asked: Country) -> Result<Vec<Point>, CarrierError> {
    if response.status.as_u16() != 200 {
        return Err(unexpected(response));
    }
    let body = long_body(response);
    let entries = body.member(LOCKERS).unwrap_or(&body);
    match entries {
        Json::List(entries) => {
            Ok(entries.iter().filter_map(|entry| locker(entry, asked)).collect())
        }
        _ => Err(CarrierError::Unreadable("a list of lockers")),
    }
}

fn locker(entry: &Json, asked: Country) -> Option<Point> {
    let address = entry.member("address")?;
    let degrees = |name, max| {
        let coordinate = address.member("coordinate")?;
        Position::parse_degrees(text_or_number(coordinate, name)?.trim(), max)
    };
    let position =
        Position { latitude: degrees("latitude", 90)?, longitude: degrees("longitude", 180)? };
    let field = |name| text_or_number(address, name);
    Some(Point {
        carrier: "budbee".to_owned(),
        code: text_or_number(entry, "id")?,
        name: text(entry, "name")?.to_owned(),
        kind: PointKind::Locker,
        address: Address {
            lines: vec![field("street")?],
            postal_code: field("postalCode")?,
            city: field("city")?,
            administrative_area: None,
            country: text(address, "country").map_or(Some(asked), Country::parse)?,
        },
        position: Some(position).filter(|at| (at.latitude, at.longitude) != (0, 0))?,
        hours: entry.member("openingHours").and_then(hours),
    })
}

/// When a locker can be reached. Nothing when one of the periods cannot be read.
fn hours(told: &Json) -> Option<Hours> {
    let periods = list(told, "periods");
    if let [only] = periods
        && matches!(only.member("close"), None | Some(Json::Null))
    {
        return Hours::parse_short("mo-su 00:00-23:59");
    }
    let mut days: [Vec<String>; 7] = Default::default();
    for period in periods {
        for (day, part) in parts(period)? {
            days[day].push(part);
        }
    }
    let told = days.iter().enumerate().filter(|(_, parts)| !parts.is_empty());
    let told = told.map(|(day, parts)| format!("{} {}", DAYS[day].1, parts.join(" ")));
    let told: Vec<String> = told.collect();
    if told.is_empty() { None } else { Hours::parse_short(&told.join("; ")) }
}

/// A period as parts of days: one that ends after midnight has a part in the next day.
fn parts(period: &Json) -> Option<Vec<(usize, String)>> {
    let (from, opens) = moment(period.member("open")?)?;
    let (until, closes) = moment(period.member("close")?)?;
    if from == until {
        return Some(vec![(from, format!("{opens}-{closes}"))]);
    }
    let first = (from, format!("{opens}-24:00"));
    let second = (until, format!("00:00-{closes}"));
    match (until == (from + 1) % 7, closes.as_str()) {
        (true, "00:00") => Some(vec![first]),
        (true, _) => Some(vec![first, second]),
        _ => None,
    }
}

/// A day and a time: `08:00`, `08:00:00` or `0800`.
fn moment(told: &Json) -> Option<(usize, String)> {
    let day = text(told, "day")?;
    let day = DAYS.iter().position(|(name, _)| name.eq_ignore_ascii_case(day))?;
    let time = text(told, "time")?;
    let digits: String = time.chars().filter(char::is_ascii_digit).take(4).collect();
    let (hour, minute) = digits.split_at_checked(2)?;
    (minute.len() == 2).then(|| (day, format!("{hour}:{minute}")))
}

#[cfg(test)]
mod tests {
    use waybill_domain::json::parse;

    use super::*;

    fn read(periods: &str) -> Option<Hours> {
        hours(&parse(format!(r#"{{"periods":[{periods}]}}"#).as_bytes()).unwrap())
    }

    fn period(open: (&str, &str), close: (&str, &str)) -> String {
        let at = |(day, time): (&str, &str)| format!(r#"{{"day":"{day}","time":"{time}"}}"#);
        format!(r#"{{"open":{},"close":{}}}"#, at(open), at(close))
    }

    #[test]
    fn one_period_without_an_end_is_always() {
        let always = Hours::parse_short("mo-su 00:00-23:59");
        assert!(always.is_some());
        let open = r#"{"open":{"day":"SUNDAY","time":"0000"}"#;
        assert_eq!(read(&format!(r#"{open},"close":null}}"#)), always);
        assert_eq!(read(&format!("{open}}}")), always);
    }

    #[test]
    fn a_period_may_end_after_midnight() {
        let periods = [
            period(("MONDAY", "08:00"), ("MONDAY", "22:00")),
            period(("FRIDAY", "08:00:00"), ("SATURDAY", "02:00")),
            period(("SUNDAY", "1000"), ("MONDAY", "00:00")),
        ];
        let wanted = "mo 08:00-22:00; fr 08:00-24:00; sa 00:00-02:00; su 10:00-24:00";
        assert_eq!(read(&periods.join(",")), Hours::parse_short(wanted));
    }

    #[test]
    fn what_cannot_be_read_gives_no_hours() {
        for (open, close) in [
            (("MONDAY", "8"), ("MONDAY", "22:00")),
            (("Someday", "08:00"), ("MONDAY", "22:00")),
            (("MONDAY", "08:00"), ("FRIDAY", "22:00")),
        ] {
            assert_eq!(read(&period(open, close)), None, "{open:?}");
        }
        assert_eq!(read(""), None);
    }
}
