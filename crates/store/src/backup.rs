//! Copies of a SQLite database, made beside a running server, and the way back.
//!
//! A copy appears under its name only when it is complete, verified and synced. A restore replaces
//! the database in one rename and keeps the old one aside. PostgreSQL has tools of its own.

mod draft;

use std::error::Error;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::io::Errno;
use waybill_domain::time::Time;

use crate::error::OpenError;
use crate::meta;
use crate::migrate::{MIGRATIONS, verify_applied};
use crate::sqlite::{self, DatabaseFile, FileId, Usage, with_suffix};
use draft::Draft;

/// What SQLite puts beside a database.
const SIDE_FILES: [&str; 3] = ["-journal", "-wal", "-shm"];

/// What a database is called that a restore replaced, before the time.
const REPLACED: &str = ".replaced-";

/// So many findings in a broken file are told.
const LISTED_MAX: usize = 20;

/// Why there is no copy. Each is one line that tells the operator what to do; below it are the
/// findings in a broken file.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is no such file.
    #[error("there is no file {}", .0.display())]
    Missing(PathBuf),
    /// A file of that name is there.
    #[error("{} is there already: choose another name or remove it", .0.display())]
    Exists(PathBuf),
    /// SQLite gives files of that name a meaning.
    #[error("{} would be taken for a part of another database: choose another name", .0.display())]
    ReservedName(PathBuf),
    /// SQLite would take the file for a part of the copy.
    #[error(
        "{} would be taken for a part of the copy beside it, and destroy it: remove it, or choose \
         another name for the copy",
        .0.display()
    )]
    Beside(PathBuf),
    /// No file can be made there.
    #[error("{0}: choose another place for the copy")]
    Place(String),
    /// Another program is writing the same copy.
    #[error("{} is being written by another program", .0.display())]
    BeingWritten(PathBuf),
    /// The copy and the database are one file.
    #[error("{} is the database itself: name a copy that `waybill backup` wrote", .0.display())]
    Itself(PathBuf),
    /// Somebody else uses the database.
    #[error("{} is in use: stop the server and close other programs first", .0.display())]
    InUse(PathBuf),
    /// The file is not a sound database.
    #[error("{} is broken:\n  {why}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The first findings, one in a line.
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
    /// The keys that are there do not open what is in the copy.
    #[error("{0}")]
    Sealed(#[source] Box<dyn Error + Send + Sync>),
    /// The database cannot be used at this path.
    #[error(transparent)]
    Open(OpenError),
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
    /// The name of the secret key that it was sealed with, if it was.
    pub key: Option<String>,
}

/// Writes a consistent copy of the database, beside whoever uses it.
pub fn back_up(
    database: &Path,
    copy: &Path,
    progress: OnProgress<'_>,
) -> Result<Copied, BackupError> {
    sqlite::refuse_log_without_database(database).map_err(BackupError::Open)?;
    if !database.exists() {
        return Err(BackupError::Missing(database.to_owned()));
    }
    let name = copy.file_name().unwrap_or_default().to_string_lossy();
    if SIDE_FILES.iter().any(|suffix| name.ends_with(suffix)) {
        return Err(BackupError::ReservedName(copy.to_owned()));
    }
    if copy.exists() {
        return Err(BackupError::Exists(copy.to_owned()));
    }
    refuse_beside(copy, &SIDE_FILES)?;
    refuse_place(copy)?;
    let is_index_there = with_suffix(database, "-shm").exists();
    let in_use = DatabaseFile::open(database, Usage::Command).map_err(BackupError::Open)?;
    let source = open(database)?;
    let draft = Draft::create(&with_suffix(copy, ".partial"))?;
    draft.fill(&source, progress)?;
    drop(source);
    drop(in_use);
    if !is_index_there && !sqlite::is_writable(database) {
        // Who may only read leaves them behind, with the permissions of the database: whoever may
        // write it again later could not use them.
        remove_index(database)?;
    }
    let copied = draft.verify(database)?;
    refuse_beside(copy, &SIDE_FILES)?;
    draft.publish(copy)?;
    Ok(copied)
}

/// What a restore did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restored {
    /// What the database holds now.
    pub copied: Copied,
    /// Where the database that it replaced is kept.
    pub replaced: Option<PathBuf>,
    /// Where write-ahead logs are kept that could not go into a database.
    pub logs: Vec<PathBuf>,
}

