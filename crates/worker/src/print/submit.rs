//! One submission: the printer is asked, the intent committed, an empty job made, its number
//! committed, the file sent.

use bytes::Bytes;
use waybill_domain::printing::{
    JobName, PrintFailure, PrintProblem, PrintStep, PrinterJobState, SEND_WITHIN, Seen,
};
use waybill_engine::{failpoint, planted, printing};
use waybill_printing::{JobTicket, LinkError};
use waybill_store::Error;
use waybill_store::documents;
use waybill_store::print_jobs::PrintJob;

use super::PrinterQueue;

impl PrinterQueue {
    /// Submits a job that is ready. What the printer cannot take now waits.
    pub(super) async fn submit(&mut self, job: PrintJob) -> Result<(), Error> {
        if let Some(why) = self.ask_why_not().await? {
            return self.record(&job, Seen::PutOff, Some(why)).await.map(drop);
        }
        let (ticket, bytes) = match self.ticket(&job).await? {
            Ok(ready) => ready,
            Err(PrintFailure { problem, said }) => {
                return self.record(&job, Seen::Unwanted(problem), said).await.map(drop);
            }
        };
        failpoint::hit("print-ready");
        let Some(job) = self.begin(job).await? else { return Ok(()) };
        failpoint::hit("print-begun");
        let name = JobName::new(job.id.into(), job.submission);
        let ticket = JobTicket { name: name.with(&job.document_name), ..ticket };
        let created = match self.link().await {
            Ok(link) => link.create_job(&ticket).await,
            Err(error) => Err(error),
        };
        failpoint::hit("print-created");
        match created {
            Ok(number) => self.send(job, i64::from(number), &ticket, bytes).await,
            Err(error) => self.not_created(job, error).await,
        }
    }

    /// Commits that a submission begins. Nothing when the job is not as it was read.
    async fn begin(&self, job: PrintJob) -> Result<Option<PrintJob>, Error> {
        if planted::is("no-print-intent") {
            let submission = job.submission + 1;
            return Ok(Some(PrintJob { submission, step: PrintStep::Creating, ..job }));
        }
        let (app, fence) = (self.app.clone(), self.claimed.fence);
        let begun = self.write(move |tx, team, now| {
            let current = waybill_store::print_jobs::lock(tx, team, job.id)?;
            match current.filter(|current| current.step == job.step) {
                Some(current) => printing::begin(tx, &app, team, &current, fence, now).map(Some),
                None => Ok(None),
            }
        });
        begun.await
    }

    /// Commits the number of the empty job, and sends the file within the time in which nobody
    /// else looks for it.
    async fn send(
        &mut self,
        job: PrintJob,
        number: i64,
        ticket: &JobTicket,
        bytes: Bytes,
    ) -> Result<(), Error> {
        let committing = self.app.monotonic();
        let (app, old, fence) = (self.app.clone(), job.clone(), self.claimed.fence);
        let created = self.write(move |tx, team, now| {
            let mut current = waybill_store::print_jobs::lock(tx, team, old.id)?;
            if planted::is("no-print-intent") {
                let begin = |found| printing::begin(tx, &app, team, &found, fence, now);
                current = current.map(begin).transpose()?;
            }
            // The state too: somebody may have given it up while its empty job was made.
            let is_same = |current: &PrintJob| {
                let is_wanted = current.state == old.state;
                is_wanted && current.step == old.step && current.submission == old.submission
            };
            match current.filter(is_same) {
                Some(current) => printing::created(tx, &app, team, &current, number, now).map(Some),
                None => Ok(None),
            }
        });
        let Some(job) = created.await? else {
            // It is not wanted any more, or another has the queue: nothing was sent, and the empty
            // job is not left behind.
            self.cancel_empty(number).await;
            return Ok(());
        };
        failpoint::hit("print-sending");
        let spent = self.app.monotonic().saturating_sub(committing);
        // When it is too late somebody may have given us up: whoever looks finds the job empty.
        let Some(left) = SEND_WITHIN.checked_sub(spent) else { return Ok(()) };
        let (Ok(number), Some(link)) = (i32::try_from(number), self.link.as_mut()) else {
            return Ok(());
        };
        link.send_within(left);
        let sent = link.send_document(number, ticket, bytes).await;
        failpoint::hit("print-sent");
        match sent {
            Ok(answer) => {
                let state = match planted::is("print-status-alone") {
                    true => PrinterJobState::Completed,
                    false => answer.state.unwrap_or(PrinterJobState::Pending),
                };
                self.record(&job, Seen::Sent(state), said(&answer)).await.map(drop)
            }
            Err(LinkError::Refused { message, .. }) => {
                // It has taken nothing; its empty job is not left behind.
                self.cancel_empty(i64::from(number)).await;
                self.record(&job, Seen::Refused, Some(message)).await.map(drop)
            }
            // It may have arrived, or not: the row says so, and somebody looks.
            Err(_) => {
                self.link = None;
                metrics::counter!("waybill_print_answers_lost_total", "operation" => "send")
                    .increment(1);
                Ok(())
            }
        }
    }

