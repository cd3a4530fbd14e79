//! Where a parcel is: what carriers say about it, and what follows from that.
//!
//! A tracking is the fold of its events (`TrackingSummary::apply`), so it can be worked out again
//! from its history. A carrier tells the whole history over and over, late, twice and not always
//! right; `diff` takes from it what is new.

mod diff;
mod pace;
mod summary;

pub use diff::{Change, Entry, Known, Snapshot, Unreadable, diff, fingerprint};
pub use pace::{EXPIRY, Look, Pace, next_look, put_off};
pub use summary::TrackingSummary;

use crate::json::{Json, Number};
use crate::shipment::Window;
use crate::time::Time;
use crate::words::Message;

macro_rules! states {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// How far a parcel has come.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum State { $($(#[$doc])* $name,)* }

        impl State {
            /// Every state.
            pub const ALL: &[State] = &[$(State::$name),*];

            /// The name in the API and in the database.
            pub fn name(self) -> &'static str {
                match self { $(State::$name => stringify!($name),)* }
            }

            /// Reads the exact name.
            pub fn parse(name: &str) -> Option<State> {
                match name { $(stringify!($name) => Some(State::$name),)* _ => None }
            }
        }
    };
}

states! {
    /// Nothing was heard of it yet.
    Pending,
    /// The carrier knows of it and has not got it.
    InfoReceived,
    /// On its way.
    InTransit,
    /// On its last way.
    OutForDelivery,
    /// Waiting to be fetched.
    AvailableForPickup,
    /// Nobody took it in.
    AttemptFail,
    /// With the receiver.
    Delivered,
    /// Something went wrong.
    Exception,
    /// With the sender again.
    Returned,
    /// Not heard of for so long that nobody asks any more.
    Expired,
}

macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $state:ident, $words:literal;)*) => {
        /// What a carrier event says, in codes that do not depend on the carrier.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Status { $($(#[$doc])* $name,)* }

        impl Status {
            /// Every status.
            pub const ALL: &[Status] = &[$(Status::$name),*];

            /// The `status_code` in the API and in the database.
            pub fn code(self) -> &'static str {
                match self { $(Status::$name => $code,)* }
            }

            /// Reads the exact code.
            pub fn parse(code: &str) -> Option<Status> {
                match code { $($code => Some(Status::$name),)* _ => None }
            }

            /// The state that a parcel is in after it.
            pub fn state(self) -> State {
                match self { $(Status::$name => State::$state,)* }
            }

            /// The sentence for people.
            pub fn message(self) -> Message {
                Message::new(match self { $(Status::$name => $words,)* })
            }
        }
    };
}

statuses! {
    /// Announced.
    InfoReceived = "info_received", InfoReceived, "tracking-info-received";
    /// Taken from the sender.
    Collected = "collected", InTransit, "tracking-collected";
    /// Moving.
    InTransit = "in_transit", InTransit, "tracking-in-transit";
    /// At a terminal.
    AtTerminal = "arrived_at_terminal", InTransit, "tracking-at-terminal";
    /// With the customs.
    InCustoms = "in_customs", InTransit, "tracking-in-customs";
    /// On the last vehicle.
    OutForDelivery = "out_for_delivery", OutForDelivery, "tracking-out-for-delivery";
    /// At the pickup point.
    AvailableForPickup = "available_for_pickup", AvailableForPickup, "tracking-available";
    /// Nobody was there.
    AttemptFailed = "delivery_attempt_failed", AttemptFail, "tracking-attempt-failed";
    /// Handed over.
    Delivered = "delivered", Delivered, "tracking-delivered";
    /// Late.
    Delayed = "delayed", Exception, "tracking-delayed";
    /// Anything else that should not be.
    Exception = "exception", Exception, "tracking-exception";
    /// On its way back.
    Returning = "returning", Exception, "tracking-returning";
    /// Back with the sender.
    Returned = "returned", Returned, "tracking-returned";
    /// Given up by us.
    Expired = "expired", Expired, "tracking-expired";
}

/// What an event is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum What {
    /// Something happened to the parcel.
    Seen(Status),
    /// It is expected at another time.
    Estimate,
}

const ESTIMATE_CHANGED: &str = "estimated_delivery_changed";

impl What {
    /// The `category` in the API.
    pub fn category(self) -> &'static str {
        match self {
            What::Seen(status) => status.state().name(),
            What::Estimate => "Change",
        }
    }

    /// The `status_code` in the API and in the database.
    pub fn code(self) -> &'static str {
        match self {
            What::Seen(status) => status.code(),
            What::Estimate => ESTIMATE_CHANGED,
        }
    }

    /// Reads the exact code.
    pub fn parse(code: &str) -> Option<What> {
        match code {
            ESTIMATE_CHANGED => Some(What::Estimate),
            code => Status::parse(code).map(What::Seen),
        }
    }

    /// The `event_type` in the API.
    pub fn event_type(self) -> &'static str {
        match self {
            What::Seen(_) => "carrier_event",
            What::Estimate => "estimated_delivery",
        }
    }

    /// The sentence for people.
    pub fn message(self) -> Message {
        match self {
            What::Seen(status) => status.message(),
            What::Estimate => Message::new("tracking-estimate-changed"),
        }
    }
}

/// One thing that a carrier said about a parcel.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// What it is about.
    pub what: What,
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

#[cfg(test)]
mod tests;
