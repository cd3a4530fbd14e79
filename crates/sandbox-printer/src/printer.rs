//! The operations of the sandbox printer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use waybill_printing::ipp::{Group, Kind, Message, Value, group, operation};

use crate::arrival::{Arrival, RequestBody};
use crate::attributes::PrinterView;
use crate::ids::Ids;
use crate::job::{Document, Format, Job};
use crate::queue::{Queue, Shared};
use crate::request::{Refusal, Request};
use crate::status::Status;
use crate::table::{Intake, Losable, Table};

/// What goes back.
pub enum Reply {
    /// This answer.
    Answer(Message),
    /// Nothing: the connection breaks.
    Break,
}

/// How an operation ended when nothing was wrong.
enum Done {
    /// With these groups.
    Told(Vec<Group>),
    /// It was done, and nobody is to hear of it; or there is nobody who could.
    Lost,
}

/// All printers of the sandbox; each path is one of its own.
pub struct SandboxPrinter {
    /// Host and port, as they stand in addresses.
    pub authority: String,
    /// What they share.
    pub shared: Arc<Shared>,
    /// Where the numbers of jobs come from.
    pub ids: Mutex<Ids>,
    /// The printers by their words.
    pub queues: Mutex<HashMap<String, Arc<Queue>>>,
}

impl SandboxPrinter {
    /// Answers a request.
    pub async fn answer(&self, head: &Message, mut body: RequestBody) -> Reply {
        let done = match Request::read(head) {
            Ok(request) => self.perform(&request, &mut body).await,
            Err(refusal) => Err(refusal),
        };
        body.drain().await;
        let (version, id) = (head.version, head.request_id);
        match done {
            Ok(Done::Lost) => Reply::Break,
            Ok(Done::Told(groups)) => {
                let answer = answer(version, Status::Ok, id, &Status::Ok.to_string());
                Reply::Answer(groups.into_iter().fold(answer, Message::with))
            }
            Err(refusal) => Reply::Answer(answer(version, refusal.status, id, &refusal.words)),
        }
    }

    async fn perform(&self, request: &Request, body: &mut RequestBody) -> Result<Done, Refusal> {
        let queue = self.queue(request);
        Ok(match request.operation {
            operation::PRINT_JOB => self.print_job(&queue, request, body).await?,
            operation::VALIDATE_JOB => {
                request.format()?;
                Done::Told(Vec::new())
            }
            operation::CREATE_JOB => self.create_job(&queue, request)?,
            operation::SEND_DOCUMENT => self.send_document(&queue, request, body).await?,
            operation::CANCEL_JOB => {
                let id = request.job_id()?;
                queue.change(|table| table.cancel(id, self.shared.now()))?;
                Done::Told(Vec::new())
            }
            operation::GET_JOB_ATTRIBUTES => {
                let id = request.job_id()?;
                Done::Told(vec![self.look(&queue, |view| {
                    let job = view.table.job(id).ok_or(Status::NotFound)?;
                    Ok::<_, Status>(view.job(job, &request.requested, "all"))
                })?])
            }
            operation::GET_JOBS => Done::Told(self.jobs(&queue, request)?),
            _ => {
                // What it says may be about one kind of documents.
                let format = request.format()?;
                Done::Told(vec![self.look(&queue, |view| {
                    view.printer(&request.requested, request.names_format().then_some(format))
                })])
            }
        })
    }

    /// The printer at a path. It is there from the first time that somebody asks for it.
    fn queue(&self, request: &Request) -> Arc<Queue> {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        let path = &request.path;
        let queue = queues.entry(path.words.clone());
        Arc::clone(queue.or_insert_with(|| Arc::new(Queue::new(path.clone()))))
    }

    fn look<T>(&self, queue: &Queue, look: impl FnOnce(PrinterView) -> T) -> T {
        let uri = format!("ipp://{}{}", self.authority, queue.path);
        let (table, scenario) = (queue.table(), &queue.path.scenario);
        look(PrinterView { uri: &uri, scenario, table: &table, up: self.shared.now() })
    }

    fn receipt(&self, queue: &Queue, id: i32) -> Result<Done, Refusal> {
        self.look(queue, |view| {
            let job = view.table.job(id).ok_or(Status::NotFound)?;
            Ok(Done::Told(vec![view.receipt(job)]))
        })
    }

    /// Makes a job in a table, under a new number.
    fn make(&self, table: &mut Table, queue: &Queue, request: &Request) -> Result<i32, Status> {
        let id = if queue.path.scenario.restarts_ids {
            table.next_id()
        } else {
            let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
            ids.next().map_err(|error| {
                tracing::error!(%error, "the numbers of jobs could not be written");
                Status::Internal
            })?
        };
        table.create(id, request.ticket.clone(), self.shared.now());
        Ok(id)
    }

