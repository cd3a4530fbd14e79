//! The store: threads that own the connections, and ways to hand them a closure. Accepted work
//! is finished even when its caller goes away or the store is closed.

use std::io;
use std::mem;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::oneshot;
use uuid::Uuid;

use crate::dialect::Mode;
use crate::error::{Error, OpenError, Result, UrlError};
use crate::migrate::{MIGRATIONS, Migration, migrate};
use crate::postgresql::threads::{Verify, Worker};
use crate::queue::{Queue, Refused};
use crate::sql::{Connection, Tx};
use crate::sqlite::{DatabaseFile, Usage};
use crate::task::pending;
use crate::writing::{Writing, try_to_write};
use crate::{postgresql, sqlite};

/// How a store is opened.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Reader threads of SQLite.
    pub readers: usize,
    /// Threads of PostgreSQL, with one connection each.
    pub connections: usize,
    /// Refuse when another server uses the same SQLite database. The command line does not.
    pub exclusive: bool,
    /// Refuse a database that has nothing of ours, instead of making it one.
    pub must_exist: bool,
    /// Closures that may share a commit of SQLite; 1 gives each its own.
    pub group_max: usize,
}

impl Default for Options {
    fn default() -> Options {
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        Options {
            readers: cores.clamp(2, 8),
            connections: 8,
            exclusive: false,
            must_exist: false,
            group_max: 64,
        }
    }
}

/// A database. Clones share its threads; the end of the last one waits for accepted work.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    writes: Arc<Queue>,
    reads: Arc<Queue>,
    /// Where PostgreSQL is.
    server: Option<Box<postgresql::Server>>,
    is_closed: Arc<AtomicBool>,
    /// The file of a SQLite database, until the store is closed. The threads hold it too, until
    /// their connection is closed.
    file: Mutex<Option<Arc<DatabaseFile>>>,
    verify: Arc<OnceLock<Verify>>,
    writing: Arc<Writing>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// Where the database is.
enum Location {
    File(Arc<DatabaseFile>),
    Server(Box<postgresql::Server>),
}

impl Store {
    /// Opens `sqlite:PATH` or `postgres://…`, applies missing migrations and verifies the others.
    /// It blocks, and may be called inside or outside a runtime.
    pub fn open(url: &str, options: Options) -> Result<Store, OpenError> {
        Store::open_with(url, options, MIGRATIONS)
    }

    pub(crate) fn open_with(
        url: &str,
        options: Options,
        migrations: &[Migration],
    ) -> Result<Store, OpenError> {
        if let Some(path) = sqlite_path(url) {
            if path.as_os_str().is_empty() || path.starts_with(":memory:") {
                return Err(OpenError::Url(UrlError::NoFile));
            }
            return open_sqlite(path, options, migrations);
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return open_postgres(&postgresql::parse_url(url)?, options, migrations);
        }
        // Not the URL itself: it may hold a password.
        Err(OpenError::Url(UrlError::UnknownKind))
    }

