//! How much grouping gives: many writers with grouped commits against the same writers with a
//! commit each, and a lone writer, who must not pay for it.
//!
//! Every answer waits for the disk, as in production. A transaction is what accepting a request is:
//! its key is claimed, its resource and its job are stored, a fact is noted, the key is bound.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use waybill_domain::ids::{IdSource, TeamId, TemplateId};
use waybill_domain::job::JobKind;
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_store::{Error, Options, Store, Tx, idempotency, jobs, meta, templates};

use crate::measure::{self, Failure, Ratio, Round};
use crate::scratch::{Account, BusyDisk, Scratch};

/// Writers at once.
const WRITERS: usize = 64;
/// Connections to PostgreSQL.
const CONNECTIONS: usize = 8;
/// A job that is never due while we measure.
const LATER: Duration = Duration::from_hours(1);

/// Where the transactions are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Database {
    /// Files in the temporary directory.
    Sqlite,
    /// An empty database at this address.
    Postgres(String),
}

/// Runs the benchmark.
pub fn run(database: &Database, is_disk_busy: bool) -> Result<(), Failure> {
    let scratch = Scratch::new()?;
    let neighbour = if is_disk_busy { Some(BusyDisk::start(&scratch)?) } else { None };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (place, busy) =
        (scratch.path().display(), if is_disk_busy { ", disk kept busy" } else { "" });
    let result = match database {
        Database::Sqlite => {
            println!("SQLite, synchronous=FULL, in {place}{busy}");
            sqlite(&runtime, &scratch)
        }
        Database::Postgres(url) => {
            println!("PostgreSQL, {CONNECTIONS} connections, {WRITERS} writers{busy}");
            postgres(&runtime, url)
        }
    };
    drop(neighbour);
    result
}

fn sqlite(runtime: &Runtime, scratch: &Scratch) -> Result<(), Failure> {
    let open = |name: &str, group_max| {
        let options = Options { group_max, ..Options::default() };
        Fixture::open(&scratch.database(name), options)
    };
    let (grouped, single) = (open("grouped.db", WRITERS)?, open("single.db", 1)?);

    println!("\n{WRITERS} writers: commits of up to {WRITERS} transactions, and of one");
    let many = measure::duel(["grouped", "single"], Ratio::Rate, |time| {
        let write = |fixture: &Fixture, turn| runtime.block_on(fixture.write(WRITERS, turn));
        measure::in_turns(time, |turn| write(&grouped, turn), |turn| write(&single, turn))
    })?;
    println!("\n1 writer, in turns after each write; the ratio is of the median latencies");
    let lone = measure::duel(["grouped", "single"], Ratio::Latency, |time| {
        runtime.block_on(alternate([&grouped, &single], time))
    })?;
    println!("\n{WRITERS} writers: grouping gives {many:.1} times the transactions per second");
    println!("1 writer: with grouping a write takes {lone:.3} of the time without");
    Ok(())
}

fn postgres(runtime: &Runtime, url: &str) -> Result<(), Failure> {
    let options = Options { connections: CONNECTIONS, ..Options::default() };
    let fixture = Fixture::open(url, options)?;
    let rate = measure::solo("commits", |time| runtime.block_on(fixture.write(WRITERS, time)))?;
    println!("\n{rate:.0} transactions per second");
    Ok(())
}

/// An open store with a team, and what its writers need.
#[derive(Clone)]
struct Fixture {
    store: Store,
    team: TeamId,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

impl Fixture {
    fn open(url: &str, options: Options) -> Result<Fixture, Failure> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
        let store = Store::open(url, options)?;
        let team = Account::create(&store, clock.now(), ids.as_ref())?.team;
        Ok(Fixture { store, team, clock, ids })
    }

    /// Lets so many writers write for so long, each waiting for its answer before the next.
    async fn write(&self, writers: usize, time: Duration) -> Result<Round, Failure> {
        let started = measure::now();
        let tasks: Vec<_> = (0..writers)
            .map(|_| {
                let fixture = self.clone();
                tokio::spawn(async move {
                    let mut latencies = Vec::new();
                    while started.elapsed() < time {
                        let asked = measure::now();
                        fixture.accept().await?;
                        latencies.push(asked.elapsed());
                    }
                    Ok::<_, Error>(latencies)
                })
            })
            .collect();
        let mut latencies = Vec::new();
        for task in tasks {
            latencies.extend(task.await??);
        }
        Ok(Round::new(latencies, started.elapsed()))
    }

    async fn accept(&self) -> Result<(), Error> {
        let accept = Accept::new(self.team, self.clock.now(), self.ids.as_ref());
        self.store.write(move |tx| accept.keep(tx)).await
    }
}

/// One writer that turns to the other store after each write: the difference is far smaller than
/// what the disk's mood changes within seconds. Who comes first changes too, because the system
/// may make every other write wait.
async fn alternate(desks: [&Fixture; 2], time: Duration) -> Result<[Round; 2], Failure> {
    let mut latencies = [Vec::new(), Vec::new()];
    let started = measure::now();
    while started.elapsed() < 2 * time {
        for index in [0, 1, 1, 0] {
            let asked = measure::now();
            desks[index].accept().await?;
            latencies[index].push(asked.elapsed());
        }
    }
    Ok(latencies.map(|latencies| {
        let took = latencies.iter().sum();
        Round::new(latencies, took)
    }))
}

/// A request that is accepted.
struct Accept {
    team: TeamId,
    now: Time,
    request: idempotency::KeyClaim,
    template: templates::Template,
    fact: String,
}

impl Accept {
    fn new(team: TeamId, now: Time, ids: &dyn IdSource) -> Accept {
        let id = TemplateId(ids.uuid());
        let mut fingerprint = [0; 32];
        ids.fill(&mut fingerprint);
        Accept {
            team,
            now,
            request: idempotency::KeyClaim {
                method: "POST".to_owned(),
                path: format!("/teams/{team}/shipment-templates"),
                key: format!("order-{id}"),
                fingerprint,
            },
            template: templates::Template {
                id,
                title: "Books to a parcel shop".to_owned(),
                description: Some("Up to three books in the standard box".to_owned()),
                shipment: r#"{"currency":"DKK","weight_unit":"g","dimension_unit":"cm",
                    "delivery":{"service_code":"sandbox:pickup_point","pickup_point":null},
                    "parcels":[{"gross_weight":1200,"length":30,"width":20,"height":10}]}"#
                    .to_owned(),
                created_at: now,
                updated_at: now,
            },
            fact: format!("accepted-{id}"),
        }
    }

    fn keep(&self, tx: &mut Tx<'_>) -> Result<(), Error> {
        let Accept { team, now, request, template, fact } = self;
        let id = template.id.0;
        let made = (id, 201);
        if idempotency::claim(tx, *team, request, made, *now)? != idempotency::KeyState::New {
            return Err(Error::Broken("a fresh key was taken".to_owned()));
        }
        templates::insert(tx, *team, template)?;
        jobs::schedule(tx, JobKind::Book, id, Some(*team), now.plus(LATER))?;
        meta::insert_if_absent(tx, fact, "api")?;
        Ok(())
    }
}
