//! Whether a carrier that does not know a reference is believed. When it is, another attempt may
//! follow: all that speaks against it is weighed here and nowhere else.

use std::time::Duration;

use super::state::{Booking, CarrierKind};
use crate::time::Time;

/// A carrier does not know the reference of the open attempt: what its word is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Miss {
    /// The number of the attempt, from one on.
    pub call: u32,
    /// When the carrier was asked, by the clock that the intent was written with. That is not when
    /// the answer is written: meanwhile the booking may have been made.
    pub asked_at: Time,
    /// How much time has passed since the intent for certain: a clock may have been set.
    pub certain_age: Duration,
    /// Whether the carrier found the canary, or its word is proof without one.
    pub is_confirmed: bool,
    /// Whether a database that was lost may have believed the same miss, and sent it again.
    pub may_be_lost: bool,
}

/// Why a miss proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Doubt {
    /// What was booked need not be found yet.
    TooEarly,
    /// It may be too early: the clock says otherwise, and it may be wrong.
    UncertainTime,
    /// Another attempt may have been sent, which nobody here knows of.
    LostDatabase,
    /// A booking that must be there was not found either.
    NoCanary,
}

impl Booking {
    /// Why a miss proves nothing. Nothing when it proves that the carrier does not have it. The
    /// canary comes last: it need not be looked for while there is another doubt.
    pub fn doubt(&self, miss: &Miss) -> Option<Doubt> {
        if miss.asked_at < self.settled_at() {
            return Some(Doubt::TooEarly);
        }
        let is_certain = match self.kind {
            CarrierKind::Lookup { settle } => miss.certain_age >= settle,
            CarrierKind::Idempotent | CarrierKind::Blind => true,
        };
        match is_certain {
            false => Some(Doubt::UncertainTime),
            true if miss.may_be_lost => Some(Doubt::LostDatabase),
            true if !miss.is_confirmed => Some(Doubt::NoCanary),
            true => None,
        }
    }

    /// When what the open attempt booked must be found.
    pub(super) fn settled_at(&self) -> Time {
        match (self.kind, self.called_at) {
            (CarrierKind::Lookup { settle }, Some(called_at)) => called_at.plus(settle),
            // No such carrier answers a look-up; were it to, nothing could be concluded.
            _ => self.give_up_at,
        }
    }
}
