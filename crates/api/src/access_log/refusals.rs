//! Lines about callers who ask too often, or are unknown. They cost such a caller nothing: a few in
//! a second are written, and the others are counted.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// So many lines in each second.
const LINES_MAX: u64 = 20;
const SECOND: Duration = Duration::from_secs(1);

/// The lines of this second.
pub struct Refusals(Mutex<Option<(Instant, u64)>>);

impl Refusals {
    /// None yet.
    pub const fn new() -> Refusals {
        Refusals(Mutex::new(None))
    }

    /// Whether one more line may be written.
    pub fn may_be_logged(&self, now: Instant) -> bool {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, count) = counted.unwrap_or((now, 0));
        if now.duration_since(since) < SECOND {
            *counted = Some((since, count + 1));
            return count < LINES_MAX;
        }
        *counted = Some((now, 1));
        let unlogged = count.saturating_sub(LINES_MAX);
        if unlogged > 0 {
            tracing::warn!(unlogged, "more requests were refused with 401 or 429");
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_lines_are_written_in_each_second() {
        let (refusals, begin) = (Refusals::new(), Instant::now());
        for second in 0..3 {
            let now = begin + SECOND * second;
            assert_eq!((0..1000).filter(|_| refusals.may_be_logged(now)).count(), 20);
        }
    }
}
