//! What the queue of a printer reads and writes: the store, under the fence of its job.

use std::time::Duration;

use waybill_domain::ids::{DocumentId, PrintJobId, TeamId};
use waybill_domain::printing::PrintStep;
use waybill_domain::time::Time;
use waybill_engine::app::App;
use waybill_engine::wake::Waiter;
use waybill_engine::{lease, planted, printing};
use waybill_printing::queue::{
    FoundJob, Ledger, Loaded, Observation, QueueFile, QueueJob, QueuePrinter,
};
use waybill_store::print_jobs::{self, PrintJob};
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx, documents, jobs};

/// The store, as the queue of one printer sees it.
pub(super) struct StoreLedger {
    pub app: App,
    pub claimed: jobs::Claimed,
    pub team: TeamId,
    /// The printer as it was last read.
    pub printer: Printer,
    /// Whoever wants something printed says so.
    pub signal: Waiter,
}

impl StoreLedger {
    /// Writes a job as it is by then, under the fence of the queue. Nothing is written when another
    /// worker has it, or the job is gone.
    async fn change<F>(&self, id: PrintJobId, mut work: F) -> Result<Option<PrintJob>, Error>
    where
        F: FnMut(&mut Tx<'_>, PrintJob, Time) -> Result<Option<PrintJob>, Error> + Send + 'static,
    {
        let (team, claimed, now) = (self.team, self.claimed.clone(), self.app.now());
        let written = self.app.write(move |tx| {
            if !lease::renew(tx, &claimed, now)? {
                return Ok(None);
            }
            match print_jobs::lock(tx, team, id)? {
                Some(current) => work(tx, current, now),
                None => Ok(None),
            }
        });
        let written = written.await?;
        // Deliveries of what changed.
        self.app.wake_runner();
        Ok(written)
    }
}

impl Ledger for StoreLedger {
    type Error = Error;

    fn now(&self) -> Time {
        self.app.now()
    }

    fn monotonic(&self) -> Duration {
        self.app.monotonic()
    }

    async fn load(&mut self) -> Result<Loaded, Error> {
        let (team, id, now) = (self.team, self.printer.id, self.app.now());
        let found = self.app.read(move |tx| {
            let printer = printers::find(tx, team, id)?;
            Ok::<_, Error>((printer, print_jobs::find_due(tx, team, id, now)?))
        });
        let (printer, due) = found.await?;
        let seen = printer.as_ref().map(queue_printer);
        if let Some(printer) = printer {
            self.printer = printer;
        }
        Ok(Loaded { printer: seen, due: due.as_ref().map(queue_job) })
    }

    async fn wait(&mut self, time: Duration) -> bool {
        tokio::time::timeout(time, self.signal.wait()).await.is_ok()
    }

    async fn note(&mut self, seen: &QueuePrinter) -> Result<(), Error> {
        let (team, new) = (self.team, noted(&self.printer, seen));
        if self.printer.is_online && !new.is_online {
            let why = new.why_offline.as_deref().unwrap_or_default();
            tracing::warn!(printer = %new.id, why, "a printer is offline");
        }
        self.printer = new.clone();
        self.app.write(move |tx| printers::set_state(tx, team, &new)).await.map(drop)
    }

    async fn file(&mut self, job: &QueueJob) -> Result<Option<QueueFile>, Error> {
        let (team, id) = (self.team, DocumentId(job.document));
        let found = self.app.read(move |tx| {
            let Some(document) = documents::find(tx, team, id)? else { return Ok(None) };
            let content = documents::any_find_content(tx, &document.hash)?;
            Ok::<_, Error>(content.map(|content| (document, content)))
        });
        let Some((document, content)) = found.await? else { return Ok(None) };
        let bytes = self.app.files().read(&document.hash, content).await;
        let bytes = bytes.map_err(|error| Error::Unavailable(error.to_string()))?;
        let (width_um, height_um) = (document.width_um, document.height_um);
        Ok(Some(QueueFile { bytes: bytes.into(), width_um, height_um }))
    }

