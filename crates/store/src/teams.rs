//! Teams and their settings. Settings change only from the version that the caller has seen, so no
//! change is lost to another.

use waybill_domain::access::Role;
use waybill_domain::audit::{Act, Action, Changes, Subject};
use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::time::Time;

use crate::{Error, FromRow, Result, Row, Tx, audit};

/// The owner of everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// Its id.
    pub id: TeamId,
    /// How it is shown.
    pub name: String,
    /// Its name in addresses, unique.
    pub domain: String,
    /// The language of messages to it.
    pub language: String,
    /// When it was added.
    pub created_at: Time,
    /// When it or its settings last changed.
    pub updated_at: Time,
}

impl FromRow for Team {
    fn from_row(row: &mut Row<'_>) -> Result<Team> {
        Ok(Team {
            id: row.next()?,
            name: row.next()?,
            domain: row.next()?,
            language: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

/// Adds a team with the first version of its settings. A second one with the same domain is a
/// conflict with `team_domain`.
pub fn insert(tx: &mut Tx<'_>, team: &Team, settings: &str) -> Result<()> {
    tx.exec(
        "INSERT INTO team (id, name, domain, language, settings, settings_version,
                           created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, 1, $6, $7)",
        &[
            team.id.into(),
            (&team.name).into(),
            (&team.domain).into(),
            (&team.language).into(),
            settings.into(),
            team.created_at.into(),
            team.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// The team, also one that was deleted: what it has booked is still shown to operators.
pub fn find(tx: &mut Tx<'_>, team: TeamId) -> Result<Option<Team>> {
    tx.one(
        "SELECT id, name, domain, language, created_at, updated_at FROM team WHERE id = $1",
        &[team.into()],
    )
}

/// The team with this domain.
pub fn any_find_by_domain(tx: &mut Tx<'_>, domain: &str) -> Result<Option<Team>> {
    tx.one(
        "SELECT id, name, domain, language, created_at, updated_at FROM team
          WHERE domain = $1 AND deleted_at IS NULL",
        &[domain.into()],
    )
}

/// All teams that were not deleted, oldest first.
pub fn any_list(tx: &mut Tx<'_>) -> Result<Vec<Team>> {
    tx.all(
        "SELECT id, name, domain, language, created_at, updated_at FROM team
          WHERE deleted_at IS NULL ORDER BY id",
        &[],
    )
}

/// The teams of a user with its role in each, oldest first.
pub fn list_of_user(tx: &mut Tx<'_>, user: UserId) -> Result<Vec<(Team, Role)>> {
    tx.all(
        "SELECT team.id, team.name, team.domain, team.language, team.created_at, team.updated_at,
                member.role
           FROM member JOIN team ON team.id = member.team
          WHERE member.user_id = $1 ORDER BY team.id",
        &[user.into()],
    )
}

/// The team's settings as JSON, and their version.
pub fn find_settings(tx: &mut Tx<'_>, team: TeamId) -> Result<Option<(String, i64)>> {
    tx.one("SELECT settings, settings_version FROM team WHERE id = $1", &[team.into()])
}

/// Lets one transaction at a time decide something about the whole team. Who only adds a row that
/// names the team does not wait, and two who did that before they lock do not wait for each other.
/// False when the team was deleted.
pub fn lock(tx: &mut Tx<'_>, team: TeamId) -> Result<bool> {
    let sql = "SELECT id FROM team WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE";
    let locked: Option<TeamId> = tx.one(sql, &[team.into()])?;
    Ok(locked.is_some())
}

/// Keeps the team from being deleted before this transaction ends, and nobody waiting. It fails
/// with [`Error::TeamDeleted`] when that has happened.
pub fn hold(tx: &mut Tx<'_>, team: TeamId) -> Result<()> {
    let sql = "SELECT id FROM team WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE";
    let held: Option<TeamId> = tx.one(sql, &[team.into()])?;
    held.map(drop).ok_or(Error::TeamDeleted)
}

/// Whether the team was deleted.
pub fn is_deleted(tx: &mut Tx<'_>, team: TeamId) -> Result<bool> {
    let sql = "SELECT id FROM team WHERE id = $1 AND deleted_at IS NOT NULL";
    let found: Option<TeamId> = tx.one(sql, &[team.into()])?;
    Ok(found.is_some())
}

/// Writes down what was done to the team itself. Call it in the transaction of the change.
pub fn note(
    tx: &mut Tx<'_>,
    team: TeamId,
    (action, act): (Action, &Act),
    changes: &Changes,
) -> Result<()> {
    let name: Option<String> = tx.one("SELECT name FROM team WHERE id = $1", &[team.into()])?;
    let subject = Subject { kind: "team", id: team.into(), name };
    audit::insert(tx, team, act, (action, &subject), changes)
}

/// Gives the team another name. It must be [`lock`]ed.
pub fn set_name(tx: &mut Tx<'_>, team: TeamId, name: &str, now: Time) -> Result<()> {
    tx.exec(
        "UPDATE team SET name = $2, updated_at = $3 WHERE id = $1",
        &[team.into(), name.into(), now.into()],
    )?;
    Ok(())
}

/// Replaces the settings. False when they are no longer at the expected version.
pub fn set_settings(
    tx: &mut Tx<'_>,
    team: TeamId,
    expected_version: i64,
    settings: &str,
    language: &str,
    now: Time,
) -> Result<bool> {
    let rows = tx.exec(
        "UPDATE team SET settings = $3, language = $4, updated_at = $5,
                settings_version = settings_version + 1
          WHERE id = $1 AND settings_version = $2",
        &[team.into(), expected_version.into(), settings.into(), language.into(), now.into()],
    )?;
    Ok(rows == 1)
}
