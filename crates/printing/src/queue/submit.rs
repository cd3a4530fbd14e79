//! One submission: the printer is asked, the intent committed, an empty job made, its number
//! committed, the file sent. Or, where the printer knows no empty jobs, job and file are sent.

use bytes::Bytes;
use waybill_domain::printing::{PrintFailure, PrintProblem, PrinterJobState, SEND_WITHIN, Seen};
use waybill_outbound::{failpoint, planted};

use super::look::said;
use super::{Ledger, PrinterQueue, QueueJob};
use crate::error::LinkError;
use crate::ticket::JobTicket;

/// After so many tries it is asked what keeps a printer busy.
const BUSY_TRIES: u32 = 3;

impl<L: Ledger> PrinterQueue<L> {
    /// Submits a job that is ready. What the printer cannot take now waits.
    pub(super) async fn submit(&mut self, job: QueueJob) -> Result<(), L::Error> {
        if let Some(why) = self.ask_why_not().await? {
            return self.record(&job, Seen::PutOff, Some(why)).await;
        }
        let (ticket, bytes) = match self.ticket(&job).await? {
            Ok(ready) => ready,
            Err(PrintFailure { problem, said }) => {
                return self.record(&job, Seen::Unwanted(problem), said).await;
            }
        };
        failpoint::hit("print-ready");
        let Some(job) = self.ledger.begin(&job).await? else { return Ok(()) };
        failpoint::hit("print-begun");
        let ticket = JobTicket { name: job.name().with(&job.document_name), ..ticket };
        if !self.printer.abilities.has_create_job {
            return self.print_whole(job, &ticket, bytes).await;
        }
        let created = match self.link().await {
            Ok(link) => link.create_job(&ticket).await,
            Err(error) => Err(error),
        };
        failpoint::hit("print-created");
        match created {
            Ok(number) => self.send(job, Some(number), &ticket, bytes).await,
            Err(error) => self.not_created(job, error).await,
        }
    }

    /// Job and file together, where the printer cannot take one before the other. Without a line
    /// nothing is committed that would have to be looked for.
    async fn print_whole(
        &mut self,
        job: QueueJob,
        ticket: &JobTicket,
        bytes: Bytes,
    ) -> Result<(), L::Error> {
        let connected = self.link().await.map(drop);
        failpoint::hit("print-created");
        match connected {
            Ok(()) => self.send(job, None, ticket, bytes).await,
            Err(error) => self.not_created(job, error).await,
        }
    }

    /// Commits the number of the empty job, if there is one, and sends the file within the time in
    /// which nobody else looks for it.
    async fn send(
        &mut self,
        job: QueueJob,
        number: Option<i32>,
        ticket: &JobTicket,
        bytes: Bytes,
    ) -> Result<(), L::Error> {
        let committing = self.ledger.monotonic();
        let Some(job) = self.ledger.created(&job, number).await? else {
            // It is not wanted any more, or another has the printer: nothing was sent, and the
            // empty job is not left behind.
            self.cancel_empty(number).await;
            return Ok(());
        };
        failpoint::hit("print-sending");
        let spent = self.ledger.monotonic().saturating_sub(committing);
        let sent = match (SEND_WITHIN.checked_sub(spent), self.link.as_mut()) {
            (Some(left), Some(link)) => {
                link.send_within(left);
                match number {
                    Some(number) => link.send_document(number, ticket, bytes).await,
                    None => link.print_job(ticket, bytes).await,
                }
            }
            // Somebody may have given us up: whoever looks finds the job empty.
            _ => Err(LinkError::NotSent("it was too late to send".to_owned())),
        };
        failpoint::hit("print-sent");
        match sent {
            Ok(answer) => {
                let state = match planted::is("print-status-alone") {
                    true => PrinterJobState::Completed,
                    false => answer.state.unwrap_or(PrinterJobState::Pending),
                };
                let numbered = QueueJob { printer_job: Some(answer.id), ..job };
                self.record(&numbered, Seen::Sent(state), said(&answer)).await
            }
            Err(LinkError::Refused { message, .. }) => {
                // It has taken nothing; its empty job is not left behind.
                self.cancel_empty(number).await;
                self.record(&job, Seen::Refused, Some(message)).await
            }
            // There is no empty job that could be found.
            Err(error) if number.is_none() && !error.may_have_arrived() => {
                self.put_off(&job, Seen::NotSent, &error).await
            }
            // It may have arrived, or not: the row says so, and somebody looks.
            Err(_) => {
                self.lost(if number.is_some() { "send" } else { "print" });
                Ok(())
            }
        }
    }

