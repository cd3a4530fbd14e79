//! What a full database costs: the same work with 10,000 shipments stored, with a million, and on
//! request with ten million, beside the rows that a year of use leaves.

mod tasks;
mod year;

use std::sync::Arc;
use std::time::Duration;

use postgres::{Client, NoTls};

use super::ceiling::Sample;
use super::fixture::Fixture;
use crate::measure::{self, Failure};
use crate::store::Database;
use tasks::{Figures, TASKS};
use year::Year;

const SIZES: [usize; 3] = [10_000, 1_000_000, 10_000_000];
/// The most that work may get slower by, against the fewest, with at least so many stored.
const GOALS: [(usize, f64); 2] = [(10_000_000, 1.5), (1_000_000, 1.2)];

/// Runs the benchmark with up to so many shipments.
pub fn run(
    fixture: &Arc<Fixture>,
    database: &Database,
    sample: &Sample,
    to: usize,
) -> Result<(), Failure> {
    let mut year = Year::begin(fixture, sample)?;
    let mut found: Vec<(usize, Figures)> = Vec::new();
    for size in SIZES.into_iter().filter(|size| *size < to).chain([to]) {
        let (before, started) = (year.count(), measure::now());
        year.fill(fixture, size)?;
        tidy_up(database)?;
        let rate = (size - before) as f64 / started.elapsed().as_secs_f64();
        let each = disk(fixture, database)? as f64 / size as f64;
        println!("\n{size} shipments, {each:.0} bytes of disk each; {rate:.0} stored a second");
        let figures = fixture.runtime.block_on(tasks::measure(fixture, &year))?;
        print(size, &figures, found.first());
        found.push((size, figures));
    }
    Ok(())
}

/// What PostgreSQL does by itself over a year.
fn tidy_up(database: &Database) -> Result<(), Failure> {
    if let Database::Postgres(url) = database {
        Client::connect(url, NoTls)?.batch_execute("VACUUM ANALYZE")?;
    }
    Ok(())
}

/// How much room the database takes.
fn disk(fixture: &Fixture, database: &Database) -> Result<u64, Failure> {
    let Database::Postgres(url) = database else {
        let mut bytes = 0;
        for file in std::fs::read_dir(fixture.folder())? {
            bytes += file?.metadata()?.len();
        }
        return Ok(bytes);
    };
    let sql = "SELECT pg_database_size(current_database())";
    let bytes: i64 = Client::connect(url, NoTls)?.query_one(sql, &[])?.get(0);
    Ok(bytes.unsigned_abs())
}

fn print(size: usize, figures: &Figures, first: Option<&(usize, Figures)>) {
    println!("{:>18} {:>10} {:>7} {:>10} {:>7}  goal", "", "p50 ms", "ratio", "p99 ms", "ratio");
    for (number, task) in TASKS.iter().enumerate() {
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        let [p50, p99] = figures[number].map(millis);
        let ratios = first.map(|(_, first)| {
            let [p50_before, p99_before] = first[number].map(millis);
            [p50 / p50_before, p99 / p99_before]
        });
        let [middle, slow] = match ratios {
            None => Default::default(),
            Some(ratios) => ratios.map(|ratio| format!("{ratio:.2}")),
        };
        let verdict = ratios.map(|[_, ratio]| verdict(size, task, ratio)).unwrap_or_default();
        println!("{:>18} {p50:>10.2} {middle:>7} {p99:>10.2} {slow:>7}  {verdict}", task.name);
    }
}

fn verdict(size: usize, task: &tasks::Task, ratio: f64) -> String {
    let goal = GOALS.iter().find(|(least, _)| size >= *least).filter(|_| task.is_held);
    match goal {
        None => "none".to_owned(),
        Some((_, goal)) if ratio <= *goal => format!("{goal} reached"),
        Some((_, goal)) => format!("{goal} missed"),
    }
}
