//! How many deliveries a second, and how long from the commit of an event to its arrival: 100
//! webhooks of ten teams, a receiver on loopback in this process, every attempt written down. Then
//! the same at half that rate with one webhook that never answers, in turns with none.

mod receiver;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use uuid::Uuid;
use waybill_domain::event::{Event, EventKind};
use waybill_domain::ids::{EventId, IdSource, TeamId, WebhookId};
use waybill_domain::time::Clock;
use waybill_engine::app::{App, AppBuilder};
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_engine::keys::Keys;
use waybill_engine::signing::Secrets;
use waybill_outbound::{Network, Outbound};
use waybill_store::{Error, Options, Store, events, teams, webhooks};
use waybill_worker::runner;
use waybill_worker::state::Worker;

use crate::measure::{self, Failure};
use crate::scratch::{Scratch, app_builder};
use crate::store::Database;
use receiver::{Arrival, Receiver};

const TEAMS: usize = 10;
const WEBHOOKS_EACH: usize = 10;
const EVENTS: usize = 10_000;
/// Events that are written in one transaction when the rate does not matter.
const CHUNK: usize = 20;
/// How long each round below saturation lasts, and how many of each kind there are.
const ROUND: Duration = Duration::from_secs(4);
const ROUNDS: usize = 7;
/// The longest that the last delivery may be waited for.
const PATIENCE: Duration = Duration::from_mins(5);

/// When each event was committed.
type Commits = HashMap<Uuid, Instant>;

/// Runs the benchmark.
pub fn run(database: &Database) -> Result<(), Failure> {
    let scratch = Scratch::new()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let receiver = Receiver::start()?;
    let (app, teams) = prepare(&runtime, &scratch, database, receiver.port)?;
    runtime.spawn(runner::run(Worker::new(app.clone()), std::future::pending::<()>()));
    println!("{} webhooks of {TEAMS} teams", TEAMS * WEBHOOKS_EACH);

    let started = measure::now();
    let commits = runtime.block_on(produce(&app, &teams, EVENTS))?;
    let arrivals = receiver.take(EVENTS * WEBHOOKS_EACH, PATIENCE)?;
    let rate = arrivals.len() as f64 / started.elapsed().as_secs_f64();
    println!("\n{EVENTS} events at once, {} deliveries: {rate:.0} a second", commits.len() * 10);

    let pace = rate / 2.0 / WEBHOOKS_EACH as f64;
    println!("\nat half that rate, milliseconds from commit to arrival:");
    let (mut calm, mut poisoned) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for (is_silent, kind) in [(false, &mut calm), (true, &mut poisoned)] {
            receiver.set_silent(is_silent);
            let commits = runtime.block_on(produce_at(&app, &teams, pace))?;
            let expected = commits.len() * WEBHOOKS_EACH;
            let arrivals = receiver.take_healthy(expected, &commits, &teams, PATIENCE)?;
            let (p50, p99) = percentiles(&commits, &arrivals);
            let name = if is_silent { "one never answers" } else { "all answer" };
            println!("{name:>18}  p50 {p50:6.1}  p99 {p99:6.1}  ({} deliveries)", arrivals.len());
            kind.push(p99);
        }
    }
    let (calm, poisoned) = (measure::median(calm), measure::median(poisoned));
    println!("\nmedian p99: {calm:.1} ms; with one that never answers {poisoned:.1} ms");
    println!("which is {:.2} times as long", poisoned / calm);
    println!("memory: {}", memory());
    Ok(())
}

fn prepare(
    runtime: &Runtime,
    scratch: &Scratch,
    database: &Database,
    port: u16,
) -> Result<(App, Vec<TeamId>), Failure> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
    let url = match database {
        Database::Sqlite => scratch.database("waybill.db"),
        Database::Postgres(url) => url.clone(),
    };
    let store = Store::open(&url, Options { exclusive: true, ..Options::default() })?;
    let keys = Keys::load_or_create(&scratch.path().join("waybill.key"), ids.as_ref())?;
    let outbound = Outbound::new(Network::new()?, true);
    let app_builder = AppBuilder { outbound, ..app_builder(store, clock, ids, keys)? };
    let app = app_builder.build()?;
    let teams: Vec<TeamId> = (0..TEAMS).map(|_| TeamId(app.new_uuid())).collect();
    for (number, team) in teams.iter().enumerate() {
        runtime.block_on(seed(&app, *team, number, port))?;
    }
    Ok((app, teams))
}

