//! The schema of the spool. Migrations go forward only: a spool that a newer version has written is
//! left alone.

use std::path::Path;

use rusqlite::Connection;

use super::error::SpoolError;

/// Each brings the schema from its place in this list to the next.
const MIGRATIONS: [&str; 1] = [include_str!("schema.sql")];

/// Brings the schema up to date.
pub fn migrate(connection: &mut Connection, path: &Path) -> Result<(), SpoolError> {
    let found = version(connection)?;
    let Some(missing) = MIGRATIONS.get(found..) else {
        return Err(SpoolError::Newer(path.to_owned()));
    };
    if missing.is_empty() {
        return Ok(());
    }
    let tx = connection.transaction()?;
    for migration in missing {
        tx.execute_batch(migration)?;
    }
    tx.pragma_update(None, "user_version", i64::try_from(MIGRATIONS.len()).unwrap_or(0))?;
    Ok(tx.commit()?)
}

/// Fails when the schema is not the one that this version reads.
pub fn verify(connection: &Connection, path: &Path) -> Result<(), SpoolError> {
    match version(connection)? {
        found if found > MIGRATIONS.len() => Err(SpoolError::Newer(path.to_owned())),
        found if found < MIGRATIONS.len() => Err(SpoolError::Missing(path.to_owned())),
        _ => Ok(()),
    }
}

fn version(connection: &Connection) -> Result<usize, SpoolError> {
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    usize::try_from(found).map_err(|_| SpoolError::Broken("its version"))
}
