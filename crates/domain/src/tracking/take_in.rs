//! What follows from an answer of a carrier: what is recorded of the parcel, and when the carrier
//! is asked again.

use std::collections::HashSet;

use super::diff::{Known, NewEntry, TrackingChange, diff};
use super::event::{TrackingEvent, TrackingEventKind};
use super::pace::{NextPoll, Pace, PolledParcel};
use super::report::{TrackingAnswer, fingerprint};
use super::status::Status;
use crate::time::Time;

/// The most events that are kept of one parcel. No real parcel has so many, and all of them are
/// read when there is another.
pub const HISTORY_MAX: usize = 1000;

/// Why a carrier said something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// We asked, and may ask again at this pace.
    Poll(Pace),
    /// The carrier sent a message by itself.
    Callback,
}

/// What follows from an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct TakenIn {
    /// What is recorded.
    pub change: TrackingChange,
    /// How many events were new and are not recorded, because the history has no room.
    pub left_out: usize,
    /// Whether the history became full with this answer.
    pub is_full_now: bool,
    /// When the carrier is asked again.
    pub poll_at: Option<Time>,
}

/// Takes in an answer about a parcel of which these events are recorded. A parcel that was not
/// heard of for too long is given up, with an event of our own, which always has room.
pub fn take_in(
    parcel: &PolledParcel,
    seen: HashSet<[u8; 32]>,
    answer: &TrackingAnswer,
    trigger: Trigger,
    now: Time,
) -> TakenIn {
    let room = HISTORY_MAX.saturating_sub(seen.len());
    let known = Known { summary: parcel.summary, seen };
    let mut change = diff(&known, &answer.clone().into_report(), now);
    let is_full_now = room > 0 && change.entries.len() >= room;
    let left_out = change.entries.len().saturating_sub(room);
    if left_out > 0 {
        change.entries.truncate(room);
        // The summary is the fold of what is kept.
        change.summary = change.entries.last().map_or(parcel.summary, |entry| entry.after);
    }
    let parcel = PolledParcel { summary: change.summary, ..*parcel };
    let next = match trigger {
        Trigger::Poll(pace) => parcel.after_poll(answer, pace, now),
        Trigger::Callback => parcel.after_callback(),
    };
    let poll_at = match next {
        NextPoll::At(at) => Some(at),
        NextPoll::Never => None,
        NextPoll::Expired => {
            expire(&mut change, now);
            None
        }
    };
    TakenIn { change, left_out, is_full_now, poll_at }
}

/// Gives the parcel up.
fn expire(change: &mut TrackingChange, now: Time) {
    let event = TrackingEvent {
        kind: TrackingEventKind::Seen(Status::Expired),
        happened_at: None,
        location: None,
        coordinates: None,
        note: None,
        estimate: None,
        fingerprint: fingerprint(&["expired", &now.to_string()]),
    };
    change.summary.apply(&event, now);
    change.entries.push(NewEntry { event, after: change.summary });
}
