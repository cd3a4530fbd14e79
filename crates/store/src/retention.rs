//! The time by which things are forgotten. A clock that is wrong for an hour is set right again; a
//! key that was forgotten meanwhile is gone, and its parcel may be booked twice.

use uuid::Uuid;
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::time::Time;

use crate::{Result, Tx};

/// How far a sweep has come. What it passed by and left stays for the next sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SweepPosition {
    /// By time, where rows are found by their age.
    pub at: Time,
    /// By team.
    pub team: TeamId,
    /// By shipment of the team.
    pub shipment: ShipmentId,
    /// By row of the shipment.
    pub n: i64,
}

impl SweepPosition {
    /// Before everything.
    pub const START: SweepPosition = SweepPosition {
        at: Time(i64::MIN),
        team: TeamId(Uuid::nil()),
        shipment: ShipmentId(Uuid::nil()),
        n: 0,
    };
}

/// Lets the time go on to `now`, but not beyond what may have passed since somebody last looked.
/// The first who looks knows nothing better than `now`.
pub fn any_advance(tx: &mut Tx<'_>, now: Time, at_most: Option<Time>) -> Result<Time> {
    let Some(known) = tx.one::<Time>("SELECT now FROM retention", &[])? else {
        // Several may be the first at once.
        let first = "INSERT INTO retention (id, now) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";
        tx.exec(first, &[now.into()])?;
        return Ok(now);
    };
    // Ahead of the clock it was begun by a clock that was ahead.
    let time = known.max(at_most.unwrap_or(known)).min(now);
    if time != known {
        tx.exec("UPDATE retention SET now = $1", &[time.into()])?;
    }
    Ok(time)
}
