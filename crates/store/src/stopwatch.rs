//! Measures how long things take, for metrics and back-off only. What is stored or decided by time
//! takes the time as an argument.

use std::time::{Duration, Instant};

/// Runs from the moment it is started.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "measures our own threads, decides nothing")]
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
