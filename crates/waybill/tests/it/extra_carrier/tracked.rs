//! Parcels of a carrier that answers for some of them, and not always.

use std::time::Duration;

use serde_json::{Value, json};

use super::Running;
use crate::harness::Reply;

/// The parcel at this place of a booking arrives; otherwise the test fails.
async fn arrives(running: &Running, booked: &Reply, place: usize) {
    let id = booked.at(&format!("/data/parcels/{place}/tracking_uuid"));
    let path = running.app.path(&format!("/tracking/{}", id.as_str().unwrap()));
    for _ in 0..600 {
        let tracking = running.app.get(&path).admin().send().await.expect(200);
        if tracking.at("/data/state") == json!("Delivered") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never delivered: {:?}", running.carrier.state().asked);
}

/// How often the carrier was asked about a number.
fn asked(running: &Running, number: &str) -> usize {
    running.carrier.state().count(&format!("GET /track/{number}"))
}

async fn quarantined(running: &Running) -> Option<i64> {
    let aside = "SELECT count(*) FROM tracking_quarantine";
    running.app.app.read(move |tx| tx.one::<i64>(aside, &[])).await.unwrap()
}

fn delivered() -> Value {
    json!({"events": ["here", "there"]})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_whose_answer_cannot_be_read_costs_no_other_its_news() {
    let running = Running::open().await;
    {
        let mut state = running.carrier.state();
        state.tracked.insert("HR000000000".to_owned(), json!({"events": "?"}));
        state.tracked.insert("HR000000001".to_owned(), delivered());
    }
    let booked = running.book(json!({})).await.expect(201);
    arrives(&running, &booked, 1).await;
    assert_eq!(quarantined(&running).await, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_nothing_can_be_said_of_now_is_asked_about_later() {
    let running = Running::open().await;
    {
        let mut state = running.carrier.state();
        state.busy.insert("HR000000000".to_owned());
        state.tracked.insert("HR000000000".to_owned(), delivered());
        state.tracked.insert("HR000000001".to_owned(), delivered());
    }
    let booked = running.book(json!({})).await.expect(201);
    arrives(&running, &booked, 1).await;
    while asked(&running, "HR000000000") < 3 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    running.carrier.state().busy.clear();
    arrives(&running, &booked, 0).await;
    assert_eq!(quarantined(&running).await, Some(0), "it was never said");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_keeps_failing_holds_up_no_other_parcel_of_the_account() {
    let running = Running::open().await;
    {
        let mut state = running.carrier.state();
        for number in ["HR000000000", "HR000000001", "HR000000100", "HR000000101"] {
            state.tracked.insert(number.to_owned(), delivered());
        }
        // The parcels of one booking are asked about in one call.
        state.breaking.insert("HR000000000".to_owned());
    }
    let bad = running.book(json!({})).await.expect(201);
    while asked(&running, "HR000000000") == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let good = running.book(json!({})).await.expect(201);
    arrives(&running, &good, 0).await;
    arrives(&running, &good, 1).await;
    assert_eq!(asked(&running, "HR000000001"), 0, "the call broke before");
    running.carrier.state().breaking.clear();
    arrives(&running, &bad, 0).await;
    arrives(&running, &bad, 1).await;
}
