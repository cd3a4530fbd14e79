//! People and machines that call. A user belongs to no team but is a member of some.

use waybill_domain::ids::UserId;
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx};

/// A person or machine that calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    /// Its id.
    pub id: UserId,
    /// How it is shown.
    pub name: String,
    /// Its address in small letters, unique.
    pub email: String,
    /// The language of messages to it.
    pub language: String,
    /// Whether it runs the installation.
    pub is_operator: bool,
    /// When it was added.
    pub created_at: Time,
}

impl FromRow for User {
    fn from_row(row: &mut Row<'_>) -> Result<User> {
        Ok(User {
            id: row.next()?,
            name: row.next()?,
            email: row.next()?,
            language: row.next()?,
            is_operator: row.next()?,
            created_at: row.next()?,
        })
    }
}

/// Lets one transaction at a time add users: who looks whether there is one sees it.
pub fn any_lock_all(tx: &mut Tx<'_>) -> Result<()> {
    let sql = "SELECT value FROM meta WHERE name = 'users' FOR NO KEY UPDATE";
    let _locked: Option<String> = tx.one(sql, &[])?;
    Ok(())
}

/// Adds a user. A second one with the same address is a conflict with `app_user_email`.
pub fn insert(tx: &mut Tx<'_>, user: &User) -> Result<()> {
    any_lock_all(tx)?;
    tx.exec(
        "INSERT INTO app_user (id, name, email, language, is_operator, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        &[
            user.id.into(),
            (&user.name).into(),
            (&user.email).into(),
            (&user.language).into(),
            user.is_operator.into(),
            user.created_at.into(),
        ],
    )?;
    Ok(())
}

/// The user, unless it was deleted.
pub fn any_find(tx: &mut Tx<'_>, id: UserId) -> Result<Option<User>> {
    tx.one(
        "SELECT id, name, email, language, is_operator, created_at FROM app_user
          WHERE id = $1 AND deleted_at IS NULL",
        &[id.into()],
    )
}

/// Lets one transaction at a time decide something about the user. False when it was deleted.
pub fn any_lock(tx: &mut Tx<'_>, id: UserId) -> Result<bool> {
    let sql = "SELECT id FROM app_user WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE";
    let locked: Option<UserId> = tx.one(sql, &[id.into()])?;
    Ok(locked.is_some())
}

/// The user with this address in small letters.
pub fn any_find_by_email(tx: &mut Tx<'_>, email: &str) -> Result<Option<User>> {
    tx.one(
        "SELECT id, name, email, language, is_operator, created_at
           FROM app_user WHERE email = $1 AND deleted_at IS NULL",
        &[email.into()],
    )
}

/// All users that were not deleted, oldest first.
pub fn any_list(tx: &mut Tx<'_>) -> Result<Vec<User>> {
    tx.all(
        "SELECT id, name, email, language, is_operator, created_at FROM app_user
          WHERE deleted_at IS NULL ORDER BY id",
        &[],
    )
}

/// Gives it another name, and another language of messages to it. False when there is no such user.
pub fn any_set_profile(
    tx: &mut Tx<'_>,
    id: UserId,
    (name, language): (&str, &str),
) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE app_user SET name = $2, language = $3 WHERE id = $1",
        &[id.into(), name.into(), language.into()],
    )?;
    Ok(rows == 1)
}

/// Lets it run the installation, or not any more. False when there is no such user.
pub fn any_set_operator(tx: &mut Tx<'_>, id: UserId, is_operator: bool) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE app_user SET is_operator = $2 WHERE id = $1 AND deleted_at IS NULL",
        &[id.into(), is_operator.into()],
    )?;
    Ok(rows == 1)
}

/// Whether it can sign in with a password.
pub fn any_has_password(tx: &mut Tx<'_>, id: UserId) -> Result<bool> {
    let found: Option<UserId> =
        tx.one("SELECT user_id FROM user_password WHERE user_id = $1", &[id.into()])?;
    Ok(found.is_some())
}
