//! How often somebody may fail before even the right answer is not listened to any more: so many
//! times within a window that moves along. A table of what is limited, and the times of failures.

use std::time::Duration;

use crate::time::Time;

/// So many failures within so long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailureLimit {
    /// What is limited. It is part of the name that the failures are stored by.
    pub name: &'static str,
    /// So many failures are listened to.
    pub max: usize,
    /// A failure is forgotten after this time.
    pub window: Duration,
}

/// Sign-ins with one e-mail address from one client address. A success clears them.
pub const OF_EMAIL_AND_ADDRESS: FailureLimit =
    FailureLimit { name: "sign-in", max: 5, window: Duration::from_mins(15) };

/// Sign-ins with one e-mail address, from wherever.
pub const OF_EMAIL: FailureLimit =
    FailureLimit { name: "sign-in-email", max: 50, window: Duration::from_hours(1) };

/// Sign-ins from one client address, with whatever e-mail address.
pub const OF_ADDRESS: FailureLimit =
    FailureLimit { name: "sign-in-address", max: 30, window: Duration::from_mins(15) };

/// Two that are noted at once are not further apart than this, in microseconds.
const MOVED_MAX: u64 = 60_000_000;

/// The failures that are still remembered, oldest first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Failures(Vec<Time>);

impl Failures {
    /// Reads what is stored. What cannot be read is not a time.
    pub fn parse(stored: &str) -> Failures {
        let times = stored.split(' ').filter_map(|text| text.parse().ok()).map(Time);
        Failures(times.collect())
    }

    /// How it is stored.
    pub fn to_text(&self) -> String {
        let times: Vec<String> = self.0.iter().map(|time| time.0.to_string()).collect();
        times.join(" ")
    }

    /// Forgets what left the window. A failure in the future, of a clock that was ahead, counts as
    /// one of now: it is forgotten in time.
    #[must_use]
    pub fn within(mut self, limit: FailureLimit, now: Time) -> Failures {
        self.0.retain(|time| now.since(*time) < limit.window);
        self.0.iter_mut().for_each(|time| *time = (*time).min(now));
        self.0.sort_unstable();
        self
    }

    /// How long to wait before one more is listened to; none when that is now. What left the window
    /// must have been forgotten before.
    pub fn wait(&self, limit: FailureLimit, now: Time) -> Option<Duration> {
        // As soon as this one has left, fewer than the limit are there.
        let last = self.0.len().checked_sub(limit.max)?;
        Some(limit.window.saturating_sub(now.since(self.0[last])))
    }

    /// Notes one.
    pub fn add(&mut self, at: Time) {
        self.0.push(at);
    }

    /// Takes one back that was noted at this time, or about then: of two that are noted at once, one
    /// may have been moved to the time of the other.
    pub fn take_back(&mut self, at: Time) {
        let distance = |time: &Time| time.0.abs_diff(at.0);
        let near = (0..self.0.len()).filter(|index| distance(&self.0[*index]) <= MOVED_MAX);
        if let Some(nearest) = near.min_by_key(|index| distance(&self.0[*index])) {
            self.0.remove(nearest);
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: FailureLimit =
        FailureLimit { name: "few", max: 3, window: Duration::from_secs(100) };

    fn at(second: i64) -> Time {
        Time(second * 1_000_000)
    }

    fn failed(seconds: &[i64]) -> Failures {
        Failures(seconds.iter().map(|second| at(*second)).collect())
    }

    fn wait(seconds: &[i64], now: i64) -> Option<u64> {
        let failures = failed(seconds).within(FEW, at(now));
        failures.wait(FEW, at(now)).map(|wait| wait.as_secs())
    }

    #[test]
    fn as_many_failures_as_the_limit_are_listened_to_and_no_more() {
        assert_eq!(wait(&[], 0), None);
        assert_eq!(wait(&[0, 1], 2), None);
        assert_eq!(wait(&[0, 1, 2], 2), Some(98));
        assert_eq!(wait(&[0, 1, 2, 50], 50), Some(51));
    }

    #[test]
    fn the_window_moves_along() {
        assert_eq!(wait(&[0, 50, 60], 99), Some(1));
        assert_eq!(wait(&[0, 50, 60], 100), None);
        assert_eq!(wait(&[0, 50, 60, 100], 100), Some(50));
    }

    #[test]
    fn a_failure_of_a_clock_that_was_ahead_is_forgotten_in_time() {
        assert_eq!(wait(&[900, 900, 900], 0), Some(100));
        let kept = failed(&[900, 900, 900]).within(FEW, at(0));
        assert_eq!(kept.within(FEW, at(100)).count(), 0);
    }

    #[test]
    fn failures_are_read_as_they_were_written() {
        for failures in [failed(&[]), failed(&[1]), failed(&[1, 2, 2])] {
            assert_eq!(Failures::parse(&failures.to_text()), failures);
        }
        assert_eq!(Failures::parse("x 5 "), Failures(vec![Time(5)]));
    }

    #[test]
    fn one_that_was_none_is_taken_back_once() {
        let mut failures = failed(&[1, 2, 2]);
        failures.take_back(at(2));
        failures.take_back(at(62 + 1));
        assert_eq!(failures, failed(&[1, 2]));
    }

    #[test]
    fn one_that_another_moved_in_time_is_taken_back() {
        let mut failures = Failures::default();
        failures.add(at(2));
        // A transaction that began before comes after.
        let mut failures = failures.within(FEW, at(1));
        failures.add(at(1));
        failures.take_back(at(2));
        assert_eq!(failures.count(), 1);
        failures.take_back(at(1));
        assert_eq!(failures.count(), 0);
    }
}
