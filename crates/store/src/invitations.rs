//! Invitations into a team. Only the hash of a link is kept, so a copy of the database lets nobody
//! in. An invitation is used once; a newer one for the same address replaces it.

use uuid::Uuid;
use waybill_domain::access::{InvitationState, Role};
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::ids::{InvitationId, TeamId, UserId};
use waybill_domain::page::{Cursor, Direction};
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;

use crate::{FromRow, Result, Row, Tx, audit, members, teams};

/// The lines of invitations that end with something else are numbered from here on.
const LINES_FROM: usize = 1 << 21;

/// An invitation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invitation {
    /// Its id.
    pub id: InvitationId,
    /// Who is invited, in small letters.
    pub email: String,
    /// As what.
    pub role: Role,
    /// When it was made.
    pub created_at: Time,
    /// When it ends by itself.
    pub expires_at: Time,
    /// When it was used.
    pub accepted_at: Option<Time>,
    /// When it was taken back or replaced.
    pub revoked_at: Option<Time>,
}

impl Invitation {
    /// What it is good for now.
    pub fn state(&self, now: Time) -> InvitationState {
        InvitationState::of(self.accepted_at, self.revoked_at, self.expires_at, now)
    }
}

impl FromRow for Invitation {
    fn from_row(row: &mut Row<'_>) -> Result<Invitation> {
        Ok(Invitation {
            id: row.next()?,
            email: row.next()?,
            role: row.next()?,
            created_at: row.next()?,
            expires_at: row.next()?,
            accepted_at: row.next()?,
            revoked_at: row.next()?,
        })
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, email, role, created_at, expires_at, accepted_at, revoked_at
               FROM invitation ",
            $rest
        )
    };
}

/// Adds an invitation, and tells which one of the same address it replaces. Lock the team first.
pub fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    invitation: &Invitation,
    (hash, invited_by): (&TokenHash, UserId),
) -> Result<Option<InvitationId>> {
    let replaced = tx.one(
        "UPDATE invitation SET revoked_at = $3
          WHERE team = $1 AND email = $2 AND accepted_at IS NULL AND revoked_at IS NULL
         RETURNING id",
        &[team.into(), (&invitation.email).into(), invitation.created_at.into()],
    )?;
    tx.exec(
        "INSERT INTO invitation (team, id, email, role, hash, invited_by, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            team.into(),
            invitation.id.into(),
            (&invitation.email).into(),
            invitation.role.into(),
            hash.into(),
            invited_by.into(),
            invitation.created_at.into(),
            invitation.expires_at.into(),
        ],
    )?;
    Ok(replaced)
}

/// One invitation of the team.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: InvitationId) -> Result<Option<Invitation>> {
    tx.one(select!("WHERE team = $1 AND id = $2"), &[team.into(), id.into()])
}

/// One invitation more than `wanted` from the cursor on, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    cursor: Option<Cursor>,
    wanted: usize,
) -> Result<Vec<Invitation>> {
    let (direction, id, _) = Cursor::between(cursor);
    let statement = match direction {
        Direction::Next => select!("WHERE team = $1 AND id < $2 ORDER BY id DESC LIMIT $3"),
        Direction::Previous => select!("WHERE team = $1 AND id > $2 ORDER BY id LIMIT $3"),
    };
    let limit = i64::try_from(wanted + 1).unwrap_or(i64::MAX);
    tx.all(statement, &[team.into(), id.into(), limit.into()])
}

/// Takes an invitation back. False when it was used or taken back before.
pub fn revoke(tx: &mut Tx<'_>, team: TeamId, id: InvitationId, now: Time) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE invitation SET revoked_at = $3
          WHERE team = $1 AND id = $2 AND accepted_at IS NULL AND revoked_at IS NULL",
        &[team.into(), id.into(), now.into()],
    )?;
    Ok(rows == 1)
}

/// Takes back what somebody invited who may not invite any more, and writes that down.
pub fn revoke_of(tx: &mut Tx<'_>, team: TeamId, user: UserId, act: &Act) -> Result<()> {
    let open: Vec<(InvitationId, String)> = tx.all(
        "UPDATE invitation SET revoked_at = $3
          WHERE team = $1 AND invited_by = $2 AND accepted_at IS NULL AND revoked_at IS NULL
         RETURNING id, email",
        &[team.into(), user.into(), act.at.into()],
    )?;
    note_revoked(tx, team, open, act)
}

/// Takes back every invitation into the team that nobody used, and writes that down.
pub fn revoke_all(tx: &mut Tx<'_>, team: TeamId, act: &Act) -> Result<()> {
    let open: Vec<(InvitationId, String)> = tx.all(
        "UPDATE invitation SET revoked_at = $2
          WHERE team = $1 AND accepted_at IS NULL AND revoked_at IS NULL
         RETURNING id, email",
        &[team.into(), act.at.into()],
    )?;
    note_revoked(tx, team, open, act)
}

fn note_revoked(
    tx: &mut Tx<'_>,
    team: TeamId,
    all: Vec<(InvitationId, String)>,
    act: &Act,
) -> Result<()> {
    for (number, (id, email)) in all.into_iter().enumerate() {
        let done = (Action::InvitationRevoked, &Subject::named("invitation", id, email));
        audit::insert(tx, team, &act.line(LINES_FROM + number), done, &Changes::none())?;
    }
    Ok(())
}

/// Whether a user with this address, in small letters, is in the team.
pub fn is_member(tx: &mut Tx<'_>, team: TeamId, email: &str) -> Result<bool> {
    let found: Option<Uuid> = tx.one(
        "SELECT member.user_id FROM member JOIN app_user ON app_user.id = member.user_id
          WHERE member.team = $1 AND app_user.email = $2",
        &[team.into(), email.into()],
    )?;
    Ok(found.is_some())
}

/// The invitation behind a link, with its team, as long as it can be used.
pub fn any_find_open(
    tx: &mut Tx<'_>,
    hash: &TokenHash,
    now: Time,
) -> Result<Option<(TeamId, Invitation)>> {
    tx.one(
        "SELECT team, id, email, role, created_at, expires_at, accepted_at, revoked_at
           FROM invitation
          WHERE hash = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > $2",
        &[hash.into(), now.into()],
    )
}

/// Uses the invitation behind a link: the user with its address comes into the team, and that is
/// written down. Tells the team; nothing when the link is used, replaced, taken back, over or
/// invented, or is somebody else's. Who is in the team already keeps the role.
pub fn any_accept(
    tx: &mut Tx<'_>,
    hash: &TokenHash,
    user: UserId,
    act: &Act,
) -> Result<Option<TeamId>> {
    let Some((team, invitation)) = any_find_open(tx, hash, act.at)? else { return Ok(None) };
    // The team before the invitation, as everybody locks them.
    teams::lock(tx, team)?;
    let used = tx.exec(
        "UPDATE invitation SET accepted_at = $3
          WHERE team = $1 AND id = $2 AND accepted_at IS NULL AND revoked_at IS NULL
            AND email = (SELECT email FROM app_user WHERE id = $4)",
        &[team.into(), invitation.id.into(), act.at.into(), user.into()],
    )?;
    if used == 0 {
        return Ok(None);
    }
    members::add(tx, team, user, invitation.role, act)?;
    Ok(Some(team))
}
