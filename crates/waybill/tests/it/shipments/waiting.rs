//! What waits while a carrier keeps failing, and what does not.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinHandle;
use waybill_engine::files::Files;

use super::fixtures;
use crate::harness::fixture::{Fixture, order, order_with};
use crate::harness::front::Front;
use crate::harness::{Database, Reply, databases};

type Waiting = JoinHandle<Reply>;

/// Books without waiting for the answer, which may take ten seconds.
fn book(fixture: &Arc<Fixture>, reference: String) -> Waiting {
    let fixture = Arc::clone(fixture);
    tokio::spawn(async move { fixture.book(&order(&reference)).await })
}

async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    for _ in 0..600 {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never: {what}");
}

/// How many accounts bookings wait at, as those who watch see it.
async fn open(fixture: &Fixture) -> usize {
    let metrics = fixture.app.get("/metrics").send().await.expect(200);
    let text = String::from_utf8(metrics.bytes.clone()).unwrap();
    let line = "waybill_carrier_breaker_open{carrier=\"sandbox\"} ";
    text.lines().find_map(|text| text.strip_prefix(line)).unwrap().parse().unwrap()
}

/// A carrier at which five bookings have failed, and those who wait for them.
async fn failing(database: Database) -> (Arc<Fixture>, Front, Vec<Waiting>) {
    let front = Front::default();
    let way = front.clone();
    let fixture = Fixture::reached(database, Files::default(), |carrier| way.start(carrier)).await;
    let fixture = Arc::new(fixture);
    // Metrics are counted from the first look at them on.
    assert_eq!(open(&fixture).await, 0);
    // A miss is believed only beside a booking that is found.
    fixture.book(&order("CANARY")).await.expect(201);
    front.fails(true);
    let first = (1..=5).map(|number| book(&fixture, format!("ORDER-{number}"))).collect();
    until("open", async || open(&fixture).await == 1).await;
    (fixture, front, first)
}

