//! The files of a SQLite database, as the operating system sees them.
//!
//! SQLite's locks are POSIX locks, and a process loses all of those on a file when it closes *any*
//! descriptor of that file. Without them every other program believes that nobody uses the
//! database, and deletes the write-ahead log that we write into. So this is the only place that
//! opens the file outside SQLite, and what it opened stays open until this process has no
//! connection to that file any more. Its checks ask about other processes before there is one.

mod checks;

use std::collections::BTreeMap;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::UNIX_EPOCH;

use super::paths::with_suffix;
use super::progress::{self, Progress, ProgressNote};
use crate::error::{Error, Failure, OpenError};

pub(crate) use checks::{
    is_writable, refuse_folder, refuse_log_of_another, refuse_log_without_database,
    refuse_stray_log, refuse_unwritable,
};

/// What a database file is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Usage {
    /// A command beside whoever uses the database.
    Command,
    /// The server: only one may have the database.
    Server,
    /// Its replacement, with the lock of a server. A killed restore may have left a second name.
    Restore,
}

/// A file, however its path is spelled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
}

/// Why nothing can be written any more into the file that was opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Misplaced {
    /// The database, its log or the log's index is not at its path any more.
    #[error(
        "{} was removed or replaced beside the running server (process {process}): move it back \
         to its place. A file that was deleted is still in /proc/{process}/fd, and is lost when \
         the server stops: copy it from there first, then use `waybill restore`",
        .0.display(),
        process = std::process::id()
    )]
    Gone(PathBuf),
    /// Older contents were found where ours were.
    #[error(
        "{} was overwritten with older contents beneath the running server: stop the server and \
         start it again, then run `waybill reconcile`",
        .0.display()
    )]
    Overwritten(PathBuf),
}

impl From<Misplaced> for Error {
    fn from(misplaced: Misplaced) -> Error {
        Error::Unavailable(misplaced.to_string())
    }
}

impl From<Misplaced> for Failure {
    fn from(misplaced: Misplaced) -> Failure {
        Error::from(misplaced).into()
    }
}

/// The stores of this process that use one file.
#[derive(Default)]
struct Users {
    count: usize,
    /// Where they found it, without symbolic links.
    path: Option<PathBuf>,
    /// The descriptor that carries the server's lock. It outlives the lock: see the module.
    descriptor: Option<File>,
    has_server: bool,
}

/// Every database file that this process uses.
static OPEN: Mutex<BTreeMap<FileId, Users>> = Mutex::new(BTreeMap::new());

/// A database file in use by one store. Every thread with a connection holds it, so that it is let
/// go of after the last connection.
pub(crate) struct DatabaseFile {
    /// The path without symbolic links: SQLite names the write-ahead log after it.
    path: PathBuf,
    id: FileId,
    /// The write-ahead log and its index, once a connection has made them.
    beside: OnceLock<Vec<(PathBuf, FileId)>>,
    progress: OnceLock<ProgressNote>,
    /// Whether older contents were found where ours were.
    is_overwritten: AtomicBool,
    is_server: bool,
}

impl DatabaseFile {
    /// Creates the file, readable by its owner only, unless it is there. For a server it also takes
    /// the lock that only one server may hold; the system frees it when the process ends, however
    /// it ends. Refuses a path beside which the write-ahead log would not be the database's own.
    pub(crate) fn open(path: &Path, usage: Usage) -> Result<Arc<DatabaseFile>, OpenError> {
        let failed = |error: io::Error| unreachable(path, &error);
        let is_server = usage != Usage::Command;
        let mut open = files_in_use();
        checks::refuse_log_without_database(path)?;
        create_private(path).map_err(failed)?;
        let real = path.canonicalize().map_err(failed)?;
        let id = FileId::of(&real).map_err(failed)?;
        let users = open.entry(id).or_default();
        if is_server && let Err(error) = users.lock_for_server(&real) {
            users.forget_if_unused();
            return Err(match error {
                TryLockError::WouldBlock => OpenError::Locked(path.to_owned()),
                TryLockError::Error(error) => failed(error),
            });
        }
        if let Err(error) = users.verify_path(&real, usage) {
            if is_server {
                users.unlock();
            }
            users.forget_if_unused();
            return Err(error);
        }
        users.count += 1;
        let (beside, progress) = (OnceLock::new(), OnceLock::new());
        let is_overwritten = AtomicBool::new(false);
        let path = real;
        Ok(Arc::new(DatabaseFile { path, id, beside, progress, is_overwritten, is_server }))
    }

