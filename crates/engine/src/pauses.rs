//! Receivers of webhooks that fail, and how long each is left alone. What waits for one is tried
//! a few at a time: without a pause, a receiver that refuses at once would be asked as fast as we
//! can write down that it refused, and everybody else would wait for the disk.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use waybill_domain::ids::WebhookId;

const PAUSE_MIN: Duration = Duration::from_secs(2);
const PAUSE_MAX: Duration = Duration::from_mins(1);

/// When each pause is over, by the clock that never jumps.
#[derive(Default)]
pub struct WebhookPauses(Mutex<HashMap<WebhookId, Duration>>);

/// How long a receiver is left alone that has failed for this long.
pub fn pause_after(failing: Duration) -> Duration {
    (failing / 4).clamp(PAUSE_MIN, PAUSE_MAX)
}

impl WebhookPauses {
    /// Leaves a receiver alone until then.
    pub fn begin(&self, webhook: WebhookId, until: Duration) {
        self.all().insert(webhook, until);
    }

    /// Ends the pause: somebody wants it to be tried at once.
    pub fn end(&self, webhook: WebhookId) {
        self.all().remove(&webhook);
    }

    /// How long it is left alone from now on.
    pub fn left(&self, webhook: WebhookId, now: Duration) -> Duration {
        let mut all = self.all();
        let left = all.get(&webhook).map_or(Duration::ZERO, |until| until.saturating_sub(now));
        if left.is_zero() {
            all.remove(&webhook);
        }
        left
    }

    fn all(&self) -> MutexGuard<'_, HashMap<WebhookId, Duration>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
