//! The log of what happened. An event is appended in the transaction that changed the resource, so
//! there is one for every change and none without; it is told to webhooks afterwards.

use uuid::Uuid;
use waybill_domain::event::Event;
use waybill_domain::ids::{EventId, TeamId};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx};

/// An event as it was written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Its id.
    pub id: EventId,
    /// The name of its kind.
    pub kind: String,
    /// When it happened.
    pub occurred_at: Time,
    /// The ids of its envelope, JSON.
    pub ids: String,
}

impl FromRow for Stored {
    fn from_row(row: &mut Row<'_>) -> Result<Stored> {
        Ok(Stored {
            id: row.next()?,
            kind: row.next()?,
            occurred_at: row.next()?,
            ids: row.next()?,
        })
    }
}

/// An event that webhooks have not been told of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingEvent {
    /// Whose it is.
    pub team: TeamId,
    /// Its id.
    pub id: EventId,
    /// The name of its kind.
    pub kind: String,
    /// The batch it happened in.
    pub batch: Option<Uuid>,
}

impl FromRow for PendingEvent {
    fn from_row(row: &mut Row<'_>) -> Result<PendingEvent> {
        Ok(PendingEvent {
            team: row.next()?,
            id: row.next()?,
            kind: row.next()?,
            batch: row.next()?,
        })
    }
}

/// Writes down what happened. Call it in the transaction of the change itself.
pub fn append(tx: &mut Tx<'_>, team: TeamId, event: &Event) -> Result<()> {
    write(tx, team, event, Some(event.occurred_at))
}

/// Writes down an event that nobody but its own delivery is about.
pub fn append_fanned_out(tx: &mut Tx<'_>, team: TeamId, event: &Event) -> Result<()> {
    write(tx, team, event, None)
}

fn write(tx: &mut Tx<'_>, team: TeamId, event: &Event, untold_since: Option<Time>) -> Result<()> {
    tx.exec(
        "INSERT INTO event (team, id, kind, subject, batch, ids, occurred_at, untold_since)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            team.into(),
            event.id.into(),
            event.kind.into(),
            event.subject.into(),
            event.batch.into(),
            event.ids().to_string().into(),
            event.occurred_at.into(),
            untold_since.into(),
        ],
    )?;
    Ok(())
}

/// Takes events that webhooks have not been told of, the oldest first. Whoever takes them calls
/// [`set_fanned_out`] in the same transaction; others pass them over meanwhile.
pub fn any_pending(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<PendingEvent>> {
    tx.all(
        "SELECT team, id, kind, batch FROM event
          WHERE untold_since IS NOT NULL ORDER BY untold_since LIMIT $1 FOR UPDATE SKIP LOCKED",
        &[limit.into()],
    )
}

/// Notes that the event has its deliveries.
pub fn set_fanned_out(tx: &mut Tx<'_>, team: TeamId, id: EventId) -> Result<()> {
    tx.exec(
        "UPDATE event SET untold_since = NULL WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )?;
    Ok(())
}

/// The events about a resource, oldest first.
pub fn list_of(tx: &mut Tx<'_>, team: TeamId, subject: Uuid) -> Result<Vec<Stored>> {
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
) -> Result<Vec<Stored>> {
    tx.all(
        "SELECT id, kind, occurred_at, ids FROM event
          WHERE team = $1 AND (occurred_at, id) > ($2, $3) AND kind <> 'webhook.test'
          ORDER BY occurred_at, id LIMIT $4",
        &[team.into(), since.into(), after.into(), limit.into()],
    )
}
