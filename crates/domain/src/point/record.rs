//! A point as a record of a CSV file.

use super::{Hours, Point};
use crate::fields::FieldErrors;
use crate::json::{Json, parse};
use crate::words::Message;

/// The columns of a CSV file of points, in any order, and whether each must be filled.
const COLUMNS: [(&str, bool); 13] = [
    ("carrier", true),
    ("country", true),
    ("code", true),
    ("name", true),
    ("type", true),
    ("address_line_1", true),
    ("address_line_2", false),
    ("postal_code", true),
    ("city", true),
    ("administrative_area", false),
    ("latitude", true),
    ("longitude", true),
    ("opening_hours", false),
];

/// A point of a record, by the names of its columns.
pub fn from_csv(headings: &[String], record: &[String]) -> Result<Point, FieldErrors> {
    let mut errors = FieldErrors::default();
    for heading in headings.iter().filter(|heading| !COLUMNS.iter().any(|(n, _)| n == heading)) {
        errors.add(heading.as_str(), Message::new("unknown-field"));
    }
    let text = |name: &str| {
        let index = headings.iter().position(|heading| heading == name)?;
        record.get(index).map(|text| text.trim()).filter(|text| !text.is_empty())
    };
    for (name, _) in COLUMNS.iter().filter(|(name, is_needed)| *is_needed && text(name).is_none()) {
        errors.add(*name, Message::new("required"));
    }
    let hours = text("opening_hours").map(|text| {
        let hours = Hours::parse_short(text);
        if hours.is_none() {
            errors.add("opening_hours", Message::new("not-opening-hours"));
        }
        hours.map(|hours| hours.to_json())
    });
    if !errors.is_empty() {
        return Err(errors);
    }
    let json = |name: &str| Json::from(text(name));
    let number =
        |name: &str| parse(text(name).unwrap_or_default().as_bytes()).unwrap_or(Json::Null);
    let lines = ["address_line_1", "address_line_2"].into_iter().filter_map(text);
    Point::parse(&Json::object([
        ("carrier", json("carrier")),
        ("code", json("code")),
        ("name", json("name")),
        ("type", json("type")),
        (
            "address",
            Json::object([
                ("address_lines", Json::list(lines.map(Json::from))),
                ("postal_code", json("postal_code")),
                ("city", json("city")),
                ("administrative_area", json("administrative_area")),
                ("country", json("country")),
            ]),
        ),
        (
            "coordinates",
            Json::object([("latitude", number("latitude")), ("longitude", number("longitude"))]),
        ),
        ("opening_hours", hours.flatten().into()),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str) -> Vec<String> {
        line.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn a_record_is_a_point_by_the_names_of_its_columns() {
        let headings = fields(
            "code,carrier,country,name,type,address_line_1,postal_code,city,latitude,longitude,\
             opening_hours",
        );
        let good = "DK-1,dao,DK,Kiosk,locker,Gade 1,2300,København S,55.5,12.5,mo-su 00:00-24:00";
        let point = from_csv(&headings, &fields(good)).unwrap();
        assert_eq!((point.code.as_str(), point.country().code()), ("DK-1", "DK"));
        let bad = "DK-2,dao,DK,Kiosk,locker,,2300,København S,north,12.5,always";
        let errors = from_csv(&headings, &fields(bad)).unwrap_err();
        let paths: Vec<&str> = errors.iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["address_line_1", "opening_hours"]);
    }
}
