//! A carrier is a folder and a line: one that exists in the tests alone is added to the registry,
//! and all of the service works with it.

mod closed;
mod heron;
mod links;
mod proxied;
mod service;
mod tracked;

use std::sync::Arc;
use std::time::Duration;

use hyper::Version;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use waybill_carriers::CarrierUrls;
use waybill_carriers::registry::{CARRIERS, Row};
use waybill_outbound::{Network, Outbound, Proxy};
use waybill_worker::runner;

use crate::harness::tls::Loopback;
use crate::harness::{Database, Reply, TestApp};
use service::Service;

/// A running service with the carrier, and an account there.
struct Running {
    app: TestApp,
    carrier: Service,
    worker: tokio::task::JoinHandle<()>,
    account: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.abort();
    }
}

fn account(secret: &str) -> Value {
    json!({"carrier_code": "heron", "name": "Heron",
        "credentials": {"client_id": "us", "client_secret": secret}})
}

impl Running {
    async fn open() -> Running {
        Running::open_with(None, &[]).await
    }

    /// With a proxy between, and a carrier that speaks these protocols.
    async fn open_with(proxy: Option<Proxy>, protocols: &[&[u8]]) -> Running {
        let carrier = Service::start(protocols).await;
        let rows: Vec<Row> = CARRIERS.iter().copied().chain([heron::ROW]).collect();
        let urls = CarrierUrls::one("heron", &format!("https://heron.example:{}", carrier.port));
        let network = Network::new().unwrap().resolving_with(Arc::new(Loopback));
        let network = network.trusting(carrier.roots.clone()).unwrap();
        let outbound = Outbound::new(network.through(proxy), true);
        let app = TestApp::with_registry(Database::Sqlite, rows.leak(), urls, outbound).await;
        let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
        let sender = json!({"documents": {"label": {"formats": ["zpl", "pdf"]}},
            "sender_address": {"contact": {"name": "Nordic Books"},
            "address": {"address_lines": ["Vestergade 1"], "postal_code": "1456",
            "city": "København K", "country": "DK"}}});
        let settings = app.path("/settings");
        app.patch(&settings).admin().json(&sender.to_string()).send().await.expect(200);
        let mut running = Running { app, carrier, worker, account: String::new() };
        let made = running.create_account(&account("hush")).await.expect(201);
        running.account = made.at("/data/uuid").as_str().unwrap().to_owned();
        running
    }

    async fn create_account(&self, body: &Value) -> Reply {
        let accounts = self.app.path("/carrier-accounts");
        self.app.post(&accounts).admin().json(&body.to_string()).send().await
    }

    async fn read(&self, reply: &Reply) -> Reply {
        let id = reply.at("/data/uuid").as_str().unwrap().to_owned();
        let path = self.app.path(&format!("/shipments/{id}"));
        self.app.get(&path).admin().send().await.expect(200)
    }

