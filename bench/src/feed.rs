//! The tracking feed under load: 16 writers publish 100,000 entries for one team while three
//! readers follow it, on PostgreSQL through two servers. What they read is compared with what was
//! published: missed, repeated and reordered must be none. Then how long a full page takes.
//!
//! First each entry has a transaction of its own, the worst case; then a transaction has what an
//! answer of a carrier about many parcels has.

mod fixture;
mod reader;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::runtime::Runtime;
use waybill_domain::tracking::{
    Status, TrackingAnswer, TrackingEvent, TrackingEventKind, TrackingReport, Trigger, fingerprint,
};
use waybill_engine::app::App;
use waybill_engine::ingest::ingest;
use waybill_store::{Error, feed};

use crate::measure::{self, Failure, Round};
use crate::scratch::Scratch;
use crate::store::Database;
use fixture::Fixture;
use reader::Reader;

const WRITERS: usize = 16;
const READERS: usize = 3;
/// Entries that have a transaction of their own.
const ALONE: usize = 10_000;
const ENTRIES: usize = 100_000;
/// Parcels that a carrier's answer is about.
const BATCH: usize = 20;
/// Full pages that are read in the end.
const PAGES: usize = 500;
const RATE_GOAL: f64 = 400.0;
const PAGE_GOAL: Duration = Duration::from_millis(30);

/// Runs the benchmark.
pub fn run(database: &Database) -> Result<(), Failure> {
    let scratch = Scratch::new()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let fixture = Arc::new(Fixture::open(&runtime, &scratch, database, WRITERS * BATCH)?);
    println!("{} servers, {WRITERS} writers, {READERS} readers", fixture.servers.len());

    let is_over = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..READERS)
        .map(|number| {
            let reader = Reader::new(&fixture, number);
            runtime.spawn(reader.follow(is_over.clone()))
        })
        .collect();
    let alone = publish(&runtime, &fixture, ALONE, 1)?;
    println!("\neach entry in a transaction of its own: {alone:.0} published a second");
    let verdict = if alone >= RATE_GOAL { "reached" } else { "missed" };
    println!("the goal of {RATE_GOAL:.0} is {verdict}");
    let together = publish(&runtime, &fixture, ENTRIES - ALONE, BATCH)?;
    println!("{BATCH} entries in a transaction: {together:.0} published a second");
    is_over.store(true, Ordering::SeqCst);

    let published = published(&runtime, &fixture)?;
    println!("\n{} entries in the feed", published.len());
    let mut latencies = Vec::new();
    for (number, reader) in readers.into_iter().enumerate() {
        let read = runtime.block_on(reader)??;
        println!("reader {number}: {}", reader::compare(&published, &read.seen)?);
        latencies.extend(read.full_pages);
    }
    if !latencies.is_empty() {
        let full = latencies.len();
        let [p50, p99] = Round::new(latencies, Duration::from_secs(1)).percentiles();
        println!("{full} full pages while it was written: p50 {p50:.1?}, p99 {p99:.1?}");
    }

    let pages = runtime.block_on(Reader::new(&fixture, 0).measure(PAGES))?;
    let [p50, p99] = Round::new(pages, Duration::from_secs(1)).percentiles();
    let verdict = if p99 < PAGE_GOAL { "reached" } else { "missed" };
    println!("\n{PAGES} pages of 1,000 entries: p50 {p50:.1?}, p99 {p99:.1?}");
    println!("the goal of p99 under {PAGE_GOAL:?} is {verdict}");
    Ok(())
}

/// Publishes so many entries, so many in a transaction, and tells how many a second.
fn publish(
    runtime: &Runtime,
    fixture: &Arc<Fixture>,
    count: usize,
    batch: usize,
) -> Result<f64, Failure> {
    let left = Arc::new(AtomicUsize::new(count / batch));
    let started = measure::now();
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (fixture, left) = (fixture.clone(), left.clone());
            runtime.spawn(async move {
                let take = |left: usize| left.checked_sub(1);
                while let Ok(turn) = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take) {
                    let app = &fixture.servers[writer % fixture.servers.len()];
                    write(app, &fixture, (writer, turn), batch).await?;
                }
                Ok::<_, Error>(())
            })
        })
        .collect();
    for writer in writers {
        runtime.block_on(writer)??;
    }
    Ok(count as f64 / started.elapsed().as_secs_f64())
}

/// A carrier says something new about some parcels, all of this writer alone.
async fn write(
    app: &App,
    fixture: &Fixture,
    (writer, turn): (usize, usize),
    batch: usize,
) -> Result<(), Error> {
    let own = &fixture.numbers[writer * BATCH..][..BATCH];
    let numbers = (0..batch).map(|place| own[(turn + place) % BATCH].clone());
    let unique = app.new_uuid().to_string();
    let report = TrackingReport { events: vec![Ok(event(&unique))], ..TrackingReport::default() };
    let answer = TrackingAnswer::Report(report);
    let answers = numbers.map(|number| (number, answer.clone())).collect();
    let place = (fixture.account.team, fixture.carrier_account);
    ingest(app, place, Trigger::Callback, None, answers).await?;
    Ok(())
}

fn event(unique: &str) -> TrackingEvent {
    TrackingEvent {
        kind: TrackingEventKind::Seen(Status::AtTerminal),
        happened_at: None,
        location: Some("Taulov".to_owned()),
        coordinates: None,
        note: Some("Sorted".to_owned()),
        estimate: None,
        fingerprint: fingerprint(&[unique]),
    }
}

/// The entries in the order of their positions, as the database has them.
fn published(runtime: &Runtime, fixture: &Fixture) -> Result<Vec<String>, Failure> {
    let (mut all, mut after, team) = (Vec::new(), 0, fixture.account.team);
    loop {
        let read = move |tx: &mut waybill_store::Tx<'_>| {
            feed::list(tx, team, feed::Filter::default(), after, 5_000)
        };
        let rows = runtime.block_on(fixture.servers[0].read(read))?;
        let Some(last) = rows.last() else { return Ok(all) };
        after = last.recorded.position;
        all.extend(rows.iter().map(|row| row.recorded.id.to_string()));
    }
}
