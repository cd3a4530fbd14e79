//! Facts of the installation itself, such as the name of its secret key.

use crate::{Result, Tx};

/// The fact that names the key which all that is sealed in the database can be opened with.
pub const SECRET_KEY: &str = "secret-key";

/// The fact that names the key with which the server that was started last seals.
pub const SERVER_KEY: &str = "server-key";

/// The value of that name.
pub fn find(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>> {
    tx.one("SELECT value FROM meta WHERE name = $1", &[name.into()])
}

/// Writes the value unless the name has one. True when it was written.
pub fn insert_if_absent(tx: &mut Tx<'_>, name: &str, value: &str) -> Result<bool> {
    let rows = tx.exec(
        "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        &[name.into(), value.into()],
    )?;
    Ok(rows == 1)
}

/// Writes the value over the one that is there.
pub fn set(tx: &mut Tx<'_>, name: &str, value: &str) -> Result<()> {
    tx.exec(
        "INSERT INTO meta (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET value = $2",
        &[name.into(), value.into()],
    )?;
    Ok(())
}