    /// Notes which files are the write-ahead log and its index. A connection must be open: they
    /// then stay until the last one is closed.
    pub(crate) fn note_write_ahead_log(&self) -> io::Result<()> {
        let mut beside = Vec::new();
        for suffix in ["-wal", "-shm"] {
            let mut path = self.path.as_os_str().to_owned();
            path.push(suffix);
            let path = PathBuf::from(path);
            let id = FileId::of(&path)?;
            beside.push((path, id));
        }
        self.beside.get_or_init(|| beside);
        // Once more: somebody who closed the file meanwhile may have noted that after us.
        self.note_opened();
        Ok(())
    }

    /// Fails when the files that our connections write to are not the ones at their paths: somebody
    /// removed or replaced them, and what we commit would be lost with the process.
    pub(crate) fn verify_in_place(&self) -> Result<(), Misplaced> {
        self.verify_not_overwritten()?;
        let database = std::iter::once((&self.path, self.id));
        let beside = self.beside.get().into_iter().flatten().map(|(path, id)| (path, *id));
        let is_gone = |(path, id): &(&PathBuf, FileId)| FileId::of(path).ok() != Some(*id);
        match database.chain(beside).find(is_gone) {
            None => Ok(()),
            Some((path, _)) => Err(Misplaced::Gone(path.clone())),
        }
    }

    /// Fails once older contents were found where ours were.
    pub(crate) fn verify_not_overwritten(&self) -> Result<(), Misplaced> {
        match self.is_overwritten.load(Ordering::Relaxed) {
            false => Ok(()),
            true => Err(Misplaced::Overwritten(self.path.clone())),
        }
    }

    /// Fails when the file has a second name.
    pub(crate) fn verify_single_name(&self) -> Result<(), OpenError> {
        checks::refuse_second_name(&self.path)
    }

    /// Compares what was noted about the file with what it holds.
    pub(crate) fn compare_progress(&self, found: Progress) {
        self.progress.get_or_init(|| ProgressNote::read(&self.path, found));
    }

    /// Notes what the file holds. Commands beside a server leave that to the server.
    pub(crate) fn note_progress(&self, found: Progress) {
        if let Some(note) = self.progress.get().filter(|_| self.is_server) {
            note.write(found);
        }
    }

    /// Notes that there may be a log from now on. It comes before the first connection: a program
    /// that is killed leaves a log of its own.
    pub(crate) fn note_opened(&self) {
        progress::forget_closed(&self.path);
    }

    /// Notes that a program has closed the file. A log that somebody else still uses holds on to
    /// the notes.
    pub(crate) fn note_closed(&self) {
        let has_log = || with_suffix(&self.path, "-wal").exists();
        if has_log() {
            return;
        }
        progress::note_closed(&self.path);
        if has_log() {
            // Somebody opened it at the same moment.
            progress::forget_closed(&self.path);
        }
    }

    /// Notices when another program put older contents into the file beneath the running server,
    /// as `.restore` of `sqlite3` does. It stays so: only a start begins a new epoch with them.
    pub(crate) fn verify_not_older(&self, found: Progress) -> Result<(), Misplaced> {
        if let Some(note) = self.progress.get().filter(|note| note.is_ahead_of(found)) {
            self.is_overwritten.store(true, Ordering::Relaxed);
            // What the log lacks now is not lost by the log.
            note.forget_log();
        }
        self.verify_in_place()
    }

