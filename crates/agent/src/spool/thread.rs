//! The thread that has the connection. Each closure is a transaction of its own, and is answered
//! when its commit is on the disk.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction};
use tokio::sync::oneshot;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Time;

use super::error::SpoolError;
use super::{facts, folder, jobs, migrations};

type Task = Box<dyn FnOnce(&mut Connection) + Send>;

/// More than there are statements.
const STATEMENTS: usize = 64;
/// What the connection is set to, and what it must answer when asked.
const PRAGMAS: [(&str, &str, &str); 6] = [
    ("journal_mode", "WAL", "wal"),
    ("synchronous", "FULL", "2"),
    // macOS answers a plain fsync before the data is on the disk.
    ("fullfsync", "ON", "1"),
    // What was printed is overwritten when it goes.
    ("secure_delete", "ON", "1"),
    ("cache_size", "-2048", "-2048"),
    ("journal_size_limit", "16777216", "16777216"),
];

/// The spool of this process. Cheap to clone; the file is closed after the last one.
#[derive(Clone)]
pub struct Spool {
    tasks: Sender<Task>,
}

/// The thread, to be waited for when every [`Spool`] is gone.
pub struct SpoolThread(JoinHandle<()>);

impl SpoolThread {
    /// Waits until the file is closed, so long at most.
    pub async fn ended(self, time: Duration) {
        const PAUSE: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        while !self.0.is_finished() && waited < time {
            tokio::time::sleep(PAUSE).await;
            waited += PAUSE;
        }
    }
}

impl Spool {
    /// Opens the spool in a folder, or makes one, and takes up what an agent before has left.
    pub fn open(
        folder: &Path,
        ids: &dyn IdSource,
        now: Time,
    ) -> Result<(Spool, SpoolThread), SpoolError> {
        let path = folder::file_in(folder);
        let lock = folder::lock(folder)?;
        let mut connection = connect(&path)?;
        migrations::migrate(&mut connection, &path)?;
        let name = folder::name_of(&lock)
            .map_err(|source| SpoolError::File { path: path.clone(), source })?;
        let tx = connection.transaction()?;
        if facts::begin(&tx, &name, ids)? {
            jobs::give_up_copied(&tx, now)?;
        }
        jobs::take_up(&tx, now)?;
        tx.commit()?;
        let (tasks, queue) = channel();
        let running = std::thread::Builder::new()
            .name("spool".to_owned())
            .spawn(move || run(connection, &queue, lock))
            .map_err(|source| SpoolError::File { path, source })?;
        Ok((Spool { tasks }, SpoolThread(running)))
    }

    /// Does something in one transaction. What it wrote is on the disk when this returns; after an
    /// error nothing is.
    pub async fn run<T, F>(&self, work: F) -> Result<T, SpoolError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, SpoolError> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let task: Task = Box::new(move |connection| {
            // Whoever asked may have gone away.
            let _unheard = answer.send(in_transaction(connection, work));
        });
        self.tasks.send(task).map_err(|_| SpoolError::Closed)?;
        answered.await.map_err(|_| SpoolError::Closed)?
    }
}

fn in_transaction<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, SpoolError>,
) -> Result<T, SpoolError> {
    let tx = connection.transaction()?;
    let done = work(&tx)?;
    tx.commit()?;
    Ok(done)
}

/// The lock is let go of after the connection.
fn run(mut connection: Connection, queue: &Receiver<Task>, lock: File) {
    while let Ok(task) = queue.recv() {
        task(&mut connection);
    }
    if let Err((_, error)) = connection.close() {
        tracing::warn!(%error, "the spool was not closed in order");
    }
    drop(lock);
}

fn connect(path: &PathBuf) -> Result<Connection, SpoolError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    for (name, value, answer) in PRAGMAS {
        connection.pragma_update(None, name, value)?;
        let found = connection.pragma_query_value(None, name, |row| row.get_ref(0)?.to_text())?;
        if found != answer {
            return Err(SpoolError::Broken(name));
        }
    }
    Ok(connection)
}

/// A value of a pragma, which is a number or a word.
trait ToText {
    fn to_text(&self) -> rusqlite::Result<String>;
}

impl ToText for rusqlite::types::ValueRef<'_> {
    fn to_text(&self) -> rusqlite::Result<String> {
        match self {
            rusqlite::types::ValueRef::Integer(number) => Ok(number.to_string()),
            other => Ok(other.as_str()?.to_owned()),
        }
    }
}
