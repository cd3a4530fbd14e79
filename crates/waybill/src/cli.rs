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
mod backup;
mod check;
mod demo;
mod error;
mod import;
mod key;
mod output;
mod progress;
mod reconcile;
mod render;
mod runtime;
mod sandbox;
mod serve;
mod webhooks;
mod why;

use std::collections::BTreeMap;
use std::env::VarError;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_outbound::{Network, Proxy};
use waybill_store::{OpenError, Options, Store, epochs, sqlite_path};

use crate::config::{Config, ConfigError, SETTINGS, variable};
use error::CliError;

/// Commands that later versions bring, with the version.
const LATER: &[(&str, &str)] = &[("agent", "0.6, with printing"), ("client", "0.7, with OAuth")];

/// What a command says when it ends well.
type Outcome = Result<ExitCode, CliError>;

/// Runs the program with the process's arguments. A problem is one line on standard error.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
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
        Some(("webhooks", matches)) => webhooks::run(matches),
        Some(("import", matches)) => import::run(matches),
        Some(("key", matches)) => key::run(matches),
        Some(("render", matches)) => render::run(matches),
        Some(("user", matches)) => admin::user(matches),
        Some(("team", matches)) => admin::team(matches),
        Some(("token", matches)) => admin::token(matches),
        Some((name, _)) => {
            let later = LATER.iter().find(|(later, _)| *later == name);
            let version = later.map_or("a later version", |(_, version)| version);
            Err(CliError::Later { name: name.to_owned(), version })
        }
        None => Err(CliError::NoCommand),
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
    let later = LATER.iter().map(|(name, version)| {
        Command::new(*name)
            .about(format!("Comes with version {version}"))
            .arg(Arg::new("rest").num_args(0..).allow_hyphen_values(true).hide(true))
    });
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
        .subcommand(webhooks::command())
        .subcommand(import::command())
        .subcommand(key::command())
        .subcommand(render::command())
        .subcommands(admin::commands())
        .subcommands(later)
}

/// The id of a setting's flag. A command may have a flag of its own with the name of a setting,
/// such as `team add-member --role`, which must not be read as that setting.
fn setting_id(name: &str) -> String {
    format!("setting {name}")
}

/// The flags of the settings that the command needs.
fn settings(wanted: impl Fn(&str) -> bool) -> Vec<Arg> {
    let wanted = SETTINGS.iter().filter(|setting| wanted(setting.name));
    wanted
        .map(|setting| {
            let help = format!(
                "{} [default: {}] [env: {}]",
                setting.help,
                setting.default,
                variable(setting.name)
            );
            let flag = Arg::new(setting_id(setting.name)).long(setting.name).help(help);
            match setting.value {
                "" => flag.action(ArgAction::SetTrue),
                value if setting.is_repeatable() => {
                    flag.value_name(value).action(ArgAction::Append)
                }
                // So that we say what is wrong with a negative number.
                value => flag.value_name(value).allow_negative_numbers(true),
            }
        })
        .collect()
}

/// Opens a database that must be there: a mistyped name is not made into an empty one.
fn open_existing(config: &Config) -> Result<Store, OpenError> {
    match missing_file(config) {
        Some(path) => Err(OpenError::Missing(path.display().to_string())),
        None => {
            let options = Options { must_exist: true, ..Options::default() };
            Store::open(&config.database, options)
        }
    }
}

/// Opens a database, or makes it: the first team may be there before the first start.
fn open_or_create(config: &Config) -> Result<Store, CliError> {
    let missing = missing_file(config);
    let store = Store::open(&config.database, Options::default())?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let (id, copy, now) = (SystemIds::new(clock.clone()).uuid(), store.copy_name(), clock.now());
    store.blocking_write(move |tx| epochs::begin_first(tx, id, &copy, now))?;
    if let Some(path) = missing {
        eprintln!("waybill: a new database was made at {}", path.display());
    }
    Ok(store)
}

/// The file of a SQLite database that is not there, or has nothing in it. Nor has its write-ahead
/// log: that one is told of elsewhere.
fn missing_file(config: &Config) -> Option<&Path> {
    let path = sqlite_path(&config.database)?;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let is_empty = |path: &Path| path.metadata().map_or(true, |it| it.is_file() && it.len() == 0);
    (is_empty(path) && is_empty(Path::new(&log))).then_some(path)
}

/// The way out, by way of the proxy that the environment names.
fn network() -> Result<Network, CliError> {
    for name in ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"] {
        check_text(name)?;
    }
    let proxy = Proxy::read(|name| std::env::var(name).ok())?;
    Ok(Network::new()?.through(proxy))
}

/// Fails when a variable of the environment is not text: it must not be taken for one that is not
/// set.
fn check_text(name: &str) -> Result<(), ConfigError> {
    match std::env::var(name) {
        Err(VarError::NotUnicode(_)) => Err(ConfigError::NotText(name.to_owned())),
        Ok(_) | Err(VarError::NotPresent) => Ok(()),
    }
}

/// The settings from flags, environment and file.
fn config(matches: &ArgMatches) -> Result<Config, ConfigError> {
    let mut flags = BTreeMap::new();
    for setting in SETTINGS {
        let id = setting_id(setting.name);
        let given = match setting.value {
            "" => match matches.try_get_one::<bool>(&id) {
                Ok(Some(true)) => Some("true".to_owned()),
                _ => None,
            },
            _ => matches.try_get_many::<String>(&id).ok().flatten().map(|values| {
                let values: Vec<&str> = values.map(String::as_str).collect();
                values.join(",")
            }),
        };
        if let Some(value) = given {
            flags.insert(setting.name.to_owned(), value);
        }
    }
    for setting in SETTINGS {
        check_text(&variable(setting.name))?;
    }
    Config::read(&flags, |name| std::env::var(name).ok())
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
