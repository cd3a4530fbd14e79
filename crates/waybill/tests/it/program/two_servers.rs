//! Two servers on one PostgreSQL: one takes requests, the other does the work.

use std::time::Duration;

use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_store::testing::{Database, fresh};

use super::backups::Demo;
use super::{Folder, Server};

/// Bookings of one round. Their ends fall on different moments between two looks of a server that
/// only polls the store, every 250 ms: it would answer six or seven of sixteen in time.
const BOOKINGS: u64 = 16;
/// So many must be answered in time. A few may be late because the machine was busy.
const PROMPT_MIN: usize = 13;
const PROMPT: Duration = Duration::from_millis(100);
/// Other tests may keep the machine busy through a whole round.
const ROUNDS: u64 = 3;

/// How long after each booking was written the one who waits for it has the answer.
async fn lags(server: &Server, demo: &Demo, round: u64) -> Vec<Duration> {
    let (clock, mut lags) = (SystemClock::start(), Vec::new());
    for booking in 0..BOOKINGS {
        let delay = 300 + 250 * booking / BOOKINGS;
        let reference = format!("WAIT-{round}-{booking} sim:delay={delay}ms");
        let booked = demo.book(server, &reference).await;
        let answered_at = clock.now();
        // Taken just before the commit.
        let booked_at = Time::parse(booked["booked_at"].as_str().unwrap()).unwrap();
        lags.push(answered_at.since(booked_at));
    }
    lags
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_another_server_ends_is_answered_within_100_ms() {
    let folder = Folder::new("two-servers");
    let scratch = tokio::task::spawn_blocking(|| fresh(Database::Postgres)).await.unwrap();
    let database = ["--database", &scratch.url];
    let api = Server::start(&folder.0, &[&["--demo", "--role", "api"], &database[..]].concat());
    let worker = Server::start(&folder.0, &[&["--role", "worker"], &database[..]].concat());
    let demo = Demo::read(&folder.0);
    // The connections that hear of each other's work are open after this.
    demo.book(&api, "FIRST").await;
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let lags = lags(&api, &demo, round).await;
        if lags.iter().filter(|lag| **lag <= PROMPT).count() >= PROMPT_MIN {
            rounds.clear();
            break;
        }
        rounds.push(lags);
    }
    assert!(rounds.is_empty(), "{rounds:?}");
    drop((api, worker));
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

/// Holds the alarms of all accounts, as a server does that hangs between two statements.
fn hold_alarms(url: &str) -> postgres::Client {
    let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
    client.batch_execute("BEGIN; SELECT 1 FROM job WHERE kind = 'track' FOR UPDATE").unwrap();
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_not_kept_waiting_by_a_server_that_hangs_with_an_alarm() {
    let folder = Folder::new("hung-server");
    let scratch = tokio::task::spawn_blocking(|| fresh(Database::Postgres)).await.unwrap();
    let server = Server::start(&folder.0, &["--demo", "--database", &scratch.url]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "FIRST").await;
    let url = scratch.url.clone();
    // The first parcel has its alarm when the account's job is there.
    let held = tokio::task::spawn_blocking(move || {
        loop {
            let mut client = hold_alarms(&url);
            let found = client.query("SELECT 1 FROM job WHERE kind = 'track'", &[]).unwrap();
            if !found.is_empty() {
                return client;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let held = held.await.unwrap();
    let clock = SystemClock::start();
    let started = clock.now();
    // Each wants the alarm that is held; the server gives up waiting for it after five seconds.
    for booking in 0..8 {
        demo.book(&server, &format!("NEXT-{booking}")).await;
    }
    let took = clock.now().since(started);
    assert!(took < Duration::from_secs(4), "{took:?}");
    tokio::task::spawn_blocking(move || drop((held, scratch))).await.unwrap();
    drop(server);
}
