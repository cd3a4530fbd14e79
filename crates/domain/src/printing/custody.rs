//! Whose a print job is, when a print agent reports about it.
//!
//! While it is pending it is the server's: it is offered, to the agent that has its printer, as
//! often as that asks. The agent stores the job and its file and says so, and the commit of that
//! report makes the job the agent's. Until it knows of the commit the agent prints nothing, and
//! afterwards nobody is offered the job. It belongs to the spool, not to the agent: one whose spool
//! was replaced has lost the jobs that it held, and whether they came out only a person can see.

use super::machine::{AgentNews, Seen};
use super::problem::PrintProblem;
use super::state::{PrintState, PrintStep, Printing, Reported};
use crate::ids::PrintAgentId;
use crate::time::Time;

/// Whose a job is, for the agent that reports.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Custody {
    /// It is pending, and offered to this agent.
    Offered,
    /// This agent's spool holds it.
    Held {
        /// The last report that was taken.
        sequence: i64,
    },
    /// It is somebody else's, or nobody's any more.
    Foreign,
}

/// What is stored of it beside the job itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holding<'a> {
    /// The agent that has the printer.
    pub agent: Option<PrintAgentId>,
    /// The spool that holds it.
    pub spool: Option<&'a str>,
    /// The last report that was taken.
    pub sequence: i64,
}

impl Custody {
    /// Whose the job is, for an agent with this spool.
    pub fn of(job: &Printing, held: Holding<'_>, (agent, spool): (PrintAgentId, &str)) -> Custody {
        let is_offered = job.step == PrintStep::Ready && job.state == PrintState::Pending;
        match held.spool {
            _ if held.agent != Some(agent) => Custody::Foreign,
            Some(holder) if holder == spool => Custody::Held { sequence: held.sequence },
            None if is_offered => Custody::Offered,
            _ => Custody::Foreign,
        }
    }
}

/// What became of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receipt {
    /// It is taken, and this is recorded.
    Taken(Seen),
    /// It was taken before, or a later one was.
    Known,
    /// The job is not the agent's. When that is because it waited for too long, this is recorded.
    Refused(Option<Seen>),
}

/// What becomes of a report, which has a number of its own. The first one of a job is `stored`:
/// what follows it proves that the job was given away.
pub fn receive(
    job: &Printing,
    custody: Custody,
    (said, sequence): (Reported, i64),
    now: Time,
) -> Receipt {
    match custody {
        Custody::Held { sequence: last } if sequence <= last => Receipt::Known,
        Custody::Held { .. } => Receipt::Taken(Seen::Agent(AgentNews::Says(said))),
        // A database that was restored has forgotten whose it was. It is not offered again.
        Custody::Offered if sequence > 1 => Receipt::Taken(Seen::Agent(AgentNews::Says(said))),
        Custody::Offered if said != Reported::Stored => Receipt::Refused(None),
        Custody::Offered if now >= job.expires_at => {
            Receipt::Refused(Some(Seen::Unwanted(PrintProblem::Expired)))
        }
        Custody::Offered => Receipt::Taken(Seen::Agent(AgentNews::Says(said))),
        Custody::Foreign => Receipt::Refused(None),
    }
}
