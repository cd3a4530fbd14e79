//! PostgreSQL: how a connection is opened, and how its errors are understood. A lost connection or
//! an overloaded server is always "unavailable", never a fault of ours.

use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::Host;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{OpenError, Result, UrlError};

mod deferred;
mod denied;
mod errors;
pub(crate) mod hints;
mod pooler;
mod session;
pub(crate) mod threads;
mod tls;
mod values;

pub(crate) use pooler::refuse_shared_connections;
pub(crate) use session::Session;

/// Sent once per connection. A lock is waited for longer than any transaction of ours takes and
/// shorter than a caller waits. A server that hangs inside a transaction loses it before those who
/// wait for its locks give up: our closures never pause there. An acknowledged commit is durable
/// whatever the server's default. Statements are written for one plan, which need not be made anew
/// for every value. They read few rows: compiling them, or workers that share the reading, would
/// take longer than they do.
const SET_UP: &str = "
    SET statement_timeout = '30s';
    SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '3s';
    SET plan_cache_mode = 'force_generic_plan';
    SET jit = off;
    SET max_parallel_workers_per_gather = 0;
    SELECT set_config('synchronous_commit', 'on', false)
     WHERE current_setting('synchronous_commit') = 'off'";

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
