//! `waybill carrier-record`: writes down what a server and a carrier say to each other, so that it
//! can be replayed. The server is pointed at it with `--carrier-url`, and it calls the carrier.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use waybill_carriers::registry::hosts;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_outbound::Network;
use waybill_replay::{RecordOptions, Recorder, Upstream};

use super::carrier::{CarrierCommandError, bookable, flag, given};
use super::error::{CliError, Outcome};
use super::network::network;
use super::runtime::block_on;
use super::settings::{config, settings};
use super::signals::wait_for_signal;
use crate::logs;

/// `waybill carrier-record` with its flags.
pub fn command() -> Command {
    let needed = ["database", "config", "secret-key-file"];
    let switch = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    Command::new("carrier-record")
        .about("Records a conversation with a carrier for `carrier-replay`, without its secrets")
        .arg(Arg::new("code").value_name("CODE").required(true).help("The carrier, such as gls"))
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS")
                .default_value("127.0.0.1:9002")
                .help("Where a server finds it in place of the carrier"),
        )
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("DIR")
                .required(true)
                .help("The folder that is written"),
        )
        .arg(Arg::new("upstream").long("upstream").value_name("URL").help(
            "Where the carrier is [default: its host for trying things out, or its only one]",
        ))
        .arg(
            switch("production", "Calls the carrier's real service: what is booked there costs")
                .conflicts_with("upstream"),
        )
        .arg(switch("overwrite", "Takes away what was recorded in the folder before"))
        .arg(flag().help(
            "The account that is used, so that its secrets are known: as for `carrier check`",
        ))
        .args(settings(|name| needed.contains(&name)))
}

/// Runs `waybill carrier-record`.
pub fn run(matches: &ArgMatches) -> Outcome {
    let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let code = bookable(&text("code"))?;
    let account = given(matches, &config(matches)?, code)?;
    let secrets = account.map(|account| account.secrets()).unwrap_or_default();
    let network = network()?;
    let upstream = match matches.get_one::<String>("upstream") {
        Some(url) => Upstream::new(url, &[])?,
        None => carrier(code, &network, matches.get_flag("production"))?,
    };
    let _flushed = logs::start("info")?;
    let options = RecordOptions {
        listen: text("listen"),
        to: PathBuf::from(text("to")),
        overwrites: matches.get_flag("overwrite"),
        upstream: upstream.clone(),
        secrets,
        now: SystemClock::start().now(),
    };
    let runtime = tokio::runtime::Runtime::new().map_err(CliError::System)?;
    block_on(&runtime, async {
        let signalled = wait_for_signal()?;
        let recorder = Recorder::start(network, options).await?;
        tracing::info!(base_url = recorder.url(), upstream = upstream.url(), "ready");
        signalled.await;
        tracing::info!(exchanges = recorder.count(), "recorded");
        Ok(ExitCode::SUCCESS)
    })
}

/// The carrier's own hosts. Nothing is booked for real unless somebody says so.
fn carrier(code: &'static str, network: &Network, is_real: bool) -> Result<Upstream, CliError> {
    let found = hosts(code, network).ok_or(CarrierCommandError::NotBookable(code))?;
    let test = found.test.filter(|_| !is_real);
    let main = test.or(found.main).ok_or(CarrierCommandError::NotBookable(code))?;
    Ok(Upstream::new(main, &found.others)?)
}
