//! The replay carrier as a process of its own: it serves conversations that are written in files.

use std::path::Path;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use waybill_replay::{Exchanges, Options, Replay};

use super::error::{CliError, Outcome};
use super::runtime::block_on;
use super::signals::wait_for_signal;
use crate::logs;

/// `waybill carrier-replay` with its flags.
pub fn command() -> Command {
    Command::new("carrier-replay")
        .about("Plays a carrier, as the exchanges in the *.toml files of a folder say")
        .arg(Arg::new("dir").value_name("DIR").required(true).help("The folder"))
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS")
                .default_value("127.0.0.1:9001")
                .help("Where it listens"),
        )
}

/// `waybill carrier-replay`
pub fn run(matches: &ArgMatches) -> Outcome {
    let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let exchanges = Exchanges::folder(Path::new(&text("dir")))?;
    let _flushed = logs::start("info")?;
    let runtime = tokio::runtime::Runtime::new().map_err(CliError::System)?;
    block_on(&runtime, async {
        let signalled = wait_for_signal()?;
        let options = Options { listen: Some(text("listen")), tls: None };
        let replay = Replay::start(exchanges, options).await?;
        tracing::info!(base_url = replay.url(), "ready");
        signalled.await;
        Ok(ExitCode::SUCCESS)
    })
}
