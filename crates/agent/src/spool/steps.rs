//! The steps of a job at its printer. Each is one commit, which is made only from the step that
//! the queue has read: the same guarantees that the server's rows give.

use rusqlite::{Transaction, params};
use waybill_domain::language::Language;
use waybill_domain::printing::{
    self as machine, PrintFailure, PrintProblem, PrintState, Reported, Seen, SubmissionEnd,
};
use waybill_domain::time::Time;
use waybill_printing::queue::{Observation, QueueJob, QueuePrinter};

use super::error::SpoolError;
use super::reports;
use super::row::{Custody, SpoolJob, find, update};

/// A job as its queue has read it, and the time of what is done now.
#[derive(Clone, Debug)]
pub struct Step {
    /// The job.
    pub job: QueueJob,
    /// Now.
    pub now: Time,
}

/// Commits that a submission to this printer begins: from here on an empty job may exist there.
/// Nothing when the job is not as it was read.
pub fn begin(
    tx: &Transaction<'_>,
    step: &Step,
    printer: Option<&QueuePrinter>,
) -> Result<Option<SpoolJob>, SpoolError> {
    let Some(current) = find(tx, step.job.id)? else { return Ok(None) };
    let is_wanted = current.custody != Custody::Forgotten;
    if current.printing.step != step.job.printing.step || !is_wanted {
        return Ok(None);
    }
    let mut new = SpoolJob { submission: current.submission + 1, printer_job: None, ..current };
    // With all copies that the printer does not make itself.
    let as_sent = |printer: &QueuePrinter| {
        printer.intake().size_as_sent(&new.format, new.file_bytes, new.copies)
    };
    new.printing.size = printer.map_or(new.file_bytes, as_sent);
    let mut insert = tx.prepare_cached(
        "INSERT INTO submission (job, n, printer, created_at) VALUES (?1, ?2, ?3, ?4)",
    )?;
    insert.execute(params![new.id.as_bytes(), new.submission, new.printer, step.now.0])?;
    apply(tx, new, (Seen::Begun, None), step.now).map(Some)
}

/// Commits the number of the empty job: from here on the file may leave. Nothing when the job is
/// not as it was read, or somebody has given it up.
pub fn created(
    tx: &Transaction<'_>,
    step: &Step,
    printer_job: Option<i32>,
) -> Result<Option<SpoolJob>, SpoolError> {
    let Some(current) = find_same(tx, &step.job)? else { return Ok(None) };
    if current.printing.state != step.job.printing.state {
        return Ok(None);
    }
    let mut set = tx.prepare_cached(
        "UPDATE submission SET printer_job = ?3, sent_at = ?4 WHERE job = ?1 AND n = ?2",
    )?;
    set.execute(params![current.id.as_bytes(), current.submission, printer_job, step.now.0])?;
    let new = SpoolJob { printer_job, ..current };
    apply(tx, new, (Seen::Created, None), step.now).map(Some)
}

/// Commits what an observation changes. Nothing when the job is not as it was read.
pub fn record(
    tx: &Transaction<'_>,
    step: &Step,
    observation: &Observation,
) -> Result<Option<SpoolJob>, SpoolError> {
    let Some(current) = find_same(tx, &step.job)? else { return Ok(None) };
    let printer_job = observation.printer_job.or(current.printer_job);
    let new = SpoolJob { printer_job, ..current };
    apply(tx, new, (observation.seen, observation.said.as_deref()), step.now).map(Some)
}

fn find_same(tx: &Transaction<'_>, job: &QueueJob) -> Result<Option<SpoolJob>, SpoolError> {
    let is_same = |current: &SpoolJob| {
        current.printing.step == job.printing.step && current.submission == job.submission
    };
    Ok(find(tx, job.id)?.filter(is_same))
}

/// Writes what an observation changes, and the report of a state that is new.
pub(super) fn apply(
    tx: &Transaction<'_>,
    job: SpoolJob,
    (seen, said): (Seen, Option<&str>),
    now: Time,
) -> Result<SpoolJob, SpoolError> {
    let change = machine::record(&job.printing, seen, now);
    let old = job.printing.state;
    let mut new = SpoolJob { printing: change.job, look_at: change.look_at, ..job };
    if let Some(outcome) = change.submission.filter(|_| new.submission > 0) {
        end_submission(tx, &new, (outcome, said), now)?;
    }
    if new.custody != Custody::Forgotten
        && let Some(state) = Some(new.printing.state).filter(|state| *state != old)
    {
        let message = change.problem.and_then(|problem| words(problem, said));
        reports::add(tx, &mut new, (reported(state), message), now)?;
    }
    // An end that changes no state is not reported, and ends the job all the same.
    reports::settle(tx, &mut new, now)?;
    update(tx, &new)?;
    Ok(new)
}

fn end_submission(
    tx: &Transaction<'_>,
    job: &SpoolJob,
    (outcome, said): (SubmissionEnd, Option<&str>),
    now: Time,
) -> Result<(), SpoolError> {
    let mut end = tx.prepare_cached(
        "UPDATE submission SET outcome = ?3, evidence = ?4, ended_at = ?5
          WHERE job = ?1 AND n = ?2",
    )?;
    end.execute(params![job.id.as_bytes(), job.submission, outcome.name(), said, now.0])?;
    Ok(())
}

/// A state as it is reported. What waits here is `stored`.
pub(super) fn reported(state: PrintState) -> Reported {
    match state {
        PrintState::Pending => Reported::Stored,
        PrintState::Queued => Reported::Queued,
        PrintState::Printing => Reported::Printing,
        PrintState::Printed => Reported::Printed,
        PrintState::Failed => Reported::Failed,
        PrintState::Unknown => Reported::Unknown,
    }
}

/// Why, for people. The server says itself that somebody should look at the printer.
fn words(problem: PrintProblem, said: Option<&str>) -> Option<String> {
    const LOOK: &str = "Look at the printer before you print it again.";
    let failure = PrintFailure::said(problem, said.unwrap_or_default());
    // A device says in a sentence of its own how the sending ended, and nothing is left to add.
    if let (PrintProblem::Interrupted, Some(said)) = (problem, &failure.said)
        && said.starts_with(char::is_uppercase)
        && said.ends_with('.')
    {
        return Some(said.clone());
    }
    let sentence = failure.message().say(Language::En);
    let mut sentence = sentence.trim().trim_end_matches(LOOK).trim_end().to_owned();
    if let Some(said) = failure.said.filter(|said| !sentence.contains(said.as_str())) {
        sentence.push(' ');
        sentence.push_str(&said);
    }
    Some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_sending_ended_is_said_once() {
        let said = |said| words(PrintProblem::Interrupted, Some(said)).unwrap();
        let stopped = "The agent stopped while it was sent.";
        assert_eq!(said(stopped), stopped);
        let broke = "The line to the printer broke while it was sent.";
        assert_eq!(said("job-aborted"), format!("{broke} job-aborted"));
        assert_eq!(words(PrintProblem::Interrupted, None).unwrap(), broke);
    }
}
