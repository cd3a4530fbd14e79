//! When carriers are asked. A booking only notes that a parcel is to be followed; its account gets
//! an alarm soon after, for many parcels at once, so that no booking waits for another because both
//! are with the same account.

use waybill_domain::ids::{AccountId, ShipmentId, TeamId, TrackingId};
use waybill_domain::time::Time;

use crate::{Result, Tx};

/// Whose parcel it is, with which account, and when its carrier is to be asked.
pub type Unscheduled = (TeamId, AccountId, TrackingId, Option<Time>);

/// Takes parcels that no alarm knows of. Whoever takes them calls [`set_scheduled`] in the same
/// transaction; others pass them over meanwhile.
pub fn any_unscheduled(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<Unscheduled>> {
    tx.all(
        "SELECT team, account, id, look_at FROM tracking
          WHERE unwatched_since IS NOT NULL ORDER BY unwatched_since LIMIT $1
          FOR UPDATE SKIP LOCKED",
        &[limit.into()],
    )
}

/// Notes that its account has an alarm for it.
pub fn set_scheduled(tx: &mut Tx<'_>, team: TeamId, id: TrackingId) -> Result<()> {
    tx.exec(
        "UPDATE tracking SET unwatched_since = NULL WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )?;
    Ok(())
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
