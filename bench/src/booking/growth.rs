//! Reading one shipment and a page of them, with few and with many stored.

use std::sync::Arc;
use std::time::Duration;

use waybill_domain::ids::ShipmentId;

use super::ceiling::Sample;
use super::fixture::Fixture;
use crate::load::Connection;
use crate::measure::{self, Failure, Round};

const FEW: usize = 10_000;
const MANY: usize = 1_000_000;
/// The most that reading may get slower.
const GOAL: f64 = 1.3;
const READS: usize = 4000;
const LISTS: usize = 600;

/// Runs the benchmark.
pub fn run(fixture: &Arc<Fixture>, sample: &Sample) -> Result<(), Failure> {
    let mut ids = sample.multiply(fixture, FEW)?;
    let few = read(fixture, FEW, &ids)?;
    let started = measure::now();
    ids.extend(sample.multiply(fixture, MANY - FEW)?);
    println!("stored {MANY} in {:.0} s", started.elapsed().as_secs_f64());
    let many = read(fixture, MANY, &ids)?;
    for (name, few, many) in [("GET", few[0], many[0]), ("list", few[1], many[1])] {
        let ratio = many.as_secs_f64() / few.as_secs_f64();
        let verdict = if ratio <= GOAL { "reached" } else { "missed" };
        println!("{name} p99 grows to {ratio:.2} x; the goal of {GOAL} x is {verdict}");
    }
    Ok(())
}

/// The p99 of reading one, of them all at random, and of reading a page, filtered and not.
fn read(
    fixture: &Arc<Fixture>,
    stored: usize,
    ids: &[ShipmentId],
) -> Result<[Duration; 2], Failure> {
    let runtime = &fixture.runtime;
    let one = |number: usize| format!("/shipments/{}", ids[number * 7919 % ids.len()]);
    let page = |number: usize| match number % 3 {
        0 => "/shipments?per_page=25".to_owned(),
        1 => "/shipments?per_page=25&state=booked".to_owned(),
        _ => "/shipments?per_page=25&sort=updated_at&updated_since=2020-01-01T00:00:00Z".to_owned(),
    };
    let [_, get] = runtime.block_on(ask(fixture, READS, one))?;
    let [_, list] = runtime.block_on(ask(fixture, LISTS, page))?;
    println!("{stored:>9} stored: GET p99 {:.0} µs, list p99 {:.0} µs", micros(get), micros(list));
    Ok([get, list])
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

async fn ask(
    fixture: &Arc<Fixture>,
    times: usize,
    path: impl Fn(usize) -> String,
) -> Result<[Duration; 2], Failure> {
    let mut connection = Connection::open(fixture.address).await?;
    let (started, mut latencies) = (measure::now(), Vec::new());
    for number in 0..times {
        let request = fixture.request("GET", &path(number), "", "");
        let asked = measure::now();
        let answer = connection.ask(&request).await?;
        if answer.status != 200 {
            return Err(format!("not read: {}", answer.status).into());
        }
        latencies.push(asked.elapsed());
    }
    Ok(Round::new(latencies, started.elapsed()).percentiles())
}
