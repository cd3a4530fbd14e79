//! What is offered to an agent. To offer a job changes nothing, and it may be offered again, until
//! the agent has stored it.

use std::collections::HashMap;

use waybill_domain::ids::{PrintAgentId, PrinterId, TeamId};
use waybill_domain::time::Time;
use waybill_store::documents::{self, Document};
use waybill_store::print_jobs::{self, PrintJob};
use waybill_store::{Error, Tx, printers};

/// A job that waits for an agent.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The job.
    pub job: PrintJob,
    /// What the agent knows its printer by.
    pub printer_key: String,
    /// The file.
    pub document: Document,
}

/// The oldest jobs that wait for an agent and whose printers take jobs.
pub fn list(
    tx: &mut Tx<'_>,
    team: TeamId,
    agent: PrintAgentId,
    limit: i64,
    now: Time,
) -> Result<Vec<Offer>, Error> {
    let waiting = print_jobs::list_offered(tx, team, agent, now, limit)?;
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let own = printers::list_of_agent(tx, team, agent)?.into_iter();
    let keys: HashMap<PrinterId, String> =
        own.filter_map(|printer| Some((printer.id, printer.agent?.key))).collect();
    let mut offers = Vec::new();
    for job in waiting {
        let key = job.target.as_ref().and_then(|target| keys.get(&target.printer));
        let document = documents::find(tx, team, job.document)?;
        if let (Some(key), Some(document)) = (key, document) {
            offers.push(Offer { job, printer_key: key.clone(), document });
        }
    }
    Ok(offers)
}
