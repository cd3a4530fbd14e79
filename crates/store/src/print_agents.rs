//! Programs that print in warehouses. Of codes and tokens only hashes are kept.

use uuid::Uuid;
use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::printing::AgentState;
use waybill_domain::time::Time;
use waybill_domain::token::TokenHash;

use crate::{FromRow, Result, Row, Tx};

/// A print agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintAgent {
    /// Its id.
    pub id: PrintAgentId,
    /// What people call it.
    pub name: String,
    /// The machine that it runs on, once it has registered.
    pub hostname: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// What its token is looked up by.
    pub token_hash: Option<TokenHash>,
    /// Where the agent of the last session keeps its jobs.
    pub spool: Option<String>,
    /// The session that may call.
    pub session: Option<Uuid>,
    /// Whether it was heard not long ago.
    pub is_online: bool,
    /// When it was last heard, by the clock that servers share.
    pub seen_at: Option<Time>,
    /// How many printers the team has through it.
    pub printer_count: i64,
    /// When it was added.
    pub created_at: Time,
    /// When its name, its machine or its version last changed, or whether it is heard.
    pub updated_at: Time,
}

impl PrintAgent {
    /// An agent that has not registered yet.
    pub fn new(id: PrintAgentId, name: String, now: Time) -> PrintAgent {
        PrintAgent {
            id,
            name,
            hostname: None,
            version: None,
            token_hash: None,
            spool: None,
            session: None,
            is_online: false,
            seen_at: None,
            printer_count: 0,
            created_at: now,
            updated_at: now,
        }
    }

    /// How it is with it.
    pub fn state(&self) -> AgentState {
        state(self.token_hash.is_some(), self.is_online)
    }
}

fn state(is_registered: bool, is_online: bool) -> AgentState {
    match (is_registered, is_online) {
        (false, _) => AgentState::Pending,
        (true, true) => AgentState::Online,
        (true, false) => AgentState::Offline,
    }
}

impl FromRow for PrintAgent {
    fn from_row(row: &mut Row<'_>) -> Result<PrintAgent> {
        Ok(PrintAgent {
            id: row.next()?,
            name: row.next()?,
            hostname: row.next()?,
            version: row.next()?,
            token_hash: row.next()?,
            spool: row.next()?,
            session: row.next()?,
            is_online: row.next()?,
            seen_at: row.next()?,
            printer_count: row.next()?,
            created_at: row.next()?,
            updated_at: row.next()?,
        })
    }
}

macro_rules! select {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, name, hostname, version, token_hash, spool, session, is_online, seen_at,
                    (SELECT count(*) FROM printer
                      WHERE printer.team = print_agent.team AND printer.agent = print_agent.id
                        AND printer.deleted_at IS NULL),
                    created_at, updated_at
               FROM print_agent WHERE deleted_at IS NULL ",
            $($rest),+
        )
    };
}

/// Adds an agent that registers with the code of this hash.
pub fn insert(
    tx: &mut Tx<'_>,
    team: TeamId,
    agent: &PrintAgent,
    (code, expires_at): (&TokenHash, Time),
) -> Result<()> {
    tx.exec_one(
        "INSERT INTO print_agent (team, id, name, code_hash, code_expires_at, is_online,
                                  created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
        &[
            team.into(),
            agent.id.into(),
            (&agent.name).into(),
            code.into(),
            expires_at.into(),
            false.into(),
            agent.created_at.into(),
        ],
    )?;
    Ok(())
}

/// All agents that the team has, the oldest first.
pub fn list(tx: &mut Tx<'_>, team: TeamId) -> Result<Vec<PrintAgent>> {
    tx.all(select!("AND team = $1 ORDER BY id"), &[team.into()])
}

/// An agent that the team has.
pub fn find(tx: &mut Tx<'_>, team: TeamId, id: PrintAgentId) -> Result<Option<PrintAgent>> {
    tx.one(select!("AND team = $1 AND id = $2"), &[team.into(), id.into()])
}

/// An agent that the team has, which nobody else changes before this transaction ends.
pub fn lock(tx: &mut Tx<'_>, team: TeamId, id: PrintAgentId) -> Result<Option<PrintAgent>> {
    tx.one(select!("AND team = $1 AND id = $2 FOR UPDATE"), &[team.into(), id.into()])
}

/// Renames it. False when there is none.
pub fn set_name(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: PrintAgentId,
    name: &str,
    now: Time,
) -> Result<bool> {
    let renamed = tx.exec(
        "UPDATE print_agent SET name = $3, updated_at = $4
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL",
        &[team.into(), id.into(), name.into(), now.into()],
    )?;
    Ok(renamed == 1)
}

/// Gives it another code. The old one lets nobody in any more. False when there is no agent.
pub fn set_code(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: PrintAgentId,
    (code, expires_at): (&TokenHash, Time),
) -> Result<bool> {
    let written = tx.exec(
        "UPDATE print_agent SET code_hash = $3, code_expires_at = $4
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL",
        &[team.into(), id.into(), code.into(), expires_at.into()],
    )?;
    Ok(written == 1)
}

/// Ends the codes of the team's agents that have not registered yet.
pub fn end_codes(tx: &mut Tx<'_>, team: TeamId) -> Result<()> {
    tx.exec(
        "UPDATE print_agent SET code_hash = NULL, code_expires_at = NULL
          WHERE team = $1 AND code_hash IS NOT NULL",
        &[team.into()],
    )?;
    Ok(())
}

