//! A worker thread of PostgreSQL: one connection, one transaction after the other. A lost
//! connection costs at most the transaction that was running; an idle one is replaced unnoticed.

use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics::counter;

use crate::error::{Cause, Error, Failure, Result};
use crate::postgresql::{Server, Session};
use crate::queue::Queue;
use crate::sql::{Connection, Mode, Tx};
use crate::stopwatch::Stopwatch;
use crate::task::Task;
use crate::writing::Writing;

/// How often a closure runs before its collisions with others are given back to the caller.
const ATTEMPTS: u32 = 6;

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
    /// It collided with another transaction and left no trace.
    Again,
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

    /// Runs transactions until the queue is closed and drained.
    pub(crate) fn run(mut self, queue: &Queue) {
        loop {
            let Some(task) = queue.take(1).pop() else { return };
            self.perform(task);
        }
    }

    fn perform(&mut self, mut task: Box<dyn Task>) {
        for attempt in 1.. {
            let mut connection = match self.begin(task.mode()) {
                Ok(connection) => connection,
                Err(error) => return task.fail(error),
            };
            let (end, is_usable) = run_once(&mut connection, task.as_mut(), &self.writing);
            self.connection = is_usable.then_some(connection);
            match end {
                End::Again if attempt < ATTEMPTS => {
                    counter!("waybill_store_retries_total").increment(1);
                    std::thread::sleep(jittered(Duration::from_millis(4 << attempt)));
                }
                End::Again | End::Answer => return task.answer(),
                End::Fail(error) => return task.fail(error),
            }
        }
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

/// Runs the closure and ends its transaction. Also tells whether the connection can be kept.
fn run_once(connection: &mut Connection, task: &mut dyn Task, writing: &Writing) -> (End, bool) {
    let mode = task.mode();
    let note = |failure: Option<&Error>, has_changed| {
        if mode == Mode::Write {
            writing.note(failure, has_changed);
        }
    };
    let mut tx = Tx::new(connection);
    let commits = task.run(&mut tx);
    let (cause, has_changed) = (tx.cause(), tx.has_changed());
    note(tx.failure().as_ref(), false);
    if !commits {
        let end = if cause == Some(Cause::Collision) { End::Again } else { End::Answer };
        return (end, connection.rollback().is_ok());
    }
    match connection.commit() {
        Ok(()) => {
            note(None, has_changed);
            (End::Answer, true)
        }
        Err(failure) if failure.cause == Cause::Collision => {
            (End::Again, connection.rollback().is_ok())
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
