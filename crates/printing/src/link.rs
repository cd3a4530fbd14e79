//! An open connection to a printer, and what can be asked for over it.
//!
//! Nothing is sent twice, with one exception: a printer that does not speak this version of IPP has
//! done nothing, and is asked once more in the version before. A connection that was closed before
//! a request began is opened again, its address checked anew.

mod call;

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;
use waybill_domain::document::Format;
use waybill_domain::printing::{Abilities, FormatTypes, Intake, JobName, PrinterJob, Uri};
use waybill_outbound::{DirectLine, Trust};

use crate::cups::{CupsQueue, QUEUE_ATTRIBUTES};
use crate::error::LinkError;
use crate::ipp::{Kind, Message, Value, group, operation};
use crate::printer::Printers;
use crate::report::{JOB_ATTRIBUTES, PRINTER_ATTRIBUTES, PrinterReport, copies_max, read_job};
use crate::status::{GONE, NOT_FOUND, Purpose};
use crate::ticket::{JobTicket, attribute};
use call::{Call, Version};

/// An operation that prints nothing is answered in this time.
const OPERATION_TIME_MAX: Duration = Duration::from_secs(10);
/// One that does, with the time that the document takes on a slow line.
const PRINT_TIME_MAX: Duration = Duration::from_secs(30);
/// The slowest line that is reckoned with.
const BYTES_A_SECOND: u64 = 256 * 1024;

/// A connection to one printer, over which one thing is asked at a time.
pub struct Link {
    printers: Printers,
    uri: Uri,
    trust: Trust,
    line: DirectLine,
    version: Version,
    last_id: i32,
    send_before: Option<Instant>,
}

impl Link {
    pub(crate) fn new(printers: Printers, (uri, trust): (Uri, Trust), line: DirectLine) -> Link {
        let (version, last_id, send_before) = (Version::Two, 0, None);
        Link { printers, uri, trust, line, version, last_id, send_before }
    }

    /// The hash of the printer's key, when no authority vouches for it.
    pub fn key(&self) -> Option<String> {
        self.line.key().map(str::to_owned)
    }

    /// The next document begins to leave within this time, or never does. When the time is over
    /// before anything was written, it is `NotSent`; when it ends while the bytes are on their way
    /// to the socket, `Unclear`.
    pub fn send_within(&mut self, time: Duration) {
        self.send_before = Some(Instant::now() + time);
    }

    /// Get-Printer-Attributes.
    pub async fn attributes(&mut self) -> Result<PrinterReport, LinkError> {
        let call = Call::new(operation::GET_PRINTER_ATTRIBUTES, Purpose::Look)
            .with_all("requested-attributes", PRINTER_ATTRIBUTES);
        let answer = self.ask(call).await?;
        answer.group(group::PRINTER).map(PrinterReport::read).ok_or(LinkError::NotIpp)
    }

    /// Asks how many copies the printer makes of each type that it is sent, and writes it down. It
    /// may make many of one and none of another.
    pub async fn learn_copies(
        &mut self,
        abilities: &mut Abilities,
        formats: Option<&[Format]>,
    ) -> Result<(), LinkError> {
        let FormatTypes(types) = Intake { abilities, formats }.types();
        abilities.copies_by_type.clear();
        for (_, kind) in types {
            if let Some(most) = self.copies_max(&kind).await? {
                abilities.copies_by_type.push((kind, most));
            }
        }
        Ok(())
    }

