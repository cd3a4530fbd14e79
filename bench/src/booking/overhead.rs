//! What we add to the carrier's time: bookings at a calm pace, and for each `Server-Timing`'s total
//! without the carrier's part.

use std::sync::Arc;
use std::time::Duration;

use super::fixture::Fixture;
use crate::load::Connection;
use crate::measure::{self, Failure, Round};

/// Bookings a second.
const RATE: u32 = 50;
const BOOKINGS: u32 = 1500;
const GOAL: Duration = Duration::from_millis(15);

/// Runs the benchmark.
pub fn run(fixture: &Arc<Fixture>) -> Result<(), Failure> {
    let runtime = &fixture.runtime;
    let started = measure::now();
    let spent = runtime.block_on(async {
        let mut pace = tokio::time::interval(Duration::from_secs(1) / RATE);
        let mut bookings = Vec::new();
        for _ in 0..BOOKINGS {
            pace.tick().await;
            bookings.push(tokio::spawn(one(fixture.clone())));
        }
        let mut spent = Vec::new();
        for booking in bookings {
            spent.push(booking.await??);
        }
        Ok::<_, Failure>(spent)
    })?;
    // The first ones open connections and prepare statements.
    let warm = spent[spent.len() / 10..].to_vec();
    let [p50, p99] = Round::new(warm, started.elapsed()).percentiles();
    let verdict = if p99 < GOAL { "reached" } else { "missed" };
    println!(
        "{BOOKINGS} bookings, {RATE} a second: our own part p50 {:.2} ms, p99 {:.2} ms; \
         the goal of {} ms is {verdict}",
        p50.as_secs_f64() * 1e3,
        p99.as_secs_f64() * 1e3,
        GOAL.as_millis()
    );
    Ok(())
}

/// Books once, and tells what was spent beside the carrier.
async fn one(fixture: Arc<Fixture>) -> Result<Duration, Failure> {
    let mut connection = Connection::open(fixture.address).await?;
    let answer = connection.ask(&fixture.order()).await?;
    if answer.status != 201 {
        return Err(format!("not booked: {}", answer.status).into());
    }
    let part = |name: &str| -> Result<f64, Failure> {
        let entry = answer.server_timing.split(", ").find(|entry| entry.starts_with(name));
        let millis = entry.and_then(|entry| entry.split("dur=").nth(1));
        Ok(millis.ok_or_else(|| format!("no {name} in Server-Timing"))?.parse()?)
    };
    let millis = part("total")? - part("carrier")?;
    Ok(Duration::from_secs_f64(millis.max(0.0) / 1e3))
}
