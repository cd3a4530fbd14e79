//! From what a carrier says about a parcel to what is new in it.
//!
//! Known events are skipped. Implausible ones are quarantined and do not lose the others. One that
//! comes late is an event like any other, and moves nothing back.

use std::collections::HashSet;
use std::time::Duration;

use super::event::{TrackingEvent, TrackingEventKind};
use super::report::{TEXT_MAX, TrackingReport, Unreadable, expected, fingerprint};
use super::summary::TrackingSummary;
use crate::shipment::Window;
use crate::time::Time;

/// An event from further ahead than this is not believed: clocks are not that wrong.
const AHEAD_MAX: Duration = Duration::from_hours(24);
/// 2000-01-01 in UTC. Nothing that we carry moved before.
const LONG_AGO: Time = Time(946_684_800_000_000);

/// What we know of the parcel already.
#[derive(Clone, Default, Debug)]
pub struct Known {
    /// Its summary.
    pub summary: TrackingSummary,
    /// The fingerprints of the events that are recorded.
    pub seen: HashSet<[u8; 32]>,
}

/// What is new.
#[derive(Clone, PartialEq, Debug)]
pub struct TrackingChange {
    /// The new events in the order in which they are recorded.
    pub entries: Vec<NewEntry>,
    /// What is set aside; some of it may have been before.
    pub unreadable: Vec<Unreadable>,
    /// The summary after all of them.
    pub summary: TrackingSummary,
}

/// A new event, and the summary after it.
#[derive(Clone, PartialEq, Debug)]
pub struct NewEntry {
    /// The event.
    pub event: TrackingEvent,
    /// The summary after it.
    pub after: TrackingSummary,
}

/// Finds what is new in a report.
pub fn diff(known: &Known, report: &TrackingReport, now: Time) -> TrackingChange {
    let mut seen = known.seen.clone();
    let (entries, unreadable) = (Vec::new(), Vec::new());
    let mut change = TrackingChange { entries, unreadable, summary: known.summary };
    let mut events = Vec::new();
    for event in &report.events {
        match event {
            Err(unreadable) => change.unreadable.push(unreadable.clone()),
            Ok(event) => match fault(event, now) {
                Some(why) => change.unreadable.push(Unreadable::of_event(event, why)),
                None => events.push(event),
            },
        }
    }
    // Carriers tell the newest first or last; what has no time of its own comes last.
    events.sort_by_key(|event| event.happened_at.unwrap_or(Time(i64::MAX)));
    for event in events.into_iter().filter(|event| seen.insert(event.fingerprint)) {
        if let TrackingEventKind::Seen(_) = event.kind {
            change.add(event.clone(), now);
        }
        change.expect(event.estimate, event, now);
    }
    if let Some(estimate) = report.estimate {
        let text = |time: Time| time.0.to_string();
        let moment = text(now);
        let (start, end) = (text(estimate.start), text(estimate.end));
        let event = TrackingEvent {
            kind: TrackingEventKind::Estimate,
            happened_at: None,
            location: None,
            coordinates: None,
            note: None,
            estimate: Some(estimate),
            // The same estimate may be told again after another one: it is a change each time.
            fingerprint: fingerprint(&["estimate", &start, &end, &moment]),
        };
        match fault(&event, now) {
            Some(why) => change.unreadable.push(Unreadable::new(expected(estimate), why)),
            None => change.expect(Some(estimate), &event, now),
        }
    }
    change
}

impl TrackingChange {
    fn add(&mut self, event: TrackingEvent, now: Time) {
        self.summary.apply(&event, now);
        self.entries.push(NewEntry { event, after: self.summary });
    }

    /// Tells that the parcel is expected at another time, when it is. What was said before the
    /// estimate that is known, or of a parcel that has arrived, changes nothing.
    fn expect(&mut self, estimate: Option<Window>, from: &TrackingEvent, now: Time) {
        let newest = self.summary.estimated_at;
        let is_late = from.happened_at.zip(newest).is_some_and(|(at, newest)| at <= newest);
        let is_same = estimate.is_none() || self.summary.estimate == estimate;
        if is_same || is_late || self.summary.is_over() {
            return;
        }
        let fingerprint = match from.kind {
            TrackingEventKind::Estimate => from.fingerprint,
            // Beside the event that it came with.
            TrackingEventKind::Seen(_) => {
                let mut other = from.fingerprint;
                other[0] ^= 0xff;
                other
            }
        };
        let event = TrackingEvent {
            kind: TrackingEventKind::Estimate,
            happened_at: from.happened_at,
            location: None,
            coordinates: None,
            note: None,
            estimate,
            fingerprint,
        };
        self.add(event, now);
    }
}

/// Why an event cannot be.
fn fault(event: &TrackingEvent, now: Time) -> Option<&'static str> {
    let is_text = |text: &Option<String>| {
        text.as_ref().is_none_or(|text| text.chars().count() <= TEXT_MAX && !text.contains('\0'))
    };
    if event.happened_at.is_some_and(|at| at > now.plus(AHEAD_MAX)) {
        return Some("it is yet to happen");
    }
    if event.happened_at.is_some_and(|at| at < LONG_AGO) {
        return Some("it happened too long ago");
    }
    if event.estimate.is_some_and(|window| window.end < window.start || window.start < LONG_AGO) {
        return Some("the estimate is not a span of time");
    }
    if event.kind == TrackingEventKind::Estimate && event.estimate.is_none() {
        return Some("there is no estimate");
    }
    (!is_text(&event.location) || !is_text(&event.note)).then_some("a text is too long")
}
