//! The sandbox printer: as a process of its own, or inside the demo.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Arg, ArgMatches, Command};
use tokio::net::TcpListener;
use waybill_domain::printing::Uri;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_sandbox_printer::{OutputError, PrinterError, PrinterOptions, prepare};

use super::error::{CliError, Outcome};
use super::runtime::block_on;
use super::serve::ServeError;
use super::signals::wait_for_signal;
use crate::logs;

/// The journal of the one inside the demo, in its folder.
const JOURNAL: &str = "journal.jsonl";

/// `waybill sandbox-printer` with its flags.
pub fn command() -> Command {
    let flag = |name: &'static str, value: &'static str, usual: &'static str| {
        Arg::new(name).long(name).value_name(value).default_value(usual)
    };
    Command::new("sandbox-printer")
        .about("Runs an IPP printer that prints into a folder, and fails as its address says")
        .arg(flag("listen", "ADDRESS", "127.0.0.1:8631").help("Where it listens"))
        .arg(flag("folder", "DIR", "printed").help("Where each paper becomes a file"))
        .arg(
            flag("journal", "FILE", "printed.jsonl")
                .help("Where each paper has a line; the numbers of jobs are in FILE.ids"),
        )
}

/// `waybill sandbox-printer`
pub fn run(matches: &ArgMatches) -> Outcome {
    let text = |name: &str| matches.get_one::<String>(name).cloned().unwrap_or_default();
    let address = text("listen");
    let options = PrinterOptions {
        folder: PathBuf::from(text("folder")),
        journal: PathBuf::from(text("journal")),
        clock: Arc::new(SystemClock::start()),
    };
    let _flushed = logs::start("info")?;
    let runtime = tokio::runtime::Runtime::new().map_err(CliError::System)?;
    block_on(&runtime, async {
        let bound = TcpListener::bind(&address).await;
        let listener = bound.map_err(|source| ServeError::Listen {
            place: "--listen".to_owned(),
            address,
            source,
        })?;
        let address = listener.local_addr().map_err(CliError::System)?;
        let signalled = wait_for_signal()?;
        let serving = prepare(listener, options, signalled)?;
        tracing::info!(uri = format!("ipp://{address}/ipp/print"), "ready");
        serving.await;
        Ok(ExitCode::SUCCESS)
    })
}

/// Starts one inside this process, on a loopback port, and tells its address. Nothing when another
/// process prints into this folder.
pub async fn embed(folder: PathBuf, clock: Arc<dyn Clock>) -> Result<Option<Uri>, CliError> {
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(CliError::System)?;
    let address = listener.local_addr().map_err(CliError::System)?;
    let journal = folder.join(JOURNAL);
    let options = PrinterOptions { folder, journal, clock };
    let serving = match prepare(listener, options, std::future::pending()) {
        Err(PrinterError::Output(OutputError::InUse(path))) => {
            let path = path.display().to_string();
            tracing::warn!(path, "another server has the virtual printer: it prints here as well");
            return Ok(None);
        }
        other => other?,
    };
    tokio::spawn(serving);
    Ok(Uri::parse(&format!("ipp://{address}/ipp/print")).ok())
}
