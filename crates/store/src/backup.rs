//! Copies of a SQLite database, made beside a running server, and the way back.
//!
//! A copy appears under its name only when it is complete, verified and synced. A restore replaces
//! the database in one rename and keeps the old one aside. PostgreSQL has tools of its own.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use waybill_domain::time::Time;

use crate::error::OpenError;
use crate::migrate::{MIGRATIONS, verify_applied};
use crate::sqlite::{self, DatabaseFile};

/// Pages copied between two looks at the progress: 8 MiB.
const PAGES_AT_ONCE: i32 = 2048;

/// Why there is no copy. Each is one line that tells the operator what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is no such file.
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    /// A file of that name is there.
    #[error("{} is there already: choose another name or remove it", .0.display())]
    Exists(PathBuf),
    /// Somebody else uses the database.
    #[error("{} is in use: stop the server and close other programs first", .0.display())]
    InUse(PathBuf),
    /// The file is not a sound database.
    #[error("{} is broken: {why}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The first findings.
        why: String,
    },
    /// The file is a database of something else, or of a newer release.
    #[error("{}: {why}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: OpenError,
    },
    /// SQLite failed.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The file system failed.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
}

/// Called with the pages copied so far and the pages in all.
pub type OnProgress<'a> = &'a mut dyn FnMut(u64, u64);

/// What a copy holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copied {
    /// The size of the file.
    pub bytes: u64,
    /// Document contents that the database names and that are kept elsewhere.
    pub outside: u64,
}

/// Writes a consistent copy of the database, beside whoever uses it.
pub fn back_up(
    database: &Path,
    copy: &Path,
    progress: OnProgress<'_>,
) -> Result<Copied, BackupError> {
    if !database.exists() {
        return Err(BackupError::Missing(database.to_owned()));
    }
    if copy.exists() {
        return Err(BackupError::Exists(copy.to_owned()));
    }
    let source = open(database)?;
    let draft = Draft::create(&with_suffix(copy, ".partial"))?;
    draft.fill(&source, progress)?;
    drop(source);
    let copied = draft.verify()?;
    draft.publish(copy)?;
    Ok(copied)
}

/// Puts a verified copy in the place of the database. Tells where the replaced database is kept.
pub fn restore(
    copy: &Path,
    database: &Path,
    now: Time,
    progress: OnProgress<'_>,
) -> Result<(Copied, Option<PathBuf>), BackupError> {
    if !copy.exists() {
        return Err(BackupError::Missing(copy.to_owned()));
    }
    let source = open(copy)?;
    verify(&source, copy)?;
    // A link stays, and the file that it leads to is replaced.
    let real = if database.is_symlink() { database.canonicalize().ok() } else { None };
    let database = real.as_deref().unwrap_or(database);
    // The lock holds until the end, so that no server starts on a database that is being replaced.
    let replaced = if database.exists() { Some(lock_unused(database)?) } else { None };
    let draft = with_suffix(database, ".restoring");
    if replaced.is_some() {
        // We have the lock, so this is what a killed restore left.
        drop(Draft { path: draft.clone() });
    }
    let draft = Draft::create(&draft)?;
    draft.fill(&source, progress)?;
    drop(source);
    let copied = draft.verify()?;
    let Some(_lock) = replaced else {
        draft.publish(database)?;
        return Ok((copied, None));
    };
    let aside = with_suffix(database, &format!(".replaced-{}", now.to_string().replace(':', "")));
    move_aside(database, &aside)?;
    draft.replace(database)?;
    Ok((copied, Some(aside)))
}

/// A copy under a name of its own, until it is complete. It is removed when it is dropped.
struct Draft {
    path: PathBuf,
}

impl Draft {
    fn create(path: &Path) -> Result<Draft, BackupError> {
        let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        match created {
            Ok(_) => Ok(Draft { path: path.to_owned() }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(BackupError::Exists(path.to_owned()))
            }
            Err(error) => Err(file_error(path)(error)),
        }
    }

    fn fill(&self, source: &Connection, progress: OnProgress<'_>) -> Result<(), BackupError> {
        // One snapshot for the whole copy: writers go on and the copy never begins again.
        source.execute_batch("BEGIN")?;
        source.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        let mut target = open(&self.path)?;
        {
            let backup = Backup::new(source, &mut target)?;
            while backup.step(PAGES_AT_ONCE)? != StepResult::Done {
                let state = backup.progress();
                let total = u64::try_from(state.pagecount).unwrap_or(0);
                let left = u64::try_from(state.remaining).unwrap_or(0);
                progress(total.saturating_sub(left), total);
            }
        }
        source.execute_batch("COMMIT")?;
        // One file, without a log beside it.
        target.pragma_update(None, "journal_mode", "DELETE")?;
        target.close().map_err(|(_, error)| BackupError::Sqlite(error))
    }

