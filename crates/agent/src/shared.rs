//! What all parts of a running agent share.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::timeout;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;

use crate::spool::{Limits, Spool};

/// What all parts of a running agent share.
pub struct Shared {
    /// What it remembers.
    pub spool: Spool,
    /// Where moments come from.
    pub clock: Arc<dyn Clock>,
    /// Where ids and randomness come from.
    pub ids: Arc<dyn IdSource>,
    /// How much the spool holds.
    pub limits: Limits,
    /// There are reports to send.
    pub reports: Notify,
    /// Reports were answered.
    pub answered: Notify,
    /// There is news of printers.
    pub printers: Notify,
    /// Whether the server has said what is not ours.
    pub began: watch::Sender<bool>,
    /// Whether nothing is begun any more.
    pub stopping: watch::Sender<bool>,
}

/// An agent that starts waits so long for its server, and prints what it has then.
const FIRST_WORD: Duration = Duration::from_secs(5);

impl Shared {
    /// Waits for a moment until the server has said what is not ours: a spool that was set back
    /// holds what was printed.
    pub async fn first_word(&self) {
        let mut began = self.began.subscribe();
        tokio::select! {
            _late = timeout(FIRST_WORD, began.wait_for(|began| *began)) => {}
            () = self.stopped() => {}
        }
    }

    /// Whether nothing is begun any more.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Done when nothing is begun any more.
    pub async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // The sender lives as long as this does.
        let _ended = stopping.wait_for(|is_stopping| *is_stopping).await;
    }
}