/// Called with the name of the secret key that a copy was sealed with. What it says against the
/// copy is told before anything is replaced. The store knows nothing of keys, so that the error is
/// any.
pub type VerifyKey<'a> = &'a dyn Fn(&str) -> Result<(), Box<dyn Error + Send + Sync>>;

/// Puts a verified copy in the place of the database, and keeps what it replaces.
pub fn restore(
    copy: &Path,
    database: &Path,
    now: Time,
    verify_key: VerifyKey<'_>,
    progress: OnProgress<'_>,
) -> Result<Restored, BackupError> {
    if !copy.exists() {
        return Err(BackupError::Missing(copy.to_owned()));
    }
    sqlite::refuse_folder(copy).map_err(BackupError::Open)?;
    // A link stays, and the file that it leads to is replaced.
    let real = if database.is_symlink() { database.canonicalize().ok() } else { None };
    let database = real.as_deref().unwrap_or(database);
    if is_same_file(copy, database) {
        return Err(BackupError::Itself(copy.to_owned()));
    }
    let source = open_copy(copy)?;
    verify(&source, copy)?;
    if let Some(key) = find_key(&source)? {
        verify_key(&key).map_err(BackupError::Sealed)?;
    }
    let time = now.to_string().replace(':', "");
    let mut logs = Vec::new();
    let refused =
        sqlite::refuse_stray_log(database).and_then(|()| sqlite::refuse_log_of_another(database));
    if matches!(refused, Err(OpenError::LogOfAnother { .. } | OpenError::StrayLog(_))) {
        // Under a name of its own: it is not of the database that is replaced either.
        logs.extend(move_log_aside(database, &with_suffix(database, &format!(".log-{time}")))?);
    }
    // The lock holds until the end, so that no server starts on a database that is being replaced.
    let replaced = if database.exists() { Some(lock_unused(database)?) } else { None };
    let draft = Draft::create(&with_suffix(database, ".restoring"))?;
    draft.fill(&source, progress)?;
    drop(source);
    let copied = draft.verify(copy)?;
    let aside = with_suffix(database, &format!("{REPLACED}{time}"));
    logs.extend(move_log_aside(database, &aside)?);
    let Some(_lock) = replaced else {
        draft.publish(database)?;
        return Ok(Restored { copied, replaced: None, logs });
    };
    std::fs::hard_link(database, &aside).map_err(file_error(&aside))?;
    draft.replace(database)?;
    Ok(Restored { copied, replaced: Some(aside), logs })
}

/// Whether both paths lead to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| FileId::of(&path.canonicalize().ok()?).ok();
    id(one).is_some() && id(one) == id(other)
}

/// The database, locked against servers, when nobody else uses it.
fn lock_unused(database: &Path) -> Result<std::sync::Arc<DatabaseFile>, BackupError> {
    let in_use = || BackupError::InUse(database.to_owned());
    let lock = DatabaseFile::open(database, Usage::Restore).map_err(|error| match error {
        OpenError::Locked(_) => in_use(),
        why => BackupError::Open(why),
    })?;
    remove_second_names(database);
    lock.verify_single_name().map_err(BackupError::Open)?;
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

/// A restore that was killed may have left names that lead to the database itself. We have the
/// lock, so no other restore is about to need them.
fn remove_second_names(database: &Path) {
    let name = database.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let beside = std::fs::read_dir(folder_of(database)).into_iter().flatten();
    for path in beside.flatten().map(|entry| entry.path()) {
        let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let rest = found.strip_prefix(&name).unwrap_or_default();
        let is_of_restore = rest == ".restoring" || rest.starts_with(REPLACED);
        if is_of_restore && is_same_file(&path, database) {
            let _stays = std::fs::remove_file(&path);
        }
    }
}

/// Takes the log of the old database out of the way, which a broken or removed database may still
/// have: beside the restored one it would destroy it. The index of the log, and a log that is
/// empty, hold nothing: they are removed.
fn move_log_aside(database: &Path, aside: &Path) -> Result<Option<PathBuf>, BackupError> {
    let (log, kept) = (with_suffix(database, "-wal"), with_suffix(aside, "-wal"));
    let is_empty = std::fs::metadata(&log).map_or(true, |found| found.len() == 0);
    if is_empty {
        remove(&log)?;
    } else {
        std::fs::rename(&log, &kept).map_err(file_error(&log))?;
    }
    remove(&with_suffix(database, "-shm"))?;
    Ok((!is_empty).then_some(kept))
}

/// Removes the index of a log, and the log when it is empty.
fn remove_index(database: &Path) -> Result<(), BackupError> {
    let log = with_suffix(database, "-wal");
    match std::fs::metadata(&log).map_or(0, |found| found.len()) {
        0 => remove(&log).and_then(|()| remove(&with_suffix(database, "-shm"))),
        _ => Ok(()),
    }
}

/// Removes a file that may be there.
fn remove(path: &Path) -> Result<(), BackupError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file_error(path)(error)),
        _ => Ok(()),
    }
}

