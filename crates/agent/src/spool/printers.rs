//! The printers that an agent has or had, with what they said of themselves.

use rusqlite::{OptionalExtension, Row, Transaction, params};
use waybill_domain::json;
use waybill_domain::printing::Abilities;
use waybill_domain::time::Time;
use waybill_printing::queue::QueuePrinter;

use super::error::SpoolError;

/// A printer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpoolPrinter {
    /// What the server knows it by.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// Whether it is told to the server.
    pub is_listed: bool,
    /// What is known of it.
    pub seen: QueuePrinter,
}

const SELECT: &str = "SELECT key, name, is_listed, uri, tls_key, abilities, is_online, why_offline,
                             misses, looked_at, asked_at
                        FROM printer ";

fn read(row: &Row<'_>) -> rusqlite::Result<SpoolPrinter> {
    let abilities: String = row.get(5)?;
    // It was written here. What cannot be read is asked for again.
    let abilities = json::parse(abilities.as_bytes()).ok();
    let abilities = abilities.as_ref().map(Abilities::from_json).unwrap_or_default();
    Ok(SpoolPrinter {
        key: row.get(0)?,
        name: row.get(1)?,
        is_listed: row.get(2)?,
        seen: QueuePrinter {
            uri: row.get(3)?,
            key: row.get(4)?,
            formats: None,
            abilities,
            is_online: row.get(6)?,
            why_offline: row.get(7)?,
            misses: row.get(8)?,
            looked_at: Time(row.get(9)?),
            asked_at: Time(row.get(10)?),
        },
    })
}

/// A printer, when it is known.
pub fn find(tx: &Transaction<'_>, key: &str) -> Result<Option<SpoolPrinter>, SpoolError> {
    let mut find = tx.prepare_cached(&format!("{SELECT} WHERE key = ?1"))?;
    Ok(find.query_row([key], read).optional()?)
}

/// All of them, by their keys.
pub fn list(tx: &Transaction<'_>) -> Result<Vec<SpoolPrinter>, SpoolError> {
    let mut list = tx.prepare_cached(&format!("{SELECT} ORDER BY key"))?;
    Ok(list.query_map([], read)?.collect::<Result<_, _>>()?)
}

/// Adds a printer, or tells what it is called and where it is from now on. One at another address
/// is another one: nothing is known of it yet.
pub fn insert(
    tx: &Transaction<'_>,
    (key, name): (&str, &str),
    seen: &QueuePrinter,
) -> Result<(), SpoolError> {
    match find(tx, key)? {
        Some(known) if known.seen.uri == seen.uri => {
            let mut rename =
                tx.prepare_cached("UPDATE printer SET name = ?2, is_listed = 1 WHERE key = ?1")?;
            rename.execute([key, name])?;
            return Ok(());
        }
        Some(_) => remove(tx, key)?,
        None => {}
    }
    let mut insert = tx.prepare_cached(
        "INSERT INTO printer (key, name, uri, abilities, is_online, misses, looked_at, asked_at,
                              is_listed)
         VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, 1)",
    )?;
    insert.execute(params![
        key,
        name,
        seen.uri,
        seen.abilities.to_json().to_string(),
        seen.is_online,
        seen.looked_at.0,
        seen.asked_at.0,
    ])?;
    Ok(())
}

/// Whether a printer is told to the server.
pub fn set_listed(tx: &Transaction<'_>, key: &str, is_listed: bool) -> Result<(), SpoolError> {
    let mut set = tx.prepare_cached("UPDATE printer SET is_listed = ?2 WHERE key = ?1")?;
    set.execute(params![key, is_listed])?;
    Ok(())
}

/// Writes what a printer said of itself.
pub fn note(tx: &Transaction<'_>, key: &str, seen: &QueuePrinter) -> Result<(), SpoolError> {
    let mut note = tx.prepare_cached(
        "UPDATE printer SET tls_key = ?3, abilities = ?4, is_online = ?5, why_offline = ?6,
                misses = ?7, looked_at = ?8, asked_at = ?9
          WHERE key = ?1 AND uri = ?2",
    )?;
    note.execute(params![
        key,
        seen.uri,
        seen.key,
        seen.abilities.to_json().to_string(),
        seen.is_online,
        seen.why_offline,
        seen.misses,
        seen.looked_at.0,
        seen.asked_at.0,
    ])?;
    Ok(())
}

/// Removes a printer.
pub fn remove(tx: &Transaction<'_>, key: &str) -> Result<(), SpoolError> {
    tx.prepare_cached("DELETE FROM printer WHERE key = ?1")?.execute([key])?;
    Ok(())
}
