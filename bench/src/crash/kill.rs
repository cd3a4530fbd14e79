//! One server, killed at random moments while clients ask it to book, and started again at once.

use std::path::PathBuf;
use std::time::Duration;

use super::load::{Dice, Load};
use super::process::free_address;
use super::site::{Database, Site};
use super::verdict::{drain, drain_max, judge};
use super::{Failure, Report};

/// A server lives at most this long after it was ready, in milliseconds. Where leases must end
/// before its work is taken over it gets longer, or else the deadlines pass meanwhile.
const LIFE_MAX: u64 = 400;
const SHARED_LIFE_MAX: u64 = 1200;

/// A run.
pub struct Kills {
    /// How often the server is killed.
    pub count: usize,
    /// Its program.
    pub server: PathBuf,
    /// Where its database is.
    pub database: Database,
    /// A mistake that it is told to make.
    pub bug: Option<String>,
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
        let address = free_address()?;
        let mut dice = Dice::new(0);
        let life_max = match self.database {
            Database::Sqlite => LIFE_MAX,
            Database::Postgres(_) => SHARED_LIFE_MAX,
        };
        let mut server = site.start(address, None)?;
        site.until_ready(address, &mut server).await?;
        site.furnish(address).await?;
        let load = Load::start(site, &[address]);
        for _ in 0..self.count {
            tokio::time::sleep(Duration::from_millis(dice.below(life_max))).await;
            server.kill();
            server = site.start(address, None)?;
            site.until_ready(address, &mut server).await?;
        }
        let told = load.finish().await;
        drain(site, drain_max(self.bug.is_some())).await?;
        let (booked, violations) = judge(site, &told).await?;
        let accepts = told.shipments.len();
        let (what, faults, floor) = ("kills", self.count, self.count);
        Ok(Report { what, faults, accepts, floor, booked, violations })
    }
}
