//! Parcels that are followed: what is known of each, and when its carrier is asked again. What was
//! heard of them is in `feed`.

mod schedule;

use uuid::Uuid;
use waybill_domain::event::Event;
use waybill_domain::ids::{AccountId, ShipmentId, TeamId, TrackingId};
use waybill_domain::shipment::Window;
use waybill_domain::time::Time;
use waybill_domain::tracking::{State, Status, TrackingSummary, Unreadable};

use crate::{Cell, Column, FromRow, Param, Result, Row, Tx, events};

pub use schedule::{
    Unscheduled, any_take_unscheduled, list_due, next_poll_at, set_poll_at, stop_polling,
};

/// A parcel that is followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tracking {
    /// Its id.
    pub id: TrackingId,
    /// The shipment that it is a parcel of.
    pub shipment: ShipmentId,
    /// The parcel.
    pub parcel: Uuid,
    /// The parcel's place in its shipment.
    pub place: i64,
    /// The account that it was booked with.
    pub account: AccountId,
    /// The carrier that it was booked with.
    pub carrier_code: String,
    /// The service that it was booked with.
    pub service_code: String,
    /// The number that the carrier knows it by.
    pub number: String,
    /// Where people follow it.
    pub url: Option<String>,
    /// What is known of it.
    pub summary: TrackingSummary,
    /// When it was booked.
    pub created_at: Time,
    /// When the carrier is asked again.
    pub look_at: Option<Time>,
}

impl FromRow for Tracking {
    fn from_row(row: &mut Row<'_>) -> Result<Tracking> {
        Ok(Tracking {
            id: row.next()?,
            shipment: row.next()?,
            parcel: row.next()?,
            place: row.next()?,
            account: row.next()?,
            carrier_code: row.next()?,
            service_code: row.next()?,
            number: row.next()?,
            url: row.next()?,
            summary: row.next()?,
            created_at: row.next()?,
            look_at: row.next()?,
        })
    }
}

impl FromRow for TrackingSummary {
    fn from_row(row: &mut Row<'_>) -> Result<TrackingSummary> {
        Ok(TrackingSummary {
            state: row.next()?,
            status: row.next()?,
            newest_at: row.next()?,
            estimate: row.next::<Span>()?.0,
            estimated_at: row.next()?,
            delivered_at: row.next()?,
            returned_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

/// Two columns that are a window, or nothing.
pub(crate) struct Span(pub(crate) Option<Window>);

impl FromRow for Span {
    fn from_row(row: &mut Row<'_>) -> Result<Span> {
        let (start, end): (Option<Time>, Option<Time>) = row.next()?;
        Ok(Span(start.zip(end).map(|(start, end)| Window { start, end })))
    }
}

impl Column for State {
    fn from_cell(cell: Cell<'_>) -> Option<State> {
        match cell {
            Cell::Text(text) => State::parse(text),
            _ => None,
        }
    }
}

impl Column for Status {
    fn from_cell(cell: Cell<'_>) -> Option<Status> {
        match cell {
            Cell::Text(text) => Status::parse(text),
            _ => None,
        }
    }
}

impl From<State> for Param<'_> {
    fn from(state: State) -> Self {
        state.name().into()
    }
}

impl From<Status> for Param<'_> {
    fn from(status: Status) -> Self {
        status.code().into()
    }
}

/// Follows a parcel from now on. Doing so again only makes sure of its alarm.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, tracking: &Tracking) -> Result<()> {
    tx.exec_later(
        "INSERT INTO tracking (team, id, shipment, parcel, place, account, carrier_code,
                               service_code, number, url, state, created_at, look_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'Pending', $11, $12)
         ON CONFLICT (team, id) DO NOTHING",
        &[
            team.into(),
            tracking.id.into(),
            tracking.shipment.into(),
            tracking.parcel.into(),
            tracking.place.into(),
            tracking.account.into(),
            (&tracking.carrier_code).into(),
            (&tracking.service_code).into(),
            (&tracking.number).into(),
            tracking.url.as_deref().into(),
            tracking.created_at.into(),
            tracking.look_at.into(),
        ],
    )?;
    schedule::insert_unscheduled(tx, team, tracking)
}

/// The team's tracking.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: TrackingId) -> Result<Option<Tracking>> {
    tx.one(
        "SELECT id, shipment, parcel, place, account, carrier_code, service_code, number, url,
                state, status, newest_at, estimate_start, estimate_end, estimated_at,
                delivered_at, returned_at, updated_at, created_at, look_at
           FROM tracking WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )
}