    /// Reads the copy again, from a fresh connection.
    fn verify(&self) -> Result<Copied, BackupError> {
        let connection = open(&self.path)?;
        verify(&connection, &self.path)?;
        let count = "SELECT count(*) FROM blob WHERE place IS NOT NULL";
        let outside: i64 = connection.query_row(count, [], |row| row.get(0))?;
        connection.close().map_err(|(_, error)| BackupError::Sqlite(error))?;
        let synced = File::open(&self.path).and_then(|file| {
            file.sync_all()?;
            Ok(file.metadata()?.len())
        });
        let bytes = synced.map_err(file_error(&self.path))?;
        Ok(Copied { bytes, outside: outside.unsigned_abs() })
    }

    /// Gives the copy its name, unless somebody took it meanwhile.
    fn publish(self, name: &Path) -> Result<(), BackupError> {
        std::fs::hard_link(&self.path, name).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(name.to_owned()),
            _ => file_error(name)(error),
        })?;
        drop(self);
        sync_folder(name)
    }

    /// Gives the copy the name of the database that it replaces.
    fn replace(self, name: &Path) -> Result<(), BackupError> {
        std::fs::rename(&self.path, name).map_err(file_error(name))?;
        sync_folder(name)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let _absent = std::fs::remove_file(with_suffix(&self.path, suffix));
        }
    }
}

/// The database, locked against servers, when nobody else uses it.
fn lock_unused(database: &Path) -> Result<std::sync::Arc<DatabaseFile>, BackupError> {
    let in_use = || BackupError::InUse(database.to_owned());
    let lock = DatabaseFile::open(database, true).map_err(|error| match error {
        OpenError::Locked(_) => in_use(),
        why => BackupError::Unusable { path: database.to_owned(), why },
    })?;
    let exclusive = open(database).and_then(|connection| {
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.execute_batch("BEGIN EXCLUSIVE; COMMIT")?;
        // The log goes into the file, so that the file alone is the whole old database.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        connection.close().map_err(|(_, error)| BackupError::Sqlite(error))
    });
    match exclusive {
        Err(BackupError::Sqlite(error))
            if matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
            ) =>
        {
            Err(in_use())
        }
        // A broken database is what a restore is for.
        Ok(()) | Err(_) => Ok(lock),
    }
}

/// Keeps the old database under another name. Its log, which a broken database may still have,
/// goes first: beside the restored one it would destroy it.
fn move_aside(database: &Path, aside: &Path) -> Result<(), BackupError> {
    let real = database.canonicalize().map_err(file_error(database))?;
    for suffix in ["-wal", "-shm"] {
        let from = with_suffix(&real, suffix);
        if from.exists() {
            std::fs::rename(&from, with_suffix(aside, suffix)).map_err(file_error(&from))?;
        }
    }
    std::fs::hard_link(&real, aside).map_err(file_error(aside))
}

fn open(path: &Path) -> Result<Connection, BackupError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(sqlite::BUSY)?;
    Ok(connection)
}

/// A database of ours, of a release that we know, with sound pages.
fn verify(connection: &Connection, path: &Path) -> Result<(), BackupError> {
    let broken = sqlite::integrity::verify(connection);
    if !broken.is_empty() {
        let why = broken.into_iter().take(3).collect::<Vec<_>>().join("; ");
        return Err(BackupError::Broken { path: path.to_owned(), why });
    }
    let applied = applied(connection).map_err(|_| OpenError::NotOurs);
    applied
        .and_then(|applied| verify_applied(&applied, MIGRATIONS))
        .map_err(|why| BackupError::Unusable { path: path.to_owned(), why })
}

fn applied(connection: &Connection) -> rusqlite::Result<Vec<(i64, String)>> {
    let mut statement =
        connection.prepare("SELECT version, checksum FROM schema_migration ORDER BY version")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn sync_folder(path: &Path) -> Result<(), BackupError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(file_error(folder))
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> BackupError + use<> {
    let path = path.to_owned();
    move |error| BackupError::File { path: path.clone(), error }
}
