//! What may have left for a printer: one row each time, written before it does.
//!
//! The index `one_live_submission` refuses a second one of a job that is open, accepted or unknown.

use waybill_domain::ids::{PrintJobId, PrinterId, TeamId};
use waybill_domain::printing::SubmissionEnd;
use waybill_domain::time::Time;

use super::row::PrintJob;
use crate::{FromRow, Result, Row, Tx};

/// A submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submission {
    /// The first is 1.
    pub number: i64,
    /// Its number at the printer, once it has one.
    pub printer_job: Option<i64>,
    /// When it was committed.
    pub created_at: Time,
    /// When the file may have left.
    pub sent_at: Option<Time>,
    /// When it was decided what became of it.
    pub ended_at: Option<Time>,
    /// What that was.
    pub outcome: Option<SubmissionEnd>,
    /// What the printer said.
    pub evidence: Option<String>,
}

impl FromRow for Submission {
    fn from_row(row: &mut Row<'_>) -> Result<Submission> {
        Ok(Submission {
            number: row.next()?,
            printer_job: row.next()?,
            created_at: row.next()?,
            sent_at: row.next()?,
            ended_at: row.next()?,
            outcome: row.next::<Option<String>>()?.as_deref().and_then(SubmissionEnd::parse),
            evidence: row.next()?,
        })
    }
}

/// Notes that a submission begins.
pub fn begin(
    tx: &mut Tx<'_>,
    team: TeamId,
    job: PrintJobId,
    (number, fence): (i64, i64),
    now: Time,
) -> Result<()> {
    tx.exec_one(
        "INSERT INTO print_submission (team, print_job, n, fence, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        &[team.into(), job.into(), number.into(), fence.into(), now.into()],
    )?;
    Ok(())
}

/// Notes the number at the printer: from now on the file may leave.
pub fn set_printer_job(
    tx: &mut Tx<'_>,
    team: TeamId,
    job: PrintJobId,
    (number, printer_job): (i64, Option<i64>),
    now: Time,
) -> Result<()> {
    tx.exec_one(
        "UPDATE print_submission SET printer_job = $4, sent_at = $5
          WHERE team = $1 AND print_job = $2 AND n = $3 AND outcome IS NULL",
        &[team.into(), job.into(), number.into(), printer_job.into(), now.into()],
    )?;
    Ok(())
}

/// Notes what became of the last submission of a job; of one that was accepted, later news may be
/// noted.
pub fn end(
    tx: &mut Tx<'_>,
    team: TeamId,
    job: &PrintJob,
    outcome: SubmissionEnd,
    evidence: Option<&str>,
    now: Time,
) -> Result<()> {
    tx.exec(
        "UPDATE print_submission SET outcome = $4, evidence = $5, ended_at = $6, printer_job = $7
          WHERE team = $1 AND print_job = $2 AND n = $3",
        &[
            team.into(),
            job.id.into(),
            job.submission.into(),
            outcome.name().into(),
            evidence.into(),
            now.into(),
            job.printer_job.into(),
        ],
    )?;
    Ok(())
}

/// Whether a submission to this printer is over without having been sent; or nobody knows how it
/// ended, and what the printer has of it is empty.
pub fn is_left_behind(
    tx: &mut Tx<'_>,
    team: TeamId,
    printer: PrinterId,
    ((job, number), is_empty): ((PrintJobId, i64), bool),
) -> Result<bool> {
    let found: Option<i64> = tx.one(
        "SELECT n FROM print_submission AS submission JOIN print_job AS job
             ON job.team = submission.team AND job.id = submission.print_job
          WHERE submission.team = $1 AND submission.print_job = $2 AND submission.n = $3
            AND (submission.outcome IN ('empty', 'refused')
                 OR (submission.outcome = 'unknown' AND $5))
            AND job.printer = $4",
        &[team.into(), job.into(), number.into(), printer.into(), is_empty.into()],
    )?;
    Ok(found.is_some())
}

/// All submissions of a job, the first one first.
pub fn list(tx: &mut Tx<'_>, team: TeamId, job: PrintJobId) -> Result<Vec<Submission>> {
    tx.all(
        "SELECT n, printer_job, created_at, sent_at, ended_at, outcome, evidence
           FROM print_submission WHERE team = $1 AND print_job = $2 ORDER BY n",
        &[team.into(), job.into()],
    )
}
