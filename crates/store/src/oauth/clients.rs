//! Apps that act for users, and programs that act for a team.

use std::time::Duration;

use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::ids::{GrantId, OAuthClientId, TeamId, UserId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;

use super::grants;
use crate::members::Role;
use crate::{FromRow, Result, Row, Tx, audit, teams};

/// How coarse `last_used_at` is.
pub const TOUCH: Duration = Duration::from_mins(10);

/// A client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Client {
    /// Its id.
    pub id: OAuthClientId,
    /// What it calls itself; no secret.
    pub client_id: String,
    /// How it is shown.
    pub name: String,
    /// Whether it has no secret, as an app on a telephone.
    pub is_public: bool,
    /// Of its secret.
    pub secret_hash: Option<TokenHash>,
    /// The team in which it acts for itself, if it does.
    pub team: Option<TeamId>,
    /// What it is there.
    pub role: Option<Role>,
    /// The most that it may ask for, separated by spaces.
    pub scopes: String,
    /// Where browsers may be sent for it. Without any it does not act for users.
    pub redirect_uris: Vec<String>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last given a token, within ten minutes.
    pub last_used_at: Option<Time>,
}

impl FromRow for Client {
    fn from_row(row: &mut Row<'_>) -> Result<Client> {
        Ok(Client {
            id: row.next()?,
            client_id: row.next()?,
            name: row.next()?,
            is_public: row.next()?,
            secret_hash: row.next()?,
            team: row.next()?,
            role: row.next()?,
            scopes: row.next()?,
            redirect_uris: row.next::<String>()?.split(' ').filter_map(filled).collect(),
            created_at: row.next()?,
            last_used_at: row.next()?,
        })
    }
}

fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, client_id, name, is_public, secret_hash, team, role, scopes, redirect_uris,
                    created_at, last_used_at
               FROM oauth_client WHERE deleted_at IS NULL ",
            $rest
        )
    };
}

/// Adds a client. A second one with the same `client_id` is a conflict with
/// `oauth_client_client_id`; one that acts for a team which was deleted is none.
pub fn insert(tx: &mut Tx<'_>, client: &Client) -> Result<()> {
    if let Some(team) = client.team {
        teams::hold(tx, team)?;
    }
    tx.exec(
        "INSERT INTO oauth_client (id, client_id, name, is_public, secret_hash, team, role, scopes,
                                   redirect_uris, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        &[
            client.id.into(),
            (&client.client_id).into(),
            (&client.name).into(),
            client.is_public.into(),
            client.secret_hash.as_ref().into(),
            client.team.into(),
            client.role.into(),
            (&client.scopes).into(),
            client.redirect_uris.join(" ").into(),
            client.created_at.into(),
        ],
    )?;
    Ok(())
}

/// The client that calls itself this.
pub fn any_find(tx: &mut Tx<'_>, client_id: &str) -> Result<Option<Client>> {
    tx.one(select!("AND client_id = $1"), &[client_id.into()])
}

/// Every client, oldest first.
pub fn any_list(tx: &mut Tx<'_>) -> Result<Vec<Client>> {
    tx.all(select!("ORDER BY id"), &[])
}

/// The clients that act for themselves in the team and for nobody else: one more than `wanted` from
/// the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Client>> {
    let (direction, id, _) = Cursor::between(cursor);
    let statement = match direction {
        Direction::Next => {
            select!("AND team = $1 AND redirect_uris = '' AND id < $2 ORDER BY id DESC LIMIT $3")
        }
        Direction::Previous => {
            select!("AND team = $1 AND redirect_uris = '' AND id > $2 ORDER BY id LIMIT $3")
        }
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(statement, &[team.into(), id.into(), limit.into()])
}

/// One of those.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: OAuthClientId) -> Result<Option<Client>> {
    let sql = select!("AND team = $1 AND id = $2 AND redirect_uris = ''");
    tx.one(sql, &[team.into(), id.into()])
}

/// Lets one transaction at a time do something for the client. False when it is gone.
pub fn any_lock(tx: &mut Tx<'_>, id: OAuthClientId) -> Result<bool> {
    let found: Option<OAuthClientId> = tx.one(
        "SELECT id FROM oauth_client WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
        &[id.into()],
    )?;
    Ok(found.is_some())
}

