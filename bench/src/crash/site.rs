//! A place to crash in: a directory, a database, a carrier, a team, and servers that come and go.

use std::fs::{File, OpenOptions};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use postgres::{Client, NoTls};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Failure;
use super::http::{Answer, Caller, Request};
use super::load::order;
use super::outside::integrity;
use super::process::{Process, free_address};

/// A server that is not ready by then never will be.
const READY_MAX: Duration = Duration::from_secs(30);
/// The lease where servers may share a database: a killed one's jobs are taken over after it.
pub const LEASE: Duration = Duration::from_millis(2000);
/// Look-ups find a booking only after this time: an early miss proves nothing.
const VISIBLE_AFTER_MS: &str = "700";

/// Where the database is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Database {
    /// A file in the site's directory.
    Sqlite,
    /// A database of its own, on the server of this superuser's URL.
    Postgres(String),
}

impl Database {
    /// Reads `--database`.
    pub fn parse(text: Option<&str>) -> Result<Database, Failure> {
        match text {
            None | Some("sqlite") => Ok(Database::Sqlite),
            Some(url) if url.starts_with("postgres") => Ok(Database::Postgres(url.to_owned())),
            Some(_) => Err("--database: sqlite, or postgres://…".into()),
        }
    }
}

/// How the carrier works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carrier {
    /// It writes down what it booked, and look-ups find that late: for runs that compare.
    Careful,
    /// It keeps nothing, so that it costs little: for runs that measure.
    Quick,
}

/// The place. Its carrier and its team outlive every server.
pub struct Site {
    /// The server's program.
    program: PathBuf,
    folder: PathBuf,
    /// The URL of the database.
    pub url: String,
    /// The superuser's URL and the database's name, when it is to be dropped.
    made: Option<(String, String)>,
    carrier_url: String,
    carrier: Process,
    /// The team's path.
    pub team: String,
    /// Two tokens of the team.
    pub tokens: [String; 2],
    /// A mistake that the servers are told to make.
    bug: Option<String>,
    /// Who asks the servers.
    pub caller: Caller,
}

impl Site {
    /// Makes everything but a server. It blocks: call it outside a runtime.
    pub fn new(program: &Path, database: &Database, bug: Option<&str>) -> Result<Site, Failure> {
        Site::with_carrier(program, database, bug, Carrier::Careful)
    }