    fn create_job(&self, queue: &Queue, request: &Request) -> Result<Done, Refusal> {
        let (id, is_lost) = queue.change(|table| {
            table.admit(self.shared.now())?;
            let id = self.make(table, queue, request)?;
            Ok::<_, Status>((id, table.loses(Losable::Create, &request.ticket)))
        })?;
        if is_lost { Ok(Done::Lost) } else { self.receipt(queue, id) }
    }

    async fn send_document(
        &self,
        queue: &Arc<Queue>,
        request: &Request,
        body: &mut RequestBody,
    ) -> Result<Done, Refusal> {
        let (id, format) = (request.job_id()?, request.format()?);
        if !request.is_last_document()? && !queue.path.scenario.takes_more {
            return Err(Status::OneDocument.into());
        }
        let intake = queue.change(|table| table.begin(id))?;
        let arrived = read(queue, format, body).await;
        let taken = match (intake, arrived) {
            (Intake::Take, Ok(Some(taken))) => taken,
            (Intake::Take, not_taken) => {
                queue.change(|table| table.drop_document(id));
                not_taken?;
                return Ok(Done::Lost);
            }
            (Intake::Ignore, _) => return self.receipt(queue, id),
        };
        self.take(queue, id, taken)
    }

    async fn print_job(
        &self,
        queue: &Arc<Queue>,
        request: &Request,
        body: &mut RequestBody,
    ) -> Result<Done, Refusal> {
        let format = request.format()?;
        queue.change(|table| table.admit(self.shared.now()))?;
        let Some(taken) = read(queue, format, body).await? else { return Ok(Done::Lost) };
        let id = queue.change(|table| self.make(table, queue, request))?;
        self.take(queue, id, taken)
    }

    /// A document is here for a job: it is printed, whether or not somebody hears of it.
    fn take(&self, queue: &Arc<Queue>, id: i32, taken: Taken) -> Result<Done, Refusal> {
        let (is_first, is_lost) = queue.change(|table| {
            let is_first = table.arrive(id, taken.document)?;
            let ticket = table.job(id).map(|job| job.ticket.clone());
            let is_lost = ticket.is_some_and(|ticket| table.loses(Losable::Send, &ticket));
            Ok::<_, Status>((is_first, is_lost))
        })?;
        // The receipt comes first: a printer that forgets would not know the job any more.
        let receipt = self.receipt(queue, id);
        if is_first {
            tokio::spawn(Arc::clone(queue).print(Arc::clone(&self.shared), id));
        }
        if is_lost || taken.is_cut { Ok(Done::Lost) } else { receipt }
    }

    fn jobs(&self, queue: &Queue, request: &Request) -> Result<Vec<Group>, Status> {
        let choice = request.choice()?;
        let names = ["job-id", "job-uri"].map(str::to_owned);
        let requested = if request.requested.is_empty() { &names[..] } else { &request.requested };
        let is_wanted = |job: &&Job| {
            let is_theirs = choice.user.as_ref().is_none_or(|user| *user == job.ticket.user);
            job.phase.is_over() == choice.are_over && is_theirs
        };
        Ok(self.look(queue, |view| {
            let mut jobs: Vec<&Job> = view.table.jobs().filter(is_wanted).collect();
            if choice.are_over {
                // The last that was printed comes first.
                jobs.reverse();
            }
            jobs.truncate(choice.limit);
            jobs.into_iter().map(|job| view.job(job, requested, "all")).collect()
        }))
    }
}

/// A document that is going to be printed.
struct Taken {
    document: Document,
    /// Whether it is the half of one, so that there is nobody who could be told.
    is_cut: bool,
}

/// Reads a document. There is none when the line was cut, unless the printer prints the half.
async fn read(
    queue: &Queue,
    format: Format,
    body: &mut RequestBody,
) -> Result<Option<Taken>, Status> {
    let (bytes, is_cut) = match body.document().await {
        Arrival::TooLarge => return Err(Status::TooLarge),
        Arrival::Cut(bytes) if bytes.is_empty() || !queue.path.scenario.prints_half => {
            return Ok(None);
        }
        Arrival::Cut(bytes) => (bytes, true),
        Arrival::Whole(bytes) if bytes.is_empty() => return Err(Status::BadRequest),
        Arrival::Whole(bytes) => (bytes, false),
    };
    Ok(Some(Taken { document: Document { format, bytes }, is_cut }))
}

/// An answer without attributes of its own.
pub fn answer(version: (u8, u8), status: Status, request_id: i32, words: &str) -> Message {
    let version = if matches!(version, (1 | 2, _)) { version } else { (2, 0) };
    let group = Group::new(group::OPERATION)
        .with("attributes-charset", Value::text(Kind::Charset, "utf-8"))
        .with("attributes-natural-language", Value::text(Kind::Language, "en"))
        .with("status-message", Value::text(Kind::Text, words));
    Message::new(version, status.code(), request_id).with(group)
}