/// Removes it; its row stays. Its token and its code let nobody in any more. False when there is
/// none.
pub fn delete(tx: &mut Tx<'_>, team: TeamId, id: PrintAgentId, now: Time) -> Result<bool> {
    let removed = tx.exec(
        "UPDATE print_agent SET deleted_at = $3, updated_at = $3, code_hash = NULL,
                token_hash = NULL, session = NULL, is_online = $4
          WHERE team = $1 AND id = $2 AND deleted_at IS NULL",
        &[team.into(), id.into(), now.into(), false.into()],
    )?;
    Ok(removed == 1)
}

/// The agent that this code lets in now.
pub fn any_find_by_code(
    tx: &mut Tx<'_>,
    code: &TokenHash,
    now: Time,
) -> Result<Option<(TeamId, PrintAgentId)>> {
    tx.one(
        "SELECT team, id FROM print_agent WHERE code_hash = $1 AND code_expires_at > $2",
        &[code.into(), now.into()],
    )
}

/// What a program says of itself when it registers.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The code.
    pub code: TokenHash,
    /// What its token is looked up by from now on.
    pub token: TokenHash,
    /// Its machine.
    pub hostname: String,
    /// Its version.
    pub version: String,
}

/// Uses a code up: from now on the token lets in whoever used it, and an older one lets nobody in.
/// The agent with its team; none when the code was not good.
pub fn any_register(
    tx: &mut Tx<'_>,
    new: &Registration,
    now: Time,
) -> Result<Option<(TeamId, PrintAgentId, String)>> {
    tx.one(
        "UPDATE print_agent SET code_hash = NULL, code_expires_at = NULL, token_hash = $2,
                hostname = $3, version = $4, session = NULL, is_online = $5, updated_at = $6
          WHERE code_hash = $1 AND code_expires_at > $6
         RETURNING team, id, name",
        &[
            (&new.code).into(),
            (&new.token).into(),
            (&new.hostname).into(),
            (&new.version).into(),
            false.into(),
            now.into(),
        ],
    )
}

/// A team, an agent of it, and the team's language and domain.
pub type TeamAgent = (TeamId, PrintAgentId, (String, String));

/// The agent with this token.
pub fn any_find_by_token(tx: &mut Tx<'_>, token: &[u8]) -> Result<Option<TeamAgent>> {
    tx.one(
        "SELECT print_agent.team, print_agent.id, team.language, team.domain
           FROM print_agent JOIN team ON team.id = print_agent.team
          WHERE print_agent.token_hash = $1",
        &[token.into()],
    )
}

/// A session that begins.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its id.
    pub id: Uuid,
    /// Where its agent keeps its jobs.
    pub spool: String,
    /// Its machine.
    pub hostname: String,
    /// Its version.
    pub version: String,
}

/// From now on this session may call, and no other. `seen_at` is by the clock that servers share.
pub fn set_session(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: PrintAgentId,
    session: &NewSession,
    (seen_at, now): (Time, Time),
) -> Result<()> {
    tx.exec_one(
        "UPDATE print_agent SET session = $3, spool = $4, hostname = $5, version = $6,
                is_online = $7, seen_at = $8, updated_at = $9
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            id.into(),
            session.id.into(),
            (&session.spool).into(),
            (&session.hostname).into(),
            (&session.version).into(),
            true.into(),
            seen_at.into(),
            now.into(),
        ],
    )?;
    Ok(())
}

/// Notes when it was heard, by the clock that servers share.
pub fn set_seen(tx: &mut Tx<'_>, team: TeamId, id: PrintAgentId, seen_at: Time) -> Result<()> {
    tx.exec_one(
        "UPDATE print_agent SET seen_at = $3 WHERE team = $1 AND id = $2",
        &[team.into(), id.into(), seen_at.into()],
    )?;
    Ok(())
}

/// Notes whether it is heard.
pub fn set_online(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: PrintAgentId,
    is_online: bool,
    now: Time,
) -> Result<()> {
    tx.exec_one(
        "UPDATE print_agent SET is_online = $3, updated_at = $4 WHERE team = $1 AND id = $2",
        &[team.into(), id.into(), is_online.into(), now.into()],
    )?;
    Ok(())
}

/// How many agents there are in each state, over all teams.
pub fn any_count(tx: &mut Tx<'_>) -> Result<Vec<(AgentState, i64)>> {
    let counts: Vec<(bool, bool, i64)> = tx.all(
        "SELECT token_hash IS NOT NULL, is_online, count(*) FROM print_agent
          WHERE deleted_at IS NULL GROUP BY token_hash IS NOT NULL, is_online",
        &[],
    )?;
    let count = |(is_registered, is_online, count)| (state(is_registered, is_online), count);
    Ok(counts.into_iter().map(count).collect())
}

/// What an agent is or was called.
pub fn find_name(tx: &mut Tx<'_>, team: TeamId, id: PrintAgentId) -> Result<Option<String>> {
    tx.one("SELECT name FROM print_agent WHERE team = $1 AND id = $2", &[team.into(), id.into()])
}

/// Removes the rows of agents that were removed before this time and that no job names.
pub fn any_delete_removed(tx: &mut Tx<'_>, before: Time, limit: i64) -> Result<u64> {
    tx.exec(
        "DELETE FROM print_agent WHERE (team, id) IN (
           SELECT team, id FROM print_agent AS gone
            WHERE deleted_at < $1
              AND NOT EXISTS (SELECT 1 FROM printer
                               WHERE printer.team = gone.team AND printer.agent = gone.id)
            LIMIT $2)",
        &[before.into(), limit.into()],
    )
}
