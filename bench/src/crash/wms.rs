//! Servers that are killed while a warehouse works: many clients bring and take stock of a few
//! items, and have requests allocated, picked, packed, shipped and cancelled. The levels, the
//! ledger, the requests, what clients were told and the carrier's journal must agree.

mod clients;
mod last;
mod planted;
mod requests;
mod stock;
mod verdict;

use std::path::PathBuf;
use std::time::Duration;

use super::Failure;
use super::kill::{Fleet, KILL_INTERVAL_MAX_MS};
use super::load::Dice;
use super::site::{Database, Site};
use super::verdict::{Violations, drain, drain_max};
use clients::Clients;
pub use last::LastPieces;
pub(super) use planted::run_all;
use verdict::{Books, find_violations};

/// How long a kill waits on a busy machine for as many requests as there were kills.
const PATIENCE_MAX: Duration = Duration::from_secs(3);
/// After so many kills everything is looked at, while clients go on.
const LOOK_EVERY: usize = 5;
/// How many clients there are in a run by hand.
const CLIENTS: u64 = 16;

/// Makes the run, or so many rounds for the last pieces when there are to be any.
pub(super) fn run(usual: Warehouses, rounds: usize) -> Result<(), Failure> {
    let is_good = if rounds > 0 {
        let Warehouses { server, database, bug, .. } = usual;
        let wrong = LastPieces { rounds, server, database, bug }.run()?;
        println!("{rounds} rounds for the last pieces, wrong: {wrong:?}");
        wrong.is_empty()
    } else {
        let findings = usual.run()?;
        println!("{findings}");
        findings.is_good()
    };
    if is_good { Ok(()) } else { Err("the run failed".into()) }
}

/// A run.
pub struct Warehouses {
    /// How often a server is killed.
    pub kills: usize,
    /// The longest time between two kills, in milliseconds.
    pub kill_interval_max_ms: u64,
    /// How many clients there are.
    pub clients: u64,
    /// The program.
    pub server: PathBuf,
    /// Where its database is.
    pub database: Database,
    /// A mistake that the servers are told to make.
    pub bug: Option<String>,
}

/// What a run did and found.
#[derive(Debug)]
pub struct WarehouseFindings {
    kills: usize,
    looks: usize,
    adjustments: usize,
    requests: usize,
    shipped: usize,
    cancelled: usize,
    /// What does not agree.
    violations: Violations,
}

impl WarehouseFindings {
    /// Whether nothing was found and enough was done.
    pub fn is_good(&self) -> bool {
        let is_enough = self.requests >= self.kills && self.adjustments > 0 && self.cancelled > 0;
        self.violations.is_none() && is_enough && 3 * self.shipped >= self.requests
    }
}

impl std::fmt::Display for WarehouseFindings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let WarehouseFindings { kills, looks, adjustments, requests, .. } = self;
        let WarehouseFindings { shipped, cancelled, violations, .. } = self;
        write!(
            f,
            "{kills} kills, {looks} looks, {adjustments} adjustments, {requests} requests, \
             {shipped} shipped, {cancelled} cancelled, violations: {violations}"
        )
    }
}

impl Warehouses {
    /// A run by hand.
    pub fn usual(kills: usize, server: PathBuf, database: Database) -> Warehouses {
        let (kill_interval_max_ms, clients, bug) = (KILL_INTERVAL_MAX_MS, CLIENTS, None);
        Warehouses { kills, kill_interval_max_ms, clients, server, database, bug }
    }

    /// Makes the run. The files of one that found something stay, to be looked at.
    pub fn run(self) -> Result<WarehouseFindings, Failure> {
        let site = Site::new(&self.server, &self.database, self.bug.as_deref())?;
        let runtime = tokio::runtime::Runtime::new()?;
        let findings = runtime.block_on(self.crash(&site))?;
        match findings.is_good() || self.bug.is_some() {
            true => site.remove()?,
            false => eprintln!("see {}", site.folder().display()),
        }
        Ok(findings)
    }

    async fn crash(&self, site: &Site) -> Result<WarehouseFindings, Failure> {
        let (mut dice, mut looks) = (Dice::new(0), 0);
        let mut violations = Violations::default();
        let mut fleet = Fleet::start(site, &self.database).await?;
        site.seed(fleet.addresses[0]).await?;
        stock::fill(site, fleet.addresses[0]).await?;
        let clients = Clients::start(site, &fleet.addresses, self.clients);
        for done in 1..=self.kills {
            let pause = Duration::from_millis(dice.below(self.kill_interval_max_ms));
            tokio::time::sleep(pause).await;
            clients.until_told(done, PATIENCE_MAX).await;
            fleet.kill_one(site, &mut dice).await?;
            if done.is_multiple_of(LOOK_EVERY) {
                violations.count("broken rules", &site.complaints()?);
                looks += 1;
            }
        }
        let told = clients.finish().await;
        drain(site, drain_max(self.bug.is_some())).await?;
        let books = Books::read(site, fleet.addresses[0]).await?;
        find_violations(&books, &told, &mut violations);
        violations.count("broken rules", &site.complaints()?);
        violations.count("undeclared answers", &site.caller.undeclared());
        Ok(WarehouseFindings {
            kills: self.kills,
            looks,
            adjustments: told.adjustments.len(),
            requests: told.requests.len(),
            shipped: books.in_state("shipped"),
            cancelled: books.in_state("cancelled"),
            violations,
        })
    }
}
