//! The flags of `waybill agent`; each is also a variable of the environment.

use std::io::{BufRead, IsTerminal, stdin};
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches};
use waybill_agent::spool::Status;
use waybill_agent::{NamedPrinter, OptionsError, ServerUrl, Sources};
use waybill_outbound::Network;

use super::error::{AgentCommandError, TrustError};
use crate::cli::error::CliError;
use crate::cli::network::network;
use crate::cli::settings::check_text;

const SPOOL: &str = "waybill-agent";
const CUPS: &str = "ipp://localhost:631/";
/// The beginnings of addresses that an agent prints at.
const SCHEMES: [&str; 4] = ["ipp:", "ipps:", "socket:", "file:"];

fn flag(name: &'static str, value: &'static str, help: &str) -> Arg {
    let help = format!("{help} [env: {}]", variable(name));
    Arg::new(name).long(name).value_name(value).help(help)
}

fn variable(name: &str) -> String {
    format!("WAYBILL_AGENT_{}", name.to_uppercase().replace('-', "_"))
}

pub fn spool() -> Arg {
    flag("spool", "DIR", "Where the agent remembers what it prints [default: waybill-agent]")
}

/// Which printers there are.
pub fn of_printers() -> Vec<Arg> {
    vec![
        flag("cups", "URI", "A CUPS server, or none [default: ipp://localhost:631/]"),
        flag("queues", "LIST", "Only these of its queues, with commas between them"),
        flag("printer", "NAME=URI", "One more printer: ipp:, ipps:, socket: or file:")
            .action(ArgAction::Append),
        flag("trust", "FILE", "Certificates of authorities to trust beside the system's (PEM)"),
    ]
}

/// The flags of the agent itself.
pub fn all() -> Vec<Arg> {
    let mut all = vec![
        flag("server", "URL", "Where the server is; remembered after the first start"),
        flag("code", "CODE", "What the agent registers with at its first start, or - to read it"),
        spool(),
    ];
    all.extend(of_printers());
    all.push(flag("log", "FILTER", "What is logged: error, warn, info, debug [default: info]"));
    let help = "Calls a server without encryption, also one that is not on this machine";
    let help = format!("{help} [env: {}]", variable("allow-http"));
    all.push(Arg::new("allow-http").long("allow-http").action(ArgAction::SetTrue).help(help));
    all
}

/// What was given.
pub struct Flags<'a>(&'a ArgMatches);

