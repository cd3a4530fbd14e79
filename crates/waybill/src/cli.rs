//! The command line. `waybill` alone serves; every other command works on the database and ends.

/// Prints a line. Every command below has this one instead of the one of `std`, which panics when
/// whoever reads us has gone away.
macro_rules! println {
    () => { $crate::cli::output::line(format_args!("")) };
    ($($words:tt)+) => { $crate::cli::output::line(format_args!($($words)+)) };
}

/// The same for standard error.
macro_rules! eprintln {
    ($($words:tt)+) => { $crate::cli::output::complain(format_args!($($words)+)) };
}

mod admin;
mod agent;
mod backup;
mod carrier;
mod carrier_record;
mod carrier_replay;
mod check;
mod database;
mod demo;
mod draw_page;
mod error;
mod file_error;
mod import;
mod key;
mod network;
mod output;
mod progress;
mod reconcile;
mod render;
mod runtime;
mod sandbox;
mod sandbox_printer;
mod serve;
mod settings;
mod signals;
mod webhooks;
mod why;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};

use error::{CliError, Outcome};
use settings::{config, settings};

/// Runs the program with the process's arguments. A problem is one line on standard error.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.get(1).is_some_and(|command| command == "agent") {
        // Before the allocator has much.
        agent::take_small_pages();
    }
    let matches = command().get_matches_from(with_default_command(arguments));
    match run(&matches) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("waybill: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(matches: &ArgMatches) -> Outcome {
    match matches.subcommand() {
        Some(("serve", matches)) => serve::serve(&config(matches)?),
        Some(("backup", matches)) => backup::back_up(matches),
        Some(("restore", matches)) => backup::restore(matches),
        Some(("reconcile", matches)) => reconcile::run(matches),
        Some(("check", matches)) => check::run(&config(matches)?, matches.get_flag("bytes")),
        Some(("why", matches)) => {
            let shipment = matches.get_one::<String>("shipment").map_or("", String::as_str);
            why::why(&config(matches)?, shipment)
        }
        Some(("sandbox-carrier", matches)) => {
            let text = |name| matches.get_one::<String>(name).cloned();
            let listen = text("listen").unwrap_or_else(|| "127.0.0.1:8081".to_owned());
            sandbox::run(&listen, text("journal").map(PathBuf::from))
        }
        Some(("carrier", matches)) => carrier::run(matches),
        Some(("carrier-record", matches)) => carrier_record::run(matches),
        Some(("carrier-replay", matches)) => carrier_replay::run(matches),
        Some(("sandbox-printer", matches)) => sandbox_printer::run(matches),
        Some(("agent", matches)) => agent::run(matches),
        Some(("webhooks", matches)) => webhooks::run(matches),
        Some(("import", matches)) => import::run(matches),
        Some(("key", matches)) => key::run(matches),
        Some(("draw-page", matches)) => draw_page::run(matches),
        Some(("render", matches)) => render::run(matches),
        Some(("user", matches)) => admin::user(matches),
        Some(("team", matches)) => admin::team(matches),
        Some(("token", matches)) => admin::token(matches),
        Some(("client", matches)) => admin::client(matches),
        _ => Err(CliError::NoCommand),
    }
}

/// `waybill` alone, or with flags only, means `waybill serve`. `WAYBILL_DEFAULT_COMMAND` may name
/// another command for the bare word.
fn with_default_command(mut arguments: Vec<String>) -> Vec<String> {
    let first = arguments.get(1).map(String::as_str);
    match first {
        None => {
            let command = std::env::var("WAYBILL_DEFAULT_COMMAND");
            let command = command.unwrap_or_else(|_| "serve".to_owned());
            arguments.extend(command.split_whitespace().map(str::to_owned));
        }
        Some("-h" | "--help" | "-V" | "--version") => {}
        Some(flag) if flag.starts_with('-') => arguments.insert(1, "serve".to_owned()),
        Some(_) => {}
    }
    arguments
}

/// Every command with its flags.
pub fn command() -> Command {
    Command::new("waybill")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Books parcels with carriers exactly once, makes the labels, tracks and tells")
        .subcommand_required(true)
        .subcommand(
            Command::new("serve").about("Runs the server (the default)").args(settings(|_| true)),
        )
        .subcommand(check::command())
        .subcommands(backup::commands())
        .subcommand(reconcile::command())
        .subcommand(why::command())
        .subcommand(
            Command::new("sandbox-carrier")
                .about("Runs the sandbox carrier as a process of its own")
                .arg(Arg::new("listen").long("listen").value_name("ADDRESS"))
                .arg(Arg::new("journal").long("journal").value_name("FILE")),
        )
        .subcommand(carrier::command())
        .subcommand(carrier_record::command())
        .subcommand(carrier_replay::command())
        .subcommand(sandbox_printer::command())
        .subcommand(agent::command())
        .subcommand(webhooks::command())
        .subcommand(import::command())
        .subcommand(key::command())
        .subcommand(draw_page::command())
        .subcommand(render::command())
        .subcommands(admin::commands())
        .subcommand(admin::client_command())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn flags_alone_mean_serve() {
        let given = words(&["waybill", "--listen", "x"]);
        assert_eq!(with_default_command(given), words(&["waybill", "serve", "--listen", "x"]));
        let given = words(&["waybill", "check"]);
        assert_eq!(with_default_command(given.clone()), given);
    }

    #[test]
    fn a_flag_of_administration_is_not_a_setting() {
        let add = "waybill team add-member --domain x.example --email a@x.example --role member";
        let matches = command().get_matches_from(add.split(' '));
        let (_, matches) = matches.subcommand().unwrap();
        let (_, matches) = matches.subcommand().unwrap();
        let config = config(matches).unwrap();
        assert_eq!((config.is_api, config.is_worker), (true, true));
        assert_eq!(matches.get_one::<String>("role").map(String::as_str), Some("member"));
        let serve = command().get_matches_from(["waybill", "serve", "--role", "worker"]);
        let config = super::config(serve.subcommand().unwrap().1).unwrap();
        assert_eq!((config.is_api, config.is_worker), (false, true));
    }

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }
}
