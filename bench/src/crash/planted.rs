//! Shows that the runs find what they are for: each known mistake is made, and must be noticed as
//! what it is.

use std::path::Path;

use super::Failure;
use super::freeze::Freezes;
use super::kill::{KILL_INTERVAL_MAX_MS, Kills};
use super::load::CLIENTS;
use super::site::Database;

/// Enough to notice, within a minute each.
const KILLS: usize = 30;
/// A server must be frozen just when its intent is being committed.
const PAUSES: usize = 30;

/// The mistakes, and the rule that each must be found by.
const BUGS: [(&str, &str); 8] = [
    ("no-intent", "duplicates"),
    ("blind-retry", "duplicates"),
    ("no-fence", "duplicates"),
    ("no-settle", "duplicates"),
    ("fresh-reference", "duplicates"),
    ("delete-without-check", "lost"),
    ("key-by-token", "double keys"),
    ("forget-cancel", "cancellations"),
];

/// Makes each mistake in turn. A late worker needs a second one, so `no-fence` is made on
/// PostgreSQL only: at `--database`, or else at `TEST_POSTGRES_URL`.
pub fn run_all(server: &Path, database: &Database) -> Result<(), Failure> {
    let mut missed = 0;
    for (bug, rule) in BUGS {
        let (server, named) = (server.to_owned(), Some(bug.to_owned()));
        let report = if bug == "no-fence" {
            let database = shared(database)?;
            Freezes { count: PAUSES, server, database, bug: named }.run()?
        } else {
            let (database, kill_interval_max_ms) = (database.clone(), KILL_INTERVAL_MAX_MS);
            let kills = Kills {
                count: KILLS,
                server,
                database,
                clients: CLIENTS,
                kill_interval_max_ms,
                bug: named,
                outside_tools: false,
            };
            kills.run()?
        };
        let is_caught = report.violations.of(rule) > 0;
        missed += usize::from(!is_caught);
        println!("{} {bug}: {report}", if is_caught { "caught" } else { "MISSED" });
    }
    println!("{} of {} planted bugs caught", BUGS.len() - missed, BUGS.len());
    if missed == 0 { Ok(()) } else { Err("a planted bug was missed".into()) }
}

fn shared(database: &Database) -> Result<Database, Failure> {
    if let Database::Postgres(_) = database {
        return Ok(database.clone());
    }
    let url = std::env::var("TEST_POSTGRES_URL");
    let url = url.map_err(|_| "no-fence needs PostgreSQL: use `./pg run --durable`")?;
    Ok(Database::Postgres(url))
}
