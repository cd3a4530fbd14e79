//! The shops of dao.

use waybill_domain::country::Country;
use waybill_domain::json::Json;
use waybill_domain::party::Address;
use waybill_domain::point::{Hours, Point, PointKind, Position};

use crate::CarrierError;
use crate::members::{text, text_or_number};

/// One call with any postal code and this many gives them all.
pub const ALL: &str = "/DAOPakkeshop/FindPakkeshop.php?postnr=9999&antal=5000&adresse=";

/// Its days, and how hours of ours call them.
const DAYS: [(&str, &str); 7] = [
    ("man", "mo"),
    ("tir", "tu"),
    ("ons", "we"),
    ("tor", "th"),
    ("fre", "fr"),
    ("lor", "sa"),
    ("son", "su"),
];

/// The shops of a result. One without a position is left out.
pub fn shops(result: &Json, country: Country) -> Result<Vec<Point>, CarrierError> {
    match result.member("pakkeshops") {
        Some(Json::List(entries)) => {
            Ok(entries.iter().filter_map(|entry| shop(entry, country)).collect())
        }
        _ => Err(CarrierError::Unreadable("a list of shops")),
    }
}

fn shop(entry: &Json, country: Country) -> Option<Point> {
    let field = |name| text_or_number(entry, name);
    let degrees = |name, max| Position::parse_degrees(field(name)?.trim(), max);
    let position =
        Position { latitude: degrees("latitude", 90)?, longitude: degrees("longitude", 180)? };
    Some(Point {
        carrier: "dao".to_owned(),
        code: field("shopId")?,
        name: field("navn")?,
        kind: PointKind::ParcelShop,
        address: Address {
            lines: vec![field("adresse")?],
            postal_code: field("postnr")?,
            city: field("bynavn")?,
            administrative_area: None,
            country,
        },
        position: Some(position).filter(|at| (at.latitude, at.longitude) != (0, 0))?,
        hours: entry.member("aabningstider").and_then(hours),
    })
}

/// When a shop is open. Nothing when one of the days cannot be read.
fn hours(days: &Json) -> Option<Hours> {
    let mut parts = Vec::new();
    for (theirs, ours) in DAYS {
        let told = text(days, theirs).unwrap_or_default().replace(' ', "");
        if told.is_empty() || told.eq_ignore_ascii_case("lukket") {
            continue;
        }
        let (opens, closes) = told.split_once('-')?;
        let closes = if closes == "24:00" { "23:59" } else { closes };
        parts.push(format!("{ours} {opens}-{closes}"));
    }
    Hours::parse_short(&parts.join("; "))
}

#[cfg(test)]
mod tests {
    use waybill_domain::json::parse;

    use super::*;

    fn read(entry: &str) -> Option<Point> {
        shop(&parse(entry.as_bytes()).unwrap(), Country::parse("DK").unwrap())
    }

    fn with(position: &str, hours: &str) -> String {
        format!(
            r#"{{"shopId":"4041","navn":"Kiosken","adresse":"Torvet 1","postnr":"6000",
            "bynavn":"Kolding",{position},"aabningstider":{hours}}}"#
        )
    }

    const HERE: &str = r#""latitude":"55.4904","longitude":"9.4722""#;

    #[test]
    fn a_day_ends_a_minute_before_midnight_and_a_closed_one_is_left_out() {
        let told = r#"{"man":"08:00 - 22:00","tir":"00:00 - 24:00","ons":"Lukket","tor":""}"#;
        let point = read(&with(HERE, told)).unwrap();
        let hours = Hours::parse_short("mo 08:00-22:00; tu 00:00-23:59").unwrap();
        assert_eq!(point.hours, Some(hours));
        assert_eq!(point.kind, PointKind::ParcelShop);
        assert_eq!((point.code.as_str(), point.address.city.as_str()), ("4041", "Kolding"));
    }

    #[test]
    fn a_shop_without_a_position_is_left_out_and_one_without_hours_is_kept() {
        for position in [
            r#""latitude":"","longitude":"9.4722""#,
            r#""latitude":"north","longitude":"9.4722""#,
            r#""latitude":"0","longitude":"0""#,
        ] {
            assert_eq!(read(&with(position, "{}")), None, "{position}");
        }
        assert_eq!(read(&with(HERE, r#"{"man":"all day"}"#)).unwrap().hours, None);
        let list = parse(format!(r#"{{"pakkeshops":[{}]}}"#, with(HERE, "null")).as_bytes());
        assert_eq!(shops(&list.unwrap(), Country::parse("DK").unwrap()).unwrap().len(), 1);
        assert!(shops(&Json::Null, Country::parse("DK").unwrap()).is_err());
    }
}
