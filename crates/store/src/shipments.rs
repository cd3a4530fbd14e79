//! Shipments: accepted input, which never changes, and what became of it, which changes only from
//! the step that the writer has seen.

/// Everything that a [`Shipment`] is read from, in its order.
macro_rules! select {
    ($($rest:expr),+) => {
        concat!(
            "SELECT id, state, step, ending, identifier, reference, carrier_code, service_code,
                    account, input, snapshot, parcels, codes, failure, carrier_reference,
                    carrier_data, batch, batch_position, deadline_at, give_up_at, called_at,
                    tries, created_at, updated_at, accepted_at, booked_at, cancelled_at,
                    request_id FROM shipment ",
            $($rest),+
        )
    };
}

mod list;

use uuid::Uuid;
use waybill_domain::booking::{Ending, Step};
use waybill_domain::ids::{AccountId, ShipmentId, TeamId};
use waybill_domain::time::Time;

use crate::{Cell, Column, FromRow, Param, Result, Row, Tx};

pub use list::{Filter, Sort, list, list_batch, list_created, room, room_of_batch};

/// A shipment.
#[derive(Clone, PartialEq, Debug)]
pub struct Shipment {
    /// Its id.
    pub id: ShipmentId,
    /// The public state.
    pub state: String,
    /// The step of its booking.
    pub step: Step,
    /// How its booking ended, for replays.
    pub ending: Option<Ending>,
    /// The caller's own id.
    pub identifier: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// The carrier it is booked with.
    pub carrier_code: String,
    /// The service it is booked with.
    pub service_code: String,
    /// The account it is booked with.
    pub account: AccountId,
    /// The order as accepted, JSON.
    pub input: String,
    /// What was resolved at acceptance, JSON.
    pub snapshot: String,
    /// Ids and tracking numbers of its parcels, JSON.
    pub parcels: String,
    /// QR and drop-off codes, JSON.
    pub codes: Option<String>,
    /// What went wrong, JSON.
    pub failure: Option<String>,
    /// The carrier's own name for the booking.
    pub carrier_reference: Option<String>,
    /// What the adapter wants back for later calls; nobody else reads it.
    pub carrier_data: Option<String>,
    /// The batch it is a member of.
    pub batch: Option<Uuid>,
    /// Its place in the batch.
    pub batch_position: Option<i64>,
    /// When the caller is told that it failed, at the latest.
    pub deadline_at: Time,
    /// When we stop asking the carrier.
    pub give_up_at: Time,
    /// When the open call was committed.
    pub called_at: Option<Time>,
    /// How often something was tried in this step.
    pub tries: i64,
    /// When it was accepted by us.
    pub created_at: Time,
    /// When its booking last changed.
    pub updated_at: Time,
    /// When the carrier accepted it.
    pub accepted_at: Option<Time>,
    /// When everything was ready.
    pub booked_at: Option<Time>,
    /// When it was cancelled.
    pub cancelled_at: Option<Time>,
    /// The request that made it.
    pub request_id: Option<String>,
}

impl FromRow for Shipment {
    fn from_row(row: &mut Row<'_>) -> Result<Shipment> {
        Ok(Shipment {
            id: row.next()?,
            state: row.next()?,
            step: row.next()?,
            ending: row.next()?,
            identifier: row.next()?,
            reference: row.next()?,
            carrier_code: row.next()?,
            service_code: row.next()?,
            account: row.next()?,
            input: row.next()?,
            snapshot: row.next()?,
            parcels: row.next()?,
            codes: row.next()?,
            failure: row.next()?,
            carrier_reference: row.next()?,
            carrier_data: row.next()?,
            batch: row.next()?,
            batch_position: row.next()?,
            deadline_at: row.next()?,
            give_up_at: row.next()?,
            called_at: row.next()?,
            tries: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
            accepted_at: row.next()?,
            booked_at: row.next()?,
            cancelled_at: row.next()?,
            request_id: row.next()?,
        })
    }
}

impl Column for Step {
    fn from_cell(cell: Cell<'_>) -> Option<Step> {
        match cell {
            Cell::Text(text) => Step::parse(text),
            _ => None,
        }
    }
}

impl Column for Ending {
    fn from_cell(cell: Cell<'_>) -> Option<Ending> {
        match cell {
            Cell::Text(text) => Ending::parse(text),
            _ => None,
        }
    }
}

