//! Where a parcel is: what carriers say about it, and what follows from that.
//!
//! A tracking is the fold of its events (`TrackingSummary::apply`), so it can be worked out again
//! from its history. A carrier tells the whole history over and over, late, twice and not always
//! right; `diff` takes from it what is new, and `take_in` says all that follows from an answer.

mod diff;
mod event;
mod pace;
mod report;
mod status;
mod summary;
mod take_in;

pub use diff::{Known, NewEntry, TrackingChange, diff};
pub use event::{Coordinates, TrackingEvent, TrackingEventKind};
pub use pace::{EXPIRY, Pace, PolledParcel};
pub use report::{TrackingAnswer, TrackingReport, Unreadable, fingerprint};
pub use status::{State, Status};
pub use summary::TrackingSummary;
pub use take_in::{HISTORY_MAX, TakenIn, Trigger, take_in};

#[cfg(test)]
mod tests;
