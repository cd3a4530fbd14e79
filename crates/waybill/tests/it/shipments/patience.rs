//! A carrier that turns a booking away and says when to come back.

use std::future::pending;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use waybill_carriers::CarrierUrls;
use waybill_carriers::registry::CARRIERS;
use waybill_outbound::{Network, Outbound};
use waybill_replay::{Exchanges, Options, Replay};
use waybill_worker::runner;

use crate::harness::{Database, TestApp};

/// It is busy once, for three seconds.
const BUSY: &str = r#"
    [always]
    query = { apikey = "key&1" }

    [[exchange]]
    name = "busy"
    times = 1
    request = { method = "POST" }
    answer = { status = 429, headers = { retry-after = "3" } }"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_carrier_that_says_when_to_come_back_is_left_alone_until_then() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../carriers/src/postnord/exchanges");
    let exchanges = Exchanges::text(BUSY, Path::new(".")).unwrap();
    let exchanges = exchanges.and(Exchanges::folder(&folder).unwrap());
    let postnord = Replay::start(exchanges, Options::default()).await.unwrap();
    let urls = CarrierUrls::one("postnord", postnord.url());
    let outbound = Outbound::new(Network::new().unwrap(), true);
    let app = TestApp::with_registry(Database::Sqlite, CARRIERS, urls, outbound).await;
    let worker = tokio::spawn(runner::run(app.worker.clone(), pending::<()>()));
    let account = json!({"carrier_code": "postnord", "name": "PostNord",
        "credentials": {"api_key": "key&1"}, "options": {"customer_number": "1234567890",
        "agreement_country": "DK", "application_id": 1438}});
    let accounts = app.path("/carrier-accounts");
    app.post(&accounts).admin().json(&account.to_string()).send().await.expect(201);
    let party = json!({"contact": {"name": "Ada Holm", "email": "ada@post.example",
            "phone": "+4530274735"},
        "address": {"address_lines": ["Torvet 1"], "postal_code": "2300", "city": "København S",
            "country": "DK"}});
    let order = json!({"parties": {"merchant": party, "customer": party},
        "delivery": {"service_code": "postnord:parcel"},
        "parcels": [{"gross_weight": {"value": 1200, "unit": "g"}}]});
    let started = Instant::now();
    let shipments = app.path("/shipments");
    let booked = app.post(&shipments).admin().json(&order.to_string()).send().await.expect(201);
    assert_eq!(booked.at("/data/state"), json!("booked"));
    assert_eq!((postnord.hits("busy"), postnord.bookings().len()), (1, 1));
    let waited = started.elapsed();
    assert!(waited >= Duration::from_millis(2500), "{waited:?}");
    worker.abort();
}
