//! The queues of an agent: one for each printer, which gets its jobs one after the other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use waybill_printing::Printers;

use crate::ledger::SpoolLedger;
use crate::queue;
use crate::shared::Shared;
use crate::target::Target;

/// The queues that run.
pub struct Queues {
    shared: Arc<Shared>,
    printers: Printers,
    running: Mutex<HashMap<String, RunningQueue>>,
}

struct RunningQueue {
    uri: String,
    signal: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Queues {
    /// No queues yet.
    pub fn new(shared: Arc<Shared>, printers: Printers) -> Queues {
        Queues { shared, printers, running: Mutex::default() }
    }

    /// The queue of this printer runs from now on. One that is not wanted any more is only followed
    /// to the end of what it has.
    pub fn ensure(&self, key: &str, uri: &str, is_wanted: bool) {
        let mut running = self.lock();
        if let Some(queue) = running.get(key)
            && queue.uri == uri
            && !queue.task.is_finished()
        {
            return;
        }
        let Ok(target) = Target::parse(uri) else {
            tracing::error!(printer = key, uri, "a printer's address cannot be read");
            return;
        };
        let signal = Arc::new(Notify::new());
        let known = (key.to_owned(), is_wanted);
        let ledger = SpoolLedger::new(Arc::clone(&self.shared), known, Arc::clone(&signal));
        let (shared, printers) = (Arc::clone(&self.shared), self.printers.clone());
        let woken = Arc::clone(&signal);
        let before = running.remove(key).map(|queue| queue.task);
        let task = tokio::spawn(async move {
            // A printer that moved: what is under way at its old address ends first.
            if let Some(before) = before {
                before.abort();
                let _ended = before.await;
            }
            queue::run(&shared, &printers, (target, is_wanted), (ledger, woken)).await;
        });
        running.insert(key.to_owned(), RunningQueue { uri: uri.to_owned(), signal, task });
    }

    /// There may be something to print.
    pub fn wake_all(&self) {
        self.lock().values().for_each(|queue| queue.signal.notify_one());
    }

    /// Waits until every queue has ended what it has in hand, so long at most. What has not ended
    /// by then is looked for by the next start.
    pub async fn end(&self, time: Duration) {
        let until = Instant::now() + time;
        let all: Vec<(String, RunningQueue)> = self.lock().drain().collect();
        all.iter().for_each(|(_, queue)| queue.signal.notify_one());
        for (printer, mut queue) in all {
            if timeout_at(until, &mut queue.task).await.is_err() {
                tracing::warn!(printer, "a printer did not take its job in time");
                queue.task.abort();
                let _ended = queue.task.await;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, RunningQueue>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
