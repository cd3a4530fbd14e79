//! Crash runs: real servers that are killed or frozen under load beside a sandbox carrier that
//! never is. Afterwards the carrier's journal, the database and what clients were told must agree.
//!
//! `site` starts and ends processes, `load` and `afterwards` are the clients,
//! `verdict` compares; `kill`, `freeze`, `clock`
//! and `failpoints` are what happens to the servers, and `planted` shows that mistakes are found.
//! `print` does the same to printing, where the printers are killed too, and `wms` to a warehouse.

mod afterwards;
mod batches;
mod clock;
mod failpoints;
mod freeze;
pub(crate) mod http;
mod kill;
pub(crate) mod load;
mod outside;
mod planted;
mod print;
pub(crate) mod process;
pub(crate) mod site;
mod verdict;
mod wms;

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};

pub use batches::Batches;
pub use clock::Clocks;
pub use kill::Kills;
use load::CLIENTS;
pub use load::order;
pub use print::{KINDS, Paper, PrinterHost, Prints};
pub use process::{Process, free_address};
pub use site::{Carrier, Database, Site};
pub use wms::{LastPieces, WarehouseFindings, Warehouses};

/// Why a run could not be made, or what it found.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// `crash`, `crash-batches`, `crash-print`, `crash-wms`, `failpoints`, `freeze` and `clock`.
pub fn commands() -> [Command; 7] {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    let server = || option("server", "FILE", "The waybill program [default: beside this one]");
    let database =
        || option("database", "URL", "sqlite [default], or a PostgreSQL superuser's URL");
    let bug = || option("planted-bug", "NAME", "A mistake to make; needs the feature planted-bugs");
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    [
        Command::new("crash")
            .about("Kills the server under load, and looks for parcels booked twice or lost")
            .arg(option("kills", "N", "How often it is killed [default: 300]"))
            .arg(database())
            .arg(server())
            .arg(bug())
            .arg(switch("outside-tools", "Uses the database with other programs meanwhile"))
            .arg(switch("all-planted", "Makes each known mistake in turn: all must be found")),
        Command::new("crash-batches")
            .about("Kills the server while batches are booked: in order, one at a time, once")
            .arg(option("batches", "N", "How many batches [default: 100]"))
            .arg(option("members", "N", "How many members each has [default: 100]"))
            .arg(option("kills", "N", "How often it is killed [default: 200]"))
            .arg(database())
            .arg(server()),
        Command::new("crash-print")
            .about("Kills servers and printers, and looks for papers printed twice or never")
            .arg(option("kills", "N", "How often one is killed [default: 300]"))
            .arg(database())
            .arg(server())
            .arg(bug())
            .arg(switch("real-printers", "Also a CUPS that is killed, and an IPP printer"))
            .arg(switch("all-planted", "Makes each known mistake in turn: all must be found")),
        Command::new("crash-wms")
            .about("Kills servers while a warehouse works, and looks for stock that is sold twice")
            .arg(option("kills", "N", "How often one is killed [default: 300]"))
            .arg(option("last-pieces", "N", "So often 64 ask at once for the last 10 pieces"))
            .arg(database())
            .arg(server())
            .arg(bug())
            .arg(switch("all-planted", "Makes each known mistake in turn: all must be found")),
        Command::new("failpoints")
            .about("Ends the server at each named place; needs the feature failpoints")
            .arg(database())
            .arg(server())
            .arg(switch("printing", "The places of printing, not those of booking"))
            .arg(switch("pairs", "Every place, then every place during the recovery")),
        Command::new("freeze")
            .about("Freezes one of two servers on one PostgreSQL for longer than its lease")
            .arg(option("pauses", "N", "How often [default: 50]"))
            .arg(database())
            .arg(server())
            .arg(bug()),
        Command::new("clock")
            .about("Sets the servers' clocks forward and back under load")
            .arg(option("jumps", "N", "How often [default: 20]"))
            .arg(option("servers", "N", "How many servers there are [default: 1]"))
            .arg(database())
            .arg(server()),
    ]
}

