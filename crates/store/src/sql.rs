//! One SQL text for two databases. Statements are PostgreSQL in the portable subset of the
//! README; SQLite gets them with `?1` for `$1` and without row locks, because its write
//! transaction already holds the only lock. Each statement is prepared once per connection.

use waybill_domain::time::Time;

use crate::dialect::{Both, DATABASE_CLOCK, Mode};
use crate::error::{Cause, Error, Failure, Result};
use crate::value::{FromRow, Param, Row};
use crate::{postgresql, sqlite, statistics};

/// One connection to either database.
pub(crate) enum Connection {
    Sqlite(sqlite::Session),
    Postgres(Box<postgresql::Session>),
}

type EachRow<'f> = &'f mut dyn FnMut(Row<'_>) -> Result<()>;

impl Connection {
    pub(crate) fn begin(&mut self, mode: Mode) -> Result<(), Failure> {
        statistics::count("BEGIN", || match (self, mode) {
            (Connection::Sqlite(session), Mode::Read) => session.control("BEGIN"),
            // Taking the lock first means that a write never fails half-way for want of it.
            (Connection::Sqlite(session), Mode::Write) => session.control("BEGIN IMMEDIATE"),
            (Connection::Postgres(session), mode) => session.begin(mode),
        })
    }

    pub(crate) fn commit(&mut self) -> Result<(), Failure> {
        self.control("COMMIT")
    }

    pub(crate) fn rollback(&mut self) -> Result<(), Failure> {
        match self {
            Connection::Sqlite(session) => session.control("ROLLBACK"),
            Connection::Postgres(session) => session.rollback(),
        }
    }

    /// From now on another closure of a transaction that several share speaks.
    pub(crate) fn next_closure(&mut self) {
        if let Connection::Postgres(session) = self {
            session.next_closure();
        }
    }

    /// Sends what was put off, so that nothing is left to go wrong but the commit itself.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        match self {
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(session) => statistics::count("flush", || session.flush()),
        }
    }

    /// Runs one of the few words that begin and end transactions.
    pub(crate) fn control(&mut self, sql: &'static str) -> Result<(), Failure> {
        statistics::count(sql, || match self {
            Connection::Sqlite(session) => session.control(sql),
            Connection::Postgres(session) => session.batch(sql),
        })
    }

    /// Runs statements without parameters, as they are.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        match self {
            Connection::Sqlite(session) => session.batch(sql),
            Connection::Postgres(session) => session.batch(sql),
        }
    }

    fn exec(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64, Failure> {
        statistics::count(sql, || match self {
            Connection::Sqlite(session) => session.exec(sql, params),
            Connection::Postgres(session) => session.exec(sql, params),
        })
    }

    fn exec_later(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
        expected: Option<u64>,
    ) -> Result<u64, Failure> {
        statistics::count(sql, || match self {
            Connection::Sqlite(session) => session.exec(sql, params),
            Connection::Postgres(session) => session.exec_later(sql, params, expected),
        })
    }

    fn query(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
        each: EachRow<'_>,
    ) -> Result<(), Failure> {
        statistics::count(sql, || match self {
            Connection::Sqlite(session) => session.query(sql, params, each),
            Connection::Postgres(session) => session.query(sql, params, each),
        })
    }
}

/// An open transaction. It commits when the closure returns `Ok` and rolls back otherwise. After
/// a statement failed, every further one fails in the same way and nothing is committed: use
/// `ON CONFLICT` where a second row is an expected outcome.
pub struct Tx<'a> {
    connection: &'a mut Connection,
    failure: Option<Failure>,
    has_changed: bool,
    has_written: bool,
    statements: u32,
    pub(crate) follows: Vec<Box<dyn FnOnce() + Send>>,
}

