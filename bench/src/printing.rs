//! How soon a document is at its printer after the service said that it will be printed: under
//! load, beside printers that do not answer, and when nothing else happens. And what bookings pay
//! for being printed by themselves.
//!
//! The printers are processes of their own. A paper counts from when its printer has the file and
//! puts it out, which is what its journal says; the line in there is synced after that moment.

mod load;

use std::path::PathBuf;
use std::time::Duration;

use bench::crash::{Carrier, Database, PrinterHost, Site};
use clap::{Arg, ArgMatches, Command};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::fleet::load::Load;
use crate::fleet::program;
use crate::fleet::servers::Servers;
use crate::measure::{Failure, Round};
use load::{PrintLoad, Waits};

/// How many printers there are.
const PRINTERS: usize = 20;
/// How many jobs a second they are given in all.
const RATE: u64 = 100;
/// Jobs that are made one at a time.
const IDLE_JOBS: usize = 150;
/// Those who book while it is compared what printing costs.
const CLIENTS: usize = 16;
/// How often, and for how long each.
const TURNS: usize = 4;
const TURN: Duration = Duration::from_secs(4);
/// The goals.
const P99_MAX: Duration = Duration::from_millis(300);
const IDLE_P50_MAX: Duration = Duration::from_millis(60);
const DEAD_RATIO_MAX: f64 = 1.1;
const BOOKINGS_MIN: f64 = 0.9;

/// `bench printing`.
pub fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("printing")
        .about("From a print job to its printer, beside dead printers, and what bookings pay")
        .arg(option("database", "URL", "A PostgreSQL superuser's URL [default: SQLite]"))
        .arg(option("server", "FILE", "The waybill program [default: beside this one]"))
        .arg(option("seconds", "N", "How long each is measured [default: 20]"))
}

/// Runs the command.
pub fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let program: PathBuf = program(matches)?;
    let database = Database::parse(text("database").as_deref())?;
    let time = Duration::from_secs(text("seconds").map_or(Ok(20), |text| text.parse())?);
    let site = Site::with_carrier(&program, &database, None, Carrier::Quick)?;
    let runtime = Runtime::new()?;
    let limits = ["--rate-limit-reads", "0", "--rate-limit-writes", "0"];
    let servers = runtime.block_on(Servers::start(&site, 1, &limits))?;
    runtime.block_on(site.seed(servers.addresses[0]))?;
    let load = runtime.block_on(PrintLoad::open(&site, servers.addresses[0], PRINTERS))?;
    println!("from the 201 of a print job until its printer puts it out, milliseconds\n");
    println!("{:<34} {:>6} {:>8} {:>8} {:>8}", "", "jobs", "p50", "p99", "missing");
    runtime.block_on(idle(&load))?;
    runtime.block_on(beside_the_dead(&site, &load, time))?;
    compare_bookings(&site, &runtime, &servers, &load)?;
    drop((servers, load));
    site.remove()
}

/// One job at a time, while nothing else happens.
async fn idle(load: &PrintLoad<'_>) -> Result<(), Failure> {
    let waits = load.one_at_a_time(IDLE_JOBS).await?;
    let [p50, p99] = show("one at a time", &waits);
    compare("the median of one at a time", p50, IDLE_P50_MAX);
    compare("the 99th of a hundred of one at a time", p99, P99_MAX);
    Ok(())
}

/// Many jobs: to printers that all answer, and beside two that do not, in turns.
async fn beside_the_dead(site: &Site, load: &PrintLoad<'_>, time: Duration) -> Result<(), Failure> {
    let (mut dead, mut hung) =
        (PrinterHost::start(site, "dead").await?, PrinterHost::start(site, "hung").await?);
    let lost = [load.add(&dead, "Dead").await?, load.add(&hung, "Hung").await?];
    dead.end();
    hung.signal("-STOP")?;
    let (mut alone, mut beside) = (Waits::default(), Waits::default());
    let part = time / 2;
    for _ in 0..2 {
        alone.extend(load.print(RATE, part, &[]).await?);
        beside.extend(load.print(RATE, part, &lost).await?);
    }
    hung.end();
    let name = format!("{RATE} a second, {PRINTERS} printers");
    let [_, p99_alone] = show(&name, &alone);
    let [_, p99] = show("beside a dead and a hung one", &beside);
    compare("the 99th of a hundred under load", p99_alone, P99_MAX);
    let ratio = p99.as_secs_f64() / p99_alone.as_secs_f64();
    let goal = verdict(ratio <= DEAD_RATIO_MAX);
    println!("beside the dead it is {ratio:.2} times that: the goal of {DEAD_RATIO_MAX} is {goal}");
    Ok(())
}

/// Bookings a second with documents that are printed by themselves, and without, in turns. What is
/// still to be printed is waited for, so that it costs the bookings that it belongs to.
fn compare_bookings(
    site: &Site,
    runtime: &Runtime,
    servers: &Servers,
    prints: &PrintLoad<'_>,
) -> Result<(), Failure> {
    let bookings = Load::new(site, "sandbox:home");
    println!("\n{CLIENTS} clients book\n\n   printed/s  without/s    ratio");
    let mut ratios = Vec::new();
    for turn in 0..=TURNS {
        let mut rates = [0.0; 2];
        for (is_automatic, rate) in [true, false].into_iter().zip(&mut rates) {
            runtime.block_on(set_automatic(site, servers, prints, is_automatic))?;
            let booked = bookings.book(runtime, &servers.addresses, CLIENTS, TURN)?;
            *rate = booked.rate();
            let waiting = runtime.block_on(prints.until_nothing_waits())?;
            if is_automatic != (waiting > 0) {
                return Err("what is printed by itself is not what was wanted".into());
            }
        }
        let [with, without] = rates;
        // The first turn warms up.
        if turn > 0 {
            println!("{with:>12.0} {without:>10.0} {:>8.2}", with / without);
            ratios.push(with / without);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
    let goal = verdict(median >= BOOKINGS_MIN);
    println!(
        "with printing there are {median:.2} of the bookings: the goal of {BOOKINGS_MIN} is {goal}"
    );
    Ok(())
}

async fn set_automatic(
    site: &Site,
    servers: &Servers,
    load: &PrintLoad<'_>,
    is_automatic: bool,
) -> Result<(), Failure> {
    let rules = json!([{"format": "pdf", "printer_uuid": load.printers[0], "copies": 1,
        "max_width": null, "max_height": null}]);
    let settings = json!({"printing": {"automatic": is_automatic, "rules": rules}}).to_string();
    let answer = site.ask(servers.addresses[0], "PATCH", "/settings", &settings).await;
    match answer.ok_or("no answer to settings")? {
        answer if answer.status == 200 => Ok(()),
        answer => Err(format!("settings: {} {}", answer.status, answer.body).into()),
    }
}

/// Prints a row, and tells the median and the 99th of a hundred.
fn show(name: &str, waits: &Waits) -> [Duration; 2] {
    let [p50, p99] = Round::new(waits.times.clone(), Duration::ZERO).percentiles();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let (count, missing) = (waits.times.len(), waits.missing);
    println!("{name:<34} {count:>6} {:>8.1} {:>8.1} {missing:>8}", millis(p50), millis(p99));
    [p50, p99]
}

fn compare(what: &str, found: Duration, most: Duration) {
    println!("{what}: the goal of {} ms is {}", most.as_millis(), verdict(found <= most));
}

fn verdict(is_reached: bool) -> &'static str {
    if is_reached { "reached" } else { "missed" }
}
