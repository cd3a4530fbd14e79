//! Jobs: taking them in, whose turn it is, and forgetting them.

use std::time::Duration;

use bytes::Bytes;
use rusqlite::{OptionalExtension, Transaction, params};
use uuid::Uuid;
use waybill_domain::printing::{
    JobName, PrintProblem, PrintState, PrintStep, Printing, Reported, Seen, SubmissionEnd,
};
use waybill_domain::time::Time;
use waybill_outbound::planted;
use waybill_printing::queue::QueueFile;

use super::error::SpoolError;
use super::row::{self, Custody, SpoolJob, delete_file, find, insert, select_job, update};
use super::steps::{apply, reported};
use super::{printers, reports};

/// The ids of what was printed are kept so long.
const KEPT: Duration = Duration::from_hours(30 * 24);
/// Old rows that are removed at once.
const BITE: i64 = 1000;

/// How much a spool holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The bytes of all files.
    pub bytes: u64,
    /// The jobs of which the server does not know the end.
    pub jobs: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 1024 * 1024 * 1024, jobs: 5000 }
    }
}

/// A job that a server offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offered {
    /// Its id.
    pub id: Uuid,
    /// The key of its printer.
    pub printer: String,
    /// How often it is printed.
    pub copies: i64,
    /// It is not submitted after this time.
    pub expires_at: Time,
    /// The file.
    pub document: Uuid,
    /// Its name for people.
    pub document_name: String,
    /// Its format.
    pub format: String,
    /// How long it is.
    pub size_bytes: u64,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// The width of its pages in thousandths of a millimetre.
    pub width_um: Option<i64>,
    /// Their height.
    pub height_um: Option<i64>,
}

/// What becomes of an offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// It is new. With its file, it is stored.
    New,
    /// It is known here already, and told once more.
    Known,
    /// There is no room for it.
    NoRoom,
    /// It is for a printer that is not here: nobody would print it.
    NoPrinter,
}

/// A job as it is told when a session begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// The job.
    pub id: Uuid,
    /// How far it is.
    pub state: Reported,
    /// The number of its last report.
    pub sequence: i64,
}

/// What is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stock {
    /// Jobs of which the server does not know the end.
    pub jobs: u64,
    /// The bytes of their files.
    pub bytes: u64,
}

impl Stock {
    /// Whether a file of so many bytes finds room.
    pub fn fits(self, size: u64, limits: Limits) -> bool {
        self.jobs < limits.jobs && self.bytes.saturating_add(size) <= limits.bytes
    }
}

/// What is held now.
pub fn room(tx: &Transaction<'_>) -> Result<Stock, SpoolError> {
    let mut sum = tx.prepare_cached(
        "SELECT count(*), coalesce(sum(file_bytes), 0) FROM job WHERE ended_at IS NULL",
    )?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(Stock { jobs: row::number(row, 0)?, bytes: row::number(row, 1)? })
    };
    Ok(sum.query_row([], read)?)
}

/// Whether something is stored of which no server has said yet that it is ours.
pub fn has_offered(tx: &Transaction<'_>) -> Result<bool, SpoolError> {
    let mut select = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM job WHERE custody = 'offered' AND ended_at IS NULL)",
    )?;
    Ok(select.query_row([], |row| row.get(0))?)
}

/// Takes in an offer. Without its file it is only told whether that is wanted.
pub fn offer(
    tx: &Transaction<'_>,
    offered: &Offered,
    file: Option<&Bytes>,
    (limits, now): (Limits, Time),
) -> Result<Stored, SpoolError> {
    if let Some(known) = find(tx, offered.id)? {
        tell_again(tx, known, now)?;
        return Ok(Stored::Known);
    }
    if !printers::find(tx, &offered.printer)?.is_some_and(|printer| printer.is_listed) {
        return Ok(Stored::NoPrinter);
    }
    if !room(tx)?.fits(offered.size_bytes, limits) {
        return Ok(Stored::NoRoom);
    }
    let Some(file) = file else { return Ok(Stored::New) };
    let printing = Printing {
        state: PrintState::Pending,
        step: PrintStep::Ready,
        tries: 0,
        size: offered.size_bytes,
        expires_at: offered.expires_at,
        sent_at: None,
        is_answered: false,
        silent_since: None,
    };
    let mut job = SpoolJob {
        id: offered.id,
        printer: offered.printer.clone(),
        document: offered.document,
        document_name: offered.document_name.clone(),
        format: offered.format.clone(),
        file_bytes: offered.size_bytes,
        width_um: offered.width_um,
        height_um: offered.height_um,
        copies: offered.copies,
        custody: Custody::Offered,
        printing,
        look_at: Some(now),
        submission: 0,
        printer_job: None,
        told: Reported::Stored,
        sequence: 0,
        ended_at: None,
    };
    reports::add(tx, &mut job, (Reported::Stored, None), now)?;
    insert(tx, &job, now)?;
    let mut keep = tx.prepare_cached("INSERT INTO file (job, bytes) VALUES (?1, ?2)")?;
    keep.execute(params![job.id.as_bytes(), file.as_ref()])?;
    Ok(Stored::New)
}