    /// The same with a carrier that works like this.
    pub fn with_carrier(
        program: &Path,
        database: &Database,
        bug: Option<&str>,
        carrier: Carrier,
    ) -> Result<Site, Failure> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("waybill_crash_{}_{count}", std::process::id());
        let folder = std::env::temp_dir().join(&name);
        std::fs::create_dir_all(&folder)?;
        let (url, made) = match database {
            Database::Sqlite => (format!("sqlite:{}", folder.join("waybill.db").display()), None),
            Database::Postgres(root) => {
                let mut client = Client::connect(root, NoTls)?;
                client.batch_execute(&format!("CREATE DATABASE {name}"))?;
                let (server, _) = root.rsplit_once('/').ok_or("the URL names no database")?;
                (format!("{server}/{name}"), Some((root.clone(), name)))
            }
        };
        let address = free_address()?;
        let carrier = start_carrier(program, &folder, address, carrier)?;
        let mut site = Site {
            program: program.to_owned(),
            folder,
            url,
            made,
            carrier_url: format!("http://{address}"),
            carrier,
            team: String::new(),
            tokens: [String::new(), String::new()],
            bug: bug.map(str::to_owned),
            caller: Caller::new()?,
        };
        site.make_team()?;
        Ok(site)
    }

    fn make_team(&mut self) -> Result<(), Failure> {
        let team = ["team", "create", "--name", "Shop", "--domain", "shop.example.com", "--json"];
        let team = self.command(&team)?;
        let token = ["token", "create", "--email", "admin@shop.example.com", "--json"];
        let token = self.command(&token)?;
        let word = |value: &Value| value.as_str().map(str::to_owned).ok_or("no team was made");
        self.team = format!("/v2/teams/{}", word(&team["team_uuid"])?);
        self.tokens = [word(&team["token"])?, word(&token["token"])?];
        Ok(())
    }

    /// Runs a command of the program on the database, and reads the JSON that it prints.
    fn command(&self, arguments: &[&str]) -> Result<Value, Failure> {
        let output = Command::new(&self.program)
            .args(arguments)
            .args(["--database", &self.url])
            .env_clear()
            .output()?;
        match output.status.success() {
            true => Ok(serde_json::from_slice(&output.stdout)?),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
        }
    }

    /// The lines that `waybill check` complains in.
    pub fn complaints(&self) -> Result<Vec<String>, Failure> {
        let output = Command::new(&self.program)
            .args(["check", "--database", &self.url])
            .env_clear()
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let broken = text.lines().filter(|line| line.starts_with("broken"));
        let mut broken: Vec<String> = broken.map(str::to_owned).collect();
        if broken.is_empty() && !output.status.success() {
            broken.push(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(broken)
    }

    /// What SQLite's own shell finds broken in the database.
    pub fn broken_files(&self) -> Vec<String> {
        let database = self.url.strip_prefix("sqlite:").map(Path::new);
        let found = database.map(integrity).filter(|found| found != "ok");
        found.into_iter().collect()
    }

    /// The process of the carrier.
    pub fn carrier_id(&self) -> u32 {
        self.carrier.0.id()
    }

    /// The program that is killed.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The mistake that is made on purpose, if one is.
    pub fn bug(&self) -> Option<&str> {
        self.bug.as_deref()
    }

    /// The journal of the carrier.
    pub fn journal(&self) -> Result<String, Failure> {
        Ok(std::fs::read_to_string(self.folder.join("journal.jsonl"))?)
    }

    /// Where the site keeps its files, for a look after a failure.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A server at this address, to be started.
    pub fn server(&self, at: SocketAddr) -> Result<Command, Failure> {
        let log = self.folder.join("server.log");
        let log = OpenOptions::new().create(true).append(true).open(log)?;
        let mut command = Command::new(&self.program);
        command
            .args(["serve", "--listen", &at.to_string(), "--database", &self.url])
            .args(["--sandbox-carrier-url", &self.carrier_url, "--secret-key-file"])
            .arg(self.folder.join("waybill.key"))
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        Ok(command)
    }

    /// Makes another team: its path and a token.
    pub fn another_team(&self, domain: &str) -> Result<(String, String), Failure> {
        let team = ["team", "create", "--name", domain, "--domain", domain, "--json"];
        let team = self.command(&team)?;
        let word = |value: &Value| value.as_str().map(str::to_owned).ok_or("no team was made");
        Ok((format!("/v2/teams/{}", word(&team["team_uuid"])?), word(&team["token"])?))
    }

    /// Starts a server at this address, perhaps one that ends at a failpoint.
    pub fn start(&self, at: SocketAddr, failpoint: Option<&str>) -> Result<Process, Failure> {
        let mut command = self.server(at)?;
        command.args(["--log", "warn", "--rate-limit-reads", "0", "--rate-limit-writes", "0"]);
        if self.made.is_some() {
            command.env("WAYBILL_LEASE_MS", LEASE.as_millis().to_string());
        }
        if let Some(bug) = &self.bug {
            command.env("WAYBILL_PLANTED_BUG", bug);
        }
        if let Some(failpoint) = failpoint {
            command.env("WAYBILL_FAILPOINT", failpoint);
        }
        Ok(Process(command.spawn()?))
    }

    /// Waits until the server takes requests, or has ended.
    pub async fn until_ready(&self, at: SocketAddr, server: &mut Process) -> Result<(), Failure> {
        let started = Instant::now();
        let ready = Request { method: "GET", path: "/readyz", token: "", key: "", body: "" };
        while started.elapsed() < READY_MAX && !server.is_over() {
            let answer = self.caller.ask(at, &ready, Duration::from_secs(1)).await;
            if answer.is_some_and(|answer| answer.status == 200) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Err(format!("a server is not ready; see {}", self.folder.display()).into())
    }

    /// Asks the server for the team's thing at this path.
    pub async fn ask(
        &self,
        at: SocketAddr,
        method: &str,
        path: &str,
        body: &str,
    ) -> Option<Answer> {
        self.ask_for(at, method, &format!("{}{path}", self.team), body).await
    }

    /// The team's path in the part of the API that is called beta.
    pub fn beta(&self) -> String {
        self.team.replacen("/v2/", "/beta/", 1)
    }

    /// Asks the server for the team's thing at this path of that part.
    pub async fn ask_beta(
        &self,
        at: SocketAddr,
        method: &str,
        path: &str,
        body: &str,
    ) -> Option<Answer> {
        self.ask_for(at, method, &format!("{}{path}", self.beta()), body).await
    }

    async fn ask_for(
        &self,
        at: SocketAddr,
        method: &str,
        path: &str,
        body: &str,
    ) -> Option<Answer> {
        let request = Request { method, path, token: &self.tokens[0], key: "", body };
        self.caller.ask(at, &request, Duration::from_secs(20)).await
    }

    /// Opens an account, says where parcels come from, and books one: the first known booking.
    pub async fn seed(&self, at: SocketAddr) -> Result<(), Failure> {
        let account = json!({"carrier_code": "sandbox", "name": "Sandbox"}).to_string();
        let sender = json!({"sender_address": {"contact": {"name": "Nordic Books"},
            "address": {"address_lines": ["Vestergade 1"], "postal_code": "1456",
            "city": "København K", "country": "DK"}}})
        .to_string();
        let first = order("first", "sandbox:home");
        for (method, path, body) in [
            ("POST", "/carrier-accounts", account),
            ("PATCH", "/settings", sender),
            ("POST", "/shipments", first),
        ] {
            let answer = self.ask(at, method, path, &body).await;
            let status = answer.as_ref().map_or(0, |answer| answer.status);
            if !(200..300).contains(&status) {
                let body = answer.map(|answer| answer.body);
                return Err(format!("{method} {path}: {status} {body:?}").into());
            }
        }
        Ok(())
    }
}

impl Site {
    /// Removes everything. A site that is only dropped stays, to be looked at.
    pub fn remove(self) -> Result<(), Failure> {
        std::fs::remove_dir_all(&self.folder)?;
        if let Some((root, name)) = &self.made {
            let mut client = Client::connect(root, NoTls)?;
            client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)"))?;
        }
        Ok(())
    }
}

fn start_carrier(
    program: &Path,
    folder: &Path,
    address: SocketAddr,
    carrier: Carrier,
) -> Result<Process, Failure> {
    let mut command = Command::new(program);
    command
        .args(["sandbox-carrier", "--listen", &address.to_string()])
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(folder.join("carrier.log"))?);
    if carrier == Carrier::Careful {
        command.arg("--journal").arg(folder.join("journal.jsonl"));
        command.env("WAYBILL_SANDBOX_VISIBLE_AFTER_MS", VISIBLE_AFTER_MS);
    }
    Ok(Process(command.spawn()?))
}
