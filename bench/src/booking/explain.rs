//! What a booking costs the database, statement by statement and table by table.

mod postgres;
mod table;

use std::sync::Arc;
use std::time::Duration;

use waybill_store::statistics;

use self::postgres::Watch;
use self::table::Table;
use super::fixture::{Fixture, HOME};
use crate::measure::{self, Failure};
use crate::store::Database;

const WARM_UP: Duration = Duration::from_secs(5);
/// Long enough that tracking, deliveries and what is done now and then join in.
const TIME: Duration = Duration::from_secs(30);

/// Books for a while and prints what that took.
pub fn run(fixture: &Arc<Fixture>, database: &Database) -> Result<(), Failure> {
    super::book(fixture, HOME, WARM_UP)?;
    let mut watch = match database {
        Database::Sqlite => None,
        Database::Postgres(url) => Some(Watch::start(url)?),
    };
    statistics::take();
    let written = bytes_written();
    let (round, busy) = measure::with_processor_time(|| super::book(fixture, HOME, TIME))?;
    let usages = statistics::take();
    let count = round.count() as f64;
    println!("{:.0} bookings a second, {count} in all; each of them:\n", round.rate());
    println!("  {:>8.3} ms of our processor time, load and carrier included", millis(busy) / count);
    if let Some(watch) = &mut watch {
        return watch.report(count, &usages);
    }
    let kib = bytes_written().zip(written).map(|(after, before)| (after - before) as f64 / 1024.0);
    println!("  {:>8.1} KiB written to files\n", kib.unwrap_or(f64::NAN) / count);
    print_statements(count, &usages);
    Ok(())
}

/// The statements as our own threads see them: with the way to the server and back.
fn print_statements(count: f64, usages: &[(&'static str, statistics::Usage)]) {
    let all: f64 = usages.iter().map(|(_, usage)| millis(usage.took)).sum();
    let calls: u64 = usages.iter().map(|(_, usage)| usage.calls).sum();
    println!("{:.1} statements take {:.3} ms\n", calls as f64 / count, all / count);
    let mut table = Table::new(&["calls", "µs", "%"], "statement");
    for (sql, usage) in usages {
        let took = millis(usage.took);
        let figures = [usage.calls as f64 / count, 1000.0 * took / count, 100.0 * took / all];
        table.add(&figures, sql);
    }
    table.print(1);
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// What this process has had written to disks, where the system tells it.
fn bytes_written() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("write_bytes: "))?;
    line.trim().parse().ok()
}
