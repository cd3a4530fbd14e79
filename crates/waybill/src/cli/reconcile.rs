//! `waybill reconcile`: compares what carriers have with what this database knows. After a restore
//! the carriers have bookings that the database has forgotten; only they can tell. What nobody can
//! ask about it notes as not booked, once somebody has looked.

mod difference;
mod error;
mod reconciler;
mod report;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command};
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_store::shipments::Shipment;
use waybill_store::{Store, epochs};

use super::database::open_existing;
use super::error::{CliError, Outcome};
use super::runtime::block_on;
use super::settings::{config, settings};
use error::ReconcileError;
use reconciler::Reconciler;

/// `waybill reconcile`.
pub fn command() -> Command {
    let since = Arg::new("since").long("since").value_name("TIME");
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    let not_booked = Arg::new("not-booked").long("not-booked").value_name("SHIPMENT");
    let not_booked = not_booked.action(ArgAction::Append).help(
        "Notes that no carrier has this undecided shipment, so that it can be deleted: its UUID, \
         or \"all\" for those that every list lacks",
    );
    let needed = ["database", "config", "secret-key-file", "sandbox-carrier-url"];
    Command::new("reconcile")
        .about("Asks carriers for bookings that this database does not know, as after a restore")
        .arg(
            since.help(
                "From when on [default: what the restores of the last 30 days may have lost]",
            ),
        )
        .arg(not_booked)
        .arg(json.help("Prints JSON, for scripts"))
        .args(settings(|name| needed.contains(&name)))
}

/// How the command ends when it found a difference.
const FOUND: u8 = 1;
/// How it ends when it was not told what it needs, as every command does.
const MISUSED: u8 = 2;
/// How it ends when it found none, but could not ask everybody.
const NOT_ASKED: u8 = 3;
/// How it ends when it could ask nobody.
const NOT_BEGUN: u8 = 4;
/// What restores have lost is looked for this long. Carriers seldom list more.
const LOOKED_BACK: Duration = Duration::from_hours(30 * 24);

/// Runs `waybill reconcile`. Its exit code says whether there is something to see to, so whatever
/// kept it from asking has codes of its own.
pub fn run(matches: &ArgMatches) -> Outcome {
    compare_all(matches).or_else(|error| {
        eprintln!("waybill: {error}");
        Ok(ExitCode::from(if error.is_misuse() { MISUSED } else { NOT_BEGUN }))
    })
}

fn compare_all(matches: &ArgMatches) -> Result<ExitCode, ReconcileError> {
    let given = matches.get_one::<String>("since").map(|text| parse_time(text)).transpose()?;
    if let Some(since) = given.filter(|since| *since > SystemClock::start().now()) {
        return Err(ReconcileError::Future(since));
    }
    let config = config(matches)?;
    let store = open_existing(&config)?;
    let wanted: Vec<&String> = matches.get_many("not-booked").unwrap_or_default().collect();
    let is_name = |name: &str| name == "all" || ShipmentId::parse(name).is_some();
    if let Some(name) = wanted.iter().find(|name| !is_name(name)) {
        return Err(ReconcileError::NotAShipment((*name).clone()));
    }
    let since = match given {
        Some(since) => since,
        None => begin(&store, !wanted.is_empty())?,
    };
    let runtime = tokio::runtime::Runtime::new().map_err(CliError::System)?;
    let reconciler = block_on(&runtime, Reconciler::open(&config, store))?;
    let undecided = reconciler.undecided()?;
    let wanted = Wanted::parse(&wanted, &undecided);
    // Whatever was booked for a shipment was booked after it was accepted.
    let oldest = wanted.shipments.iter().map(|(_, shipment)| shipment.created_at).min();
    let since = oldest.map_or(since, |oldest| oldest.min(since));
    let mut report = block_on(&runtime, reconciler.ask_all(since))?;
    let refused = reconciler.note_all(&wanted, &mut report)?;
    let undecided = reconciler.undecided()?.into_iter().map(|(_, shipment)| shipment);
    report.set_undecided(undecided.collect());
    match matches.get_flag("json") {
        true => println!("{}", report.to_json(since)),
        false => report.print(since),
    }
    for line in &refused {
        eprintln!("waybill: {line}");
    }
    Ok(if refused.is_empty() { report.exit_code() } else { ExitCode::from(FOUND) })
}

fn parse_time(text: &str) -> Result<Time, ReconcileError> {
    Time::parse(text).ok_or_else(|| ReconcileError::NotATime(text.to_owned()))
}

/// From when on carriers are asked. Who only notes something need not say it.
fn begin(store: &Store, is_noting: bool) -> Result<Time, ReconcileError> {
    let (copy, now) = (store.copy_name(), SystemClock::start().now());
    let looked_back = now.minus(LOOKED_BACK);
    let lost = store.blocking_read(move |tx| epochs::oldest_lost(tx, &copy, looked_back, now))?;
    let since = lost.map(|span| span.after).or(is_noting.then_some(now));
    since.ok_or(ReconcileError::NoRestore)
}

/// The undecided shipments that are to be noted as not booked.
struct Wanted {
    shipments: Vec<(TeamId, Shipment)>,
    /// Whether each was named: somebody looked for it.
    is_named: bool,
    /// What was named and is not undecided.
    strangers: Vec<String>,
}

impl Wanted {
    fn parse(names: &[&String], undecided: &[(TeamId, Shipment)]) -> Wanted {
        let is_named = !names.iter().any(|name| *name == "all");
        let is_meant = |id: ShipmentId| {
            !is_named || names.iter().any(|name| ShipmentId::parse(name) == Some(id))
        };
        let meant = undecided.iter().filter(|(_, shipment)| is_meant(shipment.id));
        let is_there = |name: &&&String| {
            let id = ShipmentId::parse(name);
            undecided.iter().any(|(_, shipment)| Some(shipment.id) == id)
        };
        let strangers = names.iter().filter(|name| **name != "all" && !is_there(name));
        Wanted {
            shipments: meant.cloned().collect(),
            is_named,
            strangers: strangers.map(|name| (*name).clone()).collect(),
        }
    }
}
