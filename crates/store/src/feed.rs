//! The tracking event feed: what was heard of parcels, in the order in which it was published.
//!
//! Positions come from the team's row in `feed`, which whoever publishes holds until the commit.
//! So positions are visible in their order and without a gap: a reader that has seen one has seen
//! all before it, however many servers publish. Take them last in a transaction: others wait.

use std::collections::HashSet;

use uuid::Uuid;
use waybill_domain::ids::{ShipmentId, TeamId, TrackingId};
use waybill_domain::json::parse;
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Coordinates, NewEntry, TrackingEvent, TrackingEventKind, TrackingSummary,
};

use crate::trackings::Span;
use crate::{Cell, Column, Error, FromRow, Result, Row, Tx, epochs};

/// An entry to be published.
#[derive(Clone, PartialEq, Debug)]
pub struct EntryInsert {
    /// The id of the entry.
    pub id: Uuid,
    /// The id of the event.
    pub event_id: Uuid,
    /// The parcel that it is about.
    pub tracking: TrackingId,
    /// The parcel's shipment.
    pub shipment: ShipmentId,
    /// The event, and the parcel's summary after it.
    pub entry: NewEntry,
}

/// What was heard of a parcel, and the parcel's summary after it.
#[derive(Clone, PartialEq, Debug)]
pub struct HistoryEntry {
    /// Its position in the feed.
    pub position: i64,
    /// The id of the entry.
    pub id: Uuid,
    /// The id of the event.
    pub event_id: Uuid,
    /// The event.
    pub event: TrackingEvent,
    /// The parcel's summary after it.
    pub after: TrackingSummary,
    /// When it was published.
    pub published_at: Time,
}

/// An entry of the feed with what it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct FeedEntry {
    /// What was heard.
    pub recorded: HistoryEntry,
    /// Of which parcel.
    pub tracking: TrackingId,
    /// Of which shipment.
    pub shipment: ShipmentId,
    /// The parcel.
    pub parcel: Uuid,
    /// The number that the carrier knows it by.
    pub number: String,
    /// Where people follow it.
    pub url: Option<String>,
    /// The service that it was booked with.
    pub service_code: String,
}

/// What of the feed is wanted. Everything that is given must hold.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Of this shipment.
    pub shipment: Option<ShipmentId>,
    /// Of this parcel.
    pub tracking: Option<TrackingId>,
}

/// How far a feed goes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FeedBounds {
    /// The last position that was given.
    pub last: i64,
    /// Positions up to this one have expired.
    pub floor: i64,
}

impl Column for TrackingEventKind {
    fn from_cell(cell: Cell<'_>) -> Option<TrackingEventKind> {
        match cell {
            Cell::Text(text) => TrackingEventKind::parse(text),
            _ => None,
        }
    }
}

impl FromRow for TrackingEvent {
    fn from_row(row: &mut Row<'_>) -> Result<TrackingEvent> {
        let (kind, happened_at, location) = row.next()?;
        let coordinates: Option<String> = row.next()?;
        let unreadable = || Error::Broken("the stored place of an event cannot be read".to_owned());
        let place = |text: String| {
            let place = parse(text.as_bytes()).ok();
            place.as_ref().and_then(Coordinates::from_json).ok_or_else(unreadable)
        };
        Ok(TrackingEvent {
            kind,
            happened_at,
            location,
            coordinates: coordinates.map(place).transpose()?,
            note: row.next()?,
            estimate: row.next::<Span>()?.0,
            fingerprint: row.next()?,
        })
    }
}

impl FromRow for HistoryEntry {
    fn from_row(row: &mut Row<'_>) -> Result<HistoryEntry> {
        Ok(HistoryEntry {
            position: row.next()?,
            id: row.next()?,
            event_id: row.next()?,
            event: row.next()?,
            after: row.next()?,
            published_at: row.next()?,
        })
    }
}

