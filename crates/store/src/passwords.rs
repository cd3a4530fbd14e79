//! The passwords of users, as hashes. A password that changes ends all browser sessions of its
//! user.

use waybill_domain::ids::UserId;
use waybill_domain::time::Time;

use crate::users::User;
use crate::{Result, Tx, sessions, users};

/// The user with this address in small letters, and the hash of its password if it has one.
pub fn any_find(tx: &mut Tx<'_>, email: &str) -> Result<Option<(User, Option<String>)>> {
    tx.one(
        "SELECT app_user.id, app_user.name, app_user.email, app_user.language,
                app_user.is_operator, app_user.created_at, user_password.hash
           FROM app_user LEFT JOIN user_password ON user_password.user_id = app_user.id
          WHERE app_user.email = $1 AND app_user.deleted_at IS NULL",
        &[email.into()],
    )
}

/// The hash of the user's password, which nobody changes before this transaction ends: a session
/// that begins with an old password is seen by whoever sets a new one, and ended.
pub fn any_lock_hash(tx: &mut Tx<'_>, user: UserId) -> Result<Option<String>> {
    let sql = "SELECT hash FROM user_password WHERE user_id = $1 FOR NO KEY UPDATE";
    tx.one(sql, &[user.into()])
}

/// Gives the user this password and ends its sessions. False when the user was deleted.
pub fn any_set(tx: &mut Tx<'_>, user: UserId, hash: &str, now: Time) -> Result<bool> {
    if !users::any_lock(tx, user)? {
        return Ok(false);
    }
    tx.exec(
        "INSERT INTO user_password (user_id, hash, updated_at) VALUES ($1, $2, $3)
         ON CONFLICT (user_id)
         DO UPDATE SET hash = excluded.hash, updated_at = excluded.updated_at",
        &[user.into(), hash.into(), now.into()],
    )?;
    sessions::any_end_all(tx, user, now)?;
    Ok(true)
}

/// Takes the user's password away and ends its sessions. False when there was none.
pub fn any_remove(tx: &mut Tx<'_>, user: UserId, now: Time) -> Result<bool> {
    let rows = tx.exec("DELETE FROM user_password WHERE user_id = $1", &[user.into()])?;
    sessions::any_end_all(tx, user, now)?;
    Ok(rows == 1)
}

/// Stores the same password hashed anew, unless it was changed meanwhile.
pub fn any_rehash(tx: &mut Tx<'_>, user: UserId, old: &str, new: &str) -> Result<()> {
    tx.exec(
        "UPDATE user_password SET hash = $3 WHERE user_id = $1 AND hash = $2",
        &[user.into(), old.into(), new.into()],
    )?;
    Ok(())
}
