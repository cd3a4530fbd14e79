//! What a booking costs us with each carrier, and whether one that is slow delays another's. The
//! carriers are played on this machine, and answer at once unless they are asked to be slow.

mod exchanges;
mod isolation;
mod site;

use std::sync::Arc;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::load::Connection;
use crate::measure::{self, Failure};
use crate::store::Database;
use site::{CARRIERS, Carrier, Site};

/// The most that our own part may take for nearly all bookings.
const GOAL: Duration = Duration::from_millis(15);
/// The options of this benchmark.
pub fn command(database: Arg) -> Command {
    let number = |name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("N")
            .value_parser(value_parser!(u32).range(1..))
            .default_value(default)
            .help(help)
    };
    Command::new("carriers")
        .about("Our own part of a booking with each carrier, and bookings beside a slow carrier")
        .arg(database)
        .arg(
            Arg::new("carrier")
                .long("carrier")
                .value_name("CODE")
                .help("Our own part with this carrier alone"),
        )
        .arg(number("bookings", "1000", "With each carrier; fewer where it takes few a second"))
        .arg(number("rate", "50", "Bookings a second"))
        .arg(number("slow", "200", "Bookings that are under way with a carrier that takes 2 s"))
        .arg(number("rounds", "5", "How often another carrier's are measured alone and beside"))
        .arg(number("seconds", "4", "How long each time"))
}

/// Runs the benchmark.
pub fn run(database: &Database, matches: &ArgMatches) -> Result<(), Failure> {
    let number = |name| matches.get_one::<u32>(name).copied().unwrap_or(1);
    let site = Arc::new(Site::open(database)?);
    println!("our own part of a booking, without the carrier's; the goal is p99 under 15 ms");
    let (rate, rounds) = (number("rate"), number("rounds"));
    let only = matches.get_one::<String>("carrier");
    for carrier in CARRIERS.iter().filter(|it| only.is_none_or(|only| it.code == only)) {
        own_part(&site, carrier, (number("bookings"), rate.into()))?;
    }
    if only.is_none() {
        let time = Duration::from_secs(number("seconds").into());
        isolation::run(&site, (number("slow"), rate), rounds, time)?;
    }
    Arc::into_inner(site).map_or(Ok(()), Site::close)
}

/// Books at a calm pace, and tells what was spent beside the carrier.
fn own_part(
    site: &Arc<Site>,
    carrier: &'static Carrier,
    (bookings, wanted): (u32, f64),
) -> Result<(), Failure> {
    let rate = carrier.rate_max.unwrap_or(wanted).min(wanted);
    // At least so many that nearly all of them are some.
    let count = (f64::from(bookings) * rate / wanted).ceil().max(100.0) as u32;
    let one = || one(site.clone(), carrier);
    let round = measure::at_pace(&site.fixture.runtime, (count, rate), one)?;
    let [p50, p99] = round.percentiles();
    let verdict = if p99 < GOAL { "reached" } else { "missed" };
    println!(
        "{:>9}: {count} bookings, {rate} a second: p50 {:.2} ms, p99 {:.2} ms: {verdict}",
        carrier.code,
        millis(p50),
        millis(p99)
    );
    Ok(())
}

/// Books once, and tells what was spent beside the carrier.
async fn one(site: Arc<Site>, carrier: &'static Carrier) -> Result<Duration, Failure> {
    let mut connection = Connection::open(site.fixture.address).await?;
    let answer = connection.ask(&site.order(carrier, "Ada Jensen")).await?;
    if answer.status != 201 {
        let body = String::from_utf8_lossy(answer.body);
        return Err(format!("{}: {} {body}", carrier.code, answer.status).into());
    }
    answer.own_part()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
