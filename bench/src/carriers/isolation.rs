//! Bookings with one carrier, alone and beside many that wait for another one that is slow. Both
//! are measured in turns within one run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::task::JoinHandle;

use super::exchanges::{SLOW, SLOW_TIME};
use super::millis;
use super::site::{Carrier, Site, carrier};
use crate::load::Connection;
use crate::measure::{self, Failure, Round};

/// Beside the slow ones, nearly all may take so many times as long.
const GOAL: f64 = 1.2;

/// Runs the benchmark.
pub fn run(
    site: &Arc<Site>,
    (slow, rate): (u32, u32),
    rounds: u32,
    time: Duration,
) -> Result<(), Failure> {
    let (measured, waited_for) = (carrier("postnord"), carrier("gls"));
    println!(
        "\nbookings with {}, {rate} a second, alone and beside {slow} that wait for {} at once",
        measured.code, waited_for.code
    );
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    site.fixture.runtime.block_on(async {
        calm(site, measured, (rate, time)).await?;
        for round in 1..=rounds {
            let without = calm(site, measured, (rate, time)).await?;
            let load = Load::begin(site, waited_for, slow).await?;
            let with = calm(site, measured, (rate, time)).await?;
            let under_way = load.under_way();
            let booked = load.end().await?;
            let [p99_alone, p99_beside] =
                [&without, &with].map(|all| Round::new(all.clone(), time).percentiles()[1]);
            println!(
                "{round:>6}: p99 alone {:.2} ms, beside {:.2} ms; {under_way} were under way at \
                 the end of it, {booked} slow ones were booked",
                millis(p99_alone),
                millis(p99_beside)
            );
            alone.extend(without);
            beside.extend(with);
        }
        Ok::<_, Failure>(())
    })?;
    let count = alone.len();
    let [_, alone] = Round::new(alone, time).percentiles();
    let [_, beside] = Round::new(beside, time).percentiles();
    let ratio = beside.as_secs_f64() / alone.as_secs_f64();
    let verdict = if ratio <= GOAL { "reached" } else { "missed" };
    println!(
        "{count} bookings each: p99 alone {:.2} ms, beside {:.2} ms, ratio {ratio:.2}; the goal \
         of {GOAL} is {verdict}",
        millis(alone),
        millis(beside)
    );
    Ok(())
}

/// Books at a calm pace for this long, and tells how long each took its caller.
async fn calm(
    site: &Arc<Site>,
    carrier: &'static Carrier,
    (rate, time): (u32, Duration),
) -> Result<Vec<Duration>, Failure> {
    let mut pace = tokio::time::interval(Duration::from_secs(1) / rate);
    let (started, mut tasks) = (measure::now(), Vec::new());
    while started.elapsed() < time {
        pace.tick().await;
        let site = site.clone();
        tasks.push(tokio::spawn(async move {
            let mut connection = Connection::open(site.fixture.address).await?;
            let asked = measure::now();
            let answer = connection.ask(&site.order(carrier, "Ada Jensen")).await?;
            let took = asked.elapsed();
            match answer.status {
                201 => Ok::<_, Failure>(took),
                status => Err(format!("{}: {status}", carrier.code).into()),
            }
        }));
    }
    let mut all = Vec::new();
    for task in tasks {
        all.push(task.await??);
    }
    Ok(all)
}

/// Bookings that wait for a carrier, always as many: each that is done makes room for the next.
struct Load {
    is_over: Arc<AtomicBool>,
    waiting: Arc<AtomicUsize>,
    tasks: Vec<JoinHandle<Result<usize, Failure>>>,
}

impl Load {
    /// They begin evenly within the time that one takes, and all are under way when this ends.
    async fn begin(
        site: &Arc<Site>,
        carrier: &'static Carrier,
        count: u32,
    ) -> Result<Load, Failure> {
        let (is_over, waiting) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut load = Load { is_over, waiting, tasks: Vec::new() };
        let mut pace = tokio::time::interval(SLOW_TIME / count);
        for _ in 0..count {
            pace.tick().await;
            let (site, is_over) = (site.clone(), load.is_over.clone());
            let waiting = load.waiting.clone();
            load.tasks.push(tokio::spawn(async move {
                let mut connection = Connection::open(site.fixture.address).await?;
                let mut booked = 0;
                while !is_over.load(Ordering::Relaxed) {
                    waiting.fetch_add(1, Ordering::Relaxed);
                    let answer = connection.ask(&site.order(carrier, SLOW)).await?;
                    waiting.fetch_sub(1, Ordering::Relaxed);
                    // The caller of a booking that takes long may be sent away.
                    if !matches!(answer.status, 201 | 202) {
                        return Err(format!("{}: {}", carrier.code, answer.status).into());
                    }
                    booked += 1;
                }
                Ok(booked)
            }));
        }
        Ok(load)
    }

    fn under_way(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Lets those under way end, and tells how many there were in all.
    async fn end(self) -> Result<usize, Failure> {
        self.is_over.store(true, Ordering::Relaxed);
        let mut booked = 0;
        for task in self.tasks {
            booked += task.await??;
        }
        Ok(booked)
    }
}
