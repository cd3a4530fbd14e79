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

/// Failed attempts of one client, by what it calls itself, from one client address.
pub const OF_CLIENT: FailureLimit =
    FailureLimit { name: "oauth-client", max: 10, window: Duration::from_mins(1) };

/// Two that are noted at once are not further apart than this, in microseconds.
const MOVED_MAX: u64 = 60_000_000;
/// A try of which nothing was heard for so long has failed: whoever made it is gone.
const OPEN_MAX: Duration = Duration::from_secs(30);
/// Stands before the time of a try that is not decided yet.
const OPEN: char = '?';

/// The failures that are still remembered, and the tries of which nobody knows yet, oldest first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Failures {
    failed: Vec<Time>,
    open: Vec<Time>,
}

/// Whether one more try is listened to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Availability {
    /// It is.
    Free,
    /// Not now: those that are not decided yet might be the last that are.
    Taken,
    /// Not before this long.
    Wait(Duration),
}

impl Failures {
    /// Reads what is stored. What cannot be read is not a time.
    pub fn parse(stored: &str) -> Failures {
        let mut failures = Failures::default();
        for text in stored.split(' ') {
            let (times, text) = match text.strip_prefix(OPEN) {
                Some(text) => (&mut failures.open, text),
                None => (&mut failures.failed, text),
            };
            times.extend(text.parse().ok().map(Time));
        }
        failures
    }

    /// How they are stored.
    pub fn to_text(&self) -> String {
        let failed = self.failed.iter().map(|time| time.0.to_string());
        let open = self.open.iter().map(|time| format!("{OPEN}{}", time.0));
        failed.chain(open).collect::<Vec<_>>().join(" ")
    }

    /// Forgets what left the window. A time in the future, of a clock that was ahead, counts as one
    /// of now: it is forgotten in time.
    #[must_use]
    pub fn within(mut self, limit: FailureLimit, now: Time) -> Failures {
        let is_gone = |time: &Time| now.since(*time) >= OPEN_MAX;
        self.failed.extend(self.open.iter().copied().filter(is_gone));
        self.open.retain(|time| !is_gone(time));
        self.failed.retain(|time| now.since(*time) < limit.window);
        for times in [&mut self.failed, &mut self.open] {
            times.iter_mut().for_each(|time| *time = (*time).min(now));
            times.sort_unstable();
        }
        self
    }

    /// Whether one more try is listened to. What left the window must have been forgotten before.
    pub fn room(&self, limit: FailureLimit, now: Time) -> Availability {
        // As soon as this one has left, fewer than the limit are there.
        if let Some(last) = self.failed.len().checked_sub(limit.max) {
            return Availability::Wait(limit.window.saturating_sub(now.since(self.failed[last])));
        }
        match self.failed.len() + self.open.len() < limit.max {
            true => Availability::Free,
            false => Availability::Taken,
        }
    }

    /// Notes a try that begins.
    pub fn begin(&mut self, at: Time) {
        self.open.push(at);
    }

    /// Notes a failure.
    pub fn add(&mut self, at: Time) {
        self.failed.push(at);
    }

    /// Ends the try that began at this time, or about then: of two that are noted at once, one may
    /// have been moved to the time of the other. One that was taken for failed is found too.
    pub fn end(&mut self, at: Time) {
        let _was_there = take(&mut self.open, at) || take(&mut self.failed, at);
    }

    /// How many failures there are.
    pub fn count(&self) -> usize {
        self.failed.len()
    }
}

fn take(times: &mut Vec<Time>, at: Time) -> bool {
    let distance = |time: &Time| time.0.abs_diff(at.0);
    let near = (0..times.len()).filter(|index| distance(&times[*index]) <= MOVED_MAX);
    let nearest = near.min_by_key(|index| distance(&times[*index]));
    nearest.map(|index| times.remove(index)).is_some()
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
        let failed = seconds.iter().map(|second| at(*second)).collect();
        Failures { failed, open: Vec::new() }
    }

    fn wait(seconds: &[i64], now: i64) -> Option<u64> {
        let failures = failed(seconds).within(FEW, at(now));
        match failures.room(FEW, at(now)) {
            Availability::Wait(wait) => Some(wait.as_secs()),
            Availability::Free | Availability::Taken => None,
        }
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
    fn tries_that_are_not_decided_hold_others_up_and_are_no_failures() {
        let mut failures = failed(&[0]);
        failures.begin(at(1));
        assert_eq!(failures.room(FEW, at(1)), Availability::Free);
        failures.begin(at(2));
        assert_eq!(failures.room(FEW, at(2)), Availability::Taken);
        failures.end(at(1));
        assert_eq!((failures.room(FEW, at(2)), failures.count()), (Availability::Free, 1));
    }

    #[test]
    fn a_try_of_which_nothing_is_heard_has_failed() {
        let mut failures = Failures::default();
        failures.begin(at(0));
        let failures = failures.within(FEW, at(29));
        assert_eq!(failures.count(), 0);
        let mut failures = failures.within(FEW, at(30));
        assert_eq!(failures.count(), 1);
        failures.end(at(0));
        assert_eq!(failures.count(), 0, "it was only slow");
    }

    #[test]
    fn failures_are_read_as_they_were_written() {
        let mut open = failed(&[1, 2]);
        open.begin(at(3));
        for failures in [failed(&[]), failed(&[1]), failed(&[1, 2, 2]), open] {
            assert_eq!(Failures::parse(&failures.to_text()), failures);
        }
        assert_eq!(Failures::parse("x 5 ?y "), Failures { failed: vec![Time(5)], open: vec![] });
    }

    #[test]
    fn a_try_ends_once() {
        let mut failures = failed(&[1]);
        failures.begin(at(2));
        failures.end(at(2));
        failures.end(at(62 + 1));
        assert_eq!(failures, failed(&[1]));
    }

    #[test]
    fn a_try_that_another_moved_in_time_ends_too() {
        let mut failures = Failures::default();
        failures.begin(at(2));
        // A transaction that began before comes after.
        let mut failures = failures.within(FEW, at(1));
        failures.begin(at(1));
        failures.end(at(2));
        failures.end(at(1));
        assert_eq!(failures, Failures::default());
    }
}
