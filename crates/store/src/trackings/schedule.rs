//! When carriers are asked. A booking only notes that a parcel is to be followed; its account gets
//! an alarm soon after, for many parcels at once, so that no booking waits for another because both
//! are with the same account.

use waybill_domain::ids::{AccountId, ShipmentId, TeamId, TrackingId};
use waybill_domain::time::Time;

use super::Tracking;
use crate::{Result, Tx};

/// Whose parcel it is, with which account, and when its carrier is to be asked.
pub type Unscheduled = (TeamId, AccountId, Time);

/// Notes that no alarm knows of a parcel that is to be followed.
pub(super) fn insert_unscheduled(tx: &mut Tx<'_>, team: TeamId, tracking: &Tracking) -> Result<()> {
    let Some(poll_at) = tracking.look_at else { return Ok(()) };
    tx.exec_later(
        "INSERT INTO unscheduled_tracking (since, tracking, team, account, poll_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        &[
            tracking.created_at.into(),
            tracking.id.into(),
            team.into(),
            tracking.account.into(),
            poll_at.into(),
        ],
    )
}

/// Takes parcels that no alarm knows of, the oldest first. Their accounts get one in the same
/// transaction.
pub fn any_take_unscheduled(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<Unscheduled>> {
    tx.all(
        "WITH oldest AS MATERIALIZED (
             SELECT since, tracking FROM unscheduled_tracking
              ORDER BY since, tracking LIMIT $1 FOR UPDATE SKIP LOCKED)
         DELETE FROM unscheduled_tracking
          WHERE (since, tracking) IN (SELECT since, tracking FROM oldest)
         RETURNING team, account, poll_at",
        &[limit.into()],
    )
}

/// The numbers of the parcels of an account that are due, the longest due first. A parcel of a
/// cancelled shipment is never due, even where an older release left its time.
pub fn list_due(
    tx: &mut Tx<'_>,
    team: TeamId,
    account: AccountId,
    now: Time,
    limit: i64,
) -> Result<Vec<String>> {
    tx.all(
        "SELECT number FROM tracking
          WHERE team = $1 AND account = $2 AND look_at <= $3
            AND (SELECT state FROM shipment WHERE shipment.team = tracking.team
                    AND shipment.id = tracking.shipment) <> 'cancelled'
          ORDER BY look_at LIMIT $4",
        &[team.into(), account.into(), now.into(), limit.into()],
    )
}

/// When the next parcel of an account is due.
pub fn next_poll_at(tx: &mut Tx<'_>, team: TeamId, account: AccountId) -> Result<Option<Time>> {
    tx.one(
        "SELECT look_at FROM tracking
          WHERE team = $1 AND account = $2 AND look_at IS NOT NULL
            AND (SELECT state FROM shipment WHERE shipment.team = tracking.team
                    AND shipment.id = tracking.shipment) <> 'cancelled'
          ORDER BY look_at LIMIT 1",
        &[team.into(), account.into()],
    )
}

/// Sets when the carrier is asked again; never, when nothing is given.
pub fn set_poll_at(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: TrackingId,
    poll_at: Option<Time>,
) -> Result<()> {
    tx.exec(
        "UPDATE tracking SET look_at = $3 WHERE team = $1 AND id = $2",
        &[team.into(), id.into(), poll_at.into()],
    )?;
    Ok(())
}

/// Stops polling for the parcels of a shipment. They are locked in the same order as when a carrier
/// says something about them, so that neither waits for the other.
pub fn stop_polling(tx: &mut Tx<'_>, team: TeamId, shipment: ShipmentId) -> Result<()> {
    let polled: Vec<TrackingId> = tx.all(
        "SELECT id FROM tracking WHERE team = $1 AND shipment = $2 AND look_at IS NOT NULL
          ORDER BY number, id FOR UPDATE",
        &[team.into(), shipment.into()],
    )?;
    polled.into_iter().try_for_each(|id| set_poll_at(tx, team, id, None))
}
