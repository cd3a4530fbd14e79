//! Browsers in which people are signed in. Only a hash of the cookie is kept, so a copy of the
//! database lets nobody in.

use std::time::Duration;

use waybill_domain::ids::{SessionId, UserId};
use waybill_domain::session;
use waybill_domain::time::Time;

use crate::users::User;
use crate::{FromRow, Result, Row, Tx};

/// How coarse `seen_at` is: a busy session costs one write in this time, and its idle hour ends no
/// more than that too early.
pub const TOUCH: Duration = Duration::from_secs(5);

/// A browser in which a user signed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Who signed in.
    pub user: UserId,
    /// The address, or network, that the browser came from.
    pub address: String,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// When the user signed in.
    pub created_at: Time,
    /// When it was last heard of, within seconds.
    pub seen_at: Time,
    /// When somebody ended it.
    pub ended_at: Option<Time>,
}

impl Session {
    /// Whether it still lets its browser in.
    pub fn is_live(&self, now: Time) -> bool {
        self.ended_at.is_none() && now < session::ends_at(self.created_at, self.seen_at)
    }
}

impl FromRow for Session {
    fn from_row(row: &mut Row<'_>) -> Result<Session> {
        Ok(Session {
            id: row.next()?,
            user: row.next()?,
            address: row.next()?,
            user_agent: row.next()?,
            created_at: row.next()?,
            seen_at: row.next()?,
            ended_at: row.next()?,
        })
    }
}

/// Begins a session. A second one with the same hash is a conflict with `browser_session_hash`.
pub fn any_insert(tx: &mut Tx<'_>, session: &Session, hash: &[u8]) -> Result<()> {
    tx.exec(
        "INSERT INTO browser_session (id, user_id, hash, address, user_agent, created_at, seen_at,
                                      ended_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            session.id.into(),
            session.user.into(),
            hash.into(),
            (&session.address).into(),
            session.user_agent.as_ref().into(),
            session.created_at.into(),
            session.seen_at.into(),
            session.ended_at.into(),
        ],
    )?;
    Ok(())
}

/// The session with this hash and its user. One that ended is found too: see [`Session::is_live`].
pub fn any_find_by_hash(tx: &mut Tx<'_>, hash: &[u8]) -> Result<Option<(Session, User)>> {
    tx.one(
        "SELECT browser_session.id, browser_session.user_id, browser_session.address,
                browser_session.user_agent, browser_session.created_at, browser_session.seen_at,
                browser_session.ended_at,
                app_user.id, app_user.name, app_user.email, app_user.language,
                app_user.is_operator, app_user.created_at
           FROM browser_session JOIN app_user ON app_user.id = browser_session.user_id
          WHERE browser_session.hash = $1",
        &[hash.into()],
    )
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, address, user_agent, created_at, seen_at, ended_at
               FROM browser_session WHERE user_id = $1 AND ended_at IS NULL ",
            $rest
        )
    };
}

/// The sessions of the user that nobody ended, the newest first. See [`Session::is_live`].
pub fn any_list(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<Session>> {
    tx.all(select!("ORDER BY id DESC LIMIT 1000"), &[user.into()])
}

/// One of those.
pub fn any_find_of_user(tx: &mut Tx<'_>, user: UserId, id: SessionId) -> Result<Option<Session>> {
    tx.one(select!("AND id = $2"), &[user.into(), id.into()])
}

/// Ends a session.
pub fn any_end(tx: &mut Tx<'_>, id: SessionId, now: Time) -> Result<()> {
    tx.exec(
        "UPDATE browser_session SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL",
        &[id.into(), now.into()],
    )?;
    Ok(())
}

/// Notes that it was heard of. A session that ended stays ended.
pub fn any_touch(tx: &mut Tx<'_>, id: SessionId, now: Time) -> Result<()> {
    tx.exec(
        "UPDATE browser_session SET seen_at = $2
          WHERE id = $1 AND seen_at < $2 AND ended_at IS NULL",
        &[id.into(), now.into()],
    )?;
    Ok(())
}

/// Ends the session with this hash, if there is one.
pub fn any_end_by_hash(tx: &mut Tx<'_>, hash: &[u8], now: Time) -> Result<()> {
    tx.exec(
        "UPDATE browser_session SET ended_at = $2 WHERE hash = $1 AND ended_at IS NULL",
        &[hash.into(), now.into()],
    )?;
    Ok(())
}

/// Ends all sessions of the user.
pub fn any_end_all(tx: &mut Tx<'_>, user: UserId, now: Time) -> Result<()> {
    tx.exec(
        "UPDATE browser_session SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL",
        &[user.into(), now.into()],
    )?;
    Ok(())
}

/// Removes up to `limit` sessions that were last heard of before this time, oldest first.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "WITH old AS MATERIALIZED (
             SELECT id FROM browser_session
              WHERE seen_at < $1 ORDER BY seen_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         DELETE FROM browser_session WHERE id IN (SELECT id FROM old)",
        &[before.into(), limit.into()],
    )
}