    /// Get-Printer-Attributes about one type. Nothing when the printer has no word on that.
    async fn copies_max(&mut self, kind: &str) -> Result<Option<i64>, LinkError> {
        let call = Call::new(operation::GET_PRINTER_ATTRIBUTES, Purpose::Look)
            .with(vec![attribute("document-format", Value::text(Kind::MimeType, kind))])
            .with_all("requested-attributes", &["copies-supported"]);
        match self.ask(call).await {
            Ok(answer) => Ok(answer.group(group::PRINTER).and_then(copies_max)),
            Err(LinkError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Create-Job: a job without a document, which prints nothing. Gives its number.
    pub async fn create_job(&mut self, ticket: &JobTicket) -> Result<i32, LinkError> {
        let call = Call::new(operation::CREATE_JOB, Purpose::Change)
            .with(ticket.job())
            .template(ticket.template());
        Ok(new_job(&self.ask(call).await?)?.id)
    }

    /// Send-Document: the document of a job that has none, and the last of it. A printer may say
    /// that it took the document of a job that is over: the job's state tells.
    pub async fn send_document(
        &mut self,
        printer_job: i32,
        ticket: &JobTicket,
        bytes: Bytes,
    ) -> Result<PrinterJob, LinkError> {
        let mut about = ticket.document();
        about.push(attribute("last-document", Value::Boolean(true)));
        let call = Call::new(operation::SEND_DOCUMENT, Purpose::Print)
            .job(printer_job)
            .with(about)
            .document(bytes, self.send_before.take());
        let answer = self.ask(call).await?;
        let job = answer.group(group::JOB).map(|job| read_job(job, printer_job));
        Ok(job.unwrap_or(PrinterJob { id: printer_job, ..PrinterJob::default() }))
    }

    /// Print-Job: a job with its document, where a printer cannot take them one by one.
    pub async fn print_job(
        &mut self,
        ticket: &JobTicket,
        bytes: Bytes,
    ) -> Result<PrinterJob, LinkError> {
        let call = Call::new(operation::PRINT_JOB, Purpose::Print)
            .with(ticket.job())
            .with(ticket.document())
            .template(ticket.template())
            .document(bytes, self.send_before.take());
        new_job(&self.ask(call).await?)
    }

    /// Get-Job-Attributes. Nothing when the printer does not know the job.
    pub async fn job(&mut self, printer_job: i32) -> Result<Option<PrinterJob>, LinkError> {
        let call = Call::new(operation::GET_JOB_ATTRIBUTES, Purpose::Look)
            .job(printer_job)
            .with_all("requested-attributes", JOB_ATTRIBUTES);
        match self.ask(call).await {
            Ok(answer) => {
                let job = answer.group(group::JOB).map(|job| read_job(job, printer_job));
                job.map(Some).ok_or(LinkError::NotIpp)
            }
            Err(LinkError::Refused { status: NOT_FOUND | GONE, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Get-Jobs: all that are not over.
    pub async fn jobs(&mut self) -> Result<Vec<PrinterJob>, LinkError> {
        self.list("not-completed").await
    }

    /// The job of this name, over or not. Those that are not over come first: what ends meanwhile
    /// is found among the others.
    pub async fn find(&mut self, name: &JobName) -> Result<Option<PrinterJob>, LinkError> {
        for which in ["not-completed", "completed"] {
            let jobs = self.list(which).await?;
            let is_it = |job: &PrinterJob| job.name.as_deref().is_some_and(|it| name.is_in(it));
            if let Some(job) = jobs.into_iter().find(is_it) {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }

    /// Get-Jobs. No number of them is asked for: CUPS lists the oldest first, and ours are the
    /// newest.
    async fn list(&mut self, which: &str) -> Result<Vec<PrinterJob>, LinkError> {
        let call = Call::new(operation::GET_JOBS, Purpose::Look)
            .with(vec![attribute("which-jobs", Value::keyword(which))])
            .with_all("requested-attributes", JOB_ATTRIBUTES);
        let answer = self.ask(call).await?;
        let jobs = answer.groups_of(group::JOB);
        let known = jobs.filter_map(|job| Some(read_job(job, job.integer("job-id")?)));
        Ok(known.collect())
    }

    /// CUPS-Get-Printers: the queues of a CUPS server. It has none when it says so or finds none.
    pub async fn queues(&mut self) -> Result<Vec<CupsQueue>, LinkError> {
        let call = Call::new(operation::CUPS_GET_PRINTERS, Purpose::Look)
            .with_all("requested-attributes", QUEUE_ATTRIBUTES);
        match self.ask(call.of_server()).await {
            Ok(answer) => {
                Ok(answer.groups_of(group::PRINTER).filter_map(CupsQueue::read).collect())
            }
            // A server without queues says that it found nothing.
            Err(LinkError::NoSuchQueue) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Cancel-Job. Whether it is over, and had printed nothing, is told by a look afterwards.
    pub async fn cancel_job(&mut self, printer_job: i32) -> Result<(), LinkError> {
        let call = Call::new(operation::CANCEL_JOB, Purpose::Change).job(printer_job);
        self.ask(call).await.map(drop)
    }
}

/// The job that an answer says was made. Without its number it cannot be found again.
fn new_job(answer: &Message) -> Result<PrinterJob, LinkError> {
    let job = answer.group(group::JOB);
    let job = job.and_then(|job| Some(read_job(job, job.integer("job-id")?)));
    job.ok_or_else(|| LinkError::Unclear("the answer has no job-id".to_owned()))
}

/// How long an operation with so long a document may take.
fn time_max(purpose: Purpose, document: usize) -> Duration {
    match purpose {
        Purpose::Look | Purpose::Change => OPERATION_TIME_MAX,
        Purpose::Print => {
            let size = u64::try_from(document).unwrap_or(u64::MAX);
            PRINT_TIME_MAX + Duration::from_secs(size / BYTES_A_SECOND)
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({})", self.uri.endpoint.authority)
    }
}
