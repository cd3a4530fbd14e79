//! The state of a shipment, as callers see it.

macro_rules! states {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The state of a shipment.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum ShipmentState { $($(#[$doc])* $name),* }

        impl ShipmentState {
            /// Every one of them.
            pub const ALL: &[ShipmentState] = &[$(ShipmentState::$name),*];

            /// The spelling in the API and in the database.
            pub fn name(self) -> &'static str {
                match self { $(ShipmentState::$name => $text),* }
            }

            /// Reads the exact spelling.
            pub fn parse(text: &str) -> Option<ShipmentState> {
                match text { $($text => Some(ShipmentState::$name),)* _ => None }
            }
        }
    };
}

states! {
    /// A member of a batch that has not begun.
    Pending = "pending",
    /// It is being booked, or its documents are fetched again.
    Processing = "processing",
    /// The carrier has it, and its documents are there.
    Booked = "booked",
    /// Its booking failed; a late success may follow.
    Failed = "failed",
    /// It was cancelled.
    Cancelled = "cancelled",
    /// It is hidden, and whom it was for is erased.
    Deleted = "deleted",
}

impl std::fmt::Display for ShipmentState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
