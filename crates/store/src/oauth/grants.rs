//! What users agreed to: the families of tokens.

use std::time::Duration;

use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::ids::{GrantId, OAuthClientId, TeamId, UserId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx, audit};

/// How coarse `last_used_at` is.
pub const TOUCH: Duration = Duration::from_mins(10);

/// What a user agreed to for an app in a team.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// The app.
    pub client: OAuthClientId,
    /// The team.
    pub team: TeamId,
    /// Who agreed.
    pub user: UserId,
    /// What the app may do, separated by spaces.
    pub scopes: String,
    /// When the user agreed.
    pub created_at: Time,
    /// When it ends by itself.
    pub expires_at: Time,
    /// When a token was last asked for, within ten minutes.
    pub last_used_at: Option<Time>,
    /// When it was ended.
    pub ended_at: Option<Time>,
}

impl FromRow for Grant {
    fn from_row(row: &mut Row<'_>) -> Result<Grant> {
        Ok(Grant {
            id: row.next()?,
            client: row.next()?,
            team: row.next()?,
            user: row.next()?,
            scopes: row.next()?,
            created_at: row.next()?,
            expires_at: row.next()?,
            last_used_at: row.next()?,
            ended_at: row.next()?,
        })
    }
}

/// A grant with the names of those whom it concerns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedGrant {
    /// The grant.
    pub grant: Grant,
    /// What the app calls itself.
    pub client_id: String,
    /// The app's name.
    pub client_name: String,
    /// The user's name.
    pub user_name: String,
}

impl FromRow for NamedGrant {
    fn from_row(row: &mut Row<'_>) -> Result<NamedGrant> {
        Ok(NamedGrant {
            grant: row.next()?,
            client_id: row.next()?,
            client_name: row.next()?,
            user_name: row.next()?,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, client, team, user_id, scopes, created_at, expires_at, last_used_at,
                    ended_at
               FROM oauth_grant ",
            $rest
        )
    };
}

/// Adds a family.
pub fn insert(tx: &mut Tx<'_>, grant: &Grant) -> Result<()> {
    tx.exec(
        "INSERT INTO oauth_grant (id, client, team, user_id, scopes, created_at, expires_at,
                                  last_used_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            grant.id.into(),
            grant.client.into(),
            grant.team.into(),
            grant.user.into(),
            (&grant.scopes).into(),
            grant.created_at.into(),
            grant.expires_at.into(),
            grant.last_used_at.into(),
        ],
    )?;
    Ok(())
}

/// The family.
pub fn any_find(tx: &mut Tx<'_>, id: GrantId) -> Result<Option<Grant>> {
    tx.one(select!("WHERE id = $1"), &[id.into()])
}

/// The family, which nobody else changes before this transaction ends.
pub fn any_lock(tx: &mut Tx<'_>, id: GrantId) -> Result<Option<Grant>> {
    tx.one(select!("WHERE id = $1 FOR NO KEY UPDATE"), &[id.into()])
}

macro_rules! named {
    ($rest:literal) => {
        concat!(
            "SELECT given.id, given.client, given.team, given.user_id, given.scopes,
                    given.created_at, given.expires_at, given.last_used_at, given.ended_at,
                    app.client_id, app.name, who.name
               FROM oauth_grant AS given
               JOIN oauth_client AS app ON app.id = given.client
               JOIN app_user AS who ON who.id = given.user_id
              WHERE given.team = $1 AND given.ended_at IS NULL AND given.expires_at > $2 ",
            $rest
        )
    };
}

/// What members of the team allowed apps and what holds now: one more than `wanted` from the cursor
/// on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    now: Time,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<NamedGrant>> {
    let (direction, id, _) = Cursor::between(cursor);
    let statement = match direction {
        Direction::Next => named!("AND given.id < $3 ORDER BY given.id DESC LIMIT $4"),
        Direction::Previous => named!("AND given.id > $3 ORDER BY given.id LIMIT $4"),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(statement, &[team.into(), now.into(), id.into(), limit.into()])
}

/// A family of the team, which nobody else changes before this transaction ends.
pub fn lock(tx: &mut Tx<'_>, team: TeamId, id: GrantId) -> Result<Option<Grant>> {
    let sql = select!("WHERE team = $1 AND id = $2 FOR NO KEY UPDATE");
    tx.one(sql, &[team.into(), id.into()])
}

