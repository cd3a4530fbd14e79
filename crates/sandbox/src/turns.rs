//! One at a time for each reference.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::Mutex as AsyncMutex;

/// Forgotten references are cleared away when there are so many.
const REFERENCES_MAX: usize = 1024;

/// Whose turn it is.
#[derive(Default)]
pub struct Turns(Mutex<HashMap<String, Weak<AsyncMutex<()>>>>);

impl Turns {
    /// The lock of a reference. It is gone when nobody holds it or waits for it.
    pub fn of(&self, reference: &str) -> Arc<AsyncMutex<()>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = all.get(reference).and_then(Weak::upgrade) {
            return turn;
        }
        if all.len() >= REFERENCES_MAX {
            all.retain(|_, turn| turn.strong_count() > 0);
        }
        let turn = Arc::default();
        all.insert(reference.to_owned(), Arc::downgrade(&turn));
        turn
    }
}
