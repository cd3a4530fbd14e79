//! Opens the database for a command that works beside the server.

use std::path::Path;
use std::sync::Arc;

use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_store::{OpenError, Options, Store, epochs, sqlite_path};

use super::error::CliError;
use crate::config::Config;

/// Opens a database that must be there: a mistyped name is not made into an empty one.
pub fn open_existing(config: &Config) -> Result<Store, OpenError> {
    match missing_file(config) {
        Some(path) => Err(OpenError::Missing(path.display().to_string())),
        None => {
            let options = Options { must_exist: true, ..Options::default() };
            Store::open(&config.database, options)
        }
    }
}

/// Opens a database, or makes it: the first team may be there before the first start.
pub fn open_or_create(config: &Config) -> Result<Store, CliError> {
    let missing = missing_file(config);
    let store = Store::open(&config.database, Options::default())?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let (id, copy, now) = (SystemIds::new(clock.clone()).uuid(), store.copy_name(), clock.now());
    store.blocking_write(move |tx| epochs::begin_first(tx, id, &copy, now))?;
    if let Some(path) = missing {
        eprintln!("waybill: a new database was made at {}", path.display());
    }
    Ok(store)
}

/// The file of a SQLite database that is not there, or has nothing in it. Nor has its write-ahead
/// log: that one is told of elsewhere.
fn missing_file(config: &Config) -> Option<&Path> {
    let path = sqlite_path(&config.database)?;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let is_empty = |path: &Path| path.metadata().map_or(true, |it| it.is_file() && it.len() == 0);
    (is_empty(path) && is_empty(Path::new(&log))).then_some(path)
}
