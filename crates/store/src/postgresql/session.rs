//! One connection to PostgreSQL and the statements prepared on it.
//!
//! Most statements that write change one row, and everybody knows that beforehand. They are put
//! off and sent together with the next one whose answer is needed: the server works through them
//! without waiting for us in between. What they changed is compared before the commit; when it is
//! not what was expected, the transaction is undone and run again, in the end with nothing put off.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio_postgres::{
    Client, Error as ClientError, Row as ClientRow, SimpleQueryMessage, Statement,
};
use waybill_domain::time::Time;

use super::deferred::{DeferredList, Outgoing, for_many_rows};
use super::values::list;
use super::{SET_UP, Server, errors};
use crate::dialect::{DATABASE_CLOCK, Mode};
use crate::error::{Cause, Error, Failure, Result, chain};
use crate::stopwatch::Stopwatch;
use crate::value::{FromRow, Param, Row};

/// The server keeps the plan of a prepared statement until it has counted the rows anew. One that
/// was made for an empty table reads a whole team by then, so plans are not kept for longer: at
/// first, and then for twice as long each time.
const PLANS_AGE: [Duration; 2] = [Duration::from_secs(5), Duration::from_mins(1)];

/// More are not put off: the server would wait for work.
const DEFERRED_MAX: usize = 256;

/// How long the server is given to hear that we go.
const GOODBYE: Duration = Duration::from_millis(100);

/// One connection.
pub(crate) struct Session {
    /// Drives the connection while we wait, and only then.
    runtime: Runtime,
    client: Option<Client>,
    driver: tokio::task::JoinHandle<()>,
    /// Who we are there.
    user: String,
    prepared: HashMap<&'static str, Statement>,
    /// Those for many rows, by the one for one row. Nothing where there is none.
    prepared_for_many: HashMap<&'static str, Option<Statement>>,
    planned: Stopwatch,
    plans_age: Duration,
    is_reading: bool,
    /// The server's clock when the transaction began that writes.
    began_at: Option<Time>,
    /// Whether statements may be put off.
    may_defer: bool,
    deferred: DeferredList,
}