impl<'a> Tx<'a> {
    pub(crate) fn new(connection: &'a mut Connection) -> Tx<'a> {
        Tx {
            connection,
            failure: None,
            has_changed: false,
            has_written: false,
            statements: 0,
            follows: Vec::new(),
        }
    }

    /// Runs a statement that returns no rows and tells how many it changed.
    pub fn exec(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64> {
        self.has_written = true;
        let changed = self.attempt(|connection| connection.exec(sql, params))?;
        self.has_changed |= changed > 0;
        Ok(changed)
    }

    /// Like [`Tx::exec`] for a statement of which everybody knows that it changes one row. On
    /// PostgreSQL it may run later, together with others; when it changes another number of rows
    /// after all, the closure runs once more and is told the true number.
    pub fn exec_one(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64> {
        self.has_written = true;
        let changed = self.attempt(|connection| connection.exec_later(sql, params, Some(1)))?;
        self.has_changed |= changed > 0;
        Ok(changed)
    }

    /// The same for a statement of which nobody asks how many rows it changes.
    pub fn exec_later(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<()> {
        self.has_written = true;
        self.attempt(|connection| connection.exec_later(sql, params, None)).map(drop)
    }

    /// The only row, if there is one. A second row is a fault of ours.
    pub fn one<R: FromRow>(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<Option<R>> {
        let mut found = None;
        self.query(sql, params, &mut |mut row| match found.replace(row.next::<R>()?) {
            None => Ok(()),
            Some(_) => Err(Failure::in_statement("more than one row", sql).error),
        })?;
        Ok(found)
    }

    /// Every row.
    pub fn all<R: FromRow>(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        self.query(sql, params, &mut |mut row| {
            rows.push(row.next::<R>()?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The moment by which claims and leases are checked: the database's clock on PostgreSQL, where
    /// several machines share it, and the handed-in time on SQLite. In a
    /// transaction that writes it is the moment at which that began.
    pub fn now(&mut self, fallback: Time) -> Result<Time> {
        if !self.is_shared() {
            return Ok(fallback);
        }
        let began_at = match &*self.connection {
            Connection::Postgres(session) => session.began_at(),
            Connection::Sqlite(_) => None,
        };
        match began_at {
            Some(now) => Ok(now),
            None => self.database_clock(),
        }
    }

    /// The database's own clock.
    pub(crate) fn database_clock(&mut self) -> Result<Time> {
        let now = self.one::<Time>(self.choose(DATABASE_CLOCK), &[])?;
        now.ok_or_else(|| Error::Broken("the database has no clock".to_owned()))
    }

    /// Whether this is PostgreSQL, where other processes write too.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.connection, Connection::Postgres(_))
    }

    /// Like [`Tx::exec`], but `None` when another transaction held a needed lock for too long. The
    /// transaction can go on in either case.
    pub(crate) fn exec_unless_locked(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
    ) -> Result<Option<u64>> {
        match self.connection {
            // A write transaction of SQLite already holds the only lock.
            Connection::Sqlite(_) => return self.exec(sql, params).map(Some),
            Connection::Postgres(session) if session.may_defer() => {
                return self.exec_one(sql, params).map(Some);
            }
            Connection::Postgres(_) => {}
        }
        self.batch("SAVEPOINT unlocked")?;
        match self.exec(sql, params) {
            Err(_) if self.cause() == Some(Cause::LockTimeout) => {
                self.failure = None;
                self.batch("ROLLBACK TO SAVEPOINT unlocked")?;
                Ok(None)
            }
            result => result.map(Some),
        }
    }

    /// What SQLite finds broken in its file; PostgreSQL is not asked.
    pub(crate) fn verify_pages(&mut self) -> Result<Vec<String>> {
        self.attempt(|connection| match connection {
            Connection::Sqlite(session) => Ok(session.verify_pages()),
            Connection::Postgres(_) => Ok(Vec::new()),
        })
    }

    /// Runs statements without parameters, as they are: migrations.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<()> {
        self.attempt(|connection| connection.batch(sql))
    }

    /// The failed statement's error, whether or not the closure passed it on.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.failure.as_ref().map(|failure| failure.error.clone())
    }

    /// Whether a statement has changed something.
    pub(crate) fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Whether there may be something to undo: a statement was run that may have changed something.
    pub(crate) fn has_written(&self) -> bool {
        self.has_written
    }

    /// What the failed statement allows.
    pub(crate) fn cause(&self) -> Option<Cause> {
        self.failure.as_ref().map(|failure| failure.cause)
    }

    /// Makes the present failure final.
    pub(crate) fn forbid_retry(&mut self) {
        self.failure = Some(Failure::broken("the closure panicked"));
    }

    fn choose(&self, both: Both) -> &'static str {
        if self.is_shared() { both.postgres } else { both.sqlite }
    }

    fn query(&mut self, sql: &'static str, params: &[Param<'_>], each: EachRow<'_>) -> Result<()> {
        // A statement that writes may also tell what it wrote.
        self.has_written |= !sql.trim_start().starts_with("SELECT");
        self.attempt(|connection| connection.query(sql, params, each))
    }

    /// How many statements were run.
    pub(crate) fn statements(&self) -> u32 {
        self.statements
    }

    /// Every statement passes here, so that a failure is remembered even when the closure drops it.
    fn attempt<T>(
        &mut self,
        statement: impl FnOnce(&mut Connection) -> Result<T, Failure>,
    ) -> Result<T> {
        if let Some(error) = self.failure() {
            return Err(error);
        }
        self.statements += 1;
        statement(self.connection).map_err(|failure| {
            let error = failure.error.clone();
            self.failure = Some(failure);
            error
        })
    }
}
