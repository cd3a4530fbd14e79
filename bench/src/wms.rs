//! A warehouse with a million items: what it takes to promise the pieces of ten lines and to read a
//! page of each list, with few items and with many; and 64 callers who all want the same one.

mod fill;
mod hot;
mod tasks;

use std::sync::Arc;

use clap::{Arg, ArgMatches, Command, value_parser};
use postgres::{Client, NoTls};

use crate::booking::fixture::Fixture;
use crate::measure::{self, Failure};
use crate::store::Database;
use fill::Stock;

/// The size that others are compared with.
const FEW: i64 = 10_000;
/// The allocations a second of one item that SQLite must reach.
const HOT_GOAL: f64 = 500.0;

/// The options of this benchmark.
pub fn command(database: Arg) -> Command {
    let number = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("N")
            .default_value(value)
            .value_parser(value_parser!(i64).range(100..))
            .help(help)
    };
    Command::new("wms")
        .about("Allocations and lists of a large warehouse, and one item that everybody wants")
        .arg(database)
        .arg(number("items", "1000000", "How many items the catalog has"))
        .arg(number("levels", "3000000", "How many levels they have together"))
}

/// Runs the benchmark.
pub fn run(database: &Database, matches: &ArgMatches) -> Result<(), Failure> {
    let number = |name: &str| matches.get_one::<i64>(name).copied().unwrap_or(FEW);
    let (items, levels) = (number("items"), number("levels"));
    let fixture = Arc::new(Fixture::open(database)?);
    let each = (levels / items).max(1);
    let sizes = [FEW, items].into_iter().filter(|size| *size < items).chain([items]);
    let (mut stock, mut first) = (Stock::new(&fixture, each), None);
    for size in sizes {
        let started = measure::now();
        stock.fill(size)?;
        if let Database::Postgres(url) = database {
            // As a server's own housekeeping does. SQLite goes by what each release tells it.
            Client::connect(url, NoTls)?.batch_execute("VACUUM ANALYZE")?;
        }
        let took = started.elapsed().as_secs_f64();
        println!("\n{size} items with {each} levels each, stored in {took:.1} s");
        let figures = fixture.runtime.block_on(tasks::measure(&fixture, size))?;
        tasks::print(&figures, first.as_ref(), fixture.app.store().is_shared());
        first.get_or_insert(figures);
    }
    let rate = fixture.runtime.block_on(hot::run(&fixture))?;
    let goal = match database {
        Database::Sqlite if rate >= HOT_GOAL => format!("; the goal of {HOT_GOAL:.0} is reached"),
        Database::Sqlite => format!("; the goal of {HOT_GOAL:.0} is missed"),
        Database::Postgres(_) => String::new(),
    };
    println!("\n{rate:.0} allocations of one item a second, none lost and none too many{goal}");
    Arc::into_inner(fixture).map_or(Ok(()), Fixture::close)
}
