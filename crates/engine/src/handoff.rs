//! From an accepted request straight to the runner of the same process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::mpsc;
use waybill_store::jobs::Claimed;
use waybill_store::shipments::Shipment;

use crate::timings::Waiting;

/// The way from an accepted request to the runner beside it, without a claim in between. A job that
/// nobody takes here is claimed by whoever looks after its lease has ended.
pub struct JobHandoff {
    sender: mpsc::UnboundedSender<HandedJob>,
    receiver: Mutex<Option<mpsc::UnboundedReceiver<HandedJob>>>,
    is_open: AtomicBool,
}

/// A leased job with what is at hand about it.
pub struct HandedJob {
    /// The job.
    pub job: Claimed,
    /// The shipment as it was just written.
    pub shipment: Option<Box<Shipment>>,
    /// Who waits for it.
    pub waiting: Option<Waiting>,
}

impl HandedJob {
    /// A job that was due, of which nothing else is known.
    pub fn claimed(job: Claimed) -> HandedJob {
        HandedJob { job, shipment: None, waiting: None }
    }
}

impl Default for JobHandoff {
    fn default() -> JobHandoff {
        let (sender, receiver) = mpsc::unbounded_channel();
        let (receiver, is_open) = (Mutex::new(Some(receiver)), AtomicBool::new(false));
        JobHandoff { sender, receiver, is_open }
    }
}

impl JobHandoff {
    /// Opens it, once, for the runner of this process.
    pub fn open(&self) -> Option<mpsc::UnboundedReceiver<HandedJob>> {
        let mut receiver = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = receiver.take();
        self.is_open.store(taken.is_some(), Ordering::SeqCst);
        taken
    }

    /// Closes it: the runner stops.
    pub fn close(&self) {
        self.is_open.store(false, Ordering::SeqCst);
    }

    /// Whether a runner takes jobs here.
    pub fn is_open(&self) -> bool {
        self.is_open.load(Ordering::SeqCst)
    }

    /// Hands a leased job over.
    pub fn hand_over(&self, handed: HandedJob) {
        // When the runner is gone the lease ends by itself.
        let _closed = self.sender.send(handed);
    }
}
