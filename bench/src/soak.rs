//! Minutes of use: whether the last is as fast as the first, and what memory the server keeps.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bench::crash::{Carrier, Database, Site};
use clap::{Arg, ArgMatches, Command};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::fleet::load::Load;
use crate::fleet::program;
use crate::fleet::servers::Servers;
use crate::load::Connection;
use crate::measure::{self, Failure};

const CLIENTS: usize = 64;
/// A client lists after so many bookings.
const LIST_EVERY: usize = 10;
/// How many shipments such a list has.
const LIST: &str = "shipments?per_page=100";
/// How long they work before it counts.
const WARM_UP: Duration = Duration::from_secs(10);
const MINUTE: Duration = Duration::from_secs(60);
/// The part of the first minute's rate that the last must reach.
const GOAL: f64 = 0.95;
/// The megabytes that the server may hold in the end.
const MEMORY: f64 = 150.0;

/// `bench soak`.
pub fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("soak")
        .about("Ten minutes of booking, reading and listing: the last against the first, memory")
        .arg(option("database", "URL", "A PostgreSQL superuser's URL [default: SQLite]"))
        .arg(option("server", "FILE", "The waybill program [default: beside this one]"))
        .arg(option("minutes", "N", "How long [default: 10]"))
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let program = program(matches)?;
    let database = Database::parse(text("database").as_deref())?;
    let minutes: usize = text("minutes").map_or(Ok(10), |text| text.parse())?;
    let site = Site::with_carrier(&program, &database, None, Carrier::Quick)?;
    let runtime = Runtime::new()?;
    let limits = ["--rate-limit-reads", "0", "--rate-limit-writes", "0"];
    let servers = runtime.block_on(Servers::start(&site, 1, &limits))?;
    runtime.block_on(site.seed(servers.addresses[0]))?;
    println!(
        "{CLIENTS} clients book, read what they booked, and list 100 after {LIST_EVERY} bookings\n"
    );
    let rates = measure_minutes(&site, &runtime, &servers, minutes)?;
    let memory = servers.memory(0)?;
    drop(servers);
    conclude(&rates, memory);
    site.remove()
}

/// The bookings a second of each minute.
fn measure_minutes(
    site: &Site,
    runtime: &Runtime,
    servers: &Servers,
    minutes: usize,
) -> Result<Vec<f64>, Failure> {
    let load = Load::new(site, "sandbox:letter");
    let (address, booked) = (servers.addresses[0], Arc::new(AtomicUsize::new(0)));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        clients.spawn_on(client(load.clone(), address, booked.clone()), runtime.handle());
    }
    let mut count_for = |time: Duration| {
        let (before, started) = (booked.load(Ordering::Relaxed), measure::now());
        let ended = runtime.block_on(async {
            tokio::time::timeout(time, clients.join_next()).await.ok().flatten()
        });
        match ended {
            Some(ended) => ended?.map(|()| 0.0),
            None => {
                let count = booked.load(Ordering::Relaxed) - before;
                Ok(count as f64 / started.elapsed().as_secs_f64())
            }
        }
    };
    count_for(WARM_UP)?;
    println!("minute   book/s   cpu ms written kB  memory MB  most MB");
    let mut rates = Vec::new();
    for minute in 1..=minutes {
        let (time, written) = (servers.processor_times()[0], servers.written(0)?);
        let rate = count_for(MINUTE)?;
        let count = (rate * MINUTE.as_secs_f64()).max(1.0);
        let time = (servers.processor_times()[0] - time).as_secs_f64() * 1e3 / count;
        let written = (servers.written(0)? - written) as f64 / 1024.0 / count;
        let [now, most] = servers.memory(0)?;
        println!("{minute:>6} {rate:>8.0} {time:>8.2} {written:>10.1} {now:>10.0} {most:>8.0}");
        rates.push(rate);
    }
    Ok(rates)
}

/// Works until it is stopped; what is not as it should be ends it.
async fn client(load: Load, server: SocketAddr, count: Arc<AtomicUsize>) -> Result<(), Failure> {
    let mut connection = Connection::open(server).await?;
    for turn in 1.. {
        let answer = connection.ask(&load.request(server)).await?;
        let body: serde_json::Value = serde_json::from_slice(answer.body)?;
        let uuid = body["data"]["uuid"].as_str().filter(|_| answer.status == 201);
        let uuid = uuid.ok_or_else(|| format!("not booked: {} {body}", answer.status))?;
        count.fetch_add(1, Ordering::Relaxed);
        let path = format!("shipments/{uuid}");
        let mut paths = vec![path.as_str()];
        if turn % LIST_EVERY == 0 {
            paths.push(LIST);
        }
        for path in paths {
            let status = connection.ask(&load.read(server, path)).await?.status;
            if status != 200 {
                return Err(format!("{path}: {status}").into());
            }
        }
    }
    Ok(())
}

fn conclude(rates: &[f64], [now, most]: [f64; 2]) {
    let verdict = |is_reached: bool| if is_reached { "reached" } else { "missed" };
    if let [first, .., last] = rates {
        println!(
            "\nthe last minute has {:.2} of the first's bookings: the goal of {GOAL} is {}",
            last / first,
            verdict(last / first >= GOAL)
        );
    }
    println!(
        "the server holds {now:.0} MB, {most:.0} at most: the goal of {MEMORY:.0} is {}",
        verdict(most <= MEMORY)
    );
}
