//! Every command line of the documentation, run as it is written, on both databases; and every
//! command has such a line. A line that needs something special is listed in [`SPECIAL`].

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};
use waybill_store::testing::{Database, Scratch, fresh};

use super::pages::command_lines;
use super::{Folder, Server, carriers, json as parsed};
use crate::harness::fixture::order;

/// How a line is run that cannot simply be typed and waited for.
enum How {
    /// The words stand for something that only the reader has: it is put in their place.
    With(&'static [(&'static str, Known)]),
    /// It runs until it is stopped: it is stopped when it has said this, and must then end well.
    Until(&'static str, &'static [(&'static str, Known)]),
    /// It is for SQLite; PostgreSQL has tools of its own, which `backups` runs.
    OnSqlite,
    /// The same, and servers are started anew before it, as the page says.
    AfterAStart(&'static [(&'static str, Known)]),
    /// It is a print agent that an administrator has just added: it runs until it has a session.
    AsAnAgent,
    /// It asks a carrier, which is played here.
    AskingACarrier(&'static str),
    /// It prints what happens beside it: a server is started, and a webhook is sent a test.
    BesideAServer,
}

/// What a reader has and a page cannot know.
#[derive(Clone, Copy)]
enum Known {
    /// This text.
    Text(&'static str),
    /// The URL of the database.
    Database,
    /// The UUID of a shipment that is booked.
    Shipment,
    /// The UUID of a token that is not revoked.
    Token,
    /// What an OAuth client calls itself.
    Client,
    /// The UUID of an account with the sandbox carrier.
    Account,
}

/// A carrier to play.
const EXCHANGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../carriers/src/postnord/exchanges");

/// The lines that need something special. A line that is on no page any more is an error.
const SPECIAL: &[(&str, How)] = &[
    ("waybill serve", How::Until("ready", &[])),
    ("waybill serve --demo", How::Until("ready", &[])),
    (
        "waybill sandbox-carrier --listen 127.0.0.1:8081 --journal sandbox.jsonl",
        // The port may be taken on the machine of the test.
        How::Until("ready", &[("127.0.0.1:8081", Known::Text("127.0.0.1:0"))]),
    ),
    (
        "waybill carrier-replay exchanges --listen 127.0.0.1:9001",
        How::Until(
            "ready",
            &[
                ("exchanges", Known::Text(EXCHANGES)),
                ("127.0.0.1:9001", Known::Text("127.0.0.1:0")),
            ],
        ),
    ),
    ("waybill carrier check gls --account gls.json", How::AskingACarrier("gls")),
    (
        "waybill carrier check sandbox --account 0199a1b2-…",
        How::With(&[("0199a1b2-…", Known::Account)]),
    ),
    (
        "waybill carrier-record postnord --listen 127.0.0.1:9002 --to recorded",
        How::Until("ready", &[("127.0.0.1:9002", Known::Text("127.0.0.1:0"))]),
    ),
    (
        "waybill sandbox-printer --listen 127.0.0.1:8631 --folder printed --journal printed.jsonl",
        How::Until("ready", &[("127.0.0.1:8631", Known::Text("127.0.0.1:0"))]),
    ),
    (
        "waybill key rewrap --database … --secret-key-file waybill.key",
        How::AfterAStart(&[("…", Known::Database)]),
    ),
    ("waybill token revoke --uuid 0199a1b2-…", How::With(&[("0199a1b2-…", Known::Token)])),
    ("waybill client rotate-secret --client-id wbc_…", How::With(&[("wbc_…", Known::Client)])),
    (
        "waybill client revoke --client-id wbc_… --email ada@nordicbooks.example",
        How::With(&[("wbc_…", Known::Client)]),
    ),
    ("waybill client delete --client-id wbc_…", How::With(&[("wbc_…", Known::Client)])),
    ("waybill backup waybill-copy.db", How::OnSqlite),
    ("waybill restore waybill-copy.db", How::OnSqlite),
    ("waybill reconcile", How::OnSqlite),
    ("waybill reconcile --since 2026-11-16T08:00:00Z", How::OnSqlite),
    ("waybill why SHIPMENT", How::With(&[("SHIPMENT", Known::Shipment)])),
    ("waybill agent --server https://waybill.example.com", How::AsAnAgent),
    ("waybill webhooks tail --team shop.example.com", How::BesideAServer),
];

/// A folder in which the lines can be typed: a database with a booked shipment, a key, a team and
/// the files that the pages name. `waybill` is the program under test, and found by its name.
struct Reader {
    folder: Folder,
    /// Where PostgreSQL has the database, which lives as long as this.
    scratch: Option<Scratch>,
    team: Value,
    shipment: String,
    account: String,
}

const POINTS: &str = "carrier,country,code,name,type,address_line_1,postal_code,city,latitude,\
longitude\ndao,DK,1,Kiosk,parcel_shop,Gade 1,2300,København S,55.66,12.58\n";
const RATES: &str = "service_code,zone,from_weight,to_weight,weight_unit,price,currency\n\
sandbox:home,DK,0,2,kg,3900,DKK\n";
const ITEMS: &str = "sku,name,weight,unit_price,currency\nB-1,Paperback,400,9900,DKK\n";
const STOCK: &str = "sku,location,quantity\nB-1,A-01-3,20\n";

impl Reader {
    async fn new(database: Database) -> Reader {
        let name = match database {
            Database::Sqlite => "documented-sqlite",
            Database::Postgres => "documented-postgresql",
        };
        let folder = Folder::new(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_waybill"), folder.0.join("waybill"))
            .unwrap();
        let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../paper/tests/it/papers");
        std::fs::copy(papers.join("label.json"), folder.0.join("label.json")).unwrap();
        std::fs::write(folder.0.join("password.txt"), "correct horse battery staple\n").unwrap();
        std::fs::write(folder.0.join("points.csv"), POINTS).unwrap();
        std::fs::write(folder.0.join("points.jsonl"), crate::points::six()[0].to_string()).unwrap();
        std::fs::write(folder.0.join("rates.csv"), RATES).unwrap();
        std::fs::write(folder.0.join("items.csv"), ITEMS).unwrap();
        std::fs::write(folder.0.join("stock.csv"), STOCK).unwrap();
        let scratch = (database == Database::Postgres).then(|| fresh(database));
        let gls = carriers::accounts().into_iter().find(|(code, ..)| *code == "gls").unwrap();
        std::fs::write(folder.0.join("gls.json"), gls.1.to_string()).unwrap();
        let (team, shipment, account) = (Value::Null, String::new(), String::new());
        let mut reader = Reader { folder, scratch, team, shipment, account };
        reader.prepare().await;
        reader
    }

    /// A team as the pages have it, and a shipment that is booked.
    async fn prepare(&mut self) {
        let team = "waybill team create --name Shop --domain shop.example.com --json";
        self.team = parsed(&self.sh(team).output().unwrap());
        let mut server = self.serve(&["--demo"]);
        let demo = std::fs::read(self.folder.0.join("demo.json")).unwrap();
        let demo: Value = serde_json::from_slice(&demo).unwrap();
        let path = format!("/v2/teams/{}/shipments", demo["team_uuid"].as_str().unwrap());
        let booked = server.post(&path, demo["token"].as_str().unwrap(), order("DOCS")).await;
        self.shipment = booked["data"]["uuid"].as_str().unwrap().to_owned();
        let path = format!("/v2/teams/{}/carrier-accounts", demo["team_uuid"].as_str().unwrap());
        let accounts = server.get(&path, demo["token"].as_str().unwrap()).await.expect(200).json();
        self.account = accounts["data"][0]["uuid"].as_str().unwrap().to_owned();
        assert!(server.stop());
    }

    fn environment(&self) -> HashMap<&'static str, String> {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut all = HashMap::from([
            ("PATH", format!("{}:{path}", self.folder.0.display())),
            // The usual port may be taken on the machine of the test.
            ("WAYBILL_LISTEN", "127.0.0.1:0".to_owned()),
        ]);
        if let Some(scratch) = &self.scratch {
            all.insert("WAYBILL_DATABASE", scratch.url.clone());
        }
        all
    }

    fn sh(&self, line: &str) -> Command {
        let mut command = Command::new("sh");
        // The shell goes away for the program, so that a signal reaches the program.
        let line = if line.contains('|') { line.to_owned() } else { format!("exec {line}") };
        command.args(["-c", &line]).current_dir(&self.folder.0).envs(self.environment());
        command
    }

    fn serve(&self, arguments: &[&str]) -> Server {
        let mut all = vec!["--database", self.database()];
        all.extend(arguments);
        Server::start(&self.folder.0, &all)
    }

    fn database(&self) -> &str {
        self.scratch.as_ref().map_or("sqlite:waybill.db", |scratch| &scratch.url)
    }

    fn known(&self, what: Known) -> String {
        match what {
            Known::Text(text) => text.to_owned(),
            Known::Database => format!("'{}'", self.database()),
            Known::Shipment => self.shipment.clone(),
            Known::Account => self.account.clone(),
            Known::Token => {
                let create = "waybill token create --email admin@shop.example.com --json";
                let made = parsed(&self.sh(create).output().unwrap());
                made["token_uuid"].as_str().unwrap().to_owned()
            }
            Known::Client => {
                let create = "waybill client create --name X --team shop.example.com --json";
                let made = parsed(&self.sh(create).output().unwrap());
                made["client_id"].as_str().unwrap().to_owned()
            }
        }
    }

    fn filled(&self, line: &str, words: &[(&str, Known)]) -> String {
        let fill = |line: String, (word, what): &(&str, Known)| {
            assert!(line.contains(word), "{word} is not in {line}");
            line.replace(word, &self.known(*what))
        };
        words.iter().fold(line.to_owned(), fill)
    }

    async fn run(&self, line: &str) {
        let how = SPECIAL.iter().find(|(special, _)| *special == line).map(|(_, how)| how);
        match how {
            None => self.type_in(line),
            Some(How::OnSqlite) if self.scratch.is_some() => {}
            Some(How::OnSqlite) => self.type_in(line),
            Some(How::With(words)) => self.type_in(&self.filled(line, words)),
            Some(How::AfterAStart(words)) => {
                assert!(self.serve(&[]).stop());
                self.type_in(&self.filled(line, words));
            }
            Some(How::Until(said, words)) => self.run_until(&self.filled(line, words), said),
            Some(How::AsAnAgent) => self.run_as_an_agent(line).await,
            Some(How::AskingACarrier(code)) => self.ask_a_carrier(line, code).await,
            Some(How::BesideAServer) => self.run_beside_a_server(line).await,
        }
    }

    fn type_in(&self, line: &str) {
        let output = self.sh(line).output().unwrap();
        assert!(output.status.success(), "{line}\n{}", told(&output));
    }

    fn run_until(&self, line: &str, said: &str) {
        let mut child = self.sh(line).stderr(Stdio::piped()).spawn().unwrap();
        let mut seen = String::new();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        while !seen.contains(said) {
            assert!(lines.read_line(&mut seen).unwrap() > 0, "{line} ended early:\n{seen}");
        }
        assert!(stopped(&mut child), "{line} did not end well:\n{seen}");
    }

    async fn run_as_an_agent(&self, line: &str) {
        let mut server = self.serve(&[]);
        let (team, token) = (&self.team["team_uuid"], self.team["token"].as_str().unwrap());
        let agents = format!("/beta/teams/{}/print-agents", team.as_str().unwrap());
        let added = server.post(&agents, token, json!({"name": "Warehouse"})).await;
        let code = added["data"]["registration_code"].as_str().unwrap();
        let line = line.replace("https://waybill.example.com", &server.base_url);
        self.run_until(&format!("env WAYBILL_AGENT_CODE={code} {line}"), "a session has begun");
        assert!(server.stop());
    }

    async fn ask_a_carrier(&self, line: &str, code: &str) {
        let replay = carriers::carrier(code).await;
        let mut command = self.sh(line);
        command.env("WAYBILL_CARRIER_URL", format!("{code}={}", replay.url()));
        let output = tokio::task::block_in_place(|| command.output().unwrap());
        assert!(output.status.success(), "{line}\n{}", told(&output));
    }

    async fn run_beside_a_server(&self, line: &str) {
        let mut server = self.serve(&["--allow-private-webhooks"]);
        let mut child = self.sh(line).stdout(Stdio::piped()).spawn().unwrap();
        let (team, token) = (&self.team["team_uuid"], self.team["token"].as_str().unwrap());
        let hooks = format!("/v2/teams/{}/webhooks", team.as_str().unwrap());
        // Nobody listens there: the attempt fails, and is one.
        let hook = json!({"url": "http://127.0.0.1:9/", "events": ["shipment.booked"]});
        let hook = server.post(&hooks, token, hook).await;
        let test = format!("{hooks}/{}/test", hook["data"]["uuid"].as_str().unwrap());
        server.ask("POST", &test, token, "{}").await;
        let mut printed = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut printed).unwrap();
        let _ended = child.kill();
        child.wait().unwrap();
        assert!(printed.contains("webhook.test"), "{line} printed {printed:?}");
        assert!(server.stop());
    }
}

fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

fn stopped(child: &mut Child) -> bool {
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap().success()
}

async fn every_line_works(database: Database) {
    let reader = Reader::new(database).await;
    let lines = command_lines();
    assert!(lines.len() > 20, "{lines:?}");
    for line in &lines {
        reader.run(line).await;
    }
    reader.type_in("waybill check --bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_command_line_works_as_written_on_sqlite() {
    every_line_works(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_command_line_works_as_written_on_postgresql() {
    every_line_works(Database::Postgres).await;
}

/// The lines of the operations page that lead to the first booking, as they are written but for the
/// address of the server.
fn road(base_url: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let page = std::fs::read_to_string(page).unwrap();
    let block = page.split("## From nothing to the first booking").nth(1).unwrap();
    let block = block.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(block.contains("http://127.0.0.1:8080"), "{block}");
    format!("set -e\n{}", block.replace("http://127.0.0.1:8080", base_url))
}

async fn first_booking(database: Database) {
    let folder = Folder::new(&format!("road-{database:?}"));
    let link = folder.0.join("waybill");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_waybill"), link).unwrap();
    let scratch = (database == Database::Postgres).then(|| fresh(database));
    let url = scratch.as_ref().map_or("sqlite:waybill.db", |scratch| &scratch.url);
    let server = Server::start(&folder.0, &["--database", url]);
    let path = format!("{}:{}", folder.0.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", &road(&server.base_url)]).current_dir(&folder.0);
    let output = shell.env("PATH", path).env("WAYBILL_DATABASE", url).output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    let printed = String::from_utf8(output.stdout).unwrap();
    let booked = printed.rsplit("{\"data\":{\"uuid\"").next().unwrap();
    assert!(booked.contains("\"state\":\"booked\"") && booked.contains("label-"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_road_to_the_first_booking_runs_as_written_on_sqlite() {
    first_booking(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documented_road_to_the_first_booking_runs_as_written_on_postgresql() {
    first_booking(Database::Postgres).await;
}

#[test]
fn a_line_that_needs_something_special_is_still_on_a_page() {
    let lines = command_lines();
    let gone: Vec<_> =
        SPECIAL.iter().filter(|(line, _)| !lines.iter().any(|l| l == line)).collect();
    assert!(gone.is_empty(), "{:?}", gone.iter().map(|(line, _)| line).collect::<Vec<_>>());
}

/// The commands that do something, such as `waybill team create`.
fn leaves(command: &clap::Command, path: &str) -> Vec<String> {
    let subcommands: Vec<_> = command.get_subcommands().collect();
    if subcommands.is_empty() {
        return vec![path.to_owned()];
    }
    let below = |sub: &&clap::Command| leaves(sub, &format!("{path} {}", sub.get_name()));
    subcommands.iter().flat_map(below).collect()
}

#[test]
fn every_command_has_a_documented_line() {
    let lines = command_lines();
    let about = waybill_cli::cli::command();
    let is_there = |command: &String| {
        let name = command.split(' ').nth(1).unwrap();
        let found = about.get_subcommands().find(|sub| sub.get_name() == name).unwrap();
        !found.get_about().unwrap().to_string().starts_with("Comes with version")
    };
    let missing: Vec<String> = leaves(&about, "waybill")
        .into_iter()
        .filter(is_there)
        .filter(|command| {
            let longer = format!("{command} ");
            !lines.iter().any(|line| line == command || line.starts_with(&longer))
        })
        .collect();
    assert!(missing.is_empty(), "no page shows how to run {missing:?}");
}
