//! The end of a user: it leaves every team and nothing lets it in any more. The audit log keeps
//! what it wrote.

use waybill_domain::access::last_admin_stays;
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::ids::UserId;

use crate::{Result, Tx, audit, members, passwords, teams, tokens, users};

/// Its line in the audit log comes after those of everything that ends with it.
const LAST_LINE: usize = 1 << 22;
/// What it is called from now on.
const NAME: &str = "Deleted user";

/// What became of a wish to delete a user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UserDeletion {
    /// It is gone.
    Done,
    /// It was gone before.
    Gone,
    /// The teams with these domains have no other administrator.
    LastAdmin(Vec<String>),
}

/// Deletes a user, unless a team needs it, and writes that down in its teams.
pub fn any_delete(tx: &mut Tx<'_>, id: UserId, act: &Act) -> Result<UserDeletion> {
    // Teams before users, as everybody locks them.
    for (team, _) in teams::list_of_user(tx, id)? {
        teams::lock(tx, team.id)?;
    }
    users::any_lock(tx, id)?;
    let Some(user) = users::any_find(tx, id)? else { return Ok(UserDeletion::Gone) };
    let own = teams::list_of_user(tx, id)?;
    let mut needed = Vec::new();
    for (team, role) in &own {
        if last_admin_stays(*role, None, members::count_admins(tx, team.id)?) {
            needed.push(team.domain.clone());
        }
    }
    if !needed.is_empty() {
        return Ok(UserDeletion::LastAdmin(needed));
    }
    let subject = Subject::named("user", id, &user.name);
    let what = (Action::UserDeleted, &subject);
    audit::any_insert_for_user(tx, id, &act.line(LAST_LINE), what, &Changes::none())?;
    // While its teams are known: what it has in all of them is told in each.
    tokens::any_revoke_unbound(tx, id, act)?;
    for (team, _) in own {
        members::take_out(tx, team.id, id, act)?;
    }
    end_access(tx, id, act)?;
    tx.exec(
        "UPDATE app_user SET name = $2, email = $3, is_operator = $4, deleted_at = $5
          WHERE id = $1",
        &[
            id.into(),
            NAME.into(),
            // Nobody can have taken an address that nobody knew.
            format!("{id}.{}@deleted.invalid", act.id).into(),
            false.into(),
            act.at.into(),
        ],
    )?;
    Ok(UserDeletion::Done)
}

/// What is bound to a team ended with the membership, and tokens that are good everywhere before.
/// None is left, also of a team that the user is not in any more.
fn end_access(tx: &mut Tx<'_>, id: UserId, act: &Act) -> Result<()> {
    tx.exec(
        "UPDATE token SET revoked_at = $2 WHERE user_id = $1 AND revoked_at IS NULL",
        &[id.into(), act.at.into()],
    )?;
    passwords::any_remove(tx, id, act.at)?;
    Ok(())
}
