//! The log of what happened. An event is appended in the transaction that changed the resource, so
//! there is one for every change that a webhook may subscribe to and none without. Deliveries are
//! made of it afterwards.

use uuid::Uuid;
use waybill_domain::event::Event;
use waybill_domain::ids::{EventId, TeamId};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx};

/// An event as it was written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEvent {
    /// Its id.
    pub id: EventId,
    /// The name of its kind.
    pub kind: String,
    /// When it happened.
    pub occurred_at: Time,
    /// The ids of its envelope, JSON.
    pub ids: String,
}

impl FromRow for StoredEvent {
    fn from_row(row: &mut Row<'_>) -> Result<StoredEvent> {
        Ok(StoredEvent {
            id: row.next()?,
            kind: row.next()?,
            occurred_at: row.next()?,
            ids: row.next()?,
        })
    }
}

/// An event that has no deliveries yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingEvent {
    /// Its id.
    pub id: EventId,
    /// The name of its kind.
    pub kind: String,
    /// The batch it happened in.
    pub batch: Option<Uuid>,
}

impl FromRow for PendingEvent {
    fn from_row(row: &mut Row<'_>) -> Result<PendingEvent> {
        Ok(PendingEvent { id: row.next()?, kind: row.next()?, batch: row.next()? })
    }
}

/// Writes down what happened. Call it in the transaction of the change itself.
pub fn append(tx: &mut Tx<'_>, team: TeamId, event: &Event) -> Result<()> {
    append_fanned_out(tx, team, event)?;
    tx.exec_one(
        "INSERT INTO pending_event (team, since, event, kind, batch) VALUES ($1, $2, $3, $4, $5)",
        &[
            team.into(),
            event.occurred_at.into(),
            event.id.into(),
            event.kind.into(),
            event.batch.into(),
        ],
    )?;
    Ok(())
}

/// Writes down an event that nobody but its own delivery is about.
pub fn append_fanned_out(tx: &mut Tx<'_>, team: TeamId, event: &Event) -> Result<()> {
    tx.exec_one(
        "INSERT INTO event (team, id, kind, subject, batch, ids, occurred_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            team.into(),
            event.id.into(),
            event.kind.into(),
            event.subject.into(),
            event.batch.into(),
            event.ids().to_string().into(),
            event.occurred_at.into(),
        ],
    )?;
    Ok(())
}

/// Teams with events that have no deliveries yet: those after this one, in the order of their ids.
pub fn any_pending_teams(tx: &mut Tx<'_>, after: TeamId, limit: i64) -> Result<Vec<TeamId>> {
    // One step of the index for each team, however many events it has.
    tx.all(
        "WITH RECURSIVE pending (team) AS (
             SELECT (SELECT team FROM pending_event WHERE team > $1 ORDER BY team LIMIT 1)
             UNION ALL
             SELECT (SELECT team FROM pending_event
                      WHERE team > pending.team ORDER BY team LIMIT 1)
               FROM pending WHERE pending.team IS NOT NULL)
         SELECT team FROM pending WHERE team IS NOT NULL LIMIT $2",
        &[after.into(), limit.into()],
    )
}

/// Takes events of a team that have no deliveries yet, the oldest first. They get them in the same
/// transaction: from then on they are not pending.
pub fn take_pending(tx: &mut Tx<'_>, team: TeamId, limit: i64) -> Result<Vec<PendingEvent>> {
    let mut taken: Vec<(Time, PendingEvent)> = tx.all(
        "WITH oldest AS MATERIALIZED (
             SELECT since, event FROM pending_event WHERE team = $1
              ORDER BY since, event LIMIT $2 FOR UPDATE SKIP LOCKED)
         DELETE FROM pending_event
          WHERE team = $1 AND (since, event) IN (SELECT since, event FROM oldest)
         RETURNING since, event, kind, batch",
        &[team.into(), limit.into()],
    )?;
    taken.sort_by_key(|(since, event)| (*since, event.id));
    Ok(taken.into_iter().map(|(_, event)| event).collect())
}

/// The events about a resource, oldest first.
pub fn list_of(tx: &mut Tx<'_>, team: TeamId, subject: Uuid) -> Result<Vec<StoredEvent>> {
    tx.all(
        "SELECT id, kind, occurred_at, ids FROM event
          WHERE team = $1 AND subject = $2 ORDER BY occurred_at, id",
        &[team.into(), subject.into()],
    )
}

/// Events from `since` on and after a position in that order, oldest first: the whole log is read
/// in parts. Events that only tried out a webhook are not among them.
pub fn list_since(
    tx: &mut Tx<'_>,
    team: TeamId,
    (since, after): (Time, EventId),
    limit: i64,
) -> Result<Vec<StoredEvent>> {
    tx.all(
        "SELECT id, kind, occurred_at, ids FROM event
          WHERE team = $1 AND (occurred_at, id) > ($2, $3) AND kind <> 'webhook.test'
          ORDER BY occurred_at, id LIMIT $4",
        &[team.into(), since.into(), after.into(), limit.into()],
    )
}
