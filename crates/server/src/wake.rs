//! "Something about this changed": a signal inside the process, for those who wait for a booking.
//! It may be missed across processes: who waits reads the store again anyway. All that it carries
//! is how long carriers were waited for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use uuid::Uuid;

/// Who waits for what.
#[derive(Clone, Default)]
pub struct Wake(Arc<Mutex<HashMap<Uuid, watch::Sender<Duration>>>>);

/// Somebody who waits for one subject.
pub struct Waiter {
    wake: Wake,
    subject: Uuid,
    signal: watch::Receiver<Duration>,
}

impl Wake {
    /// Starts to listen. What is told from now on is heard, however late it is waited for.
    pub fn listen(&self, subject: Uuid) -> Waiter {
        let mut waiting = self.waiting();
        let sender = waiting.entry(subject).or_insert_with(|| watch::channel(Duration::ZERO).0);
        Waiter { wake: self.clone(), subject, signal: sender.subscribe() }
    }

    /// Tells everyone who listens.
    pub fn tell(&self, subject: Uuid) {
        if let Some(sender) = self.waiting().get(&subject) {
            sender.send_modify(|_| {});
        }
    }

    /// Tells everyone who listens, and how long the carrier has taken so far.
    pub fn tell_after(&self, subject: Uuid, carrier: Duration) {
        if let Some(sender) = self.waiting().get(&subject) {
            sender.send_replace(carrier);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Uuid, watch::Sender<Duration>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    /// Until the next signal.
    pub async fn wait(&mut self) {
        // The sender lives as long as we do.
        let _closed = self.signal.changed().await;
    }

    /// How long the carrier has taken, as far as was told.
    pub fn carrier(&self) -> Duration {
        *self.signal.borrow()
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
    use super::*;

    #[tokio::test]
    async fn a_signal_before_the_wait_is_heard_and_nothing_is_left_behind() {
        let wake = Wake::default();
        let mut waiter = wake.listen(Uuid::nil());
        wake.tell_after(Uuid::nil(), Duration::from_millis(3));
        wake.tell(Uuid::nil());
        tokio::time::timeout(Duration::from_secs(1), waiter.wait()).await.unwrap();
        assert_eq!(waiter.carrier(), Duration::from_millis(3));
        drop(waiter);
        assert!(wake.waiting().is_empty());
    }
}
