//! A server for one test: the real router, a database of its own, a clock that moves when told.

pub mod agent;
pub mod answers;
pub mod browser;
pub mod bucket;
pub mod contract;
pub mod echo;
pub mod fixture;
pub mod front;
pub mod proxy;
pub mod receiver;
pub mod socket;
mod sources;
pub mod tls;

use std::sync::Arc;
use std::time::Duration;

pub use answers::{Ask, Reply};
pub use sources::{CountingIds, FakeClock};
use uuid::Uuid;
use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_api::state::Api;
use waybill_carriers::CarrierUrls;
use waybill_carriers::registry::{CARRIERS, Row};
use waybill_domain::access::{Role, Scopes};
use waybill_domain::audit::Act;
use waybill_domain::ids::{TeamId, TokenId, UserId};
use waybill_domain::language::Language;
use waybill_domain::quota::Quotas;
use waybill_domain::retention::Retention;
use waybill_domain::settings::Settings;
use waybill_domain::time::Clock;
use waybill_domain::token;
use waybill_engine::app::{App, AppBuilder};
use waybill_engine::files::Files;
use waybill_engine::keys::Keys;
use waybill_outbound::{Network, Outbound};
use waybill_printing::PrinterNetworks;
pub use waybill_store::testing::Database;
use waybill_store::testing::{Scratch, fresh};
use waybill_store::{Error, check, members, teams, tokens, users};
use waybill_worker::state::Worker;

