//! How much of what is limited a team has. Who makes one more asks here first, in the transaction
//! that makes it: others who do the same wait, so two at once cannot both be the last that fits.

use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::time::Time;

use crate::{Param, Result, Tx, teams, users};

/// How many accounts with carriers the team has.
pub fn lock_accounts(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    teams::lock(tx, team)?;
    count(tx, "SELECT count(*) FROM carrier_account WHERE team = $1", &[team.into()])
}

/// How many webhooks the team has. The callbacks of batches are not among them.
pub fn lock_webhooks(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    teams::lock(tx, team)?;
    count(
        tx,
        "SELECT count(*) FROM webhook WHERE team = $1 AND batch IS NULL AND deleted_at IS NULL",
        &[team.into()],
    )
}

/// How many templates the team has.
pub fn lock_templates(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    teams::lock(tx, team)?;
    count(tx, "SELECT count(*) FROM shipment_template WHERE team = $1", &[team.into()])
}

/// How many batches of the team are not over.
pub fn lock_batches(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    teams::lock(tx, team)?;
    count(
        tx,
        "SELECT count(*) FROM batch
          WHERE team = $1 AND state IN ('open', 'queued', 'processing', 'stopping')",
        &[team.into()],
    )
}

/// How many reports of the team are not made yet.
pub fn lock_reports(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    teams::lock(tx, team)?;
    count(tx, "SELECT count(*) FROM report WHERE team = $1 AND state = 'pending'", &[team.into()])
}

/// How many tokens of the user are good.
pub fn any_lock_tokens(tx: &mut Tx<'_>, user: UserId, now: Time) -> Result<i64> {
    users::any_lock(tx, user)?;
    count(
        tx,
        "SELECT count(*) FROM token
          WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
        &[user.into(), now.into()],
    )
}

fn count(tx: &mut Tx<'_>, sql: &'static str, params: &[Param<'_>]) -> Result<i64> {
    Ok(tx.one(sql, params)?.unwrap_or(0))
}
