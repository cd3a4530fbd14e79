//! Addresses that must never be called, in every spelling that some program would understand, when
//! a webhook is made and when it is sent to. Listeners on loopback notice a call that slips by.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use serde_json::json;
use waybill_domain::ids::WebhookId;
use waybill_domain::time::Clock;
use waybill_engine::signing::Secrets;
use waybill_outbound::{Network, Outbound, Resolve};
use waybill_store::webhooks;

use super::{deliveries, happen, webhook, work};
use crate::harness::receiver::{Reaction, Receiver};
use crate::harness::{Database, TestApp, both};

/// Names of the tests, with what they resolve to. Nobody asks the real resolver.
#[derive(Default)]
struct Names {
    asked: AtomicUsize,
}

#[async_trait]
impl Resolve for Names {
    async fn resolve(&self, name: &str) -> std::io::Result<Vec<IpAddr>> {
        let count = self.asked.fetch_add(1, Ordering::SeqCst);
        let addresses: &[&str] = match name {
            "loopback.example.com" => &["127.0.0.1"],
            "loopback6.example.com" => &["::1"],
            "mapped.example.com" => &["::ffff:127.0.0.1"],
            "private.example.com" => &["10.0.0.1"],
            "metadata.example.com" => &["169.254.169.254"],
            "mixed.example.com" => &["93.184.216.34", "127.0.0.1"],
            "mixed6.example.com" => &["2606:2800:220:1:248:1893:25c8:1946", "::1"],
            "unspecified.example.com" => &["0.0.0.0"],
            "nat64.example.com" => &["64:ff9b::7f00:1"],
            "rebinding.example.com" if count == 0 => &["93.184.216.34"],
            "rebinding.example.com" => &["127.0.0.1"],
            _ => return Err(std::io::ErrorKind::NotFound.into()),
        };
        Ok(addresses.iter().map(|address| address.parse().unwrap()).collect())
    }
}

/// Every way to write an IPv4 address that a C library, a browser or a careless parser knows.
fn spellings(address: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let number = address.to_bits();
    let (high, low) = (number >> 16, number & 0xffff);
    [
        format!("{a}.{b}.{c}.{d}"),
        format!("{a}.{b}.{c}.{d}."),
        format!("{number}"),
        format!("{number:#x}"),
        format!("0X{number:X}"),
        format!("0{number:o}"),
        format!("{a}.{}", number & 0xff_ffff),
        format!("{a}.{b}.{low}"),
        format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a:03}.{b:03}.{c:03}.{d:03}"),
        format!("{a:#x}.{b}.0{c:o}.{d}"),
        format!("{a}.{b}.{c}.{d}%00"),
        format!("%{:02x}{}", b'0' + (a / 100) % 10, &format!("{a:03}.{b}.{c}.{d}")[1..]),
        format!("[::{a}.{b}.{c}.{d}]"),
        format!("[::ffff:{a}.{b}.{c}.{d}]"),
        format!("[::ffff:{high:x}:{low:x}]"),
        format!("[0:0:0:0:0:ffff:{high:x}:{low:x}]"),
        format!("[::FFFF:{a}.{b}.{c}.{d}]"),
        format!("[64:ff9b::{high:x}:{low:x}]"),
        format!("[2002:{high:x}:{low:x}::1]"),
        format!("[2001:0:{high:x}:{low:x}::1]"),
        format!("[fe80::5efe:{high:x}:{low:x}]"),
        format!("{a}。{b}。{c}。{d}"),
        format!("{a}.{b}.{c}.{d}@shop.example.com"),
        format!("shop.example.com@{a}.{b}.{c}.{d}"),
        format!("shop.example.com#@{a}.{b}.{c}.{d}"),
    ]
    .into()
}

