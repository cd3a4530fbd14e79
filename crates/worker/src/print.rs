//! Prints. Each printer has a queue of its own, which is its job: one submission at a time, in the
//! order of creation, and what the printer has is looked at between them. A printer that does not
//! answer holds up its own queue and nobody else's.
//!
//! The order around a printer is: ask whether it takes jobs, commit the submission, create an empty
//! job, commit its number, send the file once. `domain::printing` says why that prints nothing
//! twice.

mod look;
mod state;
mod submit;

use std::time::Duration;

use tokio::time::Instant;
use waybill_domain::ids::{PrinterId, TeamId};
use waybill_domain::printing::{Next, PrintProblem, Seen, decide};
use waybill_domain::time::Time;
use waybill_engine::app::App;
use waybill_engine::{lease, printing};
use waybill_printing::{Link, LinkError};
use waybill_store::print_jobs::{self, PrintJob};
use waybill_store::printers::{self, Printer};
use waybill_store::{Error, Tx, jobs};

use super::job_outcome::JobOutcome;
use super::state::Worker;
use super::to_db_time;

/// Printers that are spoken to at once.
pub const QUEUES_MAX: usize = 128;
/// Printers of one team that are spoken to at once: those of other teams find slots too.
const TEAM_QUEUES_MAX: i64 = 32;
/// One that is too many waits so long.
const TEAM_PAUSE: Duration = Duration::from_secs(2);
/// How long a queue goes on while others may wait for a slot.
const SLICE_MAX: Duration = Duration::from_secs(20);
/// An idle queue waits so long for the next job before it gives its connection back.
const LINGER: Duration = Duration::from_millis(200);

/// A printer's queue, while it runs.
struct PrinterQueue {
    app: App,
    claimed: jobs::Claimed,
    team: TeamId,
    printer: Printer,
    is_removed: bool,
    link: Option<Link>,
}

/// Prints until nothing is due.
pub async fn run(worker: &Worker, claimed: &jobs::Claimed) -> Result<JobOutcome, Error> {
    let app = worker.app.clone();
    let (Some(team), id) = (claimed.team, PrinterId(claimed.subject)) else {
        return Ok(JobOutcome::Done);
    };
    // A team takes no more slots than it leaves to others, so that there is one for whoever comes.
    let free = i64::try_from(QUEUES_MAX).unwrap_or(i64::MAX) - worker.printers.total();
    let Some(_slot) = worker.printers.take(team, free.clamp(1, TEAM_QUEUES_MAX)) else {
        return Ok(JobOutcome::In(TEAM_PAUSE));
    };
    let found = app.read(move |tx| {
        let printer = printers::find_with_removed(tx, team, id)?;
        Ok::<_, Error>((printer, printers::find(tx, team, id)?.is_none()))
    });
    let (Some(printer), is_removed) = found.await? else { return Ok(JobOutcome::Done) };
    let queue = PrinterQueue {
        app: app.clone(),
        claimed: claimed.clone(),
        team,
        printer,
        is_removed,
        link: None,
    };
    // When another worker has the queue by then, it goes on with what the rows say.
    let ended = lease::keep(&app, claimed, queue.drive()).await;
    ended.unwrap_or(Ok(JobOutcome::AlreadyEnded))
}

impl PrinterQueue {
    async fn drive(mut self) -> Result<JobOutcome, Error> {
        let (started, id) = (Instant::now(), self.printer.id);
        let mut signal = self.app.listen(id.into());
        let mut last: Option<PrintJob> = None;
        loop {
            let due = self.load().await?;
            let now = self.app.now();
            // What a turn did not change is not tried again at once: another may have the queue.
            let due = due.filter(|job| last.as_ref() != Some(job));
            let may_go_on = started.elapsed() < SLICE_MAX;
            let has_look_due = state::next_look(&self.printer) <= now && !self.is_removed;
            match due {
                Some(job) if may_go_on => {
                    last = Some(job.clone());
                    self.turn(job).await?;
                }
                None if may_go_on && has_look_due => self.look_at_printer().await?,
                None if may_go_on && self.link.is_some() => {
                    last = None;
                    if tokio::time::timeout(LINGER, signal.wait()).await.is_err() {
                        return self.end().await;
                    }
                }
                _ => return self.end().await,
            }
        }
    }

