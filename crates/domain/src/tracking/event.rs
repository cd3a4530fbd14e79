//! One thing that a carrier said about a parcel.

use super::status::Status;
use crate::json::{Json, Number};
use crate::shipment::Window;
use crate::time::Time;
use crate::words::Message;

/// What an event is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TrackingEventKind {
    /// Something happened to the parcel.
    Seen(Status),
    /// It is expected at another time.
    Estimate,
}

const ESTIMATE_CHANGED: &str = "estimated_delivery_changed";

impl TrackingEventKind {
    /// The `category` in the API.
    pub fn category(self) -> &'static str {
        match self {
            TrackingEventKind::Seen(status) => status.state().name(),
            TrackingEventKind::Estimate => "Change",
        }
    }

    /// The `status_code` in the API and in the database.
    pub fn code(self) -> &'static str {
        match self {
            TrackingEventKind::Seen(status) => status.code(),
            TrackingEventKind::Estimate => ESTIMATE_CHANGED,
        }
    }

    /// Reads the exact code.
    pub fn parse(code: &str) -> Option<TrackingEventKind> {
        match code {
            ESTIMATE_CHANGED => Some(TrackingEventKind::Estimate),
            code => Status::parse(code).map(TrackingEventKind::Seen),
        }
    }

    /// The `event_type` in the API.
    pub fn event_type(self) -> &'static str {
        match self {
            TrackingEventKind::Seen(_) => "carrier_event",
            TrackingEventKind::Estimate => "estimated_delivery",
        }
    }

    /// The sentence for people.
    pub fn message(self) -> Message {
        match self {
            TrackingEventKind::Seen(status) => status.message(),
            TrackingEventKind::Estimate => Message::new("tracking-estimate-changed"),
        }
    }
}

/// One thing that a carrier said about a parcel.
#[derive(Clone, PartialEq, Debug)]
pub struct TrackingEvent {
    /// What it is about.
    pub kind: TrackingEventKind,
    /// When it happened, where the carrier says so.
    pub happened_at: Option<Time>,
    /// Where, in the carrier's words.
    pub location: Option<String>,
    /// Where on earth.
    pub coordinates: Option<Coordinates>,
    /// What else the carrier says, in its own words.
    pub note: Option<String>,
    /// When the parcel is expected, where it is said with this.
    pub estimate: Option<Window>,
    /// The same for the same event, however often it is told.
    pub fingerprint: [u8; 32],
}

/// A place on earth, in degrees as they were written.
#[derive(Clone, PartialEq, Debug)]
pub struct Coordinates {
    latitude: Number,
    longitude: Number,
}

impl Coordinates {
    /// A place, when there is one with these numbers.
    pub fn new(latitude: &Number, longitude: &Number) -> Option<Coordinates> {
        let is_within = |number: &Number, most: f64| {
            let text = number.as_str();
            let degrees = text.parse::<f64>().is_ok_and(|degrees| degrees.abs() <= most);
            degrees && text.len() <= 24
        };
        let is_place = is_within(latitude, 90.0) && is_within(longitude, 180.0);
        is_place.then(|| Coordinates { latitude: latitude.clone(), longitude: longitude.clone() })
    }

    /// As it is stored and shown.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("latitude", Json::Number(self.latitude.clone())),
            ("longitude", Json::Number(self.longitude.clone())),
        ])
    }

    /// Reads what `to_json` wrote.
    pub fn from_json(json: &Json) -> Option<Coordinates> {
        match (json.member("latitude"), json.member("longitude")) {
            (Some(Json::Number(latitude)), Some(Json::Number(longitude))) => {
                Coordinates::new(latitude, longitude)
            }
            _ => None,
        }
    }
}
