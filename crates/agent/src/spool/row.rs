//! A job as a row.

use rusqlite::{OptionalExtension, Row, Transaction, named_params};
use uuid::Uuid;
use waybill_domain::printing::{PrintState, PrintStep, Printing, Reported};
use waybill_domain::time::Time;
use waybill_printing::queue::QueueJob;

use super::error::SpoolError;

/// Whose a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Custody {
    /// It is stored here, and no server has said yet that it is ours. It is not printed.
    Offered,
    /// It is ours: nobody else prints it.
    Ours,
    /// It is not ours any more. Nothing of it is printed, and nothing told.
    Forgotten,
}

impl Custody {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Custody::Offered => "offered",
            Custody::Ours => "ours",
            Custody::Forgotten => "forgotten",
        }
    }

    fn parse(text: &str) -> Option<Custody> {
        [Custody::Offered, Custody::Ours, Custody::Forgotten]
            .into_iter()
            .find(|one| one.name() == text)
    }
}

/// A job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpoolJob {
    /// Its id at the server.
    pub id: Uuid,
    /// The key of its printer.
    pub printer: String,
    /// The file's id at the server.
    pub document: Uuid,
    /// The file's name for people.
    pub document_name: String,
    /// Its format.
    pub format: String,
    /// How long the file is.
    pub file_bytes: u64,
    /// The width of its pages in thousandths of a millimetre.
    pub width_um: Option<i64>,
    /// Their height.
    pub height_um: Option<i64>,
    /// How often it is printed.
    pub copies: i64,
    /// Whose it is.
    pub custody: Custody,
    /// How far it is at its printer.
    pub printing: Printing,
    /// When it is looked at again.
    pub look_at: Option<Time>,
    /// The number of its last submission.
    pub submission: i64,
    /// The number of that at the printer.
    pub printer_job: Option<i32>,
    /// The last report that was made.
    pub told: Reported,
    /// Its number.
    pub sequence: i64,
    /// When its end was known to the server.
    pub ended_at: Option<Time>,
}

impl SpoolJob {
    /// As the queue of its printer needs it.
    pub fn queued(&self) -> QueueJob {
        QueueJob {
            id: self.id,
            document: self.document,
            document_name: self.document_name.clone(),
            format: self.format.clone(),
            // Nobody tells an agent what a paper is for, and one side is right for a label.
            is_label: true,
            copies: self.copies,
            printing: self.printing.clone(),
            submission: self.submission,
            printer_job: self.printer_job,
        }
    }
}

/// The columns of a job, in the order in which [`read`] wants them.
macro_rules! select_job {
    ($($rest:literal),+ $(,)?) => {
        concat!(
            "SELECT id, printer, document, document_name, format, file_bytes, width_um, height_um,
                    copies, custody, state, step, tries, size_bytes, expires_at, sent_at,
                    is_answered, silent_since, look_at, submission, printer_job, told, sequence,
                    ended_at
               FROM job ",
            $($rest),+
        )
    };
}
pub(super) use select_job;

/// Reads a row of [`select_job`].
pub fn read(row: &Row<'_>) -> rusqlite::Result<SpoolJob> {
    let time = |place: usize| row.get::<_, Option<i64>>(place).map(|at| at.map(Time));
    let printing = Printing {
        state: named(row, 10, PrintState::parse)?,
        step: named(row, 11, PrintStep::parse)?,
        tries: row.get(12)?,
        size: number(row, 13)?,
        expires_at: Time(row.get(14)?),
        sent_at: time(15)?,
        is_answered: row.get(16)?,
        silent_since: time(17)?,
    };
    Ok(SpoolJob {
        id: Uuid::from_bytes(row.get(0)?),
        printer: row.get(1)?,
        document: Uuid::from_bytes(row.get(2)?),
        document_name: row.get(3)?,
        format: row.get(4)?,
        file_bytes: number(row, 5)?,
        width_um: row.get(6)?,
        height_um: row.get(7)?,
        copies: row.get(8)?,
        custody: named(row, 9, Custody::parse)?,
        printing,
        look_at: time(18)?,
        submission: row.get(19)?,
        printer_job: row.get(20)?,
        told: named(row, 21, Reported::parse)?,
        sequence: row.get(22)?,
        ended_at: time(23)?,
    })
}

