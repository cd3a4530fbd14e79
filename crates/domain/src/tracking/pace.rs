//! How often a carrier is asked about a parcel: soon while it moves, seldom when it is quiet, and
//! not at all when it has arrived or was not heard of for a month.

use std::time::Duration;

use super::report::{TrackingAnswer, TrackingReport};
use super::status::State;
use super::summary::TrackingSummary;
use crate::time::Time;

/// A parcel that was not heard of for so long is given up.
pub const EXPIRY: Duration = Duration::from_hours(30 * 24);

/// Each parcel is polled at least this often.
const DAY: Duration = Duration::from_hours(24);

/// How long a parcel waits at most when the carrier cannot tell now and does not say until when.
const LATER_MAX: Duration = Duration::from_mins(1);

/// How often a carrier may be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// The time from the booking to the first poll.
    pub first: Duration,
    /// The shortest pause between two polls.
    pub shortest: Duration,
    /// The longest.
    pub longest: Duration,
}

impl Pace {
    /// As often as the carrier has something to tell.
    pub fn every(step: Duration) -> Pace {
        let step = step.clamp(Duration::from_millis(50), DAY);
        Pace { first: step, shortest: step, longest: (step * 10).min(DAY) }
    }

    /// The carrier's own word on when there will be something new goes before its pace.
    #[must_use]
    pub fn unless_told(self, step: Option<Duration>) -> Pace {
        step.map_or(self, Pace::every)
    }
}

/// When the carrier is asked about a parcel again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NextPoll {
    /// At this time.
    At(Time),
    /// Never: it was not heard of for too long.
    Expired,
    /// Never: it has arrived, or nobody wants to know any more.
    Never,
}

/// What is known of a parcel that a carrier says something about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolledParcel {
    /// When it was booked.
    pub booked_at: Time,
    /// When its carrier was to be asked; nothing when it is not polled any more.
    pub poll_at: Option<Time>,
    /// What is known of it.
    pub summary: TrackingSummary,
}

impl PolledParcel {
    /// When to ask again, after the carrier was asked and gave this answer.
    pub(super) fn after_poll(&self, answer: &TrackingAnswer, pace: Pace, now: Time) -> NextPoll {
        let is_given_up = self.summary.state == State::Expired;
        // It may have been cancelled while the carrier was asked.
        let Some(poll_at) = self.poll_at.filter(|_| !self.summary.is_over() && !is_given_up) else {
            return NextPoll::Never;
        };
        match answer {
            // The news may be in the rest.
            TrackingAnswer::Report(TrackingReport { is_continued: true, .. }) => {
                NextPoll::At(poll_at)
            }
            TrackingAnswer::Later(pause) => {
                let pause = pause.map_or(pace.shortest.min(LATER_MAX), |pause| pause.min(DAY));
                NextPoll::At(now.plus(pause))
            }
            TrackingAnswer::Report(report) => {
                self.after_silence(pace.unless_told(report.poll_after), now)
            }
            TrackingAnswer::Unreadable(_) => self.after_silence(pace, now),
        }
    }

    /// When to ask again, after the carrier told something by itself: as before, unless that was
    /// the end.
    pub(super) fn after_callback(&self) -> NextPoll {
        match self.poll_at {
            Some(at) if !self.summary.is_over() => NextPoll::At(at),
            _ => NextPoll::Never,
        }
    }

    /// The pause grows with the silence.
    fn after_silence(&self, pace: Pace, now: Time) -> NextPoll {
        let silence = now.since(self.summary.updated_at.unwrap_or(self.booked_at));
        if silence >= EXPIRY {
            return NextPoll::Expired;
        }
        let pause = (silence / 4).clamp(pace.shortest, pace.longest.max(pace.shortest));
        NextPoll::At(now.plus(pause))
    }
}