/// Writes down what became of a family, in the log of its team.
pub fn note(
    tx: &mut Tx<'_>,
    id: GrantId,
    (action, act): (Action, &Act),
    changes: &Changes,
) -> Result<()> {
    let named: Option<(TeamId, String)> = tx.one(
        "SELECT given.team, app.name FROM oauth_grant AS given
           JOIN oauth_client AS app ON app.id = given.client WHERE given.id = $1",
        &[id.into()],
    )?;
    let Some((team, app)) = named else { return Ok(()) };
    audit::insert(tx, team, act, (action, &Subject::named("oauth_grant", id, app)), changes)
}

/// Ends a family with all of its tokens, and writes that down. False when it was ended before.
pub fn any_end(tx: &mut Tx<'_>, id: GrantId, act: &Act) -> Result<bool> {
    let params = &[id.into(), act.at.into()];
    let ended =
        tx.exec("UPDATE oauth_grant SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL", params)?;
    tx.exec(
        "UPDATE oauth_refresh_token SET used_at = $2 WHERE grant_id = $1 AND used_at IS NULL",
        params,
    )?;
    tx.exec(
        "UPDATE oauth_access_token SET revoked_at = $2 WHERE grant_id = $1 AND revoked_at IS NULL",
        params,
    )?;
    if ended == 1 {
        note(tx, id, (Action::OAuthGrantEnded, act), &Changes::none())?;
    }
    Ok(ended == 1)
}

/// Ends all these families. Tells how many there were.
pub fn any_end_all(tx: &mut Tx<'_>, all: &[GrantId], act: &Act) -> Result<usize> {
    for (number, id) in all.iter().enumerate() {
        // The line of what ends them has the first id.
        any_end(tx, *id, &act.line(number + 1))?;
    }
    Ok(all.len())
}

/// Ends what a user agreed to in a team that the user leaves. The membership ends before, in the
/// same transaction: who comes for a code meanwhile waits for that, and finds no member.
pub fn end_of_member(tx: &mut Tx<'_>, team: TeamId, user: UserId, act: &Act) -> Result<usize> {
    let all: Vec<GrantId> = tx.all(
        "SELECT id FROM oauth_grant WHERE team = $1 AND user_id = $2 AND ended_at IS NULL
          ORDER BY id FOR NO KEY UPDATE",
        &[team.into(), user.into()],
    )?;
    // Nor is what the user agreed to a moment ago good when the user comes back.
    tx.exec(
        "UPDATE oauth_code SET used_at = $3
          WHERE team = $1 AND user_id = $2 AND used_at IS NULL",
        &[team.into(), user.into(), act.at.into()],
    )?;
    any_end_all(tx, &all, act)
}

/// Whether the user is in the team, which nobody changes before this transaction ends.
pub fn lock_member(tx: &mut Tx<'_>, team: TeamId, user: UserId) -> Result<bool> {
    let found: Option<UserId> = tx.one(
        "SELECT user_id FROM member WHERE team = $1 AND user_id = $2 FOR UPDATE",
        &[team.into(), user.into()],
    )?;
    Ok(found.is_some())
}

/// Notes that a token was asked for, unless that was noted less than ten minutes ago.
pub fn any_touch(tx: &mut Tx<'_>, id: GrantId, now: Time) -> Result<()> {
    tx.exec_later(
        "UPDATE oauth_grant SET last_used_at = $2
          WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
        &[id.into(), now.into(), now.minus(TOUCH).into()],
    )
}

/// Removes families that ended before this time, with everything that came from them.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    let old: Vec<GrantId> = tx.all(
        "SELECT id FROM oauth_grant WHERE ended_at < $1 OR expires_at < $1 LIMIT $2",
        &[before.into(), limit.into()],
    )?;
    let mut removed = 0;
    for id in old {
        let params = &[id.into()];
        tx.exec_later("DELETE FROM oauth_access_token WHERE grant_id = $1", params)?;
        tx.exec_later("DELETE FROM oauth_refresh_token WHERE grant_id = $1", params)?;
        tx.exec_later("DELETE FROM oauth_code WHERE grant_id = $1", params)?;
        removed += tx.exec("DELETE FROM oauth_grant WHERE id = $1", params)?;
    }
    Ok(removed)
}
