//! The warehouse: what a team has, where it lies, and who asked for it.
//!
//! Stock is counted in whole pieces. A level says how many pieces of an item lie at a location, and
//! how many of these are promised to somebody. Every function here is pure; the store makes the
//! same changes with the rows locked.

mod adjustment;
mod allocation;
mod booking;
mod item;
mod level;
mod line;
mod name;
mod request;
mod request_shipment;
mod state;

pub use adjustment::{Adjustment, SHIPPED};
pub use allocation::{Allocation, Shelf, TAKES_MAX, Take, Wanted, allocate};
pub use booking::{BookingInput, booking_input};
pub use item::CatalogItem;
pub use level::{LEVEL_MAX, Level, LevelFault};
pub use line::RequestLine;
pub use name::NAME_MAX;
pub use request::{Line, RequestInput, RequestReading};
pub use request_shipment::RequestShipment;
pub use state::{Action, RequestState, Step, act};

#[cfg(test)]
mod tests;
