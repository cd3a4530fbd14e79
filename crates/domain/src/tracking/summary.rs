//! What is known of a parcel, as the fold of its events in the order in which they were recorded.

use super::event::{TrackingEvent, TrackingEventKind};
use super::status::{State, Status};
use crate::shipment::Window;
use crate::time::Time;

/// What is known of a parcel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrackingSummary {
    /// How far it has come.
    pub state: State,
    /// What brought it there.
    pub status: Option<Status>,
    /// When the newest thing that is known happened.
    pub newest_at: Option<Time>,
    /// When it is expected.
    pub estimate: Option<Window>,
    /// As of when that is expected.
    pub estimated_at: Option<Time>,
    /// When it was delivered.
    pub delivered_at: Option<Time>,
    /// When it was back with its sender.
    pub returned_at: Option<Time>,
    /// When we last heard something new.
    pub updated_at: Option<Time>,
}

impl Default for TrackingSummary {
    fn default() -> TrackingSummary {
        TrackingSummary {
            state: State::Pending,
            status: None,
            newest_at: None,
            estimate: None,
            estimated_at: None,
            delivered_at: None,
            returned_at: None,
            updated_at: None,
        }
    }
}

impl TrackingSummary {
    /// The summary after an event that was recorded at this time.
    pub fn apply(&mut self, event: &TrackingEvent, recorded_at: Time) {
        self.updated_at = Some(recorded_at);
        let at = event.happened_at.unwrap_or(recorded_at);
        // An estimate that comes with an event is the first one; a change of it is told apart.
        if event.estimate.is_some()
            && (event.kind == TrackingEventKind::Estimate || self.estimate.is_none())
        {
            (self.estimate, self.estimated_at) = (event.estimate, Some(at));
        }
        let TrackingEventKind::Seen(status) = event.kind else { return };
        let state = status.state();
        if self.may_become(state, event.happened_at) {
            (self.state, self.status) = (state, Some(status));
        }
        match state {
            State::Delivered => self.delivered_at = self.delivered_at.or(Some(at)),
            State::Returned => self.returned_at = self.returned_at.or(Some(at)),
            _ => {}
        }
        self.newest_at = self.newest_at.max(event.happened_at);
    }

    /// Whether an event that happened then may bring the parcel to this state. Ends are final: only
    /// a return follows a delivery. A disturbance may be followed by any part of the way, and else
    /// a parcel does not go back; nor does what happened before something that is known.
    fn may_become(&self, next: State, at: Option<Time>) -> bool {
        use State::{Delivered, Expired, InfoReceived, Pending, Returned};
        match (self.state, next) {
            (Returned, _) | (_, Pending) => false,
            (Delivered, next) => next == Returned,
            (Pending, _) | (_, Delivered | Returned | Expired) => true,
            (_, InfoReceived) => false,
            (now, next) => {
                let is_late = at.zip(self.newest_at).is_some_and(|(at, newest)| at < newest);
                !is_late && (is_disturbed(now) || progress(next) >= progress(now))
            }
        }
    }

    /// Whether nothing more is expected to happen.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Delivered | State::Returned)
    }
}

fn is_disturbed(state: State) -> bool {
    matches!(state, State::AttemptFail | State::Exception | State::Expired)
}

/// How far along the way a state is. Disturbances may come at any point after the start.
fn progress(state: State) -> u8 {
    match state {
        State::Pending => 0,
        State::InfoReceived => 1,
        State::InTransit => 2,
        State::OutForDelivery | State::AvailableForPickup => 3,
        State::AttemptFail | State::Exception | State::Expired => 4,
        State::Delivered => 5,
        State::Returned => 6,
    }
}