    /// Reads until the shipment is booked.
    async fn until_booked(&self, reply: &Reply) {
        for _ in 0..600 {
            let now = self.read(reply).await;
            if now.at("/data/state") == json!("booked") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never booked: {}", reply.json());
    }

    async fn book(&self, delivery: Value) -> Reply {
        let mut body = json!({"delivery": {"service_code": "heron:day"},
            "parties": {"customer": {"contact": {"name": "Ada"}, "address": {
                "address_lines": ["Islands Brygge 39"], "postal_code": "2300",
                "city": "København S", "country": "DK"}}},
            "parcels": [{"gross_weight": {"value": 1, "unit": "kg"}},
                        {"gross_weight": {"value": 2, "unit": "kg"}}]});
        for (name, value) in delivery.as_object().unwrap() {
            body["delivery"][name] = value.clone();
        }
        let path = self.app.path("/shipments");
        self.app.post(&path).admin().json(&body.to_string()).send().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adapter_is_a_folder_and_a_line() {
    let running = Running::open().await;
    let booked = running.book(json!({})).await.expect(201);
    let numbers: Vec<Value> =
        (0..2).map(|n| booked.at(&format!("/data/parcels/{n}/tracking_number"))).collect();
    assert_eq!(numbers, [json!("HR000000000"), json!("HR000000001")]);
    // Each parcel has its own label, in the order of the parcels.
    for (n, number) in numbers.iter().enumerate() {
        let url = booked.at(&format!("/data/documents/{n}/url"));
        let path = url.as_str().unwrap().strip_prefix("http://waybill.test").unwrap().to_owned();
        let label = running.app.get(&path).send().await.expect(200);
        let text = String::from_utf8(label.bytes.clone()).unwrap();
        assert!(text.contains(number.as_str().unwrap()), "{text}");
    }
    let id = booked.at("/data/uuid").as_str().unwrap().to_owned();
    let cancel = running.app.path(&format!("/shipments/{id}/cancel"));
    running.app.post(&cancel).admin().send().await.expect(200);
    assert_eq!(running.carrier.state().voided, ["void-0"], "voided with what the carrier gave us");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_carrier_that_prefers_http_2_is_booked_over_it() {
    for (protocols, version) in [
        (&[&b"h2"[..], b"http/1.1"][..], Version::HTTP_2),
        (&[&b"h2"[..]], Version::HTTP_2),
        (&[&b"http/1.1"[..]], Version::HTTP_11),
    ] {
        let running = Running::open_with(None, protocols).await;
        running.book(json!({})).await.expect(201);
        running.carrier.state().drops = 1;
        // Found, and never sent again.
        running.book(json!({})).await.expect(201);
        let state = running.carrier.state();
        assert_eq!((state.count("POST /shipments"), state.booked.len()), (2, 2));
        assert!(state.versions.iter().all(|it| *it == version), "{:?}", state.versions);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_checked_by_its_carrier_before_it_is_stored() {
    let running = Running::open().await;
    let wrong = json!({"carrier_code": "heron", "name": "Heron", "options": {"depth": "x"},
        "credentials": {"client_id": 7}});
    let problems = running.create_account(&wrong).await.problems();
    let at = |path: &str| problems.iter().any(|problem| problem.starts_with(path));
    for path in ["credentials.client_id", "credentials.client_secret", "options.depth"] {
        assert!(at(path), "{path}: {problems:?}");
    }
    let refused = running.create_account(&account("guess")).await.expect(422);
    let words = refused.at("/errors/credentials/0");
    assert_eq!(words, "was refused by the carrier: The client is not known.");
    let path = running.app.path(&format!("/carrier-accounts/{}", running.account));
    let patch = json!({"credentials": {"client_secret": "guess"}}).to_string();
    running.app.patch(&path).admin().json(&patch).send().await.expect(422);
    running.book(json!({})).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_tells_the_time_at_the_merchant_by_the_clock_that_the_account_names() {
    let running = Running::open().await;
    let path = running.app.path(&format!("/carrier-accounts/{}", running.account));
    let choose = |zone: &str| {
        let patch = json!({"options": {"time_zone": zone}}).to_string();
        running.app.patch(&path).admin().json(&patch).send()
    };
    let refused = choose("Denmark").await;
    assert_eq!(refused.problems(), ["options.time_zone"]);
    // The merchant is in Denmark.
    running.book(json!({})).await.expect(201);
    choose("America/Phoenix").await.expect(200);
    running.book(json!({})).await.expect(201);
    let now = Timestamp::from_microsecond(running.app.app.now().0).unwrap();
    let told = running.carrier.state().local_times.clone();
    for (told, zone) in told.iter().zip(["Europe/Copenhagen", "America/Phoenix"]) {
        let told: DateTime = told.parse().unwrap();
        let ago = TimeZone::get(zone).unwrap().to_datetime(now).duration_since(told);
        assert!((0..60).contains(&ago.as_secs()), "{told} in {zone}");
    }
    assert_eq!(told.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_carrier_cannot_be_told_is_refused_before_anything_is_stored() {
    let running = Running::open().await;
    let long = json!({"instructions": "Leave it behind the third shed on the left"});
    let problems = running.book(long).await.problems();
    assert!(problems[0].starts_with("delivery.instructions"), "{problems:?}");
    assert_eq!(running.carrier.state().count("POST /shipments"), 0);
    running.book(json!({"instructions": "Ring twice"})).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_token_serves_many_bookings_and_a_refused_one_is_renewed() {
    let running = Running::open().await;
    for _ in 0..10 {
        running.book(json!({})).await.expect(201);
    }
    assert_eq!(running.carrier.state().count("POST /token"), 1);
    running.carrier.state().tokens.clear();
    // The booking that finds out was turned away unread, and is sent again.
    running.book(json!({})).await.expect(201);
    assert_eq!(running.carrier.state().count("POST /token"), 2);
    assert_eq!(running.carrier.state().booked.len(), 11);
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_that_are_refused_end_a_booking_at_once_and_nothing_is_sent() {
    let running = Running::open().await;
    running.carrier.state().tokens.clear();
    running.carrier.state().is_closed = true;
    let sent = running.carrier.state().count("POST /shipments");
    let reply = running.book(json!({})).await.expect(502);
    let failed = reply.json().to_string();
    assert!(failed.contains("The client is not known."), "{failed}");
    assert!(failed.contains("nothing was booked with Heron"), "{failed}");
    // The token that was held is tried once, and turned away unread.
    assert!(running.carrier.state().count("POST /shipments") <= sent + 1);
    assert_eq!(running.carrier.state().booked.len(), 0);
    let id = reply.at("/data/uuid").as_str().unwrap().to_owned();
    let path = running.app.path(&format!("/shipments/{id}"));
    running.app.delete(&path).admin().send().await.expect(204);
    running.carrier.state().is_closed = false;
    running.book(json!({})).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unclear_answer_is_found_and_never_sent_again() {
    let running = Running::open().await;
    running.carrier.state().drops = 1;
    let booked = running.book(json!({})).await.expect(201);
    assert_eq!(booked.at("/data/parcels/1/tracking_number"), json!("HR000000001"));
    let state = running.carrier.state();
    assert_eq!((state.count("POST /shipments"), state.booked.len()), (1, 1));
}
