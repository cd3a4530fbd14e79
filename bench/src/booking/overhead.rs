//! What we add to the carrier's time: bookings at a calm pace, and for each `Server-Timing`'s total
//! without the carrier's part.

use std::sync::Arc;
use std::time::Duration;

use super::fixture::Fixture;
use crate::load::Connection;
use crate::measure::{self, Failure};

/// Bookings a second.
const RATE: u32 = 50;
const BOOKINGS: u32 = 1500;
const GOAL: Duration = Duration::from_millis(15);

/// Runs the benchmark.
pub fn run(fixture: &Arc<Fixture>) -> Result<(), Failure> {
    let one = || one(fixture.clone());
    let round = measure::at_pace(&fixture.runtime, (BOOKINGS, RATE.into()), one)?;
    let [p50, p99] = round.percentiles();
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
    answer.own_part()
}
