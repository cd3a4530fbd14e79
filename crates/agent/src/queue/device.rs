//! The queue of a printer that cannot be asked what it has. It goes through the same steps as
//! `printing::queue`, by the same rules: the submission is committed before anything is sent, and
//! sent once.

use std::time::Duration;

use bytes::Bytes;
use waybill_domain::printing::{
    Abilities, Next, PrintFailure, PrintProblem, PrinterJobState, SEND_WITHIN, Seen, decide,
};
use waybill_domain::time::Time;
use waybill_outbound::failpoint;
use waybill_printing::queue::{Ledger, Observation, QueueJob, QueuePrinter};

use super::error::DeviceError;
use crate::ledger::SpoolLedger;
use crate::spool::SpoolError;

/// A device is looked at so often.
const LOOK: Duration = Duration::from_secs(30);

/// What became of what was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sent {
    /// The device has all of it.
    Whole,
    /// Not a byte left.
    Nothing(String),
    /// Some of it may have left.
    Unclear(String),
}

/// A printer that cannot be asked what it has.
pub trait Device: Send {
    /// What is open between [`Device::prepare`] and [`Device::send`].
    type Open: Send;

    /// What it takes.
    fn abilities(&self) -> Abilities;

    /// Whether it is there.
    fn probe(&self) -> impl Future<Output = Result<(), DeviceError>> + Send;

    /// Gets ready to send a job. Nothing of it is printed by that.
    fn prepare(
        &self,
        job: &QueueJob,
        bytes: &Bytes,
    ) -> impl Future<Output = Result<Self::Open, DeviceError>> + Send;

    /// Sends what was prepared, once.
    fn send(
        &self,
        open: Self::Open,
        job: &QueueJob,
        bytes: Bytes,
    ) -> impl Future<Output = Sent> + Send;

    /// Removes what was prepared for a job and never sent.
    fn clean_up(&self, job: &QueueJob) -> impl Future<Output = Result<(), DeviceError>> + Send;

    /// Finds out what became of a job that somebody was sending who is gone.
    fn resolve(&self, job: &QueueJob) -> impl Future<Output = Sent> + Send;
}

/// The queue of a device, while it is worked on.
pub struct Queue<'a, D> {
    /// What is remembered.
    pub ledger: &'a mut SpoolLedger,
    /// The device.
    pub device: D,
}

