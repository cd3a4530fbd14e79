//! `waybill agent`: prints in a warehouse what a server offers. It calls the server and is never
//! called.

mod error;
mod flags;
mod status;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Command};
use waybill_agent::{AgentOptions, survey};
use waybill_domain::ids::IdSource;
use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_engine::ids::SystemIds;

use super::error::{CliError, Outcome};
use super::output::escaped;
use super::runtime::block_on;
use super::signals::wait_for_signal;
use crate::logs;
pub use error::AgentCommandError;
use flags::Flags;

/// `waybill agent` with its flags.
pub fn command() -> Command {
    Command::new("agent")
        .about(
            "Prints in a warehouse what a server offers, on printers that the server cannot reach",
        )
        .args(flags::all())
        .args_conflicts_with_subcommands(true)
        .subcommand(status::command())
        .subcommand(
            Command::new("printers")
                .about("Shows which printers an agent would have here, without being one")
                .args(flags::of_printers()),
        )
}

/// `waybill agent`, `waybill agent status` and `waybill agent printers`
pub fn run(matches: &ArgMatches) -> Outcome {
    match matches.subcommand() {
        Some(("status", matches)) => status::run(&Flags::new(matches)),
        Some((_, matches)) => show_printers(&Flags::new(matches)),
        None => start(&Flags::new(matches)),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().worker_threads(2).max_blocking_threads(8);
    builder.build().map_err(CliError::Runtime)
}

/// An agent runs beside others on a small machine. The allocator would hold 16 MB more of it than
/// is used, because the system gives out its pages by 2 MB.
pub fn take_small_pages() {
    // It does as well with more.
    #[cfg(target_os = "linux")]
    let _refused = rustix::thread::disable_transparent_huge_pages(true);
}

fn start(flags: &Flags<'_>) -> Outcome {
    let log = flags.text("log")?.unwrap_or_else(|| "info".to_owned());
    let server = flags.server()?;
    let spool = flags.spool()?;
    let (sources, network) = (flags.sources()?, flags.network()?);
    let code = flags.code(&spool, server.is_some())?;
    let _flushed = logs::start(&log)
        .map_err(|source| AgentCommandError::Log { place: flags.place("log"), source })?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let ids: Arc<dyn IdSource> = Arc::new(SystemIds::new(Arc::clone(&clock)));
    let options = AgentOptions {
        server,
        code,
        spool,
        sources,
        network,
        limits: waybill_agent::spool::Limits::default(),
        hostname: hostname(),
        clock,
        ids,
    };
    block_on(&runtime()?, async {
        let signalled = wait_for_signal()?;
        waybill_agent::run(options, signalled).await.map_err(AgentCommandError::Agent)?;
        Ok(ExitCode::SUCCESS)
    })
}

fn show_printers(flags: &Flags<'_>) -> Outcome {
    let (sources, network) = (flags.sources()?, flags.network()?);
    let (printers, trouble) = block_on(&runtime()?, survey(&sources, &network));
    if let (Some(trouble), Some(cups)) = (trouble, &sources.cups) {
        println!("CUPS at {}: {trouble}", cups.text);
    }
    if printers.is_empty() {
        println!("no printers");
    }
    for printer in printers {
        let state = if printer.trouble.is_none() { "online" } else { "offline" };
        let formats = match printer.formats.is_empty() {
            true => "no formats".to_owned(),
            false => printer.formats.join(", "),
        };
        let papers = printer.papers.map(|count| format!(", {count} papers")).unwrap_or_default();
        let (key, name) = (escaped(&printer.key), escaped(&printer.name));
        println!("{state:<8} {key}  \"{name}\"  {formats}{papers}");
        println!("         {}", escaped(&printer.uri));
        if let Some(trouble) = &printer.trouble {
            println!("         {}", escaped(trouble));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the machine is called.
fn hostname() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    let name: String = told.trim().chars().filter(|c| !c.is_control()).take(255).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}