/// Runs one of the commands. What it found is printed as one line.
pub fn run(name: &str, matches: &ArgMatches) -> Result<(), Failure> {
    let text = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
    let is_set = |name: &str| matches.try_get_one::<bool>(name).ok().flatten() == Some(&true);
    let number = |name: &str, default: usize| match text(name) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("--{name}: \"{text}\" is no number")),
    };
    let database = Database::parse(text("database").as_deref())?;
    let server = match text("server") {
        Some(path) => PathBuf::from(path).canonicalize()?,
        None => std::env::current_exe()?.with_file_name("waybill"),
    };
    let bug = text("planted-bug");
    match name {
        "crash" if is_set("all-planted") => planted::run_all(&server, &database),
        "crash" => {
            let (count, clients) = (number("kills", 300)?, CLIENTS);
            let kill_interval_max_ms = kill::KILL_INTERVAL_MAX_MS;
            let outside_tools = is_set("outside-tools");
            let kills = Kills {
                count,
                server,
                database,
                clients,
                kill_interval_max_ms,
                bug,
                outside_tools,
            };
            conclude(&kills.run()?)
        }
        "crash-batches" => {
            let (count, members) = (number("batches", 100)?, number("members", 100)?);
            let kills = number("kills", 200)?;
            let findings = Batches { count, members, kills, server, database }.run()?;
            println!("{kills} kills, {count} batches of {members}: {findings}");
            if findings.is_good() { Ok(()) } else { Err("the run failed".into()) }
        }
        "crash-print" if is_set("all-planted") => print::run_all(&server, &database),
        "crash-print" => {
            let usual = Prints::usual(number("kills", 300)?, server, database);
            let run = match bug {
                Some(bug) => print::mistaken(usual, bug),
                None if is_set("real-printers") => usual.with_real_printers(),
                None => usual,
            };
            let findings = run.run()?;
            println!("{findings}");
            if findings.is_good() { Ok(()) } else { Err("the run failed".into()) }
        }
        "crash-wms" if is_set("all-planted") => wms::run_all(&server, &database),
        "crash-wms" => {
            let (kills, rounds) = (number("kills", 300)?, number("last-pieces", 0)?);
            wms::run(Warehouses { bug, ..Warehouses::usual(kills, server, database) }, rounds)
        }
        "clock" => {
            let (count, servers) = (number("jumps", 20)?, number("servers", 1)?);
            let clients = CLIENTS;
            conclude(&Clocks { count, servers, clients, server, database }.run()?)
        }
        "failpoints" if is_set("printing") => {
            print::run_failpoints(&server, &database, is_set("pairs"))
        }
        "failpoints" => failpoints::run(&server, &database, is_set("pairs")),
        _ => conclude(
            &freeze::Freezes { count: number("pauses", 50)?, server, database, bug }.run()?,
        ),
    }
}

fn conclude(report: &Report) -> Result<(), Failure> {
    println!("{report}");
    match report.is_good() {
        true => Ok(()),
        false => Err("the run failed".into()),
    }
}

/// What a run did and found.
#[derive(Debug)]
pub struct Report {
    /// What was done to the servers.
    pub what: &'static str,
    /// How often.
    pub faults: usize,
    /// Shipments whose acceptance a client was told of.
    pub accepts: usize,
    /// Fewer accepts than this prove nothing.
    pub floor: usize,
    /// Shipments that are booked in the end.
    pub booked: usize,
    /// What does not agree.
    pub violations: verdict::Violations,
}

impl Report {
    /// Whether nothing was found and enough was done.
    pub fn is_good(&self) -> bool {
        self.violations.is_none() && self.accepts >= self.floor && 2 * self.booked >= self.accepts
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Report { what, faults, accepts, booked, violations, .. } = self;
        write!(f, "{faults} {what}, {accepts} accepts, {booked} booked, violations: {violations}")?;
        match accepts >= &self.floor {
            true => Ok(()),
            false => write!(f, " (too few accepts: {} needed)", self.floor),
        }
    }
}