fn open(path: &Path) -> Result<Connection, BackupError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(sqlite::BUSY)?;
    Ok(connection)
}

/// Refuses what a use of the copy before left beside it, or what is of another one.
fn refuse_beside(copy: &Path, suffixes: &[&str]) -> Result<(), BackupError> {
    let beside = suffixes.iter().map(|suffix| with_suffix(copy, suffix));
    match beside.into_iter().find(|path| path.exists()) {
        Some(path) => Err(BackupError::Beside(path)),
        None => Ok(()),
    }
}

/// Opens a copy to be read, and leaves it as it is. One that is a single file needs nothing beside
/// it, not even a folder that can be written.
fn open_copy(copy: &Path) -> Result<Connection, BackupError> {
    refuse_beside(copy, &["-journal"])?;
    if refuse_beside(copy, &SIDE_FILES).is_ok() {
        return Ok(sqlite::integrity::open_unchanged(copy)?);
    }
    sqlite::refuse_stray_log(copy).map_err(BackupError::Open)?;
    sqlite::refuse_log_of_another(copy).map_err(BackupError::Open)?;
    let connection = open(copy)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

/// A database of ours, of a release that we know, with sound pages.
fn verify(connection: &Connection, path: &Path) -> Result<(), BackupError> {
    let broken = sqlite::integrity::verify(connection);
    if !broken.is_empty() {
        return Err(BackupError::Broken { path: path.to_owned(), why: listed(&broken) });
    }
    let applied = applied(connection).map_err(|_| OpenError::NotOurs);
    applied
        .and_then(|applied| verify_applied(&applied, MIGRATIONS))
        .map_err(|why| BackupError::Unusable { path: path.to_owned(), why })
}

/// The first findings, one in a line, and how many there are besides.
fn listed(findings: &[String]) -> String {
    let mut lines: Vec<String> = findings.iter().take(LISTED_MAX).cloned().collect();
    if findings.len() > LISTED_MAX {
        lines.push(format!("and {} more", findings.len() - LISTED_MAX));
    }
    lines.join("\n  ")
}

/// The name of the key that everything was sealed with; none before the first start of a server.
fn find_key(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT value FROM meta WHERE name = ?1";
    connection.query_row(sql, [meta::SECRET_KEY], |row| row.get(0)).optional()
}

fn applied(connection: &Connection) -> rusqlite::Result<Vec<(i64, String)>> {
    let mut statement =
        connection.prepare("SELECT version, checksum FROM schema_migration ORDER BY version")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Refuses a folder in which we can make no file.
fn refuse_place(copy: &Path) -> Result<(), BackupError> {
    let folder = folder_of(copy);
    let shown = folder.display();
    let why = match accessat(CWD, folder, Access::WRITE_OK, AtFlags::EACCESS) {
        Ok(()) => return Ok(()),
        Err(Errno::NOENT | Errno::NOTDIR) => format!("there is no folder {shown}"),
        Err(Errno::ROFS) => {
            format!("the folder {shown} is on a file system that can only be read")
        }
        Err(Errno::ACCESS) => format!("the folder {shown} cannot be written by us"),
        Err(error) => format!("the folder {shown} cannot be written: {error}"),
    };
    Err(BackupError::Place(why))
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn sync_folder(path: &Path) -> Result<(), BackupError> {
    let folder = folder_of(path);
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(file_error(folder))
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> BackupError + use<> {
    let path = path.to_owned();
    move |error| BackupError::File { path: path.clone(), error }
}
