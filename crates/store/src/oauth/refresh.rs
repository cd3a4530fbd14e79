//! Refresh tokens. Those that were used stay as long as their family: whoever brings one shows that
//! two have it.

use waybill_domain::ids::GrantId;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;

use crate::{FromRow, Result, Row, Tx};

/// A refresh token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefreshToken {
    /// Its family.
    pub grant: GrantId,
    /// When it was given.
    pub created_at: Time,
    /// When it ends by itself.
    pub expires_at: Time,
    /// When it was used, or ended with its family.
    pub used_at: Option<Time>,
}

impl FromRow for RefreshToken {
    fn from_row(row: &mut Row<'_>) -> Result<RefreshToken> {
        Ok(RefreshToken {
            grant: row.next()?,
            created_at: row.next()?,
            expires_at: row.next()?,
            used_at: row.next()?,
        })
    }
}

/// Adds a token. While another one of its family is good it is a conflict with
/// `one_live_refresh_token`.
pub fn insert(tx: &mut Tx<'_>, token: &RefreshToken, hash: &TokenHash) -> Result<()> {
    tx.exec(
        "INSERT INTO oauth_refresh_token (hash, grant_id, created_at, expires_at)
         VALUES ($1, $2, $3, $4)",
        &[hash.into(), token.grant.into(), token.created_at.into(), token.expires_at.into()],
    )?;
    Ok(())
}

/// The token with this hash.
pub fn any_find(tx: &mut Tx<'_>, hash: &TokenHash) -> Result<Option<RefreshToken>> {
    tx.one(
        "SELECT grant_id, created_at, expires_at, used_at
           FROM oauth_refresh_token WHERE hash = $1",
        &[hash.into()],
    )
}

/// Uses it up. False when it was used before.
pub fn any_use(tx: &mut Tx<'_>, hash: &TokenHash, now: Time) -> Result<bool> {
    let used = tx.exec(
        "UPDATE oauth_refresh_token SET used_at = $2 WHERE hash = $1 AND used_at IS NULL",
        &[hash.into(), now.into()],
    )?;
    Ok(used == 1)
}