impl FromRow for FeedEntry {
    fn from_row(row: &mut Row<'_>) -> Result<FeedEntry> {
        Ok(FeedEntry {
            recorded: row.next()?,
            tracking: row.next()?,
            shipment: row.next()?,
            parcel: row.next()?,
            number: row.next()?,
            url: row.next()?,
            service_code: row.next()?,
        })
    }
}

/// Publishes entries, in this order. The team's feed is locked from here to the commit.
pub fn publish(tx: &mut Tx<'_>, team: TeamId, inserts: &[EntryInsert], now: Time) -> Result<()> {
    if inserts.is_empty() {
        return Ok(());
    }
    let count = i64::try_from(inserts.len()).unwrap_or(i64::MAX);
    let last: Option<i64> = tx.one(
        "INSERT INTO feed (team, last, floor) VALUES ($1, $2, 0)
         ON CONFLICT (team) DO UPDATE SET last = feed.last + $2 RETURNING last",
        &[team.into(), count.into()],
    )?;
    let first = last.unwrap_or(count) - count + 1;
    for (position, insert) in (first..).zip(inserts) {
        insert_one(tx, team, position, insert, now)?;
    }
    Ok(())
}

fn insert_one(
    tx: &mut Tx<'_>,
    team: TeamId,
    position: i64,
    insert: &EntryInsert,
    now: Time,
) -> Result<()> {
    let EntryInsert { id, event_id, tracking, shipment, entry: NewEntry { event, after } } = insert;
    let place = event.coordinates.as_ref().map(|place| place.to_json().to_string());
    tx.exec_one(
        "INSERT INTO tracking_event (team, position, id, event, tracking, shipment, fingerprint,
                code, happened_at, location, coordinates, note, estimate_start, estimate_end,
                state, status, newest_at, after_start, after_end, estimated_at, delivered_at,
                returned_at, recorded_at, published_at, epoch)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                 $19, $20, $21, $22, $23, $23, (SELECT COALESCE(max(number), 0) FROM epoch))",
        &[
            team.into(),
            position.into(),
            (*id).into(),
            (*event_id).into(),
            (*tracking).into(),
            (*shipment).into(),
            (&event.fingerprint).into(),
            event.kind.code().into(),
            event.happened_at.into(),
            event.location.as_deref().into(),
            place.into(),
            event.note.as_deref().into(),
            event.estimate.map(|window| window.start).into(),
            event.estimate.map(|window| window.end).into(),
            after.state.into(),
            after.status.into(),
            after.newest_at.into(),
            after.estimate.map(|window| window.start).into(),
            after.estimate.map(|window| window.end).into(),
            after.estimated_at.into(),
            after.delivered_at.into(),
            after.returned_at.into(),
            now.into(),
        ],
    )?;
    Ok(())
}

/// How far the team's feed goes. Read it in the transaction that reads entries.
pub fn bounds(tx: &mut Tx<'_>, team: TeamId) -> Result<FeedBounds> {
    let found: Option<(i64, i64)> =
        tx.one("SELECT last, floor FROM feed WHERE team = $1", &[team.into()])?;
    Ok(found.map(|(last, floor)| FeedBounds { last, floor }).unwrap_or_default())
}

/// Whether a position was told of this feed: in an epoch that this database knows, and not by a
/// copy of it that went on without the entry which is at that position now.
pub fn is_known_position(
    tx: &mut Tx<'_>,
    team: TeamId,
    position: i64,
    epoch: Uuid,
) -> Result<bool> {
    let Some(told_in) = epochs::find(tx, epoch)? else { return Ok(false) };
    let published_in: Option<i64> = tx.one(
        "SELECT epoch FROM tracking_event WHERE team = $1 AND position = $2",
        &[team.into(), position.into()],
    )?;
    Ok(published_in.is_none_or(|published_in| published_in <= told_in))
}

