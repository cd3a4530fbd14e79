//! One printer: its jobs, and the one slot where papers come out, one job after the other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use waybill_domain::time::Clock;

use crate::output::{Output, Slip};
use crate::scenario::PrinterPath;
use crate::table::Table;

/// A printer of the sandbox.
pub struct Queue {
    /// Where it is, and how it behaves.
    pub path: PrinterPath,
    table: Mutex<Table>,
    /// Whose turn it is to print.
    turn: tokio::sync::Mutex<()>,
    /// Tells those who wait that something happened to a job.
    changes: watch::Sender<()>,
}

/// What all printers of the sandbox share.
pub struct Shared {
    /// Where papers come out.
    pub output: Output,
    /// Where moments come from.
    pub clock: Arc<dyn Clock>,
    /// When the service began.
    pub start: Duration,
}

impl Shared {
    /// The time since the service began.
    pub fn now(&self) -> Duration {
        self.clock.monotonic().saturating_sub(self.start)
    }
}

impl Queue {
    /// A printer without jobs.
    pub fn new(path: PrinterPath) -> Queue {
        let table = Mutex::new(Table::new(path.scenario.clone()));
        Queue { path, table, turn: tokio::sync::Mutex::default(), changes: watch::Sender::new(()) }
    }

    /// Its jobs, to look at.
    pub fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes its jobs, and tells whoever waits.
    pub fn change<T>(&self, change: impl FnOnce(&mut Table) -> T) -> T {
        let changed = change(&mut self.table());
        self.changes.send_replace(());
        changed
    }

    /// Prints a job that has its document.
    pub async fn print(self: Arc<Queue>, shared: Arc<Shared>, id: i32) {
        let scenario = &self.path.scenario;
        if scenario.is_stopped {
            return;
        }
        let _turn = self.turn.lock().await;
        self.change(|table| table.start(id, shared.now()));
        if let Some(time) = scenario.paper_out {
            self.change(|table| table.set_paper(id, false));
            self.wait(id, time).await;
            self.change(|table| table.set_paper(id, true));
        }
        if let Some(time) = scenario.slow {
            self.wait(id, time).await;
        }
        if scenario.aborts {
            self.change(|table| table.abort(id, shared.now()));
        }
        while let Some((mut ticket, document)) =
            self.change(|table| table.next_paper(id, shared.now()))
        {
            if scenario.single == Some(document.format) {
                ticket.copies = 1;
            }
            let (shared_there, printer) = (Arc::clone(&shared), self.path.to_string());
            let put_out = move || {
                let at = shared_there.clock.now();
                let slip = Slip { printer: &printer, job_id: id, ticket: &ticket, at };
                shared_there.output.put_out(&slip, &document)
            };
            let written = tokio::task::spawn_blocking(put_out).await;
            if let Err(error) = written.unwrap_or_else(|error| Err(std::io::Error::other(error))) {
                tracing::error!(%error, job = id, "a paper could not be put out");
                self.change(|table| table.abort(id, shared.now()));
            }
        }
    }

    /// Waits for so long, or until the job is over.
    async fn wait(&self, id: i32, time: Duration) {
        let mut changes = self.changes.subscribe();
        let over = async { while !self.table().is_over(id) && changes.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(time, over).await;
    }
}
