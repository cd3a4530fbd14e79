//! What an agent tells of jobs. The commit of `stored` is the moment from which a job is the
//! agent's.

use waybill_domain::ids::{PrintJobId, TeamId};
use waybill_domain::printing::{Custody, Receipt, ReportResult, Reported, Seen, receive};
use waybill_domain::time::Time;
use waybill_store::print_agents::PrintAgent;
use waybill_store::print_jobs::{self, PrintJob, Report};
use waybill_store::{Error, Tx};

use super::spool;
use crate::app::App;
use crate::printing::{record, record_as_of};

/// A report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentReport {
    /// Of which job.
    pub job: PrintJobId,
    /// The first one of a job is 1.
    pub sequence: i64,
    /// How far it is.
    pub state: Reported,
    /// What is said about it.
    pub message: Option<String>,
    /// When that was, by the agent's clock.
    pub at: Time,
}

/// Takes reports, those of one job in the order of their numbers. The results are in the order of
/// the reports. The agent's row must be locked.
pub fn take(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    agent: &PrintAgent,
    reports: &[AgentReport],
    now: Time,
) -> Result<Vec<ReportResult>, Error> {
    let mut order: Vec<usize> = (0..reports.len()).collect();
    // Whoever else locks several jobs does so in the order of their ids.
    order.sort_by_key(|place| (reports[*place].job, reports[*place].sequence));
    let mut results = vec![ReportResult::Refused; reports.len()];
    for place in order {
        results[place] = take_one(tx, app, team, agent, &reports[place], now)?;
    }
    Ok(results)
}

fn take_one(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    agent: &PrintAgent,
    report: &AgentReport,
    now: Time,
) -> Result<ReportResult, Error> {
    let Some(job) = print_jobs::lock(tx, team, report.job)? else {
        return Ok(ReportResult::Refused);
    };
    let spool = spool(agent)?;
    let custody = job.custody((agent.id, spool));
    match receive(&job.printing(), custody, (report.state, report.sequence), now) {
        Receipt::Taken(seen) => {
            let job = match custody {
                Custody::Offered => hand_over(tx, team, &job, spool, now)?,
                _ => job,
            };
            write(tx, app, team, job, (seen, report), now)?;
            Ok(ReportResult::Taken)
        }
        Receipt::Known => Ok(ReportResult::Known),
        Receipt::Refused(seen) => {
            if let Some(seen) = seen {
                record(tx, app, team, &job, (seen, None), now)?;
            }
            Ok(ReportResult::Refused)
        }
    }
}

/// The job is the agent's from here on. Its submission refuses a second one, whatever the code
/// above it gets wrong.
fn hand_over(
    tx: &mut Tx<'_>,
    team: TeamId,
    job: &PrintJob,
    spool: &str,
    now: Time,
) -> Result<PrintJob, Error> {
    let submission = job.submission + 1;
    print_jobs::begin(tx, team, job.id, (submission, 0), now)?;
    Ok(PrintJob { submission, spool: Some(spool.to_owned()), ..job.clone() })
}

fn write(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    job: PrintJob,
    (seen, report): (Seen, &AgentReport),
    now: Time,
) -> Result<(), Error> {
    let job = PrintJob { sequence: report.sequence, ..job };
    // A clock that is wrong in the warehouse says nothing.
    let is_possible = (job.created_at..=now).contains(&report.at);
    let seen_at = if is_possible { report.at } else { now };
    let said = report.message.as_deref();
    record_as_of(tx, app, team, &job, (seen, said), (seen_at, now))?;
    let kept = Report {
        sequence: report.sequence,
        state: report.state.name().to_owned(),
        said: report.message.clone(),
        told_at: report.at,
        taken_at: now,
    };
    print_jobs::add_report(tx, team, job.id, &kept)
}
