//! A warehouse whose servers are killed, and the last pieces that many want at once.

use bench::crash::{Database, LastPieces, Warehouses};

use crate::{CLIENTS, postgresql, program};

fn survive(database: Database) {
    let usual = Warehouses::usual(20, program(), database);
    let run = Warehouses { clients: CLIENTS, kill_interval_max_ms: 1500, ..usual };
    let findings = run.run().expect("the run is made");
    println!("{findings}");
    assert!(findings.is_good(), "{findings}");
}

#[test]
fn no_stock_is_sold_twice_or_lost_when_a_server_on_sqlite_is_killed() {
    survive(Database::Sqlite);
}

#[test]
fn no_stock_is_sold_twice_or_lost_when_a_server_on_postgresql_is_killed() {
    survive(postgresql());
}

fn compete(database: Database) {
    let run = LastPieces { rounds: 2, server: program(), database, bug: None };
    let wrong = run.run().expect("the run is made");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn ten_of_sixty_four_get_the_last_ten_pieces_on_sqlite() {
    compete(Database::Sqlite);
}

#[test]
fn ten_of_sixty_four_get_the_last_ten_pieces_of_servers_on_one_postgresql() {
    compete(postgresql());
}
