//! Several servers on one PostgreSQL: how many bookings a second 1, 2 and 4 of them take, what a
//! booking costs the processors on each side, and what one server notices of another that hangs.

mod hung;
pub mod load;
pub mod servers;
mod usage;
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use bench::crash::{Carrier, Database, Site};
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::measure::Failure;
use load::{Booked, Load};
use servers::Servers;
use usage::{Machine, processor_time_of};
use watch::Watch;

/// How many servers there are in each turn.
const SIZES: [usize; 3] = [1, 2, 4];
/// Those who book.
const CLIENTS: usize = 64;
/// How long they book before it counts.
const WARM_UP: Duration = Duration::from_secs(4);
/// A fleet that takes less than this times the bookings of the one before it does not grow.
const GROWTH: f64 = 1.1;
/// Where this is busy, another server has nothing to run on.
const BUSY: f64 = 0.9;

/// `bench fleet`.
pub fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("fleet")
        .about("Bookings a second of 1, 2 and 4 servers on one PostgreSQL")
        .arg(option("database", "URL", "A PostgreSQL superuser's URL").required(true))
        .arg(option("server", "FILE", "The waybill program [default: beside this one]"))
        .arg(option("seconds", "N", "How long each is measured [default: 20]"))
        .arg(option("connections", "N", "Connections of each server [default: its own]"))
        .arg(
            Arg::new("hung")
                .long("hung")
                .action(ArgAction::SetTrue)
                .help("What one server notices while another one is stopped"),
        )
}

/// The program that is measured.
pub fn program(matches: &ArgMatches) -> Result<PathBuf, Failure> {
    Ok(match matches.get_one::<String>("server") {
        Some(path) => PathBuf::from(path).canonicalize()?,
        None => std::env::current_exe()?.with_file_name("waybill"),
    })
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let program = program(matches)?;
    let database = Database::parse(text("database").as_deref())?;
    if database == Database::Sqlite {
        return Err("servers share a PostgreSQL: give its URL with --database".into());
    }
    let time = Duration::from_secs(text("seconds").map_or(Ok(20), |text| text.parse())?);
    let connections = text("connections");
    let extra: Vec<&str> =
        connections.iter().flat_map(|count| ["--connections", count.as_str()]).collect();
    let open = || Site::with_carrier(&program, &database, None, Carrier::Quick);
    if matches.get_flag("hung") {
        let site = open()?;
        hung::run(&site, time, &extra)?;
        return site.remove();
    }
    println!(
        "{CLIENTS} clients ask the servers in turn; milliseconds of processor time a booking\n"
    );
    println!("{}", Turn::HEADING);
    let mut turns = Vec::new();
    for size in SIZES {
        let site = open()?;
        let turn = Turn::measure(&site, size, time, &extra)?;
        println!("{turn}");
        turn.counts.seen.print();
        turns.push(turn);
        site.remove()?;
    }
    conclude(&turns)
}

/// What so many servers did.
struct Turn {
    servers: usize,
    booked: Booked,
    /// Processor time of each server, of PostgreSQL, of the carrier and of the clients.
    server_times: Vec<Duration>,
    postgres: Duration,
    carrier: Duration,
    clients: Duration,
    machine: Machine,
    counts: watch::Counts,
}

impl Turn {
    const HEADING: &str = "servers  book/s   p50 ms   p99 ms   server postgres  carrier  clients   \
         busy   trans.   statm. deadlocks lock waits not booked  work of each";

    fn measure(site: &Site, size: usize, time: Duration, extra: &[&str]) -> Result<Turn, Failure> {
        let runtime = tokio::runtime::Runtime::new()?;
        let mut limits = vec!["--rate-limit-reads", "0", "--rate-limit-writes", "0"];
        limits.extend(extra);
        let servers = runtime.block_on(Servers::start(site, size, &limits))?;
        runtime.block_on(site.seed(servers.addresses[0]))?;
        let load = Load::new(site, "sandbox:letter");
        load.book(&runtime, &servers.addresses, CLIENTS, WARM_UP)?;
        let mut watch = Watch::start(&site.url)?;
        let (machine, before) = (Machine::now()?, servers.processor_times());
        let own = || processor_time_of(std::process::id());
        let carrier = || processor_time_of(site.carrier_id());
        let (clients_before, carrier_before) = (own(), carrier());
        let booked = load.book(&runtime, &servers.addresses, CLIENTS, time)?;
        let times = servers.processor_times();
        let server_times =
            times.into_iter().zip(before).map(|(after, before)| after - before).collect();
        let (carrier, clients) = (carrier() - carrier_before, own() - clients_before);
        let machine = Machine::now()?.since(&machine);
        let (postgres, counts) = watch.finish()?;
        let servers = size;
        Ok(Turn { servers, booked, server_times, postgres, carrier, clients, machine, counts })
    }

