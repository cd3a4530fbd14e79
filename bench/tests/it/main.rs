//! A dose of crashes for every change: the real program is killed under load on both databases.
//! `cargo run --release -p bench -- crash --kills 5000` is the whole cure.

mod wms;

use std::path::PathBuf;

use bench::abuse::{Abuses, Finding};
use bench::crash::{Batches, Clocks, Database, KINDS, Kills, Prints};

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
    assert!(program.exists(), "first: cargo build -p waybill");
    program
}

/// How a server is killed.
struct Dose {
    kills: usize,
    /// The longest time between two kills, in milliseconds.
    interval_max: u64,
    /// Whether other programs use the database meanwhile.
    outside_tools: bool,
}

const ALONE: Dose = Dose { kills: 120, interval_max: 150, outside_tools: false };
/// Other programs take their share of the processors: fewer kills with more time to book between.
const BESIDE_OTHERS: Dose = Dose { kills: 40, interval_max: 800, outside_tools: true };

fn survive(database: Database, dose: &Dose) {
    let run = Kills {
        count: dose.kills,
        server: program(),
        database,
        clients: CLIENTS,
        kill_interval_max_ms: dose.interval_max,
        bug: None,
        outside_tools: dose.outside_tools,
    };
    let report = run.run().expect("the run is made");
    println!("{report}");
    assert!(report.is_good(), "{report}");
}

fn postgresql() -> Database {
    let url = std::env::var("TEST_POSTGRES_URL").expect("./pg run sets TEST_POSTGRES_URL");
    Database::Postgres(url)
}

#[test]
fn nothing_is_lost_or_booked_twice_when_a_server_on_sqlite_is_killed() {
    survive(Database::Sqlite, &ALONE);
}

#[test]
fn nothing_is_lost_or_booked_twice_when_a_server_on_postgresql_is_killed() {
    survive(postgresql(), &ALONE);
}

#[test]
fn nothing_is_lost_when_a_server_is_killed_while_other_programs_use_its_sqlite() {
    survive(Database::Sqlite, &BESIDE_OTHERS);
}

#[test]
fn nothing_is_lost_when_a_server_is_killed_while_other_programs_use_its_postgresql() {
    survive(postgresql(), &BESIDE_OTHERS);
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
    go_on(postgresql());
}

/// Printers and servers that are killed: no paper twice, and none is claimed that is not there.
fn print_once(database: Database) {
    // Those that are waited for longest are left to runs by hand.
    let is_quick = |words: &str| !words.contains("blind") && !words.contains("slow=6s");
    let kinds = KINDS.into_iter().filter(|kind| is_quick(kind.words)).collect();
    let usual = Prints::usual(20, program(), database);
    let findings = Prints { kinds, kill_interval_max_ms: 1500, ..usual }.run();
    let findings = findings.expect("the run is made");
    println!("{findings}");
    assert!(findings.is_good(), "{findings}");
}

#[test]
fn nothing_is_printed_twice_when_printers_and_a_server_on_sqlite_are_killed() {
    print_once(Database::Sqlite);
}

#[test]
fn nothing_is_printed_twice_when_printers_and_servers_on_postgresql_are_killed() {
    print_once(postgresql());
}

/// Clocks that are set an hour or two days ahead or back: nobody is locked out, nothing is booked
/// twice, and nothing waits for days.
fn jump(database: Database, servers: usize) {
    let (count, clients, server) = (20, CLIENTS, program());
    let report = Clocks { count, servers, clients, server, database }.run();
    let report = report.expect("the run is made");
    println!("{report}");
    assert!(report.is_good(), "{report}");
}

#[test]
fn nothing_is_lost_or_booked_twice_when_the_clock_of_a_server_on_sqlite_jumps() {
    jump(Database::Sqlite, 1);
}

#[test]
fn nothing_is_lost_or_booked_twice_when_the_clocks_of_two_servers_on_postgresql_jump() {
    jump(postgresql(), 2);
}

/// How much slower it gets is measured on a release build: `bench abuse`.
#[test]
fn no_abuse_takes_more_memory_than_is_allowed() {
    let (server, database) = (program(), Database::Sqlite);
    let findings = Abuses { server, database, bookings: 3, only: None }.run();
    let findings = findings.expect("the run is made");
    findings.iter().for_each(|finding| println!("{finding}"));
    assert!(findings.len() > 10 && findings.iter().all(Finding::is_within_memory));
}