impl From<Step> for Param<'_> {
    fn from(step: Step) -> Self {
        step.name().into()
    }
}

/// Adds a shipment.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, shipment: &Shipment) -> Result<()> {
    tx.exec(
        "INSERT INTO shipment (team, id, state, step, identifier, reference, carrier_code,
                service_code, account, input, snapshot, parcels, batch, batch_position, deadline_at,
                give_up_at, called_at, tries, created_at, updated_at, request_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                 $19, $20, $21)",
        &[
            team.into(),
            shipment.id.into(),
            (&shipment.state).into(),
            shipment.step.into(),
            shipment.identifier.as_deref().into(),
            shipment.reference.as_deref().into(),
            (&shipment.carrier_code).into(),
            (&shipment.service_code).into(),
            shipment.account.into(),
            (&shipment.input).into(),
            (&shipment.snapshot).into(),
            (&shipment.parcels).into(),
            shipment.batch.into(),
            shipment.batch_position.into(),
            shipment.deadline_at.into(),
            shipment.give_up_at.into(),
            shipment.called_at.into(),
            shipment.tries.into(),
            shipment.created_at.into(),
            shipment.updated_at.into(),
            shipment.request_id.as_deref().into(),
        ],
    )?;
    Ok(())
}

/// The team's shipment, unless it was deleted.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId) -> Result<Option<Shipment>> {
    tx.one(select!("WHERE team = $1 AND id = $2 AND state <> 'deleted'"), &[team.into(), id.into()])
}

/// The same, which nobody else changes before this transaction ends.
pub fn lock(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId) -> Result<Option<Shipment>> {
    tx.one(
        select!("WHERE team = $1 AND id = $2 AND state <> 'deleted' FOR UPDATE"),
        &[team.into(), id.into()],
    )
}

/// Whether the team had this shipment and deleted it.
pub fn is_deleted(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId) -> Result<bool> {
    let found: Option<ShipmentId> = tx.one(
        "SELECT id FROM shipment WHERE team = $1 AND id = $2 AND state = 'deleted'",
        &[team.into(), id.into()],
    )?;
    Ok(found.is_some())
}

/// The batch that a shipment is a member of.
pub fn find_batch(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId) -> Result<Option<Uuid>> {
    let found: Option<Option<Uuid>> = tx
        .one("SELECT batch FROM shipment WHERE team = $1 AND id = $2", &[team.into(), id.into()])?;
    Ok(found.flatten())
}

/// The request that made a shipment.
pub fn find_request_id(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId) -> Result<Option<String>> {
    let found: Option<Option<String>> = tx.one(
        "SELECT request_id FROM shipment WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )?;
    Ok(found.flatten())
}

/// Shipments that are to be booked and were not sent.
pub fn any_list_unsent(tx: &mut Tx<'_>) -> Result<Vec<(TeamId, ShipmentId)>> {
    tx.all(
        "SELECT team, id FROM shipment WHERE state = 'processing' AND step = 'ready'
          ORDER BY deadline_at, id",
        &[],
    )
}

/// Notes that a shipment which was not sent may have been sent in a time that is lost: its outcome
/// stays unknown, and nobody is asked about it.
pub fn set_forgotten(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: ShipmentId,
    failure: &str,
    now: Time,
) -> Result<()> {
    tx.exec(
        "UPDATE shipment SET step = 'unknown', called_at = $3, deadline_at = $3, give_up_at = $3,
                failure = $4
          WHERE team = $1 AND id = $2 AND step = 'ready'",
        &[team.into(), id.into(), now.into(), failure.into()],
    )?;
    Ok(())
}

/// Failed shipments of which it is not known whether the carrier has them, oldest first.
pub fn any_list_unknown(tx: &mut Tx<'_>) -> Result<Vec<(TeamId, ShipmentId)>> {
    tx.all(
        "SELECT team, id FROM shipment WHERE state = 'failed' AND step IN ('calling', 'unknown')
          ORDER BY id",
        &[],
    )
}

/// Shipments whose carrier was asked and has not answered, with what was noted of them.
pub fn any_list_waiting(tx: &mut Tx<'_>) -> Result<Vec<(TeamId, ShipmentId, Option<String>)>> {
    tx.all(
        "SELECT team, id, failure FROM shipment
          WHERE state = 'processing' AND step IN ('calling', 'unknown')",
        &[],
    )
}

/// Lets a shipment whose outcome is open reach its deadline now, so that it is not sent again. The
/// deadline also tells later that it was one of those (`epochs::has_ended`).
pub fn end_waiting(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: ShipmentId,
    failure: &str,
    now: Time,
) -> Result<()> {
    tx.exec(
        "UPDATE shipment SET deadline_at = $3, failure = $4
          WHERE team = $1 AND id = $2 AND state = 'processing' AND step IN ('calling', 'unknown')",
        &[team.into(), id.into(), now.into(), failure.into()],
    )?;
    Ok(())
}

/// The team of a shipment, for the command line.
pub fn any_find_team(tx: &mut Tx<'_>, id: ShipmentId) -> Result<Option<TeamId>> {
    tx.one("SELECT team FROM shipment WHERE id = $1 LIMIT 1", &[id.into()])
}

/// The codes of a shipment, for a caller whose signed URL was checked: the URL stands for the team.
pub fn any_find_codes(tx: &mut Tx<'_>, id: ShipmentId) -> Result<Option<Option<String>>> {
    tx.one("SELECT codes FROM shipment WHERE id = $1 AND state <> 'deleted'", &[id.into()])
}

/// Moves to `Calling`, from `Ready` only, and never after the caller was told how it ended. False
/// when it is not there any more.
pub fn set_calling(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId, now: Time) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE shipment SET step = 'calling', called_at = $3
          WHERE team = $1 AND id = $2 AND step = 'ready' AND state = 'processing'
            AND ending IS NULL",
        &[team.into(), id.into(), now.into()],
    )?;
    Ok(rows == 1)
}

