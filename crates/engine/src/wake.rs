//! "Something about this changed": a signal inside the process, for those who wait for a booking.
//! Between servers it is a hint that may be lost (`hints.rs`): who waits reads the store again
//! anyway.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use uuid::Uuid;

/// Who waits for what.
#[derive(Clone, Default)]
pub struct Wake(Arc<Mutex<HashMap<Uuid, watch::Sender<()>>>>);

/// Somebody who waits for one subject.
pub struct Waiter {
    wake: Wake,
    subject: Uuid,
    signal: watch::Receiver<()>,
}

impl Wake {
    /// Starts to listen. What is told from now on is heard, however late it is waited for.
    pub fn listen(&self, subject: Uuid) -> Waiter {
        let mut waiting = self.waiting();
        let sender = waiting.entry(subject).or_insert_with(|| watch::channel(()).0);
        Waiter { wake: self.clone(), subject, signal: sender.subscribe() }
    }

    /// Tells everyone who listens. False when nobody does.
    pub fn tell(&self, subject: Uuid) -> bool {
        let waiting = self.waiting();
        let sender = waiting.get(&subject);
        if let Some(sender) = sender {
            sender.send_modify(|_| {});
        }
        sender.is_some()
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Uuid, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    /// Until the next signal.
    pub async fn wait(&mut self) {
        // The sender lives as long as we do.
        let _closed = self.signal.changed().await;
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
