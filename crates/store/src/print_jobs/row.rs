//! A print job as it is stored.

use waybill_domain::ids::{DocumentId, PrintAgentId, PrintJobId, PrinterId, ShipmentId, TeamId};
use waybill_domain::printing::{
    Custody, Holding, PrintFailure, PrintProblem, PrintSource, PrintState, PrintStep, Printing,
};
use waybill_domain::time::Time;

use crate::{FromRow, Result, Row, Tx};

/// The printer that a job goes to, with its name of that time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintTarget {
    /// Which one.
    pub printer: PrinterId,
    /// What it was called.
    pub name: String,
}

/// An attempt to print a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintJob {
    /// Its id.
    pub id: PrintJobId,
    /// The file.
    pub document: DocumentId,
    /// What it was called when the job was made.
    pub document_name: String,
    /// What it is for, separated by spaces.
    pub document_types: String,
    /// Its format.
    pub document_format: String,
    /// How many pages it has.
    pub document_pages: Option<i64>,
    /// The shipment that the file was made for.
    pub shipment: Option<ShipmentId>,
    /// Where it goes; nothing when no rule said so.
    pub target: Option<PrintTarget>,
    /// How often.
    pub copies: i64,
    /// What asked for it.
    pub source: PrintSource,
    /// The request that did.
    pub request_id: Option<String>,
    /// What everybody sees.
    pub state: PrintState,
    /// Why it failed, or what is not known.
    pub failure: Option<PrintFailure>,
    /// How far it is for those who print it.
    pub step: PrintStep,
    /// How often in a row it was tried in this step.
    pub tries: i64,
    /// The bytes, as they are sent.
    pub size_bytes: i64,
    /// It is not submitted after this time.
    pub expires_at: Time,
    /// The number of the last submission; zero before the first.
    pub submission: i64,
    /// The number of that at the printer.
    pub printer_job: Option<i64>,
    /// When the file may have left.
    pub sent_at: Option<Time>,
    /// Whether the printer has answered that it has the whole file.
    pub is_answered: bool,
    /// Since when the printer was asked in vain.
    pub silent_since: Option<Time>,
    /// When somebody looks at it again.
    pub look_at: Option<Time>,
    /// When it was made.
    pub created_at: Time,
    /// When the printer first had it.
    pub queued_at: Option<Time>,
    /// When it was printed.
    pub printed_at: Option<Time>,
    /// When its state last changed.
    pub updated_at: Time,
    /// The agent that has its printer.
    pub agent: Option<PrintAgentId>,
    /// The agent's spool that holds it.
    pub spool: Option<String>,
    /// The number of the agent's last report that was taken.
    pub sequence: i64,
}

impl PrintJob {
    /// The job as the machine sees it.
    pub fn printing(&self) -> Printing {
        Printing {
            state: self.state,
            step: self.step,
            tries: u32::try_from(self.tries).unwrap_or(u32::MAX),
            size: u64::try_from(self.size_bytes).unwrap_or(0),
            expires_at: self.expires_at,
            sent_at: self.sent_at,
            is_answered: self.is_answered,
            silent_since: self.silent_since,
        }
    }

    /// Whose it is, for an agent with this spool.
    pub fn custody(&self, who: (PrintAgentId, &str)) -> Custody {
        let (spool, sequence) = (self.spool.as_deref(), self.sequence);
        Custody::of(&self.printing(), Holding { agent: self.agent, spool, sequence }, who)
    }
}

impl FromRow for PrintJob {
    fn from_row(row: &mut Row<'_>) -> Result<PrintJob> {
        let id: PrintJobId = row.next()?;
        let of = ("print job", id.into());
        Ok(PrintJob {
            id,
            document: row.next()?,
            document_name: row.next()?,
            document_types: row.next()?,
            document_format: row.next()?,
            document_pages: row.next()?,
            shipment: row.next()?,
            target: {
                let (printer, name): (Option<PrinterId>, Option<String>) =
                    (row.next()?, row.next()?);
                printer.map(|printer| PrintTarget { printer, name: name.unwrap_or_default() })
            },
            copies: row.next()?,
            source: row.word(of, "source", PrintSource::parse)?,
            request_id: row.next()?,
            state: row.word(of, "state", PrintState::parse)?,
            failure: {
                let problem = row.optional_word(of, "problem", PrintProblem::parse)?;
                let said: Option<String> = row.next()?;
                problem.map(|problem| PrintFailure { problem, said })
            },
            step: row.word(of, "step", PrintStep::parse)?,
            tries: row.next()?,
            size_bytes: row.next()?,
            expires_at: row.next()?,
            submission: row.next()?,
            printer_job: row.next()?,
            sent_at: row.next()?,
            is_answered: row.next()?,
            silent_since: row.next()?,
            look_at: row.next()?,
            created_at: row.next()?,
            queued_at: row.next()?,
            printed_at: row.next()?,
            updated_at: row.next()?,
            agent: row.next()?,
            spool: row.next()?,
            sequence: row.next()?,
        })
    }
}

pub(super) fn insert(tx: &mut Tx<'_>, team: TeamId, job: &PrintJob) -> Result<()> {
    let (problem, said) = failure(job);
    tx.exec_one(
        "INSERT INTO print_job (team, id, document, document_name, document_types,
                                document_format, document_pages, shipment, printer, printer_name,
                                copies, source, request_id, state, problem, said, step, tries,
                                size_bytes, expires_at, submission, is_answered, look_at,
                                created_at, updated_at, agent)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 0,
                 $18, $19, 0, $20, $21, $22, $22, $23)",
        &[
            team.into(),
            job.id.into(),
            job.document.into(),
            (&job.document_name).into(),
            (&job.document_types).into(),
            (&job.document_format).into(),
            job.document_pages.into(),
            job.shipment.into(),
            job.target.as_ref().map(|target| target.printer).into(),
            job.target.as_ref().map(|target| target.name.as_str()).into(),
            job.copies.into(),
            job.source.name().into(),
            job.request_id.as_deref().into(),
            job.state.name().into(),
            problem.into(),
            said.into(),
            job.step.name().into(),
            job.size_bytes.into(),
            job.expires_at.into(),
            job.is_answered.into(),
            job.look_at.into(),
            job.created_at.into(),
            job.agent.into(),
        ],
    )?;
    Ok(())
}

pub(super) fn update(tx: &mut Tx<'_>, team: TeamId, job: &PrintJob) -> Result<()> {
    let (problem, said) = failure(job);
    tx.exec_one(
        "UPDATE print_job SET state = $3, problem = $4, said = $5, step = $6, tries = $7,
                              submission = $8, printer_job = $9, sent_at = $10, is_answered = $11,
                              silent_since = $12, look_at = $13, queued_at = $14,
                              printed_at = $15, updated_at = $16, spool = $17, sequence = $18
          WHERE team = $1 AND id = $2",
        &[
            team.into(),
            job.id.into(),
            job.state.name().into(),
            problem.into(),
            said.into(),
            job.step.name().into(),
            job.tries.into(),
            job.submission.into(),
            job.printer_job.into(),
            job.sent_at.into(),
            job.is_answered.into(),
            job.silent_since.into(),
            job.look_at.into(),
            job.queued_at.into(),
            job.printed_at.into(),
            job.updated_at.into(),
            job.spool.as_deref().into(),
            job.sequence.into(),
        ],
    )?;
    Ok(())
}

fn failure(job: &PrintJob) -> (Option<&'static str>, Option<&str>) {
    let failure = job.failure.as_ref();
    (
        failure.map(|failure| failure.problem.name()),
        failure.and_then(|failure| failure.said.as_deref()),
    )
}
