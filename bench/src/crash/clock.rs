//! Servers whose clock is set forward and back under load: nobody is locked out meanwhile, and
//! nothing waits for a time that is days away. Two servers on one database disagree all the while.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::load::{Dice, Load, Told};
use super::process::{Process, free_address};
use super::site::{Database, LEASE, Site};
use super::verdict::{Violations, bookings, check, drain, drain_max};
use super::{Failure, Report};

/// How wrong a clock gets, in seconds.
const JUMPS: [i64; 6] = [0, 60, 3600, -3600, 2 * 86_400, -2 * 86_400];
/// So many bookings must be accepted after each jump.
const FLOOR: usize = 20;
/// And in this time.
const PATIENCE: Duration = Duration::from_secs(20);
/// What a jump has put off is looked at again every minute.
const SETTLE_MAX: Duration = Duration::from_secs(150);
/// At every fifth jump the server is killed, and starts again with the wrong time.
const KILL_EVERY: usize = 5;

/// A run.
pub struct Clocks {
    /// How often a clock jumps.
    pub count: usize,
    /// How many servers there are.
    pub servers: usize,
    /// How many clients book meanwhile.
    pub clients: u64,
    /// The servers' program.
    pub server: PathBuf,
    /// Their database.
    pub database: Database,
}

impl Clocks {
    /// Makes the run. The files of one that found something stay, to be looked at.
    pub fn run(self) -> Result<Report, Failure> {
        if self.database == Database::Sqlite && self.servers > 1 {
            return Err("servers share a PostgreSQL: give its URL with --database".into());
        }
        let site = Site::new(&self.server, &self.database, None)?;
        let runtime = tokio::runtime::Runtime::new()?;
        let report = runtime.block_on(self.jump(&site))?;
        match report.is_good() {
            true => site.remove()?,
            false => eprintln!("see {}", site.folder().display()),
        }
        Ok(report)
    }

    async fn jump(&self, site: &Site) -> Result<Report, Failure> {
        let mut servers = Vec::new();
        for _ in 0..self.servers {
            servers.push(Server::start(site).await?);
        }
        let addresses: Vec<_> = servers.iter().map(|server| server.at).collect();
        site.seed(addresses[0]).await?;
        let (mut dice, mut locked_out) = (Dice::new(0), Vec::new());
        let load = Load::start(site, &addresses, self.clients);
        for number in 1..=self.count {
            let which = usize::try_from(dice.below(servers.len() as u64))?;
            let jump = JUMPS[usize::try_from(dice.below(JUMPS.len() as u64))?];
            servers[which].set(jump)?;
            if number % KILL_EVERY == 0 {
                servers[which].again(site).await?;
            }
            let before = load.accepted();
            load.until_accepted(before + FLOOR, PATIENCE).await;
            if load.accepted() < before + FLOOR {
                locked_out.push(format!("after jump {number}, to {jump} s"));
            }
            tokio::time::sleep(Duration::from_millis(200 + dice.below(400))).await;
        }
        // As an operator who sees it: the time is right again, and the servers start anew.
        for server in &mut servers {
            server.set(0)?;
            server.again(site).await?;
        }
        let mut told = load.finish().await;
        // Whose deadline a jump brought on before anything was sent may be deleted. Whoever sends
        // it again with the same key is told so.
        let booked = bookings(site)?;
        let is_gone = |reference: &String| {
            told.deleted.contains(reference) && !booked.contains_key(reference)
        };
        told.refused = told.refused.iter().filter(|it| !is_gone(it)).cloned().collect();
        told.deleted.retain(|reference| booked.contains_key(reference));
        drain(site, drain_max(false)).await?;
        let (booked, mut violations) = settled(site, &told).await?;
        violations.count("locked out", &locked_out);
        let (faults, floor) = (self.count, self.count * FLOOR);
        let accepts = told.shipments.len();
        Ok(Report { what: "jumps", faults, accepts, floor, booked, violations })
    }
}

/// Checks when all is settled. A deadline that a jump brought on is told as such; what became of
/// the booking is found out afterwards.
async fn settled(site: &Site, told: &Told) -> Result<(usize, Violations), Failure> {
    let began = tokio::time::Instant::now();
    loop {
        let (booked, violations) = check(site, told).await?;
        let is_open = violations.of("orphan") + violations.of("stuck") > 0;
        if !is_open || began.elapsed() > SETTLE_MAX {
            return Ok((booked, violations));
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

/// A server that reads the time from a file.
struct Server {
    at: std::net::SocketAddr,
    time: PathBuf,
    process: Process,
}

impl Server {
    async fn start(site: &Site) -> Result<Server, Failure> {
        let at = free_address()?;
        let time = site.folder().join(format!("time-{}", at.port()));
        std::fs::write(&time, "+0")?;
        let process = spawn(site, at, &time)?;
        let mut server = Server { at, time, process };
        site.until_ready(at, &mut server.process).await?;
        Ok(server)
    }

    /// Sets its clock so many seconds ahead.
    fn set(&self, seconds: i64) -> Result<(), Failure> {
        // Never half written for those who read it.
        let new = self.time.with_extension("new");
        std::fs::write(&new, format!("{seconds:+}"))?;
        Ok(std::fs::rename(new, &self.time)?)
    }

    async fn again(&mut self, site: &Site) -> Result<(), Failure> {
        self.process.kill();
        self.process = spawn(site, self.at, &self.time)?;
        site.until_ready(self.at, &mut self.process).await
    }
}

fn spawn(site: &Site, at: std::net::SocketAddr, time: &Path) -> Result<Process, Failure> {
    let mut command = site.server(at)?;
    command
        .args(["--log", "warn", "--rate-limit-reads", "600000", "--rate-limit-writes", "600000"])
        .env("WAYBILL_LEASE_MS", LEASE.as_millis().to_string())
        .env("LD_PRELOAD", faketime()?)
        .env("FAKETIME_TIMESTAMP_FILE", time)
        .env("FAKETIME_CACHE_DURATION", "1")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    Ok(Process(command.spawn()?))
}

/// The library that tells a process another time, from Debian's package libfaketime.
fn faketime() -> Result<PathBuf, Failure> {
    let folders = std::fs::read_dir("/usr/lib")?.filter_map(Result::ok).map(|entry| entry.path());
    let library = |folder: PathBuf| folder.join("faketime/libfaketimeMT.so.1");
    let found = folders.map(library).find(|library| library.exists());
    found.ok_or_else(|| "libfaketime is not installed: run ./tools".into())
}
