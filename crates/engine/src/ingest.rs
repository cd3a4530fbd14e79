//! Stores what carriers say about parcels, whether the worker asked or a callback came. Everything
//! that one message changes is one transaction, unless it is very long: the history, the parcels'
//! summaries, the feed and the events for webhooks.
//!
//! Neither a shipment's booking nor its `updated_at` is touched.

use std::collections::{BTreeMap, HashSet};

use waybill_carriers::tracking::NumberAnswer;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{AccountId, EventId, IdSource, ShipmentId, TeamId};
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Entry, Known, NextPoll, Pace, PolledParcel, Status, TrackingAnswer, TrackingChange,
    TrackingEvent, TrackingReport, What, diff, fingerprint,
};
use waybill_store::feed::{self, Publication};
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx, events, jobs, shipments};

use crate::app::App;
use crate::lease;

/// The most events that one transaction takes in: others want to write too.
const EVENTS_MAX: usize = 100;
/// The most events that are kept of one parcel. No real parcel has so many, and all of them are
/// read when there is another.
const HISTORY_MAX: usize = 1000;

/// Why a carrier said something.
#[derive(Clone)]
pub enum Source {
    /// We asked.
    Poll {
        /// How often the carrier may be asked.
        pace: Pace,
        /// The job that asks: nothing is stored when another worker has it by now.
        job: jobs::Claimed,
    },
    /// The carrier sent a message by itself.
    Callback,
}

/// What became of a message, or of a part of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct IngestSummary {
    /// How many entries were published.
    pub published: usize,
    /// Events that were set aside: of which shipment, which request made it, and how many.
    pub quarantined: Vec<(ShipmentId, Option<String>, u64)>,
}

/// Takes in what a carrier says about parcels of an account, and counts it. Returns how many
/// entries were published, or nothing when another worker has the job by now.
pub async fn ingest(
    app: &App,
    (team, account): (TeamId, AccountId),
    source: Source,
    answers: Vec<NumberAnswer>,
) -> Result<Option<usize>, Error> {
    let mut published = 0;
    for part in in_parts(by_number(answers)) {
        let (ids, source, now) = (app.ids().clone(), source.clone(), app.now());
        let write = move |tx: &mut Tx<'_>| {
            if let Source::Poll { job, .. } = &source
                && !lease::renew(tx, job, now)?
            {
                return Ok(None);
            }
            ingest_part(tx, ids.as_ref(), (team, account), &source, &part, now).map(Some)
        };
        let Some(summary) = app.write::<_, Error, _>(write).await? else { return Ok(None) };
        count(&summary);
        published += summary.published;
        if summary.published > 0 {
            app.wake_runner();
        }
    }
    Ok(Some(published))
}

/// One answer for each number, in the order of the numbers, so that two messages never wait for
/// each other.
fn by_number(answers: Vec<NumberAnswer>) -> BTreeMap<String, TrackingAnswer> {
    let mut merged: BTreeMap<String, TrackingAnswer> = BTreeMap::new();
    for (number, answer) in answers {
        let answer = match merged.remove(&number) {
            Some(earlier) => earlier.merge(answer),
            None => answer,
        };
        merged.insert(number, answer);
    }
    merged
}

/// A message in parts of at most `EVENTS_MAX` events. A carrier that sends a message again because
/// we failed at a later part repeats what we know already.
fn in_parts(answers: BTreeMap<String, TrackingAnswer>) -> Vec<Vec<NumberAnswer>> {
    let (mut parts, mut part, mut room) = (Vec::new(), Vec::new(), EVENTS_MAX);
    for (number, mut answer) in answers {
        if room == 0 {
            parts.push(std::mem::take(&mut part));
            room = EVENTS_MAX;
        }
        let mut events = 0;
        if let TrackingAnswer::Report(report) = &mut answer {
            while report.events.len() > room {
                let later = report.events.split_off(room);
                let events = std::mem::replace(&mut report.events, later);
                let is_continued = true;
                let first = TrackingReport { events, is_continued, ..TrackingReport::default() };
                part.push((number.clone(), TrackingAnswer::Report(first)));
                parts.push(std::mem::take(&mut part));
                room = EVENTS_MAX;
            }
            events = report.events.len();
        }
        // A number without events takes some room too.
        room = room.saturating_sub(events.max(1));
        part.push((number, answer));
    }
    parts.push(part);
    parts
}

