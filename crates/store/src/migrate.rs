//! Brings a database to this release's schema. Each migration is one transaction together with the
//! row that records it, so a crash leaves it whole or not at all; two processes take turns.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::dialect::Mode;
use crate::error::{Error, OpenError, Result};
use crate::sql::{Connection, Tx};

/// One step of the schema. Its text never changes after a release.
#[derive(Clone, Copy)]
pub(crate) struct Migration {
    version: i64,
    name: &'static str,
    text: &'static str,
}

macro_rules! migrations {
    ($($version:literal $name:literal)*) => {
        &[$(Migration {
            version: $version,
            name: $name,
            text: include_str!(concat!("../migrations/", $name, ".sql")),
        }),*]
    };
}

/// All migrations in order.
pub(crate) const MIGRATIONS: &[Migration] = migrations! {
    1 "0001_teams"
    2 "0002_work"
    3 "0003_booking"
    4 "0004_papers"
    5 "0005_events"
    6 "0006_batches"
    7 "0007_tracking"
    8 "0008_points"
    9 "0009_files"
    10 "0010_indexes"
    11 "0011_epochs"
    12 "0012_attempts"
    13 "0013_recovery"
    14 "0014_quotas"
    15 "0015_retention"
    16 "0016_carrier_data"
    17 "0017_pending_events"
    18 "0018_queues"
    19 "0019_retention"
    20 "0020_printing"
    21 "0021_agents"
    22 "0022_printer_keys"
    23 "0023_merges"
    24 "0024_print_indexes"
    25 "0025_oauth"
    26 "0026_sign_in"
    27 "0027_administration"
    28 "0028_setup_link"
    29 "0029_secrets"
    30 "0030_deleted"
    31 "0031_legacy"
    32 "0032_wms"
    33 "0033_wms_papers"
};

/// Any number will do as long as every release takes the same.
const TURN: &str = "SELECT pg_advisory_xact_lock(7089243512)";

/// What SQLite is to think of the sizes of things; PostgreSQL finds out by itself.
const WEIGHTS: &str = include_str!("sqlite/weights.sql");

/// How PostgreSQL is to keep its tables. SQLite has nothing to choose.
const STORAGE: &str = include_str!("postgresql/storage.sql");

/// Applies what is missing. Refuses a database that a newer release or another text has touched,
/// and one that has nothing of ours when it must: then it is named as `must_exist` says.
pub(crate) fn migrate(
    connection: &mut Connection,
    migrations: &[Migration],
    must_exist: Option<String>,
) -> Result<(), OpenError> {
    loop {
        let unreachable = |error: Error| OpenError::Unreachable(error.to_string());
        connection.begin(Mode::Write).map_err(|failure| unreachable(failure.error))?;
        let stepped = step(&mut Tx::new(connection), migrations, must_exist.as_deref());
        let ended = match &stepped {
            Ok(_) => connection.commit(),
            Err(_) => connection.rollback(),
        };
        let is_done = stepped?;
        ended.map_err(|failure| unreachable(failure.error))?;
        if is_done {
            return Ok(());
        }
    }
}

/// Applies the next missing migration; true when none was missing.
fn step(
    tx: &mut Tx<'_>,
    migrations: &[Migration],
    must_exist: Option<&str>,
) -> Result<bool, OpenError> {
    let applied = list_applied(tx).map_err(|error| OpenError::Unreachable(error.to_string()))?;
    if let Some(place) = must_exist.filter(|_| applied.is_empty()) {
        // The table that was made to look into is rolled back too.
        return Err(OpenError::Missing(place.to_owned()));
    }
    verify_applied(&applied, migrations)?;
    let is_applied = |version| applied.iter().any(|(applied, _)| *applied == version);
    let Some(next) = migrations.iter().find(|migration| !is_applied(migration.version)) else {
        return Ok(true);
    };
    apply(tx, next).map_err(|error| OpenError::Migration(next.version, error))?;
    Ok(false)
}

