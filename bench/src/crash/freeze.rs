//! Two servers on one PostgreSQL, one of them frozen at a time for longer than its lease: what it
//! wakes up to do is no longer its to do.

use std::path::PathBuf;
use std::time::Duration;

use super::load::{CLIENTS, Dice, Load};
use super::process::free_address;
use super::site::{Database, LEASE, Site};
use super::verdict::{check, drain, drain_max};
use super::{Failure, Report};

/// Fewer accepts for each pause prove nothing.
const FLOOR: usize = 30;

/// A run.
pub struct Freezes {
    /// How often a server is frozen.
    pub count: usize,
    /// The servers' program.
    pub server: PathBuf,
    /// Their database.
    pub database: Database,
    /// A mistake that they are told to make.
    pub bug: Option<String>,
}

impl Freezes {
    /// Makes the run. The files of one that found something stay, to be looked at.
    pub fn run(self) -> Result<Report, Failure> {
        if self.database == Database::Sqlite {
            return Err("two servers share a PostgreSQL: give its URL with --database".into());
        }
        let site = Site::new(&self.server, &self.database, self.bug.as_deref())?;
        let runtime = tokio::runtime::Runtime::new()?;
        let report = runtime.block_on(self.freeze(&site))?;
        match report.is_good() || self.bug.is_some() {
            true => site.remove()?,
            false => eprintln!("see {}", site.folder().display()),
        }
        Ok(report)
    }

    async fn freeze(&self, site: &Site) -> Result<Report, Failure> {
        let mut dice = Dice::new(0);
        let addresses = [free_address()?, free_address()?];
        let mut servers = Vec::new();
        for address in addresses {
            let mut server = site.start(address, None)?;
            site.until_ready(address, &mut server).await?;
            servers.push(server);
        }
        site.seed(addresses[0]).await?;
        let load = Load::start(site, &addresses, CLIENTS);
        let lease = u64::try_from(LEASE.as_millis())?;
        for _ in 0..self.count {
            tokio::time::sleep(Duration::from_millis(300 + dice.below(500))).await;
            let server = &servers[usize::try_from(dice.below(2))?];
            server.signal("-STOP")?;
            // Long enough for the other to take over, and to do what it then may.
            let pause = lease * 11 / 10 + dice.below(lease * 3 / 2);
            tokio::time::sleep(Duration::from_millis(pause)).await;
            server.signal("-CONT")?;
        }
        let told = load.finish().await;
        drain(site, drain_max(self.bug.is_some())).await?;
        let (booked, violations) = check(site, &told).await?;
        let (faults, floor) = (self.count, self.count * FLOOR);
        let accepts = told.shipments.len();
        Ok(Report { what: "freezes", faults, accepts, floor, booked, violations })
    }
}
