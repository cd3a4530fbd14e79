//! What carriers say about parcels, on its way into the store: asked for by the worker, or sent to
//! us as callbacks. Everything that one message changes is one transaction, unless it is very long:
//! the history, the parcels' summary, the feed and the events for webhooks.
//!
//! Neither a shipment's booking nor its `updated_at` is touched.

use std::collections::BTreeMap;

use waybill_domain::event::{Event as WebhookEvent, EventKind};
use waybill_domain::ids::{AccountId, EventId, IdSource, ShipmentId, TeamId};
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Change, Entry, Event, Known, Look, Snapshot, Status, TrackingSummary, What, diff, fingerprint,
};
use waybill_store::feed::{self, Publication};
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx, events, shipments};

/// Events that are taken in by one transaction: others want to write too.
const EVENTS_MAX: usize = 100;
/// Events that are kept of one parcel. No parcel has so many; all of them are read when there is
/// another.
const HISTORY_MAX: usize = 1000;

/// A message in parts of so many events, in their order. A carrier that sends a message again
/// because we failed at a later part repeats what we know already.
pub fn in_parts(snapshots: Vec<Snapshot>) -> Vec<Vec<Snapshot>> {
    let (mut parts, mut part, mut room) = (Vec::new(), Vec::new(), EVENTS_MAX);
    for mut snapshot in snapshots {
        while snapshot.events.len() > room {
            let later = snapshot.events.split_off(room);
            let events = std::mem::replace(&mut snapshot.events, later);
            part.push(Snapshot { events, number: snapshot.number.clone(), ..Snapshot::default() });
            parts.push(std::mem::take(&mut part));
            room = EVENTS_MAX;
        }
        // One without events takes some room too.
        room = room.saturating_sub(snapshot.events.len().max(1));
        part.push(snapshot);
    }
    parts.push(part);
    parts
}

/// What became of a message.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct IngestSummary {
    /// Entries that were published.
    pub published: usize,
    /// Events that were set aside: of which shipment, which request made it, and how many.
    pub quarantined: Vec<(ShipmentId, Option<String>, u64)>,
}

/// Takes in what a carrier says about parcels of an account. `look` says when each parcel is looked
/// at again, after what was said about it.
pub fn ingest(
    tx: &mut Tx<'_>,
    ids: &dyn IdSource,
    (team, account): (TeamId, AccountId),
    snapshots: &[Snapshot],
    now: Time,
    look: impl Fn(&Tracking, &TrackingSummary, &Snapshot) -> Look,
) -> Result<IngestSummary, Error> {
    let mut heard = IngestSummary::default();
    let mut publications = Vec::new();
    for snapshot in by_number(snapshots).values() {
        for tracking in trackings::lock_by_number(tx, team, account, &snapshot.number)? {
            let seen = feed::list_seen(tx, team, tracking.id)?;
            let room = HISTORY_MAX.saturating_sub(seen.len());
            let mut change = diff(&Known { summary: tracking.summary, seen }, snapshot, now);
            let left_out = change.entries.len().saturating_sub(room);
            change.entries.truncate(room);
            if left_out > 0 {
                // The summary is the fold of what is kept.
                let last = change.entries.last().map(|entry| entry.after);
                change.summary = last.unwrap_or(tracking.summary);
            }
            let look_at = match look(&tracking, &change.summary, snapshot) {
                Look::At(at) => Some(at),
                Look::Never => None,
                Look::Expired => {
                    expire(&mut change, now);
                    None
                }
            };
            let mut count = left_out as u64;
            for unreadable in &change.unreadable {
                let is_new = trackings::quarantine(tx, team, tracking.id, unreadable, now)?;
                count += u64::from(is_new);
            }
            if count > 0 {
                let request_id = shipments::find_request_id(tx, team, tracking.shipment)?;
                heard.quarantined.push((tracking.shipment, request_id, count));
            }
            if change.entries.is_empty() {
                trackings::set_look(tx, team, tracking.id, look_at)?;
                continue;
            }
            trackings::set_summary(tx, team, tracking.id, &change.summary, look_at)?;
            let event = told(tx, ids, team, &tracking, now)?;
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
    heard.published = publications.len();
    // Last, because others who publish for the team wait from here on.
    feed::publish(tx, team, &publications, now)?;
    Ok(heard)
}

/// One snapshot for each number, in the order of the numbers, so that two messages never wait for
/// each other.
fn by_number(snapshots: &[Snapshot]) -> BTreeMap<&str, Snapshot> {
    let mut all: BTreeMap<&str, Snapshot> = BTreeMap::new();
    for snapshot in snapshots {
        let known = all.entry(&snapshot.number).or_default();
        known.number.clone_from(&snapshot.number);
        known.events.extend(snapshot.events.iter().cloned());
        known.estimate = snapshot.estimate.or(known.estimate);
        known.look_after = snapshot.look_after.or(known.look_after);
    }
    all
}

/// The parcel is given up: an event of our own.
fn expire(change: &mut Change, now: Time) {
    let event = Event {
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

/// What webhooks are told: that there is something new, and of which parcel.
fn told(
    tx: &mut Tx<'_>,
    ids: &dyn IdSource,
    team: TeamId,
    tracking: &Tracking,
    now: Time,
) -> Result<WebhookEvent, Error> {
    let about = ("tracking_uuid", tracking.id.into());
    let event = WebhookEvent::new(EventId(ids.uuid()), EventKind::TrackingUpdated, now, about)
        .with("shipment_uuid", tracking.shipment.into());
    let batch = shipments::find_batch(tx, team, tracking.shipment)?;
    Ok(match batch {
        Some(batch) => event.in_batch(batch),
        None => event,
    })
}

/// Counts what became of a message.
pub fn count(heard: &IngestSummary) {
    metrics::counter!("waybill_tracking_entries_total").increment(heard.published as u64);
    for (shipment, request_id, events) in &heard.quarantined {
        metrics::counter!("waybill_tracking_quarantined_total").increment(*events);
        tracing::warn!(%shipment, request_id, events, "events of a carrier were set aside");
    }
}
