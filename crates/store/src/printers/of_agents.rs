//! Printers that an agent has: which it is there, and how the agent says that it is.

use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::time::Time;

use super::{Printer, select};
use crate::{Result, Tx};

/// A printer as its agent knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentPrinter {
    /// The agent.
    pub agent: PrintAgentId,
    /// What the agent knows it by.
    pub key: String,
    /// What it is called there.
    pub name: String,
    /// Whether it takes jobs, by the agent's last list; nothing when that was without it.
    pub reported_online: Option<bool>,
}

/// The printers that the team has through an agent, the oldest first.
pub fn list_of_agent(tx: &mut Tx<'_>, team: TeamId, agent: PrintAgentId) -> Result<Vec<Printer>> {
    tx.all(
        select!("WHERE team = $1 AND agent = $2 AND deleted_at IS NULL ORDER BY id"),
        &[team.into(), agent.into()],
    )
}

/// Writes what an agent told of a printer. The rest is written by [`super::update`].
pub fn set_reported(tx: &mut Tx<'_>, team: TeamId, printer: &Printer) -> Result<()> {
    let Some(own) = &printer.agent else { return Ok(()) };
    tx.exec_one(
        "UPDATE printer SET name = $3, agent_name = $4, reported_online = $5, abilities = $6,
                            is_online = $7, updated_at = $8
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            printer.id.into(),
            (&printer.name).into(),
            (&own.name).into(),
            own.reported_online.into(),
            printer.abilities.to_json().to_string().into(),
            printer.is_online.into(),
            printer.updated_at.into(),
        ],
    )?;
    Ok(())
}

/// Nothing is known of an agent's printers any more.
pub fn set_all_offline(
    tx: &mut Tx<'_>,
    team: TeamId,
    agent: PrintAgentId,
    now: Time,
) -> Result<()> {
    tx.exec(
        "UPDATE printer SET is_online = $3, updated_at = $4
          WHERE team = $1 AND agent = $2 AND deleted_at IS NULL AND is_online = $5",
        &[team.into(), agent.into(), false.into(), now.into(), true.into()],
    )?;
    Ok(())
}

/// An agent is heard again: its printers are what it said last.
pub fn restore_of_agent(
    tx: &mut Tx<'_>,
    team: TeamId,
    agent: PrintAgentId,
    now: Time,
) -> Result<()> {
    tx.exec(
        "UPDATE printer SET is_online = $3, updated_at = $4
          WHERE team = $1 AND agent = $2 AND deleted_at IS NULL AND reported_online = $3",
        &[team.into(), agent.into(), true.into(), now.into()],
    )?;
    Ok(())
}
