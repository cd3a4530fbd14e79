//! What jobs tell the runner.

use std::time::Duration;

/// What is to become of a job that ran.
pub enum JobOutcome {
    /// It runs again after this time, by the clock of the store.
    In(Duration),
    /// Something failed; it is tried again soon.
    Retry(String),
    /// It is done.
    Done,
    /// It has ended itself, in the transaction that wrote its result, as bookings, deliveries and
    /// reports do.
    AlreadyEnded,
}