/// Whole addresses; `PORT` is where a listener on loopback waits.
const OTHERS: &str = "
https://localhost:PORT/            https://LOCALHOST:PORT/          https://localhost.:PORT/
https://a.localhost:PORT/          https://localhost.localdomain:PORT/ https://printer.local:PORT/
https://db.internal:PORT/          https://metadata.google.internal/ https://intranet:PORT/
https://x.corp:PORT/               https://x.lan:PORT/              https://x.home.arpa:PORT/
https://[::]:PORT/                 https://[::1]:PORT/              https://[0:0:0:0:0:0:0:1]:PORT/
https://[::1%25lo]:PORT/           https://[::1%lo]:PORT/           https://[fe80::1]:PORT/
https://[fc00::1]:PORT/            https://[fd00:ec2::254]:PORT/    https://[fec0::1]:PORT/
https://[ff02::1]:PORT/            https://[2001:db8::1]:PORT/      https://[3fff::1]:PORT/
https://[100::1]:PORT/             https://[5f00::1]:PORT/          https://[2001:20::1]:PORT/
https://[64:ff9b:1::1]:PORT/       https://[shop.example.com]:PORT/ https://[127.0.0.1]:PORT/
https://[::1:PORT/                 https://::1:PORT/                https://[::1]x:PORT/
https://user@localhost:PORT/       https://user:pass@127.0.0.1:PORT/ https://@127.0.0.1:PORT/
https://shop.example.com:PORT@127.0.0.1:PORT/ https://127.0.0.1:PORT\\@shop.example.com/
https:\\\\127.0.0.1:PORT/          https:/127.0.0.1:PORT/           https:127.0.0.1:PORT/
https:///127.0.0.1:PORT/           //127.0.0.1:PORT/                127.0.0.1:PORT
HTTPS://127.0.0.1:PORT/            hTTps://localhost:PORT/          http://127.0.0.1:PORT/
http://localhost:PORT/             http://shop.example.com/         http://shop.example.com:PORT/
ftp://127.0.0.1:PORT/              file:///etc/passwd               gopher://127.0.0.1:PORT/_x
dict://127.0.0.1:PORT/             unix:/run/x.sock                 javascript:alert(1)
data:text/plain,x                  https://                         https://:PORT/
https://./                         https://../                      https://-/
https://shop.example.com:0/        https://shop.example.com:65536/  https://shop.example.com:-1/
https://shop.example.com:22/       https://shop.example.com:25/     https://shop.example.com:6PORT/
https://shop.example.com:80:PORT/  https://shop.example.com:/       https://shop.example.com:+443/
https://loopback.example.com:PORT/ https://LOOPBACK.example.com:PORT/
https://loopback6.example.com:PORT/
https://mapped.example.com:PORT/ https://private.example.com:PORT/
https://metadata.example.com:PORT/
https://mixed.example.com:PORT/ https://mixed6.example.com:PORT/
https://unspecified.example.com:PORT/
https://nat64.example.com:PORT/    https://1/                       https://0/
https://127.0.0.1.:PORT/           https://127.1:PORT/              https://127.0.1:PORT/
https://0x7f.1:PORT/               https://0177.1:PORT/             https://0:PORT/
https://①②⑦.⓪.⓪.①:PORT/           https://ⓛocalhost:PORT/          https://127.0.0.1%2f:PORT/
https://127.0.0.1%09:PORT/         https://xn--127.0.0.1:PORT/      https://4294967295:PORT/
https://255.255.255.255:PORT/      https://224.0.0.1:PORT/          https://240.0.0.1:PORT/
https://198.18.0.1:PORT/           https://192.0.2.1:PORT/          https://192.0.0.192:PORT/
https://203.0.113.1:PORT/          https://198.51.100.1:PORT/       https://192.88.99.1:PORT/
https://168.63.129.16:PORT/        https://100.100.100.200:PORT/    https://0.0.0.0:PORT/
";

/// With what does not fit into a line: white space and control characters.
const ODD: &[&str] = &[
    "https://127.0.0.1\t:PORT/",
    "https://127.0.0.1\n:PORT/",
    "https://127.0.0.1\r\nHost: x\r\n:PORT/",
    "https:// 127.0.0.1:PORT/",
    " https://127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/ ",
    "https://\u{0}127.0.0.1:PORT/",
    "\u{feff}https://127.0.0.1:PORT/",
    "https://shop.example.com\u{202e}:PORT/",
    "",
];

fn forbidden(port: u16) -> Vec<String> {
    let bases = [
        Ipv4Addr::LOCALHOST,
        Ipv4Addr::UNSPECIFIED,
        Ipv4Addr::new(10, 0, 0, 1),
        Ipv4Addr::new(172, 16, 0, 1),
        Ipv4Addr::new(192, 168, 1, 1),
        Ipv4Addr::new(100, 64, 0, 1),
        Ipv4Addr::new(169, 254, 169, 254),
    ];
    let hosts = bases.into_iter().flat_map(spellings);
    let mut all: Vec<String> = hosts.map(|host| format!("https://{host}:{port}/")).collect();
    let others = OTHERS.split_whitespace().chain(ODD.iter().copied());
    all.extend(others.map(|url| url.replace("PORT", &port.to_string())));
    all.sort();
    all.dedup();
    all
}

async fn guarded(database: Database) -> TestApp {
    let names = Arc::new(Names::default());
    let outbound = Outbound::new(Network::new().unwrap().resolving_with(names), false);
    TestApp::sending(database, outbound).await
}

/// Puts a webhook into the database behind the back of all checks.
async fn smuggle(app: &TestApp, urls: Vec<String>) {
    let (team, now, parts) = (app.team, app.clock.now(), app.app.clone());
    let smuggle = move |tx: &mut waybill_store::Tx<'_>| {
        for url in &urls {
            let id = WebhookId(parts.new_uuid());
            let secrets = Secrets::generate(parts.ids().as_ref());
            let row = webhooks::Webhook {
                id,
                url: url.replace('\0', " "),
                kinds: "report.ready".to_owned(),
                is_active: true,
                disabled_reason: None,
                secrets: secrets.seal(parts.vault(), id.into(), parts.ids().as_ref()),
                batch: None,
                failing_since: None,
                created_at: now,
                updated_at: now,
            };
            webhooks::insert(tx, team, &row)?;
        }
        Ok::<_, waybill_store::Error>(())
    };
    app.app.write(smuggle).await.unwrap();
}