impl Session {
    /// Connects and sets the session up.
    pub(crate) fn connect(server: &Server) -> Result<Session, Error> {
        let unavailable = |error: ClientError| Error::Unavailable(chain(&error));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::Unavailable(error.to_string()))?;
        let connected = runtime.block_on(server.config.connect(server.tls.clone()));
        let (client, connection) = connected.map_err(unavailable)?;
        // An error that ends the connection is told to whoever waits for an answer.
        let driver = runtime.spawn(async move { drop(connection.await) });
        runtime.block_on(client.batch_execute(SET_UP)).map_err(unavailable)?;
        let user = server.config.get_user().unwrap_or_default().to_owned();
        Ok(Session {
            runtime,
            client: Some(client),
            driver,
            user,
            prepared: HashMap::new(),
            prepared_for_many: HashMap::new(),
            planned: Stopwatch::start(),
            plans_age: PLANS_AGE[0],
            is_reading: false,
            began_at: None,
            may_defer: false,
            deferred: DeferredList::default(),
        })
    }

    /// The process that answers us there. It is asked in a way that needs no prepared statement.
    pub(super) fn backend(&mut self) -> Result<Option<String>, Failure> {
        let sql = "SELECT pg_backend_pid()";
        let answered = self.runtime.block_on(self.client()?.simple_query(sql));
        let messages = answered.map_err(|error| self.failure(&error, sql))?;
        let told = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        Ok(told)
    }

    /// Begins a transaction. One that writes hears the server's time with the same answer.
    pub(crate) fn begin(&mut self, mode: Mode) -> Result<(), Failure> {
        self.deferred.take();
        self.is_reading = mode == Mode::Read;
        self.began_at = None;
        self.forget_old_plans()?;
        if mode == Mode::Read {
            // One snapshot for all statements, as SQLite gives.
            return self.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        }
        let (sql, clock) = ("BEGIN ISOLATION LEVEL READ COMMITTED", DATABASE_CLOCK.postgres);
        let statement = self.prepare(clock)?;
        let client = self.client()?;
        let (begun, rows) = self.runtime.block_on(async {
            let begun = async { client.batch_execute(sql).await };
            let clock = async { client.query(&statement, &[]).await };
            tokio::join!(biased; begun, clock)
        });
        begun.map_err(|error| self.failure(&error, sql))?;
        let rows = rows.map_err(|error| self.failure(&error, clock))?;
        let row = rows.first().ok_or_else(|| Failure::broken("the server has no clock"))?;
        self.began_at = Some(Time::from_row(&mut Row::postgres(row))?);
        Ok(())
    }

    /// The server's clock when the transaction began, when it writes.
    pub(crate) fn began_at(&self) -> Option<Time> {
        self.began_at
    }

    /// Says whether statements of the next transactions may be put off.
    pub(crate) fn set_may_defer(&mut self, may_defer: bool) {
        self.may_defer = may_defer;
    }

    /// From now on another closure of the transaction speaks.
    pub(crate) fn next_closure(&mut self) {
        self.deferred.next_closure();
    }

    /// Whether statements may be put off.
    pub(crate) fn may_defer(&self) -> bool {
        self.may_defer
    }

    /// Runs words without parameters, as they are.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        self.flush()?;
        let done = self.runtime.block_on(self.client()?.batch_execute(sql));
        done.map_err(|error| self.failure(&error, sql))
    }

    /// Undoes the transaction, and what was put off is never sent.
    pub(crate) fn rollback(&mut self) -> Result<(), Failure> {
        self.deferred.take();
        self.batch("ROLLBACK")
    }

    fn forget_old_plans(&mut self) -> Result<(), Failure> {
        if self.planned.elapsed() < self.plans_age {
            return Ok(());
        }
        self.planned = Stopwatch::start();
        self.plans_age = (2 * self.plans_age).min(PLANS_AGE[1]);
        self.batch("DISCARD PLANS")
    }

    /// Runs a statement and tells how many rows it changed.
    pub(crate) fn exec(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64, Failure> {
        let statement = self.prepare(sql)?;
        let changed =
            self.send(|client| async move { client.execute(&statement, &list(params)).await })?;
        changed.map_err(|error| self.failure(&error, sql))
    }

    /// Runs a statement sooner or later in this transaction, and tells how many rows it changed or
    /// is expected to.
    pub(crate) fn exec_later(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
        expected: Option<u64>,
    ) -> Result<u64, Failure> {
        if !self.may_defer {
            return self.exec(sql, params);
        }
        let statement = self.prepare(sql)?;
        let row = params.iter().cloned().map(Param::into_owned).collect();
        self.deferred.push(sql, statement, row, expected);
        if self.deferred.len() >= DEFERRED_MAX {
            self.flush()?;
        }
        Ok(expected.unwrap_or(0))
    }

    /// Runs a statement and hands on its rows.
    pub(crate) fn query(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(Row<'_>) -> Result<()>,
    ) -> Result<(), Failure> {
        let statement = self.prepare(sql)?;
        let rows: Result<Vec<ClientRow>, ClientError> =
            self.send(|client| async move { client.query(&statement, &list(params)).await })?;
        let rows = rows.map_err(|error| self.failure(&error, sql))?;
        rows.iter().try_for_each(|row| each(Row::postgres(row))).map_err(Failure::from)
    }

    /// Sends what was put off.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        if self.deferred.len() == 0 {
            return Ok(());
        }
        self.send(|_| async {})
    }

    /// Sends what was put off and this last one, and waits for all the answers.
    fn send<'s, T, F>(&'s mut self, last: impl FnOnce(&'s Client) -> F) -> Result<T, Failure>
    where
        F: Future<Output = T>,
    {
        let outgoing = self.outgoing()?;
        let params: Vec<_> = outgoing.iter().map(Outgoing::params).collect();
        let this = &*self;
        let client = this.client()?;
        let (answer, counts) = this.runtime.block_on(async {
            let mut running = Vec::with_capacity(outgoing.len());
            for (one, params) in outgoing.iter().zip(&params) {
                running.push(Box::pin(client.execute(&one.statement, params)));
            }
            // A statement is sent when it is first polled: they leave in their order.
            let mut counts = poll_fn(|context| {
                let polled = running.iter_mut().map(|one| one.as_mut().poll(context));
                Poll::Ready(polled.collect::<Vec<_>>())
            })
            .await;
            // The answers come in the same order, and the first that nobody reads would hold up
            // those after it.
            let mut last = pin!(last(client));
            let early = poll_fn(|context| Poll::Ready(last.as_mut().poll(context))).await;
            for (count, one) in counts.iter_mut().zip(running) {
                if count.is_pending() {
                    *count = Poll::Ready(one.await);
                }
            }
            let answer = match early {
                Poll::Ready(answer) => answer,
                Poll::Pending => last.await,
            };
            (answer, counts)
        });
        for (one, count) in outgoing.iter().zip(counts) {
            this.verify(one, count)?;
        }
        Ok(answer)
    }

    /// What was put off, as it is sent: rows for the same table together.
    fn outgoing(&mut self) -> Result<Vec<Outgoing>, Failure> {
        let mut outgoing = Vec::new();
        for batch in self.deferred.take() {
            let many = match batch.has_many_rows() {
                true => self.prepare_for_many(batch.sql, &batch.statement)?,
                false => None,
            };
            match many {
                Some(statement) => outgoing.push(batch.together(statement)),
                None => outgoing.extend(batch.one_by_one()),
            }
        }
        Ok(outgoing)
    }

    fn prepare_for_many(
        &mut self,
        sql: &'static str,
        one: &Statement,
    ) -> Result<Option<Statement>, Failure> {
        if let Some(known) = self.prepared_for_many.get(sql) {
            return Ok(known.clone());
        }
        let words = for_many_rows(sql, one.params());
        let prepare = |words: &str| {
            self.runtime
                .block_on(self.client()?.prepare(words))
                .map_err(|error| self.failure(&error, sql))
        };
        let many = words.as_deref().map(prepare).transpose()?;
        self.prepared_for_many.insert(sql, many.clone());
        Ok(many)
    }

    /// A statement that was put off and did something else than was expected: its closure could not
    /// see that, so it has to run again.
    fn verify(&self, one: &Outgoing, count: Poll<Result<u64, ClientError>>) -> Result<(), Failure> {
        let error = match count {
            Poll::Ready(Ok(count)) if one.expected.is_none_or(|expected| expected == count) => {
                return Ok(());
            }
            Poll::Ready(Err(error)) => self.failure(&error, one.sql).error,
            _ => Failure::in_statement("another number of rows than expected", one.sql).error,
        };
        Err(Failure { error, cause: Cause::Surprise })
    }

    fn prepare(&mut self, sql: &'static str) -> Result<Statement, Failure> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.runtime.block_on(self.client()?.prepare(sql));
        let statement = prepared.map_err(|error| self.failure(&error, sql))?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }

    fn client(&self) -> Result<&Client, Failure> {
        self.client.as_ref().ok_or_else(|| Failure::unavailable("the connection is closed"))
    }

    fn failure(&self, error: &ClientError, sql: &str) -> Failure {
        errors::understand(error, sql, &self.user, self.is_reading)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The connection says goodbye when nobody can use it any more.
        self.prepared.clear();
        self.prepared_for_many.clear();
        self.deferred.take();
        self.client = None;
        let driver = Pin::new(&mut self.driver);
        let _gone = self.runtime.block_on(async { tokio::time::timeout(GOODBYE, driver).await });
    }
}
