//! `waybill agent status`: how it is with the agent on this machine, also while it runs.

use std::process::ExitCode;
use std::time::Duration;

use clap::{Arg, ArgAction, Command};
use serde_json::{Value, json};
use waybill_agent::spool::{SpoolPrinter, Status};
use waybill_domain::time::{Clock, Time};
use waybill_engine::clock::SystemClock;

use super::error::AgentCommandError;
use super::flags::{self, Flags};
use crate::cli::error::Outcome;
use crate::cli::output::escaped;

const MIB: f64 = 1024.0 * 1024.0;

/// `waybill agent status` with its flags.
pub fn command() -> Command {
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    Command::new("status")
        .about("Shows how it is with the agent, its printers and its jobs")
        .arg(flags::spool())
        .arg(json.help("Prints JSON"))
}

/// `waybill agent status`
pub fn run(flags: &Flags<'_>) -> Outcome {
    let status = Status::read(&flags.spool()?).map_err(AgentCommandError::Spool)?;
    match flags.is_set("json") {
        true => println!("{:#}", as_json(&status)),
        false => print(&status, SystemClock::start().now()),
    }
    Ok(ExitCode::SUCCESS)
}

fn formats(printer: &SpoolPrinter) -> Vec<&'static str> {
    printer.seen.intake().types().formats().map(|format| format.name()).collect()
}

fn as_json(status: &Status) -> Value {
    let printer = |printer: &SpoolPrinter| {
        json!({"key": printer.key, "name": printer.name,
            "state": if printer.seen.is_online { "online" } else { "offline" },
            "formats": formats(printer), "why_offline": printer.seen.why_offline})
    };
    let jobs = status.jobs.iter().map(|job| {
        json!({"job_uuid": job.id, "printer_key": job.printer, "document_name": job.document_name,
            "state": job.state, "unreported": job.unreported,
            "stored_at": job.stored_at.to_string()})
    });
    json!({
        "running": status.is_running,
        "name": status.name,
        "agent_uuid": status.agent,
        "server": status.line.server,
        "last_contact_at": status.line.contact_at.map(|at| at.to_string()),
        "trouble": status.line.trouble,
        "held_jobs": status.room.jobs,
        "held_bytes": status.room.bytes,
        "full": status.full,
        "unreported": status.unreported,
        "printers": status.printers.iter().map(printer).collect::<Vec<_>>(),
        "jobs": jobs.collect::<Vec<_>>(),
    })
}

fn print(status: &Status, now: Time) {
    let or_nothing = |text: &Option<String>| text.as_deref().map(escaped).map(String::from);
    match (&status.name, &status.agent) {
        (Some(name), Some(agent)) => println!("Agent     {} ({agent})", escaped(name)),
        _ => println!("Agent     not registered"),
    }
    println!("Running   {}", if status.is_running { "yes" } else { "no" });
    println!("Server    {}", or_nothing(&status.line.server).unwrap_or_else(|| "–".to_owned()));
    match status.line.contact_at {
        Some(at) => println!("Contact   {} ({at})", ago(now.since(at))),
        None => println!("Contact   never"),
    }
    if let Some(trouble) = or_nothing(&status.line.trouble) {
        println!("          no answer now: {trouble}");
    }
    #[expect(clippy::cast_precision_loss, reason = "a size for people")]
    let size = status.room.bytes as f64 / MIB;
    println!("Spool     {} held ({size:.1} MiB)", counted(status.room.jobs, "job"));
    if status.unreported > 0 {
        println!("          {} not sent yet", counted(status.unreported, "report"));
    }
    if let Some(full) = or_nothing(&status.full) {
        println!("          {full}");
    }
    println!();
    println!("Printers");
    for printer in &status.printers {
        let state = if printer.seen.is_online { "online" } else { "offline" };
        let (key, name) = (escaped(&printer.key), escaped(&printer.name));
        println!("  {state:<8}  {key}  \"{name}\"  {}", formats(printer).join(", "));
        if let Some(why) = or_nothing(&printer.seen.why_offline) {
            println!("            {why}");
        }
    }
    if status.printers.is_empty() {
        println!("  none");
    }
    if status.jobs.is_empty() {
        return;
    }
    println!();
    println!("Jobs");
    for job in &status.jobs {
        let (printer, name) = (escaped(&job.printer), escaped(&job.document_name));
        let since = ago(now.since(job.stored_at));
        println!("  {:<8}  {}  {printer}  {name}  {since}", job.state, job.id);
    }
}

fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// How long ago, in the largest unit that says enough.
fn ago(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=119 => format!("{seconds} s ago"),
        seconds @ 120..=7199 => format!("{} min ago", seconds / 60),
        seconds @ 7200..=172_799 => format!("{} h ago", seconds / 3600),
        seconds => format!("{} days ago", seconds / 86_400),
    }
}
