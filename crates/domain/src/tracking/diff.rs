//! From what a carrier says about a parcel to what is new in it.
//!
//! Known events are skipped. Implausible ones are quarantined and do not lose the others. One that
//! comes late is an event like any other, and moves nothing back.

use std::collections::HashSet;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::event::{Event, What};
use super::summary::TrackingSummary;
use crate::shipment::Window;
use crate::time::Time;

/// An event from further ahead than this is not believed: clocks are not that wrong.
const AHEAD_MAX: Duration = Duration::from_hours(24);
/// 2000-01-01 in UTC. Nothing that we carry moved before.
const LONG_AGO: Time = Time(946_684_800_000_000);
/// The longest text of a carrier that is kept.
const TEXT_MAX: usize = 1000;

/// What a carrier says about one parcel at one moment.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Snapshot {
    /// The number that the parcel is tracked by.
    pub number: String,
    /// Its history, or a part of it, in any order; what could not be read is among it.
    pub events: Vec<Result<Event, Unreadable>>,
    /// When it is expected as of now, where the carrier says so.
    pub estimate: Option<Window>,
    /// When there will be something new, where the carrier says so.
    pub look_after: Option<Duration>,
}

/// An event that is set aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The same for the same event.
    pub fingerprint: [u8; 32],
    /// What the carrier sent.
    pub raw: String,
    /// What is wrong with it, for the one who looks into it.
    pub why: String,
}

impl Unreadable {
    /// An event that cannot be, as it was sent.
    pub fn new(raw: impl Into<String>, why: impl Into<String>) -> Unreadable {
        let raw: String = raw.into().replace('\0', "\u{fffd}");
        let raw: String = raw.chars().take(TEXT_MAX * 4).collect();
        Unreadable { fingerprint: fingerprint(&["bad", &raw]), raw, why: why.into() }
    }

    /// An event that could be read and cannot be true.
    fn of_event(event: &Event, why: &str) -> Unreadable {
        let mut words = vec![event.what.code().to_owned()];
        words.extend(event.happened_at.map(|at| format!("at {at}")));
        words.extend(event.location.as_ref().map(|place| format!("in {place}")));
        words.extend(event.estimate.map(expected));
        words.extend(event.note.as_ref().map(|note| format!("\"{note}\"")));
        Unreadable { fingerprint: event.fingerprint, ..Unreadable::new(words.join(", "), why) }
    }
}

fn expected(window: Window) -> String {
    format!("expected from {} to {}", window.start, window.end)
}

/// What we know of the parcel already.
#[derive(Clone, Default, Debug)]
pub struct Known {
    /// Its summary.
    pub summary: TrackingSummary,
    /// The events that were told.
    pub seen: HashSet<[u8; 32]>,
}

/// What is new.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// The new events in the order in which they are recorded.
    pub entries: Vec<Entry>,
    /// What is set aside; some of it may have been before.
    pub unreadable: Vec<Unreadable>,
    /// The summary after all of them.
    pub summary: TrackingSummary,
}

/// A new event, and the summary after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The event.
    pub event: Event,
    /// The summary after it.
    pub after: TrackingSummary,
}

/// One fingerprint for the same texts, another for others.
pub fn fingerprint(parts: &[&str]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().into()
}

/// What is new in a snapshot.
pub fn diff(known: &Known, snapshot: &Snapshot, now: Time) -> Change {
    let mut seen = known.seen.clone();
    let mut change = Change { entries: Vec::new(), unreadable: Vec::new(), summary: known.summary };
    let mut events = Vec::new();
    for event in &snapshot.events {
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
        if let What::Seen(_) = event.what {
            change.tell(event.clone(), now);
        }
        change.expect(event.estimate, event, now);
    }
    if let Some(estimate) = snapshot.estimate {
        let text = |time: Time| time.0.to_string();
        let moment = text(now);
        let (start, end) = (text(estimate.start), text(estimate.end));
        let told = Event {
            what: What::Estimate,
            happened_at: None,
            location: None,
            coordinates: None,
            note: None,
            estimate: Some(estimate),
            // The same estimate may be told again after another one: it is a change each time.
            fingerprint: fingerprint(&["estimate", &start, &end, &moment]),
        };
        match fault(&told, now) {
            Some(why) => change.unreadable.push(Unreadable::new(expected(estimate), why)),
            None => change.expect(Some(estimate), &told, now),
        }
    }
    change
}

impl Change {
    fn tell(&mut self, event: Event, now: Time) {
        self.summary.apply(&event, now);
        self.entries.push(Entry { event, after: self.summary });
    }

    /// Tells that the parcel is expected at another time, when it is. What was said before the
    /// estimate that is known, or of a parcel that has arrived, changes nothing.
    fn expect(&mut self, estimate: Option<Window>, from: &Event, now: Time) {
        let newest = self.summary.estimated_at;
        let is_late = from.happened_at.zip(newest).is_some_and(|(at, newest)| at <= newest);
        let is_same = estimate.is_none() || self.summary.estimate == estimate;
        if is_same || is_late || self.summary.is_over() {
            return;
        }
        let fingerprint = match from.what {
            What::Estimate => from.fingerprint,
            // Beside the event that it came with.
            What::Seen(_) => {
                let mut other = from.fingerprint;
                other[0] ^= 0xff;
                other
            }
        };
        let told = Event {
            what: What::Estimate,
            happened_at: from.happened_at,
            location: None,
            coordinates: None,
            note: None,
            estimate,
            fingerprint,
        };
        self.tell(told, now);
    }
}

/// Why an event cannot be.
fn fault(event: &Event, now: Time) -> Option<&'static str> {
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
        return Some("the estimate is no span of time");
    }
    if event.what == What::Estimate && event.estimate.is_none() {
        return Some("there is no estimate");
    }
    (!is_text(&event.location) || !is_text(&event.note)).then_some("a text is too long")
}
