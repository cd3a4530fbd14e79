//! `waybill import service-points FILE` and its like: files that are taken in beside a running
//! server.

mod error;
mod items;
mod lines;
mod pieces;
mod rates;
mod records;
mod stock;
mod warehouse;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use waybill_carriers::catalog;
use waybill_domain::audit::Act;
use waybill_domain::fields::{FieldErrors, read_object};
use waybill_domain::ids::{IdSource, TeamId};
use waybill_domain::point::{Point, from_csv};
use waybill_domain::tariff::Rate;
use waybill_domain::time::Clock;
use waybill_domain::words::Message;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_engine::points::Intake;
use waybill_engine::rates::rows;
use waybill_store::{Store, tariffs};

use super::admin::moment;
use super::database::open_existing;
use super::error::{CliError, Outcome};
use super::file_error::FileError;
use super::progress::{Counted, Progress};
use super::settings::{config, settings};
use super::webhooks::find_team;
pub use error::ImportError;
use error::{ContentsError, EntryError};
use pieces::Pieces;
use records::Records;

/// So many bad entries are told; the rest is counted.
const TOLD_MAX: u64 = 20;

/// `waybill import`.
pub fn command() -> Command {
    let verb = |name: &'static str, about: &'static str, file: &'static str| {
        Command::new(name)
            .about(about)
            .arg(Arg::new("file").required(true).value_name("FILE").help(file))
            .args(settings(|setting| matches!(setting, "database" | "config")))
    };
    let replace = Arg::new("replace").long("replace").action(ArgAction::SetTrue);
    let team = Arg::new("team").long("team").required(true).value_name("TEAM");
    let team = team.help("The team's domain or UUID");
    Command::new("import")
        .about("Takes service points, rates, or what a warehouse has from a file")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            verb(
                "service-points",
                "Adds service points and brings them up to date",
                "CSV with headings, or JSON: a list, or an object on each line",
            )
            .arg(replace.help(
                "Lets go of points of the same carriers and countries that the file does not have",
            )),
        )
        .subcommand(
            verb(
                "rates",
                "Replaces the rates of a team",
                "CSV with headings, or JSON as PUT …/rates takes it",
            )
            .arg(team.clone()),
        )
        .subcommand(
            verb(
                "catalog-items",
                "Adds items to a team's catalog and brings them up to date",
                "CSV with headings; sku and name are needed",
            )
            .arg(team.clone()),
        )
        .subcommand(
            verb(
                "stock",
                "Makes a team's stock what was counted",
                "CSV with the headings sku, location and quantity",
            )
            .arg(team),
        )
}

/// Runs `waybill import …`.
pub fn run(matches: &ArgMatches) -> Outcome {
    let (name, matches) = matches.subcommand().ok_or(CliError::NothingToImport)?;
    let path = PathBuf::from(matches.get_one::<String>("file").cloned().unwrap_or_default());
    let store = open_existing(&config(matches)?)?;
    if name == "service-points" {
        return import_points(store, &path, matches.get_flag("replace"));
    }
    let team = matches.get_one::<String>("team").cloned().unwrap_or_default();
    let team = find_team(&store, &team)?;
    match name {
        "catalog-items" => warehouse::import_items(store, team, &path),
        "stock" => warehouse::import_stock(store, team, &path),
        _ => import_rates(&store, team, &path),
    }
}

fn open(path: &Path) -> Result<(BufReader<Counted>, Progress), ImportError> {
    let file = File::open(path).map_err(FileError::of(path))?;
    let found = file.metadata().map_err(FileError::of(path))?;
    if found.is_dir() {
        return Err(ImportError::Folder(path.to_owned()));
    }
    let size = found.len();
    let (counted, progress) = Progress::of(file, size);
    Ok((BufReader::with_capacity(256 * 1024, counted), progress))
}

/// For `map_err`: what is wrong is in this file.
fn in_file(path: &Path) -> impl Fn(ContentsError) -> ImportError {
    move |source| ImportError::Contents { path: path.to_owned(), source }
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

fn import_points(store: Store, path: &Path, is_whole: bool) -> Outcome {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
    let catalog = catalog::load()?;
    let (reader, mut progress) = open(path)?;
    let entries: Box<dyn Iterator<Item = Entry>> = match is_csv(path) {
        true => Box::new(csv_points(reader).map_err(in_file(path))?),
        false => Box::new(json_points(reader)),
    };
    let mut intake = Intake::new(store, ids, clock.now());
    let (mut taken, mut bad) = (0u64, 0u64);
    for (number, entry) in (1u64..).zip(entries) {
        let point = entry.map_err(|source| ContentsError::Entry { number, source });
        let point = point.map_err(in_file(path))?;
        match point.and_then(|point| known(point, |code| catalog.carrier(code).is_some())) {
            Ok(point) => {
                intake.add(point)?;
                taken += 1;
            }
            Err(errors) => {
                bad += 1;
                if bad <= TOLD_MAX {
                    progress.clear();
                    eprintln!("entry {number}: {errors}");
                }
            }
        }
        progress.show(taken);
    }
    progress.clear();
    // What could not be read may be points that are still there.
    let sets = intake.finish(is_whole && bad == 0)?;
    for set in sets {
        let (carrier, country) = (&set.set.carrier, set.set.country);
        println!("{carrier} {country}: {} points, {} let go", set.points, set.retired);
    }
    println!("{taken} taken, {bad} refused");
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Points of a carrier that nobody can book with are a typo.
fn known(point: Point, is_carrier: impl Fn(&str) -> bool) -> Result<Point, FieldErrors> {
    match is_carrier(&point.carrier) {
        true => Ok(point),
        false => Err(FieldErrors::one("carrier", Message::new("unknown-carrier"))),
    }
}

type Entry = Result<Result<Point, FieldErrors>, EntryError>;

fn json_points(reader: impl BufRead) -> impl Iterator<Item = Entry> {
    Pieces::new(reader).map(|piece| {
        let piece = piece.map_err(EntryError::Json)?;
        Ok(read_object(&piece).and_then(|json| Point::parse(&json)))
    })
}

fn csv_points(reader: impl BufRead) -> Result<impl Iterator<Item = Entry>, ContentsError> {
    let mut records = Records::new(reader);
    let headings = rates::headings(&mut records, &["carrier", "country", "code"])?;
    Ok(records.map(move |record| {
        let record = record.map_err(EntryError::Csv)?;
        Ok(from_csv(&headings, &record))
    }))
}

fn import_rates(store: &Store, team: TeamId, path: &Path) -> Outcome {
    let catalog = catalog::load()?;
    let (reader, mut progress) = open(path)?;
    let body = if is_csv(path) { rates::read_csv(reader) } else { rates::read_json(reader) };
    let body = body.map_err(in_file(path))?;
    progress.show(0);
    progress.clear();
    let rates = Rate::parse_all(&body, |code| catalog.service(code).is_some());
    let told = if is_csv(path) { ContentsError::Entries } else { ContentsError::Rates };
    let rows = rows(rates.map_err(told).map_err(in_file(path))?);
    let count = rows.len();
    let (now, ids) = moment();
    let act = Act::by_operator(ids.uuid(), now);
    store.blocking_write(move |tx| tariffs::replace(tx, team, &rows, &act))?;
    println!("{count} {}", if count == 1 { "rate" } else { "rates" });
    Ok(ExitCode::SUCCESS)
}
