//! What the databases themselves can say of their files: SQLite's `integrity_check` and
//! `foreign_key_check`, and what `amcheck` offers where PostgreSQL has that extension.

use super::rule::Violation;
use crate::{Error, Result, Store, Tx};

const PAGES: &str = "the file is sound";
const INDEXES: &str = "an index is sound";
const TABLES: &str = "a table is sound";

/// A large index takes longer than a statement of the server may.
const NO_TIME_LIMIT: &str = "SET LOCAL statement_timeout = 0";

/// What was found, and what was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Integrity {
    /// Everything that is broken.
    pub violations: Vec<Violation>,
    /// What was looked at, or why it was not, in one line.
    pub looked_at: String,
}

/// Looks at the files themselves. It blocks, and reads everything.
pub fn check_integrity(store: &Store) -> Result<Integrity> {
    if !store.is_shared() {
        let broken = store.blocking_read(|tx| tx.verify_pages())?;
        let violations = broken.into_iter().map(|subject| Violation::new(PAGES, subject));
        let looked_at = "SQLite's integrity_check and foreign_key_check were run".to_owned();
        return Ok(Integrity { violations: violations.collect(), looked_at });
    }
    let functions = store.blocking_read(amcheck_functions)?;
    if functions == 0 {
        let looked_at = "indexes and tables were not looked into: CREATE EXTENSION amcheck lets \
                         this command look";
        return Ok(Integrity { violations: Vec::new(), looked_at: looked_at.to_owned() });
    }
    check_relations(store)
}

fn check_relations(store: &Store) -> Result<Integrity> {
    let (mut violations, mut indexes, mut tables) = (Vec::new(), 0, 0);
    for (oid, name) in store.blocking_read(list_indexes)? {
        indexes += 1;
        let checked = store.blocking_read(move |tx| {
            tx.batch(NO_TIME_LIMIT)?;
            tx.exec("SELECT bt_index_check(CAST(CAST($1 AS BIGINT) AS oid), true)", &[oid.into()])
        });
        match checked {
            Ok(_) => {}
            Err(Error::Denied(_)) => {
                let looked_at = "indexes and tables were not looked into: this user may not run \
                                 amcheck (GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public)";
                return Ok(Integrity { violations, looked_at: looked_at.to_owned() });
            }
            Err(Error::Broken(why)) => {
                violations.push(Violation::new(INDEXES, format!("{name}: {why}")));
            }
            Err(error) => return Err(error),
        }
    }
    for (oid, name) in store.blocking_read(list_tables)? {
        tables += 1;
        let findings: Vec<String> = store.blocking_read(move |tx| {
            tx.batch(NO_TIME_LIMIT)?;
            tx.all(
                "SELECT msg FROM verify_heapam(CAST(CAST($1 AS BIGINT) AS oid)) LIMIT 100",
                &[oid.into()],
            )
        })?;
        let found = findings.into_iter().map(|finding| format!("{name}: {finding}"));
        violations.extend(found.map(|subject| Violation::new(TABLES, subject)));
    }
    let looked_at = format!("amcheck looked at {indexes} indexes and {tables} tables");
    Ok(Integrity { violations, looked_at })
}

fn amcheck_functions(tx: &mut Tx<'_>) -> Result<i64> {
    let count = tx.one(
        "SELECT count(*) FROM pg_proc WHERE proname IN ('bt_index_check', 'verify_heapam')",
        &[],
    )?;
    Ok(count.unwrap_or(0))
}

fn list_indexes(tx: &mut Tx<'_>) -> Result<Vec<(i64, String)>> {
    tx.all(
        "SELECT CAST(pg_class.oid AS BIGINT), CAST(relname AS TEXT)
           FROM pg_class JOIN pg_am ON pg_am.oid = relam JOIN pg_index ON indexrelid = pg_class.oid
          WHERE relkind = 'i' AND amname = 'btree' AND indisvalid
            AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
          ORDER BY 2",
        &[],
    )
}

fn list_tables(tx: &mut Tx<'_>) -> Result<Vec<(i64, String)>> {
    tx.all(
        "SELECT CAST(oid AS BIGINT), CAST(relname AS TEXT) FROM pg_class
          WHERE relkind = 'r'
            AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
          ORDER BY 2",
        &[],
    )
}
