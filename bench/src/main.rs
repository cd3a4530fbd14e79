//! The benchmarks, each run by one command: `cargo run --release -p bench -- NAME`.
//!
//! Whatever is compared is compared within one run and in turns. Everything stays on this machine,
//! ends by itself and leaves nothing behind. A new benchmark is a file and a line in `main`.

mod batch;
mod booking;
mod carriers;
mod feed;
mod fleet;
mod http;
mod legacy;
mod load;
mod measure;
mod paper;
mod plans;
mod points;
mod printing;
mod scratch;
mod soak;
mod start;
mod store;
mod webhooks;
mod wms;

use clap::{Arg, ArgAction, ArgMatches, Command};
use measure::Failure;
use store::Database;
use waybill_engine::telemetry;

/// The allocator of the program that is measured.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Failure> {
    let matches = command().get_matches();
    // A running server counts, so what is measured here counts too.
    telemetry::recorder();
    match matches.subcommand() {
        Some(("store", matches)) => store::run(&database(matches)?, matches.get_flag("busy-disk")),
        Some(("http", matches)) => http::run(matches.get_flag("signin")),
        Some(("paper", _)) => paper::run(),
        Some(("points", _)) => points::run(),
        Some(("legacy", matches)) => legacy::run(&database(matches)?),
        Some(("plans", matches)) => plans::run(&database(matches)?, matches),
        Some(("booking", matches)) => booking::run(&database(matches)?, matches),
        Some(("carriers", matches)) => carriers::run(&database(matches)?, matches),
        Some(("batch", matches)) => batch::run(&database(matches)?),
        Some(("webhooks", matches)) => webhooks::run(&database(matches)?),
        Some(("feed", matches)) => feed::run(&database(matches)?),
        Some(("wms", matches)) => wms::run(&database(matches)?, matches),
        Some(("fleet", matches)) => fleet::run(matches),
        Some(("printing", matches)) => printing::run(matches),
        Some(("soak", matches)) => soak::run(matches),
        Some(("abuse", matches)) => bench::abuse::run(matches),
        Some((name, matches)) => bench::crash::run(name, matches),
        _ => Err("say what to measure; `bench --help` lists it".into()),
    }
}

fn command() -> Command {
    let database = Arg::new("database")
        .long("database")
        .num_args(1..=2)
        .value_names(["KIND", "URL"])
        .help("sqlite in the temporary directory [default], or postgres and an empty database");
    let busy_disk = Arg::new("busy-disk")
        .long("busy-disk")
        .action(ArgAction::SetTrue)
        .help("Writes and syncs another file meanwhile");
    let signin = Arg::new("signin")
        .long("signin")
        .action(ArgAction::SetTrue)
        .help("Tokens of apps against those of the API, and requests beside people who sign in");
    Command::new("bench")
        .about("Measures Waybill on this machine")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("store")
                .about("Grouped commits against single ones; TMPDIR chooses the disk")
                .arg(database.clone())
                .arg(busy_disk),
        )
        .subcommand(booking::command(database.clone()))
        .subcommand(carriers::command(database.clone()))
        .subcommand(
            Command::new("batch")
                .about("What a member of a batch costs, and what single bookings notice of it")
                .arg(database.clone()),
        )
        .subcommand(
            Command::new("points")
                .about("The closest of a million service points, and delivery options"),
        )
        .subcommand(
            Command::new("legacy")
                .about("A hundred labels as one file, by the older API")
                .arg(database.clone()),
        )
        .subcommand(plans::command(database.clone()))
        .subcommand(Command::new("paper").about("Labels and spreadsheet rows a second"))
        .subcommand(
            Command::new("webhooks")
                .about("Deliveries a second, and what one that never answers costs the others")
                .arg(database.clone()),
        )
        .subcommand(
            Command::new("feed")
                .about("Entries published a second, and whether every reader reads each once")
                .arg(database.clone()),
        )
        .subcommand(wms::command(database))
        .subcommand(
            Command::new("http")
                .about("Requests against a bare handler, and the start")
                .arg(signin),
        )
        .subcommand(fleet::command())
        .subcommand(printing::command())
        .subcommand(soak::command())
        .subcommand(bench::abuse::command())
        .subcommands(bench::crash::commands())
}

fn database(matches: &ArgMatches) -> Result<Database, Failure> {
    let words = matches.get_many::<String>("database").unwrap_or_default();
    let words: Vec<&str> = words.map(String::as_str).collect();
    match words[..] {
        [] | ["sqlite"] => Ok(Database::Sqlite),
        [url] | ["postgres", url] if url.starts_with("postgres") && url.contains("://") => {
            Ok(Database::Postgres(url.to_owned()))
        }
        _ => Err("--database: sqlite, or postgres and its URL".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Database, Failure> {
        let matches = command().try_get_matches_from(words)?;
        database(matches.subcommand_matches("store").unwrap())
    }

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn a_postgres_database_needs_its_address() {
        let url = "postgres://localhost/bench";
        let postgres = Database::Postgres(url.to_owned());
        assert_eq!(parse(&["bench", "store"]).unwrap(), Database::Sqlite);
        assert_eq!(parse(&["bench", "store", "--database", "sqlite"]).unwrap(), Database::Sqlite);
        assert_eq!(parse(&["bench", "store", "--database", url]).unwrap(), postgres);
        assert_eq!(parse(&["bench", "store", "--database", "postgres", url]).unwrap(), postgres);
        assert!(parse(&["bench", "store", "--database", "postgres"]).is_err());
    }
}
