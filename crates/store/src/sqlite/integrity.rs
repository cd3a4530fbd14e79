//! What SQLite itself says of a file: whether its pages are sound and its references lead
//! somewhere.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::{log, progress};

/// Findings beyond this many add nothing.
const FINDINGS_MAX: usize = 100;

/// Everything that SQLite finds broken; nothing when the file is sound. A page that cannot be read
/// is a finding too.
pub(crate) fn verify(connection: &Connection) -> Vec<String> {
    let pages = first_column(connection, "PRAGMA integrity_check(100)");
    let mut broken = match pages {
        Ok(lines) if lines.len() == 1 && lines[0] == "ok" => Vec::new(),
        Ok(lines) => lines.into_iter().map(|line| format!("integrity_check: {line}")).collect(),
        Err(error) => vec![format!("integrity_check: {error}")],
    };
    match first_column(connection, "PRAGMA foreign_key_check") {
        Ok(tables) => broken.extend(tables.into_iter().map(|table| {
            format!("foreign_key_check: a row of {table} names a row that is not there")
        })),
        Err(error) => broken.push(format!("foreign_key_check: {error}")),
    }
    broken
}

/// What is broken first in a database together with its log, or that they lack what was in them
/// before although the database came after the log; nothing when they are sound. The log
/// stays as it is: closing the last connection would else write it into the file.
pub(crate) fn verify_log(database: &Path, is_newer: bool) -> Option<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match Connection::open_with_flags(database, flags) {
        Ok(connection) => connection,
        Err(error) => return Some(error.to_string()),
    };
    let keep = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
    match connection.set_db_config(keep, true) {
        Ok(_) => {
            let broken = verify(&connection).into_iter().next();
            broken.or_else(|| is_newer.then(|| lacks(&connection, database)).flatten())
        }
        Err(error) => Some(error.to_string()),
    }
}

/// Whether a database lacks what its log once held, together with what is left of the log. That
/// stays as it is.
pub(crate) fn lacks_log(database: &Path) -> rusqlite::Result<bool> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(database, flags)?;
    let has_log = log::size(database) > 0;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_log)?;
    Ok(progress::lacks_log(database, &connection))
}

/// A log of small changes may fit a copy by chance: an older one, which is known by its notes, or a
/// newer one, which holds more without the log.
fn lacks(connection: &Connection, database: &Path) -> Option<String> {
    let found = progress::find(connection).ok()?;
    if progress::is_older(database, found) {
        return Some("together they lack what was here before".to_owned());
    }
    let alone = open_unchanged(database).ok().and_then(|alone| progress::find(&alone).ok())?;
    let is_more = alone.iter().zip(found).any(|(alone, together)| *alone > together);
    is_more.then(|| "with the log it lacks what it holds alone".to_owned())
}

/// Opens a file as it is, without a log: nothing is written beside it, and nobody may write it
/// meanwhile.
pub(crate) fn open_unchanged(path: &Path) -> rusqlite::Result<Connection> {
    let name = path.to_string_lossy();
    let name = name.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)
}

/// SQLite tells many findings in one text, a line for each, below the name of the database.
fn findings(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty() && !line.starts_with("*** in database"))
}

fn first_column(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut texts = Vec::new();
    while let Some(row) = rows.next()? {
        match row.get_ref(0)? {
            ValueRef::Text(bytes) => texts.extend(findings(&String::from_utf8_lossy(bytes))),
            other => texts.push(format!("{other:?}")),
        }
        if texts.len() >= FINDINGS_MAX {
            break;
        }
    }
    texts.truncate(FINDINGS_MAX);
    Ok(texts)
}
