//! What all parts of a running agent share.

use std::sync::Arc;

use tokio::sync::{Notify, watch};
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
    /// Whether nothing is begun any more.
    pub stopping: watch::Sender<bool>,
}

impl Shared {
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
