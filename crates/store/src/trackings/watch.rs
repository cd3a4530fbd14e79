//! When carriers are asked. A booking only notes that a parcel is to be followed; its account gets
//! an alarm soon after, for many parcels at once, so that no booking waits for another because both
//! are with the same account.

use uuid::Uuid;
use waybill_domain::ids::{AccountId, TeamId, TrackingId};
use waybill_domain::time::Time;

use super::Tracking;
use crate::{FromRow, Result, Row, Tx};

/// A parcel whose carrier is to be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Due {
    /// The parcel.
    pub tracking: Tracking,
    /// The state of its shipment.
    pub shipment_state: String,
}

impl FromRow for Due {
    fn from_row(row: &mut Row<'_>) -> Result<Due> {
        Ok(Due { tracking: row.next()?, shipment_state: row.next()? })
    }
}

/// Whose parcel it is, with which account, and when its carrier is to be asked.
pub type Unwatched = (TeamId, AccountId, TrackingId, Option<Time>);

/// Takes parcels that no alarm knows of: whose, and when to look. Whoever takes them calls
/// [`set_watched`] in the same transaction; others pass them over meanwhile.
pub fn any_unwatched(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<Unwatched>> {
    tx.all(
        "SELECT team, account, id, look_at FROM tracking
          WHERE unwatched_since IS NOT NULL ORDER BY unwatched_since LIMIT $1
          FOR UPDATE SKIP LOCKED",
        &[limit.into()],
    )
}

/// Notes that its account has an alarm for it.
pub fn set_watched(tx: &mut Tx<'_>, team: TeamId, id: TrackingId) -> Result<()> {
    tx.exec(
        "UPDATE tracking SET unwatched_since = NULL WHERE team = $1 AND id = $2",
        &[team.into(), id.into()],
    )?;
    Ok(())
}

/// The parcels of an account that are due, the longest due first.
pub fn list_due(
    tx: &mut Tx<'_>,
    team: TeamId,
    account: AccountId,
    now: Time,
    limit: i64,
) -> Result<Vec<Due>> {
    tx.all(
        "SELECT tracking.id, tracking.shipment, parcel, place, tracking.account,
                tracking.carrier_code,
                tracking.service_code, number, url, tracking.state, status, newest_at,
                estimate_start, estimate_end, estimated_at, delivered_at, returned_at,
                tracking.updated_at, tracking.created_at, look_at, shipment.state
           FROM tracking
           JOIN shipment ON shipment.team = tracking.team AND shipment.id = tracking.shipment
          WHERE tracking.team = $1 AND tracking.account = $2 AND look_at <= $3
          ORDER BY look_at LIMIT $4",
        &[team.into(), account.into(), now.into(), limit.into()],
    )
}

/// When the next parcel of an account is due.
pub fn next_look(tx: &mut Tx<'_>, team: TeamId, account: AccountId) -> Result<Option<Time>> {
    tx.one(
        "SELECT look_at FROM tracking
          WHERE team = $1 AND account = $2 AND look_at IS NOT NULL ORDER BY look_at LIMIT 1",
        &[team.into(), account.into()],
    )
}

/// Sets when the carrier is asked again; never, when nothing is given.
pub fn set_look(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: TrackingId,
    look_at: Option<Time>,
) -> Result<()> {
    tx.exec(
        "UPDATE tracking SET look_at = $3 WHERE team = $1 AND id = $2",
        &[team.into(), Uuid::from(id).into(), look_at.into()],
    )?;
    Ok(())
}
