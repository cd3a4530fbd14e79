//! The print agent as a program: a real server, a real agent, printers on sockets, and a line
//! between them that can be cut.

mod copies;
mod devices;
mod ends;
mod kills;
mod line;
mod lines;
mod prints;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::printing::JobName;
use waybill_store::testing::{Database, Scratch, fresh};

use super::backups::Demo;
use super::{Folder, Server, complaint, order, run, waybill};
use line::{Line, Mood};

/// A program of ours that writes its log as JSON, and is killed with the test.
pub struct Program {
    child: Child,
    log: Arc<Mutex<Vec<Value>>>,
}

impl Program {
    fn start(mut command: Command, input: Option<&str>) -> Program {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // It may end before it reads.
        let _written = writeln!(stdin, "{}", input.unwrap_or_default());
        let log = Arc::<Mutex<Vec<Value>>>::default();
        let (lines, kept) = (BufReader::new(child.stderr.take().unwrap()), Arc::clone(&log));
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                let event = serde_json::from_str(&line).unwrap_or_else(|_| json!({"line": line}));
                kept.lock().unwrap().push(event);
            }
        });
        Program { child, log }
    }

    /// The first line of the log that says this.
    pub async fn said(&self, words: &str) -> Value {
        for _ in 0..600 {
            let found = self.log.lock().unwrap().iter().find(|line| says(line, words)).cloned();
            if let Some(found) = found {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never said {words}: {:#?}", self.log.lock().unwrap());
    }

    pub fn has_said(&self, words: &str) -> bool {
        self.log.lock().unwrap().iter().any(|line| says(line, words))
    }

    pub fn signal(&self, name: &str) {
        Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
    }

    /// Kills it, as a power cut would.
    pub fn kill(&mut self) {
        let _ended = self.child.kill();
        self.child.wait().unwrap();
    }

    /// How it ends by itself.
    pub async fn ended(&mut self) -> Option<i32> {
        for _ in 0..600 {
            if let Some(status) = self.child.try_wait().unwrap() {
                // The last lines are read by then.
                tokio::time::sleep(Duration::from_millis(100)).await;
                return status.code();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("it runs on: {:#?}", self.log.lock().unwrap());
    }

    pub async fn stop(&mut self) -> Option<i32> {
        self.signal("-TERM");
        self.ended().await
    }
}

fn says(line: &Value, words: &str) -> bool {
    line.to_string().contains(words)
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
}

/// A server with a booked label, a line to it, and printers.
pub struct Site {
    folder: Folder,
    server: Option<Server>,
    database: String,
    scratch: Option<Scratch>,
    demo: Demo,
    pub document: String,
    pub line: Line,
    _printers: Program,
    printers_at: String,
    pub agent_id: String,
    code: String,
}

impl Site {
    pub async fn new(name: &str, database: Database) -> Site {
        let folder = Folder::new(&format!("agent-{name}-{database:?}"));
        let scratch = match database {
            Database::Sqlite => None,
            Database::Postgres => {
                Some(tokio::task::spawn_blocking(|| fresh(Database::Postgres)).await.unwrap())
            }
        };
        let url = scratch.as_ref().map_or("sqlite:waybill.db".to_owned(), |it| it.url.clone());
        let server = Server::start(&folder.0, &["--demo", "--database", &url]);
        let demo = Demo::read(&folder.0);
        let document = demo.book(&server, "AGENT").await["documents"][0]["uuid"].clone();
        let arguments = ["sandbox-printer", "--listen", "127.0.0.1:0", "--folder", "papers"];
        let printers = Program::start(waybill(&folder.0, &arguments), None);
        let uri = text(&printers.said("ipp://").await["uri"]);
        let path = demo.path("print-agents").replacen("/v2/", "/beta/", 1);
        let added = server.post(&path, &demo.token, json!({"name": "Warehouse"})).await;
        Site {
            line: Line::to(&server.base_url),
            server: Some(server),
            database: url,
            scratch,
            demo,
            document: text(&document),
            _printers: printers,
            printers_at: uri,
            agent_id: text(&added["data"]["uuid"]),
            code: text(&added["data"]["registration_code"]),
            folder,
        }
    }

    pub async fn on_sqlite(name: &str) -> Site {
        Site::new(name, Database::Sqlite).await
    }

    pub fn path(&self) -> &Path {
        &self.folder.0
    }

    pub fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    /// The address of a sandbox printer that fares as these words say.
    pub fn printer(&self, words: &str) -> String {
        match words {
            "" => self.printers_at.clone(),
            words => format!("{}/{words}", self.printers_at),
        }
    }

    /// The command line of an agent with these printers, and more.
    fn command(&self, printers: &[(&str, &str)], more: &[&str]) -> Command {
        let mut command = waybill(&self.folder.0, &["agent", "--cups", "none"]);
        for (name, uri) in printers {
            command.arg("--printer").arg(format!("{name}={uri}"));
        }
        command.args(more);
        command
    }

    /// Starts the agent for the first time.
    pub async fn register(&self, printers: &[(&str, &str)]) -> Program {
        self.register_with(printers, &["--cups", "none"]).await
    }

    /// The same with more flags.
    pub async fn register_with(&self, printers: &[(&str, &str)], more: &[&str]) -> Program {
        let mut command = waybill(&self.folder.0, &["agent", "--server", &self.line.url]);
        for (name, uri) in printers {
            command.arg("--printer").arg(format!("{name}={uri}"));
        }
        command.args(more);
        let agent = Program::start(command, Some(&self.code));
        agent.said("a session has begun").await;
        agent
    }

    /// Starts the agent again.
    pub fn agent(&self, printers: &[(&str, &str)]) -> Program {
        Program::start(self.command(printers, &[]), None)
    }

    fn beta(&self, rest: &str) -> String {
        self.demo.path(rest).replacen("/v2/", "/beta/", 1)
    }

    pub async fn get(&self, rest: &str) -> Value {
        let reply = self.server().get(&self.beta(rest), &self.demo.token).await;
        reply.expect(200).at("/data")
    }

    /// The printer of the agent with this name, once it is online.
    pub async fn online(&self, name: &str) -> String {
        let mut printers = Value::Null;
        for _ in 0..600 {
            printers = self.get("printers").await;
            let is_it = |printer: &&Value| printer["name"] == name && printer["state"] == "online";
            if let Some(found) = printers.as_array().unwrap().iter().find(is_it) {
                return text(&found["uuid"]);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{name} is never online: {printers:#}");
    }

    /// A job for the label, so often.
    pub async fn print_copies(&self, printer: &str, copies: i64) -> String {
        self.print_document(&self.document, printer, copies).await
    }

    pub async fn print(&self, printer: &str) -> String {
        self.print_copies(printer, 1).await
    }

    /// A label in ZPL.
    pub async fn zpl_label(&self, reference: &str) -> String {
        let settings = json!({"documents": {"label": {"formats": ["zpl"]}}}).to_string();
        let path = self.demo.path("settings");
        self.server().ask("PATCH", &path, &self.demo.token, &settings).await.expect(200);
        let (body, path) = (order(reference), self.demo.path("shipments"));
        let booked = self.server().post(&path, &self.demo.token, body).await;
        let label = &booked["data"]["documents"][0];
        assert_eq!(label["format"], "zpl", "{label:#}");
        text(&label["uuid"])
    }

    /// A job for this document, so often.
    pub async fn print_document(&self, document: &str, printer: &str, copies: i64) -> String {
        let body = json!({"document_uuid": document, "printer_uuid": printer, "copies": copies});
        let made = self.server().post(&self.beta("print-jobs"), &self.demo.token, body).await;
        text(&made["data"]["uuid"])
    }

    /// The status of the answer to such a job.
    pub async fn try_print(&self, document: &str, printer: &str) -> u16 {
        let body = json!({"document_uuid": document, "printer_uuid": printer}).to_string();
        let path = self.beta("print-jobs");
        self.server().ask("POST", &path, &self.demo.token, &body).await.status
    }

    pub async fn job(&self, id: &str) -> Value {
        self.get(&format!("print-jobs/{id}")).await
    }

    /// Waits until a job is in one of these states.
    pub async fn until(&self, job: &str, states: &[&str]) -> Value {
        let mut last = Value::Null;
        for _ in 0..1200 {
            last = self.job(job).await;
            if states.iter().any(|state| last["state"] == *state) {
                return last;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never {states:?}: {last:#}");
    }

    /// How many papers of each job came out of the sandbox printers.
    pub fn papers(&self) -> BTreeMap<String, u64> {
        let journal = std::fs::read_to_string(self.folder.0.join("printed.jsonl"));
        let mut papers = BTreeMap::new();
        for line in journal.unwrap_or_default().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let name = JobName::read(line["job_name"].as_str().unwrap()).unwrap();
            *papers.entry(name.job().to_string()).or_default() += 1;
        }
        papers
    }

    /// How often agents have claimed jobs and were answered.
    pub async fn claims(&self) -> u64 {
        let metrics = self.server().get("/metrics", "").await.expect(200);
        let text = String::from_utf8(metrics.bytes.clone()).unwrap();
        let is_claim = |line: &&str| {
            line.starts_with("waybill_http_requests_total") && line.contains("claimPrintJobs")
        };
        let counts = text.lines().filter(is_claim).map(|line| line.rsplit_once(' ').unwrap().1);
        counts.map(|count| count.parse::<u64>().unwrap()).sum()
    }

    /// Kills the server, and starts it again on the same database.
    pub fn restart_server(&mut self) {
        let mut server = self.server.take().unwrap();
        let _ended = server.child.kill();
        server.child.wait().unwrap();
        let server = Server::start(&self.folder.0, &["--demo", "--database", &self.database]);
        self.line.lead_to(&server.base_url);
        self.server = Some(server);
    }

    pub fn spool(&self) -> PathBuf {
        self.folder.0.join("waybill-agent")
    }

    /// What `waybill agent status --json` says.
    pub fn status(&self) -> Value {
        super::json(&run(&self.folder.0, &["agent", "status", "--json"]))
    }

    /// Ends the server, whose database must be in order.
    pub async fn end(mut self) {
        assert!(self.server.take().unwrap().stop());
        let checked = run(&self.folder.0, &["check", "--database", &self.database]);
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        let scratch = self.scratch.take();
        tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
    }
}