/// Up to `limit` entries after a position, in their order.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filter: Filter,
    after: i64,
    limit: i64,
) -> Result<Vec<FeedEntry>> {
    macro_rules! entries {
        ($filter:literal) => {
            concat!(
                "SELECT tracking_event.position, tracking_event.id, event, code, happened_at,
                        location, coordinates, note, tracking_event.estimate_start,
                        tracking_event.estimate_end, fingerprint, tracking_event.state,
                        tracking_event.status, tracking_event.newest_at, after_start, after_end,
                        tracking_event.estimated_at, tracking_event.delivered_at,
                        tracking_event.returned_at, recorded_at, published_at, tracking.id,
                        tracking.shipment, parcel, number, url, service_code
                   FROM tracking_event
                   JOIN tracking ON tracking.team = tracking_event.team
                                AND tracking.id = tracking_event.tracking
                  WHERE tracking_event.team = $1 AND position > $2",
                $filter,
                " ORDER BY position LIMIT $3"
            )
        };
    }
    let (team, after, limit) = (team.into(), after.into(), limit.into());
    match (filter.shipment, filter.tracking) {
        (None, None) => tx.all(entries!(""), &[team, after, limit]),
        (Some(shipment), None) => {
            let of = entries!(" AND tracking_event.shipment = $4");
            tx.all(of, &[team, after, limit, shipment.into()])
        }
        (None, Some(tracking)) => {
            let of = entries!(" AND tracking_event.tracking = $4");
            tx.all(of, &[team, after, limit, tracking.into()])
        }
        (Some(shipment), Some(tracking)) => {
            let of = entries!(" AND tracking_event.tracking = $4 AND tracking_event.shipment = $5");
            tx.all(of, &[team, after, limit, tracking.into(), shipment.into()])
        }
    }
}

/// The whole history of a parcel, in the order in which it was recorded.
pub fn list_of(tx: &mut Tx<'_>, team: TeamId, tracking: TrackingId) -> Result<Vec<HistoryEntry>> {
    tx.all(
        "SELECT position, id, event, code, happened_at, location, coordinates, note,
                estimate_start, estimate_end, fingerprint, state, status, newest_at, after_start,
                after_end, estimated_at, delivered_at, returned_at, recorded_at, published_at
           FROM tracking_event WHERE team = $1 AND tracking = $2 ORDER BY position",
        &[team.into(), tracking.into()],
    )
}

/// The fingerprints of what was heard of a parcel.
pub fn list_seen(tx: &mut Tx<'_>, team: TeamId, tracking: TrackingId) -> Result<HashSet<[u8; 32]>> {
    let seen: Vec<[u8; 32]> = tx.all(
        "SELECT fingerprint FROM tracking_event WHERE team = $1 AND tracking = $2",
        &[team.into(), tracking.into()],
    )?;
    Ok(seen.into_iter().collect())
}

/// The teams that have a feed, after this one.
pub fn any_teams(tx: &mut Tx<'_>, after: TeamId, limit: i64) -> Result<Vec<TeamId>> {
    tx.all(
        "SELECT team FROM feed WHERE team > $1 ORDER BY team LIMIT $2",
        &[after.into(), limit.into()],
    )
}

/// Lets entries expire that were published before this time, up to `limit` of them; they stay in
/// the history of their parcels. An entry is never outlived by one before it. True when there may
/// be more.
pub fn raise_floor(tx: &mut Tx<'_>, team: TeamId, before: Time, limit: i64) -> Result<bool> {
    let FeedBounds { last, floor } = bounds(tx, team)?;
    let end = floor.saturating_add(limit).min(last);
    let kept: Option<i64> = tx.one(
        "SELECT position FROM tracking_event
          WHERE team = $1 AND position > $2 AND position <= $3 AND published_at >= $4
          ORDER BY position LIMIT 1",
        &[team.into(), floor.into(), end.into(), before.into()],
    )?;
    let floor = kept.map_or(end, |kept| kept - 1);
    tx.exec(
        "UPDATE feed SET floor = $2 WHERE team = $1 AND floor < $2 AND last >= $2",
        &[team.into(), floor.into()],
    )?;
    Ok(kept.is_none() && end < last)
}