impl<D: Device> Queue<'_, D> {
    /// Prints until nothing is due. Tells when to look at the device again; never when it is not
    /// wanted any more.
    pub async fn drive(&mut self) -> Result<Option<Time>, SpoolError> {
        let mut last = None;
        loop {
            let loaded = self.ledger.load().await?;
            let is_wanted = loaded.printer.is_some();
            let due = loaded.due.filter(|job| last.as_ref() != Some(job));
            if let Some(job) = due {
                last = Some(job.clone());
                self.turn(job, loaded.printer).await?;
                continue;
            }
            let Some(printer) = loaded.printer.filter(|_| is_wanted) else { return Ok(None) };
            let look = printer.looked_at.plus(LOOK);
            if look > self.ledger.now() {
                return Ok(Some(look));
            }
            let found = self.device.probe().await;
            self.note(printer, found.err().map(|why| why.to_string())).await?;
        }
    }

    /// Does what is to be done with a job, and writes what was seen.
    async fn turn(
        &mut self,
        job: QueueJob,
        printer: Option<QueuePrinter>,
    ) -> Result<(), SpoolError> {
        match (decide(&job.printing, self.ledger.now()), printer) {
            (Next::Rest | Next::Wait(_), _) => Ok(()),
            (Next::Expire, _) => {
                self.record(&job, Seen::Unwanted(PrintProblem::Expired), None).await
            }
            (Next::Submit, None) => {
                self.record(&job, Seen::Unwanted(PrintProblem::PrinterRemoved), None).await
            }
            (Next::Submit, Some(printer)) => self.submit(job, printer).await,
            (Next::CleanUp, _) => match self.device.clean_up(&job).await {
                Ok(()) => self.record(&job, Seen::CleanedUp, None).await,
                Err(why) => self.record(&job, Seen::PutOff, Some(why.to_string())).await,
            },
            (Next::Resolve | Next::Look, _) => {
                let sent = self.device.resolve(&job).await;
                self.told(&job, sent).await
            }
        }
    }

    async fn submit(&mut self, job: QueueJob, printer: QueuePrinter) -> Result<(), SpoolError> {
        let bytes = match self.bytes(&job).await? {
            Ok(bytes) => bytes,
            Err(PrintFailure { problem, said }) => {
                return self.record(&job, Seen::Unwanted(problem), said).await;
            }
        };
        let open = match self.device.prepare(&job, &bytes).await {
            Ok(open) => open,
            Err(why) => {
                let why = why.to_string();
                self.note(printer, Some(why.clone())).await?;
                return self.record(&job, Seen::PutOff, Some(why)).await;
            }
        };
        self.note(printer, None).await?;
        failpoint::hit("agent-prepared");
        let Some(begun) = self.ledger.begin(&job).await? else { return Ok(()) };
        failpoint::hit("agent-begun");
        let committing = self.ledger.monotonic();
        let Some(job) = self.ledger.created(&begun, None).await? else { return Ok(()) };
        failpoint::hit("agent-sending");
        let spent = self.ledger.monotonic().saturating_sub(committing);
        let sent = match spent <= SEND_WITHIN {
            true => self.device.send(open, &job, bytes).await,
            false => Sent::Nothing("it was too late to send".to_owned()),
        };
        failpoint::hit("agent-sent");
        self.told(&job, sent).await
    }

    async fn told(&mut self, job: &QueueJob, sent: Sent) -> Result<(), SpoolError> {
        match sent {
            Sent::Whole => self.record(job, Seen::Sent(PrinterJobState::Completed), None).await,
            Sent::Nothing(why) => self.record(job, Seen::NotSent, Some(why)).await,
            Sent::Unclear(why) => self.record(job, Seen::NotEmptied, Some(why)).await,
        }
    }

    /// The bytes that are sent, or why it cannot be printed any more.
    async fn bytes(&mut self, job: &QueueJob) -> Result<Result<Bytes, PrintFailure>, SpoolError> {
        let Some(file) = self.ledger.file(job).await? else {
            return Ok(Err(PrintFailure::new(PrintProblem::FileGone)));
        };
        let abilities = self.device.abilities();
        let printer = QueuePrinter { abilities, ..QueuePrinter::unseen(String::new()) };
        let intake = printer.intake();
        let size = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
        if let Err(failure) = intake.fits(&job.format, size, job.copies) {
            return Ok(Err(failure));
        }
        let copies = usize::try_from(job.copies).unwrap_or(1);
        Ok(Ok(match intake.is_repeated(&job.format, job.copies) {
            true => file.bytes.repeat(copies).into(),
            false => file.bytes,
        }))
    }

    async fn record(
        &mut self,
        job: &QueueJob,
        seen: Seen,
        said: Option<String>,
    ) -> Result<(), SpoolError> {
        let observation = Observation { seen, said, printer_job: None };
        self.ledger.record(job, observation).await.map(drop)
    }

    /// Notes whether the device is there.
    async fn note(&mut self, old: QueuePrinter, why_not: Option<String>) -> Result<(), SpoolError> {
        let now = self.ledger.now();
        // Without news it is written no more often than it is looked at.
        if old.is_online && why_not.is_none() && now.since(old.looked_at) < LOOK / 2 {
            return Ok(());
        }
        let seen = QueuePrinter {
            abilities: self.device.abilities(),
            is_online: why_not.is_none(),
            misses: if why_not.is_some() { old.misses + 1 } else { 0 },
            why_offline: why_not,
            looked_at: now,
            asked_at: now,
            ..old
        };
        self.ledger.note(&seen).await
    }
}
