//! Looking at what a printer has of ours. Nothing is sent here.

use waybill_domain::printing::{Evidence, JobName, PrinterJob, Proof, Seen};
use waybill_engine::{failpoint, planted};
use waybill_printing::LinkError;
use waybill_store::Error;
use waybill_store::print_jobs::PrintJob;

use super::PrinterQueue;
use super::submit::said;

impl PrinterQueue {
    /// Looks how far the printer is with a job that it has.
    pub(super) async fn look(&mut self, job: PrintJob) -> Result<(), Error> {
        match self.printer_job(&job).await {
            Ok(found) => {
                let Some(evidence) = self.evidence(&job, found.as_ref()) else {
                    return self.record(&job, Seen::NoContact, None).await.map(drop);
                };
                let words = found.as_ref().and_then(said);
                self.record(&job, Seen::Looked(evidence), words).await.map(drop)
            }
            Err(error) => self.no_contact(&job, &error).await,
        }
    }

    /// Finds out what became of a file whose answer nobody has. An empty job is cancelled, and
    /// only when it is read back as over may another one follow.
    pub(super) async fn resolve(&mut self, job: PrintJob) -> Result<(), Error> {
        failpoint::hit("print-resolve");
        if planted::is("print-blind-retry") {
            return self.record(&job, Seen::Emptied, None).await.map(drop);
        }
        if planted::is("print-resend") {
            return self.send_again(job).await;
        }
        let found = match self.printer_job(&job).await {
            Ok(found) => found,
            Err(error) => return self.no_contact(&job, &error).await,
        };
        match self.evidence(&job, found.as_ref()) {
            Some(Evidence::Empty) => self.empty(&job).await,
            Some(evidence) => {
                let words = found.as_ref().and_then(said);
                self.record(&job, Seen::Looked(evidence), words).await.map(drop)
            }
            None => self.record(&job, Seen::NoContact, None).await.map(drop),
        }
    }

    /// `print-resend`: the same document once more to the same job of the printer.
    async fn send_again(&mut self, job: PrintJob) -> Result<(), Error> {
        let (Ok((ticket, bytes)), Some(number)) = (self.ticket(&job).await?, number(&job)) else {
            return Ok(());
        };
        let sent = match self.link().await {
            Ok(link) => link.send_document(number, &ticket, bytes).await,
            Err(error) => Err(error),
        };
        match sent.map(|answer| answer.state) {
            Ok(Some(state)) => self.record(&job, Seen::Sent(state), None).await.map(drop),
            Ok(None) => Ok(()),
            Err(error) => self.no_contact(&job, &error).await,
        }
    }

    /// Cancels an empty job and reads it back at once.
    async fn empty(&mut self, job: &PrintJob) -> Result<(), Error> {
        let Some(number) = number(job) else { return Ok(()) };
        let link = match self.link().await {
            Ok(link) => link,
            Err(error) => return self.no_contact(job, &error).await,
        };
        let cancelled = link.cancel_job(number).await;
        let again = link.job(number).await;
        failpoint::hit("print-emptied");
        match (cancelled, again) {
            (_, Ok(found)) if Evidence::is_cancelled_empty(found.as_ref(), &name(job)) => {
                self.record(job, Seen::Emptied, None).await.map(drop)
            }
            (_, Ok(found)) => {
                let words = found.as_ref().and_then(said);
                self.record(job, Seen::NotEmptied, words).await.map(drop)
            }
            (_, Err(error)) => self.no_contact(job, &error).await,
        }
    }

    /// Cancels every empty job at the printer that has the name of this one: a worker that is gone
    /// may have made it.
    pub(super) async fn clean_up(&mut self, job: PrintJob) -> Result<(), Error> {
        let cleaned = self.cancel_jobs_named(&job).await;
        match cleaned {
            Ok(()) => self.record(&job, Seen::CleanedUp, None).await.map(drop),
            Err(error) => {
                self.link = None;
                self.record(&job, Seen::PutOff, Some(error.to_string())).await.map(drop)
            }
        }
    }

    async fn cancel_jobs_named(&mut self, job: &PrintJob) -> Result<(), LinkError> {
        if planted::is("print-orphan") {
            return Ok(());
        }
        let id = job.id;
        let link = self.link().await?;
        let is_ours = |found: &PrinterJob| {
            let name = found.name.as_deref().and_then(JobName::read);
            name.is_some_and(|name| name.job() == id.0)
        };
        let found = link.jobs().await?;
        for left in found.iter().filter(|found| is_ours(found)) {
            link.cancel_job(left.id).await?;
        }
        Ok(())
    }

    async fn printer_job(&mut self, job: &PrintJob) -> Result<Option<PrinterJob>, LinkError> {
        let Some(number) = number(job) else { return Ok(None) };
        self.link().await?.job(number).await
    }

    fn evidence(&self, job: &PrintJob, found: Option<&PrinterJob>) -> Option<Evidence> {
        let mut proof = Proof {
            drops_what_is_cut: self.printer.abilities.is_cups,
            size: u64::try_from(job.size_bytes).unwrap_or(u64::MAX),
        };
        if planted::is("print-half") {
            proof = Proof { drops_what_is_cut: true, size: 0 };
        }
        if planted::is("print-no-name-check") {
            let renamed =
                |found: &PrinterJob| PrinterJob { name: Some(name(job).with("")), ..found.clone() };
            return Evidence::read(found.map(renamed).as_ref(), &name(job), proof);
        }
        Evidence::read(found, &name(job), proof)
    }

    async fn no_contact(&mut self, job: &PrintJob, error: &LinkError) -> Result<(), Error> {
        self.link = None;
        self.record(job, Seen::NoContact, Some(error.to_string())).await.map(drop)
    }
}

fn name(job: &PrintJob) -> JobName {
    JobName::new(job.id.into(), job.submission)
}

fn number(job: &PrintJob) -> Option<i32> {
    job.printer_job.and_then(|number| i32::try_from(number).ok())
}
