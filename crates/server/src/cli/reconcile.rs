//! `waybill reconcile`: compares what carriers have with what this database knows. After a restore
//! the carriers have bookings that the database has forgotten; only they can tell.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use waybill_carriers::{CarrierBooking, Carriers, ListBookings};
use waybill_domain::ids::{IdSource, ShipmentId};
use waybill_domain::json::Json;
use waybill_domain::time::{Clock, Time};
use waybill_store::carrier_accounts::Account;
use waybill_store::carrier_calls::KnownShipment;
use waybill_store::{Store, Tx, carrier_accounts, carrier_calls, epochs};

use super::{Outcome, config, open_existing, sandbox, settings};
use crate::app::{SystemClock, SystemIds};
use crate::config::{Config, beside};
use crate::keys::Keys;
use crate::vault::Vault;

/// `waybill reconcile`.
pub fn command() -> Command {
    let since = Arg::new("since").long("since").value_name("TIME");
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    let needed = ["database", "config", "secret-key-file", "sandbox-carrier-url"];
    Command::new("reconcile")
        .about("Asks carriers for bookings that this database does not know, as after a restore")
        .arg(since.help("From when on [default: what the last restore may have lost]"))
        .arg(json.help("Prints JSON, for scripts"))
        .args(settings(|name| needed.contains(&name)))
}

/// A difference between a carrier and the database.
struct Finding {
    carrier_code: String,
    what: &'static str,
    /// The shipment here, when there is one.
    shipment: Option<ShipmentId>,
    booking: CarrierBooking,
}

/// Everything that was found, and who could not be asked.
#[derive(Default)]
struct Report {
    findings: BTreeMap<(String, String), Finding>,
    asked: Vec<String>,
    unasked: Vec<(String, String)>,
}

/// How the command ends when it found a difference.
const FOUND: u8 = 1;
/// How it ends when it found none, but could not ask everybody.
const NOT_ASKED: u8 = 2;

/// Runs `waybill reconcile`. It changes nothing. Its exit code says whether there is something to
/// see to, so whatever kept it from asking has a code of its own.
pub fn run(matches: &ArgMatches) -> Outcome {
    compare_all(matches).or_else(|line| {
        eprintln!("waybill: {line}");
        Ok(ExitCode::from(NOT_ASKED))
    })
}

fn compare_all(matches: &ArgMatches) -> Outcome {
    let config = config(matches)?;
    let store = open_existing(&config)?;
    let since = since(matches.get_one::<String>("since"), &store)?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let report = runtime.block_on(reconcile(&config, &store, since))?;
    match matches.get_flag("json") {
        true => println!("{}", report.to_json(since)),
        false => report.print(since),
    }
    Ok(report.exit_code())
}

fn since(given: Option<&String>, store: &Store) -> Result<Time, String> {
    if let Some(text) = given {
        let wrong = || format!("--since {text}: write a time such as 2026-11-16T08:00:00+01:00");
        return Time::parse(text).ok_or_else(wrong);
    }
    let (copy, now) = (store.copy_name(), SystemClock::start().now());
    let lost = store.blocking_read(move |tx| epochs::last_lost(tx, &copy, now));
    let lost = lost.map_err(|error| error.to_string())?;
    lost.map(|span| span.after).ok_or_else(|| {
        "this database was not restored from a copy: say from when on with --since".to_owned()
    })
}

async fn reconcile(config: &Config, store: &Store, since: Time) -> Result<Report, String> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
    let vault = Vault::new(&Keys::load(&config.secret_key_file)?);
    let sandbox_url = match &config.sandbox_url {
        Some(url) => url.clone(),
        None => {
            let journal = journal(config, store);
            if journal.as_deref().is_some_and(is_written) {
                return Err(
                    "the sandbox carrier runs inside the server: stop the server first, or \
                            give --sandbox-carrier-url"
                        .to_owned(),
                );
            }
            sandbox::embed(journal, clock, ids).await?
        }
    };
    let carriers = Carriers::new(&sandbox_url)?;
    let accounts = store.read(carrier_accounts::any_list).await;
    let accounts = accounts.map_err(|error: waybill_store::Error| error.to_string())?;
    let mut report = Report::default();
    // Inside servers that share a database the sandbox keeps nothing: a new one would know nothing.
    let is_sandbox_lost = store.is_shared() && config.sandbox_url.is_none();
    for row in accounts {
        let name = format!("{} account {}", row.carrier_code, row.id);
        if is_sandbox_lost && row.carrier_code == sandbox::CODE {
            let why = "it ran inside a server and kept nothing, or give --sandbox-carrier-url";
            report.unasked.push((name, why.to_owned()));
            continue;
        }
        let carrier = carriers.get(&row.carrier_code);
        let Some(list) = carrier.as_deref().and_then(|carrier| carrier.list_bookings()) else {
            report.unasked.push((name, "this carrier does not list bookings".to_owned()));
            continue;
        };
        match ask(list, &vault, &row, since).await {
            Ok(bookings) => {
                report.compare(store, &row.carrier_code, bookings).await?;
                report.asked.push(name);
            }
            Err(why) => report.unasked.push((name, why)),
        }
    }
    Ok(report)
}