    /// Runs the closure in a transaction: commits on `Ok`, rolls back on `Err`. It may run more
    /// than once: when PostgreSQL undid a run that collided with another transaction, and when it
    /// took something for granted that is not so ([`Tx::exec_one`]). The work is done even if this
    /// future is dropped after its first poll.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(Mode::Write, work).await.unwrap_or_else(abandoned)
    }

    /// Runs the closure on one snapshot of the database. It cannot write.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(Mode::Read, work).await.unwrap_or_else(abandoned)
    }

    /// [`Store::write`] for a short closure that waits for no other: it locks rows of its own, and
    /// keys and hashes that are hardly ever another's at the same time. On PostgreSQL many of
    /// them share a transaction, as all do on SQLite: one that fails is undone alone, but it costs
    /// the others a second run.
    pub async fn write_grouped<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit_as(Mode::Write, true, work).await.unwrap_or_else(abandoned)
    }

    /// [`Store::read`] for a short closure: on PostgreSQL many of them share a snapshot.
    pub async fn read_grouped<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit_as(Mode::Read, true, work).await.unwrap_or_else(abandoned)
    }

    /// [`Store::write`] for the command line. It panics inside a runtime.
    pub fn blocking_write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(Mode::Write, work).blocking_recv().unwrap_or_else(abandoned)
    }

    /// [`Store::read`] for the command line. It panics inside a runtime.
    pub fn blocking_read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(Mode::Read, work).blocking_recv().unwrap_or_else(abandoned)
    }

    /// A name for this copy of a SQLite database: another file has another name. Empty for
    /// PostgreSQL.
    pub fn copy_name(&self) -> String {
        self.inner.file().map(|file| file.copy_name()).unwrap_or_default()
    }

    /// Runs this in a transaction of its own on every new connection to PostgreSQL, before anything
    /// else is done there, and every few seconds on those that are kept. While it fails the
    /// database is unavailable. The first one that is given stays. SQLite has no such moment: its
    /// connections lead to one file.
    pub fn verify_connections(
        &self,
        verify: impl Fn(&mut Tx<'_>) -> Result<()> + Send + Sync + 'static,
    ) {
        self.inner.verify.get_or_init(|| Box::new(verify));
    }

    /// Whether other processes may write too, as on PostgreSQL.
    pub fn is_shared(&self) -> bool {
        self.inner.server.is_some()
    }

    /// Hears from now on what other servers tell with [`crate::hints::send`], on a thread and a
    /// connection of its own. On SQLite there are no others.
    pub fn hear_hints(&self, hear: Box<dyn Fn(Uuid) + Send>) -> Result<(), OpenError> {
        let Some(server) = self.inner.server.clone() else { return Ok(()) };
        let is_closed = Arc::clone(&self.inner.is_closed);
        self.start("store-hints", move || postgresql::hints::hear(&server, &is_closed, hear))
    }

    /// Whether the database answers, and is still the one at its path.
    pub async fn ping(&self) -> Result<()> {
        if let Some(file) = self.inner.file() {
            file.verify_in_place()?;
        }
        self.read(|tx| tx.one::<i64>("SELECT CAST(1 AS BIGINT)", &[])).await.map(drop)
    }

    /// Whether the database can be written. It tries when the last write that was to change
    /// something failed; until then there is no reason to doubt it.
    pub async fn verify_writes(&self) -> Result<()> {
        match self.inner.writing.has_failed() {
            true => self.write(try_to_write).await,
            false => Ok(()),
        }
    }

    /// Accepts nothing more, for all clones, and returns when all accepted work is done.
    pub async fn close(self) {
        let closing = tokio::task::spawn_blocking(move || self.inner.shut_down());
        if let Err(error) = closing.await {
            tracing::error!(%error, "the store did not close");
        }
    }

    fn new(writes: Arc<Queue>, reads: Arc<Queue>, location: Location) -> Store {
        let (file, server) = match location {
            Location::File(file) => (Some(file), None),
            Location::Server(server) => (None, Some(server)),
        };
        let (threads, file, is_closed) = (Mutex::default(), Mutex::new(file), Arc::default());
        let (verify, writing) = (Arc::default(), Arc::default());
        let inner = Inner { writes, reads, server, is_closed, file, verify, writing, threads };
        Store { inner: Arc::new(inner) }
    }

    fn start(&self, name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), OpenError> {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(body);
        let thread = thread.map_err(|error| OpenError::Unreachable(error.to_string()))?;
        self.inner.threads().push(thread);
        Ok(())
    }

    fn submit<T, E, F>(&self, mode: Mode, work: F) -> oneshot::Receiver<Result<T, E>>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit_as(mode, false, work)
    }

    fn submit_as<T, E, F>(
        &self,
        mode: Mode,
        is_groupable: bool,
        work: F,
    ) -> oneshot::Receiver<Result<T, E>>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (task, answer) = pending(mode, is_groupable, work);
        let queue = match mode {
            Mode::Read => &self.inner.reads,
            Mode::Write => &self.inner.writes,
        };
        if let Err(Refused(task, why)) = queue.push(task) {
            task.fail(Error::Unavailable(why.to_owned()));
        }
        answer
    }

    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn shut_down(&self) {
        self.inner.shut_down();
    }
}

/// The thread ended without an answer, which only happens when the process is ending.
fn abandoned<T, E: From<Error>>(_: oneshot::error::RecvError) -> Result<T, E> {
    Err(Error::Unavailable("the store is closed".to_owned()).into())
}

