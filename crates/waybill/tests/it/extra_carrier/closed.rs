//! A carrier with which the day is closed.

use serde_json::{Value, json};

use super::Running;
use crate::harness::Reply;

impl Running {
    async fn close(&self, key: &str) -> Reply {
        let path = self.app.path("/manifests").replacen("/v2/", "/beta/", 1);
        let body = json!({"carrier_code": "heron"}).to_string();
        let ask = self.app.post(&path).admin().header("idempotency-key", key);
        ask.json(&body).send().await
    }

    /// The one day that was closed: its bookings.
    fn one_day(&self) -> Vec<Value> {
        let state = self.carrier.state();
        assert_eq!(state.closed.len(), 1, "{:?}", state.closed);
        let day = state.closed.values().next().unwrap();
        let mut bookings = day["bookings"].as_array().unwrap().clone();
        bookings.sort_by_key(Value::to_string);
        bookings
    }
}

async fn booked_twice() -> Running {
    let running = Running::open().await;
    for _ in 0..2 {
        running.book(json!({})).await.expect(201);
    }
    running
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_is_closed_once_and_what_the_carrier_made_of_it_is_a_document() {
    let running = booked_twice().await;
    let made = running.close("close-the-day-once").await.expect(201);
    assert_eq!(running.one_day(), ["B0", "B100"]);
    assert_eq!(made.at("/data/shipment_count"), json!(2));
    for (place, format) in ["pdf", "zpl"].into_iter().enumerate() {
        let at = |name: &str| made.at(&format!("/data/documents/{place}/{name}"));
        assert_eq!((at("format"), at("types")), (json!(format), json!(["manifest"])));
        let url = at("url").as_str().unwrap().to_owned();
        let path = url.strip_prefix("http://waybill.test").unwrap();
        let file = running.app.get(path).send().await.expect(200);
        let is_theirs = String::from_utf8_lossy(&file.bytes).contains("CLOSED");
        assert_eq!(is_theirs, format == "zpl");
    }
    assert_eq!(made.at("/data/documents").as_array().unwrap().len(), 2);
    let again = running.close("close-the-day-once").await.expect(201);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.at("/data/uuid"), made.at("/data/uuid"));
    running.close("close-another-day").await.expect(409);
    assert_eq!(running.carrier.state().count("POST /close"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_that_the_carrier_does_not_close_stays_open_with_its_words() {
    let running = booked_twice().await;
    running.carrier.state().refuses_to_close = true;
    let refused = running.close("close-the-whole-day").await.expect(502);
    let said = refused.at("/message");
    assert!(said.as_str().unwrap().ends_with("The carrier said: The depot is closed."), "{said}");
    let path = running.app.path("/manifests").replacen("/v2/", "/beta/", 1);
    let none = running.app.get(&path).admin().send().await.expect(200);
    assert_eq!(none.at("/data"), json!([]));
    running.carrier.state().refuses_to_close = false;
    let made = running.close("close-the-whole-day").await.expect(201);
    assert_eq!(made.header("idempotency-replayed"), None);
    assert_eq!(made.at("/data/shipment_count"), json!(2));
    assert_eq!(running.one_day(), ["B0", "B100"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_whose_closing_was_not_confirmed_is_closed_under_the_same_reference_again() {
    let running = booked_twice().await;
    running.carrier.state().drops = 1;
    let unclear = running.close("close-the-whole-day").await.expect(502);
    let said = unclear.at("/message");
    assert!(said.as_str().unwrap().contains("not confirmed"), "{said}");
    running.close("close-the-whole-day").await.expect(201);
    assert_eq!(running.carrier.state().count("POST /close"), 2);
    assert_eq!(running.one_day(), ["B0", "B100"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_account_has_a_day_of_its_own() {
    let running = Running::open().await;
    running.book(json!({})).await.expect(201);
    let path = running.app.path(&format!("/carrier-accounts/{}", running.account));
    let rest = json!({"is_active": false}).to_string();
    running.app.patch(&path).admin().json(&rest).send().await.expect(200);
    running.create_account(&super::account("hush")).await.expect(201);
    running.book(json!({})).await.expect(201);
    running.close("close-both-their-days").await.expect(201);
    assert_eq!(running.carrier.state().closed.len(), 2);
}
