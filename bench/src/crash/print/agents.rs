//! A print agent that is killed beside servers and printers.

use std::fs::OpenOptions;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::crash::Failure;
use crate::crash::process::Process;
use crate::crash::site::Site;

/// Printers that are not online by then never are.
const READY_MAX: Duration = Duration::from_secs(60);

/// An agent with printers. Its spool outlives it.
pub struct AgentHost {
    program: PathBuf,
    folder: PathBuf,
    bug: Option<String>,
    /// The flags that name its printers.
    printers: Vec<String>,
    process: Process,
}

impl AgentHost {
    /// Registers one with these printers, and waits until the team has them all: their ids.
    pub async fn register(
        site: &Site,
        server: SocketAddr,
        uris: &[String],
    ) -> Result<(AgentHost, Vec<String>), Failure> {
        let body = json!({"name": "Warehouse"}).to_string();
        let added = site.ask_beta(server, "POST", "/print-agents", &body).await;
        let added = added.ok_or("no answer to a new agent")?;
        let code = added.body["data"]["registration_code"].as_str();
        let code = code.ok_or_else(|| format!("no code: {}", added.body))?;
        let named = |(number, uri): (usize, &String)| format!("agent-{number}={uri}");
        let printers: Vec<String> = uris.iter().enumerate().map(named).collect();
        let (program, folder) = (site.program().to_owned(), site.folder().to_owned());
        let bug = site.bug().map(str::to_owned);
        let first = format!("--server=http://{server}");
        let process = spawn((&program, &folder), &printers, bug.as_ref(), Some((&first, code)))?;
        let host = AgentHost { program, folder, bug, printers, process };
        let ids = online(site, server, uris.len()).await?;
        Ok((host, ids))
    }

    /// Kills it, and starts it again after a while.
    pub async fn kill(&mut self, pause: Duration) -> Result<(), Failure> {
        self.process.kill();
        tokio::time::sleep(pause).await;
        let here = (&self.program, &self.folder);
        self.process = spawn(here, &self.printers, self.bug.as_ref(), None)?;
        Ok(())
    }
}

fn spawn(
    (program, folder): (&PathBuf, &PathBuf),
    printers: &[String],
    bug: Option<&String>,
    first: Option<(&String, &str)>,
) -> Result<Process, Failure> {
    let log = OpenOptions::new().create(true).append(true).open(folder.join("agent.log"))?;
    let mut command = Command::new(program);
    command.args(["agent", "--cups", "none", "--spool"]).arg(folder.join("agent"));
    for printer in printers {
        command.args(["--printer", printer]);
    }
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    if let Some((server, code)) = first {
        command.arg(server).env("WAYBILL_AGENT_CODE", code);
    }
    if let Some(bug) = bug {
        command.env("WAYBILL_PLANTED_BUG", bug);
    }
    Ok(Process(command.spawn()?))
}

/// The ids of the agent's printers in the order of their names, once all are online.
async fn online(site: &Site, server: SocketAddr, count: usize) -> Result<Vec<String>, Failure> {
    let started = Instant::now();
    loop {
        let list = site.ask_beta(server, "GET", "/printers", "").await;
        let list = list.map(|list| list.body).unwrap_or_default();
        let all = list["data"].as_array().cloned().unwrap_or_default();
        let find = |number: usize| {
            let name = format!("agent-{number}");
            let is_it = |one: &&Value| one["name"] == name.as_str() && one["state"] == "online";
            all.iter().find(is_it).and_then(|one| one["uuid"].as_str()).map(str::to_owned)
        };
        if let Some(ids) = (0..count).map(find).collect::<Option<Vec<_>>>() {
            return Ok(ids);
        }
        if started.elapsed() > READY_MAX {
            return Err(format!("the agent's printers are not online: {list}").into());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
