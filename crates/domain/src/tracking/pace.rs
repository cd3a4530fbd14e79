//! How often a carrier is asked about a parcel: soon while it moves, seldom when it is quiet, and
//! not at all when it has arrived or was not heard of for a month.

use std::time::Duration;

use super::status::State;
use super::summary::TrackingSummary;
use crate::time::Time;

/// A parcel that was not heard of for so long is given up.
pub const EXPIRY: Duration = Duration::from_hours(30 * 24);

/// No parcel is looked at more seldom than this.
const DAY: Duration = Duration::from_hours(24);

/// The longest that a parcel waits of which the carrier could not tell anything, unless the carrier
/// says for how long.
const LATER_MAX: Duration = Duration::from_mins(1);

/// How often a carrier may be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// When the first look after the booking pays.
    pub first: Duration,
    /// The shortest pause between two looks.
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
}

/// When to look again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// At this time.
    At(Time),
    /// Never: it was not heard of for too long.
    Expired,
    /// Never: it has arrived.
    Never,
}

/// When to look again at a parcel of which the carrier could not tell anything now. That is not
/// silence: it does not make a parcel expire.
pub fn put_off(summary: &TrackingSummary, pace: Pace, wanted: Option<Duration>, now: Time) -> Look {
    if summary.is_over() || summary.state == State::Expired {
        return Look::Never;
    }
    let pause = wanted.map_or(pace.shortest.min(LATER_MAX), |wanted| wanted.min(DAY));
    Look::At(now.plus(pause))
}

/// When to look again at a parcel that was booked then. The pause grows with the silence.
pub fn next_look(summary: &TrackingSummary, booked_at: Time, pace: Pace, now: Time) -> Look {
    if summary.is_over() || summary.state == State::Expired {
        return Look::Never;
    }
    let silence = now.since(summary.updated_at.unwrap_or(booked_at));
    if silence >= EXPIRY {
        return Look::Expired;
    }
    let pause = (silence / 4).clamp(pace.shortest, pace.longest.max(pace.shortest));
    Look::At(now.plus(pause))
}
