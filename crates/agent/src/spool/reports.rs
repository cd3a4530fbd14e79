//! Reports that no server has answered yet.

use rusqlite::{Transaction, params};
use uuid::Uuid;
use waybill_domain::fields::Text;
use waybill_domain::printing::{PrintStep, ReportResult, Reported};
use waybill_domain::time::Time;

use super::error::SpoolError;
use super::row::{Custody, SpoolJob, delete_file, find, update};

/// A longer message is not taken.
const MESSAGE: Text = Text::up_to(2000);

/// A report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingReport {
    /// Of which job.
    pub job: Uuid,
    /// The first one of a job is 1.
    pub sequence: i64,
    /// How far it is.
    pub state: String,
    /// What is said about it.
    pub message: Option<String>,
    /// When that was.
    pub at: Time,
}

/// Adds a report, which has the next number of its job. The caller writes the job.
pub fn add(
    tx: &Transaction<'_>,
    job: &mut SpoolJob,
    (state, message): (Reported, Option<String>),
    now: Time,
) -> Result<(), SpoolError> {
    job.sequence += 1;
    job.told = state;
    insert(tx, job, message, now)
}

/// Tells once more what was told last.
pub fn repeat(tx: &Transaction<'_>, job: &SpoolJob, now: Time) -> Result<(), SpoolError> {
    insert(tx, job, None, now)
}

fn insert(
    tx: &Transaction<'_>,
    job: &SpoolJob,
    message: Option<String>,
    now: Time,
) -> Result<(), SpoolError> {
    // What the server would refuse would keep every later report waiting.
    let message = message.filter(|message| MESSAGE.problem(message).is_none());
    let mut insert = tx.prepare_cached(
        "INSERT INTO report (job, sequence, state, message, at) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (job, sequence) DO NOTHING",
    )?;
    let state = job.told.name();
    insert.execute(params![job.id.as_bytes(), job.sequence, state, message, now.0])?;
    Ok(())
}

/// The oldest reports, in the order in which they were made.
pub fn pending(tx: &Transaction<'_>, limit: i64) -> Result<Vec<PendingReport>, SpoolError> {
    let mut find = tx.prepare_cached(
        "SELECT job, sequence, state, message, at FROM report ORDER BY number LIMIT ?1",
    )?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(PendingReport {
            job: Uuid::from_bytes(row.get(0)?),
            sequence: row.get(1)?,
            state: row.get(2)?,
            message: row.get(3)?,
            at: Time(row.get(4)?),
        })
    };
    Ok(find.query_map([limit], read)?.collect::<Result<_, _>>()?)
}

/// Writes what the server said to a report. True when the job is ours from now on.
pub fn answer(
    tx: &Transaction<'_>,
    (id, sequence): (Uuid, i64),
    result: ReportResult,
    now: Time,
) -> Result<bool, SpoolError> {
    let mut delete = tx.prepare_cached("DELETE FROM report WHERE job = ?1 AND sequence = ?2")?;
    delete.execute(params![id.as_bytes(), sequence])?;
    let Some(mut job) = find(tx, id)? else { return Ok(false) };
    if result == ReportResult::Refused {
        super::jobs::forget(tx, id, now)?;
        return Ok(false);
    }
    let is_new = job.custody == Custody::Offered;
    if is_new {
        job.custody = Custody::Ours;
    }
    settle(tx, &mut job, now)?;
    update(tx, &job)?;
    Ok(is_new)
}

/// A job that is over, and of which nothing is left to tell: the server knows its end, and nothing
/// of it is needed here but its id. The caller writes the job.
pub fn settle(tx: &Transaction<'_>, job: &mut SpoolJob, now: Time) -> Result<(), SpoolError> {
    if job.printing.step == PrintStep::Over && !has_pending(tx, job.id)? {
        job.ended_at = job.ended_at.or(Some(now));
        delete_file(tx, job.id)?;
    }
    Ok(())
}

fn has_pending(tx: &Transaction<'_>, id: Uuid) -> Result<bool, SpoolError> {
    let mut find = tx.prepare_cached("SELECT EXISTS (SELECT 1 FROM report WHERE job = ?1)")?;
    Ok(find.query_row([id.as_bytes()], |row| row.get(0))?)
}

/// Removes the reports of a job.
pub fn delete_of(tx: &Transaction<'_>, id: Uuid) -> Result<(), SpoolError> {
    tx.prepare_cached("DELETE FROM report WHERE job = ?1")?.execute([id.as_bytes()])?;
    Ok(())
}
