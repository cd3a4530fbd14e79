//! The bounded queue between callers and database threads. What was accepted is handed to exactly
//! one thread, also after the queue was closed; what does not fit is given back at once.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::gauge;

use crate::task::Task;

/// Enough for a burst, and few enough that nobody waits in vain for long.
const CAPACITY: usize = 4096;

/// While groups are under way for longer than this, as when they wait for a lock, others do not
/// wait for them: they get a worker that has nothing to do.
const PATIENCE: Duration = Duration::from_millis(100);

/// A queue of closures with many senders and many takers.
pub(crate) struct Queue {
    state: Mutex<State>,
    filled: Condvar,
    is_measured: bool,
}

struct State {
    waiting: VecDeque<Box<dyn Task>>,
    /// How many groups are under way.
    groups: usize,
    closed: bool,
}

/// A task that was not accepted, and why.
pub(crate) struct Refused(pub(crate) Box<dyn Task>, pub(crate) &'static str);

/// A group whose transaction is under way until this is dropped.
pub(crate) struct UnderWay<'q>(&'q Queue);

impl Queue {
    /// An empty queue. The one that takes writes is measured.
    pub(crate) fn new(is_measured: bool) -> Queue {
        let state = State { waiting: VecDeque::new(), groups: 0, closed: false };
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

    /// Waits for work and takes the oldest, and up to `limit` that may share its transaction. While
    /// `groups_max` groups are under way, more gather for the next. Empty when closed and drained.
    pub(crate) fn take_group(
        &self,
        groups_max: usize,
        limit: usize,
    ) -> (Vec<Box<dyn Task>>, Option<UnderWay<'_>>) {
        let mut state = self.lock();
        loop {
            let is_free = state.groups < groups_max;
            let goes = |task: &dyn Task| {
                is_free || !task.is_groupable() || task.accepted().elapsed() >= PATIENCE
            };
            let first = state.waiting.iter().position(|task| goes(task.as_ref()));
            if let Some(task) = first.and_then(|at| state.waiting.remove(at)) {
                let taken = self.with_others(&mut state, task, limit);
                self.measure(&state);
                return taken;
            }
            state = match (state.waiting.is_empty(), state.closed) {
                (true, true) => return (Vec::new(), None),
                (true, false) => self.filled.wait(state).unwrap_or_else(PoisonError::into_inner),
                (false, _) => {
                    let waited = self.filled.wait_timeout(state, PATIENCE);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn with_others(
        &self,
        state: &mut State,
        first: Box<dyn Task>,
        limit: usize,
    ) -> (Vec<Box<dyn Task>>, Option<UnderWay<'_>>) {
        if !first.is_groupable() {
            return (vec![first], None);
        }
        let mode = first.mode();
        let mut group = vec![first];
        let mut at = 0;
        while group.len() < limit && at < state.waiting.len() {
            let task = &state.waiting[at];
            if task.is_groupable() && task.mode() == mode {
                group.extend(state.waiting.remove(at));
            } else {
                at += 1;
            }
        }
        state.groups += 1;
        (group, Some(UnderWay(self)))
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

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.groups -= 1;
        match state.closed {
            // Each of those who wait for it may be the last.
            true => self.0.filled.notify_all(),
            // Who ended this one may take something else: the next group is for another.
            false => self.0.filled.notify_one(),
        }
    }
}