/// The journal of a sandbox carrier that runs inside the server.
fn journal(config: &Config, store: &Store) -> Option<PathBuf> {
    (!store.is_shared()).then(|| beside(&config.database, sandbox::JOURNAL))
}

/// Whether a running server writes this journal.
fn is_written(journal: &Path) -> bool {
    let locked = File::open(journal).map(|file| file.try_lock_shared());
    matches!(locked, Ok(Err(TryLockError::WouldBlock)))
}

async fn ask(
    list: &dyn ListBookings,
    vault: &Vault,
    row: &Account,
    since: Time,
) -> Result<Vec<CarrierBooking>, String> {
    let account = vault.account(row)?;
    list.list_bookings(&account, since).await
}

/// The shipment of a booking. A restored database may have forgotten the call by which the carrier
/// knows it, and still have the shipment.
fn find_shipment(
    tx: &mut Tx<'_>,
    carrier_code: &str,
    booking: &CarrierBooking,
) -> Result<Option<KnownShipment>, waybill_store::Error> {
    let called = carrier_calls::any_find_shipment(tx, &booking.reference)?;
    match (called, &booking.customer_reference) {
        (None, Some(reference)) => carrier_calls::any_find_unaccepted(tx, carrier_code, reference),
        (called, _) => Ok(called),
    }
}

/// What is different between the carrier and us; nothing when nobody has to see to it.
fn judge(known: Option<&KnownShipment>, is_cancelled: bool) -> Option<&'static str> {
    let Some(known) = known else {
        return (!is_cancelled).then_some("booked with the carrier, unknown here");
    };
    match (known.state.as_str(), is_cancelled) {
        ("booked", true) => Some("cancelled with the carrier, booked here"),
        ("cancelled", false) => Some("booked with the carrier, cancelled here"),
        // A failed shipment that knows that the carrier has it tells so itself.
        ("failed", false) if !known.is_accepted => Some("booked with the carrier, failed here"),
        ("pending" | "processing", false) if !known.is_accepted => {
            Some("booked with the carrier, not booked here yet")
        }
        _ => None,
    }
}

impl Report {
    async fn compare(
        &mut self,
        store: &Store,
        carrier_code: &str,
        bookings: Vec<CarrierBooking>,
    ) -> Result<(), String> {
        for booking in bookings {
            let (wanted, code) = (booking.clone(), carrier_code.to_owned());
            let known = store.read(move |tx| find_shipment(tx, &code, &wanted)).await;
            let known = known.map_err(|error: waybill_store::Error| error.to_string())?;
            let Some(what) = judge(known.as_ref(), booking.is_cancelled) else { continue };
            let key = (carrier_code.to_owned(), booking.reference.clone());
            let (carrier_code, shipment) = (carrier_code.to_owned(), known.map(|known| known.id));
            self.findings.insert(key, Finding { carrier_code, what, shipment, booking });
        }
        Ok(())
    }

    fn exit_code(&self) -> ExitCode {
        match (self.findings.is_empty(), self.unasked.is_empty()) {
            (true, true) => ExitCode::SUCCESS,
            (false, _) => ExitCode::from(FOUND),
            (true, false) => ExitCode::from(NOT_ASKED),
        }
    }

    fn print(&self, since: Time) {
        println!("Bookings since {since}:");
        for finding in self.findings.values() {
            let booking = &finding.booking;
            let reference = booking.customer_reference.as_deref().unwrap_or("(no reference)");
            let numbers = booking.tracking_numbers.join(", ");
            let here = finding.shipment.map(|id| format!(" (shipment {id})")).unwrap_or_default();
            let (what, carrier, at) = (finding.what, &finding.carrier_code, booking.booked_at);
            let name = &booking.carrier_reference;
            println!("{what}{here}: {carrier} {reference}, {name} of {at}, tracking {numbers}");
        }
        for (name, why) in &self.unasked {
            println!("not known: {name}: {why}. Look at the carrier's own list.");
        }
        println!(
            "{} differences, {} accounts asked, {} not asked",
            self.findings.len(),
            self.asked.len(),
            self.unasked.len()
        );
    }

    fn to_json(&self, since: Time) -> Json {
        let findings = self.findings.values().map(|finding| {
            let booking = &finding.booking;
            Json::object([
                ("carrier_code", finding.carrier_code.as_str().into()),
                ("finding", finding.what.into()),
                ("shipment_uuid", finding.shipment.map(Json::text).into()),
                ("reference", booking.customer_reference.as_deref().into()),
                ("carrier_reference", booking.carrier_reference.as_str().into()),
                ("tracking_numbers", Json::list(booking.tracking_numbers.iter().map(Json::text))),
                ("booked_at", Json::text(booking.booked_at)),
            ])
        });
        let unasked = self.unasked.iter().map(|(account, reason)| {
            Json::object([("account", account.as_str().into()), ("reason", reason.as_str().into())])
        });
        Json::object([
            ("since", Json::text(since)),
            ("differences", Json::list(findings)),
            ("accounts_asked", Json::list(self.asked.iter().map(Json::text))),
            ("accounts_not_asked", Json::list(unasked)),
        ])
    }
}