async fn bookings_wait_while_others_fail_then_one_is_tried_then_all(database: Database) {
    let (fixture, front, mut waiting) = failing(database).await;
    waiting.extend((6..=7).map(|number| book(&fixture, format!("ORDER-{number}"))));
    let tried = || (6..=7).map(|number| front.calls(&format!("ORDER-{number}"))).sum::<usize>();
    let again = || (1..=5).map(|number| front.calls(&format!("ORDER-{number}"))).sum::<usize>();
    until("sent again", async || again() >= 10).await;
    let rows = "SELECT count(*) FROM job JOIN shipment ON job.subject = shipment.id
                 WHERE shipment.reference IN ('ORDER-6', 'ORDER-7') AND job.due_at IS NULL";
    let store = fixture.app.app.store();
    until("wait", async || store.read(move |tx| tx.one(rows, &[])).await.unwrap() >= Some(2i64))
        .await;
    assert_eq!(tried(), 0, "what was never sent waits");
    fixture.advance(Duration::from_secs(10)).await;
    until("tried, and failed", async || tried() > 0 && open(&fixture).await == 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let calls = [front.calls("ORDER-6"), front.calls("ORDER-7")];
    let is_one = calls.iter().filter(|calls| **calls > 0).count() == 1;
    let open = open(&fixture).await;
    assert!(is_one && open == 1, "one is tried: {calls:?}, {open} open");
    front.fails(false);
    fixture.advance(Duration::from_secs(20)).await;
    for waiting in waiting {
        let reply = waiting.await.unwrap();
        assert!(matches!(reply.status, 201 | 202), "{}", reply.status);
        fixture.until(&reply, "booked").await;
    }
    for number in 1..=7 {
        assert_eq!(fixture.bookings(&format!("ORDER-{number}")), 1);
    }
    assert_eq!(front.calls("ORDER-6").min(front.calls("ORDER-7")), 1, "waiting is no attempt");
    assert_eq!(self::open(&fixture).await, 0);
}

async fn a_booking_that_waits_until_its_deadline_fails_with_nothing_booked(database: Database) {
    let (fixture, front, _waiting) = failing(database).await;
    let waits = book(&fixture, "ORDER-6".to_owned());
    let rows = "SELECT job.note FROM job JOIN shipment ON job.subject = shipment.id
                 WHERE shipment.reference = 'ORDER-6' AND job.due_at IS NULL";
    let store = &fixture.app.app.store();
    until("waits", async || {
        let note: Option<Option<String>> = store.read(move |tx| tx.one(rows, &[])).await.unwrap();
        note.flatten().is_some_and(|note| note.contains("is left alone until"))
    })
    .await;
    fixture.advance(Duration::from_secs(121)).await;
    let reply = waits.await.unwrap().expect(504);
    assert_eq!(reply.at("/data/failure/reason"), json!("deadline"));
    let message = reply.at("/data/failure/message").as_str().unwrap().to_owned();
    assert!(message.contains("Nothing was booked"), "{message}");
    assert!(!message.contains("Sandbox could not"), "nobody asked it: {message}");
    let said = reply.at("/data/failure/details/0/message");
    assert_eq!(said, json!("It was not sent to Sandbox in time."));
    assert_eq!(front.calls("ORDER-6"), 0);
    fixture.settled().await;
}

async fn a_repetition_that_is_turned_away_says_nothing_of_what_was_sent_before(database: Database) {
    let front = Front::default();
    let way = front.clone();
    let fixture = Fixture::reached(database, Files::default(), |carrier| way.start(carrier)).await;
    front.loses_next();
    let once = json!({"delivery": {"service_code": "sandbox:idempotent"}});
    let body = order_with("ONCE", once);
    let time_passes = async {
        until("sent again", async || front.calls("ONCE") >= 2).await;
        fixture.advance(Duration::from_secs(121)).await;
    };
    let (reply, ()) = tokio::join!(fixture.book(&body), time_passes);
    let failed = fixture.until(&reply, "failed").await;
    let message = failed.at("/data/failure/message").as_str().unwrap().to_owned();
    assert!(message.contains("may have the booking"), "{message}");
    let said = failed.at("/data/failure/details/0/message").as_str().unwrap().to_owned();
    assert_eq!(said, "Sandbox gave no answer that says whether it has the booking.");
    front.fails(false);
    fixture.advance(Duration::from_secs(60)).await;
    fixture.until(&reply, "booked").await;
    assert_eq!(fixture.bookings("ONCE"), 1);
}

databases! {
    bookings_wait_while_others_fail_then_one_is_tried_then_all
    a_booking_that_waits_until_its_deadline_fails_with_nothing_booked
    a_repetition_that_is_turned_away_says_nothing_of_what_was_sent_before
}

fixtures! {
    async fn failures_that_the_sandbox_was_asked_for_let_nobody_wait(fixture) {
        let fixture = Arc::new(fixture);
        // Metrics are counted from the first look at them on.
        assert_eq!(open(&fixture).await, 0);
        let asked = ["sim:error=503", "sim:error=500", "sim:drop", "sim:garbage"];
        let waiting: Vec<Waiting> = (0..12)
            .map(|number| book(&fixture, format!("ORDER-{number} {}", asked[number % 4])))
            .collect();
        let calls = "SELECT count(DISTINCT shipment) FROM carrier_call WHERE outcome IS NOT NULL";
        let store = &fixture.app.app.store();
        until("failed", async || {
            store.read(move |tx| tx.one(calls, &[])).await.unwrap() == Some(12i64)
        })
        .await;
        assert_eq!(open(&fixture).await, 0);
        fixture.book(&order("ORDINARY")).await.expect(201);
        fixture.advance(Duration::from_secs(121)).await;
        for waiting in waiting {
            waiting.await.unwrap();
        }
        fixture.settled().await;
    }
}
