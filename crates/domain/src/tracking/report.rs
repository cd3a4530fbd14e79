//! What a carrier says about a parcel.

use std::time::Duration;

use sha2::{Digest, Sha256};

use super::event::TrackingEvent;
use crate::shipment::Window;

/// The longest text of a carrier that is kept.
pub(super) const TEXT_MAX: usize = 1000;

/// What a carrier answers about one number.
#[derive(Clone, PartialEq, Debug)]
pub enum TrackingAnswer {
    /// What the carrier knows.
    Report(TrackingReport),
    /// The carrier's answer cannot be read. It is set aside.
    Unreadable(Unreadable),
    /// The carrier cannot tell now. It is asked again after this time, or else soon; that it says
    /// nothing does not count as silence.
    Later(Option<Duration>),
}

/// What a carrier says about one parcel at one moment.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TrackingReport {
    /// Its history, or a part of it, in any order. Events that cannot be read are among them.
    pub events: Vec<Result<TrackingEvent, Unreadable>>,
    /// When it is expected as of now, where the carrier says so.
    pub estimate: Option<Window>,
    /// When there will be something new, where the carrier says so.
    pub poll_after: Option<Duration>,
    /// Whether more of the same answer follows, because it is stored in parts.
    pub is_continued: bool,
}

impl From<Result<TrackingReport, Unreadable>> for TrackingAnswer {
    fn from(read: Result<TrackingReport, Unreadable>) -> TrackingAnswer {
        read.map_or_else(TrackingAnswer::Unreadable, TrackingAnswer::Report)
    }
}

impl TrackingAnswer {
    /// The answer of a carrier that says nothing about a number.
    pub fn silence() -> TrackingAnswer {
        TrackingAnswer::Report(TrackingReport::default())
    }

    /// Two answers about one number as one. A report counts more than a promise of one.
    #[must_use]
    pub fn merge(self, other: TrackingAnswer) -> TrackingAnswer {
        match (self, other) {
            (answer, TrackingAnswer::Later(_)) | (TrackingAnswer::Later(_), answer) => answer,
            (first, second) => {
                let (mut report, second) = (first.into_report(), second.into_report());
                report.events.extend(second.events);
                report.estimate = second.estimate.or(report.estimate);
                report.poll_after = second.poll_after.or(report.poll_after);
                TrackingAnswer::Report(report)
            }
        }
    }

    /// What it says about the parcel. An answer that cannot be read is an event that cannot be
    /// read.
    pub fn into_report(self) -> TrackingReport {
        let events = match self {
            TrackingAnswer::Report(report) => return report,
            TrackingAnswer::Unreadable(unreadable) => vec![Err(unreadable)],
            TrackingAnswer::Later(_) => Vec::new(),
        };
        TrackingReport { events, ..TrackingReport::default() }
    }
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
    /// An event that cannot be read, as it was sent.
    pub fn new(raw: impl Into<String>, why: impl Into<String>) -> Unreadable {
        let raw: String = raw.into().replace('\0', "\u{fffd}");
        let raw: String = raw.chars().take(TEXT_MAX * 4).collect();
        Unreadable { fingerprint: fingerprint(&["bad", &raw]), raw, why: why.into() }
    }

    /// An event that can be read and cannot be true.
    pub(super) fn of_event(event: &TrackingEvent, why: &str) -> Unreadable {
        let mut words = vec![event.kind.code().to_owned()];
        words.extend(event.happened_at.map(|at| format!("at {at}")));
        words.extend(event.location.as_ref().map(|place| format!("in {place}")));
        words.extend(event.estimate.map(expected));
        words.extend(event.note.as_ref().map(|note| format!("\"{note}\"")));
        Unreadable { fingerprint: event.fingerprint, ..Unreadable::new(words.join(", "), why) }
    }
}

/// An estimate in words, for the quarantine.
pub(super) fn expected(window: Window) -> String {
    format!("expected from {} to {}", window.start, window.end)
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
