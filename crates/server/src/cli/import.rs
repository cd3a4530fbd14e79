//! `waybill import service-points FILE` and `waybill import rates FILE`, beside a running server.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use waybill_carriers::catalog;
use waybill_domain::fields::{FieldErrors, read_object};
use waybill_domain::ids::IdSource;
use waybill_domain::json::{Json, parse};
use waybill_domain::point::{Csv, Pieces, Point, from_csv};
use waybill_domain::tariff::Rate;
use waybill_domain::time::Clock;
use waybill_domain::words::Message;
use waybill_store::{Store, tariffs};

use super::progress::{Counted, Progress};
use super::webhooks::find_team;
use super::{Outcome, config, open_existing, settings};
use crate::app::{SystemClock, SystemIds};
use crate::points::Intake;
use crate::rates::rows;

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
    Command::new("import")
        .about("Takes service points or rates from a file")
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
            .arg(team.help("The team's domain or UUID")),
        )
}

/// Runs `waybill import …`.
pub fn run(matches: &ArgMatches) -> Outcome {
    let (name, matches) = matches.subcommand().ok_or("say what to import")?;
    let path = PathBuf::from(matches.get_one::<String>("file").cloned().unwrap_or_default());
    let store = open_existing(&config(matches)?)?;
    match name {
        "rates" => {
            let team = matches.get_one::<String>("team").cloned().unwrap_or_default();
            import_rates(&store, &team, &path)
        }
        _ => import_points(store, &path, matches.get_flag("replace")),
    }
}

fn open(path: &Path) -> Result<(BufReader<Counted>, Progress), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    let (counted, progress) = Progress::of(file, size);
    Ok((BufReader::with_capacity(256 * 1024, counted), progress))
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

fn import_points(store: Store, path: &Path, is_whole: bool) -> Outcome {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
    let catalog = catalog::load()?;
    let (reader, mut progress) = open(path)?;
    let entries: Box<dyn Iterator<Item = Result<Result<Point, FieldErrors>, String>>> =
        if is_csv(path) { Box::new(csv_points(reader)?) } else { Box::new(json_points(reader)) };
    let mut intake = Intake::new(store, ids, clock.now());
    let (mut taken, mut bad) = (0u64, 0u64);
    for (number, entry) in (1u64..).zip(entries) {
        let point = entry.map_err(|error| format!("entry {number}: {error}"))?;
        match point.and_then(|point| known(point, |code| catalog.carrier(code).is_some())) {
            Ok(point) => {
                intake.add(point).map_err(|error| error.to_string())?;
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
    let sets = intake.finish(is_whole && bad == 0).map_err(|error| error.to_string())?;
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

type Entry = Result<Result<Point, FieldErrors>, String>;

fn json_points(reader: impl BufRead) -> impl Iterator<Item = Entry> {
    Pieces::new(reader).map(|piece| {
        let piece = piece.map_err(|error| error.to_string())?;
        Ok(read_object(&piece).and_then(|json| Point::parse(&json)))
    })
}

fn csv_points(reader: impl BufRead) -> Result<impl Iterator<Item = Entry>, String> {
    let mut records = Csv(reader);
    let headings = records.next().ok_or("the file is empty")?.map_err(|error| error.to_string())?;
    Ok(records.map(move |record| {
        let record = record.map_err(|error| error.to_string())?;
        Ok(from_csv(&headings, &record))
    }))
}

fn import_rates(store: &Store, team: &str, path: &Path) -> Outcome {
    let team = find_team(store, team)?;
    let catalog = catalog::load()?;
    let (reader, mut progress) = open(path)?;
    let body = if is_csv(path) { csv_rates(reader)? } else { json_rates(reader)? };
    progress.show(0);
    progress.clear();
    let rates = Rate::parse_all(&body, |code| catalog.service(code).is_some());
    let rows = rows(rates.map_err(|errors| errors.to_string())?);
    let count = rows.len();
    let replace = move |tx: &mut waybill_store::Tx<'_>| tariffs::replace(tx, team, &rows);
    store.blocking_write(replace).map_err(|error| error.to_string())?;
    println!("{count} rates");
    Ok(ExitCode::SUCCESS)
}

fn json_rates(mut reader: impl BufRead) -> Result<Json, String> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    read_object(&bytes).map_err(|errors| errors.to_string())
}

/// Rates by the names of their columns: prices in the minor unit, weights in `weight_unit`.
fn csv_rates(reader: impl BufRead) -> Result<Json, String> {
    let mut records = Csv(reader);
    let headings = records.next().ok_or("the file is empty")?.map_err(|error| error.to_string())?;
    let mut rates = Vec::new();
    for record in records {
        let record = record.map_err(|error| error.to_string())?;
        let text = |name: &str| {
            let index = headings.iter().position(|heading| heading == name)?;
            record.get(index).map(|text| text.trim()).filter(|text| !text.is_empty())
        };
        let number = |name| text(name).and_then(|text| parse(text.as_bytes()).ok()).into();
        let weight =
            |name| Json::object([("value", number(name)), ("unit", text("weight_unit").into())]);
        let price =
            Json::object([("value", number("price")), ("currency", text("currency").into())]);
        rates.push(Json::object([
            ("service_code", text("service_code").into()),
            ("zone", text("zone").into()),
            ("from_weight", weight("from_weight")),
            ("to_weight", weight("to_weight")),
            ("price", price),
        ]));
    }
    Ok(Json::object([("data", Json::List(rates))]))
}
