//! Stores what carriers say about parcels, whether the worker asked or a callback came. Everything
//! that one message changes is one transaction, unless it is very long: the history, the parcels'
//! summaries, the feed and the events for webhooks.
//!
//! Neither a shipment's booking nor its `updated_at` is touched.

use std::collections::BTreeMap;

use waybill_carriers::tracking::NumberAnswer;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{AccountId, EventId, IdSource, ShipmentId, TeamId};
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    PolledParcel, TakenIn, TrackingAnswer, TrackingReport, Trigger, take_in,
};
use waybill_store::feed::{self, EntryInsert};
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx, jobs, shipments, teams};

use crate::app::App;
use crate::lease;

/// The most events that one transaction takes in: others want to write too.
const EVENTS_MAX: usize = 100;
/// What became of a message, or of a part of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct IngestSummary {
    /// How many entries were published.
    pub published: usize,
    /// How many events were new and had no room in the history of their parcel. Nobody remembers
    /// them: one that the carrier repeats is counted again.
    pub left_out: usize,
    /// The parcels of which not everything was recorded, told for each once.
    pub unrecorded: Vec<Unrecorded>,
}

/// What was not recorded of a parcel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrecorded {
    /// The parcel's shipment.
    pub shipment: ShipmentId,
    /// The request that made it.
    pub request_id: Option<String>,
    /// How many events were set aside.
    pub quarantined: u64,
    /// Whether the history became full: what follows is left out.
    pub is_full_now: bool,
}

/// Takes in what a carrier says about parcels of an account, and counts it. Returns how many
/// entries were published, or nothing when another worker has the job that asked by now, or when
/// the team was deleted.
pub async fn ingest(
    app: &App,
    (team, account): (TeamId, AccountId),
    trigger: Trigger,
    job: Option<&jobs::Claimed>,
    answers: Vec<NumberAnswer>,
) -> Result<Option<usize>, Error> {
    let mut published = 0;
    for part in in_parts(by_number(answers)) {
        let (ids, job, now) = (app.ids().clone(), job.cloned(), app.now());
        let write = move |tx: &mut Tx<'_>| {
            match teams::hold(tx, team) {
                Err(Error::TeamDeleted) => return Ok(None),
                held => held?,
            }
            if let Some(job) = &job
                && !lease::renew(tx, job, now)?
            {
                return Ok(None);
            }
            ingest_part(tx, ids.as_ref(), (team, account), trigger, &part, now).map(Some)
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
    trigger: Trigger,
    answers: &[NumberAnswer],
    now: Time,
) -> Result<IngestSummary, Error> {
    let mut ingested = IngestSummary::default();
    let mut inserts = Vec::new();
    for (number, answer) in answers {
        for tracking in trackings::lock_by_number(tx, team, account, number)? {
            let seen = feed::list_seen(tx, team, tracking.id)?;
            let taken = take_in(&polled(&tracking), seen, answer, trigger, now);
            note_unrecorded(tx, team, &tracking, &taken, now, &mut ingested)?;
            let (change, poll_at) = (taken.change, taken.poll_at);
            if change.entries.is_empty() {
                trackings::set_poll_at(tx, team, tracking.id, poll_at)?;
                continue;
            }
            let event = tracking_event(tx, ids, team, &tracking, now)?;
            trackings::change(tx, team, tracking.id, &change.summary, poll_at, &event)?;
            inserts.extend(change.entries.into_iter().map(|entry| EntryInsert {
                id: ids.uuid(),
                event_id: ids.uuid(),
                tracking: tracking.id,
                shipment: tracking.shipment,
                entry,
            }));
        }
    }
    ingested.published = inserts.len();
    // Last, because others who publish for the team wait from here on.
    feed::publish(tx, team, &inserts, now)?;
    Ok(ingested)
}

fn polled(tracking: &Tracking) -> PolledParcel {
    let Tracking { created_at: booked_at, look_at: poll_at, summary, .. } = *tracking;
    PolledParcel { booked_at, poll_at, summary }
}

/// Sets aside what cannot be read, and notes what has no room.
fn note_unrecorded(
    tx: &mut Tx<'_>,
    team: TeamId,
    tracking: &Tracking,
    taken: &TakenIn,
    now: Time,
    ingested: &mut IngestSummary,
) -> Result<(), Error> {
    let mut quarantined = 0;
    for unreadable in &taken.change.unreadable {
        let is_new = trackings::quarantine(tx, team, tracking.id, unreadable, now)?;
        quarantined += u64::from(is_new);
    }
    ingested.left_out += taken.left_out;
    if quarantined > 0 || taken.is_full_now {
        let request_id = shipments::find_request_id(tx, team, tracking.shipment)?;
        let (shipment, is_full_now) = (tracking.shipment, taken.is_full_now);
        ingested.unrecorded.push(Unrecorded { shipment, request_id, quarantined, is_full_now });
    }
    Ok(())
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
    metrics::counter!("waybill_tracking_left_out_total").increment(ingested.left_out as u64);
    for Unrecorded { shipment, request_id, quarantined, is_full_now } in &ingested.unrecorded {
        metrics::counter!("waybill_tracking_quarantined_total").increment(*quarantined);
        if *quarantined > 0 {
            let events = quarantined;
            tracing::warn!(%shipment, request_id, events, "events of a carrier were set aside");
        }
        if *is_full_now {
            tracing::warn!(%shipment, request_id, "a parcel has too many events: no more are kept");
        }
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
