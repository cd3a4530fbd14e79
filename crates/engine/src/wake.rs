//! "Something about this changed": a signal inside the process, for those who wait for a booking.
//! Between servers it is a hint that may be lost (`hints.rs`): who waits reads the store again
//! anyway.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use uuid::Uuid;
use waybill_store::documents::Document;
use waybill_store::shipments::Shipment;

/// A shipment and its files as they were just committed: who waits need not read them.
#[derive(Debug)]
pub struct CommittedShipment {
    /// The shipment.
    pub shipment: Shipment,
    /// Its files, in their order.
    pub files: Vec<Document>,
}

/// What is told with a signal, when it is known.
type News = Option<Arc<CommittedShipment>>;

/// Who waits for what.
#[derive(Clone, Default)]
pub struct Wake(Arc<Mutex<HashMap<Uuid, watch::Sender<News>>>>);

/// Somebody who waits for one subject.
pub struct Waiter {
    wake: Wake,
    subject: Uuid,
    signal: watch::Receiver<News>,
}

impl Wake {
    /// Starts to listen. What is told from now on is heard, however late it is waited for.
    pub fn listen(&self, subject: Uuid) -> Waiter {
        let mut waiting = self.waiting();
        let sender = waiting.entry(subject).or_insert_with(|| watch::channel(None).0);
        Waiter { wake: self.clone(), subject, signal: sender.subscribe() }
    }

    /// Tells everyone who listens. False when nobody does.
    pub fn tell(&self, subject: Uuid) -> bool {
        self.tell_news(subject, None)
    }

    /// The same with what was committed.
    pub fn tell_news(&self, subject: Uuid, news: News) -> bool {
        let waiting = self.waiting();
        let sender = waiting.get(&subject);
        if let Some(sender) = sender {
            sender.send_replace(news);
        }
        sender.is_some()
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Uuid, watch::Sender<News>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    /// Until the next signal.
    pub async fn wait(&mut self) {
        // The sender lives as long as we do.
        let _closed = self.signal.changed().await;
    }

    /// What the last signal told of the subject.
    pub fn news(&self) -> Option<Arc<CommittedShipment>> {
        self.signal.borrow().clone()
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut waiting = self.wake.waiting();
        let is_last = waiting.get(&self.subject).is_some_and(|s| s.receiver_count() <= 1);
        if is_last {
            waiting.remove(&self.subject);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_signal_before_the_wait_is_heard_and_nothing_is_left_behind() {
        let wake = Wake::default();
        let mut waiter = wake.listen(Uuid::nil());
        wake.tell(Uuid::nil());
        tokio::time::timeout(Duration::from_secs(1), waiter.wait()).await.unwrap();
        drop(waiter);
        assert!(wake.waiting().is_empty());
    }
}
