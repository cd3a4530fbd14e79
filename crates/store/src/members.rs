//! Who belongs to which team, and what they may do there. What changes it here also writes the line
//! of the audit log, for the API and the command line alike.

pub use waybill_domain::access::Role;
use waybill_domain::access::last_admin_stays;
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::json::Json;
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;

use crate::oauth::grants;
use crate::{
    Cell, Column, FromRow, Param, Result, Row, Tx, audit, invitations, print_agents, teams, tokens,
    users,
};

impl From<Role> for Param<'_> {
    fn from(role: Role) -> Self {
        role.name().into()
    }
}

impl Column for Role {
    fn from_cell(cell: Cell<'_>) -> Option<Role> {
        match cell {
            Cell::Text(text) => Role::parse(text),
            _ => None,
        }
    }
}

/// A user as a member of a team.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamMember {
    /// The user.
    pub user: UserId,
    /// How the user is shown.
    pub name: String,
    /// The user's address.
    pub email: String,
    /// What the user may do in the team.
    pub role: Role,
    /// Whether the user can sign in.
    pub has_password: bool,
    /// When a token that is good in the team was last used, within ten minutes, or the user was
    /// last seen in a browser.
    pub last_seen_at: Option<Time>,
    /// When the user came into the team.
    pub created_at: Time,
}

impl FromRow for TeamMember {
    fn from_row(row: &mut Row<'_>) -> Result<TeamMember> {
        Ok(TeamMember {
            user: row.next()?,
            name: row.next()?,
            email: row.next()?,
            role: row.next()?,
            has_password: row.next()?,
            last_seen_at: row.next()?,
            created_at: row.next()?,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT member.user_id, app_user.name, app_user.email, member.role,
                    EXISTS (SELECT 1 FROM user_password
                             WHERE user_password.user_id = member.user_id),
                    (SELECT max(seen_at) FROM (
                       SELECT last_used_at AS seen_at FROM token
                        WHERE token.user_id = member.user_id
                          AND (token.team IS NULL OR token.team = member.team)
                       UNION ALL
                       SELECT seen_at FROM browser_session
                        WHERE browser_session.user_id = member.user_id) AS heard),
                    member.created_at
               FROM member JOIN app_user ON app_user.id = member.user_id
              WHERE member.team = $1 ",
            $rest
        )
    };
}

/// One member.
pub fn find(tx: &mut Tx<'_>, team: TeamId, user: UserId) -> Result<Option<TeamMember>> {
    tx.one(select!("AND member.user_id = $2"), &[team.into(), user.into()])
}

/// One member more than `wanted` from the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<TeamMember>> {
    let (direction, id, _) = Cursor::between(cursor);
    let at = cursor.map_or(i64::MAX, |cursor| cursor.at);
    let statement = match direction {
        Direction::Next => select!(
            "AND (member.created_at, member.user_id) < ($2, $3)
              ORDER BY member.created_at DESC, member.user_id DESC LIMIT $4"
        ),
        Direction::Previous => select!(
            "AND (member.created_at, member.user_id) > ($2, $3)
              ORDER BY member.created_at, member.user_id LIMIT $4"
        ),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(statement, &[team.into(), at.into(), id.into(), limit.into()])
}

/// Makes the user a member, or gives a member another role.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, user: UserId, role: Role, now: Time) -> Result<()> {
    tx.exec(
        "INSERT INTO member (team, user_id, role, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (team, user_id) DO UPDATE SET role = excluded.role",
        &[team.into(), user.into(), role.into(), now.into()],
    )?;
    Ok(())
}

/// Ends the membership, and what the user allowed apps to do in the team. False when there was
/// none.
pub fn remove(tx: &mut Tx<'_>, team: TeamId, user: UserId, act: &Act) -> Result<bool> {
    let rows = tx
        .exec("DELETE FROM member WHERE team = $1 AND user_id = $2", &[team.into(), user.into()])?;
    grants::end_of_member(tx, team, user, act)?;
    Ok(rows == 1)
}