/// Runs a test on both databases: `both! { async fn the_rule(app) { … } }`.
macro_rules! both {
    ($(async fn $name:ident($app:ident) $body:block)*) => {$(
        async fn $name($app: crate::harness::TestApp) $body

        mod $name {
            use crate::harness::{Database, TestApp};

            #[tokio::test(flavor = "multi_thread")]
            async fn sqlite() {
                super::$name(TestApp::new(Database::Sqlite).await).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn postgres() {
                super::$name(TestApp::new(Database::Postgres).await).await;
            }
        }
    )*};
}
pub(crate) use both;

/// Runs functions that take a database as tests on both: `databases! { the_rule another_rule }`.
macro_rules! databases {
    ($($name:ident)*) => {$(
        mod $name {
            use crate::harness::Database;

            #[tokio::test(flavor = "multi_thread")]
            async fn sqlite() {
                super::$name(Database::Sqlite).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn postgres() {
                super::$name(Database::Postgres).await;
            }
        }
    )*};
}
pub(crate) use databases;

/// The carriers of a service that books nothing.
fn nowhere() -> (&'static [Row], CarrierUrls) {
    (CARRIERS, CarrierUrls::default())
}

/// Limits that no test reaches, so that every answer has the headers of limits.
fn generous() -> Limits {
    Limits::new(10_000_000, 10_000_000)
}

/// A running service with one team, its administrator and a member.
pub struct TestApp {
    pub app: App,
    pub api: Arc<Api>,
    pub worker: Arc<Worker>,
    pub clock: Arc<FakeClock>,
    pub router: axum::Router,
    pub team: TeamId,
    /// A token of the administrator with all scopes.
    pub admin: String,
    /// A token of a member with all scopes.
    pub member: String,
    scratch: Scratch,
}

impl TestApp {
    /// Something that the command line does now.
    pub fn act(&self) -> Act {
        Act::by_operator(self.app.new_uuid(), self.clock.now())
    }

    pub async fn new(database: Database) -> TestApp {
        TestApp::limited(database, generous()).await
    }

    pub async fn with_limits(database: Database, reads: u32, writes: u32) -> TestApp {
        TestApp::limited(database, Limits::new(reads, writes)).await
    }

    pub async fn limited(database: Database, limits: Limits) -> TestApp {
        // Nobody listens there: tests that book start a sandbox carrier of their own.
        let outbound = Outbound::new(Network::new().unwrap(), true);
        let (clock, files) = (FakeClock::default(), Files::default());
        TestApp::build(database, (limits, ""), clock, nowhere(), outbound, files).await
    }

    /// A service with these quotas.
    pub async fn with_quotas(database: Database, quotas: &str) -> TestApp {
        let (clock, files) = (FakeClock::default(), Files::default());
        let outbound = Outbound::new(Network::new().unwrap(), true);
        TestApp::build(database, (generous(), quotas), clock, nowhere(), outbound, files).await
    }

    /// A service that sends this way.
    pub async fn sending(database: Database, outbound: Outbound) -> TestApp {
        let (limits, clock) = (generous(), FakeClock::default());
        TestApp::build(database, (limits, ""), clock, nowhere(), outbound, Files::default()).await
    }

    /// A service with these carriers, at these addresses. Its clock goes on.
    pub async fn with_registry(
        database: Database,
        registry: &'static [Row],
        urls: CarrierUrls,
        outbound: Outbound,
    ) -> TestApp {
        let (clock, carriers) = (FakeClock::running(), (registry, urls));
        TestApp::build(database, (generous(), ""), clock, carriers, outbound, Files::default())
            .await
    }

    /// A service whose carriers answer: its clock goes on, and `sandbox_url` is a carrier.
    pub async fn with_carrier(database: Database, sandbox_url: String) -> TestApp {
        TestApp::keeping(database, sandbox_url, Files::default()).await
    }

    /// The same, with the bytes of its documents there.
    pub async fn keeping(database: Database, sandbox_url: String, files: Files) -> TestApp {
        let clock = FakeClock::running();
        let outbound = Outbound::new(Network::new().unwrap(), true);
        let carriers = (CARRIERS, CarrierUrls::one("sandbox", &sandbox_url));
        TestApp::build(database, (generous(), ""), clock, carriers, outbound, files).await
    }

    async fn build(
        database: Database,
        (limits, quotas): (Limits, &str),
        clock: FakeClock,
        (registry, carrier_urls): (&'static [Row], CarrierUrls),
        outbound: Outbound,
        files: Files,
    ) -> TestApp {
        let scratch = fresh(database);
        let clock = Arc::new(clock);
        let app = AppBuilder {
            store: scratch.store.clone(),
            clock: clock.clone(),
            ids: Arc::new(CountingIds::default()),
            keys: Keys::new([7; 32]),
            files,
            base_url: "http://waybill.test".to_owned(),
            registry,
            carrier_urls,
            outbound,
            batches_at_once: 2,
            quotas: Quotas::parse(quotas).unwrap(),
            retention: Retention::default(),
            printer_networks: PrinterNetworks::default(),
            virtual_printer: None,
            print_jobs_expire: Duration::from_hours(12),
            program: env!("CARGO_BIN_EXE_waybill").into(),
        }
        .build()
        .unwrap();
        let api = Api::new(app.clone(), limits);
        let router = dispatch::router(api.clone());
        let worker = Worker::new(app.clone());
        let nobody = TeamId(Uuid::nil());
        let (admin, member) = (String::new(), String::new());
        let mut test =
            TestApp { app, api, worker, clock, router, team: nobody, admin, member, scratch };
        (test.team, test.admin) = test.team("shop.example.com").await;
        test.member = test.token_for(test.team, Role::Member, "*").await;
        test
    }

    /// Where the database is, for other programs.
    pub fn database_url(&self) -> &str {
        &self.scratch.url
    }

    /// A second server on the same database.
    pub fn beside(&self, reads: u32, writes: u32) -> Arc<Api> {
        self.beside_keeping(Limits::new(reads, writes), Files::default())
    }

    /// A second server on the same database, with a clock of its own.
    pub fn beside_at(&self, limits: Limits, clock: Arc<FakeClock>) -> Arc<Api> {
        self.beside_with(limits, Files::default(), clock)
    }

    /// A second server on the same database, with the bytes of its documents there.
    pub fn beside_keeping(&self, limits: Limits, files: Files) -> Arc<Api> {
        self.beside_with(limits, files, self.clock.clone())
    }

    /// A worker of another server on the same database, which keeps things for this long.
    pub fn beside_forgetting(&self, retention: &str) -> Arc<Worker> {
        let retention = Retention::parse(retention).unwrap();
        let builder = self.builder(Files::default(), self.clock.clone());
        Worker::new(AppBuilder { retention, ..builder }.build().unwrap())
    }

    fn beside_with(&self, limits: Limits, files: Files, clock: Arc<FakeClock>) -> Arc<Api> {
        Api::new(self.builder(files, clock).build().unwrap(), limits)
    }

    /// What another server on the same database is made of.
    fn builder(&self, files: Files, clock: Arc<FakeClock>) -> AppBuilder {
        AppBuilder {
            store: waybill_store::Store::open(&self.scratch.url, Default::default()).unwrap(),
            clock,
            ids: Arc::new(CountingIds::starting_at(1 << 40)),
            keys: Keys::new([7; 32]),
            files,
            base_url: "http://waybill.test".to_owned(),
            registry: CARRIERS,
            carrier_urls: CarrierUrls::default(),
            outbound: self.app.outbound().clone(),
            batches_at_once: 2,
            quotas: self.app.quotas().clone(),
            retention: self.app.retention().clone(),
            printer_networks: PrinterNetworks::default(),
            virtual_printer: None,
            print_jobs_expire: Duration::from_hours(12),
            program: env!("CARGO_BIN_EXE_waybill").into(),
        }
    }

    /// Another team, and a token of its administrator.
    pub async fn team(&self, domain: &str) -> (TeamId, String) {
        let (id, now) = (TeamId(self.app.new_uuid()), self.clock.now());
        let team = teams::Team {
            id,
            name: format!("Team {domain}"),
            domain: domain.to_owned(),
            language: "en".to_owned(),
            created_at: now,
            updated_at: now,
        };
        let settings = Settings::new(Language::En).to_json().to_string();
        let insert = move |tx: &mut waybill_store::Tx<'_>| teams::insert(tx, &team, &settings);
        self.app.write(insert).await.unwrap();
        (id, self.token_for(id, Role::Admin, "*").await)
    }

    /// A token of a new user with this role in the team.
    pub async fn token_for(&self, team: TeamId, role: Role, scopes: &str) -> String {
        let (user, now) = (UserId(self.app.new_uuid()), self.clock.now());
        let row = users::User {
            id: user,
            name: "Ada Jensen".to_owned(),
            email: format!("{user}@example.com"),
            language: "da".to_owned(),
            is_operator: false,
            created_at: now,
        };
        let secret = token::generate(self.app.ids().as_ref()).expose().clone();
        let hash = token::hash(&secret).unwrap();
        let token = tokens::Token {
            id: TokenId(self.app.new_uuid()),
            user,
            team: None,
            name: "test".to_owned(),
            scopes: Scopes::parse(scopes).unwrap().to_string(),
            expires_at: None,
            created_at: now,
            last_used_at: None,
            revoked_at: None,
        };
        self.app
            .write(move |tx| {
                users::insert(tx, &row)?;
                members::insert(tx, team, user, role, now)?;
                tokens::insert(tx, &token, &hash)?;
                Ok::<_, Error>(())
            })
            .await
            .unwrap();
        secret
    }

    /// Lets the members of a team join another one too.
    pub async fn join_also(&self, team: TeamId, other: TeamId) {
        let join = "INSERT INTO member (team, user_id, role, created_at)
                    SELECT $2, user_id, role, created_at FROM member WHERE team = $1";
        let joined = self.app.write(move |tx| tx.exec(join, &[team.into(), other.into()]));
        joined.await.unwrap();
    }

    pub fn get(&self, path: &str) -> Ask<'_> {
        Ask::new(self, "GET", path)
    }

    pub fn post(&self, path: &str) -> Ask<'_> {
        Ask::new(self, "POST", path)
    }

    pub fn put(&self, path: &str) -> Ask<'_> {
        Ask::new(self, "PUT", path)
    }

    pub fn patch(&self, path: &str) -> Ask<'_> {
        Ask::new(self, "PATCH", path)
    }

    pub fn delete(&self, path: &str) -> Ask<'_> {
        Ask::new(self, "DELETE", path)
    }

    pub fn ask(&self, method: &str, path: &str) -> Ask<'_> {
        Ask::new(self, method, path)
    }

    /// The path of something of the team, under `/v2`.
    pub fn path(&self, rest: &str) -> String {
        format!("/v2/teams/{}{rest}", self.team)
    }
}

impl Drop for TestApp {
    /// Every test is also a test of the invariants.
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let now = self.clock.unmoved().plus(Duration::from_mins(2));
        let store = self.app.store().clone();
        let checked =
            std::thread::spawn(move || store.blocking_read(move |tx| check::check(tx, now)));
        let violations: Result<Vec<_>, Error> = checked.join().unwrap();
        let mut violations = violations.unwrap();
        // A test that moves its clock sets alarms in what is the future here.
        violations.retain(|violation| violation.rule != check::DUE_TOO_LATE);
        assert_eq!(violations, [], "invariants are broken");
    }
}
