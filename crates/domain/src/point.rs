//! Service points: where customers fetch their parcels.
//!
//! A point belongs to a carrier and a country, and is known there by the carrier's own code. It is
//! read from the shape in which the API shows it, so that what was listed can be imported.

mod hours;
mod index;
mod position;
mod record;
mod street;

pub use hours::Hours;
pub use index::{Builder, Near, Region};
pub use position::{Bounds, Position};
pub use record::from_csv;
pub use street::street_key;

use crate::country::Country;
use crate::fields::{FieldErrors, Fields, Text, one_of, read};
use crate::idempotency::fingerprint;
use crate::json::Json;
use crate::party::Address;

/// What stands there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointKind {
    /// A shop that also takes parcels.
    ParcelShop,
    /// Boxes that open with a code.
    Locker,
    /// A post office.
    PostOffice,
    /// The carrier's own terminal.
    Depot,
}

impl PointKind {
    /// Every spelling there is.
    pub const NAMES: &[&str] = &["parcel_shop", "locker", "post_office", "depot"];

    /// The spelling in the API.
    pub fn name(self) -> &'static str {
        match self {
            PointKind::ParcelShop => "parcel_shop",
            PointKind::Locker => "locker",
            PointKind::PostOffice => "post_office",
            PointKind::Depot => "depot",
        }
    }

    /// Reads the exact spelling.
    pub fn parse(text: &str) -> Option<PointKind> {
        let all =
            [PointKind::ParcelShop, PointKind::Locker, PointKind::PostOffice, PointKind::Depot];
        all.into_iter().find(|kind| kind.name() == text)
    }
}

/// A point as it is imported.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Whose it is.
    pub carrier: String,
    /// The carrier's code of it, unique in its country.
    pub code: String,
    /// What people call it.
    pub name: String,
    /// What stands there.
    pub kind: PointKind,
    /// Where it is, for people.
    pub address: Address,
    /// Where it is, for machines.
    pub position: Position,
    /// When it is open, where that is known.
    pub hours: Option<Hours>,
}

impl Point {
    /// Reads a point in the shape that `to_json` writes.
    pub fn parse(json: &Json) -> Result<Point, FieldErrors> {
        read(json, Point::read)
    }

    fn read(fields: &Fields) -> Option<Point> {
        let carrier = fields.text("carrier", Text::filled(50)).required();
        let code = fields.text("code", Text::filled(100)).required();
        let name = fields.text("name", Text::filled(255)).required();
        let kind = fields.parsed("type", PointKind::parse, || one_of(PointKind::NAMES)).required();
        let address = fields.object("address").then(|address| Address::read(&address)).required();
        let position = fields.object("coordinates").then(|at| Position::read(&at)).required();
        let hours = fields.object("opening_hours").then(|hours| Hours::read(&hours)).optional();
        Some(Point {
            carrier: carrier?,
            code: code?,
            name: name?,
            kind: kind?,
            address: address?,
            position: position?,
            hours,
        })
    }

    /// The country that it is in.
    pub fn country(&self) -> Country {
        self.address.country
    }

    /// The point with the code of its carrier.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("carrier", self.carrier.as_str().into()),
            ("code", self.code.as_str().into()),
            ("name", self.name.as_str().into()),
            ("type", self.kind.name().into()),
            ("address", self.address.to_json()),
            ("coordinates", self.position.to_json()),
            ("opening_hours", self.hours.as_ref().map(Hours::to_json).into()),
        ])
    }

    /// A number that two points have in common only when they are the same in every respect. Those
    /// of many points add up to one that tells whether anything about them changed.
    pub fn digest(&self) -> i64 {
        let digest = fingerprint(&self.to_json());
        i64::from_be_bytes(std::array::from_fn(|index| digest[index]))
    }
}

/// A postal code as it is looked up: capital letters and digits only.
pub fn postal_key(postal_code: &str) -> String {
    let kept = postal_code.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_uppercase).collect()
}

/// A city as it is looked up: the case of letters and the spaces around it do not count.
pub fn city_key(city: &str) -> String {
    city.trim().to_lowercase()
}

#[cfg(test)]
mod tests;