    /// Milliseconds for each booking.
    fn each(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e3 / (self.booked.latencies.len() as f64).max(1.0)
    }

    /// Milliseconds of the servers for each booking.
    fn server(&self) -> f64 {
        self.each(self.server_times.iter().sum())
    }

    /// Milliseconds for each booking on all sides.
    fn all(&self) -> f64 {
        self.server() + self.each(self.postgres) + self.each(self.carrier) + self.each(self.clients)
    }
}

impl std::fmt::Display for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [p50, p99] = self.booked.percentiles().map(|time| time.as_secs_f64() * 1e3);
        let count = (self.booked.latencies.len() as f64).max(1.0);
        let all: Duration = self.server_times.iter().sum();
        let share = |time: &Duration| 100.0 * time.as_secs_f64() / all.as_secs_f64();
        let shares: Vec<_> =
            self.server_times.iter().map(|time| format!("{:.0} %", share(time))).collect();
        let statements = self.counts.statements;
        let statements = statements.map_or("-".to_owned(), |all| format!("{:.1}", all / count));
        write!(
            f,
            "{:>7} {:>7.0} {p50:>8.1} {p99:>8.1} {:>8.2} {:>8.2} {:>8.2} {:>8.2} {:>4.0} % \
             {:>8.2} {statements:>8} {:>9} {:>10.2} {:>10}  {}",
            self.servers,
            self.booked.rate(),
            self.server(),
            self.each(self.postgres),
            self.each(self.carrier),
            self.each(self.clients),
            100.0 * self.machine.busy(),
            self.counts.transactions / count,
            self.counts.deadlocks,
            self.counts.lock_waits,
            self.booked.refused,
            shares.join(", ")
        )
    }
}

/// Says where it stops to grow, and why.
fn conclude(turns: &[Turn]) -> Result<(), Failure> {
    println!("\n\"lock waits\": connections that wait for a lock, on average over the time");
    let cores = std::thread::available_parallelism()?.get() as f64;
    for pair in turns.windows(2) {
        let [few, many] = pair else { continue };
        let growth = many.booked.rate() / few.booked.rate();
        println!("{} servers take {growth:.2} x the bookings of {}", many.servers, few.servers);
    }
    let grows = |pair: &&[Turn]| pair[1].booked.rate() >= GROWTH * pair[0].booked.rate();
    let last = turns.windows(2).take_while(grows).last().map_or(&turns[0], |pair| &pair[1]);
    println!(
        "It stops to grow at {} of them. There a booking costs {:.2} ms of processor time: {:.2} \
         in the servers, {:.2} in PostgreSQL, {:.2} in carrier and clients.",
        last.servers,
        last.all(),
        last.server(),
        last.each(last.postgres),
        last.each(last.carrier) + last.each(last.clients)
    );
    let allowed = 1e3 * cores / last.all();
    println!(
        "{cores:.0} processors allow {allowed:.0} bookings a second; {:.0} % of that is reached. \
         They were busy for {:.0} % of the time, {:.0} % of it with other programs.",
        100.0 * last.booked.rate() / allowed,
        100.0 * last.machine.busy(),
        100.0 * last.machine.others(last.all() * last.booked.latencies.len() as f64 / 1e3)
    );
    let why = match last.machine.busy() >= BUSY {
        true => "the processors are what is missing, not the database's locks",
        false => "the processors have time left: look at locks and at the disk",
    };
    println!("So {why}.");
    let alone = 1e3 / last.each(last.postgres);
    println!(
        "With servers on machines of their own, each processor of PostgreSQL's allows {alone:.0} \
         bookings a second, and each of a server's {:.0}.",
        1e3 / last.server()
    );
    Ok(())
}
