//! One of two servers is stopped in the midst of its work. The other one must not notice.

use std::time::Duration;

use bench::crash::Site;
use tokio::runtime::Runtime;

use super::load::{Booked, Load};
use super::servers::Servers;
use super::watch::{Seen, Watch};
use crate::measure::Failure;

/// Those who book at each server.
const CLIENTS: usize = 16;
/// How often a server is stopped.
const STOPS: u32 = 5;
/// How long the server works that is stopped next.
const WORK: Duration = Duration::from_millis(1500);
/// The most that the slowest bookings may get slower by.
const GOAL: f64 = 1.5;
/// And how long the slowest of them may take.
const SLOWEST: Duration = Duration::from_secs(1);

/// Measures one server beside another that is stopped while it is idle, idle after it has booked,
/// and stopped while it books.
pub fn run(site: &Site, time: Duration, extra: &[&str]) -> Result<(), Failure> {
    let runtime = Runtime::new()?;
    // With limits, so that both draw on the buckets of one team.
    let mut settings = vec!["--rate-limit-reads", "600000", "--rate-limit-writes", "600000"];
    settings.extend(extra);
    let servers = runtime.block_on(Servers::start(site, 2, &settings))?;
    runtime.block_on(site.seed(servers.addresses[0]))?;
    let run = Run { site, runtime, servers, load: Load::new(site, "sandbox:home"), time };
    run.load.book(&run.runtime, &run.servers.addresses, CLIENTS, Duration::from_secs(3))?;
    println!("One server takes the bookings of {CLIENTS} clients while the other one is\n");
    println!("{:>24}  book/s   p50 ms   p99 ms   max ms  not booked", "");
    run.beside("stopped while idle", Run::stop)?;
    // What it booked leaves work behind, of which the other one does a part.
    let idle = run.beside("idle after it booked", |run| run.work_until(|| Ok(())))?;
    let stopped = run.beside("stopped while it books", |run| run.work_until(|| run.stop()))?;
    let ratio = stopped.percentiles()[1].as_secs_f64() / idle.percentiles()[1].as_secs_f64();
    // Those who wait ask for nothing, so one long wait is hardly seen among the percentiles.
    let is_prompt = stopped.slowest() <= SLOWEST.max(idle.slowest()) && stopped.refused == 0;
    let verdict = if ratio <= GOAL && is_prompt { "reached" } else { "missed" };
    println!(
        "\np99 is {ratio:.2} x that beside an idle one, and the slowest took {:.0} ms; the goal of \
         {GOAL} x and {:.0} ms is {verdict}",
        stopped.slowest().as_secs_f64() * 1e3,
        SLOWEST.as_secs_f64() * 1e3
    );
    Ok(())
}

struct Run<'s> {
    site: &'s Site,
    runtime: Runtime,
    servers: Servers,
    load: Load,
    time: Duration,
}

impl Run<'_> {
    /// Does this to the first server, several times, and measures the second one meanwhile.
    fn beside(
        &self,
        name: &str,
        stop: impl Fn(&Self) -> Result<(), Failure>,
    ) -> Result<Booked, Failure> {
        let (mut booked, other) = (Booked::default(), &self.servers.addresses[1..]);
        let mut seen = Seen::default();
        for _ in 0..STOPS {
            stop(self)?;
            let mut watch = Watch::start(&self.site.url)?;
            booked.extend(self.load.book(&self.runtime, other, CLIENTS, self.time / STOPS)?);
            seen.extend(watch.finish()?.1.seen);
            self.servers.signal(0, "-CONT")?;
            // What it was about to do is done before the next one is measured.
            std::thread::sleep(Duration::from_secs(2));
        }
        let [p50, p99] = booked.percentiles().map(|time| time.as_secs_f64() * 1e3);
        let slowest = booked.slowest().as_secs_f64() * 1e3;
        println!(
            "{name:>24} {:>7.0} {p50:>8.1} {p99:>8.1} {slowest:>8.0} {:>11}",
            booked.rate(),
            booked.refused
        );
        seen.print();
        Ok(booked)
    }

    fn stop(&self) -> Result<(), Failure> {
        self.servers.signal(0, "-STOP")
    }

    /// Does this while others book at the first server. They are left without an answer.
    fn work_until(&self, stop: impl Fn() -> Result<(), Failure>) -> Result<(), Failure> {
        let one = &self.servers.addresses[..1];
        let _working = self.load.start(&self.runtime, one, CLIENTS, WORK * 2);
        std::thread::sleep(WORK);
        stop()
    }
}
