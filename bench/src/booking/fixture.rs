//! A running service for the benchmarks: server, runner, a sandbox carrier without a journal in
//! this process, and a team that may book.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_api::state::Api;
use waybill_carriers::CarrierUrls;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;
use waybill_engine::app::{App, AppBuilder};
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_engine::keys::Keys;
use waybill_engine::seed::seed_sandbox_team;
use waybill_sandbox::{POINTS, ServiceOptions, serve};
use waybill_store::{Options, Store};
use waybill_worker::runner;
use waybill_worker::state::Worker;

use crate::http::Server;
use crate::measure::Failure;
use crate::scratch::{Account, Scratch, app_builder};
use crate::store::Database;

const SENDER: &str = r#"{"sender_address": {"contact": {"name": "Bench Shop"}, "address":
    {"address_lines": ["Vestergade 1"], "postal_code": "1456", "city": "København K",
    "country": "DK"}}, "documents": {"label": {"formats": ["zpl", "pdf"]}}}"#;

/// The service whose label the carrier makes.
pub const LETTER: &str = "sandbox:letter";
/// A service whose label we draw, as ZPL.
pub const HOME: &str = "sandbox:home";

/// A service that books.
pub struct Fixture {
    /// Where its tasks run.
    pub runtime: Runtime,
    /// Its parts.
    pub app: App,
    /// Who books.
    pub account: Account,
    /// Where it listens.
    pub address: SocketAddr,
    server: Server,
    count: AtomicU64,
    scratch: Scratch,
}

impl Fixture {
    /// Opens it on an empty database.
    pub fn open(database: &Database) -> Result<Fixture, Failure> {
        Fixture::open_with(database, CarrierUrls::default(), SENDER)
    }

    /// The same with carriers at these addresses, and this patch of the team's settings.
    pub fn open_with(
        database: &Database,
        urls: CarrierUrls,
        settings: &'static str,
    ) -> Result<Fixture, Failure> {
        let scratch = Scratch::new()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let (app, account) = prepare(&runtime, &scratch, database, urls)?;
        runtime.block_on(seed_sandbox_team(&app, account.team, "sandbox", settings))?;
        let server = Server::start(
            &runtime,
            app.clone(),
            dispatch::router(Api::new(app.clone(), Limits::new(0, 0))),
        )?;
        runtime.spawn(runner::run(Worker::new(app.clone()), std::future::pending::<()>()));
        while !app.handoff().is_open() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let (address, count) = (server.address, AtomicU64::new(0));
        Ok(Fixture { runtime, app, account, address, server, count, scratch })
    }

    /// Where a SQLite database is.
    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }

    /// Closes it.
    pub fn close(self) -> Result<(), Failure> {
        self.server.stop(&self.runtime)
    }

    /// Ends everything that runs, and leaves the database.
    pub fn stop(self) -> Result<(App, Scratch), Failure> {
        self.server.stop(&self.runtime)?;
        self.runtime.shutdown_timeout(Duration::from_secs(10));
        Ok((self.app, self.scratch))
    }

    /// A booking that nobody has asked for yet.
    pub fn order(&self) -> Vec<u8> {
        self.order_with(LETTER)
    }

    /// The same with this service.
    pub fn order_with(&self, service: &str) -> Vec<u8> {
        let (number, body) = self.wish(service);
        let key = format!("Idempotency-Key: bench-{number:016}\r\n");
        self.request("POST", "/shipments", &key, &body)
    }

    /// The body of one, and its number.
    pub fn wish(&self, service: &str) -> (u64, String) {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let body = format!(
            r#"{{"reference":"ORDER-{number}","delivery":{{"service_code":"{service}"}},
            "parties":{{"customer":{{"contact":{{"name":"Ada Jensen","email":"ada@example.com",
            "phone":"+4530274735"}},"address":{{"address_lines":["Islands Brygge 39"],
            "postal_code":"2300","city":"København S","country":"DK"}}}}}},
            "parcels":[{{"gross_weight":{{"value":1200,"unit":"g"}}}}]}}"#
        );
        (number, body)
    }

    /// A request for what is under the team, with the prefix `/beta`.
    pub fn request_beta(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        self.request_under("beta", method, path, ("", body))
    }

    /// A request for what is under the team.
    pub fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
        self.request_under("v2", method, path, (headers, body))
    }

    fn request_under(
        &self,
        prefix: &str,
        method: &str,
        path: &str,
        (headers, body): (&str, &str),
    ) -> Vec<u8> {
        let (team, token, length) = (self.account.team, &self.account.token, body.len());
        let head = format!(
            "{method} /{prefix}/teams/{team}{path} HTTP/1.1\r\nHost: {}\r\n\
             Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             {headers}Content-Length: {length}\r\n\r\n",
            self.address
        );
        [head.as_bytes(), body.as_bytes()].concat()
    }
}

fn prepare(
    runtime: &Runtime,
    scratch: &Scratch,
    database: &Database,
    mut carrier_urls: CarrierUrls,
) -> Result<(App, Account), Failure> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
    let options = Options { exclusive: true, ..Options::default() };
    let url = match database {
        Database::Sqlite => scratch.database("waybill.db"),
        Database::Postgres(url) => url.clone(),
    };
    let store = Store::open(&url, options)?;
    let keys = Keys::load_or_create(&scratch.path().join("waybill.key"), ids.as_ref())?;
    let account = Account::create(&store, clock.now(), ids.as_ref())?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let sandbox_url = format!("http://{}", listener.local_addr()?);
    let (carrier_clock, carrier_ids) = (clock.clone(), ids.clone());
    runtime.spawn(async move {
        let options = ServiceOptions {
            journal: None,
            visible_after: Duration::ZERO,
            points: POINTS,
            clock: carrier_clock,
            ids: carrier_ids,
        };
        serve(listener, options, std::future::pending()).await
    });
    carrier_urls.add_default("sandbox", &sandbox_url);
    let app = AppBuilder { carrier_urls, ..app_builder(store, clock, ids, keys)? }.build()?;
    Ok((app, account))
}
