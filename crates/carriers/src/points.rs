//! The pickup points of the sandbox carrier, so that pickup services can be tried. Real carriers'
//! points are imported into a table of their own.

use waybill_domain::json::{Json, Number};

/// A pickup point.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// The carrier's code of it.
    pub code: String,
    /// What people call it.
    pub name: String,
    line: &'static str,
    postal_code: &'static str,
    city: &'static str,
    country: &'static str,
    /// Millionths of a degree.
    latitude: i64,
    longitude: i64,
}

impl Point {
    /// The point as it is snapshotted on a shipment.
    pub fn to_json(&self) -> Json {
        let degrees = |millionths: i64| Json::Number(Number::from_thousandths(millionths / 1000));
        let address = Json::object([
            ("address_lines", Json::list([self.line.into()])),
            ("postal_code", self.postal_code.into()),
            ("city", self.city.into()),
            ("administrative_area", Json::Null),
            ("country", self.country.into()),
        ]);
        let coordinates = Json::object([
            ("latitude", degrees(self.latitude)),
            ("longitude", degrees(self.longitude)),
        ]);
        Json::object([
            ("code", self.code.as_str().into()),
            ("name", self.name.as_str().into()),
            ("address", address),
            ("coordinates", coordinates),
        ])
    }
}

/// The carrier's points in a country, the nearest postal code first.
pub fn nearest(carrier: &str, country: &str, postal_code: &str) -> Vec<Point> {
    if carrier != "sandbox" {
        return Vec::new();
    }
    let number = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).take(9).collect();
        digits.parse::<i64>().unwrap_or(0)
    };
    let wanted = number(postal_code);
    let mut points: Vec<Point> = POINTS
        .iter()
        .filter(|row| row.0.starts_with(country))
        .map(|(code, name, line, postal_code, city, latitude, longitude)| Point {
            code: (*code).to_owned(),
            name: (*name).to_owned(),
            line,
            postal_code,
            city,
            country: &code[..2],
            latitude: *latitude,
            longitude: *longitude,
        })
        .collect();
    points.sort_by_key(|point| (number(point.postal_code) - wanted).abs());
    points
}

type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, i64, i64);

const POINTS: &[Row] = &[
    ("DK-1001", "Kiosk Brygge", "Islands Brygge 12", "2300", "København S", 55_664_000, 12_576_000),
    (
        "DK-1002",
        "Nørrebro Pakkeshop",
        "Nørrebrogade 45",
        "2200",
        "København N",
        55_691_000,
        12_550_000,
    ),
    ("DK-1003", "Aarhus Boks", "Banegårdspladsen 1", "8000", "Aarhus C", 56_150_000, 10_204_000),
    ("DK-1004", "Odense Pakkebutik", "Vestergade 20", "5000", "Odense C", 55_395_000, 10_383_000),
    ("SE-2001", "Södermalm Paket", "Götgatan 30", "11826", "Stockholm", 59_315_000, 18_073_000),
    ("SE-2002", "Malmö Ombud", "Södergatan 5", "21134", "Malmö", 55_604_000, 13_001_000),
    ("SE-2003", "Göteborg Box", "Avenyn 10", "41136", "Göteborg", 57_699_000, 11_979_000),
    (
        "NO-3001",
        "Grünerløkka Post",
        "Thorvald Meyers gate 20",
        "0555",
        "Oslo",
        59_923_000,
        10_758_000,
    ),
    ("NO-3002", "Bergen Hentepunkt", "Torgallmenningen 4", "5014", "Bergen", 60_392_000, 5_324_000),
    ("NO-3003", "Trondheim Boks", "Munkegata 8", "7013", "Trondheim", 63_430_000, 10_395_000),
    ("FI-4001", "Kallio Noutopiste", "Hämeentie 10", "00530", "Helsinki", 60_183_000, 24_957_000),
    ("FI-4002", "Tampere Automaatti", "Hämeenkatu 3", "33100", "Tampere", 61_498_000, 23_773_000),
    ("FI-4003", "Turku Noutopiste", "Aurakatu 5", "20100", "Turku", 60_452_000, 22_267_000),
    (
        "DE-5001",
        "Kreuzberg Paketshop",
        "Oranienstraße 20",
        "10999",
        "Berlin",
        52_501_000,
        13_422_000,
    ),
    ("DE-5002", "Altona Paketbox", "Große Bergstraße 8", "22767", "Hamburg", 53_550_000, 9_940_000),
    ("DE-5003", "Flensburg Shop", "Holm 30", "24937", "Flensburg", 54_783_000, 9_436_000),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_postal_code_comes_first() {
        assert_eq!(nearest("sandbox", "DK", "2300")[0].code, "DK-1001");
        assert_eq!(nearest("sandbox", "SE", "211 34")[0].code, "SE-2002");
        assert!(nearest("sandbox", "US", "10001").is_empty());
        assert!(nearest("gls", "DK", "2300").is_empty());
    }
}