/// Everything of a shipment that its booking changes, after the change. What is cancelled or
/// deleted stays that.
pub fn set_booking(tx: &mut Tx<'_>, team: TeamId, from: Step, shipment: &Shipment) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE shipment SET state = $4, step = $5, ending = $6, parcels = $7, codes = $8,
                failure = $9, carrier_reference = COALESCE(carrier_reference, $10),
                called_at = $11, tries = $12, updated_at = $13, accepted_at = $14,
                booked_at = $15, cancelled_at = $16,
                carrier_data = COALESCE(carrier_data, $17)
          WHERE team = $1 AND id = $2 AND step = $3 AND state NOT IN ('deleted', 'cancelled')",
        &[
            team.into(),
            shipment.id.into(),
            from.into(),
            (&shipment.state).into(),
            shipment.step.into(),
            shipment.ending.map(Ending::name).into(),
            (&shipment.parcels).into(),
            shipment.codes.as_deref().into(),
            shipment.failure.as_deref().into(),
            shipment.carrier_reference.as_deref().into(),
            shipment.called_at.into(),
            shipment.tries.into(),
            shipment.updated_at.into(),
            shipment.accepted_at.into(),
            shipment.booked_at.into(),
            shipment.cancelled_at.into(),
            shipment.carrier_data.as_deref().into(),
        ],
    )?;
    Ok(rows == 1)
}

/// Makes a tracking number findable.
pub fn insert_tracking_number(
    tx: &mut Tx<'_>,
    team: TeamId,
    number: &str,
    id: ShipmentId,
) -> Result<()> {
    tx.exec(
        "INSERT INTO tracking_number (team, number, shipment) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING",
        &[team.into(), number.into(), id.into()],
    )?;
    Ok(())
}

/// Hides a shipment that no carrier has or may have, and erases whom it was for: it was refused,
/// never asked for, or could provably not be booked before the deadline. False when it is not in a
/// state that allows it.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId, now: Time) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE shipment SET state = 'deleted', step = 'done', updated_at = $3, input = '{}',
                identifier = NULL, reference = NULL, failure = NULL
          WHERE team = $1 AND id = $2 AND carrier_reference IS NULL
            AND (state = 'pending' OR (state = 'failed' AND ending = 'rejected')
              OR (state = 'failed' AND ending = 'deadline' AND step = 'done'))
            AND NOT EXISTS (SELECT 1 FROM carrier_call
                             WHERE team = $1 AND shipment = $2
                               AND (outcome IS NULL OR outcome IN ('accepted', 'unknown')))",
        &[team.into(), id.into(), now.into()],
    )?;
    if rows == 1 {
        // What a carrier or a network said may name people too.
        tx.exec(
            "UPDATE attempt SET words = NULL WHERE team = $1 AND shipment = $2",
            &[team.into(), id.into()],
        )?;
    }
    Ok(rows == 1)
}
