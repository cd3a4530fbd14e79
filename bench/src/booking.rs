//! How many bookings a second: 64 callers, the sandbox carrier in this process without a journal,
//! its own labels passed through (`sandbox:letter`), every step durable. In turns with the store's
//! own ceiling: the commits of a booking with nothing around them. Also what a booking costs at a
//! calm pace, and what a full database costs those who read.

mod ceiling;
mod explain;
pub mod fixture;
mod growth;
mod overhead;
mod printed;
pub mod report;

use std::sync::Arc;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::load::Connection;
use crate::measure::{self, Failure, Ratio, Round};
use crate::store::Database;
use ceiling::Sample;
use fixture::{Fixture, HOME, LETTER};

const CALLERS: usize = 64;
/// The part of the ceiling that bookings must reach.
const GOAL: f64 = 0.40;
/// The part of the rate that bookings with our own labels must reach.
const LABELS_GOAL: f64 = 0.60;
/// The bookings a second that they must reach.
const RATE: f64 = 1500.0;

/// The options of this benchmark.
pub fn command(database: Arg) -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    Command::new("booking")
        .about("Bookings a second against the store's ceiling")
        .arg(database)
        .arg(flag("alone", "Without the ceiling, for a profile"))
        .arg(flag("overhead", "What we add to the carrier's time, at 50 bookings a second"))
        .arg(flag("labels", "Bookings with our own labels against carriers' passed through"))
        .arg(flag("report", "A report of 100,000 shipments, and the memory it takes"))
        .arg(flag("explain", "What a booking costs the database, statement by statement"))
        .arg(
            flag("printed", "With labels that are printed by themselves, at a printer of its own")
                .requires("explain"),
        )
        .arg(flag("growth", "The same work with 10,000 and with 1,000,000 shipments stored"))
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("N")
                .requires("growth")
                .help("How many shipments are stored in the end [default: 1000000]"),
        )
}

/// Runs the benchmark.
pub fn run(database: &Database, matches: &ArgMatches) -> Result<(), Failure> {
    let fixture = Arc::new(Fixture::open(database)?);
    if matches.get_flag("overhead") {
        return overhead::run(&fixture);
    }
    if matches.get_flag("explain") {
        if matches.get_flag("printed") {
            printed::begin(&fixture)?;
        }
        return explain::run(&fixture, database);
    }
    book(&fixture, LETTER, Duration::from_millis(50))?;
    if matches.get_flag("labels") {
        return labels(fixture);
    }
    let sample = Arc::new(Sample::take(&fixture)?);
    if matches.get_flag("report") {
        return report::run(&fixture, &sample);
    }
    if matches.get_flag("growth") {
        let to = matches.get_one::<String>("to").map_or(Ok(1_000_000), |to| to.parse())?;
        return growth::run(&fixture, database, &sample, to);
    }
    if matches.get_flag("alone") {
        measure::solo("booking", |time| book(&fixture, LETTER, time))?;
        return close(fixture);
    }
    println!("{CALLERS} callers; the ceiling is the same three commits with nothing around them\n");
    let mut rates = Vec::new();
    let ratio = measure::duel(["booking", "ceiling"], Ratio::Rate, |time| {
        let rounds = measure::in_turns(
            time,
            |turn| book(&fixture, LETTER, turn),
            |turn| commit(&fixture, &sample, turn),
        )?;
        rates.push(rounds[0].rate());
        Ok(rounds)
    })?;
    let rate = measure::median(rates);
    let verdict = |is_reached: bool| if is_reached { "reached" } else { "missed" };
    println!(
        "\n{rate:.0} bookings a second: the goal of {RATE:.0} is {}\n\
         booking is {:.1} % of the store's ceiling: the goal of {:.0} % is {}",
        verdict(rate >= RATE),
        100.0 * ratio,
        100.0 * GOAL,
        verdict(ratio >= GOAL)
    );
    close(fixture)
}

fn close(fixture: Arc<Fixture>) -> Result<(), Failure> {
    Arc::into_inner(fixture).map_or(Ok(()), Fixture::close)
}

/// With labels that we draw as ZPL, in turns with those that the carrier makes.
fn labels(fixture: Arc<Fixture>) -> Result<(), Failure> {
    let ratio = measure::duel(["our own", "passed on"], Ratio::Rate, |time| {
        let (own, passed) =
            (|turn| book(&fixture, HOME, turn), |turn| book(&fixture, LETTER, turn));
        measure::in_turns(time, own, passed)
    })?;
    let verdict = if ratio >= LABELS_GOAL { "reached" } else { "missed" };
    println!(
        "\nour own ZPL labels are booked at {:.0} % of the rate; the goal of {:.0} % is {verdict}",
        100.0 * ratio,
        100.0 * LABELS_GOAL
    );
    close(fixture)
}

/// Books with this service for this long on all connections.
fn book(fixture: &Arc<Fixture>, service: &'static str, time: Duration) -> Result<Round, Failure> {
    each(fixture, time, move |fixture| async move {
        let mut connection = Connection::open(fixture.address).await?;
        let started = measure::now();
        let mut latencies = Vec::new();
        while started.elapsed() < time {
            let request = fixture.order_with(service);
            let asked = measure::now();
            let answer = connection.ask(&request).await?;
            if answer.status != 201 {
                let body = String::from_utf8_lossy(answer.body).into_owned();
                return Err(format!("not booked: {} {body}", answer.status).into());
            }
            latencies.push(asked.elapsed());
        }
        Ok(latencies)
    })
}

/// Makes the commits of a booking for this long, from as many tasks.
fn commit(fixture: &Arc<Fixture>, sample: &Arc<Sample>, time: Duration) -> Result<Round, Failure> {
    each(fixture, time, |fixture| {
        let sample = sample.clone();
        async move {
            let started = measure::now();
            let mut latencies = Vec::new();
            while started.elapsed() < time {
                let copy = sample.copy(&fixture);
                let asked = measure::now();
                copy.commit(&fixture.app).await?;
                latencies.push(asked.elapsed());
            }
            Ok(latencies)
        }
    })
}

/// Runs one task for each caller and gathers what they measured.
fn each<W>(
    fixture: &Arc<Fixture>,
    time: Duration,
    work: impl Fn(Arc<Fixture>) -> W,
) -> Result<Round, Failure>
where
    W: Future<Output = Result<Vec<Duration>, Failure>> + Send + 'static,
{
    let started = measure::now();
    let spawn = |_| fixture.runtime.spawn(work(fixture.clone()));
    let tasks: Vec<_> = (0..CALLERS).map(spawn).collect();
    let mut latencies = Vec::new();
    let gather = async {
        for task in tasks {
            latencies.extend(task.await??);
        }
        Ok::<_, Failure>(())
    };
    let patience = time + Duration::from_secs(30);
    fixture.runtime.block_on(async { tokio::time::timeout(patience, gather).await })??;
    Ok(Round::new(latencies, started.elapsed()))
}
