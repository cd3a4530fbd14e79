//! How often each statement runs and how long it takes, for a benchmark that asks for it. Until
//! then a statement costs one look at an empty cell more.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::stopwatch::Stopwatch;

static USAGES: OnceLock<Mutex<HashMap<&'static str, Usage>>> = OnceLock::new();

/// What a statement was used for.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Usage {
    /// How often it ran.
    pub calls: u64,
    /// How long its callers waited for it in all.
    pub took: Duration,
    /// How many steps SQLite's machine took for it, of which a row needs some dozens. PostgreSQL
    /// counts rows instead: see [`any_rows_read`](crate::plans::any_rows_read).
    pub steps: u64,
}

/// The statements that ran since the last time this was asked. The first answer is empty: the
/// counting begins with it.
pub fn take() -> Vec<(&'static str, Usage)> {
    let usages = USAGES.get_or_init(Mutex::default);
    let taken = std::mem::take(&mut *usages.lock().unwrap_or_else(PoisonError::into_inner));
    taken.into_iter().collect()
}

/// Runs the statement and counts it, if anybody wants to know.
pub(crate) fn count<T>(sql: &'static str, run: impl FnOnce() -> T) -> T {
    let Some(usages) = USAGES.get() else { return run() };
    let began = Stopwatch::start();
    let result = run();
    let took = began.elapsed();
    let mut usages = usages.lock().unwrap_or_else(PoisonError::into_inner);
    let usage = usages.entry(sql).or_default();
    usage.calls += 1;
    usage.took += took;
    result
}

/// Counts the steps of a statement, if anybody wants to know.
pub(crate) fn count_steps(sql: &'static str, steps: impl FnOnce() -> i32) {
    let Some(usages) = USAGES.get() else { return };
    let steps = u64::try_from(steps()).unwrap_or(0);
    usages.lock().unwrap_or_else(PoisonError::into_inner).entry(sql).or_default().steps += steps;
}