/// Gives it another secret. The one before works until then too, or none of those before works.
/// False when it has none.
pub fn any_set_secret(
    tx: &mut Tx<'_>,
    id: OAuthClientId,
    secret: &TokenHash,
    (old_until, now): (Option<Time>, Time),
) -> Result<bool> {
    // Of two who do this at once, the second keeps the secret of the first.
    if !any_lock(tx, id)? {
        return Ok(false);
    }
    tx.exec(
        "DELETE FROM oauth_old_secret
          WHERE client = $1 AND (CAST($3 AS BIGINT) IS NULL OR until <= $2)",
        &[id.into(), now.into(), old_until.into()],
    )?;
    if let Some(until) = old_until {
        tx.exec(
            "INSERT INTO oauth_old_secret (client, hash, until)
             SELECT id, secret_hash, $2 FROM oauth_client WHERE id = $1 AND NOT is_public",
            &[id.into(), until.into()],
        )?;
    }
    let written = tx.exec(
        "UPDATE oauth_client SET secret_hash = $2 WHERE id = $1 AND NOT is_public",
        &[id.into(), secret.into()],
    )?;
    Ok(written == 1)
}

/// The secrets before the one that it has now, as long as they work.
pub fn any_old_secrets(tx: &mut Tx<'_>, id: OAuthClientId, now: Time) -> Result<Vec<TokenHash>> {
    tx.all(
        "SELECT hash FROM oauth_old_secret WHERE client = $1 AND until > $2",
        &[id.into(), now.into()],
    )
}

/// Notes that it was given a token, unless that was noted less than ten minutes ago.
pub fn any_touch(tx: &mut Tx<'_>, id: OAuthClientId, now: Time) -> Result<()> {
    tx.exec_later(
        "UPDATE oauth_client SET last_used_at = $2
          WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
        &[id.into(), now.into(), now.minus(TOUCH).into()],
    )
}

/// Ends every family, token and code of the client, or those of one user, and writes down which
/// families. Tells how many families and tokens of its own were ended.
pub fn any_revoke(
    tx: &mut Tx<'_>,
    id: OAuthClientId,
    user: Option<UserId>,
    act: &Act,
) -> Result<u64> {
    any_lock(tx, id)?;
    let families: Vec<GrantId> = tx.all(
        "SELECT id FROM oauth_grant
          WHERE client = $1 AND ended_at IS NULL
            AND (CAST($2 AS UUID) IS NULL OR user_id = $2)
          ORDER BY id FOR NO KEY UPDATE",
        &[id.into(), user.into()],
    )?;
    let ended = grants::any_end_all(tx, &families, act)? as u64;
    tx.exec(
        "UPDATE oauth_code SET used_at = $3
          WHERE client = $1 AND used_at IS NULL AND (CAST($2 AS UUID) IS NULL OR user_id = $2)",
        &[id.into(), user.into(), act.at.into()],
    )?;
    if user.is_some() {
        return Ok(ended);
    }
    let own = tx.exec(
        "UPDATE oauth_access_token SET revoked_at = $2
          WHERE client = $1 AND revoked_at IS NULL AND grant_id IS NULL AND expires_at > $2",
        &[id.into(), act.at.into()],
    )?;
    Ok(ended + own)
}

/// Removes the client, and ends everything that it has. False when it was removed before.
pub fn any_delete(tx: &mut Tx<'_>, id: OAuthClientId, act: &Act) -> Result<bool> {
    any_revoke(tx, id, None, act)?;
    tx.exec("DELETE FROM oauth_old_secret WHERE client = $1", &[id.into()])?;
    let removed = tx.exec(
        "UPDATE oauth_client SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL",
        &[id.into(), act.at.into()],
    )?;
    Ok(removed == 1)
}

/// Removes the rows of clients that were deleted before this time and that nothing names.
pub fn any_delete_removed(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM oauth_client WHERE id IN (
           SELECT id FROM oauth_client AS gone
            WHERE deleted_at < $1
              AND NOT EXISTS (SELECT 1 FROM oauth_grant WHERE client = gone.id)
              AND NOT EXISTS (SELECT 1 FROM oauth_code WHERE client = gone.id)
              AND NOT EXISTS (SELECT 1 FROM oauth_access_token WHERE client = gone.id)
            LIMIT $2)",
        &[before.into(), limit.into()],
    )
}

/// Writes down what was done to a client, in the team in which it acts for itself. One that acts
/// for users alone belongs to no team.
pub fn note(
    tx: &mut Tx<'_>,
    client: &Client,
    (action, act): (Action, &Act),
    changes: &Changes,
) -> Result<()> {
    let Some(team) = client.team else { return Ok(()) };
    let subject = Subject::named("oauth_client", client.id, &client.name);
    audit::insert(tx, team, act, (action, &subject), changes)
}
