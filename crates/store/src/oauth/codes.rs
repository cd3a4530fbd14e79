//! Codes: what a browser brings to an app, and the app to us.

use waybill_domain::ids::{GrantId, OAuthClientId, TeamId, UserId};
use waybill_domain::oauth::CODE_LIFE;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;

use crate::{FromRow, Result, Row, Tx};

/// What a user agreed to, until the app comes for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// The app.
    pub client: OAuthClientId,
    /// Where the browser is sent.
    pub redirect_uri: String,
    /// Whether the app had asked for that address; else it is the only one that it has.
    pub is_redirect_sent: bool,
    /// What the app has the proof for.
    pub challenge: String,
    /// Who agreed.
    pub user: UserId,
    /// The team that the app gets to see.
    pub team: TeamId,
    /// What it may do there, separated by spaces and in order.
    pub scopes: String,
    /// When the user agreed. It is good for a minute from here on.
    pub created_at: Time,
}

/// A code that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredCode {
    /// What it stands for.
    pub code: Code,
    /// When it ends by itself.
    pub expires_at: Time,
    /// When it was brought.
    pub used_at: Option<Time>,
    /// The family that came from it.
    pub grant: Option<GrantId>,
}

impl FromRow for StoredCode {
    fn from_row(row: &mut Row<'_>) -> Result<StoredCode> {
        Ok(StoredCode {
            code: Code {
                client: row.next()?,
                redirect_uri: row.next()?,
                is_redirect_sent: row.next()?,
                challenge: row.next()?,
                user: row.next()?,
                team: row.next()?,
                scopes: row.next()?,
                created_at: row.next()?,
            },
            expires_at: row.next()?,
            used_at: row.next()?,
            grant: row.next()?,
        })
    }
}

/// Adds a code.
pub fn insert(tx: &mut Tx<'_>, code: &Code, hash: &TokenHash) -> Result<()> {
    tx.exec(
        "INSERT INTO oauth_code (hash, client, redirect_uri, is_redirect_sent, challenge, user_id,
                                 team, scopes, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        &[
            hash.into(),
            code.client.into(),
            (&code.redirect_uri).into(),
            code.is_redirect_sent.into(),
            (&code.challenge).into(),
            code.user.into(),
            code.team.into(),
            (&code.scopes).into(),
            code.created_at.into(),
            code.created_at.plus(CODE_LIFE).into(),
        ],
    )?;
    Ok(())
}

/// The code with this hash.
pub fn any_find(tx: &mut Tx<'_>, hash: &TokenHash) -> Result<Option<StoredCode>> {
    tx.one(
        "SELECT client, redirect_uri, is_redirect_sent, challenge, user_id, team, scopes,
                created_at, expires_at, used_at, grant_id
           FROM oauth_code WHERE hash = $1",
        &[hash.into()],
    )
}

/// Uses a code up, for the family that comes from it or for none.
pub fn any_use(
    tx: &mut Tx<'_>,
    hash: &TokenHash,
    grant: Option<GrantId>,
    now: Time,
) -> Result<bool> {
    let used = tx.exec(
        "UPDATE oauth_code SET used_at = $3, grant_id = $2 WHERE hash = $1 AND used_at IS NULL",
        &[hash.into(), grant.into(), now.into()],
    )?;
    Ok(used == 1)
}

/// Removes codes that ended before this time and from which no family came.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM oauth_code WHERE hash IN (
           SELECT hash FROM oauth_code WHERE grant_id IS NULL AND expires_at < $1 LIMIT $2)",
        &[before.into(), limit.into()],
    )
}
