//! How many requests a minute: the generic cell rate algorithm over one stored moment.
//!
//! `full_at` is the moment at which the bucket would be full again. It is all the state there is,
//! so it fits into a map, or into a database row that several servers share.

use std::time::Duration;

/// A rate, and how much of it may come at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// Requests a minute; zero means no limit.
    pub per_minute: u32,
    burst: u32,
}

/// The answer to one request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the request may go on.
    pub is_allowed: bool,
    /// How many more may follow at once.
    pub remaining: u32,
    /// How long until one may follow when none may now, else until the bucket is full.
    pub reset: Duration,
}

impl Rate {
    /// A rate with a burst of a tenth of it.
    pub const fn new(per_minute: u32) -> Rate {
        let tenth = per_minute / 10;
        Rate { per_minute, burst: if tenth == 0 { 1 } else { tenth } }
    }

    /// A rate of which a whole minute's worth may come at once.
    pub const fn all_at_once(per_minute: u32) -> Rate {
        Rate { per_minute, burst: per_minute }
    }

    /// How many requests may come at once.
    pub fn burst(self) -> u32 {
        self.burst.max(1)
    }

    /// What one request costs, in microseconds of the bucket.
    pub fn cost_micros(self) -> i64 {
        60_000_000 / i64::from(self.per_minute.max(1))
    }

    /// The depth of the bucket in microseconds.
    pub fn depth_micros(self) -> i64 {
        self.cost_micros() * i64::from(self.burst())
    }

    /// Takes one request out of the bucket, moving `full_at`, when it holds one.
    pub fn take(self, full_at: &mut i64, now_micros: i64) -> Verdict {
        let cost = self.cost_micros();
        // No bucket is emptier than empty. One that says so was used by a clock that was ahead, and
        // would keep everyone out until the time has caught up.
        *full_at = (*full_at).min(now_micros + self.depth_micros());
        let filled = (*full_at).max(now_micros) + cost;
        let is_allowed = filled <= now_micros + self.depth_micros();
        if is_allowed {
            *full_at = filled;
        }
        let debt = (*full_at - now_micros).max(0);
        let room = (self.depth_micros() - debt).max(0);
        let reset = if is_allowed { debt } else { cost - room };
        Verdict {
            is_allowed,
            remaining: u32::try_from(room / cost).unwrap_or(u32::MAX),
            reset: Duration::from_micros(reset.max(0).unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_a_tenth_of_the_rate_and_then_the_rate_holds() {
        let rate = Rate::new(600);
        let mut full_at = 0;
        let allowed = (0..100).filter(|_| rate.take(&mut full_at, 1_000_000).is_allowed).count();
        assert_eq!(allowed, 60);
        let verdict = rate.take(&mut full_at, 1_000_000);
        assert_eq!((verdict.remaining, verdict.reset), (0, Duration::from_millis(100)));
        assert!(rate.take(&mut full_at, 1_100_000).is_allowed);
        assert!(!rate.take(&mut full_at, 1_100_000).is_allowed);
    }

    #[test]
    fn a_whole_minutes_worth_may_come_at_once_where_it_is_said_so() {
        let (rate, mut full_at) = (Rate::all_at_once(10), 0);
        let allowed = (0..100).filter(|_| rate.take(&mut full_at, 1_000_000).is_allowed).count();
        assert_eq!(allowed, 10);
        assert_eq!(rate.take(&mut full_at, 1_000_000).reset, Duration::from_secs(6));
    }

    #[test]
    fn a_minute_lets_through_the_rate_and_no_more() {
        let rate = Rate::new(120);
        let mut full_at = 0;
        let hits = (0..60_000).filter(|ms| rate.take(&mut full_at, ms * 1000).is_allowed).count();
        assert!((120..=132).contains(&hits), "{hits}");
    }

    #[test]
    fn what_remains_is_what_is_let_through() {
        let rate = Rate::new(1200);
        let mut full_at = 0;
        let first = rate.take(&mut full_at, 5);
        let more = (0..1000).take_while(|_| rate.take(&mut full_at, 5).is_allowed).count();
        assert_eq!(first.remaining as usize, more);
    }

    #[test]
    fn a_clock_that_is_set_back_locks_nobody_out() {
        let rate = Rate::new(600);
        for ahead in [3_600_000_000, 172_800_000_000] {
            let mut full_at = 0;
            assert!(rate.take(&mut full_at, 1_000_000 + ahead).is_allowed);
            let verdict = rate.take(&mut full_at, 1_000_000);
            assert_eq!((verdict.remaining, verdict.reset), (0, Duration::from_millis(100)));
            assert!(rate.take(&mut full_at, 1_100_000).is_allowed);
        }
    }
}
