//! A dose of crashes for every change: the real program is killed under load on both databases.
//! `cargo run --release -p bench -- crash --kills 5000` is the whole cure.

use std::path::PathBuf;

use bench::crash::{Database, Kills};

const KILLS: usize = 100;
/// Few, so that the processors have time for the other tests.
const CLIENTS: u64 = 2;

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
    let run = Kills { count: KILLS, server: program(), database, clients: CLIENTS, bug: None };
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
