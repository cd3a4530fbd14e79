//! A queue: how one printer gets its jobs, whoever remembers them. One submission at a time, in the
//! order of creation, and what the printer has is looked at between them.
//!
//! The order around a printer is: ask whether it takes jobs, commit the submission, create an empty
//! job, commit its number, send the file once. `domain::printing` says why that prints nothing
//! twice. A printer that knows only jobs with their file gets both at once, after the same commits;
//! what became of that is looked up by name. What is committed where is the [`Ledger`]'s.

mod ledger;
mod look;
mod submit;
mod watch;

pub use ledger::{FoundJob, Ledger, Loaded, Observation, QueueFile, QueueJob, QueuePrinter};

use std::time::Duration;

use tokio::time::Instant;
use waybill_domain::printing::{Next, PrintProblem, Seen, decide};
use waybill_domain::time::Time;
use waybill_outbound::Trust;

use crate::error::LinkError;
use crate::link::Link;
use crate::printer::Printers;

/// How long a queue goes on while others may wait for a place.
const SLICE_MAX: Duration = Duration::from_secs(20);
/// An idle queue waits so long for the next job before it gives its connection back.
const LINGER: Duration = Duration::from_millis(200);

/// The queue of a printer, while it runs.
pub struct PrinterQueue<L> {
    ledger: L,
    printers: Printers,
    printer: QueuePrinter,
    is_removed: bool,
    link: Option<Link>,
}

impl<L: Ledger> PrinterQueue<L> {
    /// The queue of a printer that is kept like this.
    pub fn new(ledger: L, printers: Printers, printer: QueuePrinter) -> PrinterQueue<L> {
        PrinterQueue { ledger, printers, printer, is_removed: false, link: None }
    }

    /// Prints until nothing is due, or others may want the place. The connection is closed then.
    pub async fn drive(&mut self) -> Result<(), L::Error> {
        let done = self.drive_connected().await;
        self.link = None;
        done
    }

    /// When the printer itself is looked at again; never when it was removed.
    pub fn next_look(&self) -> Option<Time> {
        (!self.is_removed).then(|| watch::next_look(&self.printer))
    }

    /// What remembers the jobs.
    pub fn into_ledger(self) -> L {
        self.ledger
    }

    async fn drive_connected(&mut self) -> Result<(), L::Error> {
        let started = Instant::now();
        let mut last: Option<QueueJob> = None;
        loop {
            let due = self.load().await?;
            let now = self.ledger.now();
            // What a turn did not change is not tried again at once: another may have the printer.
            let due = due.filter(|job| last.as_ref() != Some(job));
            let may_go_on = started.elapsed() < SLICE_MAX;
            let has_look_due = self.next_look().is_some_and(|at| at <= now);
            match due {
                Some(job) if may_go_on => {
                    last = Some(job.clone());
                    self.turn(job).await?;
                }
                None if may_go_on && has_look_due => self.look_at_printer().await?,
                None if may_go_on && self.link.is_some() => {
                    last = None;
                    if !self.ledger.wait(LINGER).await {
                        return Ok(());
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Reads the printer again, and the job whose turn it is.
    async fn load(&mut self) -> Result<Option<QueueJob>, L::Error> {
        let Loaded { printer, due } = self.ledger.load().await?;
        self.is_removed = printer.is_none();
        if let Some(printer) = printer {
            if printer.uri != self.printer.uri || printer.key != self.printer.key {
                self.link = None;
            }
            self.printer = printer;
        }
        Ok(due)
    }

    /// Does what is to be done with a job, and writes what was seen.
    async fn turn(&mut self, job: QueueJob) -> Result<(), L::Error> {
        match decide(&job.printing, self.ledger.now()) {
            Next::Rest | Next::Wait(_) => Ok(()),
            Next::Expire => self.record(&job, Seen::Unwanted(PrintProblem::Expired), None).await,
            Next::Submit if self.is_removed => {
                self.record(&job, Seen::Unwanted(PrintProblem::PrinterRemoved), None).await
            }
            Next::Submit => self.submit(job).await,
            Next::CleanUp => self.clean_up(job).await,
            Next::Resolve => self.resolve(job).await,
            Next::Look => self.look(job).await,
        }
    }

    async fn record(
        &mut self,
        job: &QueueJob,
        seen: Seen,
        said: Option<String>,
    ) -> Result<(), L::Error> {
        let observation = Observation { seen, said, printer_job: job.printer_job };
        self.ledger.record(job, observation).await.map(drop)
    }

    /// A connection to the printer: the one that is open, or a new one.
    async fn link(&mut self) -> Result<&mut Link, LinkError> {
        if self.link.is_none() {
            let uri = self.printers.locate(&self.printer.uri)?;
            let trust = self.printer.key.clone().map_or(Trust::Authorities, Trust::Key);
            self.link = Some(self.printers.connect_trusting(&uri, trust).await?);
        }
        self.link.as_mut().ok_or(LinkError::NotAllowed)
    }
}
