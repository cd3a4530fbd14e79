//! PostgreSQL: how a connection is opened, and how its errors are understood. A lost connection or
//! an overloaded server is always "unavailable", never a fault of ours.

use std::collections::HashMap;
use std::error::Error as _;
use std::str::FromStr;
use std::time::Duration;

use postgres::config::Host;
use postgres::error::{DbError, SqlState};
use postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use postgres::{Client, Config, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;
use uuid::Uuid;

use crate::error::{Cause, Error, Failure, OpenError, Result, UrlError, chain};
use crate::stopwatch::Stopwatch;
use crate::value::{Cell, Param, Row};

mod denied;
pub(crate) mod hints;
pub(crate) mod threads;
mod tls;

type Fault = Box<dyn std::error::Error + Sync + Send>;

/// Sent once per connection. A lock is waited for longer than any transaction of ours takes and
/// shorter than a caller waits. An acknowledged commit is durable whatever the server's default.
/// Statements are written for one plan, which need not be made anew for every value.
const SET_UP: &str = "
    SET statement_timeout = '30s';
    SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '60s';
    SET plan_cache_mode = 'force_generic_plan';
    SELECT set_config('synchronous_commit', 'on', false)
     WHERE current_setting('synchronous_commit') = 'off'";

/// The server keeps the plan of a prepared statement until it has counted the rows anew. One that
/// was made for an empty table reads a whole team by then, so plans are not kept for longer.
const PLANS_AGE_MAX: Duration = Duration::from_secs(5);

/// One connection and the statements prepared on it.
pub(crate) struct Session {
    client: Client,
    /// Who we are there.
    user: String,
    prepared: HashMap<&'static str, Statement>,
    planned: Stopwatch,
    is_reading: bool,
}

/// Where the server is, and how to speak to it.
#[derive(Clone)]
pub(crate) struct Server {
    config: Config,
    tls: MakeRustlsConnect,
}

/// What is wrong with a URL as it is written. Nobody is asked, and no file is read.
pub(crate) fn check_url(url: &str) -> Result<(), UrlError> {
    let (url, _) = tls::Wishes::take(url)?;
    Config::from_str(&url).map(drop).map_err(UrlError::Postgres)
}

/// Reads the URL and adds what an operator rarely thinks of: a half-dead network is noticed.
pub(crate) fn parse_url(url: &str) -> Result<Server, OpenError> {
    let (url, wishes) = tls::Wishes::take(url).map_err(OpenError::Url)?;
    let config = Config::from_str(&url).map_err(UrlError::Postgres);
    let mut config = config.map_err(OpenError::Url)?;
    config.ssl_mode(wishes.mode);
    if config.get_application_name().is_none() {
        config.application_name("waybill");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(5));
    }
    config.keepalives_idle(Duration::from_secs(30));
    config.keepalives_interval(Duration::from_secs(10));
    config.keepalives_retries(3);
    config.tcp_user_timeout(Duration::from_secs(60));
    Ok(Server { config, tls: wishes.connector()? })
}

impl Server {
    /// Where the database is, without what the URL may hold of secrets.
    pub(crate) fn place(&self) -> String {
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        });
        let hosts = hosts.collect::<Vec<_>>().join(",");
        let name = self.config.get_dbname().or(self.config.get_user()).unwrap_or_default();
        format!("postgres://{hosts}/{name}")
    }
}