/// The trackings of a shipment, in the order of its parcels.
pub fn list_of(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<Vec<Tracking>> {
    tx.all(
        "SELECT id, shipment, parcel, place, account, carrier_code, service_code, number, url,
                state, status, newest_at, estimate_start, estimate_end, estimated_at,
                delivered_at, returned_at, updated_at, created_at, look_at
           FROM tracking WHERE team = $1 AND shipment = $2 ORDER BY place",
        &[team.into(), shipment.into()],
    )
}

/// The trackings with this number, two at most: more than one cannot be told apart.
pub fn list_by_number(
    tx: &mut Tx<'_>,
    team: TeamId,
    number: &str,
    carrier_code: Option<&str>,
    shipment: Option<ShipmentId>,
) -> Result<Vec<Tracking>> {
    tx.all(
        "SELECT id, shipment, parcel, place, account, carrier_code, service_code, number, url,
                state, status, newest_at, estimate_start, estimate_end, estimated_at,
                delivered_at, returned_at, updated_at, created_at, look_at
           FROM tracking WHERE team = $1 AND number = $2
            AND (CAST($3 AS TEXT) IS NULL OR carrier_code = $3)
            AND (CAST($4 AS UUID) IS NULL OR shipment = $4)
          ORDER BY id LIMIT 2",
        &[team.into(), number.into(), carrier_code.into(), shipment.into()],
    )
}

/// The trackings of an account with this number. Nobody else changes them before this transaction
/// ends.
pub fn lock_by_number(
    tx: &mut Tx<'_>,
    team: TeamId,
    account: AccountId,
    number: &str,
) -> Result<Vec<Tracking>> {
    tx.all(
        "SELECT id, shipment, parcel, place, account, carrier_code, service_code, number, url,
                state, status, newest_at, estimate_start, estimate_end, estimated_at,
                delivered_at, returned_at, updated_at, created_at, look_at
           FROM tracking WHERE team = $1 AND number = $2 AND account = $3
          ORDER BY id FOR UPDATE",
        &[team.into(), number.into(), account.into()],
    )
}

/// Trackings that were made within a time, the oldest first, after this one: for reports, which go
/// through them a page at a time.
pub fn list_created(
    tx: &mut Tx<'_>,
    team: TeamId,
    (from, to): (Time, Time),
    (after, after_id): (Time, Uuid),
    limit: i64,
) -> Result<Vec<Tracking>> {
    tx.all(
        "SELECT id, shipment, parcel, place, account, carrier_code, service_code, number, url,
                state, status, newest_at, estimate_start, estimate_end, estimated_at,
                delivered_at, returned_at, updated_at, created_at, look_at
           FROM tracking
          WHERE team = $1 AND created_at >= $2 AND created_at < $3 AND (created_at, id) > ($4, $5)
          ORDER BY created_at, id LIMIT $6",
        &[team.into(), from.into(), to.into(), after.into(), after_id.into(), limit.into()],
    )
}

/// Sets what is known of it, and when its carrier is asked again, and tells webhooks so.
pub fn change(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: TrackingId,
    summary: &TrackingSummary,
    poll_at: Option<Time>,
    event: &Event,
) -> Result<()> {
    tx.exec(
        "UPDATE tracking SET state = $3, status = $4, newest_at = $5, estimate_start = $6,
                estimate_end = $7, estimated_at = $8, delivered_at = $9, returned_at = $10,
                updated_at = $11, look_at = $12
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            id.into(),
            summary.state.into(),
            summary.status.into(),
            summary.newest_at.into(),
            summary.estimate.map(|window| window.start).into(),
            summary.estimate.map(|window| window.end).into(),
            summary.estimated_at.into(),
            summary.delivered_at.into(),
            summary.returned_at.into(),
            summary.updated_at.into(),
            poll_at.into(),
        ],
    )?;
    events::append(tx, team, event)
}

/// Sets where people follow it.
pub fn set_url(tx: &mut Tx<'_>, team: TeamId, id: TrackingId, url: &str) -> Result<()> {
    tx.exec(
        "UPDATE tracking SET url = $3 WHERE team = $1 AND id = $2",
        &[team.into(), id.into(), url.into()],
    )?;
    Ok(())
}

/// Sets aside what a carrier said. True when it was not known before.
pub fn quarantine(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: TrackingId,
    unreadable: &Unreadable,
    now: Time,
) -> Result<bool> {
    let rows = tx.exec(
        "INSERT INTO tracking_quarantine (team, tracking, fingerprint, raw, why, recorded_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (team, tracking, fingerprint) DO NOTHING",
        &[
            team.into(),
            id.into(),
            (&unreadable.fingerprint).into(),
            (&unreadable.raw).into(),
            (&unreadable.why).into(),
            now.into(),
        ],
    )?;
    Ok(rows == 1)
}

/// What was set aside: when, what it was and why.
pub fn list_quarantined(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: TrackingId,
) -> Result<Vec<(Time, String, String)>> {
    tx.all(
        "SELECT recorded_at, raw, why FROM tracking_quarantine
          WHERE team = $1 AND tracking = $2 ORDER BY recorded_at LIMIT 1000",
        &[team.into(), id.into()],
    )
}

/// Forgets up to `limit` of what was set aside before this time, oldest first.
pub fn any_delete_quarantined(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "WITH old AS MATERIALIZED (
             SELECT team, tracking, fingerprint FROM tracking_quarantine
              WHERE recorded_at < $1 ORDER BY recorded_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         DELETE FROM tracking_quarantine
          WHERE (team, tracking, fingerprint) IN (SELECT team, tracking, fingerprint FROM old)",
        &[before.into(), limit.into()],
    )
}