/// A server that offers what is known here has not heard of it, or has forgotten it: it is told.
fn tell_again(tx: &Transaction<'_>, mut job: SpoolJob, now: Time) -> Result<(), SpoolError> {
    if job.custody != Custody::Forgotten {
        return reports::repeat(tx, &job, now);
    }
    // It was sent before it was forgotten: it must not be printed again without a look.
    job.custody = Custody::Ours;
    job.ended_at = None;
    let state = match job.printing.state {
        PrintState::Printed => PrintState::Printed,
        _ => PrintState::Unknown,
    };
    job.printing.state = state;
    reports::add(tx, &mut job, (reported(state), None), now)?;
    update(tx, &job)
}

/// The file of a job.
pub fn find_file(tx: &Transaction<'_>, id: Uuid) -> Result<Option<QueueFile>, SpoolError> {
    let mut find = tx.prepare_cached(
        "SELECT bytes, width_um, height_um FROM file JOIN job ON job.id = file.job
          WHERE file.job = ?1",
    )?;
    let read = |row: &rusqlite::Row<'_>| {
        let bytes = Bytes::from(row.get::<_, Vec<u8>>(0)?);
        Ok(QueueFile { bytes, width_um: row.get(1)?, height_um: row.get(2)? })
    };
    Ok(find.query_row([id.as_bytes()], read).optional()?)
}

/// The job whose turn it is at a printer. One that may have been sent is looked at when that is
/// due; of those that wait to be sent it is the oldest, and the others wait behind it.
pub fn find_due(
    tx: &Transaction<'_>,
    printer: &str,
    now: Time,
) -> Result<Option<SpoolJob>, SpoolError> {
    let mut sent = tx.prepare_cached(select_job!(
        "WHERE printer = ?1 AND look_at <= ?2 AND step <> 'ready' ORDER BY look_at, id LIMIT 1"
    ))?;
    if let Some(sent) = sent.query_row(params![printer, now.0], row::read).optional()? {
        return Ok(Some(sent));
    }
    Ok(find_ready(tx, printer)?.filter(|job| job.look_at.is_some_and(|at| at <= now)))
}

/// The oldest job that waits to be sent. One that is not ours yet is none.
fn find_ready(tx: &Transaction<'_>, printer: &str) -> Result<Option<SpoolJob>, SpoolError> {
    let mut ready = tx.prepare_cached(select_job!(
        "WHERE printer = ?1 AND step = 'ready' AND look_at IS NOT NULL
           AND (custody = 'ours' OR (?2 AND custody = 'offered')) ORDER BY id LIMIT 1"
    ))?;
    let is_early = planted::is("agent-print-before-taken");
    Ok(ready.query_row(params![printer, is_early], row::read).optional()?)
}

/// When a job of a printer is looked at again.
pub fn next_look(tx: &Transaction<'_>, printer: &str) -> Result<Option<Time>, SpoolError> {
    let mut sent = tx.prepare_cached(
        "SELECT min(look_at) FROM job
          WHERE printer = ?1 AND look_at IS NOT NULL AND step <> 'ready'",
    )?;
    let sent: Option<i64> = sent.query_row([printer], |row| row.get(0))?;
    let ready = find_ready(tx, printer)?.and_then(|job| job.look_at);
    Ok(sent.map(Time).into_iter().chain(ready).min())
}

/// Whether a submission was made from here for this printer, and is over without having been sent;
/// or nobody knows how it ended, and what the printer has of it is empty.
pub fn is_left_behind(
    tx: &Transaction<'_>,
    printer: &str,
    name: &JobName,
    is_empty: bool,
) -> Result<bool, SpoolError> {
    let mut find = tx.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM submission
          WHERE job = ?1 AND n = ?2 AND printer = ?3
            AND (outcome IN ('empty', 'refused') OR (outcome = 'unknown' AND ?4)))",
    )?;
    let job = name.job();
    let submission = params![job.as_bytes(), name.submission(), printer, is_empty];
    Ok(find.query_row(submission, |row| row.get(0))?)
}

/// What is held, as a session begins with it.
pub fn list_held(tx: &Transaction<'_>, limit: i64) -> Result<Vec<Held>, SpoolError> {
    let mut list = tx.prepare_cached(select_job!(
        "WHERE ended_at IS NULL AND custody <> 'forgotten' ORDER BY id LIMIT ?1"
    ))?;
    let held = |job: SpoolJob| Held { id: job.id, state: job.told, sequence: job.sequence };
    let jobs: Vec<SpoolJob> = list.query_map([limit], row::read)?.collect::<Result<_, _>>()?;
    Ok(jobs.into_iter().map(held).collect())
}

