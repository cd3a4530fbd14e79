//! What the queue of a printer reads and writes: the spool.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;
use waybill_domain::time::Time;
use waybill_outbound::failpoint;
use waybill_printing::queue::{
    FoundJob, Ledger, Loaded, Observation, QueueFile, QueueJob, QueuePrinter,
};

use crate::shared::Shared;
use crate::spool::{SpoolError, SpoolJob, SpoolPrinter, Step, rows};

/// The spool, as the queue of one printer sees it.
pub struct SpoolLedger {
    shared: Arc<Shared>,
    key: String,
    /// Whether the printer is still one of those that the agent is told to have.
    is_wanted: bool,
    /// Whoever has something for this printer says so.
    signal: Arc<Notify>,
    printer: Option<QueuePrinter>,
}

impl SpoolLedger {
    /// The ledger of the printer with this key.
    pub fn new(
        shared: Arc<Shared>,
        (key, is_wanted): (String, bool),
        signal: Arc<Notify>,
    ) -> SpoolLedger {
        SpoolLedger { shared, key, is_wanted, signal, printer: None }
    }

    /// The printer as it is kept.
    pub async fn printer(&self) -> Result<Option<SpoolPrinter>, SpoolError> {
        let key = self.key.clone();
        self.shared.spool.run(move |tx| rows::printer(tx, &key)).await
    }

    /// When a job of the printer is looked at again.
    pub async fn next_look(&self) -> Result<Option<Time>, SpoolError> {
        let key = self.key.clone();
        self.shared.spool.run(move |tx| rows::next_look(tx, &key)).await
    }

    fn step(&self, job: &QueueJob) -> Step {
        Step { job: job.clone(), now: self.now() }
    }

    /// A new state is told to the server.
    fn told(&self, old: &QueueJob, new: Option<SpoolJob>) -> Option<QueueJob> {
        let new = new?;
        if new.printing.state != old.printing.state {
            let (job, printer, state) = (new.id, &self.key, new.printing.state);
            tracing::info!(%job, printer, %state, "a print job moved on");
            self.shared.reports.notify_one();
        }
        Some(new.queued())
    }
}

impl Ledger for SpoolLedger {
    type Error = SpoolError;

    fn now(&self) -> Time {
        self.shared.clock.now()
    }

    fn monotonic(&self) -> Duration {
        self.shared.clock.monotonic()
    }

    async fn load(&mut self) -> Result<Loaded, SpoolError> {
        let (key, now, is_stopping) = (self.key.clone(), self.now(), self.shared.is_stopping());
        let found = self.shared.spool.run(move |tx| {
            // Whoever is told to stop begins nothing.
            let due = if is_stopping { None } else { rows::find_due(tx, &key, now)? };
            Ok((rows::printer(tx, &key)?, due))
        });
        let (printer, due) = found.await?;
        self.printer = printer.map(|printer| printer.seen);
        let printer = self.printer.clone().filter(|_| self.is_wanted);
        Ok(Loaded { printer, due: due.as_ref().map(SpoolJob::queued) })
    }

    async fn wait(&mut self, time: Duration) -> bool {
        !self.shared.is_stopping() && timeout(time, self.signal.notified()).await.is_ok()
    }

    async fn note(&mut self, seen: &QueuePrinter) -> Result<(), SpoolError> {
        let is_news = self.printer.as_ref().is_none_or(|old| {
            // One that nobody has looked at yet is not told of.
            old.looked_at == Time(0)
                || (old.is_online, &old.abilities) != (seen.is_online, &seen.abilities)
        });
        let (key, new) = (self.key.clone(), seen.clone());
        let was_looked_for = |old: &QueuePrinter| !old.is_online && old.looked_at > Time(0);
        if !new.is_online && !self.printer.as_ref().is_some_and(was_looked_for) {
            let why = new.why_offline.as_deref().unwrap_or_default();
            tracing::warn!(printer = key, why, "a printer is offline");
        }
        self.printer = Some(new.clone());
        self.shared.spool.run(move |tx| rows::note_printer(tx, &key, &new)).await?;
        if is_news {
            self.shared.printers.notify_one();
        }
        Ok(())
    }

    async fn file(&mut self, job: &QueueJob) -> Result<Option<QueueFile>, SpoolError> {
        let id = job.id;
        self.shared.spool.run(move |tx| rows::find_file(tx, id)).await
    }

    async fn record(
        &mut self,
        job: &QueueJob,
        observation: Observation,
    ) -> Result<Option<QueueJob>, SpoolError> {
        let step = self.step(job);
        let written =
            self.shared.spool.run(move |tx| rows::record(tx, &step, &observation)).await?;
        failpoint::hit("agent-recorded");
        Ok(self.told(job, written))
    }

    async fn begin(&mut self, job: &QueueJob) -> Result<Option<QueueJob>, SpoolError> {
        if self.shared.is_stopping() {
            return Ok(None);
        }
        let (step, intake) = (self.step(job), self.printer.clone());
        let begun = self.shared.spool.run(move |tx| rows::begin(tx, &step, intake.as_ref()));
        Ok(self.told(job, begun.await?))
    }

    async fn created(
        &mut self,
        job: &QueueJob,
        printer_job: Option<i32>,
    ) -> Result<Option<QueueJob>, SpoolError> {
        let step = self.step(job);
        let created = self.shared.spool.run(move |tx| rows::created(tx, &step, printer_job));
        Ok(self.told(job, created.await?))
    }

    async fn left_behind(&mut self, found: Vec<FoundJob>) -> Result<Vec<FoundJob>, SpoolError> {
        let key = self.key.clone();
        let left = self.shared.spool.run(move |tx| {
            let mut left = Vec::new();
            for job in found {
                if rows::is_left_behind(tx, &key, &job.name, job.is_empty)? {
                    left.push(job);
                }
            }
            Ok(left)
        });
        left.await
    }
}
