//! Looking at what a printer has of ours. Nothing is sent here.

use waybill_domain::printing::{Evidence, JobName, PrinterJob, Proof, Seen};
use waybill_outbound::{failpoint, planted};

use super::{FoundJob, Ledger, PrinterQueue, QueueJob};
use crate::error::LinkError;

impl<L: Ledger> PrinterQueue<L> {
    /// Looks how far the printer is with a job that it has.
    pub(super) async fn look(&mut self, job: QueueJob) -> Result<(), L::Error> {
        match self.printer_job(&job).await {
            Ok(found) => {
                let Some(evidence) = self.evidence(&job, found.as_ref()) else {
                    return self.record(&job, Seen::NoContact, None).await;
                };
                let words = found.as_ref().and_then(said);
                self.record(&job, Seen::Looked(evidence), words).await
            }
            Err(error) => self.no_contact(&job, &error).await,
        }
    }

    /// Finds out what became of a file whose answer nobody has. An empty job is cancelled, and
    /// only when it is read back as over may another one follow.
    pub(super) async fn resolve(&mut self, job: QueueJob) -> Result<(), L::Error> {
        failpoint::hit("print-resolve");
        if planted::is("print-blind-retry") {
            return self.record(&job, Seen::Emptied, None).await;
        }
        if planted::is("print-resend") {
            return self.send_again(job).await;
        }
        let found = match self.printer_job(&job).await {
            Ok(found) => found,
            Err(error) => return self.no_contact(&job, &error).await,
        };
        // Where job and file went together, the number is learned here.
        let printer_job = job.printer_job.or(found.as_ref().map(|found| found.id));
        let job = QueueJob { printer_job, ..job };
        match self.evidence(&job, found.as_ref()) {
            Some(Evidence::Empty) => self.empty(&job).await,
            Some(evidence) => {
                let words = found.as_ref().and_then(said);
                self.record(&job, Seen::Looked(evidence), words).await
            }
            None => self.record(&job, Seen::NoContact, None).await,
        }
    }

    /// `print-resend`: the same document once more to the same job of the printer.
    async fn send_again(&mut self, job: QueueJob) -> Result<(), L::Error> {
        let (Ok((ticket, bytes)), Some(number)) = (self.ticket(&job).await?, job.printer_job)
        else {
            return Ok(());
        };
        let sent = match self.link().await {
            Ok(link) => link.send_document(number, &ticket, bytes).await,
            Err(error) => Err(error),
        };
        match sent.map(|answer| answer.state) {
            Ok(Some(state)) => self.record(&job, Seen::Sent(state), None).await,
            Ok(None) => Ok(()),
            Err(error) => self.no_contact(&job, &error).await,
        }
    }

    /// Cancels an empty job and reads it back at once.
    async fn empty(&mut self, job: &QueueJob) -> Result<(), L::Error> {
        let Some(number) = job.printer_job else { return Ok(()) };
        let link = match self.link().await {
            Ok(link) => link,
            Err(error) => return self.no_contact(job, &error).await,
        };
        let cancelled = link.cancel_job(number).await;
        let again = link.job(number).await;
        failpoint::hit("print-emptied");
        match (cancelled, again) {
            (_, Ok(found)) if Evidence::is_cancelled_empty(found.as_ref(), &job.name()) => {
                self.record(job, Seen::Emptied, None).await
            }
            (_, Ok(found)) => {
                let words = found.as_ref().and_then(said);
                self.record(job, Seen::NotEmptied, words).await
            }
            (_, Err(error)) => self.no_contact(job, &error).await,
        }
    }

    /// Cancels every empty job at the printer that has the name of this one: a worker that is gone
    /// may have made it.
    pub(super) async fn clean_up(&mut self, job: QueueJob) -> Result<(), L::Error> {
        match self.cancel_jobs_named(&job).await {
            Ok(()) => self.record(&job, Seen::CleanedUp, None).await,
            Err(error) => {
                self.link = None;
                self.record(&job, Seen::PutOff, Some(error.to_string())).await
            }
        }
    }

    async fn cancel_jobs_named(&mut self, job: &QueueJob) -> Result<(), LinkError> {
        if planted::is("print-orphan") {
            return Ok(());
        }
        let link = self.link().await?;
        let is_ours = |found: &PrinterJob| {
            let name = found.name.as_deref().and_then(JobName::read);
            name.is_some_and(|name| name.job() == job.id)
        };
        let found = link.jobs().await?;
        for left in found.iter().filter(|found| is_ours(found)) {
            link.cancel_job(left.id).await?;
        }
        Ok(())
    }

    /// Cancels what was left at the printer by submissions that are over. The request of a worker
    /// that is gone may arrive when nobody looks for it any more, and some printers wait for the
    /// file of an empty job forever.
    pub(super) async fn cancel_left_behind(&mut self) -> Result<(), L::Error> {
        if planted::is("print-orphan") {
            return Ok(());
        }
        let found = match self.link().await {
            Ok(link) => link.jobs().await.unwrap_or_default(),
            Err(_) => return Ok(()),
        };
        let ours = |job: PrinterJob| {
            let name = JobName::read(job.name.as_deref()?)?;
            let is_empty = job.documents == Some(0) && job.kilobytes == Some(0);
            Some(FoundJob { name, number: job.id, is_empty })
        };
        let found: Vec<FoundJob> = found.into_iter().filter_map(ours).collect();
        if found.is_empty() {
            return Ok(());
        }
        for left in self.ledger.left_behind(found).await? {
            self.cancel_empty(Some(left.number)).await;
        }
        Ok(())
    }

    /// The printer's job by its number, or by its name where nobody heard the number.
    async fn printer_job(&mut self, job: &QueueJob) -> Result<Option<PrinterJob>, LinkError> {
        let name = job.name();
        match (job.printer_job, self.link().await?) {
            (Some(number), link) => link.job(number).await,
            (None, link) => link.find(&name).await,
        }
    }

    fn evidence(&self, job: &QueueJob, found: Option<&PrinterJob>) -> Option<Evidence> {
        let mut proof =
            Proof { drops_what_is_cut: self.printer.abilities.is_cups, size: job.printing.size };
        if planted::is("print-half") {
            proof = Proof { drops_what_is_cut: true, size: 0 };
        }
        if planted::is("print-no-name-check") {
            let name = job.name();
            let renamed =
                |found: &PrinterJob| PrinterJob { name: Some(name.with("")), ..found.clone() };
            return Evidence::read(found.map(renamed).as_ref(), &name, proof);
        }
        Evidence::read(found, &job.name(), proof)
    }

    async fn no_contact(&mut self, job: &QueueJob, error: &LinkError) -> Result<(), L::Error> {
        self.link = None;
        self.record(job, Seen::NoContact, Some(error.to_string())).await
    }
}

/// The printer's own words about a job.
pub(super) fn said(job: &PrinterJob) -> Option<String> {
    let mut words: Vec<&str> = job.message.as_deref().into_iter().collect();
    words.extend(job.reasons.iter().map(String::as_str).filter(|reason| *reason != "none"));
    (!words.is_empty()).then(|| words.join("; "))
}
