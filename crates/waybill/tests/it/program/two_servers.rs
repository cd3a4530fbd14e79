//! Two servers on one PostgreSQL: one takes requests, the other does the work.

use std::sync::mpsc;
use std::time::Duration;

use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_store::testing::{Database, fresh};
use waybill_store::{Error, Tx};

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

/// Holds the alarms of all accounts for a while, as a server does that is slow between two
/// statements. Tells when it has them; false when there are none.
fn hold_alarms(
    tx: &mut Tx<'_>,
    held: &mpsc::Sender<()>,
    is_over: &mpsc::Receiver<()>,
) -> Result<bool, Error> {
    if tx.exec("UPDATE job SET attempt = attempt WHERE kind = 'track'", &[])? == 0 {
        return Ok(false);
    }
    let _told = held.send(());
    for _ in 0..80 {
        // PostgreSQL ends a transaction in which nothing happens.
        tx.one::<i64>("SELECT CAST(1 AS BIGINT)", &[])?;
        if is_over.recv_timeout(Duration::from_millis(100)).is_ok() {
            break;
        }
    }
    Ok(true)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_does_not_wait_for_an_alarm_that_another_server_holds() {
    let folder = Folder::new("held-alarm");
    let scratch = tokio::task::spawn_blocking(|| fresh(Database::Postgres)).await.unwrap();
    let server = Server::start(&folder.0, &["--demo", "--database", &scratch.url]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "FIRST").await;
    let ((hold, held), (end, is_over)) = (mpsc::channel(), mpsc::channel());
    let store = scratch.store.clone();
    let holding = tokio::task::spawn_blocking(move || {
        let is_over = std::sync::Mutex::new(is_over);
        let hold = move |tx: &mut Tx<'_>| hold_alarms(tx, &hold, &is_over.lock().unwrap());
        let hold = std::sync::Arc::new(hold);
        // The first parcel gets its alarm soon after it was booked.
        loop {
            let hold = hold.clone();
            if store.blocking_write(move |tx| hold(tx)).unwrap() {
                return;
            }
        }
    });
    let held = tokio::task::spawn_blocking(move || held.recv()).await.unwrap();
    held.unwrap();
    let clock = SystemClock::start();
    let started = clock.now();
    // Each wants the alarm, and the server waits for it for five seconds at a time.
    for booking in 0..8 {
        demo.book(&server, &format!("NEXT-{booking}")).await;
    }
    let took = clock.now().since(started);
    assert!(took < Duration::from_secs(4), "{took:?}");
    end.send(()).unwrap();
    holding.await.unwrap();
    drop(server);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}