/// Takes in one part, whose numbers are in order, inside a transaction. Use [`ingest`], which also
/// counts; this is for whoever has to write more in the same transaction.
pub fn ingest_part(
    tx: &mut Tx<'_>,
    ids: &dyn IdSource,
    (team, account): (TeamId, AccountId),
    source: &Source,
    answers: &[NumberAnswer],
    now: Time,
) -> Result<IngestSummary, Error> {
    let mut ingested = IngestSummary::default();
    let mut publications = Vec::new();
    for (number, answer) in answers {
        for tracking in trackings::lock_by_number(tx, team, account, number)? {
            let seen = feed::list_seen(tx, team, tracking.id)?;
            let (mut change, left_out) = change_of(&tracking, seen, answer, now);
            let poll_at = next_poll(source, &tracking, &mut change, answer, now);
            let mut count = left_out;
            for unreadable in &change.unreadable {
                let is_new = trackings::quarantine(tx, team, tracking.id, unreadable, now)?;
                count += u64::from(is_new);
            }
            if count > 0 {
                let request_id = shipments::find_request_id(tx, team, tracking.shipment)?;
                ingested.quarantined.push((tracking.shipment, request_id, count));
            }
            if change.entries.is_empty() {
                trackings::set_poll_at(tx, team, tracking.id, poll_at)?;
                continue;
            }
            trackings::set_summary(tx, team, tracking.id, &change.summary, poll_at)?;
            let event = tracking_event(tx, ids, team, &tracking, now)?;
            events::append(tx, team, &event)?;
            publications.extend(change.entries.into_iter().map(|entry| Publication {
                id: ids.uuid(),
                event_id: ids.uuid(),
                tracking: tracking.id,
                shipment: tracking.shipment,
                entry,
            }));
        }
    }
    ingested.published = publications.len();
    // Last, because others who publish for the team wait from here on.
    feed::publish(tx, team, &publications, now)?;
    Ok(ingested)
}

/// What is new of a parcel, and how many events its history has no room for.
fn change_of(
    tracking: &Tracking,
    seen: HashSet<[u8; 32]>,
    answer: &TrackingAnswer,
    now: Time,
) -> (TrackingChange, u64) {
    let room = HISTORY_MAX.saturating_sub(seen.len());
    let known = Known { summary: tracking.summary, seen };
    let mut change = diff(&known, &answer.clone().into_report(), now);
    let left_out = change.entries.len().saturating_sub(room);
    if left_out > 0 {
        change.entries.truncate(room);
        // The summary is the fold of what is kept.
        let last = change.entries.last().map(|entry| entry.after);
        change.summary = last.unwrap_or(tracking.summary);
    }
    (change, left_out as u64)
}

/// When the carrier is asked again. A parcel that was not heard of for too long is given up.
fn next_poll(
    source: &Source,
    tracking: &Tracking,
    change: &mut TrackingChange,
    answer: &TrackingAnswer,
    now: Time,
) -> Option<Time> {
    let (booked_at, poll_at, summary) = (tracking.created_at, tracking.look_at, change.summary);
    let parcel = PolledParcel { booked_at, poll_at, summary };
    let next = match source {
        Source::Poll { pace, .. } => parcel.after_poll(answer, *pace, now),
        Source::Callback => parcel.after_callback(),
    };
    match next {
        NextPoll::At(at) => Some(at),
        NextPoll::Never => None,
        NextPoll::Expired => {
            expire(change, now);
            None
        }
    }
}

/// Gives the parcel up, with an event of our own.
fn expire(change: &mut TrackingChange, now: Time) {
    let event = TrackingEvent {
        what: What::Seen(Status::Expired),
        happened_at: None,
        location: None,
        coordinates: None,
        note: None,
        estimate: None,
        fingerprint: fingerprint(&["expired", &now.to_string()]),
    };
    change.summary.apply(&event, now);
    change.entries.push(Entry { event, after: change.summary });
}

/// The event for webhooks: there is something new of this parcel.
fn tracking_event(
    tx: &mut Tx<'_>,
    ids: &dyn IdSource,
    team: TeamId,
    tracking: &Tracking,
    now: Time,
) -> Result<Event, Error> {
    let about = ("tracking_uuid", tracking.id.into());
    let event = Event::new(EventId(ids.uuid()), EventKind::TrackingUpdated, now, about)
        .with("shipment_uuid", tracking.shipment.into());
    let batch = shipments::find_batch(tx, team, tracking.shipment)?;
    Ok(match batch {
        Some(batch) => event.in_batch(batch),
        None => event,
    })
}

fn count(ingested: &IngestSummary) {
    metrics::counter!("waybill_tracking_entries_total").increment(ingested.published as u64);
    for (shipment, request_id, events) in &ingested.quarantined {
        metrics::counter!("waybill_tracking_quarantined_total").increment(*events);
        tracing::warn!(%shipment, request_id, events, "events of a carrier were set aside");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_part_of_an_answer_says_when_to_ask_again() {
        let event = || Err(waybill_domain::tracking::Unreadable::new("{}", "it is empty"));
        let report = |count| {
            let events = (0..count).map(|_| event()).collect();
            TrackingAnswer::Report(TrackingReport { events, ..TrackingReport::default() })
        };
        let answers = [("A".to_owned(), report(60)), ("B".to_owned(), report(250))];
        let parts = in_parts(answers.into());
        let of = |(number, answer): &NumberAnswer| {
            let report = answer.clone().into_report();
            (number.clone(), report.events.len(), report.is_continued)
        };
        let found: Vec<Vec<_>> = parts.iter().map(|part| part.iter().map(of).collect()).collect();
        let (a, b) = (|| "A".to_owned(), || "B".to_owned());
        assert_eq!(found[0], [(a(), 60, false), (b(), 40, true)]);
        assert_eq!(found[1], [(b(), 100, true)]);
        assert_eq!(found[2], [(b(), 100, true)]);
        assert_eq!(found[3], [(b(), 10, false)]);
    }
}