/// The user's role in the team.
pub fn role_of(tx: &mut Tx<'_>, team: TeamId, user: UserId) -> Result<Option<Role>> {
    tx.one("SELECT role FROM member WHERE team = $1 AND user_id = $2", &[team.into(), user.into()])
}

/// What became of a wish about a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberChange {
    /// It was done.
    Done,
    /// It was so before.
    Unchanged,
    /// The user is not in the team.
    NotAMember,
    /// The team would be left without an administrator.
    LastAdmin,
}

/// Puts a user into the team with this role, and writes that down. A member keeps its role.
pub fn add(
    tx: &mut Tx<'_>,
    team: TeamId,
    user: UserId,
    role: Role,
    act: &Act,
) -> Result<MemberChange> {
    // Neither may have been deleted meanwhile.
    if !teams::lock(tx, team)? || !users::any_lock(tx, user)? {
        return Ok(MemberChange::NotAMember);
    }
    if role_of(tx, team, user)?.is_some() {
        return Ok(MemberChange::Unchanged);
    }
    insert(tx, team, user, role, act.at)?;
    let changes = Changes::none().and("role", Json::Null, role.name().into());
    note(tx, team, user, (Action::MemberAdded, act), &changes)?;
    Ok(MemberChange::Done)
}

/// Gives a member another role, and writes that down. Of two administrators who demote each other
/// at once, one remains.
pub fn change_role(
    tx: &mut Tx<'_>,
    team: TeamId,
    user: UserId,
    role: Role,
    act: &Act,
) -> Result<MemberChange> {
    teams::lock(tx, team)?;
    let Some(old) = role_of(tx, team, user)? else { return Ok(MemberChange::NotAMember) };
    if old == role {
        return Ok(MemberChange::Unchanged);
    }
    if last_admin_stays(old, Some(role), count_admins(tx, team)?) {
        return Ok(MemberChange::LastAdmin);
    }
    insert(tx, team, user, role, act.at)?;
    if role != Role::Admin {
        invitations::revoke_of(tx, team, user, act)?;
    }
    let changes = Changes::none().and("role", old.name().into(), role.name().into());
    note(tx, team, user, (Action::MemberRoleChanged, act), &changes)?;
    Ok(MemberChange::Done)
}

/// Takes a member out of the team, ends what the user has that is bound to the team, tokens and
/// grants of apps, and writes that down.
pub fn take_out(tx: &mut Tx<'_>, team: TeamId, user: UserId, act: &Act) -> Result<MemberChange> {
    teams::lock(tx, team)?;
    let Some(old) = role_of(tx, team, user)? else { return Ok(MemberChange::NotAMember) };
    if last_admin_stays(old, None, count_admins(tx, team)?) {
        return Ok(MemberChange::LastAdmin);
    }
    remove(tx, team, user, act)?;
    invitations::revoke_of(tx, team, user, act)?;
    tokens::revoke_of_member(tx, team, user, act)?;
    if old == Role::Admin {
        // Whoever could make codes may have kept one. The others ask for new ones.
        print_agents::end_codes(tx, team)?;
    }
    let changes = Changes::none().and("role", old.name().into(), Json::Null);
    note(tx, team, user, (Action::MemberRemoved, act), &changes)?;
    Ok(MemberChange::Done)
}

/// How many administrators the team has.
pub fn count_admins(tx: &mut Tx<'_>, team: TeamId) -> Result<i64> {
    let count =
        tx.one("SELECT count(*) FROM member WHERE team = $1 AND role = 'admin'", &[team.into()])?;
    Ok(count.unwrap_or(0))
}

fn note(
    tx: &mut Tx<'_>,
    team: TeamId,
    user: UserId,
    (action, act): (Action, &Act),
    changes: &Changes,
) -> Result<()> {
    let name: Option<String> = tx.one("SELECT name FROM app_user WHERE id = $1", &[user.into()])?;
    let subject = Subject { kind: "user", id: user.into(), name };
    audit::insert(tx, team, act, (action, &subject), changes)
}
