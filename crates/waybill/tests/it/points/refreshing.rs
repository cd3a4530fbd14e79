//! Points that carriers are asked for, country by country.

use std::future::pending;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use waybill_carriers::CarrierUrls;
use waybill_carriers::registry::CARRIERS;
use waybill_outbound::{Network, Outbound};
use waybill_replay::{Exchanges, Fault, Kind, Options, Replay};
use waybill_worker::runner;

use super::codes;
use crate::harness::{Database, TestApp};

/// A team with an account of PostNord, which tells its points in Denmark, none in Finland, and
/// fails in Sweden and Norway.
struct Asked {
    app: TestApp,
    postnord: Replay,
    worker: tokio::task::JoinHandle<()>,
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.worker.abort();
    }
}

/// What PostNord says to whoever has another key.
const STRANGERS: &str = r#"
[always]
query = { apikey = "stranger" }

[[exchange]]
name = "stranger"
[exchange.request]
method = "GET"
path = "/rest/businesslocation/v5/servicepoints/information"
query = { countryCode = "{country}" }
[exchange.answer]
status = 401
json = '{"error": {"message": "Invalid API Key"}}'

[[exchange]]
name = "later"
[exchange.request]
method = "GET"
path = "/rest/shipment/v1/validate/customernumber"
[exchange.answer]
status = 503
text = "later"
"#;

impl Asked {
    async fn open() -> Asked {
        Asked::with_keys(&["key&1"]).await
    }

    /// With accounts that have these keys, the first of them first.
    async fn with_keys(keys: &[&str]) -> Asked {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../carriers/src/postnord/exchanges");
        let strangers = Exchanges::text(STRANGERS, Path::new(".")).unwrap();
        let exchanges = strangers.and(Exchanges::folder(&folder).unwrap());
        let postnord = Replay::start(exchanges, Options::default()).await.unwrap();
        let urls = CarrierUrls::one("postnord", postnord.url());
        let outbound = Outbound::new(Network::new().unwrap(), true);
        let app = TestApp::with_registry(Database::Sqlite, CARRIERS, urls, outbound).await;
        for key in keys {
            open_account(&app, key).await;
        }
        let worker = tokio::spawn(runner::run(app.worker.clone(), pending::<()>()));
        Asked { app, postnord, worker }
    }

    async fn danish(&self) -> Vec<String> {
        let mut codes = codes(&self.app.points("?carrier=postnord&country=DK").await.expect(200));
        codes.sort();
        codes
    }

    /// Whether carriers are being asked now.
    async fn is_busy(&self) -> bool {
        let leased =
            "SELECT count(*) FROM job WHERE kind = 'refresh-points' AND due_at IS NOT NULL";
        self.app.app.read(move |tx| tx.one::<i64>(leased, &[])).await.unwrap() != Some(0)
    }

    /// Waits until an exchange was answered this often, without the pauses between attempts.
    async fn until_asked(&self, exchange: &str, times: usize) {
        let sooner = "UPDATE job SET run_at = 0
                       WHERE kind = 'refresh-points' AND due_at IS NULL AND run_at IS NOT NULL";
        for _ in 0..600 {
            match (self.postnord.hits(exchange) >= times, self.is_busy().await) {
                (true, false) => return,
                (true, true) => {}
                (false, _) => {
                    self.app.app.write(move |tx| tx.exec(sooner, &[])).await.unwrap();
                    self.app.app.wake_runner();
                }
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{exchange} was asked for {} times", self.postnord.hits(exchange));
    }
}

async fn open_account(app: &TestApp, key: &str) {
    let account = json!({"carrier_code": "postnord", "name": "PostNord",
        "credentials": {"api_key": key}, "options": {"customer_number": "1234567890",
        "agreement_country": "DK", "application_id": 1438}});
    let accounts = app.path("/carrier-accounts");
    app.post(&accounts).admin().json(&account.to_string()).send().await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_country_that_fails_is_asked_for_again_alone_and_keeps_no_other_from_its_points() {
    let asked = Asked::open().await;
    asked.until_asked("fault", 3).await;
    assert_eq!(asked.danish().await, ["8271", "9001", "9003"]);
    assert!(asked.postnord.hits("no right") >= 3, "Sweden");
    let others = ["page 1", "page 2", "none in Finland"].map(|it| asked.postnord.hits(it));
    assert_eq!(others, [1, 1, 1], "what is fresh is left alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn points_are_asked_for_each_day_and_a_country_that_fails_keeps_those_that_it_has() {
    let asked = Asked::open().await;
    asked.until_asked("none in Finland", 1).await;
    asked.app.clock.advance(Duration::from_hours(12));
    let failed = asked.postnord.hits("fault");
    asked.until_asked("fault", failed + 2).await;
    assert_eq!(asked.postnord.hits("page 1"), 1, "not yet");
    asked.postnord.fail("page 1", Fault::before(Kind::Drop));
    asked.app.clock.advance(Duration::from_hours(12));
    asked.until_asked("none in Finland", 2).await;
    assert_eq!((asked.postnord.hits("page 1"), asked.danish().await.len()), (1, 3));
    asked.until_asked("page 2", 2).await;
    assert_eq!(asked.danish().await, ["8271", "9001", "9003"]);
    assert_eq!(asked.postnord.hits("none in Finland"), 2, "it was asked for once this day");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_refused_keeps_nobody_from_points_while_another_one_is_let_in() {
    let asked = Asked::with_keys(&["stranger", "key&1"]).await;
    asked.until_asked("none in Finland", 1).await;
    assert_eq!(asked.danish().await, ["8271", "9001", "9003"]);
    let refused = |country: &str| {
        let countries = asked.postnord.kept("stranger", "country");
        countries.iter().filter(|it| *it == country).count()
    };
    assert_eq!(["DK", "FI"].map(refused), [1, 0], "the one that was let in stays first");
    asked.app.clock.advance(Duration::from_hours(24));
    asked.until_asked("page 2", 2).await;
    assert_eq!(["DK", "FI"].map(refused), [1, 0], "also the next day");
    assert_eq!(asked.danish().await, ["8271", "9001", "9003"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_accounts_that_are_refused_are_passed_over_a_few_at_a_time() {
    let strangers = ["stranger"; 7];
    let asked = Asked::with_keys(&[&strangers[..], &["key&1"]].concat()).await;
    asked.until_asked("none in Finland", 1).await;
    assert_eq!(asked.danish().await, ["8271", "9001", "9003"]);
}
