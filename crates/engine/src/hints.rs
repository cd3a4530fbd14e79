//! Tells other servers on the same database what changed, many things at a time.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use uuid::Uuid;
use waybill_store::{Store, hints};

/// Hints are gathered for so long: they cost a transaction together.
const GATHER: Duration = Duration::from_millis(10);
/// More are not kept: whoever waits looks for itself.
const HINTS_MAX: usize = 10_000;

/// The hint that work was scheduled for whoever runs it.
pub const WORK: Uuid = Uuid::nil();

/// Hints on their way.
#[derive(Clone, Default)]
pub struct Hints(Arc<Mutex<BTreeSet<Uuid>>>);

impl Hints {
    /// Sends a hint soon. It never waits and never fails.
    pub fn push(&self, store: &Store, subject: Uuid) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let mut gathered = self.gathered();
        let is_first = gathered.is_empty();
        if gathered.len() < HINTS_MAX {
            gathered.insert(subject);
        }
        drop(gathered);
        if is_first {
            runtime.spawn(self.clone().send(store.clone()));
        }
    }

    async fn send(self, store: Store) {
        tokio::time::sleep(GATHER).await;
        let subjects: Vec<Uuid> = std::mem::take(&mut *self.gathered()).into_iter().collect();
        if let Err(error) = store.write(move |tx| hints::send(tx, &subjects)).await {
            tracing::debug!(%error, "a hint to other servers was not sent");
        }
    }

    fn gathered(&self) -> MutexGuard<'_, BTreeSet<Uuid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
