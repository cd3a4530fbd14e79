//! `waybill carrier check CODE`: tries an account with a carrier as a server would use it, and
//! books nothing.

mod account;
mod error;
mod questions;
mod report;
mod sample;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command};
use waybill_carriers::registry::CARRIERS;
use waybill_carriers::{Account, Carriers};
use waybill_domain::country::Country;
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;

use super::error::{CliError, Outcome};
use super::network::network;
use super::runtime::block_on;
use super::sandbox;
use super::settings::{config, settings};
use crate::config::Config;
pub use account::{flag, given};
pub use error::CarrierCommandError;
use questions::Questions;
use report::Report;

/// `waybill carrier`.
pub fn command() -> Command {
    let needed = ["database", "config", "secret-key-file", "carrier-url", "sandbox-carrier-url"];
    let check = Command::new("check")
        .about("Tries an account: its credentials, service points and prices. Books nothing")
        .arg(Arg::new("code").value_name("CODE").required(true).help("The carrier, such as gls"))
        .arg(flag())
        .arg(
            Arg::new("country")
                .long("country")
                .value_name("CC")
                .help("Whose service points and prices are asked for [default: the carrier's own]"),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("Prints JSON, for scripts"),
        )
        .args(settings(|name| needed.contains(&name)));
    Command::new("carrier")
        .about("Looks at an account with a carrier")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(check)
}

/// Runs `waybill carrier …`. It ends with 1 when something does not work.
pub fn run(matches: &ArgMatches) -> Outcome {
    let Some(("check", matches)) = matches.subcommand() else { return Err(CliError::NoVerb) };
    let code = matches.get_one::<String>("code").map_or("", String::as_str);
    let country = matches
        .get_one::<String>("country")
        .map(|text| Country::parse(&text.to_uppercase()).ok_or(CarrierCommandError::NoCountry));
    let country = country.transpose()?;
    let code = bookable(code)?;
    let config = config(matches)?;
    let account = given(matches, &config, code)?.ok_or(CarrierCommandError::NoAccount)?;
    let runtime = tokio::runtime::Runtime::new().map_err(CliError::System)?;
    let report = block_on(&runtime, check(&config, code, &account, country))?;
    match matches.get_flag("json") {
        true => println!("{}", report.to_json()),
        false => report.print(),
    }
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The code of a carrier that we can speak with.
pub fn bookable(code: &str) -> Result<&'static str, CarrierCommandError> {
    let row = CARRIERS.iter().find(|row| row.code == code);
    let row = row.ok_or(CarrierCommandError::NoCarrier)?;
    row.adapter.map(|_| row.code).ok_or(CarrierCommandError::NotBookable(row.code))
}

async fn check(
    config: &Config,
    code: &'static str,
    account: &Account,
    country: Option<Country>,
) -> Result<Report, CliError> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let mut urls = config.carrier_urls.clone();
    if code == sandbox::CODE && urls.get(code).is_none() {
        let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(clock.clone()));
        urls.add_default(code, &sandbox::embed(None, clock.clone(), ids).await?);
    }
    let carriers = Carriers::open(CARRIERS, &network()?, &urls)?;
    let carrier = carriers.get(code).ok_or(CarrierCommandError::NotBookable(code))?;
    let services = carriers.catalog().carrier(code).map_or(&[][..], |found| &found.services);
    let questions = Questions { carrier: &*carrier, services, account, country, now: clock.now() };
    let steps = questions.ask().await;
    Ok(Report::new(code, urls.get(code), steps, &account.secrets()))
}
