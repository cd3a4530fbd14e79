//! The audit log. A line is added in the transaction of what it tells of, and nothing changes it:
//! there is no statement for that. After its time it goes.

use uuid::Uuid;
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx};

/// A line as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its id.
    pub id: Uuid,
    /// When it was done.
    pub at: Time,
    /// What kind of somebody did it, the id and the name.
    pub actor: (String, Option<Uuid>, String),
    /// The name of the action.
    pub action: String,
    /// To what it was done: its kind, its id and its name.
    pub subject: (String, Uuid, Option<String>),
    /// What changed, JSON.
    pub changes: String,
    /// The request that asked for it.
    pub request_id: Option<String>,
    /// Where that came from.
    pub address: Option<String>,
}

impl FromRow for Line {
    fn from_row(row: &mut Row<'_>) -> Result<Line> {
        Ok(Line {
            id: row.next()?,
            at: row.next()?,
            actor: row.next()?,
            action: row.next()?,
            subject: row.next()?,
            changes: row.next()?,
            request_id: row.next()?,
            address: row.next()?,
        })
    }
}

/// Writes down what was done in the team. Call it in the transaction of the change itself.
pub fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    act: &Act,
    (action, subject): (Action, &Subject),
    changes: &Changes,
) -> Result<()> {
    let actor = &act.actor;
    tx.exec_one(
        "INSERT INTO audit (team, id, at, actor_kind, actor, actor_name, action, subject_kind,
                            subject, subject_name, changes, request_id, address)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        &[
            team.into(),
            act.id.into(),
            act.at.into(),
            actor.kind.name().into(),
            actor.id.into(),
            (&actor.name).into(),
            action.name().into(),
            subject.kind.into(),
            subject.id.into(),
            subject.name.as_deref().into(),
            changes.to_json().to_string().into(),
            act.request_id.as_deref().into(),
            act.address.as_deref().into(),
        ],
    )?;
    Ok(())
}

/// Writes down what was done to what a user has in all its teams: a line in the log of each. A user
/// without a team leaves none.
pub fn any_insert_for_user(
    tx: &mut Tx<'_>,
    user: UserId,
    act: &Act,
    (action, subject): (Action, &Subject),
    changes: &Changes,
) -> Result<()> {
    let actor = &act.actor;
    tx.exec(
        "INSERT INTO audit (team, id, at, actor_kind, actor, actor_name, action, subject_kind,
                            subject, subject_name, changes, request_id, address)
         SELECT member.team, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
           FROM member WHERE member.user_id = $1",
        &[
            user.into(),
            act.id.into(),
            act.at.into(),
            actor.kind.name().into(),
            actor.id.into(),
            (&actor.name).into(),
            action.name().into(),
            subject.kind.into(),
            subject.id.into(),
            subject.name.as_deref().into(),
            changes.to_json().to_string().into(),
            act.request_id.as_deref().into(),
            act.address.as_deref().into(),
        ],
    )?;
    Ok(())
}

/// Which lines are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Filters {
    /// Of this action.
    pub action: Option<&'static str>,
    /// By this actor.
    pub actor: Option<Uuid>,
    /// About this thing.
    pub subject: Option<Uuid>,
    /// From this moment on.
    pub since: Option<Time>,
    /// Before this moment.
    pub until: Option<Time>,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, at, actor_kind, actor, actor_name, action, subject_kind, subject,
                    subject_name, changes, request_id, address
               FROM audit
              WHERE team = $1 AND (CAST($4 AS TEXT) IS NULL OR action = $4)
                AND (CAST($5 AS UUID) IS NULL OR actor = $5)
                AND (CAST($6 AS UUID) IS NULL OR subject = $6)
                AND (CAST($7 AS BIGINT) IS NULL OR at >= $7)
                AND (CAST($8 AS BIGINT) IS NULL OR at < $8) ",
            $rest
        )
    };
}

/// One line more than `wanted` from the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    filters: Filters,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Line>> {
    let (statement, id) = match cursor {
        None => (select!("AND id < $2 ORDER BY id DESC LIMIT $3"), Uuid::max()),
        Some(Cursor { direction: Direction::Next, id, .. }) => {
            (select!("AND id < $2 ORDER BY id DESC LIMIT $3"), id)
        }
        Some(Cursor { direction: Direction::Previous, id, .. }) => {
            (select!("AND id > $2 ORDER BY id LIMIT $3"), id)
        }
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(
        statement,
        &[
            team.into(),
            id.into(),
            limit.into(),
            filters.action.into(),
            filters.actor.into(),
            filters.subject.into(),
            filters.since.into(),
            filters.until.into(),
        ],
    )
}

/// Removes lines from before this time, the oldest first. Tells how many.
pub fn any_delete_old(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "WITH old AS MATERIALIZED (
             SELECT team, id FROM audit WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)
         DELETE FROM audit WHERE (team, id) IN (SELECT team, id FROM old)",
        &[before.into(), limit.into()],
    )
}