impl<'a> Flags<'a> {
    /// The flags of a command.
    pub fn new(matches: &'a ArgMatches) -> Flags<'a> {
        Flags(matches)
    }

    /// The text that was given, if any.
    pub fn text(&self, name: &str) -> Result<Option<String>, CliError> {
        if let Some(text) = self.flag(name) {
            return Ok(Some(text));
        }
        check_text(&variable(name))?;
        Ok(std::env::var(variable(name)).ok().filter(|text| !text.is_empty()))
    }

    fn flag(&self, name: &str) -> Option<String> {
        self.0.try_get_one::<String>(name).ok().flatten().cloned()
    }

    pub fn is_set(&self, name: &str) -> bool {
        matches!(self.0.try_get_one::<bool>(name), Ok(Some(true)))
    }

    /// Where a value was given: the flag, or else the variable.
    pub fn place(&self, name: &str) -> String {
        match self.0.contains_id(name) {
            true => format!("--{name}"),
            false => variable(name),
        }
    }

    fn switch(&self, name: &str) -> Result<bool, CliError> {
        if self.is_set(name) {
            return Ok(true);
        }
        match self.text_of_environment(name)?.as_deref() {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(_) => Err(AgentCommandError::Switch(variable(name)).into()),
        }
    }

    fn text_of_environment(&self, name: &str) -> Result<Option<String>, CliError> {
        check_text(&variable(name))?;
        Ok(std::env::var(variable(name)).ok().filter(|text| !text.is_empty()))
    }

    fn wrong(&self, name: &str, problem: OptionsError) -> CliError {
        AgentCommandError::Option { place: self.place(name), problem }.into()
    }

    /// Where the server is, if that was said.
    pub fn server(&self) -> Result<Option<ServerUrl>, CliError> {
        let is_http_allowed = self.switch("allow-http")?;
        let Some(text) = self.text("server")? else { return Ok(None) };
        let url = ServerUrl::parse(&text, is_http_allowed);
        url.map(Some).map_err(|problem| self.wrong("server", problem))
    }

    /// Where the agent remembers.
    pub fn spool(&self) -> Result<PathBuf, CliError> {
        Ok(PathBuf::from(self.text("spool")?.unwrap_or_else(|| SPOOL.to_owned())))
    }

    /// Which printers there are.
    pub fn sources(&self) -> Result<Sources, CliError> {
        let cups = self.text("cups")?.unwrap_or_else(|| CUPS.to_owned());
        let cups = Sources::read_cups(&cups).map_err(|problem| self.wrong("cups", problem))?;
        let queues = self.text("queues")?.unwrap_or_default();
        let queues = queues.split(',').map(str::trim).filter(|queue| !queue.is_empty());
        let given = match self.0.try_get_many::<String>("printer") {
            Ok(Some(given)) => given.cloned().collect(),
            _ => split_printers(&self.text_of_environment("printer")?.unwrap_or_default()),
        };
        let printers = NamedPrinter::read_all(&given);
        let printers = printers.map_err(|problem| self.wrong("printer", problem))?;
        Ok(Sources { cups, queues: queues.map(str::to_owned).collect(), printers })
    }

    /// The way out.
    pub fn network(&self) -> Result<Network, CliError> {
        let network = network()?;
        let Some(path) = self.text("trust")?.map(PathBuf::from) else { return Ok(network) };
        let read = || Ok::<_, TrustError>(network.trusting_too(&std::fs::read(&path)?)?);
        let place = self.place("trust");
        let failed = |source| AgentCommandError::Trust { place, path: path.clone(), source }.into();
        read().map_err(failed)
    }

    /// What the agent registers with. One that is registered needs none: then a code in the
    /// environment, which may stay there, is passed over, and nothing is read.
    pub fn code(&self, spool: &Path, has_server: bool) -> Result<Option<String>, CliError> {
        if let Some(code) = self.flag("code").filter(|code| code != "-") {
            return Ok(Some(code));
        }
        let is_registered = Status::read(spool).is_ok_and(|status| status.agent.is_some());
        if is_registered && self.flag("code").is_none() {
            return Ok(None);
        }
        match self.text_of_environment("code")? {
            Some(code) if self.flag("code").is_none() => Ok(Some(code)),
            _ if has_server || self.flag("code").is_some() => read_code(),
            _ => Ok(None),
        }
    }
}

/// Reads a line, and asks for it where somebody sits before a terminal.
fn read_code() -> Result<Option<String>, CliError> {
    match stdin().is_terminal() {
        true => eprintln!("Registration code:"),
        false => eprintln!("waybill: the registration code is read from standard input"),
    }
    let mut line = String::new();
    stdin().lock().read_line(&mut line).map_err(AgentCommandError::Input)?;
    let code = line.trim();
    Ok((!code.is_empty()).then(|| code.to_owned()))
}

/// Printers with commas between them. An address may have commas too: only what is a printer again
/// begins one.
fn split_printers(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for part in text.split(',') {
        let uri = part.split_once('=').map(|(_, uri)| uri.trim_start());
        let begins = uri.is_some_and(|uri| SCHEMES.iter().any(|scheme| uri.starts_with(scheme)));
        match all.last_mut().filter(|_| !begins) {
            Some(last) => {
                last.push(',');
                last.push_str(part);
            }
            None if part.trim().is_empty() => {}
            None => all.push(part.to_owned()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printers_of_the_environment_may_have_commas_in_their_addresses() {
        let text = "a=ipp://h/ipp/print/twice,slow=5s, b=socket://h:9100,c=file:x";
        assert_eq!(
            split_printers(text),
            ["a=ipp://h/ipp/print/twice,slow=5s", " b=socket://h:9100", "c=file:x"]
        );
        assert_eq!(split_printers(""), [""; 0]);
        assert_eq!(split_printers("zebra"), ["zebra"]);
    }
}