    async fn record(
        &mut self,
        job: &QueueJob,
        observation: Observation,
    ) -> Result<Option<QueueJob>, Error> {
        let (app, team, old) = (self.app.clone(), self.team, job.clone());
        let Observation { seen, said, printer_job } = observation;
        let written = self.change(PrintJobId(job.id), move |tx, current, now| {
            if !is_same(&current, &old) {
                return Ok(None);
            }
            let number = printer_job.map(i64::from).or(current.printer_job);
            let current = PrintJob { printer_job: number, ..current };
            printing::record(tx, &app, team, &current, (seen, said.as_deref()), now).map(Some)
        });
        Ok(written.await?.as_ref().map(queue_job))
    }

    async fn begin(&mut self, job: &QueueJob) -> Result<Option<QueueJob>, Error> {
        if planted::is("no-print-intent") {
            let mut begun = QueueJob { submission: job.submission + 1, ..job.clone() };
            begun.printing.step = PrintStep::Creating;
            return Ok(Some(begun));
        }
        let (app, team, fence) = (self.app.clone(), self.team, self.claimed.fence);
        let step = job.printing.step;
        let begun = self.change(PrintJobId(job.id), move |tx, current, now| {
            if current.step != step {
                return Ok(None);
            }
            printing::begin(tx, &app, team, &current, fence, now).map(Some)
        });
        Ok(begun.await?.as_ref().map(queue_job))
    }

    async fn created(
        &mut self,
        job: &QueueJob,
        printer_job: Option<i32>,
    ) -> Result<Option<QueueJob>, Error> {
        let (app, team, fence) = (self.app.clone(), self.team, self.claimed.fence);
        let old = job.clone();
        let created = self.change(PrintJobId(job.id), move |tx, mut current, now| {
            if planted::is("no-print-intent") {
                current = printing::begin(tx, &app, team, &current, fence, now)?;
            }
            // The state too: somebody may have given it up while its empty job was made.
            if !is_same(&current, &old) || current.state != old.printing.state {
                return Ok(None);
            }
            printing::created(tx, &app, team, &current, printer_job.map(i64::from), now).map(Some)
        });
        Ok(created.await?.as_ref().map(queue_job))
    }

    async fn left_behind(&mut self, found: Vec<FoundJob>) -> Result<Vec<FoundJob>, Error> {
        let (team, printer) = (self.team, self.printer.id);
        let left = self.app.read(move |tx| {
            let mut left = Vec::new();
            for job in &found {
                let submission = (PrintJobId(job.name.job()), job.name.submission());
                if print_jobs::is_left_behind(tx, team, printer, (submission, job.is_empty))? {
                    left.push(job.clone());
                }
            }
            Ok::<_, Error>(left)
        });
        left.await
    }
}

/// Whether a job is still where the queue has read it.
fn is_same(current: &PrintJob, old: &QueueJob) -> bool {
    current.step == old.printing.step && current.submission == old.submission
}

/// A printer as its queue needs it.
pub(super) fn queue_printer(printer: &Printer) -> QueuePrinter {
    QueuePrinter {
        uri: printer.uri.clone().unwrap_or_default(),
        key: printer.tls_key.clone(),
        formats: printer.formats.clone(),
        abilities: printer.abilities.clone(),
        is_online: printer.is_online,
        why_offline: printer.why_offline.clone(),
        misses: printer.misses,
        looked_at: printer.looked_at,
        asked_at: printer.asked_at,
    }
}

/// The printer with what its queue saw of it.
fn noted(printer: &Printer, seen: &QueuePrinter) -> Printer {
    let is_news = seen.is_online != printer.is_online || seen.abilities != printer.abilities;
    Printer {
        abilities: seen.abilities.clone(),
        is_online: seen.is_online,
        why_offline: seen.why_offline.clone(),
        misses: seen.misses,
        looked_at: seen.looked_at,
        asked_at: seen.asked_at,
        updated_at: if is_news { seen.looked_at } else { printer.updated_at },
        ..printer.clone()
    }
}

/// A job as the queue needs it.
fn queue_job(job: &PrintJob) -> QueueJob {
    QueueJob {
        id: job.id.into(),
        document: job.document.into(),
        document_name: job.document_name.clone(),
        format: job.document_format.clone(),
        is_label: job.document_types.split(' ').any(|kind| kind == "label"),
        copies: job.copies,
        printing: job.printing(),
        submission: job.submission,
        printer_job: job.printer_job.and_then(|number| i32::try_from(number).ok()),
    }
}
