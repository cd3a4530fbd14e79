//! The link by which the first user comes in. Only its hash is kept, and it is void as soon as
//! there is a user.

use waybill_domain::ids::UserId;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;

use crate::{Result, Tx, users};

/// Puts this link in the place of every other. False when there is a user: then there is no link.
pub fn any_replace(tx: &mut Tx<'_>, hash: &TokenHash, expires_at: Time) -> Result<bool> {
    users::any_lock_all(tx)?;
    tx.exec("DELETE FROM setup_link", &[])?;
    if has_user(tx)? {
        return Ok(false);
    }
    tx.exec(
        "INSERT INTO setup_link (hash, expires_at) VALUES ($1, $2)",
        &[hash.into(), expires_at.into()],
    )?;
    Ok(true)
}

/// Whether the first user may come in by this link.
pub fn any_is_open(tx: &mut Tx<'_>, hash: &TokenHash, now: Time) -> Result<bool> {
    let found: Option<Time> = tx.one(
        "SELECT expires_at FROM setup_link WHERE hash = $1 AND expires_at > $2",
        &[hash.into(), now.into()],
    )?;
    Ok(found.is_some() && !has_user(tx)?)
}

/// Uses the link up. False when it is void: of two who use it at once, one is the first.
pub fn any_use(tx: &mut Tx<'_>, hash: &TokenHash, now: Time) -> Result<bool> {
    users::any_lock_all(tx)?;
    let used = tx.exec(
        "DELETE FROM setup_link WHERE hash = $1 AND expires_at > $2",
        &[hash.into(), now.into()],
    )?;
    Ok(used == 1 && !has_user(tx)?)
}

fn has_user(tx: &mut Tx<'_>) -> Result<bool> {
    let found: Option<UserId> =
        tx.one("SELECT id FROM app_user WHERE deleted_at IS NULL LIMIT 1", &[])?;
    Ok(found.is_some())
}
