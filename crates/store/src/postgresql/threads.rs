//! A worker thread of PostgreSQL: one connection, one transaction after the other. A lost
//! connection costs at most the transaction that was running; an idle one is replaced unnoticed.

use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics::{counter, histogram};

use crate::dialect::Mode;
use crate::error::{Cause, Error, Failure, Result};
use crate::postgresql::{Server, Session};
use crate::queue::Queue;
use crate::sql::{Connection, Tx};
use crate::stopwatch::Stopwatch;
use crate::task::Task;
use crate::writing::Writing;

/// How often a closure runs before its collisions with others are given back to the caller.
const ATTEMPTS: u32 = 6;

/// Closures that share a transaction at most: those who come meanwhile wait for it.
const GROUP_MAX: usize = 16;

/// While so many groups are under way, the next one gathers. Few large transactions cost the
/// server far less than many small ones, and the other workers stay free for what goes alone.
const GROUPS_MIN: usize = 2;

/// A larger server gets more connections, and more groups with them.
const WORKERS_PER_GROUP: usize = 4;

/// How long a connection is believed to lead to the database that it was made to. A fail-over ends
/// connections, but a dump can be restored behind one.
const VERIFIED_FOR: Duration = Duration::from_secs(5);

/// Runs in a transaction of its own on every new connection, before anything else does, and again
/// now and then. While it fails the database is unavailable.
pub(crate) type Verify = Box<dyn Fn(&mut Tx<'_>) -> Result<()> + Send + Sync>;

/// One thread's line to the server.
pub(crate) struct Worker {
    server: Server,
    verify: Arc<OnceLock<Verify>>,
    writing: Arc<Writing>,
    connection: Option<Connection>,
    /// Since when the kept connection is verified.
    verified: Stopwatch,
    down: Option<Down>,
}

/// Since when the server does not answer, and how long we leave it alone.
struct Down {
    since: Stopwatch,
    pause: Duration,
    why: Error,
}

/// How one run of a closure ended.
enum End {
    /// Committed or rolled back: the caller gets the closure's own result.
    Answer,
    /// The commit failed.
    Fail(Error),
    /// It collided with another transaction and left no trace. When that was at the commit, the
    /// closure does not know.
    Again(Option<Error>),
    /// It took something for granted that is not so, and left no trace.
    Surprise,
}

impl Worker {
    /// A worker that connects when it first has work, unless it is given a connection.
    pub(crate) fn new(
        server: Server,
        verify: Arc<OnceLock<Verify>>,
        writing: Arc<Writing>,
        connection: Option<Connection>,
    ) -> Worker {
        Worker { server, verify, writing, connection, verified: Stopwatch::start(), down: None }
    }

    /// Runs transactions until the queue is closed and drained, as one of so many workers.
    pub(crate) fn run(mut self, queue: &Queue, workers: usize) {
        let groups_max = (workers / WORKERS_PER_GROUP).max(GROUPS_MIN);
        loop {
            let (mut group, under_way) = queue.take_group(groups_max, GROUP_MAX);
            match group.len() {
                0 => return,
                1 => group.into_iter().for_each(|task| self.perform(task)),
                _ => {
                    histogram!("waybill_store_group_size").record(group.len() as f64);
                    let end = self.perform_once(&mut group, true);
                    // What follows is for each of them alone, and may take long.
                    drop(under_way);
                    match end {
                        Ok(End::Answer) => group.into_iter().for_each(Task::answer),
                        // One of them stands in the way of the others.
                        Ok(End::Again(_)) => {
                            group.into_iter().for_each(|task| self.perform_unless_panicked(task));
                        }
                        // What they did, and be it to panic, may rest on what is not so.
                        Ok(End::Surprise) => {
                            group.into_iter().for_each(|task| self.perform(task));
                        }
                        Ok(End::Fail(error)) | Err(error) => {
                            group.into_iter().for_each(|task| task.fail(error.clone()));
                        }
                    }
                }
            }
        }
    }

    fn perform_unless_panicked(&mut self, task: Box<dyn Task>) {
        if task.has_panicked() { task.answer() } else { self.perform(task) }
    }

    /// One closure in a transaction of its own.
    fn perform(&mut self, task: Box<dyn Task>) {
        let mut alone = [task];
        let mut may_defer = true;
        for attempt in 1.. {
            let end = self.perform_once(&mut alone, may_defer);
            let [task] = alone;
            match end {
                Ok(End::Surprise) => may_defer = false,
                Ok(End::Again(_)) if attempt < ATTEMPTS => {
                    counter!("waybill_store_retries_total").increment(1);
                    std::thread::sleep(jittered(Duration::from_millis(4 << attempt)));
                }
                Ok(End::Again(None) | End::Answer) => return task.answer(),
                Ok(End::Again(Some(error)) | End::Fail(error)) | Err(error) => {
                    return task.fail(error);
                }
            }
            alone = [task];
        }
    }

    /// Runs these closures, which all read or all write, once and together.
    fn perform_once(&mut self, tasks: &mut [Box<dyn Task>], may_defer: bool) -> Result<End> {
        let mode = tasks.first().map_or(Mode::Read, |task| task.mode());
        let mut connection = self.begin(mode)?;
        if let Connection::Postgres(session) = &mut connection {
            session.set_may_defer(may_defer);
        }
        let (end, is_usable) = run_once(&mut connection, tasks, &self.writing);
        self.connection = is_usable.then_some(connection);
        Ok(end)
    }

    /// A connection with an open transaction. When the kept connection turns out dead at `BEGIN`,
    /// nothing has been sent on it yet, so a new one may take its place.
    fn begin(&mut self, mode: Mode) -> Result<Connection, Error> {
        if let Some(mut connection) = self.connection.take() {
            let is_stale = self.verified.elapsed() >= VERIFIED_FOR;
            let verified = if is_stale { self.verify(&mut connection) } else { Ok(()) };
            match verified.and_then(|()| connection.begin(mode)) {
                Ok(()) => return Ok(connection),
                Err(failure) => tracing::warn!(error = %failure.error, "reconnecting"),
            }
        }
        let mut connection = self.connect()?;
        self.verify(&mut connection)
            .and_then(|()| connection.begin(mode))
            .map_err(|failure| Error::Unavailable(failure.error.to_string()))?;
        Ok(connection)
    }

    fn verify(&mut self, connection: &mut Connection) -> Result<(), Failure> {
        let Some(verify) = self.verify.get() else { return Ok(()) };
        connection.begin(Mode::Write)?;
        let mut tx = Tx::new(connection);
        verify(&mut tx).map_err(Failure::from)?;
        connection.commit()?;
        self.verified = Stopwatch::start();
        Ok(())
    }

    /// Connects, unless the server did not answer a moment ago: then callers are told at once
    /// instead of queueing up behind connection attempts.
    fn connect(&mut self) -> Result<Connection, Error> {
        if let Some(down) = self.down.as_ref().filter(|down| down.since.elapsed() < down.pause) {
            return Err(down.why.clone());
        }
        match Session::connect(&self.server) {
            Ok(session) => {
                self.down = None;
                Ok(Connection::Postgres(Box::new(session)))
            }
            Err(why) => {
                let longest = Duration::from_secs(2);
                let before = self.down.as_ref().map_or(Duration::from_millis(50), |d| d.pause);
                let pause = jittered(before * 2).min(longest);
                tracing::warn!(error = %why, ?pause, "PostgreSQL does not answer");
                self.down = Some(Down { since: Stopwatch::start(), pause, why: why.clone() });
                Err(why)
            }
        }
    }
}

/// Runs the closures and ends their transaction. Also tells whether the connection can be kept.
fn run_once(
    connection: &mut Connection,
    tasks: &mut [Box<dyn Task>],
    writing: &Writing,
) -> (End, bool) {
    let is_writing = tasks.iter().any(|task| task.mode() == Mode::Write);
    let note = |failure: Option<&Error>, has_changed| {
        if is_writing {
            writing.note(failure, has_changed);
        }
    };
    let is_alone = tasks.len() == 1;
    let (mut commits, mut has_changed) = (false, false);
    for task in tasks {
        connection.next_closure();
        let mut tx = Tx::new(connection);
        let is_done = task.run(&mut tx);
        note(tx.failure().as_ref(), false);
        commits |= is_done;
        has_changed |= is_done && tx.has_changed();
        if !is_done && (is_alone || tx.failure().is_some() || tx.has_written()) {
            let cause = tx.cause();
            // Why it refused may rest on what was taken for granted: that is compared first.
            let end = match connection.flush() {
                Err(_) => End::Surprise,
                Ok(()) if cause == Some(Cause::Surprise) => End::Surprise,
                Ok(()) if is_alone && cause != Some(Cause::Collision) => End::Answer,
                // It is tried again, or the others have to do without it.
                Ok(()) => End::Again(None),
            };
            return (end, connection.rollback().is_ok());
        }
    }
    if !commits {
        return (End::Answer, connection.rollback().is_ok());
    }
    if let Err(failure) = connection.flush() {
        note(Some(&failure.error), false);
        return (End::Surprise, connection.rollback().is_ok());
    }
    match connection.commit() {
        Ok(()) => {
            note(None, has_changed);
            (End::Answer, true)
        }
        Err(failure) if failure.cause == Cause::Collision => {
            (End::Again(Some(failure.error)), connection.rollback().is_ok())
        }
        // Whether it was committed is unknown, so it must not run again on its own.
        Err(failure) => {
            note(Some(&failure.error), false);
            (End::Fail(failure.error), false)
        }
    }
}

/// Between half and all of the span, so that two that collided do not meet again.
fn jittered(span: Duration) -> Duration {
    let random = std::hash::RandomState::new().hash_one(0_u8);
    span.mul_f64(0.5 + (random % 1024) as f64 / 2048.0)
}