    /// What tells this file and its contents from a copy: a number may be given again after a
    /// removal, but not with the same time of birth. File systems that keep none leave it out.
    pub(crate) fn copy_name(&self) -> String {
        let born = self.path.metadata().and_then(|found| found.created()).ok();
        let born = born.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let file = format!("{} {}", self.id.inode, born.map_or(0, |at| at.as_nanos()));
        match self.progress.get().map(ProgressNote::generation) {
            None | Some(0) => file,
            Some(generation) => format!("{file} {generation}"),
        }
    }
}

impl Drop for DatabaseFile {
    fn drop(&mut self) {
        let mut open = files_in_use();
        let Some(users) = open.get_mut(&self.id) else { return };
        users.count -= 1;
        if self.is_server {
            users.unlock();
        }
        users.forget_if_unused();
    }
}

impl Users {
    /// Refuses a path that other users of the same file do not share.
    fn verify_path(&mut self, real: &Path, usage: Usage) -> Result<(), OpenError> {
        if self.count > 0 {
            // A check would open the file, and its end would drop the locks of our connections.
            return match self.path.as_deref() == Some(real) {
                true => Ok(()),
                false => Err(OpenError::LogElsewhere(real.to_owned())),
            };
        }
        checks::refuse_folder(real)?;
        checks::refuse_mounted_file(real)?;
        if usage != Usage::Restore {
            checks::refuse_second_name(real)?;
            checks::refuse_log_elsewhere(real)?;
        }
        checks::refuse_stray_log(real)?;
        checks::refuse_log_of_another(real)?;
        if usage != Usage::Restore {
            checks::refuse_lost_log(real)?;
        }
        self.path = Some(real.to_owned());
        Ok(())
    }

    fn lock_for_server(&mut self, database: &Path) -> Result<(), TryLockError> {
        if self.has_server {
            return Err(TryLockError::WouldBlock);
        }
        let descriptor = match self.descriptor.take() {
            Some(descriptor) => descriptor,
            None => open_for_lock(database).map_err(TryLockError::Error)?,
        };
        let locked = descriptor.try_lock();
        self.descriptor = Some(descriptor);
        locked?;
        self.has_server = true;
        Ok(())
    }

    fn unlock(&mut self) {
        self.has_server = false;
        if let Some(Err(error)) = self.descriptor.as_ref().map(File::unlock) {
            tracing::error!(%error, "the server's lock was not released");
        }
    }

    fn forget_if_unused(&mut self) {
        if self.count == 0 {
            self.descriptor = None;
        }
    }
}

impl FileId {
    /// The file at this very path: a link that was put there is another file.
    pub(crate) fn of(path: &Path) -> io::Result<FileId> {
        Ok(FileId::from(&path.symlink_metadata()?))
    }
}

impl From<&Metadata> for FileId {
    fn from(found: &Metadata) -> FileId {
        FileId { device: found.dev(), inode: found.ino() }
    }
}

fn files_in_use() -> MutexGuard<'static, BTreeMap<FileId, Users>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `create_new` never opens a file that is there already.
fn create_private(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        created => created.map(drop),
    }
}

/// On Linux `flock` and SQLite's locks do not see each other, so the database itself is locked: no
/// other spelling of its path and no removed file gets around it.
#[cfg(target_os = "linux")]
fn open_for_lock(database: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(database)
}

/// Elsewhere they do, so a file beside the database is locked.
#[cfg(not(target_os = "linux"))]
fn open_for_lock(database: &Path) -> io::Result<File> {
    let mut path = database.as_os_str().to_owned();
    path.push(".lock");
    OpenOptions::new().create(true).truncate(false).write(true).open(path)
}

fn unreachable(path: &Path, why: &dyn std::fmt::Display) -> OpenError {
    OpenError::Unreachable(format!("{}: {why}", path.display()))
}
