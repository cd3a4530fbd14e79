//! What a spool says of its agent, also while that runs. Nothing is written here.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, Transaction};
use waybill_domain::ids::parse_uuid;
use waybill_domain::time::Time;

use super::error::SpoolError;
use super::facts::{self, Fact};
use super::jobs::{self, Stock};
use super::printers::{self, SpoolPrinter};
use super::row::number;
use super::{folder, migrations};

/// No more jobs are listed.
const JOBS_MAX: i64 = 1000;

/// How it is with an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// Whether it runs.
    pub is_running: bool,
    /// What it was called when it registered; nothing before that.
    pub name: Option<String>,
    /// Its id.
    pub agent: Option<String>,
    /// The line to its server.
    pub line: LineStatus,
    /// The printers that it tells of.
    pub printers: Vec<SpoolPrinter>,
    /// What it holds.
    pub room: Stock,
    /// Why it claims nothing, if that is so.
    pub full: Option<String>,
    /// Reports that the server has not answered.
    pub unreported: u64,
    /// The jobs that it holds, oldest first, as far as they are listed.
    pub jobs: Vec<JobStatus>,
}

/// How it is with the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineStatus {
    /// Where the server is.
    pub server: Option<String>,
    /// When it answered last.
    pub contact_at: Option<Time>,
    /// Why it does not answer now.
    pub trouble: Option<String>,
}

/// How it is with a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobStatus {
    /// Its id.
    pub id: String,
    /// The key of its printer.
    pub printer: String,
    /// The file's name for people.
    pub document_name: String,
    /// How far it is.
    pub state: String,
    /// Reports of it that the server has not answered.
    pub unreported: u64,
    /// When it was stored here.
    pub stored_at: Time,
}

impl Status {
    /// Reads the status of the agent with a spool in this folder.
    pub fn read(folder: &Path) -> Result<Status, SpoolError> {
        let path = folder::file_in(folder);
        if !path.is_file() {
            return Err(SpoolError::Missing(folder.to_owned()));
        }
        let failed = |source| SpoolError::File { path: path.clone(), source };
        let is_running = folder::is_in_use(folder).map_err(failed)?;
        let mut connection = Connection::open_with_flags(
            &path,
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        migrations::verify(&connection, folder)?;
        let tx = connection.transaction()?;
        let fact = |fact| Ok::<_, SpoolError>(facts::find(&tx, fact)?.filter(|it| !it.is_empty()));
        let line = LineStatus {
            server: fact(Fact::Server)?,
            contact_at: fact(Fact::ContactAt)?.and_then(|at| Time::parse(&at)),
            trouble: fact(Fact::Trouble)?,
        };
        let printers = printers::list(&tx)?.into_iter().filter(|printer| printer.is_listed);
        Ok(Status {
            is_running,
            name: fact(Fact::Name)?,
            agent: fact(Fact::Agent)?.filter(|agent| parse_uuid(agent).is_some()),
            line,
            printers: printers.collect(),
            room: jobs::room(&tx)?,
            full: fact(Fact::Full)?,
            unreported: tx.query_row("SELECT count(*) FROM report", [], |row| number(row, 0))?,
            jobs: list_jobs(&tx)?,
        })
    }
}

fn list_jobs(tx: &Transaction<'_>) -> Result<Vec<JobStatus>, SpoolError> {
    let mut list = tx.prepare(
        "SELECT id, printer, document_name, CASE custody WHEN 'ours' THEN state ELSE custody END,
                (SELECT count(*) FROM report WHERE report.job = job.id), stored_at
           FROM job WHERE ended_at IS NULL ORDER BY id LIMIT ?1",
    )?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(JobStatus {
            id: uuid::Uuid::from_bytes(row.get(0)?).to_string(),
            printer: row.get(1)?,
            document_name: row.get(2)?,
            state: row.get(3)?,
            unreported: number(row, 4)?,
            stored_at: Time(row.get(5)?),
        })
    };
    Ok(list.query_map([JOBS_MAX], read)?.collect::<Result<_, _>>()?)
}
