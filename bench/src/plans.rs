//! Whether what a server does all the time stays cheap: a year of use is stored, and whatever is
//! polled or runs for a request must find its rows by an index and read few of them.
//!
//! The statements are not written here: each operation runs as a server runs it, and the store
//! tells which statements that took. PostgreSQL counts the rows that it reads; SQLite counts the
//! steps of its machine, of which a row takes some dozens.

mod fill;
mod operations;
mod year;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, value_parser};
use postgres::{Client, NoTls};
use waybill_engine::app::App;
use waybill_store::{Error, Store, Tx, plans, statistics};

use self::operations::Operation;
use crate::booking::fixture::Fixture;
use crate::load::Connection;
use crate::measure::{self, Failure};
use crate::store::Database;

/// Steps of SQLite's machine for a row: a shipment has about 30 columns.
const STEPS: u64 = 25;

/// The tables that grow with the number of shipments. None of them is read from end to end.
const LARGE: &[&str] = &[
    "shipment",
    "tracking_number",
    "carrier_call",
    "document",
    "blob",
    "event",
    "delivery",
    "delivery_attempt",
    "tracking",
    "tracking_event",
];

/// What an operation took.
struct Cost {
    rows: u64,
    took: Duration,
    statements: Vec<&'static str>,
}

/// The options of this benchmark.
pub fn command(database: Arg) -> Command {
    let shipments = Arg::new("shipments")
        .long("shipments")
        .value_name("N")
        .default_value("1000000")
        .value_parser(value_parser!(i64).range(10_000..))
        .help("How many shipments the year has");
    Command::new("plans")
        .about("Whether what runs all the time reads few rows of a database with a year in it")
        .arg(database)
        .arg(shipments)
}

/// Runs the benchmark.
pub fn run(database: &Database, matches: &ArgMatches) -> Result<(), Failure> {
    let count = *matches.get_one::<i64>("shipments").ok_or("how many shipments?")?;
    let fixture = Fixture::open(database)?;
    book(&fixture)?;
    let account = fixture.account.clone();
    let (app, _scratch) = fixture.stop()?;
    let year = fill::sample(&app, &account, count)?;
    let started = measure::now();
    fill::year(&app, &year)?;
    if let Database::Postgres(url) = database {
        // As a server's own housekeeping does. SQLite goes by what each release tells it.
        Client::connect(url, NoTls)?.batch_execute("VACUUM ANALYZE")?;
    }
    println!("stored a year with {count} shipments in {:.0} s", started.elapsed().as_secs_f64());
    let operations = operations::all(&year);
    let mut failed = 0;
    for operation in &operations {
        let cost = measure(&app, operation)?;
        let problems = problems(app.store(), operation, &cost)?;
        let verdict = if problems.is_empty() { "" } else { "  FAILED" };
        let millis = cost.took.as_secs_f64() * 1e3;
        println!("{:>9} {millis:>9.2} ms  {}{verdict}", cost.rows, operation.name);
        failed += usize::from(!problems.is_empty());
        problems.iter().for_each(|problem| println!("{problem}"));
    }
    println!("{} operations, {failed} failed", operations.len());
    match failed {
        0 => Ok(()),
        failed => Err(format!("{failed} operations read too much").into()),
    }
}

/// One booking of which everything else is a copy.
fn book(fixture: &Fixture) -> Result<(), Failure> {
    let asked = async {
        let mut connection = Connection::open(fixture.address).await?;
        let answer = connection.ask(&fixture.order()).await?;
        match answer.status {
            201 => Ok(()),
            status => Err(Failure::from(format!("not booked: {status}"))),
        }
    };
    fixture.runtime.block_on(asked)
}

/// Runs it in a transaction that is rolled back. The first time is for what is read only once.
fn measure(app: &App, operation: &Operation) -> Result<Cost, Failure> {
    run_once(app.store(), operation)?;
    run_once(app.store(), operation)
}

fn run_once(store: &Store, operation: &Operation) -> Result<Cost, Failure> {
    let (work, seen) = (operation.work.clone(), Arc::new(Mutex::new(None)));
    let told = seen.clone();
    statistics::take();
    let undone = store.blocking_write(move |tx| {
        let before = plans::any_rows_read(tx)?.unwrap_or(0);
        let started = measure::now();
        work(tx)?;
        let took = started.elapsed();
        let rows = plans::any_rows_read(tx)?.map(|rows| rows - before);
        *told.lock().unwrap_or_else(PoisonError::into_inner) = Some((took, rows));
        Err::<(), Error>(Error::Broken("as it was".to_owned()))
    });
    let usages = statistics::take();
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some((took, rows)) = seen else {
        let why = undone.err().map(|error| error.to_string()).unwrap_or_default();
        return Err(format!("{}: {why}", operation.name).into());
    };
    let steps: u64 = usages.iter().map(|(_, usage)| usage.steps).sum();
    let statements = usages.iter().map(|(sql, _)| *sql).filter(|sql| is_ours(sql)).collect();
    let rows = rows.map_or(steps / STEPS, |rows| rows.unsigned_abs());
    Ok(Cost { rows, took, statements })
}

/// Whether it reads or writes tables of ours, and does not begin or end something.
fn is_ours(sql: &str) -> bool {
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].iter().any(|word| sql.starts_with(word))
        && !sql.contains("pg_stat")
}

/// What is wrong with what it took, with the plans that are to blame.
fn problems(store: &Store, operation: &Operation, cost: &Cost) -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    for sql in &cost.statements {
        let sql: &'static str = sql;
        let explain = move |tx: &mut Tx<'_>| plans::any_explain(tx, sql);
        let plan: Vec<String> = store.blocking_write(explain)?;
        let whole = plan.iter().find(|line| LARGE.iter().any(|table| is_scan(line, table)));
        if whole.is_some() || cost.rows > operation.rows {
            problems.push(format!("    {sql}\n      {}", plan.join("\n      ")));
        }
    }
    Ok(problems)
}

/// Whether a line of a plan reads a table from end to end.
fn is_scan(line: &str, table: &str) -> bool {
    let line = line.trim_start_matches([' ', '-', '>']);
    let scanned = line.strip_prefix("Seq Scan on ").or_else(|| line.strip_prefix("SCAN "));
    scanned.is_some_and(|rest| rest == table || rest.starts_with(&format!("{table} ")))
        && !line.contains(" USING ")
}
