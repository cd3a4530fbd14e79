//! Bookings with one carrier, alone and beside many that wait for another one that is slow. All are
//! measured in turns within one run.

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

/// What bookings are measured beside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Beside {
    Nothing,
    /// As many bookings a second as with the slow carrier, which answers at once: what they cost.
    Quick,
    /// Bookings that wait.
    Slow,
}

impl Beside {
    const ALL: [Beside; 3] = [Beside::Nothing, Beside::Quick, Beside::Slow];
}

/// Runs the benchmark.
pub fn run(
    site: &Arc<Site>,
    (slow, rate): (u32, u32),
    rounds: u32,
    time: Duration,
) -> Result<(), Failure> {
    let (measured, other) = (carrier("postnord"), carrier("gls"));
    println!(
        "\np99 of bookings with {}, {rate} a second: alone; beside {slow} every {} s with {}; and \
         beside {slow} that always wait for it so long",
        measured.code,
        SLOW_TIME.as_secs(),
        other.code
    );
    let mut all = [Vec::new(), Vec::new(), Vec::new()];
    site.fixture.runtime.block_on(async {
        calm(site, measured, (rate, time)).await?;
        for round in 1..=rounds {
            let mut told = format!("{round:>6}:");
            for (beside, all) in Beside::ALL.into_iter().zip(&mut all) {
                let load = Load::begin(site, other, (slow, beside)).await?;
                let took = calm(site, measured, (rate, time)).await?;
                let (under_way, booked) = (load.under_way(), load.end().await?);
                let [_, p99] = Round::new(took.clone(), time).percentiles();
                told += &format!(" {:8.2} ms", millis(p99));
                if beside == Beside::Slow {
                    told += &format!("; {under_way} were under way, {booked} were booked");
                }
                all.extend(took);
            }
            println!("{told}");
        }
        Ok::<_, Failure>(())
    })?;
    let count = all[0].len();
    let [alone, quick, slow] = all.map(|all| Round::new(all, time).percentiles()[1].as_secs_f64());
    let ratio = slow / alone;
    let verdict = if ratio <= GOAL { "reached" } else { "missed" };
    println!(
        "{count} bookings each: {:.2}, {:.2} and {:.2} ms. Beside slow ones it is {ratio:.2} of \
         alone; the goal of {GOAL} is {verdict}. It is {:.2} of beside quick ones",
        alone * 1e3,
        quick * 1e3,
        slow * 1e3,
        slow / quick
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

/// Bookings with a carrier, always as many in the time that a slow one takes.
struct Load {
    is_over: Arc<AtomicBool>,
    waiting: Arc<AtomicUsize>,
    tasks: Vec<JoinHandle<Result<usize, Failure>>>,
}

impl Load {
    /// They begin evenly within that time, and all are under way when this ends.
    async fn begin(
        site: &Arc<Site>,
        carrier: &'static Carrier,
        (count, beside): (u32, Beside),
    ) -> Result<Load, Failure> {
        let (is_over, waiting) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut load = Load { is_over, waiting, tasks: Vec::new() };
        let name = match beside {
            Beside::Nothing => return Ok(load),
            Beside::Quick => "Ada Jensen",
            Beside::Slow => SLOW,
        };
        let mut pace = tokio::time::interval(SLOW_TIME / count);
        for _ in 0..count {
            pace.tick().await;
            let (site, is_over) = (site.clone(), load.is_over.clone());
            let waiting = load.waiting.clone();
            load.tasks.push(tokio::spawn(async move {
                let mut connection = Connection::open(site.fixture.address).await?;
                let mut booked = 0;
                while !is_over.load(Ordering::Relaxed) {
                    let begun = measure::now();
                    waiting.fetch_add(1, Ordering::Relaxed);
                    let answer = connection.ask(&site.order(carrier, name)).await?;
                    waiting.fetch_sub(1, Ordering::Relaxed);
                    // The caller of a booking that takes long may be sent away.
                    if !matches!(answer.status, 201 | 202) {
                        return Err(format!("{}: {}", carrier.code, answer.status).into());
                    }
                    booked += 1;
                    tokio::time::sleep(SLOW_TIME.saturating_sub(begun.elapsed())).await;
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
