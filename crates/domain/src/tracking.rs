//! Where a parcel is: what carriers say about it, and what follows from that.
//!
//! A tracking is the fold of its events (`TrackingSummary::apply`), so it can be worked out again
//! from its history. A carrier tells the whole history over and over, late, twice and not always
//! right; `diff` takes from it what is new.

mod diff;
mod event;
mod pace;
mod status;
mod summary;

pub use diff::{Change, Entry, Known, Snapshot, Unreadable, diff, fingerprint};
pub use event::{Coordinates, Event, What};
pub use pace::{EXPIRY, Look, Pace, next_look, put_off};
pub use status::{State, Status};
pub use summary::TrackingSummary;

#[cfg(test)]
mod tests;
