//! What the commands of administration have in common: their arguments, the database, the time, and
//! how to print.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use waybill_domain::audit::Act;
use waybill_domain::ids::IdSource;
use waybill_domain::json::Json;
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;
use waybill_store::{Store, teams, users};

use super::error::AdminError;
use super::print::Output;
use crate::cli::database::open_existing;
use crate::cli::error::{CliError, Outcome};
use crate::cli::settings::{config, settings};

/// The longest name, in characters.
const NAME_MAX: usize = 100;

/// An argument that may be left out.
pub fn option(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("TEXT").help(help)
}

/// An argument that must be there.
pub fn required(name: &'static str, help: &'static str) -> Arg {
    option(name, help).required(true)
}

/// An argument without a value.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

/// What can be done, with what all of it has in common.
pub fn verb(name: &'static str, about: &'static str) -> Command {
    Command::new(name)
        .about(about)
        .args(settings(|setting| matches!(setting, "database" | "config")))
        .arg(flag("json", "Prints JSON, for scripts"))
}

/// A command of several verbs.
pub fn group(name: &'static str, about: &'static str) -> Command {
    Command::new(name).about(about).subcommand_required(true).arg_required_else_help(true)
}

/// What every command needs: the database, the time, and how to print.
pub struct AdminContext {
    /// The database.
    pub store: Store,
    /// When it is done.
    pub now: Time,
    /// Where ids come from.
    pub ids: SystemIds,
    /// How to print.
    pub output: Output,
}

impl AdminContext {
    /// On a database that is there.
    pub fn open(matches: &ArgMatches) -> Result<AdminContext, CliError> {
        let (now, ids) = moment();
        Ok(AdminContext {
            store: open_existing(&config(matches)?)?,
            now,
            ids,
            output: output(matches),
        })
    }

    /// Prints what was made or changed.
    pub fn print(&self, row: &Json) -> Outcome {
        self.output.print_one(row);
        Ok(ExitCode::SUCCESS)
    }

    /// Prints a list.
    pub fn print_list(&self, rows: impl Iterator<Item = Json>) -> Outcome {
        self.output.print_list(rows.collect());
        Ok(ExitCode::SUCCESS)
    }

    /// Reads from the database.
    pub fn read<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut waybill_store::Tx<'_>) -> waybill_store::Result<T> + Send + 'static,
    ) -> waybill_store::Result<T> {
        self.store.blocking_read(work)
    }

    /// Writes to the database.
    pub fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut waybill_store::Tx<'_>) -> waybill_store::Result<T> + Send + 'static,
    ) -> waybill_store::Result<T> {
        self.store.blocking_write(work)
    }

    /// What is done now, for one line of the audit log.
    pub fn act(&self) -> Act {
        Act::by_operator(self.ids.uuid(), self.now)
    }

    /// The user with this address.
    pub fn user(&self, email: &str) -> Result<users::User, AdminError> {
        let wanted = email.to_lowercase();
        let found = self.read(move |tx| users::any_find_by_email(tx, &wanted))?;
        found.ok_or_else(|| AdminError::NoUser(email.to_owned()))
    }

    /// The team with this domain, however it is written.
    pub fn team(&self, domain: &str) -> Result<teams::Team, AdminError> {
        let wanted = domain.to_lowercase();
        let found = self.read(move |tx| teams::any_find_by_domain(tx, &wanted))?;
        found.ok_or_else(|| AdminError::NoTeam(domain.to_owned()))
    }
}

/// A name that is shown whole: people see it when they are asked to allow something.
pub fn name(given: &str) -> Result<String, AdminError> {
    let name = given.trim();
    if name.is_empty() {
        return Err(AdminError::EmptyName);
    }
    match name.chars().count() <= NAME_MAX && !name.contains(char::is_control) {
        true => Ok(name.to_owned()),
        false => Err(AdminError::NotAName(NAME_MAX)),
    }
}

/// The time, and a source of ids.
pub fn moment() -> (Time, SystemIds) {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    (clock.now(), SystemIds::new(clock))
}

/// How this command prints.
pub fn output(matches: &ArgMatches) -> Output {
    if matches.get_flag("json") { Output::Json } else { Output::Text }
}

/// The text of an argument; empty when it was left out.
pub fn text<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

/// The default in the place of nothing.
pub fn or<'a>(given: &'a str, default: &'a str) -> &'a str {
    if given.is_empty() { default } else { given }
}
