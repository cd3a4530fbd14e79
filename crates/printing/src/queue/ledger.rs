//! What a queue needs of whoever remembers its jobs.

use std::time::Duration;

use bytes::Bytes;
use uuid::Uuid;
use waybill_domain::document::Format;
use waybill_domain::printing::{Abilities, Intake, JobName, Printing, Seen};
use waybill_domain::time::Time;

/// A printer, as far as its queue needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuePrinter {
    /// Its address, as it is kept.
    pub uri: String,
    /// The hash of the key by which it is known again, when no authority vouches for it.
    pub key: Option<String>,
    /// The formats that somebody says it takes; otherwise that is derived from its abilities.
    pub formats: Option<Vec<Format>>,
    /// What it says of itself.
    pub abilities: Abilities,
    /// Whether it takes jobs, as far as is known.
    pub is_online: bool,
    /// Why it does not, in its own words where it has any.
    pub why_offline: Option<String>,
    /// Looks in a row that failed.
    pub misses: i64,
    /// When it was last looked at.
    pub looked_at: Time,
    /// When it was last asked for all that it says of itself.
    pub asked_at: Time,
}

impl QueuePrinter {
    /// A printer that nobody has asked yet. The first look at it asks for everything.
    pub fn unseen(uri: String) -> QueuePrinter {
        QueuePrinter {
            uri,
            key: None,
            formats: None,
            abilities: Abilities::default(),
            is_online: false,
            why_offline: None,
            misses: 0,
            looked_at: Time(0),
            asked_at: Time(0),
        }
    }

    /// What it takes.
    pub fn intake(&self) -> Intake<'_> {
        Intake { abilities: &self.abilities, formats: self.formats.as_deref() }
    }
}

/// A print job, as far as the queue of its printer needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueJob {
    /// Its id, after which its printer jobs are named.
    pub id: Uuid,
    /// The file.
    pub document: Uuid,
    /// The name of the file for people.
    pub document_name: String,
    /// Its format, `pdf` or another of ours.
    pub format: String,
    /// Whether it is a label, which is printed on one side.
    pub is_label: bool,
    /// How often it is printed.
    pub copies: i64,
    /// How far it is.
    pub printing: Printing,
    /// The number of the last submission; zero before the first.
    pub submission: i64,
    /// The number of that at the printer, once it has one.
    pub printer_job: Option<i32>,
}

impl QueueJob {
    /// The name of its last submission at the printer.
    pub fn name(&self) -> JobName {
        JobName::new(self.id, self.submission)
    }
}

/// The file of a job.
#[derive(Clone, Debug)]
pub struct QueueFile {
    /// Its bytes, as often as it is kept: once.
    pub bytes: Bytes,
    /// The width of every page in thousandths of a millimetre, if it is known.
    pub width_um: Option<i64>,
    /// The height.
    pub height_um: Option<i64>,
}

/// What was seen of a job at its printer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// What it was.
    pub seen: Seen,
    /// The printer's own words about it.
    pub said: Option<String>,
    /// The number at the printer, which may be learned only now: it is kept with the rest.
    pub printer_job: Option<i32>,
}

/// What is remembered of a printer and its jobs, and the clock.
///
/// Whatever is written here is durable when the call returns: the queue sends only what is. Each
/// write says what to do when somebody else has the printer by now, or the job is not as the queue
/// has read it: nothing is written, and the answer is `None`. The queue does nothing more then.
pub trait Ledger: Send {
    /// Why something could not be read or written. It ends the queue; what the rows say is taken up
    /// by the next one.
    type Error: Send;

    /// The time of day.
    fn now(&self) -> Time;

    /// A time that never jumps.
    fn monotonic(&self) -> Duration;

    /// The printer, unless it was removed, and the job whose turn it is, if one is due. What may
    /// have been sent comes when it is time to look, before what waits to be sent; of that it is
    /// the oldest, and the others wait behind it.
    fn load(&mut self) -> impl Future<Output = Result<Loaded, Self::Error>> + Send;

    /// Waits so long for something new to do. False when nothing came.
    fn wait(&mut self, time: Duration) -> impl Future<Output = bool> + Send;

    /// Writes what the printer said of itself.
    fn note(
        &mut self,
        printer: &QueuePrinter,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// The file of a job, if it is still there.
    fn file(
        &mut self,
        job: &QueueJob,
    ) -> impl Future<Output = Result<Option<QueueFile>, Self::Error>> + Send;

    /// Commits what an observation changes, by `domain::printing::record`. Only if step and
    /// submission are still those of the job that was read.
    fn record(
        &mut self,
        job: &QueueJob,
        observation: Observation,
    ) -> impl Future<Output = Result<Option<QueueJob>, Self::Error>> + Send;

    /// Commits that a submission begins, with the next number (`Seen::Begun`): from here on an
    /// empty job may exist at the printer. Only if the step is still that of the job that was read.
    fn begin(
        &mut self,
        job: &QueueJob,
    ) -> impl Future<Output = Result<Option<QueueJob>, Self::Error>> + Send;

    /// Commits the number of the empty job (`Seen::Created`): from here on the file may leave. It
    /// has none yet where job and file go together. Only if step, submission and state are still
    /// those of the job that was read: somebody may have given it up meanwhile.
    fn created(
        &mut self,
        job: &QueueJob,
        printer_job: Option<i32>,
    ) -> impl Future<Output = Result<Option<QueueJob>, Self::Error>> + Send;

    /// Which of these were left behind by submissions that were made from here for this printer:
    /// those that are over as empty or refused; and of those with an unknown end the ones that
    /// have no document. One that nobody here knows may be somebody else's, and is none of them.
    fn left_behind(
        &mut self,
        found: Vec<FoundJob>,
    ) -> impl Future<Output = Result<Vec<FoundJob>, Self::Error>> + Send;
}

/// A job that a printer has and that is not over, with a name of ours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundJob {
    /// The submission that it was made for.
    pub name: JobName,
    /// The printer's number.
    pub number: i32,
    /// Whether it has no document for certain.
    pub is_empty: bool,
}

/// What a turn begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// The printer; nothing when it was removed.
    pub printer: Option<QueuePrinter>,
    /// The job whose turn it is.
    pub due: Option<QueueJob>,
}
