//! SQLite: how a connection is opened, and how its errors are understood. Every connection is in
//! WAL mode with `synchronous=FULL`, so a commit that returned is on the disk.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{
    CachedStatement, Connection, ErrorCode, OpenFlags, StatementStatus, ToSql, ffi,
    params_from_iter,
};

use crate::dialect::{Mode, render_for_sqlite};
use crate::error::{Error, Failure, OpenError, Result};
use crate::statistics;
use crate::value::{Param, Row};

mod file;
pub(crate) mod integrity;
mod log;
mod paths;
pub(crate) mod progress;
pub(crate) mod threads;
mod wait;

pub(crate) use file::{
    DatabaseFile, FileId, Usage, is_writable, refuse_folder, refuse_log_of_another,
    refuse_log_without_database, refuse_stray_log, refuse_unwritable,
};
pub(crate) use paths::with_suffix;
pub(crate) use wait::BUSY;
use wait::{LOOKS, PAUSE};

/// More than there are statements, so each is prepared once.
const STATEMENTS: usize = 512;

/// What every connection is set to, and what it must answer when asked.
const PRAGMAS: [(&str, &str, &str); 7] = [
    ("journal_mode", "WAL", "wal"),
    ("synchronous", "FULL", "2"),
    // macOS answers a plain fsync before the data is on the disk.
    ("fullfsync", "ON", "1"),
    ("foreign_keys", "ON", "1"),
    // Deleted personal data is overwritten.
    ("secure_delete", "ON", "1"),
    // 16 MiB: a checkpoint is rare enough to be cheap and small enough not to be felt.
    ("wal_autocheckpoint", "4096", "4096"),
    ("journal_size_limit", "67108864", "67108864"),
];
/// Kibibytes of pages that the one who writes keeps, and each of those who read. The system keeps
/// what they share.
const CACHE_OF_WRITER: i64 = 16 * 1024;
const CACHE_OF_READER: i64 = 4 * 1024;

/// One connection and the statements rendered for it.
pub(crate) struct Session {
    connection: Connection,
    mode: Mode,
    rendered: HashMap<&'static str, String>,
}

impl Session {
    /// Opens a file that is there: see [`DatabaseFile`], which the caller holds for as long.
    pub(crate) fn open(path: &Path, mode: Mode) -> Result<Session, OpenError> {
        // A mutex of SQLite's own is not needed: one thread has the connection.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(path, flags).map_err(|error| unreachable(path, &error))?;
        if mode == Mode::Write {
            refuse_foreign(&connection, path)?;
        }
        set_up(&connection, mode).map_err(|why| unreachable(path, &why))?;
        Ok(Session { connection, mode, rendered: HashMap::new() })
    }

    /// What begins and ends transactions is the same few words over and over: prepared once.
    pub(crate) fn control(&mut self, sql: &'static str) -> Result<(), Failure> {
        let done = self.connection.prepare_cached(sql).and_then(|mut words| words.execute([]));
        done.map(drop).map_err(|error| self.failure(&error, sql))
    }

    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        self.connection.execute_batch(sql).map_err(|error| self.failure(&error, sql))
    }

    pub(crate) fn exec(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64, Failure> {
        let changed = self.execute(sql, params);
        changed.map(|rows| rows as u64).map_err(|error| self.failure(&error, sql))
    }

    pub(crate) fn query(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(Row<'_>) -> Result<()>,
    ) -> Result<(), Failure> {
        match self.read(sql, params, each) {
            Ok(read) => read.map_err(Failure::from),
            Err(error) => Err(self.failure(&error, sql)),
        }
    }

    /// Everything that SQLite finds broken.
    pub(crate) fn verify_pages(&self) -> Vec<String> {
        integrity::verify(&self.connection)
    }

    /// Changes when another connection has committed something.
    pub(crate) fn data_version(&self) -> Result<i64, Failure> {
        let sql = "PRAGMA data_version";
        let found = self.connection.prepare_cached(sql);
        let found = found.and_then(|mut asked| asked.query_row([], |row| row.get(0)));
        found.map_err(|error| self.failure(&error, sql))
    }

    /// How far the contents have come.
    pub(crate) fn progress(&self) -> rusqlite::Result<progress::Progress> {
        progress::find(&self.connection)
    }

    fn execute(&mut self, sql: &'static str, params: &[Param<'_>]) -> rusqlite::Result<usize> {
        let mut statement = self.prepare(sql)?;
        let changed = statement.execute(params_from_iter(params));
        statistics::count_steps(sql, || statement.reset_status(StatementStatus::VmStep));
        changed
    }

    fn read(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(Row<'_>) -> Result<()>,
    ) -> rusqlite::Result<Result<()>> {
        let mut statement = self.prepare(sql)?;
        let mut rows = statement.query(params_from_iter(params))?;
        while let Some(row) = rows.next()? {
            if let Err(error) = each(Row::sqlite(row)) {
                return Ok(Err(error));
            }
        }
        drop(rows);
        statistics::count_steps(sql, || statement.reset_status(StatementStatus::VmStep));
        Ok(Ok(()))
    }

    fn prepare(&mut self, sql: &'static str) -> rusqlite::Result<CachedStatement<'_>> {
        let text = self.rendered.entry(sql).or_insert_with(|| render_for_sqlite(sql));
        self.connection.prepare_cached(text)
    }

    /// Whether a transaction is open. A full disk or an I/O error may end it behind our back.
    pub(crate) fn is_in_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    fn failure(&self, error: &rusqlite::Error, sql: &str) -> Failure {
        let rusqlite::Error::SqliteFailure(cause, message) = error else {
            return Failure::in_statement(&error.to_string(), sql);
        };
        let is_second = matches!(
            cause.extended_code,
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        );
        if is_second {
            let name = self.index_name(message.as_deref().unwrap_or_default());
            return Error::Conflict(name).into();
        }
        match cause.code {
            // A reader that writes is a fault of ours; a writer that cannot, one of the disk.
            ErrorCode::ReadOnly if self.mode == Mode::Read => {
                Failure::in_statement(&error.to_string(), sql)
            }
            ErrorCode::ReadOnly => Failure::unavailable(explain(error)),
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::DiskFull
            | ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::OutOfMemory
            | ErrorCode::OperationInterrupted
            | ErrorCode::FileLockingProtocolFailed => Failure::unavailable(error.to_string()),
            _ => Failure::in_statement(&error.to_string(), sql),
        }
    }

    /// PostgreSQL names the index that refused a row; SQLite names its columns, as in
    /// `UNIQUE constraint failed: member.team, member.user_id`. No two unique indexes of ours have
    /// the same columns, so the schema tells which it was.
    fn index_name(&self, message: &str) -> String {
        let listed = message.rsplit(": ").next().unwrap_or_default();
        let table = listed.split('.').next().unwrap_or_default();
        let name = self.connection.query_row(
            "SELECT CASE origin WHEN 'pk' THEN ?1 || '_pkey' ELSE list.name END
               FROM pragma_index_list(?1) AS list
              WHERE list.\"unique\" AND ?2 = (
                    SELECT group_concat(?1 || '.' || name, ', ' ORDER BY seqno)
                      FROM pragma_index_info(list.name))",
            [table, listed],
            |row| row.get(0),
        );
        name.unwrap_or_else(|_| listed.to_owned())
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Param::Null => ToSqlOutput::Owned(Value::Null),
            Param::Int(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Param::Bool(truth) => ToSqlOutput::Owned(Value::Integer(i64::from(*truth))),
            Param::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Param::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Param::Uuid(uuid) => ToSqlOutput::Borrowed(ValueRef::Blob(uuid.as_bytes())),
            Param::Float(number) => ToSqlOutput::Owned(Value::Real(*number)),
        })
    }
}

