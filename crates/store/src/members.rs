//! Who belongs to which team, and what they may do there.

pub use waybill_domain::access::Role;
use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::time::Time;

use crate::{Cell, Column, Param, Result, Tx};

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

/// Makes the user a member, or gives a member another role.
pub fn insert(tx: &mut Tx<'_>, team: TeamId, user: UserId, role: Role, now: Time) -> Result<()> {
    tx.exec(
        "INSERT INTO member (team, user_id, role, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (team, user_id) DO UPDATE SET role = excluded.role",
        &[team.into(), user.into(), role.into(), now.into()],
    )?;
    Ok(())
}

/// Ends the membership. False when there was none.
pub fn remove(tx: &mut Tx<'_>, team: TeamId, user: UserId) -> Result<bool> {
    let rows = tx
        .exec("DELETE FROM member WHERE team = $1 AND user_id = $2", &[team.into(), user.into()])?;
    Ok(rows == 1)
}

/// The user's role in the team.
pub fn role_of(tx: &mut Tx<'_>, team: TeamId, user: UserId) -> Result<Option<Role>> {
    tx.one("SELECT role FROM member WHERE team = $1 AND user_id = $2", &[team.into(), user.into()])
}
