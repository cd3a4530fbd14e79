//! How much of what is limited a team has. Who makes one more locks it first, in the transaction
//! that makes it: others who do the same wait, so two at once cannot both be the last that fits.

use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::quota::Quota;
use waybill_domain::time::Time;

use crate::{Param, Result, Tx, teams, users};

/// How much of it the team has; `None` for what is not counted in rows of a team.
pub fn count(tx: &mut Tx<'_>, team: TeamId, quota: Quota) -> Result<Option<i64>> {
    let sql = match quota {
        Quota::Accounts => "SELECT count(*) FROM carrier_account WHERE team = $1",
        // Without the callbacks of batches.
        Quota::Webhooks => {
            "SELECT count(*) FROM webhook
              WHERE team = $1 AND batch IS NULL AND deleted_at IS NULL"
        }
        Quota::Templates => "SELECT count(*) FROM shipment_template WHERE team = $1",
        Quota::Batches => {
            "SELECT count(*) FROM batch
              WHERE team = $1 AND state IN ('open', 'queued', 'processing', 'stopping')"
        }
        Quota::Reports => "SELECT count(*) FROM report WHERE team = $1 AND state = 'pending'",
        Quota::Printers => "SELECT count(*) FROM printer WHERE team = $1 AND deleted_at IS NULL",
        Quota::PrintAgents => {
            "SELECT count(*) FROM print_agent WHERE team = $1 AND deleted_at IS NULL"
        }
        // Those that nobody used: one that is over by itself still stands in the way of none.
        Quota::Invitations => {
            "SELECT count(*) FROM invitation
              WHERE team = $1 AND accepted_at IS NULL AND revoked_at IS NULL"
        }
        Quota::OAuthClients => {
            "SELECT count(*) FROM oauth_client WHERE team = $1 AND deleted_at IS NULL"
        }
        Quota::Tokens | Quota::Streams | Quota::OptionBytes => return Ok(None),
    };
    number(tx, sql, &[team.into()]).map(Some)
}

/// The same, which nobody else changes before this transaction ends.
pub fn lock(tx: &mut Tx<'_>, team: TeamId, quota: Quota) -> Result<Option<i64>> {
    teams::lock(tx, team)?;
    count(tx, team, quota)
}

/// How many tokens of the user are good; nobody else changes it before this transaction ends.
pub fn any_lock_tokens(tx: &mut Tx<'_>, user: UserId, now: Time) -> Result<i64> {
    users::any_lock(tx, user)?;
    any_count_tokens(tx, user, now)
}

/// How many tokens of the user are good.
pub fn any_count_tokens(tx: &mut Tx<'_>, user: UserId, now: Time) -> Result<i64> {
    number(
        tx,
        "SELECT count(*) FROM token
          WHERE user_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
        &[user.into(), now.into()],
    )
}

fn number(tx: &mut Tx<'_>, sql: &'static str, params: &[Param<'_>]) -> Result<i64> {
    Ok(tx.one(sql, params)?.unwrap_or(0))
}
