//! The bounded queue between callers and database threads. What was accepted is handed to exactly
//! one thread, also after the queue was closed; what does not fit is given back at once.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use metrics::gauge;

use crate::task::Task;

/// Enough for a burst, and few enough that nobody waits in vain for long.
const CAPACITY: usize = 4096;

/// A queue of closures with many senders and many takers.
pub(crate) struct Queue {
    state: Mutex<State>,
    filled: Condvar,
    is_measured: bool,
}

struct State {
    waiting: VecDeque<Box<dyn Task>>,
    closed: bool,
}

/// A task that was not accepted, and why.
pub(crate) struct Refused(pub(crate) Box<dyn Task>, pub(crate) &'static str);

impl Queue {
    /// An empty queue. The one that takes writes is measured.
    pub(crate) fn new(is_measured: bool) -> Queue {
        let state = State { waiting: VecDeque::new(), closed: false };
        Queue { state: Mutex::new(state), filled: Condvar::new(), is_measured }
    }

    /// Accepts the task, or gives it back when the queue is full or closed.
    pub(crate) fn push(&self, task: Box<dyn Task>) -> Result<(), Refused> {
        let mut state = self.lock();
        if state.closed {
            return Err(Refused(task, "the store is closed"));
        }
        if state.waiting.len() >= CAPACITY {
            return Err(Refused(task, "too much work is waiting"));
        }
        state.waiting.push_back(task);
        self.measure(&state);
        drop(state);
        self.filled.notify_one();
        Ok(())
    }

    /// Waits for work and takes what is there, at most `limit`. Empty when closed and drained.
    pub(crate) fn take(&self, limit: usize) -> Vec<Box<dyn Task>> {
        let mut state = self.lock();
        while state.waiting.is_empty() && !state.closed {
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let count = state.waiting.len().min(limit.max(1));
        let taken = state.waiting.drain(..count).collect();
        self.measure(&state);
        taken
    }

    /// Waits for work and takes the oldest, and others that may share its transaction: at most
    /// `limit`, and no more than each of so many takers would get.
    pub(crate) fn take_group(&self, takers: usize, limit: usize) -> Vec<Box<dyn Task>> {
        let mut state = self.lock();
        while state.waiting.is_empty() && !state.closed {
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let count = state.waiting.len().div_ceil(takers.max(1)).min(limit);
        let mut taken: Vec<_> = state.waiting.pop_front().into_iter().collect();
        let mut at = 0;
        while taken.len() < count && at < state.waiting.len() {
            if fits(taken[0].as_ref(), state.waiting[at].as_ref()) {
                taken.extend(state.waiting.remove(at));
            } else {
                at += 1;
            }
        }
        self.measure(&state);
        taken
    }

    /// Accepts nothing more. What was accepted is still handed out.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
    }

    fn measure(&self, state: &State) {
        if self.is_measured {
            gauge!("waybill_store_writer_queue").set(state.waiting.len() as f64);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code of ours panics while it holds the lock, and a queue has no half-done state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn fits(one: &dyn Task, other: &dyn Task) -> bool {
    one.is_groupable() && other.is_groupable() && one.mode() == other.mode()
}