/// A number that is never below zero.
pub fn number(row: &Row<'_>, place: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(place).map(|number| number.max(0).unsigned_abs())
}

/// The same as it is stored.
fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn named<T>(
    row: &Row<'_>,
    place: usize,
    parse: impl FnOnce(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let text = row.get_ref(place)?;
    let unknown = || {
        let name = row.as_ref().column_name(place).unwrap_or_default().to_owned();
        rusqlite::Error::InvalidColumnType(place, name, rusqlite::types::Type::Text)
    };
    parse(text.as_str()?).ok_or_else(unknown)
}

/// A job, when it is known.
pub fn find(tx: &Transaction<'_>, id: Uuid) -> Result<Option<SpoolJob>, SpoolError> {
    let mut find = tx.prepare_cached(select_job!("WHERE id = ?1"))?;
    Ok(find.query_row([id.as_bytes()], read).optional()?)
}

/// Adds a job.
pub fn insert(tx: &Transaction<'_>, job: &SpoolJob, now: Time) -> Result<(), SpoolError> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO job (id, printer, document, document_name, format, file_bytes, width_um,
                          height_um, copies, custody, state, step, tries, size_bytes, expires_at,
                          is_answered, look_at, submission, told, sequence, stored_at)
         VALUES (:id, :printer, :document, :document_name, :format, :file_bytes, :width_um,
                 :height_um, :copies, :custody, :state, :step, :tries, :size_bytes, :expires_at,
                 :is_answered, :look_at, :submission, :told, :sequence, :now)",
    )?;
    let printing = &job.printing;
    insert.execute(named_params! {
        ":id": job.id.as_bytes(),
        ":printer": job.printer,
        ":document": job.document.as_bytes(),
        ":document_name": job.document_name,
        ":format": job.format,
        ":file_bytes": stored(job.file_bytes),
        ":width_um": job.width_um,
        ":height_um": job.height_um,
        ":copies": job.copies,
        ":custody": job.custody.name(),
        ":state": printing.state.name(),
        ":step": printing.step.name(),
        ":tries": printing.tries,
        ":size_bytes": stored(printing.size),
        ":expires_at": printing.expires_at.0,
        ":is_answered": printing.is_answered,
        ":look_at": job.look_at.map(|at| at.0),
        ":submission": job.submission,
        ":told": job.told.name(),
        ":sequence": job.sequence,
        ":now": now.0,
    })?;
    Ok(())
}

/// Writes all that changes of a job.
pub fn update(tx: &Transaction<'_>, job: &SpoolJob) -> Result<(), SpoolError> {
    let mut update = tx.prepare_cached(
        "UPDATE job SET custody = :custody, state = :state, step = :step, tries = :tries,
                size_bytes = :size_bytes, sent_at = :sent_at, is_answered = :is_answered,
                silent_since = :silent_since, look_at = :look_at, submission = :submission,
                printer_job = :printer_job, told = :told, sequence = :sequence,
                ended_at = :ended_at
          WHERE id = :id",
    )?;
    let printing = &job.printing;
    update.execute(named_params! {
        ":id": job.id.as_bytes(),
        ":custody": job.custody.name(),
        ":state": printing.state.name(),
        ":step": printing.step.name(),
        ":tries": printing.tries,
        ":size_bytes": stored(printing.size),
        ":sent_at": printing.sent_at.map(|at| at.0),
        ":is_answered": printing.is_answered,
        ":silent_since": printing.silent_since.map(|at| at.0),
        ":look_at": job.look_at.map(|at| at.0),
        ":submission": job.submission,
        ":printer_job": job.printer_job,
        ":told": job.told.name(),
        ":sequence": job.sequence,
        ":ended_at": job.ended_at.map(|at| at.0),
    })?;
    Ok(())
}

/// Removes the file of a job, of which nothing is sent any more.
pub fn delete_file(tx: &Transaction<'_>, id: Uuid) -> Result<(), SpoolError> {
    tx.prepare_cached("DELETE FROM file WHERE job = ?1")?.execute([id.as_bytes()])?;
    Ok(())
}
