//! Who the agent is, and how it is with the line to its server.

use rusqlite::{OptionalExtension, Transaction, params};
use waybill_domain::ids::IdSource;
use waybill_domain::secret::Secret;

use super::error::SpoolError;

/// What is known by a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The name of this spool, made with it.
    Instance,
    /// The file that it is in.
    File,
    /// Where the server is.
    Server,
    /// The agent.
    Agent,
    /// Its team.
    Team,
    /// What it is called.
    Name,
    /// What lets it in.
    Token,
    /// When the server answered last.
    ContactAt,
    /// Why it does not answer; empty when it does.
    Trouble,
    /// Why nothing is claimed; empty when there is room.
    Full,
}

impl Fact {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Fact::Instance => "instance",
            Fact::File => "file",
            Fact::Server => "server",
            Fact::Agent => "agent",
            Fact::Team => "team",
            Fact::Name => "name",
            Fact::Token => "token",
            Fact::ContactAt => "contact_at",
            Fact::Trouble => "trouble",
            Fact::Full => "full",
        }
    }
}

/// Who a registered agent is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Where its server is.
    pub server: String,
    /// The agent.
    pub agent: String,
    /// Its team.
    pub team: String,
    /// What it was called when it registered.
    pub name: String,
    /// What lets it in.
    pub token: Secret<String>,
}

/// A fact, when it is known.
pub fn find(tx: &Transaction<'_>, fact: Fact) -> Result<Option<String>, SpoolError> {
    let mut find = tx.prepare_cached("SELECT value FROM fact WHERE name = ?1")?;
    Ok(find.query_row([fact.name()], |row| row.get(0)).optional()?)
}

/// Writes a fact.
pub fn set(tx: &Transaction<'_>, fact: Fact, value: &str) -> Result<(), SpoolError> {
    let mut set = tx.prepare_cached(
        "INSERT INTO fact (name, value) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )?;
    set.execute(params![fact.name(), value])?;
    Ok(())
}

/// Who this is, once it has registered.
pub fn find_identity(tx: &Transaction<'_>) -> Result<Option<Identity>, SpoolError> {
    let all = (
        find(tx, Fact::Server)?,
        find(tx, Fact::Agent)?,
        find(tx, Fact::Team)?,
        find(tx, Fact::Name)?,
        find(tx, Fact::Token)?,
    );
    let (Some(server), Some(agent), Some(team), Some(name), Some(token)) = all else {
        return Ok(None);
    };
    Ok(Some(Identity { server, agent, team, name, token: Secret::new(token) }))
}

/// Writes who this is from now on.
pub fn set_identity(tx: &Transaction<'_>, new: &Identity) -> Result<(), SpoolError> {
    for (fact, value) in [
        (Fact::Server, &new.server),
        (Fact::Agent, &new.agent),
        (Fact::Team, &new.team),
        (Fact::Name, &new.name),
        (Fact::Token, new.token.expose()),
    ] {
        set(tx, fact, value)?;
    }
    Ok(())
}

/// Names a spool that is new or in another file than before. True when it was copied: the jobs in
/// it are then those of the file that it was copied from.
pub fn begin(tx: &Transaction<'_>, file: &str, ids: &dyn IdSource) -> Result<bool, SpoolError> {
    let known = find(tx, Fact::File)?;
    let is_copied = known.as_deref().is_some_and(|known| known != file);
    if is_copied || find(tx, Fact::Instance)?.is_none() {
        set(tx, Fact::Instance, &ids.uuid().to_string())?;
    }
    set(tx, Fact::File, file)?;
    Ok(is_copied)
}
