//! How often somebody failed to be a client. It is counted in the database, so that it holds across
//! servers and restarts.

use waybill_domain::oauth::{FAILURES_MAX, FAILURES_TIME};
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;

use crate::{Result, Tx};

/// Until when this one has failed too often; none when it may try.
pub fn any_find_block(tx: &mut Tx<'_>, key: &TokenHash, now: Time) -> Result<Option<Time>> {
    let found: Option<(Time, i64)> =
        tx.one("SELECT since, failures FROM oauth_failure WHERE id = $1", &[key.into()])?;
    Ok(found.and_then(|(since, failures)| block(since, failures >= FAILURES_MAX, now)))
}

/// Counts one more failure. Tells until when it is one too many.
pub fn any_count(tx: &mut Tx<'_>, key: &TokenHash, now: Time) -> Result<Option<Time>> {
    // A time that is still to come is of a clock that was ahead.
    let found: Option<(Time, i64)> = tx.one(
        "INSERT INTO oauth_failure (id, since, failures) VALUES ($1, $2, 1)
         ON CONFLICT (id) DO UPDATE SET
           failures = CASE WHEN oauth_failure.since > $3 AND oauth_failure.since <= $2
                           THEN oauth_failure.failures + 1 ELSE 1 END,
           since = CASE WHEN oauth_failure.since > $3 AND oauth_failure.since <= $2
                        THEN oauth_failure.since ELSE $2 END
         RETURNING since, failures",
        &[key.into(), now.into(), now.minus(FAILURES_TIME).into()],
    )?;
    Ok(found.and_then(|(since, failures)| block(since, failures > FAILURES_MAX, now)))
}

fn block(since: Time, is_too_many: bool, now: Time) -> Option<Time> {
    let until = since.plus(FAILURES_TIME);
    (is_too_many && since <= now && until > now).then_some(until)
}

/// Forgets failures from before this time.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM oauth_failure WHERE id IN (
           SELECT id FROM oauth_failure WHERE since < $1 LIMIT $2)",
        &[before.into(), limit.into()],
    )
}
