//! Shows that the runs find what they are for: each known mistake is made, and must be noticed.

use std::path::Path;

use super::Warehouses;
use crate::crash::Failure;
use crate::crash::site::Database;

/// Enough to notice, within a minute each.
const KILLS: usize = 25;

/// The mistakes, and the rules of which one must be broken by it.
const BUGS: [(&str, &[&str]); 6] = [
    ("wms-partly-kept", &["half reserved", "reservations", "broken rules"]),
    ("wms-keep-cancelled", &["reservations", "broken rules"]),
    ("wms-forget-late", &["not as booked"]),
    ("wms-forget-ledger", &["taken wrongly"]),
    ("wms-ship-held", &["duplicates"]),
    ("wms-ship-twice", &["duplicates"]),
];

/// Makes each mistake in turn.
pub fn run_all(server: &Path, database: &Database) -> Result<(), Failure> {
    let mut missed = 0;
    for (bug, rules) in BUGS {
        let usual = Warehouses::usual(KILLS, server.to_owned(), database.clone());
        let findings = Warehouses { bug: Some(bug.to_owned()), ..usual }.run()?;
        let is_caught = rules.iter().any(|rule| findings.violations.of(rule) > 0);
        missed += usize::from(!is_caught);
        println!("{} {bug}: {findings}", if is_caught { "caught" } else { "MISSED" });
    }
    println!("{} of {} planted bugs of the warehouse caught", BUGS.len() - missed, BUGS.len());
    if missed == 0 { Ok(()) } else { Err("a planted bug was missed".into()) }
}
