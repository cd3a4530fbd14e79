//! Why a label cannot be bought twice.
//!
//! A booking moves through five steps. Before a byte goes to a carrier, the attempt is committed
//! with a reference of its own (`Calling`); only that commit yields a `Permit`, and sending uses it
//! up. Whoever finds a booking in `Calling` without having sent itself takes it over (`Unknown`),
//! and may only ask the carrier, by that reference, what became of it. A carrier that cannot be
//! asked is never called again. One exception: a carrier that books a reference once, however often
//! it is sent, may be sent the open attempt again under the same reference.
//!
//! What a caller asks for afterwards, documents again or a cancellation, is an observation too. It
//! never leads back to a call.
//!
//! `decide` says what to do next, `record` what an observation changes, `fail` what changes when
//! the caller is told of a failure. All are total and pure; the worker performs what `decide` says
//! with no transaction open, and writes what the others say in one transaction that is guarded by
//! the job's fence. The same functions are model-checked.

mod failure;
mod failure_after;
mod machine;
mod miss;
mod pauses;
mod reference;
mod state;

use std::time::Duration;

pub use failure::{Complaint, Detail, Failure, Note, Said};
pub use failure_after::{Learnt, Obstacle};
pub use machine::{Change, Next, Seen, decide, fail, may_be_cancelled, record};
pub use miss::{Doubt, Miss};
pub use pauses::call_at;
pub use reference::{Permit, Reference};
pub use state::{Booking, CallEnd, CarrierKind, Ending, Held, Step};

/// The caller is told after this time, whatever the carrier does.
pub const BOOKING_TIME_MAX: Duration = Duration::from_secs(120);
/// An attempt whose outcome is unclear is asked about for this long.
pub const GIVE_UP_AFTER: Duration = Duration::from_hours(7 * 24);
