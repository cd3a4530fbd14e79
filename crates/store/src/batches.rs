//! Batches: their state and counts, which change in the transaction that changes a member, and
//! their members in the order in which they were added.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::batch::{BatchState, Counts, Tally};
use waybill_domain::ids::{BatchId, ShipmentId, TeamId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;

use crate::shipments::{self, Shipment};
use crate::{Cell, Column, FromRow, Param, Result, Row, Tx};

/// A batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// Its id.
    pub id: BatchId,
    /// Where it is.
    pub state: BatchState,
    /// The caller's own id.
    pub identifier: Option<String>,
    /// A reference for people.
    pub reference: Option<String>,
    /// How many members were ever added: the position of the next.
    pub member_count: i64,
    /// What the members count as.
    pub counts: Counts,
    /// When it was made.
    pub created_at: Time,
    /// When anything of it last changed.
    pub updated_at: Time,
    /// When it was started.
    pub started_at: Option<Time>,
    /// When it was over.
    pub finished_at: Option<Time>,
    /// Where its own callback goes and the kinds that it hears of.
    pub callback: Option<(String, String)>,
}

impl FromRow for Batch {
    fn from_row(row: &mut Row<'_>) -> Result<Batch> {
        Ok(Batch {
            id: row.next()?,
            state: row.next()?,
            identifier: row.next()?,
            reference: row.next()?,
            member_count: row.next()?,
            counts: Counts {
                pending: row.next()?,
                processing: row.next()?,
                booked: row.next()?,
                failed: row.next()?,
                cancelled: row.next()?,
            },
            created_at: row.next()?,
            updated_at: row.next()?,
            started_at: row.next()?,
            finished_at: row.next()?,
            callback: {
                let (url, kinds): (Option<String>, Option<String>) = (row.next()?, row.next()?);
                url.zip(kinds)
            },
        })
    }
}

impl Column for BatchState {
    fn from_cell(cell: Cell<'_>) -> Option<BatchState> {
        match cell {
            Cell::Text(text) => BatchState::parse(text),
            _ => None,
        }
    }
}

impl From<BatchState> for Param<'_> {
    fn from(state: BatchState) -> Self {
        state.name().into()
    }
}

/// The columns of a batch with its callback.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT batch.id, batch.state, identifier, reference, member_count, pending_count,
                    processing_count, booked_count, failed_count, cancelled_count,
                    batch.created_at, batch.updated_at, started_at, finished_at, url, kinds
               FROM batch LEFT JOIN webhook
                 ON webhook.team = batch.team AND webhook.batch = batch.id ",
            $rest
        )
    };
}

/// Adds a batch. Its callback is a webhook, added in the same transaction.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, batch: &Batch) -> Result<()> {
    tx.exec(
        "INSERT INTO batch (team, id, state, identifier, reference, member_count, pending_count,
                processing_count, booked_count, failed_count, cancelled_count, created_at,
                updated_at)
         VALUES ($1, $2, $3, $4, $5, 0, 0, 0, 0, 0, 0, $6, $7)",
        &[
            team.into(),
            batch.id.into(),
            batch.state.into(),
            batch.identifier.as_deref().into(),
            batch.reference.as_deref().into(),
            batch.created_at.into(),
            batch.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// The team's batch.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: BatchId) -> Result<Option<Batch>> {
    tx.one(select!("WHERE batch.team = $1 AND batch.id = $2"), &[team.into(), id.into()])
}

/// The team's batch, which nobody else changes before this transaction ends.
pub fn lock(tx: &mut Tx<'_>, team: TeamId, id: BatchId) -> Result<Option<Batch>> {
    // On its own: a lock does not go with the join that finds the callback.
    let locked: Option<BatchId> = tx.one(
        "SELECT id FROM batch WHERE team = $1 AND id = $2 FOR UPDATE",
        &[team.into(), id.into()],
    )?;
    locked.map_or(Ok(None), |id| find(tx, team, id))
}

/// One batch more than `wanted` from the cursor on, newest first, perhaps in one state only.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    state: Option<&str>,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Batch>> {
    let forth = select!(
        "WHERE batch.team = $1 AND (CAST($4 AS TEXT) IS NULL OR batch.state = $4)
           AND batch.id < $2 ORDER BY batch.id DESC LIMIT $3"
    );
    let back = select!(
        "WHERE batch.team = $1 AND (CAST($4 AS TEXT) IS NULL OR batch.state = $4)
           AND batch.id > $2 ORDER BY batch.id LIMIT $3"
    );
    let (statement, id) = match cursor {
        None => (forth, Uuid::max()),
        Some(Cursor { direction: Direction::Next, id, .. }) => (forth, id),
        Some(Cursor { direction: Direction::Previous, id, .. }) => (back, id),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(statement, &[team.into(), id.into(), limit.into(), state.into()])
}