/// The printers that have jobs which are looked at again.
pub fn list_printers_with_open(tx: &Transaction<'_>) -> Result<Vec<String>, SpoolError> {
    let mut list =
        tx.prepare_cached("SELECT DISTINCT printer FROM job WHERE look_at IS NOT NULL")?;
    Ok(list.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// A job is not ours: nothing of it is printed any more, and nothing told. What may be at the
/// printer is looked after to its end.
pub fn forget(tx: &Transaction<'_>, id: Uuid, now: Time) -> Result<(), SpoolError> {
    let Some(mut job) = find(tx, id)? else { return Ok(()) };
    reports::delete_of(tx, id)?;
    if job.submission == 0 {
        delete_file(tx, id)?;
        tx.prepare_cached("DELETE FROM job WHERE id = ?1")?.execute([id.as_bytes()])?;
        return Ok(());
    }
    job.custody = Custody::Forgotten;
    match job.printing.step {
        PrintStep::Ready | PrintStep::Creating => {
            let unwanted = Seen::Unwanted(PrintProblem::Cancelled);
            apply(tx, job, (unwanted, None), now).map(drop)
        }
        PrintStep::Sending | PrintStep::Watching => {
            // Should it turn out to be empty, it is not sent again.
            job.printing.state = PrintState::Failed;
            update(tx, &job)
        }
        PrintStep::Over => {
            job.ended_at = job.ended_at.or(Some(now));
            delete_file(tx, id)?;
            update(tx, &job)
        }
    }
}

/// Removes what ended long ago.
pub fn forget_old(tx: &Transaction<'_>, now: Time) -> Result<(), SpoolError> {
    let mut list =
        tx.prepare_cached("SELECT id FROM job WHERE ended_at < ?1 ORDER BY ended_at LIMIT ?2")?;
    let old: Vec<[u8; 16]> = list
        .query_map(params![now.minus(KEPT).0, BITE], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for id in old {
        tx.prepare_cached("DELETE FROM submission WHERE job = ?1")?.execute([id])?;
        tx.prepare_cached("DELETE FROM job WHERE id = ?1")?.execute([id])?;
    }
    Ok(())
}

/// Takes up what an agent before has left. Its last request may still be on its way, and its clock
/// may have been another one: what may have left is waited for from now on, and everything else is
/// looked at at once.
pub fn take_up(tx: &Transaction<'_>, now: Time) -> Result<(), SpoolError> {
    let mut list = tx.prepare_cached(select_job!("WHERE look_at IS NOT NULL"))?;
    let open: Vec<SpoolJob> = list.query_map([], row::read)?.collect::<Result<_, _>>()?;
    for mut job in open {
        job.printing.silent_since = job.printing.silent_since.map(|at| at.min(now));
        job.look_at = Some(now);
        if job.printing.step == PrintStep::Sending {
            job.printing.sent_at = Some(now);
            job.look_at = job.printing.arrived_by();
        }
        update(tx, &job)?;
    }
    settle_all(tx, now)
}

/// What waits for a printer that is unwanted, or not known at all, is not printed. That is told.
pub fn give_up_orphans(
    tx: &Transaction<'_>,
    unwanted: &[String],
    now: Time,
) -> Result<(), SpoolError> {
    let mut list = tx.prepare_cached(select_job!(
        "WHERE step = 'ready' AND look_at IS NOT NULL AND custody <> 'forgotten'"
    ))?;
    let waiting: Vec<SpoolJob> = list.query_map([], row::read)?.collect::<Result<_, _>>()?;
    for job in waiting {
        if !unwanted.contains(&job.printer) && printers::find(tx, &job.printer)?.is_some() {
            continue;
        }
        apply(tx, job, (Seen::Unwanted(PrintProblem::PrinterRemoved), None), now)?;
    }
    Ok(())
}

/// Earlier versions kept what was over without a last report.
fn settle_all(tx: &Transaction<'_>, now: Time) -> Result<(), SpoolError> {
    let mut list = tx.prepare_cached(select_job!(
        "WHERE step = 'over' AND ended_at IS NULL AND custody = 'ours'"
    ))?;
    let over: Vec<SpoolJob> = list.query_map([], row::read)?.collect::<Result<_, _>>()?;
    for mut job in over {
        reports::settle(tx, &mut job, now)?;
        update(tx, &job)?;
    }
    Ok(())
}

/// The spool is a copy: its jobs are those of the file that it was copied from, and are printed
/// there or nowhere.
pub fn give_up_copied(tx: &Transaction<'_>, now: Time) -> Result<(), SpoolError> {
    let mut list = tx.prepare_cached(select_job!("WHERE ended_at IS NULL"))?;
    let held: Vec<SpoolJob> = list.query_map([], row::read)?.collect::<Result<_, _>>()?;
    for mut job in held {
        reports::delete_of(tx, job.id)?;
        delete_file(tx, job.id)?;
        job.custody = Custody::Forgotten;
        job.printing.state = PrintState::Unknown;
        job.printing.step = PrintStep::Over;
        job.look_at = None;
        job.ended_at = Some(now);
        update(tx, &job)?;
    }
    let mut end = tx.prepare_cached(
        "UPDATE submission SET outcome = ?1, ended_at = ?2 WHERE outcome IS NULL",
    )?;
    end.execute(params![SubmissionEnd::Unknown.name(), now.0])?;
    Ok(())
}
