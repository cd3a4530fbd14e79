//! Where something is on the globe, and how far that is from elsewhere.

use crate::fields::{Fields, Value};
use crate::json::{Json, Number};
use crate::words::Message;

/// The mean radius of the earth in metres, as great-circle distances are commonly told.
const EARTH: f64 = 6_371_008.8;
/// Millionths of a degree in one.
const MILLION: f64 = 1e6;

/// A position in millionths of a degree: eleven centimetres or less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// North of the equator, or south when below zero.
    pub latitude: i32,
    /// East of Greenwich, or west when below zero.
    pub longitude: i32,
}

/// An area between two parallels and two meridians, its edges included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The corner in the south-west.
    pub min: Position,
    /// The corner in the north-east.
    pub max: Position,
}

impl Position {
    /// The position of these degrees, when there is one.
    pub fn new(latitude: f64, longitude: f64) -> Option<Position> {
        Some(Position {
            latitude: millionths(latitude, 90)?,
            longitude: millionths(longitude, 180)?,
        })
    }

    /// One of two query parameters: millionths of a degree, up to so many degrees either way.
    pub fn parse_degrees(text: &str, max: i32) -> Option<i32> {
        millionths(decimal(text)?, max)
    }

    /// Reads `{latitude, longitude}`.
    pub fn read(fields: &Fields) -> Option<Position> {
        let latitude = fields.value("latitude").then(|value| degrees(&value, 90)).required();
        let longitude = fields.value("longitude").then(|value| degrees(&value, 180)).required();
        Some(Position { latitude: latitude?, longitude: longitude? })
    }

    /// `{latitude, longitude}` in degrees.
    pub fn to_json(self) -> Json {
        let degrees = |millionths: i32| Json::Number(Number::from_millionths(millionths.into()));
        Json::object([("latitude", degrees(self.latitude)), ("longitude", degrees(self.longitude))])
    }

    /// The way along the surface in whole metres.
    pub fn metres(self, other: Position) -> i64 {
        metres(self.haversine(other))
    }

    /// A number that grows with the distance: 0 here, 1 on the other side of the globe.
    pub(super) fn haversine(self, other: Position) -> f64 {
        let half = |one: i32, two: i32| (radians(one) - radians(two)) / 2.0;
        let north = half(self.latitude, other.latitude).sin();
        let east = half(self.longitude, other.longitude).sin();
        north * north + radians(self.latitude).cos() * radians(other.latitude).cos() * east * east
    }
}

/// The metres that a haversine stands for.
pub(super) fn metres(haversine: f64) -> i64 {
    (2.0 * EARTH * haversine.clamp(0.0, 1.0).sqrt().asin()).round() as i64
}

/// The angle of so many millionths of a degree.
pub(super) fn radians(millionths: i32) -> f64 {
    (f64::from(millionths) / MILLION).to_radians()
}

impl Bounds {
    /// Reads `minLat,minLng,maxLat,maxLng`; nothing when it is not an area.
    pub fn parse(text: &str) -> Option<Bounds> {
        let numbers: Vec<f64> = text.split(',').map(decimal).collect::<Option<_>>()?;
        let [south, west, north, east] = numbers[..] else { return None };
        let (min, max) = (Position::new(south, west)?, Position::new(north, east)?);
        let is_area = min.latitude <= max.latitude && min.longitude <= max.longitude;
        is_area.then_some(Bounds { min, max })
    }

    /// Whether the position is in the area.
    pub fn has(&self, at: Position) -> bool {
        (self.min.latitude..=self.max.latitude).contains(&at.latitude)
            && (self.min.longitude..=self.max.longitude).contains(&at.longitude)
    }
}

/// Plain decimal degrees, as a query has them: no exponent, no words for numbers that are none.
fn decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_good = (1..=3).contains(&whole.len()) && (1..=20).contains(&part.len());
    (is_good && is_digits(whole) && is_digits(part)).then(|| text.parse().ok())?
}

fn millionths(degrees: f64, max: i32) -> Option<i32> {
    let is_there = degrees.abs() <= f64::from(max);
    is_there.then_some((degrees * MILLION).round() as i32)
}

fn degrees(value: &Value, max: i32) -> Option<i32> {
    let Json::Number(number) = value.json() else {
        return value.refuse(Message::new("not-a-number"));
    };
    // A float is exact enough for a place: it loses less than a hair's breadth.
    let degrees = number.as_str().parse::<f64>().ok();
    match degrees.and_then(|degrees| millionths(degrees, max)) {
        Some(found) => Some(found),
        None if number.as_str().starts_with('-') => {
            value.refuse(Message::new("too-small").text("min", -max))
        }
        None => value.refuse(Message::new("too-large").text("max", max)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_great_circle() {
        let at = |latitude, longitude| Position::new(latitude, longitude).unwrap();
        let (copenhagen, stockholm) = (at(55.6761, 12.5683), at(59.3293, 18.0686));
        assert!((521_000..523_000).contains(&copenhagen.metres(stockholm)));
        assert_eq!(copenhagen.metres(copenhagen), 0);
        assert_eq!(at(0.0, 179.9).metres(at(0.0, -179.9)), at(0.0, 0.1).metres(at(0.0, -0.1)));
        assert_eq!(at(90.0, 0.0).metres(at(-90.0, 0.0)), 20_015_114);
    }

    #[test]
    fn an_area_has_its_least_corner_first() {
        let area = Bounds::parse("55.60,12.45,55.75,12.70").unwrap();
        assert!(area.has(Position::new(55.7, 12.5).unwrap()));
        assert!(!area.has(Position::new(55.8, 12.5).unwrap()));
        for bad in
            ["", "1,2,3", "1,2,3,4,5", "55.75,12,55.60,13", "91,0,92,1", "1,2,nan,4", "1e1,2,3,4"]
        {
            assert_eq!(Bounds::parse(bad), None, "{bad}");
        }
    }
}