/// Adds a team and its webhooks. Their paths are numbered through all teams.
async fn seed(app: &App, team: TeamId, number: usize, port: u16) -> Result<(), Failure> {
    let (app, now) = (app.clone(), app.now());
    let store = app.store().clone();
    let write = move |tx: &mut waybill_store::Tx<'_>| {
        let row = teams::Team {
            id: team,
            name: format!("Team {number}"),
            domain: format!("team{number}.example.com"),
            language: "en".to_owned(),
            created_at: now,
            updated_at: now,
        };
        teams::insert(tx, &row, "{}")?;
        for place in 0..WEBHOOKS_EACH {
            let id = WebhookId(app.new_uuid());
            let secrets = Secrets::generate(app.ids().as_ref());
            let path = number * WEBHOOKS_EACH + place;
            let webhook = webhooks::Webhook {
                id,
                url: format!("http://127.0.0.1:{port}/{path}"),
                kinds: EventKind::ReportReady.name().to_owned(),
                is_active: true,
                disabled_reason: None,
                secrets: secrets.seal(app.vault(), id.into(), app.ids().as_ref()),
                batch: None,
                failing_since: None,
                created_at: now,
                updated_at: now,
            };
            webhooks::insert(tx, team, &webhook)?;
        }
        Ok::<_, Error>(())
    };
    Ok(store.write(write).await?)
}

/// Writes these many events of a team and tells when they were committed.
async fn append(app: App, team: TeamId, count: usize) -> Result<Commits, Error> {
    let now = app.now();
    let make = |_| {
        let about = ("report_uuid", app.new_uuid());
        Event::new(EventId(app.new_uuid()), EventKind::ReportReady, now, about)
    };
    let made: Vec<Event> = (0..count).map(make).collect();
    let ids: Vec<Uuid> = made.iter().map(|event| event.id.into()).collect();
    let write = move |tx: &mut waybill_store::Tx<'_>| {
        made.iter().try_for_each(|event| events::append(tx, team, event))
    };
    app.write(write).await?;
    let committed = measure::now();
    app.wake_runner();
    Ok(ids.into_iter().map(|id| (id, committed)).collect())
}

/// Writes events as fast as it can.
async fn produce(app: &App, teams: &[TeamId], count: usize) -> Result<Commits, Failure> {
    let mut commits = Commits::new();
    for chunk in 0..count / CHUNK {
        commits.extend(append(app.clone(), teams[chunk % teams.len()], CHUNK).await?);
    }
    Ok(commits)
}

/// Writes events one at a time, at this many a second, for one round.
async fn produce_at(app: &App, teams: &[TeamId], pace: f64) -> Result<Commits, Failure> {
    let mut tick = tokio::time::interval(Duration::from_secs_f64(1.0 / pace));
    let (started, mut writing) = (measure::now(), JoinSet::new());
    let mut team = teams.iter().cycle();
    while started.elapsed() < ROUND {
        tick.tick().await;
        let team = team.next().copied().ok_or("there are no teams")?;
        writing.spawn(append(app.clone(), team, 1));
    }
    let mut commits = Commits::new();
    while let Some(written) = writing.join_next().await {
        commits.extend(written??);
    }
    Ok(commits)
}

/// The median and the 99th percentile, in milliseconds.
fn percentiles(commits: &Commits, arrivals: &[Arrival]) -> (f64, f64) {
    let latency = |arrival: &Arrival| {
        let committed = commits.get(&arrival.event)?;
        Some(arrival.at.saturating_duration_since(*committed).as_secs_f64() * 1000.0)
    };
    let mut all: Vec<f64> = arrivals.iter().filter_map(latency).collect();
    all.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        all.get(all.len().saturating_sub(1) * percent / 100).copied().unwrap_or(f64::NAN)
    };
    (at(50), at(99))
}

/// The memory of this process, receiver and benchmark included, now and at most.
pub fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let find = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.map_or("unknown", str::trim).to_owned()
    };
    format!("{} now, {} at most", find("VmRSS:"), find("VmHWM:"))
}
