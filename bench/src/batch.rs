//! A batch of 10,000 members on the sandbox carrier without delay: what each costs, and what single
//! bookings notice of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::booking::fixture::Fixture;
use crate::load::Connection;
use crate::measure::{self, Failure, Round};
use crate::store::Database;
use crate::webhooks::memory;

const MEMBERS: usize = 10_000;
/// Members that one request adds.
const CHUNK: usize = 100;
/// Single bookings a second.
const RATE: u32 = 25;
/// Long enough that the parcels of the first batch are first asked about beside the second.
const CALM: Duration = Duration::from_secs(35);
/// The goals.
const MILLIS_EACH: f64 = 4.0;
const SLOWER: f64 = 2.0;
/// A batch that is not over by then never will be.
const PATIENCE: Duration = Duration::from_mins(10);

/// Runs the benchmark.
pub fn run(database: &Database) -> Result<(), Failure> {
    let fixture = Arc::new(Fixture::open(database)?);
    let verdict = |is_reached: bool| if is_reached { "reached" } else { "missed" };
    let runtime = &fixture.runtime;
    runtime.block_on(async {
        let took = run_batch(&fixture, fill(&fixture).await?).await?;
        let each = took.as_secs_f64() * 1e3 / MEMBERS as f64;
        println!(
            "{MEMBERS} members in {:.1} s: {each:.2} ms each, the carrier's time included; \
             the goal of {MILLIS_EACH} ms is {}",
            took.as_secs_f64(),
            verdict(each < MILLIS_EACH)
        );
        let calm = singles(&fixture, Until::Time(CALM)).await?;
        let (id, running) = (fill(&fixture).await?, fixture.clone());
        let batch = tokio::spawn(async move { run_batch(&running, id).await });
        let beside = singles(&fixture, Until::Over(batch)).await?;
        println!("single bookings, {RATE} a second:");
        for (name, [p50, p99]) in [("alone", calm), ("beside a batch", beside)] {
            let millis = |time: Duration| time.as_secs_f64() * 1e3;
            println!("{name:>15}  p50 {:.2} ms  p99 {:.2} ms", millis(p50), millis(p99));
        }
        let ratio = beside[1].as_secs_f64() / calm[1].as_secs_f64();
        println!(
            "p99 beside a batch is {ratio:.2} x; the goal of {SLOWER} x is {}",
            verdict(ratio <= SLOWER)
        );
        println!("memory: {}", memory());
        Ok::<_, Failure>(())
    })
}

/// A full batch, by its id.
async fn fill(fixture: &Arc<Fixture>) -> Result<String, Failure> {
    let mut connection = Connection::open(fixture.address).await?;
    let made = ask(fixture, &mut connection, "POST", "/booking-batches", "{}").await?;
    let id = made["data"]["uuid"].as_str().ok_or("no batch was made")?.to_owned();
    for _ in 0..MEMBERS / CHUNK {
        let orders: Vec<String> = (0..CHUNK).map(|_| fixture.wish("sandbox:letter").1).collect();
        let body = format!("{{\"data\":[{}]}}", orders.join(","));
        let path = format!("/booking-batches/{id}/shipments");
        ask(fixture, &mut connection, "POST", &path, &body).await?;
    }
    Ok(id)
}

/// Starts a batch, and tells how long it took until the last outcome.
async fn run_batch(fixture: &Arc<Fixture>, id: String) -> Result<Duration, Failure> {
    let mut connection = Connection::open(fixture.address).await?;
    let started = measure::now();
    ask(fixture, &mut connection, "POST", &format!("/booking-batches/{id}/start"), "").await?;
    loop {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let path = format!("/booking-batches/{id}");
        let now = ask(fixture, &mut connection, "GET", &path, "").await?;
        if now["data"]["state"] == "completed" {
            let booked = now["data"]["booked_count"].as_u64();
            return match booked == Some(MEMBERS as u64) {
                true => Ok(started.elapsed()),
                false => Err(format!("only {booked:?} are booked").into()),
            };
        }
        if started.elapsed() > PATIENCE {
            return Err(format!("not over: {now}").into());
        }
    }
}

async fn ask(
    fixture: &Arc<Fixture>,
    connection: &mut Connection,
    method: &str,
    path: &str,
    body: &str,
) -> Result<serde_json::Value, Failure> {
    let answer = connection.ask(&fixture.request(method, path, "", body)).await?;
    match answer.status {
        200..300 => Ok(serde_json::from_slice(answer.body)?),
        status => Err(format!("{status}: {}", String::from_utf8_lossy(answer.body)).into()),
    }
}

/// How long single bookings go on.
enum Until {
    Time(Duration),
    Over(tokio::task::JoinHandle<Result<Duration, Failure>>),
}

/// Books at a calm pace, and tells p50 and p99.
async fn singles(fixture: &Arc<Fixture>, until: Until) -> Result<[Duration; 2], Failure> {
    let (started, mut bookings) = (measure::now(), Vec::new());
    let mut pace = tokio::time::interval(Duration::from_secs(1) / RATE);
    let is_over = |started: Instant| match &until {
        Until::Time(time) => started.elapsed() >= *time,
        Until::Over(batch) => batch.is_finished(),
    };
    while !is_over(started) {
        pace.tick().await;
        let fixture = fixture.clone();
        bookings.push(tokio::spawn(async move {
            let mut connection = Connection::open(fixture.address).await?;
            let asked = measure::now();
            let status = connection.ask(&fixture.order()).await?.status;
            match status {
                201 => Ok::<_, Failure>(asked.elapsed()),
                status => Err(format!("not booked: {status}").into()),
            }
        }));
    }
    let mut latencies = Vec::new();
    for booking in bookings {
        latencies.push(booking.await??);
    }
    if let Until::Over(batch) = until {
        batch.await??;
    }
    Ok(Round::new(latencies, started.elapsed()).percentiles())
}
