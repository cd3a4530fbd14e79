//! A caller's closure on its way to a database thread and the answer on its way back. A panic in
//! the closure ends the closure and nothing else; a caller that went away changes nothing.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use metrics::histogram;
use tokio::sync::oneshot;

use crate::dialect::Mode;
use crate::error::{Error, Result};
use crate::sql::Tx;
use crate::stopwatch::Stopwatch;

/// A closure that writes for longer is told of.
const SLOW: Duration = Duration::from_millis(100);

/// So is one with more statements, however fast the machine is.
const STATEMENTS_MAX: u32 = 2000;

/// What follows when a transaction is committed.
type AfterCommit = Box<dyn FnOnce() + Send>;

impl Tx<'_> {
    /// Does this once the transaction is committed, and not at all when it is not: what is counted
    /// here is what is stored, however often the closure runs. It runs on a thread of the
    /// database, so it must be short.
    pub fn after_commit(&mut self, follow: impl FnOnce() + Send + 'static) {
        self.follows.push(Box::new(follow));
    }
}

/// A closure of any type, waiting to be run, committed and answered.
pub(crate) trait Task: Send {
    /// Whether the closure reads or writes.
    fn mode(&self) -> Mode;

    /// Whether it may share a transaction of PostgreSQL with others.
    fn is_groupable(&self) -> bool;

    /// Since when it waits.
    fn accepted(&self) -> Stopwatch;

    /// Whether the closure panicked: it must not run again.
    fn has_panicked(&self) -> bool;

    /// Runs the closure once and keeps its result. True when it is to be committed.
    fn run(&mut self, tx: &mut Tx<'_>) -> bool;

    /// Hands the kept result to the caller. Call it only after the commit or the rollback.
    fn answer(self: Box<Self>);

    /// Forgets the result and hands out the error.
    fn fail(self: Box<Self>, error: Error);
}

struct Pending<T, E, F> {
    mode: Mode,
    is_groupable: bool,
    work: F,
    result: Option<Result<T, E>>,
    after_commit: Vec<AfterCommit>,
    has_panicked: bool,
    reply: oneshot::Sender<Result<T, E>>,
    accepted: Stopwatch,
}

/// Wraps a closure; its answer arrives at the receiver.
pub(crate) fn pending<T, E, F>(
    mode: Mode,
    is_groupable: bool,
    work: F,
) -> (Box<dyn Task>, oneshot::Receiver<Result<T, E>>)
where
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let accepted = Stopwatch::start();
    let pending = Pending {
        mode,
        is_groupable,
        work,
        result: None,
        after_commit: Vec::new(),
        has_panicked: false,
        reply,
        accepted,
    };
    (Box::new(pending), answer)
}

impl<T, E, F> Task for Pending<T, E, F>
where
    F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<Error> + Send,
{
    fn mode(&self) -> Mode {
        self.mode
    }

    fn is_groupable(&self) -> bool {
        self.is_groupable
    }

    fn accepted(&self) -> Stopwatch {
        self.accepted
    }

    fn has_panicked(&self) -> bool {
        self.has_panicked
    }

    fn run(&mut self, tx: &mut Tx<'_>) -> bool {
        // Callers who went away while they waited would keep the readers from the others.
        if self.mode == Mode::Read && self.reply.is_closed() {
            return false;
        }
        let began = Stopwatch::start();
        let result = match catch_unwind(AssertUnwindSafe(|| (self.work)(tx))) {
            // A closure that swallowed a failed statement has not done all it meant to do, and
            // PostgreSQL would turn its COMMIT into a ROLLBACK without a word.
            Ok(Ok(value)) => tx.failure().map_or(Ok(value), |error| Err(error.into())),
            Ok(Err(error)) => Err(error),
            Err(panic) => {
                let text = panic_text(panic.as_ref());
                tracing::error!(panic = text, "a transaction panicked and was rolled back");
                tx.forbid_retry();
                self.has_panicked = true;
                Err(Error::Broken(format!("a transaction panicked: {text}")).into())
            }
        };
        let commits = result.is_ok();
        self.result = Some(result);
        // Those of a run that is undone are forgotten with it.
        let follows = std::mem::take(&mut tx.follows);
        self.after_commit = if commits { follows } else { Vec::new() };
        warn_if_large::<F>(self.mode, began, tx.statements());
        commits
    }

    fn answer(self: Box<Self>) {
        let lost = || Err(Error::Broken("answered before it ran".to_owned()).into());
        let result = self.result.unwrap_or_else(lost);
        self.after_commit.into_iter().for_each(|follow| follow());
        record(self.mode, self.accepted);
        // The caller may have gone; the work is done all the same.
        let _ = self.reply.send(result);
    }

    fn fail(self: Box<Self>, error: Error) {
        record(self.mode, self.accepted);
        let _ = self.reply.send(Err(error.into()));
    }
}

/// On SQLite every other writer waits for a closure that writes. Its type has the name of the
/// function that it is in.
fn warn_if_large<F>(mode: Mode, began: Stopwatch, statements: u32) {
    let (took, name) = (began.elapsed(), std::any::type_name::<F>());
    if mode == Mode::Write && took > SLOW {
        tracing::warn!(name, millis = took.as_millis() as u64, "a transaction took long");
        metrics::counter!("waybill_store_slow_writes_total").increment(1);
    }
    if mode == Mode::Write && statements > STATEMENTS_MAX {
        tracing::warn!(name, statements, "a transaction had many statements");
        metrics::counter!("waybill_store_large_writes_total").increment(1);
    }
}

fn record(mode: Mode, accepted: Stopwatch) {
    let seconds = accepted.elapsed().as_secs_f64();
    match mode {
        Mode::Write => histogram!("waybill_store_write_seconds").record(seconds),
        Mode::Read => histogram!("waybill_store_read_seconds").record(seconds),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