impl Inner {
    fn shut_down(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        self.writes.close();
        self.reads.close();
        let threads = mem::take(&mut *self.threads());
        for thread in threads {
            // A closure that owns the last clone ends the store on one of its own threads.
            if thread.thread().id() != std::thread::current().id() && thread.join().is_err() {
                tracing::error!("a database thread panicked");
            }
        }
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn file(&self) -> Option<Arc<DatabaseFile>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn threads(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// Says what is wrong with the URL of a database, as far as its text tells.
pub fn check_url(url: &str) -> Result<(), UrlError> {
    if sqlite_path(url).is_some() { Ok(()) } else { postgresql::check_url(url) }
}

/// The file that a URL such as `sqlite:waybill.db` names; nothing for another kind of database.
pub fn sqlite_path(url: &str) -> Option<&Path> {
    let path = url.strip_prefix("sqlite:")?;
    Some(Path::new(path.strip_prefix("//").unwrap_or(path)))
}

fn open_sqlite(
    path: &Path,
    options: Options,
    migrations: &[Migration],
) -> Result<Store, OpenError> {
    let usage = if options.exclusive { Usage::Server } else { Usage::Command };
    sqlite::refuse_unwritable(path)?;
    let file = DatabaseFile::open(path, usage)?;
    file.note_opened();
    let mut writer = Connection::Sqlite(sqlite::Session::open(path, Mode::Write)?);
    let place = || path.display().to_string();
    migrate(&mut writer, migrations, options.must_exist.then(place))?;
    if let Connection::Sqlite(session) = &writer {
        // A database of tests may lack the tables.
        let _found = session.progress().map(|found| file.compare_progress(found));
    }
    let unreachable = |error: io::Error| OpenError::Unreachable(error.to_string());
    file.note_write_ahead_log().map_err(unreachable)?;

    let (writes, reads) = (Arc::new(Queue::new(true)), Arc::new(Queue::new(false)));
    let store =
        Store::new(Arc::clone(&writes), Arc::clone(&reads), Location::File(Arc::clone(&file)));
    let (writers_file, writing) = (Arc::clone(&file), Arc::clone(&store.inner.writing));
    // Declared after the store, so that it goes first when opening fails.
    let (reading, readers_gone) = channel::<()>();
    store.start("store-writer", move || {
        let how = (&*writing, options.group_max);
        sqlite::threads::write(&mut writer, &writers_file, &writes, how);
        // Connections that close at the same moment all leave the write-ahead log to another. The
        // writer is the last one: a server that was stopped leaves one file.
        let _all_gone = readers_gone.recv();
        drop(writer);
        writers_file.note_closed();
    })?;
    for _ in 0..options.readers.max(1) {
        let reader = Connection::Sqlite(sqlite::Session::open(path, Mode::Read)?);
        let (reads, readers_file) = (Arc::clone(&reads), Arc::clone(&file));
        let reading = reading.clone();
        store.start("store-reader", move || {
            sqlite::threads::read(reader, &readers_file, &reads);
            drop((readers_file, reading));
        })?;
    }
    Ok(store)
}

fn open_postgres(
    server: &postgresql::Server,
    options: Options,
    migrations: &[Migration],
) -> Result<Store, OpenError> {
    // The client may not be used inside a runtime, so opening gets a thread of its own.
    let open = || connect_and_migrate(server, options, migrations);
    let opened = std::thread::scope(|scope| scope.spawn(open).join());
    let died = |_| Err(OpenError::Unreachable("the opening thread panicked".to_owned()));
    let mut first = Some(opened.unwrap_or_else(died)?);

    let queue = Arc::new(Queue::new(true));
    let store = Store::new(
        Arc::clone(&queue),
        Arc::clone(&queue),
        Location::Server(Box::new(server.clone())),
    );
    let connections = options.connections.max(1);
    for _ in 0..connections {
        let verify = Arc::clone(&store.inner.verify);
        let writing = Arc::clone(&store.inner.writing);
        let worker = Worker::new(server.clone(), verify, writing, first.take());
        let queue = Arc::clone(&queue);
        store.start("store-worker", move || worker.run(&queue, connections))?;
    }
    Ok(store)
}

fn connect_and_migrate(
    server: &postgresql::Server,
    options: Options,
    migrations: &[Migration],
) -> Result<Connection, OpenError> {
    let mut session = postgresql::Session::connect(server)
        .map_err(|error| OpenError::Unreachable(format!("{}: {error}", server.place())))?;
    postgresql::refuse_shared_connections(server, &mut session)?;
    let mut connection = Connection::Postgres(Box::new(session));
    migrate(&mut connection, migrations, options.must_exist.then(|| server.place()))?;
    Ok(connection)
}
