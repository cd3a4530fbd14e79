//! How many bookings a second: 64 callers, the sandbox carrier in this process without a journal,
//! labels passed through, every step durable. In turns with the store's own ceiling: as many
//! commits as a booking makes, with nothing around them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use waybill_carriers::sandbox::service::{ServiceOptions, serve};
use waybill_domain::ids::{AccountId, IdSource, TeamId};
use waybill_domain::json::{Json, parse};
use waybill_domain::language::Language;
use waybill_domain::settings::Settings;
use waybill_domain::time::Clock;
use waybill_server::api::limits::Limits;
use waybill_server::api::shell;
use waybill_server::app::{App, Makings, SystemClock, SystemIds};
use waybill_server::keys::Keys;
use waybill_server::outbound::Outbound;
use waybill_server::work::runner;
use waybill_store::{Error, Options, Store, carrier_accounts, meta, teams};

use crate::http::Server;
use crate::load::Connection;
use crate::measure::{self, Failure, Ratio, Round};
use crate::scratch::{Account, Scratch};
use crate::store::Database;

const CALLERS: usize = 64;
/// Accept, intent, outcome.
const COMMITS: usize = 3;
const SENDER: &str = r#"{"sender_address": {"contact": {"name": "Bench Shop"}, "address":
    {"address_lines": ["Vestergade 1"], "postal_code": "1456", "city": "København K",
    "country": "DK"}}}"#;

/// Runs the benchmark.
pub fn run(database: &Database) -> Result<(), Failure> {
    let scratch = Scratch::new()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (app, account) = prepare(&runtime, &scratch, database)?;
    let server = Server::start(&runtime, app.clone(), shell::router(app.clone()))?;
    runtime.spawn(runner::run(app.clone(), std::future::pending::<()>()));
    while !app.door.is_open() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let count = Arc::new(AtomicU64::new(0));
    println!("{CALLERS} callers; the ceiling is {COMMITS} commits of one row each\n");
    let ratio = measure::duel(["booking", "ceiling"], Ratio::Rate, |time| {
        measure::in_turns(
            time,
            |turn| book(&runtime, server.address, &account, &count, turn),
            |turn| commit(&runtime, &app.store, &count, turn),
        )
    })?;
    println!("\nbooking is {:.1} % of the store's ceiling", 100.0 * ratio);
    server.stop(&runtime)?;
    Ok(())
}

fn prepare(
    runtime: &Runtime,
    scratch: &Scratch,
    database: &Database,
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
            clock: carrier_clock,
            ids: carrier_ids,
        };
        serve(listener, options, std::future::pending()).await
    });
    let limits = Limits::new(0, 0);
    let base_url = "http://127.0.0.1".to_owned();
    let outbound = Outbound::new(false)?;
    let app =
        Makings { store, clock, ids, keys, limits, base_url, sandbox_url, outbound }.build()?;
    furnish(&app, account.team)?;
    Ok((app, account))
}

/// Gives the team a sender address and an account with the sandbox carrier.
fn furnish(app: &App, team: TeamId) -> Result<(), Failure> {
    let (id, now) = (AccountId(app.ids.uuid()), app.clock.now());
    let nothing = Json::Object(Vec::new());
    let account = carrier_accounts::Account {
        id,
        carrier_code: "sandbox".to_owned(),
        name: "Sandbox".to_owned(),
        is_active: true,
        options: nothing.to_string(),
        credentials: app.vault.seal(id.into(), &nothing, app.ids.as_ref()),
        created_at: now,
        updated_at: now,
    };
    let patch = parse(SENDER.as_bytes()).map_err(|_| "the sender is no JSON")?;
    let settings = Settings::new(Language::En).patched(&patch, |_| false);
    let settings = settings.map_err(|_| "the sender is not valid")?.to_json().to_string();
    app.store.blocking_write(move |tx| {
        carrier_accounts::insert(tx, team, &account)?;
        teams::set_settings(tx, team, 1, &settings, "en", now)?;
        Ok::<_, Error>(())
    })?;
    Ok(())
}

/// Books for this long on all connections.
fn book(
    runtime: &Runtime,
    address: SocketAddr,
    account: &Account,
    count: &Arc<AtomicU64>,
    time: Duration,
) -> Result<Round, Failure> {
    each(runtime, time, |_| {
        let (count, account) = (count.clone(), account.clone());
        async move {
            let mut connection = Connection::open(address).await?;
            let started = measure::now();
            let mut latencies = Vec::new();
            while started.elapsed() < time {
                let number = count.fetch_add(1, Ordering::Relaxed);
                let request = request(address, &account, number);
                let asked = measure::now();
                let answer = connection.ask(&request).await?;
                if answer.status != 201 {
                    let body = String::from_utf8_lossy(answer.body).into_owned();
                    return Err(format!("not booked: {} {body}", answer.status).into());
                }
                latencies.push(asked.elapsed());
            }
            Ok(latencies)
        }
    })
}

fn request(address: SocketAddr, account: &Account, number: u64) -> Vec<u8> {
    let body = format!(
        r#"{{"reference":"ORDER-{number}","delivery":{{"service_code":"sandbox:home"}},"parties":{{
        "customer":{{"contact":{{"name":"Ada Jensen","email":"ada@example.com",
        "phone":"+4530274735"}},"address":{{"address_lines":["Islands Brygge 39"],
        "postal_code":"2300","city":"København S","country":"DK"}}}}}},
        "parcels":[{{"gross_weight":{{"value":1200,"unit":"g"}}}}]}}"#
    );
    let head = format!(
        "POST /v2/teams/{}/shipments HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nIdempotency-Key: bench-{number:016}\r\n\
         Content-Length: {}\r\n\r\n",
        account.team,
        account.token,
        body.len()
    );
    [head.into_bytes(), body.into_bytes()].concat()
}

/// As many commits as a booking makes, one row each, from as many tasks.
fn commit(
    runtime: &Runtime,
    store: &Store,
    count: &Arc<AtomicU64>,
    time: Duration,
) -> Result<Round, Failure> {
    each(runtime, time, |_| {
        let (store, count) = (store.clone(), count.clone());
        async move {
            let started = measure::now();
            let mut latencies = Vec::new();
            while started.elapsed() < time {
                let asked = measure::now();
                for _ in 0..COMMITS {
                    let name = format!("bench-{}", count.fetch_add(1, Ordering::Relaxed));
                    let insert = move |tx: &mut waybill_store::Tx<'_>| {
                        meta::insert_if_absent(tx, &name, "a row")
                    };
                    store.write(insert).await?;
                }
                latencies.push(asked.elapsed());
            }
            Ok(latencies)
        }
    })
}

/// Runs one task for each caller and gathers what they measured.
fn each<W>(runtime: &Runtime, time: Duration, work: impl Fn(usize) -> W) -> Result<Round, Failure>
where
    W: Future<Output = Result<Vec<Duration>, Failure>> + Send + 'static,
{
    let started = measure::now();
    let tasks: Vec<_> = (0..CALLERS).map(|caller| runtime.spawn(work(caller))).collect();
    let mut latencies = Vec::new();
    let gather = async {
        for task in tasks {
            latencies.extend(task.await??);
        }
        Ok::<_, Failure>(())
    };
    let patience = time + Duration::from_secs(30);
    runtime.block_on(async { tokio::time::timeout(patience, gather).await })??;
    Ok(Round::new(latencies, started.elapsed()))
}