async fn canaries() -> [Receiver; 2] {
    let first = Receiver::start(|_| Reaction::Status(200)).await;
    let second = format!("[::1]:{}", first.port);
    [first, Receiver::on(&second, |_| Reaction::Status(200)).await]
}

async fn no_forbidden_address_is_taken(database: Database) {
    let (app, canaries) = (guarded(database).await, canaries().await);
    let (path, batches) = (app.path("/webhooks"), app.path("/booking-batches"));
    let body = |url: &str| json!({"url": url, "events": ["report.ready"]}).to_string();
    let good = app.post(&path).admin().json(&body("https://fine.example.com/")).send().await;
    let one = app.path(&format!("/webhooks/{}", good.at("/data/uuid").as_str().unwrap()));
    let all = forbidden(canaries[0].port);
    assert!(all.len() >= 200, "{}", all.len());
    for url in &all {
        let made = app.post(&path).admin().json(&body(url)).send().await;
        assert_eq!(made.problems(), ["url"], "{url}");
        let patch = json!({"url": url}).to_string();
        let changed = app.patch(&one).admin().json(&patch).send().await;
        assert_eq!(changed.problems(), ["url"], "{url}");
        let callback = json!({"callback": {"url": url, "events": ["report.ready"]}}).to_string();
        let made = app.post(&batches).admin().json(&callback).send().await;
        assert_eq!(made.problems(), ["callback.url"], "{url}");
    }
    assert_eq!(canaries.map(|canary| canary.connections()), [0, 0]);
}

async fn no_forbidden_address_is_sent_to(database: Database) {
    let (app, canaries) = (guarded(database).await, canaries().await);
    let all = forbidden(canaries[0].port);
    smuggle(&app, all.clone()).await;
    happen(&app).await;
    work(&app).await;
    let tried = app.app.read(|tx| {
        tx.all::<(String, Option<i64>, String)>(
            "SELECT a.error, a.status, webhook.url FROM delivery_attempt a
               JOIN delivery ON delivery.id = a.delivery
               JOIN webhook ON webhook.id = delivery.webhook",
            &[],
        )
    });
    let tried = tried.await.unwrap();
    assert_eq!(tried.len(), all.len(), "each was tried");
    for (error, status, url) in tried {
        assert_eq!((error.as_str(), status), ("attempt-not-allowed", None), "{url}");
    }
    assert_eq!(canaries.map(|canary| canary.connections()), [0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_forbidden_address_is_taken_sqlite() {
    no_forbidden_address_is_taken(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_forbidden_address_is_taken_postgres() {
    no_forbidden_address_is_taken(Database::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_forbidden_address_is_sent_to_sqlite() {
    no_forbidden_address_is_sent_to(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_forbidden_address_is_sent_to_postgres() {
    no_forbidden_address_is_sent_to(Database::Postgres).await;
}

both! {
    // The other tests of this file would pass if nothing were ever sent.
    async fn an_address_that_the_operator_allows_is_called(app) {
        let canaries = canaries().await;
        webhook(&app, &canaries[0].url()).await;
        webhook(&app, &format!("http://[::1]:{}/hook", canaries[1].port)).await;
        webhook(&app, &format!("http://localhost:{}/hook", canaries[1].port)).await;
        happen(&app).await;
        work(&app).await;
        let calls: usize = canaries.iter().map(|canary| canary.received().len()).sum();
        assert_eq!(calls, 3);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_changes_its_mind_is_caught_at_the_attempt() {
    let (app, canaries) = (guarded(Database::Sqlite).await, canaries().await);
    let url = format!("https://rebinding.example.com:{}/", canaries[0].port);
    let made = webhook(&app, &url).await;
    happen(&app).await;
    work(&app).await;
    let tried = &deliveries(&app, &made).await[0]["attempts"][0];
    assert_eq!(tried["error"], "The address is not public or not allowed.");
    assert_eq!(canaries.map(|canary| canary.connections()), [0, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_asked_for_once_in_each_attempt_so_nothing_can_change_in_between() {
    let names = Arc::new(Names::default());
    let outbound = Outbound::new(Network::new().unwrap().resolving_with(names.clone()), true);
    let app = TestApp::sending(Database::Sqlite, outbound).await;
    let receiver = Receiver::start(|_| Reaction::Status(200)).await;
    webhook(&app, &format!("http://loopback.example.com:{}/", receiver.port)).await;
    for count in 1..=3 {
        happen(&app).await;
        work(&app).await;
        assert_eq!(names.asked.load(Ordering::SeqCst), count);
    }
    let received = receiver.received();
    assert_eq!(received.len(), 3);
    let host = format!("loopback.example.com:{}", receiver.port);
    assert_eq!(received[0].headers["host"], host);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_not_there_yet_is_taken_and_fails_when_it_is_needed() {
    let app = guarded(Database::Sqlite).await;
    let made = webhook(&app, "https://not-yet.example.com/hook").await;
    happen(&app).await;
    work(&app).await;
    let tried = &deliveries(&app, &made).await[0]["attempts"][0];
    assert_eq!(tried["error"], "The host name could not be resolved.");
}
