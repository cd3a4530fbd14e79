//! Servers, printers and an agent that are killed and stopped while documents are printed. The
//! journals of the printers tell what came out: nothing twice, and what is said to be printed was,
//! once.

mod agents;
mod clients;
mod cups;
mod failpoints;
mod line;
mod planted;
mod printers;
mod real;
mod verdict;

use std::path::PathBuf;
use std::time::Duration;

use super::Failure;
use super::kill::{Fleet, KILL_INTERVAL_MAX_MS};
use super::load::Dice;
use super::site::{Database, LEASE, Site};
use clients::{Clients, files};
pub(super) use failpoints::run as run_failpoints;
pub(super) use planted::{mistaken, run_all};
pub use printers::{KINDS, Paper, PrinterHost};
use printers::{Kind, Park, REAL_KINDS};
use verdict::{Outcome, check};

/// How long a kill waits on a busy machine for as many jobs as there were kills.
const PATIENCE_MAX: Duration = Duration::from_secs(3);
/// One of so many kills is that of the printers.
const PRINTERS_EVERY: u64 = 4;
/// Before one of so many kills something is stopped.
const PAUSE_EVERY: u64 = 8;

/// A run.
pub struct Prints {
    /// How often something is killed.
    pub kills: usize,
    /// The longest time between two kills, in milliseconds.
    pub kill_interval_max_ms: u64,
    /// One of so many kills is that of the printers.
    pub printers_every: u64,
    /// The program.
    pub server: PathBuf,
    /// Where its database is.
    pub database: Database,
    /// The printers.
    pub kinds: Vec<Kind>,
    /// A mistake that the servers are told to make.
    pub bug: Option<String>,
}

/// What a run did and found.
pub struct Findings {
    kills: usize,
    pauses: usize,
    told: usize,
    /// What became of the jobs.
    outcome: Outcome,
}

impl Findings {
    /// Whether nothing was found and enough was done.
    pub fn is_good(&self) -> bool {
        self.outcome.violations.is_none() && self.told >= self.kills
    }
}

impl std::fmt::Display for Findings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Findings { kills, pauses, told, outcome } = self;
        let Outcome { jobs, printed, unknown, violations } = outcome;
        write!(
            f,
            "{kills} kills, {pauses} pauses, {told} acknowledged, {jobs} jobs, {printed} printed, \
             {unknown} unknown, violations: {violations}"
        )
    }
}

impl Prints {
    /// A run by hand: all printers, killed at the usual pace.
    pub fn usual(kills: usize, server: PathBuf, database: Database) -> Prints {
        let (kinds, kill_interval_max_ms) = (KINDS.to_vec(), KILL_INTERVAL_MAX_MS);
        let (printers_every, bug) = (PRINTERS_EVERY, None);
        Prints { kills, kill_interval_max_ms, printers_every, server, database, kinds, bug }
    }

    /// The same beside printers that others have made. `./printers run` brings them.
    pub fn with_real_printers(mut self) -> Prints {
        self.kinds.extend(REAL_KINDS);
        self
    }

    /// Makes the run. The files of one that found something stay, to be looked at.
    pub fn run(self) -> Result<Findings, Failure> {
        let site = Site::new(&self.server, &self.database, self.bug.as_deref())?;
        let runtime = tokio::runtime::Runtime::new()?;
        let findings = runtime.block_on(self.crash(&site))?;
        match findings.is_good() || self.bug.is_some() {
            true => site.remove()?,
            false => eprintln!("see {}", site.folder().display()),
        }
        Ok(findings)
    }

    async fn crash(&self, site: &Site) -> Result<Findings, Failure> {
        let (mut dice, mut pauses) = (Dice::new(0), 0);
        let mut fleet = Fleet::start(site, &self.database).await?;
        site.seed(fleet.addresses[0]).await?;
        let files = files(site, fleet.addresses[0]).await?;
        let mut park = Park::open(site, fleet.addresses[0], &self.kinds).await?;
        let clients = Clients::start(site, &fleet.addresses, &park.known, &files);
        for done in 1..=self.kills {
            let pause = Duration::from_millis(dice.below(self.kill_interval_max_ms));
            tokio::time::sleep(pause).await;
            clients.until_told(done, PATIENCE_MAX).await;
            if dice.below(PAUSE_EVERY) == 0 {
                pause_one(site, &mut fleet, &park, &mut dice).await?;
                pauses += 1;
            }
            let pause = Duration::from_millis(dice.below(300));
            match (dice.below(self.printers_every), &mut park.agent) {
                (0, _) => match (dice.below(2), &mut park.real) {
                    (0, Some(real)) => real.cups.kill(pause).await?,
                    _ => park.killed.kill(pause).await?,
                },
                (1, Some(agent)) => agent.kill(pause).await?,
                _ => fleet.kill_one(site, &mut dice).await?,
            }
        }
        let told = clients.finish().await;
        let books = (&files[..], &told);
        let outcome = check(site, fleet.addresses[0], &park, books, self.bug.is_some()).await?;
        Ok(Findings { kills: self.kills, pauses, told: told.jobs.len(), outcome })
    }
}

/// Stops a server for longer than its lease, so that another takes over and it wakes up too late,
/// or printers for a moment, in which a server may be killed with its request still unread.
async fn pause_one(
    site: &Site,
    fleet: &mut Fleet,
    park: &Park,
    dice: &mut Dice,
) -> Result<(), Failure> {
    let lease = u64::try_from(LEASE.as_millis())?;
    let longer = Duration::from_millis(lease + dice.below(lease));
    let host = match dice.below(3) {
        0 => return fleet.pause_one(dice, longer).await,
        1 => &park.killed,
        _ => &park.steady,
    };
    host.signal("-STOP")?;
    tokio::time::sleep(Duration::from_millis(dice.below(800))).await;
    if dice.below(2) == 0 {
        fleet.kill_one(site, dice).await?;
        tokio::time::sleep(Duration::from_millis(dice.below(800))).await;
    }
    host.signal("-CONT")
}