/// Refuses migrations that a newer release or another text has applied.
pub(crate) fn verify_applied(
    applied: &[(i64, String)],
    migrations: &[Migration],
) -> Result<(), OpenError> {
    for (version, checksum) in applied {
        let known = migrations.last().map_or(0, |last| last.version);
        let ours = migrations.iter().find(|migration| migration.version == *version);
        let ours = ours.ok_or(OpenError::Newer { version: *version, known })?;
        if *checksum != ours.checksum() {
            return Err(OpenError::Changed(*version));
        }
    }
    Ok(())
}

fn list_applied(tx: &mut Tx<'_>) -> Result<Vec<(i64, String)>> {
    if tx.is_shared() {
        tx.batch(TURN)?;
    }
    tx.batch(
        "CREATE TABLE IF NOT EXISTS schema_migration (
             version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,
             applied_at BIGINT NOT NULL)",
    )?;
    tx.all("SELECT version, checksum FROM schema_migration ORDER BY version", &[])
}

fn apply(tx: &mut Tx<'_>, migration: &Migration) -> Result<()> {
    tx.batch(migration.text)?;
    tx.batch(if tx.is_shared() { STORAGE } else { WEIGHTS })?;
    let now = tx.database_clock()?;
    tx.exec(
        "INSERT INTO schema_migration (version, name, checksum, applied_at)
         VALUES ($1, $2, $3, $4)",
        &[migration.version.into(), migration.name.into(), migration.checksum().into(), now.into()],
    )?;
    Ok(())
}

impl Migration {
    fn checksum(&self) -> String {
        hex(&Sha256::digest(self.text))
    }
}

/// Short and equal for equal migrations.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn fingerprint(migrations: &[Migration]) -> String {
    let all: String = migrations.iter().map(Migration::checksum).collect();
    hex(&Sha256::digest(all)[..6])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Database, Scratch, fresh};
    use crate::{Options, Store};

    /// A release with one more migration.
    fn open_with_next(scratch: &Scratch, text: &'static str) -> Result<Store, OpenError> {
        let next = Migration { version: 9999, name: "9999_next", text };
        let release = [MIGRATIONS, &[next]].concat();
        Store::open_with(&scratch.url, Options::default(), &release)
    }

    #[test]
    fn a_migration_that_fails_half_way_leaves_nothing() {
        for database in [Database::Sqlite, Database::Postgres] {
            let scratch = fresh(database);
            let half = "CREATE TABLE half (a BIGINT); INSERT INTO meta VALUES ('half', 'done');
                        CREATE TABLE half (b BIGINT);";
            let failed = open_with_next(&scratch, half);
            assert!(matches!(failed, Err(OpenError::Migration(9999, _))));
            let left = scratch.store.blocking_read(|tx| crate::meta::find(tx, "half"));
            assert_eq!(left.unwrap(), None);

            let whole = "CREATE TABLE half (a BIGINT)";
            let repaired = open_with_next(&scratch, whole).unwrap();
            let count = |tx: &mut Tx<'_>| tx.one::<i64>("SELECT count(*) FROM half", &[]);
            assert_eq!(repaired.blocking_read(count).unwrap(), Some(0));
            open_with_next(&scratch, whole).unwrap();
        }
    }

    #[test]
    fn an_older_release_refuses_what_a_newer_one_has_migrated() {
        for database in [Database::Sqlite, Database::Postgres] {
            let scratch = fresh(database);
            open_with_next(&scratch, "CREATE TABLE later (a BIGINT)").unwrap();
            let refused = Store::open(&scratch.url, Options::default());
            assert!(matches!(refused, Err(OpenError::Newer { version: 9999, .. })));
        }
    }

    #[test]
    fn versions_grow_and_names_begin_with_them() {
        assert!(MIGRATIONS.windows(2).all(|pair| pair[0].version + 1 == pair[1].version));
        for migration in MIGRATIONS {
            let start = format!("{:04}_", migration.version);
            assert!(migration.name.starts_with(&start), "{}", migration.name);
        }
    }
}