/// Writes state, counts and times of a batch that was [`lock`]ed in this transaction.
pub fn set(tx: &mut Tx<'_>, team: TeamId, batch: &Batch) -> Result<()> {
    tx.exec(
        "UPDATE batch SET state = $3, member_count = $4, pending_count = $5,
                processing_count = $6, booked_count = $7, failed_count = $8,
                cancelled_count = $9, updated_at = $10, started_at = $11, finished_at = $12
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            batch.id.into(),
            batch.state.into(),
            batch.member_count.into(),
            batch.counts.pending.into(),
            batch.counts.processing.into(),
            batch.counts.booked.into(),
            batch.counts.failed.into(),
            batch.counts.cancelled.into(),
            batch.updated_at.into(),
            batch.started_at.into(),
            batch.finished_at.into(),
        ],
    )?;
    Ok(())
}

/// The first member that is not begun.
pub fn next_member(tx: &mut Tx<'_>, team: TeamId, id: BatchId) -> Result<Option<Shipment>> {
    let next: Option<ShipmentId> = tx.one(
        "SELECT id FROM shipment WHERE team = $1 AND batch = $2 AND state = 'pending'
          ORDER BY batch_position LIMIT 1",
        &[team.into(), id.into()],
    )?;
    next.map_or(Ok(None), |next| shipments::find(tx, team, next))
}

/// Begins a member: from here on it is booked like any shipment, and its deadlines count from now.
pub fn begin_member(
    tx: &mut Tx<'_>,
    team: TeamId,
    member: &mut Shipment,
    now: Time,
    (deadline, give_up): (Duration, Duration),
) -> Result<()> {
    member.state = ShipmentState::Processing;
    member.updated_at = now;
    (member.deadline_at, member.give_up_at) = (now.plus(deadline), now.plus(give_up));
    tx.exec(
        "UPDATE shipment SET state = 'processing', updated_at = $3, deadline_at = $4,
                give_up_at = $5
          WHERE team = $1 AND id = $2 AND state = 'pending'",
        &[
            team.into(),
            member.id.into(),
            now.into(),
            member.deadline_at.into(),
            member.give_up_at.into(),
        ],
    )?;
    Ok(())
}

/// Cancels every member that is not begun, and tells which.
pub fn cancel_pending(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: BatchId,
    now: Time,
) -> Result<Vec<ShipmentId>> {
    tx.all(
        "UPDATE shipment SET state = 'cancelled', step = 'done', cancelled_at = $3,
                updated_at = $3
          WHERE team = $1 AND batch = $2 AND state = 'pending' RETURNING id",
        &[team.into(), id.into(), now.into()],
    )
}

/// How many of the team's batches have a member in hand.
pub fn count_running(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    let count = tx.one(
        "SELECT count(*) FROM batch WHERE team = $1 AND state IN ('processing', 'stopping')",
        &[team.into()],
    )?;
    Ok(count.unwrap_or(0))
}

/// Batches with members that have not ended, open ones too.
pub fn any_list_unfinished(tx: &mut Tx<'_>) -> Result<Vec<(TeamId, BatchId)>> {
    tx.all(
        "SELECT team, id FROM batch
          WHERE state IN ('open', 'queued', 'processing') AND member_count > 0 ORDER BY team, id",
        &[],
    )
}

/// The batch that was started first and waits for its turn.
pub fn next_queued(tx: &mut Tx<'_>, team: TeamId) -> Result<Option<BatchId>> {
    tx.one(
        "SELECT id FROM batch WHERE team = $1 AND state = 'queued'
          ORDER BY started_at, id LIMIT 1",
        &[team.into()],
    )
}

/// The position of a member, deleted or not: what one request added follows it.
pub fn position_of(tx: &mut Tx<'_>, team: TeamId, member: ShipmentId) -> Result<Option<i64>> {
    let position: Option<Option<i64>> = tx.one(
        "SELECT batch_position FROM shipment WHERE team = $1 AND id = $2",
        &[team.into(), member.into()],
    )?;
    Ok(position.flatten())
}

/// What a member counts as. Once its booking has ended it counts as that: neither a cancellation
/// nor another try at its documents changes it, only a late success.
pub fn tally(shipment: &Shipment) -> Tally {
    match (shipment.state, shipment.ending) {
        _ if shipment.booked_at.is_some() => Tally::Booked,
        (_, Some(_)) => Tally::Failed,
        (ShipmentState::Pending, None) => Tally::Pending,
        (ShipmentState::Processing, None) => Tally::Processing,
        (ShipmentState::Cancelled, None) => Tally::Cancelled,
        (_, None) => Tally::Failed,
    }
}