/// Why a connection is not as we need it.
#[derive(Debug, thiserror::Error)]
enum SetUpError {
    #[error("{}", explain(.0))]
    Sqlite(#[from] rusqlite::Error),
    #[error("{name} is {found} and must be {wanted}")]
    Pragma { name: &'static str, found: String, wanted: &'static str },
}

fn set_up(connection: &Connection, mode: Mode) -> Result<(), SetUpError> {
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Plans do not depend on bound values, so a cached statement is never planned again.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    for (name, value, wanted) in PRAGMAS {
        set_pragma(connection, name, value)?;
        let found: Value = connection.pragma_query_value(None, name, |row| row.get(0))?;
        let found = match found {
            Value::Integer(number) => number.to_string(),
            Value::Text(text) => text,
            other => format!("{other:?}"),
        };
        if found != wanted {
            return Err(SetUpError::Pragma { name, found, wanted });
        }
    }
    let kibibytes = match mode {
        Mode::Write => CACHE_OF_WRITER,
        Mode::Read => CACHE_OF_READER,
    };
    connection.pragma_update(None, "cache_size", -kibibytes)?;
    if mode == Mode::Read {
        connection.execute_batch("PRAGMA query_only = ON")?;
    }
    Ok(())
}

/// Refuses the database of another program, before anything in it is changed. Ours has its
/// migrations, or nothing at all.
fn refuse_foreign(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    connection.busy_timeout(BUSY).map_err(|error| unreachable(path, &error))?;
    let things = wait_while_busy(|| count("SELECT count(*) FROM sqlite_schema"))
        .map_err(|error| unreachable(path, &explain(&error)))?;
    let migrations = "SELECT count(checksum) FROM schema_migration WHERE version = 1";
    let is_ours = things == 0 || wait_while_busy(|| count(migrations)).is_ok_and(|count| count > 0);
    if is_ours { Ok(()) } else { Err(OpenError::Foreign(path.to_owned())) }
}

/// Several that switch a new file to WAL at once refuse each other without the wait that
/// `busy_timeout` gives everything else, so this waits by itself.
fn set_pragma(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    wait_while_busy(|| connection.execute_batch(&format!("PRAGMA {name} = {value}")))
}

fn wait_while_busy<T>(work: impl Fn() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    for _ in 0..LOOKS {
        match work() {
            Err(error) if is_busy(&error) => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
    work()
}

/// SQLite does not say that the folder counts too: the log is made there.
fn explain(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::ReadOnly) => {
            format!("the database or its folder cannot be written by us: {error}")
        }
        _ => error.to_string(),
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

fn unreachable(path: &Path, why: &dyn std::fmt::Display) -> OpenError {
    OpenError::Unreachable(format!("{}: {why}", path.display()))
}
