//! A dose of crashes for every change: the real program is killed under load on both databases.
//! `cargo run --release -p bench -- crash --kills 5000` is the whole cure.

use std::path::PathBuf;

use bench::crash::{Batches, Database, Kills};

const KILLS: usize = 250;
/// In milliseconds, so that they fit into a few minutes.
const PEACE_MAX: u64 = 150;
/// Few, so that the processors have time for the other tests.
const CLIENTS: u64 = 6;

/// The program that was built beside this test.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a test is a file");
    let program = test
        .parent()
        .and_then(std::path::Path::parent)
        .expect("in target/debug/deps")
        .join("waybill");
    assert!(program.exists(), "first: cargo build -p waybill-server");
    program
}

fn survive(database: Database) {
    let (server, peace_max) = (program(), PEACE_MAX);
    let run = Kills {
        count: KILLS,
        server,
        database,
        clients: CLIENTS,
        peace_max,
        bug: None,
        outside_tools: true,
    };
    let report = run.run().expect("the run is made");
    println!("{report}");
    assert!(report.is_good(), "{report}");
}

#[test]
fn nothing_is_lost_or_booked_twice_when_a_server_on_sqlite_is_killed() {
    survive(Database::Sqlite);
}

#[test]
fn nothing_is_lost_or_booked_twice_when_a_server_on_postgresql_is_killed() {
    let url = std::env::var("TEST_POSTGRES_URL").expect("./pg run sets TEST_POSTGRES_URL");
    survive(Database::Postgres(url));
}

/// Batches whose server is killed: every member once, in order, one at a time.
fn go_on(database: Database) {
    let (count, members, kills) = (6, 30, 40);
    let findings = Batches { count, members, kills, server: program(), database }.run();
    let findings = findings.expect("the run is made");
    println!("{findings}");
    assert!(findings.is_good(), "{findings}");
}

#[test]
fn a_batch_goes_on_where_it_was_when_a_server_on_sqlite_is_killed() {
    go_on(Database::Sqlite);
}

#[test]
fn a_batch_goes_on_where_it_was_when_a_server_on_postgresql_is_killed() {
    let url = std::env::var("TEST_POSTGRES_URL").expect("./pg run sets TEST_POSTGRES_URL");
    go_on(Database::Postgres(url));
}
