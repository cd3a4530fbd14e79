//! Sessions: one at a time of each agent. An agent begins one when it starts, and tells what it
//! holds.

use std::collections::{BTreeSet, HashMap};

use waybill_domain::ids::{PrintJobId, TeamId};
use waybill_domain::printing::{AgentNews, Custody, PrintProblem, PrintState, Reported, Seen};
use waybill_domain::time::Time;
use waybill_store::print_agents::{self, NewSession, PrintAgent};
use waybill_store::print_jobs::{self, PrintJob};
use waybill_store::{Error, Tx, printers};

use super::{presence, printers as own_printers};
use crate::app::App;
use crate::printing::record;

/// A job that an agent says it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeldJob {
    /// Which one.
    pub job: PrintJobId,
    /// How far it is there.
    pub state: Reported,
    /// The number of its last report.
    pub sequence: i64,
}

/// Begins a session, which ends the one before. Tells which jobs the agent is to forget: those that
/// another spool held, those that it has only as they were before, and those that are not its own.
/// The agent's row must be locked.
pub fn open(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    agent: &PrintAgent,
    (new, held): (&NewSession, &[HeldJob]),
    now: Time,
) -> Result<Vec<PrintJobId>, Error> {
    let mut forget = BTreeSet::new();
    let is_replaced = agent.spool.as_ref().is_some_and(|spool| *spool != new.spool);
    let mut holding = HashMap::new();
    for job in print_jobs::list_held(tx, team, agent.id)? {
        if job.spool.as_deref() == Some(new.spool.as_str()) {
            holding.insert(job.id, job);
        } else {
            forget.insert(job.id);
            lose(tx, app, team, job.id, now)?;
        }
    }
    let seen_at = tx.now(now)?;
    print_agents::set_session(tx, team, agent.id, new, (seen_at, now))?;
    presence::watch(tx, team, agent.id, seen_at)?;
    match is_replaced {
        true => own_printers::disown_all(tx, team, agent.id, now)?,
        false => printers::restore_of_agent(tx, team, agent.id, now)?,
    }
    for one in held {
        let job = match holding.remove(&one.job) {
            Some(job) => Some(job),
            None => print_jobs::find(tx, team, one.job)?,
        };
        let custody = job.as_ref().map(|job| job.custody((agent.id, &new.spool)));
        match (job, custody) {
            // Its numbers are on its disk before they are sent: the spool was set back, and what
            // happened since then may happen again.
            (Some(job), Some(Custody::Held { .. })) if one.sequence < job.sequence => {
                forget.insert(job.id);
                lose(tx, app, team, job.id, now)?;
            }
            (Some(job), Some(Custody::Held { .. })) => hear_of(tx, app, team, &job, one, now)?,
            (_, Some(Custody::Offered)) => {}
            _ => drop(forget.insert(one.job)),
        }
    }
    Ok(forget.into_iter().collect())
}

/// The spool that held a job is gone: nobody knows what became of it.
fn lose(tx: &mut Tx<'_>, app: &App, team: TeamId, job: PrintJobId, now: Time) -> Result<(), Error> {
    let Some(job) = print_jobs::lock(tx, team, job)? else { return Ok(()) };
    let gone = Seen::Agent(AgentNews::Gone(PrintProblem::AgentReplaced));
    record(tx, app, team, &job, (gone, None), now).map(drop)
}

/// A job that was called unknown only because its agent was silent is what the agent says that it
/// is. What the agent has not reported yet comes with its reports.
fn hear_of(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    job: &PrintJob,
    held: &HeldJob,
    now: Time,
) -> Result<(), Error> {
    let is_silent = job.state == PrintState::Unknown && job.silent_since.is_some();
    let is_under_way =
        matches!(held.state, Reported::Stored | Reported::Queued | Reported::Printing);
    if !is_silent || !is_under_way {
        return Ok(());
    }
    let Some(job) = print_jobs::lock(tx, team, job.id)? else { return Ok(()) };
    let seen = Seen::Agent(AgentNews::Says(held.state));
    record(tx, app, team, &job, (seen, None), now).map(drop)
}