impl Session {
    /// Connects and sets the session up.
    pub(crate) fn connect(server: &Server) -> Result<Session, Error> {
        let unavailable = |error: postgres::Error| Error::Unavailable(chain(&error));
        let mut client = server.config.connect(server.tls.clone()).map_err(unavailable)?;
        client.batch_execute(SET_UP).map_err(unavailable)?;
        let (prepared, planned) = (HashMap::new(), Stopwatch::start());
        let user = server.config.get_user().unwrap_or_default().to_owned();
        Ok(Session { client, user, prepared, planned, is_reading: false })
    }

    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        if sql.starts_with("BEGIN") {
            self.is_reading = sql.ends_with("READ ONLY");
            self.forget_old_plans()?;
        }
        let done = self.client.batch_execute(sql);
        done.map_err(|error| self.failure(&error, sql))
    }

    fn forget_old_plans(&mut self) -> Result<(), Failure> {
        if self.planned.elapsed() < PLANS_AGE_MAX {
            return Ok(());
        }
        self.planned = Stopwatch::start();
        let sql = "DISCARD PLANS";
        self.client.batch_execute(sql).map_err(|error| self.failure(&error, sql))
    }

    pub(crate) fn exec(&mut self, sql: &'static str, params: &[Param<'_>]) -> Result<u64, Failure> {
        let statement = self.prepare(sql)?;
        let changed = self.client.execute(&statement, &list(params));
        changed.map_err(|error| self.failure(&error, sql))
    }

    pub(crate) fn query(
        &mut self,
        sql: &'static str,
        params: &[Param<'_>],
        each: &mut dyn FnMut(Row<'_>) -> Result<()>,
    ) -> Result<(), Failure> {
        let statement = self.prepare(sql)?;
        let rows = self.client.query(&statement, &list(params));
        let rows = rows.map_err(|error| self.failure(&error, sql))?;
        rows.iter().try_for_each(|row| each(Row::postgres(row))).map_err(Failure::from)
    }

    fn prepare(&mut self, sql: &'static str) -> Result<Statement, Failure> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.client.prepare(sql);
        let statement = prepared.map_err(|error| self.failure(&error, sql))?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }

    fn failure(&self, error: &postgres::Error, sql: &str) -> Failure {
        let Some(told) = error.as_db_error() else {
            // What is neither told by the server nor of the network went wrong on our side.
            let is_network = error.is_closed()
                || error.source().is_some_and(|source| source.is::<std::io::Error>());
            let text = chain(error);
            return match is_network {
                true => Failure::unavailable(text),
                false => Failure::in_statement(&text, sql),
            };
        };
        self.told(told, sql)
    }

    /// The message and never the detail, which quotes the row.
    fn told(&self, told: &DbError, sql: &str) -> Failure {
        let text = told.message().to_owned();
        let code = told.code();
        if *code == SqlState::UNIQUE_VIOLATION {
            let name = told.constraint().unwrap_or_default().to_owned();
            return Error::Conflict(name).into();
        }
        let unavailable = |cause| Failure { error: Error::Unavailable(text.clone()), cause };
        match code.code() {
            "40001" | "40P01" => unavailable(Cause::Collision),
            "55P03" => unavailable(Cause::LockTimeout),
            "42501" => Error::Denied(denied::explain(&text, &self.user)).into(),
            // A statement that ran for too long, and a server that stops, starts or starves.
            "57014" | "57P01" | "57P02" | "57P03" | "25P03" => unavailable(Cause::Final),
            // A writer that may only read speaks to a standby after a fail-over.
            "25006" if !self.is_reading => unavailable(Cause::Final),
            other if matches!(other.get(..2), Some("08" | "53" | "58")) => {
                unavailable(Cause::Final)
            }
            other => Failure::in_statement(&format!("{text} ({other})"), sql),
        }
    }
}

fn list<'a>(params: &'a [Param<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

impl ToSql for Param<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Fault> {
        match self {
            Param::Null => Ok(IsNull::Yes),
            Param::Int(number) if *ty == Type::INT8 => number.to_sql(ty, out),
            Param::Bool(truth) if *ty == Type::BOOL => truth.to_sql(ty, out),
            Param::Text(text) if <&str as ToSql>::accepts(ty) => text.as_ref().to_sql(ty, out),
            Param::Bytes(bytes) if *ty == Type::BYTEA => bytes.as_ref().to_sql(ty, out),
            Param::Uuid(uuid) if *ty == Type::UUID => uuid.to_sql(ty, out),
            Param::Float(number) if *ty == Type::FLOAT8 => number.to_sql(ty, out),
            _ => Err(format!("a parameter of type {ty} got another type").into()),
        }
    }

    /// The value decides, in `to_sql`: a `NULL` fits every type.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Cell<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Cell<'a>, Fault> {
        Ok(match *ty {
            Type::INT8 => Cell::Int(i64::from_sql(ty, raw)?),
            Type::BOOL => Cell::Bool(bool::from_sql(ty, raw)?),
            Type::BYTEA => Cell::Bytes(<&[u8]>::from_sql(ty, raw)?),
            Type::UUID => Cell::Uuid(Uuid::from_sql(ty, raw)?),
            Type::FLOAT8 => Cell::Float(f64::from_sql(ty, raw)?),
            _ => Cell::Text(<&str>::from_sql(ty, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Cell<'a>, Fault> {
        Ok(Cell::Null)
    }

    fn accepts(ty: &Type) -> bool {
        let plain = [Type::INT8, Type::BOOL, Type::BYTEA, Type::UUID, Type::FLOAT8];
        plain.contains(ty) || <&str as FromSql>::accepts(ty)
    }
}
