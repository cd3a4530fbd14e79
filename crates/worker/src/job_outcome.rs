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
    /// Nothing is left to end: the job was ended in the transaction that wrote its result, or
    /// another worker has it.
    AlreadyEnded,
}
