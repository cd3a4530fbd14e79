//! `waybill check`: every invariant over the whole database, and with `--bytes` every file.

use std::process::ExitCode;

use clap::{Arg, ArgAction, Command};
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::files::{Files, ReadError, environment};
use waybill_store::{Store, Tx, check, documents};

use super::database::open_existing;
use super::error::{CliError, Outcome};
use super::runtime::block_on;
use super::settings::settings;
use crate::config::Config;

/// Files whose names are read at once.
const CHUNK: i64 = 200;

/// `waybill check`.
pub fn command() -> Command {
    let bytes = Arg::new("bytes").long("bytes").action(ArgAction::SetTrue);
    Command::new("check")
        .about("Verifies the whole database")
        .args(settings(|name| matches!(name, "database" | "config")))
        .arg(bytes.help("Reads every file too, wherever it is, and compares its hash: may be slow"))
}

/// Prints what is broken, and ends with 1 when anything is. Work that waits for a server is told
/// beside it: while none runs, that is as it should be.
pub fn run(config: &Config, with_bytes: bool) -> Outcome {
    let store = open_existing(config)?;
    let now = SystemClock::start().now();
    let files = check::check_integrity(&store)?;
    println!("{}", files.looked_at);
    let mut violations = files.violations;
    let check = move |tx: &mut Tx<'_>| {
        // Alarms go by the clock of the store, which may be another machine's.
        let now = tx.now(now)?;
        check::check(tx, now)
    };
    match store.blocking_read(check) {
        Ok(found) => violations.extend(found),
        // What cannot be read because a page is broken was told above.
        Err(error) if violations.is_empty() => return Err(error.into()),
        Err(error) => println!("the other rules could not be checked: {error}"),
    }
    let (late, broken): (Vec<_>, Vec<_>) = violations.iter().partition(|found| found.is_late);
    let mut report = Report::default();
    for violation in broken {
        report.add(violation.rule, &violation.subject);
    }
    report.end();
    let mut count = report.count;
    if with_bytes {
        let (all, report) = read_all(&store)?;
        report.end();
        let unchanged = all - report.count;
        println!(
            "the bytes of documents were compared with their hashes: {unchanged} of {all} unchanged"
        );
        count += report.count;
    }
    if !late.is_empty() {
        println!("late: {}, is a server with workers running?", late.len());
    }
    println!("{count} {}", if count == 1 { "violation" } else { "violations" });
    Ok(if count == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// So many findings are printed; a ruined file has thousands.
const PRINTED_MAX: usize = 20;

/// What is broken: one finding in a line, and the rest counted.
#[derive(Default)]
struct Report {
    count: usize,
}

impl Report {
    fn add(&mut self, rule: &str, subject: &str) {
        self.count += 1;
        if self.count <= PRINTED_MAX {
            println!("broken rule: {rule} ({subject})");
        }
    }

    fn end(&self) {
        if self.count > PRINTED_MAX {
            println!("and {} more", self.count - PRINTED_MAX);
        }
    }
}

/// Reads every file once, and tells how many there are and which are not as they should be.
fn read_all(store: &Store) -> Result<(usize, Report), CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(CliError::Runtime)?;
    let files = Files::in_database(environment());
    let (mut all, mut lost, mut after) = (0, Report::default(), Vec::new());
    loop {
        let from = std::mem::take(&mut after);
        let page = move |tx: &mut Tx<'_>| documents::any_list_content(tx, &from, CHUNK);
        let hashes = store.blocking_read(page)?;
        let Some(last) = hashes.last().cloned() else { return Ok((all, lost)) };
        for hash in hashes {
            let wanted = hash.clone();
            let find = move |tx: &mut Tx<'_>| documents::any_find_content(tx, &wanted);
            let found = store.blocking_read(find)?;
            let Some(content) = found else { continue };
            all += 1;
            match block_on(&runtime, files.read(&hash, content)) {
                Ok(_) => {}
                Err(ReadError::Unreachable(error)) => return Err(CliError::Files(error)),
                Err(error) => {
                    lost.add("the bytes of a file are there and unchanged", &error.to_string());
                }
            }
        }
        after = last;
    }
}