    /// Reads the printer again, and the job whose turn it is.
    async fn load(&mut self) -> Result<Option<PrintJob>, Error> {
        let (team, id, now) = (self.team, self.printer.id, self.app.now());
        let found = self.app.read(move |tx| {
            let printer = printers::find(tx, team, id)?;
            Ok::<_, Error>((printer, print_jobs::find_due(tx, team, id, now)?))
        });
        let (printer, due) = found.await?;
        self.is_removed = printer.is_none();
        if let Some(printer) = printer {
            if printer.uri != self.printer.uri {
                self.link = None;
            }
            self.printer = printer;
        }
        Ok(due)
    }

    /// Does what is to be done with a job, and writes what was seen.
    async fn turn(&mut self, job: PrintJob) -> Result<(), Error> {
        let now = self.app.now();
        match decide(&job.printing(), now) {
            Next::Rest | Next::Wait(_) => Ok(()),
            Next::Expire => {
                self.record(&job, Seen::Unwanted(PrintProblem::Expired), None).await.map(drop)
            }
            Next::Submit if self.is_removed => {
                let seen = Seen::Unwanted(PrintProblem::PrinterRemoved);
                self.record(&job, seen, None).await.map(drop)
            }
            Next::Submit => self.submit(job).await,
            Next::CleanUp => self.clean_up(job).await,
            Next::Resolve => self.resolve(job).await,
            Next::Look => self.look(job).await,
        }
    }

    /// Writes what was seen of a job, if the queue is still ours and the job as it was read. The
    /// job from here on; nothing when another has it.
    async fn record(
        &self,
        job: &PrintJob,
        seen: Seen,
        said: Option<String>,
    ) -> Result<Option<PrintJob>, Error> {
        let (app, old) = (self.app.clone(), job.clone());
        let written = self.write(move |tx, team, now| {
            let Some(current) = print_jobs::lock(tx, team, old.id)? else { return Ok(None) };
            if current.step != old.step || current.submission != old.submission {
                return Ok(None);
            }
            printing::record(tx, &app, team, &current, (seen, said.as_deref()), now).map(Some)
        });
        let written = written.await?;
        if let Some(new) = written.as_ref().filter(|new| new.state != job.state) {
            let state = new.state.name();
            metrics::counter!("waybill_print_jobs_total", "state" => state).increment(1);
        }
        Ok(written)
    }

    /// Writes under the fence of the queue. Nothing is written when another worker has it.
    async fn write<T, F>(&self, mut work: F) -> Result<Option<T>, Error>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>, TeamId, Time) -> Result<Option<T>, Error> + Send + 'static,
    {
        let (team, claimed, now) = (self.team, self.claimed.clone(), self.app.now());
        let written = self
            .app
            .write(move |tx| match lease::renew(tx, &claimed, now)? {
                true => work(tx, team, now),
                false => Ok(None),
            })
            .await?;
        // Deliveries of what changed.
        self.app.wake_runner();
        Ok(written)
    }

    /// A connection to the printer: the one that is open, or a new one.
    async fn link(&mut self) -> Result<&mut Link, LinkError> {
        if self.link.is_none() {
            let kept = self.printer.uri.as_deref().ok_or(LinkError::NotAllowed)?;
            let uri = self.app.printers().locate(kept)?;
            self.link = Some(self.app.printers().connect(&uri).await?);
        }
        self.link.as_mut().ok_or(LinkError::NotAllowed)
    }

    /// Ends the lease until something is due, or the printer is looked at again.
    async fn end(self) -> Result<JobOutcome, Error> {
        let (team, id, claimed) = (self.team, self.printer.id, self.claimed.clone());
        let (now, is_removed) = (self.app.now(), self.is_removed);
        let look = state::next_look(&self.printer);
        let end = move |tx: &mut Tx<'_>| {
            let next = print_jobs::next_look(tx, team, id)?;
            let next = match (next, is_removed) {
                (next, false) => Some(next.map_or(look, |next| next.min(look))),
                (next, true) => next,
            };
            match next {
                None => jobs::finish(tx, &claimed),
                Some(at) => {
                    let alarm = to_db_time(tx, at, now)?;
                    jobs::wait_until(tx, &claimed, alarm)
                }
            }
        };
        self.app.write(end).await?;
        self.app.wake_runner();
        Ok(JobOutcome::AlreadyEnded)
    }
}
