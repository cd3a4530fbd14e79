//! What an agent told of a job, and when.

use waybill_domain::ids::{PrintJobId, TeamId};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx};

/// A report that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Its number.
    pub sequence: i64,
    /// How far the job was.
    pub state: String,
    /// What was said about it.
    pub said: Option<String>,
    /// When that was, by the agent's clock.
    pub told_at: Time,
    /// When we took it.
    pub taken_at: Time,
}

impl FromRow for Report {
    fn from_row(row: &mut Row<'_>) -> Result<Report> {
        Ok(Report {
            sequence: row.next()?,
            state: row.next()?,
            said: row.next()?,
            told_at: row.next()?,
            taken_at: row.next()?,
        })
    }
}

/// Notes a report.
pub fn add(tx: &mut Tx<'_>, team: TeamId, job: PrintJobId, report: &Report) -> Result<()> {
    tx.exec_one(
        "INSERT INTO print_report (team, print_job, sequence, state, said, told_at, taken_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &[
            team.into(),
            job.into(),
            report.sequence.into(),
            (&report.state).into(),
            report.said.as_deref().into(),
            report.told_at.into(),
            report.taken_at.into(),
        ],
    )?;
    Ok(())
}

/// All reports of a job, the first one first.
pub fn list(tx: &mut Tx<'_>, team: TeamId, job: PrintJobId) -> Result<Vec<Report>> {
    tx.all(
        "SELECT sequence, state, said, told_at, taken_at FROM print_report
          WHERE team = $1 AND print_job = $2 ORDER BY sequence",
        &[team.into(), job.into()],
    )
}