    /// Cancels a job of ours that has no document. A printer that cannot be asked gives it up by
    /// itself, or is asked about it before its next job.
    pub(super) async fn cancel_empty(&mut self, number: Option<i32>) {
        if planted::is("print-orphan") {
            return;
        }
        if let (Some(number), Some(link)) = (number, self.link.as_mut())
            && let Err(error) = link.cancel_job(number).await
        {
            let printer = &self.printer.uri;
            tracing::warn!(%printer, %error, "an empty job is left at a printer");
        }
    }

    /// What follows when no empty job is known to exist.
    async fn not_created(&mut self, job: QueueJob, error: LinkError) -> Result<(), L::Error> {
        match error {
            LinkError::Refused { message, .. } => {
                self.record(&job, Seen::Refused, Some(message)).await
            }
            error if !error.may_have_arrived() => {
                self.put_off(&job, Seen::NotCreated, &error).await
            }
            _ => {
                // The next turn cleans up.
                self.lost("create");
                Ok(())
            }
        }
    }

    /// The printer has taken nothing. When it does so again and again, an empty job may keep it
    /// busy.
    async fn put_off(
        &mut self,
        job: &QueueJob,
        seen: Seen,
        error: &LinkError,
    ) -> Result<(), L::Error> {
        if job.printing.tries >= BUSY_TRIES && matches!(error, LinkError::PutOff { .. }) {
            self.cancel_left_behind().await?;
        }
        self.link = None;
        self.record(job, seen, Some(error.to_string())).await
    }

    /// Nobody knows what became of a request. The connection is of no use any more.
    fn lost(&mut self, operation: &'static str) {
        self.link = None;
        metrics::counter!("waybill_print_answers_lost_total", "operation" => operation)
            .increment(1);
    }

    /// What the printer is told of the job, and the bytes; or why it cannot be printed any more.
    pub(super) async fn ticket(
        &mut self,
        job: &QueueJob,
    ) -> Result<Result<(JobTicket, Bytes), PrintFailure>, L::Error> {
        let Some(file) = self.ledger.file(job).await? else {
            return Ok(Err(PrintFailure::new(PrintProblem::FileGone)));
        };
        let intake = self.printer.intake();
        let bytes = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
        if let Err(failure) = intake.fits(&job.format, bytes, job.copies) {
            return Ok(Err(failure));
        }
        let Some(format) = intake.kind(&job.format) else {
            return Ok(Err(PrintFailure::new(PrintProblem::CannotTake)));
        };
        let is_repeated = intake.is_repeated(&job.format, job.copies);
        let bytes = match is_repeated {
            true => file.bytes.repeat(usize::try_from(job.copies).unwrap_or(1)).into(),
            false => file.bytes,
        };
        let abilities = &self.printer.abilities;
        let media = abilities.media_for(file.width_um, file.height_um);
        let ticket = JobTicket {
            name: String::new(),
            document_name: job.document_name.clone(),
            format,
            copies: if is_repeated { 1 } else { job.copies },
            no_scaling: abilities.has_no_scaling && media.is_some(),
            media,
            one_sided: job.is_label && abilities.has_one_sided,
        };
        Ok(Ok((ticket, bytes)))
    }
}
