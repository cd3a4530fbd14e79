//! Servers that are killed at random moments while clients ask them to book, and started again at
//! once: one on SQLite, which is one server's alone, and three on a PostgreSQL that they share.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::load::{Dice, Load};
use super::outside::Outsiders;
use super::process::{Process, free_address};
use super::site::{Database, Site};
use super::verdict::{check, drain, drain_max};
use super::{Failure, Report};

/// The longest time between two kills of a run by hand, in milliseconds.
pub const KILL_INTERVAL_MAX_MS: u64 = 400;
/// How long a kill waits on a busy machine for as many accepts as there were kills.
const PATIENCE_MAX: Duration = Duration::from_secs(3);
/// Servers that share a PostgreSQL. The others take over what a killed one leaves.
const SHARING: usize = 3;

/// The servers of a run: one on SQLite, several on a PostgreSQL.
pub struct Fleet {
    /// Where they listen.
    pub addresses: Vec<SocketAddr>,
    servers: Vec<Process>,
}

impl Fleet {
    /// Starts them.
    pub async fn start(site: &Site, database: &Database) -> Result<Fleet, Failure> {
        let count = match database {
            Database::Sqlite => 1,
            Database::Postgres(_) => SHARING,
        };
        let (mut addresses, mut servers) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let address = free_address()?;
            let mut server = site.start(address, None)?;
            site.until_ready(address, &mut server).await?;
            addresses.push(address);
            servers.push(server);
        }
        Ok(Fleet { addresses, servers })
    }

    /// Kills one of them, and starts it again at once.
    pub async fn kill_one(&mut self, site: &Site, dice: &mut Dice) -> Result<(), Failure> {
        let unlucky = usize::try_from(dice.below(self.servers.len() as u64))?;
        let (address, server) = (self.addresses[unlucky], &mut self.servers[unlucky]);
        server.kill();
        *server = site.start(address, None)?;
        site.until_ready(address, server).await
    }

    /// Stops one of them for so long, and lets it go on.
    pub async fn pause_one(&self, dice: &mut Dice, time: Duration) -> Result<(), Failure> {
        let unlucky = usize::try_from(dice.below(self.servers.len() as u64))?;
        let server = &self.servers[unlucky];
        server.signal("-STOP")?;
        tokio::time::sleep(time).await;
        server.signal("-CONT")
    }
}

/// A run.
pub struct Kills {
    /// How often the server is killed.
    pub count: usize,
    /// Its program.
    pub server: PathBuf,
    /// Where its database is.
    pub database: Database,
    /// How many clients book meanwhile.
    pub clients: u64,
    /// The longest time between two kills, in milliseconds.
    pub kill_interval_max_ms: u64,
    /// A mistake that it is told to make.
    pub bug: Option<String>,
    /// Whether other programs use the database meanwhile.
    pub outside_tools: bool,
}

impl Kills {
    /// Makes the run. The files of one that found something stay, to be looked at.
    pub fn run(self) -> Result<Report, Failure> {
        let site = Site::new(&self.server, &self.database, self.bug.as_deref())?;
        let runtime = tokio::runtime::Runtime::new()?;
        let report = runtime.block_on(self.crash(&site))?;
        match report.is_good() || self.bug.is_some() {
            true => site.remove()?,
            false => eprintln!("see {}", site.folder().display()),
        }
        Ok(report)
    }

    async fn crash(&self, site: &Site) -> Result<Report, Failure> {
        let mut dice = Dice::new(0);
        let mut fleet = Fleet::start(site, &self.database).await?;
        site.seed(fleet.addresses[0]).await?;
        let load = Load::start(site, &fleet.addresses, self.clients);
        let outsiders = self.outside_tools.then(|| Outsiders::start(site)).transpose()?;
        for done in 1..=self.count {
            tokio::time::sleep(Duration::from_millis(dice.below(self.kill_interval_max_ms))).await;
            load.until_accepted(done, PATIENCE_MAX).await;
            fleet.kill_one(site, &mut dice).await?;
            if done % 500 == 0 {
                eprintln!("{done} of {} kills", self.count);
            }
        }
        let outside = outsiders.map(Outsiders::finish).transpose()?.unwrap_or_default();
        let told = load.finish().await;
        drain(site, drain_max(self.bug.is_some())).await?;
        let (booked, mut violations) = check(site, &told).await?;
        if self.outside_tools {
            violations.count("broken copies", &outside.broken_copies);
            violations.count("broken files", &site.broken_files());
            println!("{} commands of other programs", outside.runs);
        }
        let accepts = told.shipments.len();
        let (what, faults, floor) = ("kills", self.count, self.count);
        Ok(Report { what, faults, accepts, floor, booked, violations })
    }
}
