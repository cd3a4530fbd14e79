//! Rate limits that hold across servers. A bucket is one moment, when it will be full again, and
//! is moved by one guarded statement, so concurrent takers never get more than it holds.

use waybill_domain::ids::TeamId;
use waybill_domain::time::Time;

use crate::{Result, Tx};

/// Takes `cost` from the team's bucket, which holds `burst`, both in microseconds of refilling.
/// `None` when it was taken, else how many microseconds to wait before it can be. A cost above
/// the burst takes all there is.
pub fn take(
    tx: &mut Tx<'_>,
    team: TeamId,
    bucket: &str,
    now: Time,
    cost_micros: i64,
    burst_micros: i64,
) -> Result<Option<i64>> {
    let cost = cost_micros.min(burst_micros);
    let latest = now.0 + burst_micros - cost;
    let rows = tx.exec(
        "INSERT INTO rate_limit (team, bucket, full_at) VALUES ($1, $2, $3)
         ON CONFLICT (team, bucket) DO UPDATE SET
           full_at = CASE WHEN rate_limit.full_at > $4 THEN rate_limit.full_at + $5 ELSE $3 END
          WHERE rate_limit.full_at <= $6",
        &[
            team.into(),
            bucket.into(),
            (now.0 + cost).into(),
            now.into(),
            cost.into(),
            latest.into(),
        ],
    )?;
    if rows == 1 {
        return Ok(None);
    }
    // No bucket is emptier than empty. One that says so was used by a clock that was ahead, and
    // would keep everyone out until the time has caught up.
    tx.exec(
        "UPDATE rate_limit SET full_at = $3 WHERE team = $1 AND bucket = $2 AND full_at > $3",
        &[team.into(), bucket.into(), (now.0 + burst_micros).into()],
    )?;
    let full_at = tx.one::<Time>(
        "SELECT full_at FROM rate_limit WHERE team = $1 AND bucket = $2",
        &[team.into(), bucket.into()],
    )?;
    Ok(Some(full_at.map_or(1, |full_at| (full_at.0 - latest).max(1))))
}
