//! Removing an agent.

use waybill_domain::ids::{PrintAgentId, TeamId};
use waybill_domain::printing::{AgentNews, PrintProblem, Seen};
use waybill_domain::time::Time;
use waybill_store::{Error, Tx, print_agents, print_jobs, printers};

use crate::app::App;
use crate::printing::{give_up_unsent, record};

/// Removes an agent with its printers. What it was offered is given up, and of what it holds nobody
/// will hear any more. False when there is none.
pub fn remove(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    id: PrintAgentId,
    now: Time,
) -> Result<bool, Error> {
    if !print_agents::delete(tx, team, id, now)? {
        return Ok(false);
    }
    for job in print_jobs::list_held(tx, team, id)? {
        let Some(job) = print_jobs::lock(tx, team, job.id)? else { continue };
        let gone = Seen::Agent(AgentNews::Gone(PrintProblem::AgentRemoved));
        record(tx, app, team, &job, (gone, None), now)?;
    }
    for printer in printers::list_of_agent(tx, team, id)? {
        printers::delete(tx, team, printer.id, now)?;
        let open = print_jobs::list_open(tx, team, printer.id)?;
        give_up_unsent(tx, app, team, open, PrintProblem::PrinterRemoved, now)?;
    }
    Ok(true)
}
