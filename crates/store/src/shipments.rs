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
                    request_id, fulfilment FROM shipment ",
            $($rest),+
        )
    };
}

mod list;
mod row;

use uuid::Uuid;
use waybill_domain::booking::{Ending, Failure, Step};
use waybill_domain::event::Event;
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::shipment::Codes;
use waybill_domain::time::Time;

use crate::{Result, Tx, events, legacy};
use row::{failure_text, parcels_text, read_codes, read_failure};

pub(crate) use list::fitting;
pub use list::{
    Filter, Sort, count, list, list_batch, list_created, list_numbered, room, room_of_batch,
};
pub use row::Shipment;

/// Adds a shipment.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, shipment: &Shipment) -> Result<()> {
    tx.exec_one(
        "INSERT INTO shipment (team, id, state, step, identifier, reference, carrier_code,
                service_code, account, input, snapshot, parcels, batch, batch_position, deadline_at,
                give_up_at, called_at, tries, created_at, updated_at, request_id, fulfilment)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                 $19, $20, $21, $22)",
        &[
            team.into(),
            shipment.id.into(),
            shipment.state.into(),
            shipment.step.into(),
            shipment.identifier.as_deref().into(),
            shipment.reference.as_deref().into(),
            (&shipment.carrier_code).into(),
            (&shipment.service_code).into(),
            shipment.account.into(),
            shipment.order.as_str().into(),
            shipment.snapshot.to_json().to_string().into(),
            parcels_text(shipment).into(),
            shipment.batch.into(),
            shipment.batch_position.into(),
            shipment.deadline_at.into(),
            shipment.give_up_at.into(),
            shipment.called_at.into(),
            shipment.tries.into(),
            shipment.created_at.into(),
            shipment.updated_at.into(),
            shipment.request_id.as_deref().into(),
            shipment.fulfilment.into(),
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
    failure: &Failure,
    now: Time,
) -> Result<()> {
    tx.exec(
        "UPDATE shipment SET step = 'unknown', called_at = $3, deadline_at = $3, give_up_at = $3,
                failure = $4
          WHERE team = $1 AND id = $2 AND step = 'ready'",
        &[team.into(), id.into(), now.into(), failure_text(failure).into()],
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
pub fn any_list_waiting(tx: &mut Tx<'_>) -> Result<Vec<(TeamId, ShipmentId, Option<Failure>)>> {
    let rows: Vec<(TeamId, ShipmentId, Option<String>)> = tx.all(
        "SELECT team, id, failure FROM shipment
          WHERE state = 'processing' AND step IN ('calling', 'unknown')",
        &[],
    )?;
    let read = |(team, id, failure)| Ok((team, id, read_failure(id, failure)?));
    rows.into_iter().map(read).collect()
}

/// Lets a shipment whose outcome is open reach its deadline now, so that it is not sent again. The
/// deadline also tells later that it was one of those (`epochs::has_ended`).
pub fn end_waiting(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: ShipmentId,
    failure: &Failure,
    now: Time,
) -> Result<()> {
    tx.exec(
        "UPDATE shipment SET deadline_at = $3, failure = $4
          WHERE team = $1 AND id = $2 AND state = 'processing' AND step IN ('calling', 'unknown')",
        &[team.into(), id.into(), now.into(), failure_text(failure).into()],
    )?;
    Ok(())
}

/// Whether anything was ever booked with the carrier.
pub fn any_is_accepted_by(tx: &mut Tx<'_>, carrier_code: &str) -> Result<bool> {
    let found: Option<i64> = tx.one(
        "SELECT CAST(1 AS BIGINT) FROM shipment
          WHERE carrier_code = $1 AND accepted_at IS NOT NULL LIMIT 1",
        &[carrier_code.into()],
    )?;
    Ok(found.is_some())
}

/// The team of a shipment, for the command line.
pub fn any_find_team(tx: &mut Tx<'_>, id: ShipmentId) -> Result<Option<TeamId>> {
    tx.one("SELECT team FROM shipment WHERE id = $1 LIMIT 1", &[id.into()])
}

/// The codes of a shipment, for a caller whose signed URL was checked: the URL stands for the team.
pub fn any_find_codes(tx: &mut Tx<'_>, id: ShipmentId) -> Result<Option<Codes>> {
    let found: Option<Option<String>> =
        tx.one("SELECT codes FROM shipment WHERE id = $1 AND state <> 'deleted'", &[id.into()])?;
    read_codes(id, found.flatten())
}

/// Moves to `Calling`, from `Ready` only, and never after the caller was told how it ended. False
/// when it is not there any more.
pub fn set_calling(tx: &mut Tx<'_>, team: TeamId, id: ShipmentId, now: Time) -> Result<bool> {
    let rows = tx.exec_one(
        "UPDATE shipment SET step = 'calling', called_at = $3
          WHERE team = $1 AND id = $2 AND step = 'ready' AND state = 'processing'
            AND ending IS NULL",
        &[team.into(), id.into(), now.into()],
    )?;
    Ok(rows == 1)
}

/// Writes everything of a shipment that its booking changes, and tells everyone with the event.
/// What is cancelled or deleted stays that, and so does what has moved on from the step that the
/// writer has seen: false, and nothing is written.
pub fn change(
    tx: &mut Tx<'_>,
    team: TeamId,
    from: Step,
    shipment: &Shipment,
    event: Option<&Event>,
) -> Result<bool> {
    let rows = tx.exec_one(
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
            shipment.state.into(),
            shipment.step.into(),
            shipment.ending.map(Ending::name).into(),
            parcels_text(shipment).into(),
            shipment.codes.as_ref().map(|codes| codes.to_json().to_string()).into(),
            shipment.failure.as_ref().map(failure_text).into(),
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
    tell(tx, team, event.filter(|_| rows == 1))?;
    Ok(rows == 1)
}

fn tell(tx: &mut Tx<'_>, team: TeamId, event: Option<&Event>) -> Result<()> {
    event.map_or(Ok(()), |event| events::append(tx, team, event))
}

/// Makes a tracking number findable.
pub fn insert_tracking_number(
    tx: &mut Tx<'_>,
    team: TeamId,
    number: &str,
    id: ShipmentId,
) -> Result<()> {
    tx.exec_later(
        "INSERT INTO tracking_number (team, number, shipment) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING",
        &[team.into(), number.into(), id.into()],
    )?;
    Ok(())
}

/// Hides a shipment that no carrier has or may have, and erases whom it was for: it was refused,
/// never asked for, or provably not booked. Everyone is told with the
/// event. False when it is not in a state that allows it.
pub fn delete(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: ShipmentId,
    event: &Event,
    now: Time,
) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE shipment SET state = 'deleted', step = 'done', updated_at = $3, input = '{}',
                identifier = NULL, reference = NULL, failure = NULL
          WHERE team = $1 AND id = $2 AND carrier_reference IS NULL
            AND (state = 'pending' OR (state = 'failed' AND step = 'done'))
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
        tx.exec(
            "UPDATE carrier_call SET evidence = NULL WHERE team = $1 AND shipment = $2",
            &[team.into(), id.into()],
        )?;
        legacy::delete(tx, team, id)?;
        tell(tx, team, Some(event))?;
    }
    Ok(rows == 1)
}
