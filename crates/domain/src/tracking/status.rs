//! How far a parcel has come, and what carriers say of it in codes of ours.

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