    /// Cancels a job of ours that has no document. A printer that cannot be asked gives it up by
    /// itself, or is asked about it before its next job.
    async fn cancel_empty(&mut self, number: i64) {
        if planted::is("print-orphan") {
            return;
        }
        if let (Ok(number), Some(link)) = (i32::try_from(number), self.link.as_mut())
            && let Err(error) = link.cancel_job(number).await
        {
            tracing::warn!(printer = %self.printer.id, %error, "an empty job is left at a printer");
        }
    }

    /// What follows when no empty job is known to exist.
    async fn not_created(&mut self, job: PrintJob, error: LinkError) -> Result<(), Error> {
        match error {
            LinkError::Refused { message, .. } => {
                self.record(&job, Seen::Refused, Some(message)).await.map(drop)
            }
            error if !error.may_have_arrived() => {
                self.link = None;
                let why = error.to_string();
                self.record(&job, Seen::NotCreated, Some(why)).await.map(drop)
            }
            _ => {
                self.link = None;
                metrics::counter!("waybill_print_answers_lost_total", "operation" => "create")
                    .increment(1);
                // The next turn cleans up.
                Ok(())
            }
        }
    }

    /// What the printer is told of the job, and the bytes; or why it cannot be printed any more.
    pub(super) async fn ticket(
        &self,
        job: &PrintJob,
    ) -> Result<Result<(JobTicket, Bytes), PrintFailure>, Error> {
        let (team, id) = (self.team, job.document);
        let found = self.app.read(move |tx| {
            let Some(document) = documents::find(tx, team, id)? else { return Ok(None) };
            let content = documents::any_find_content(tx, &document.hash)?;
            Ok::<_, Error>(content.map(|content| (document, content)))
        });
        let Some((document, content)) = found.await? else {
            return Ok(Err(PrintFailure::new(PrintProblem::FileGone)));
        };
        if let Err(failure) = printing::fits(&self.printer, &document, job.copies) {
            return Ok(Err(failure));
        }
        let read = self.app.files().read(&document.hash, content).await;
        let mut bytes = match read {
            Ok(bytes) => bytes,
            Err(error) => return Err(Error::Unavailable(error.to_string())),
        };
        let is_repeated = printing::is_repeated(&self.printer, &job.document_format, job.copies);
        if is_repeated {
            let copies = usize::try_from(job.copies).unwrap_or(1);
            bytes = bytes.repeat(copies);
        }
        let abilities = &self.printer.abilities;
        let types = printing::format_types(&self.printer);
        let format = waybill_domain::document::Format::parse(&job.document_format);
        let kind = format.and_then(|format| types.of_format(format).map(str::to_owned));
        let Some(kind) = kind else {
            return Ok(Err(PrintFailure::new(PrintProblem::CannotTake)));
        };
        let is_label = job.document_types.split(' ').any(|kind| kind == "label");
        let media = abilities.media_for(document.width_um, document.height_um);
        let ticket = JobTicket {
            name: String::new(),
            document_name: job.document_name.clone(),
            format: kind,
            copies: if is_repeated { 1 } else { job.copies },
            no_scaling: abilities.has_no_scaling && media.is_some(),
            media,
            one_sided: is_label && abilities.has_one_sided,
        };
        Ok(Ok((ticket, Bytes::from(bytes))))
    }
}

/// The printer's own words about a job.
pub(super) fn said(job: &waybill_domain::printing::PrinterJob) -> Option<String> {
    let mut words: Vec<&str> = job.message.as_deref().into_iter().collect();
    words.extend(job.reasons.iter().map(String::as_str).filter(|reason| *reason != "none"));
    (!words.is_empty()).then(|| words.join("; "))
}
