//! The program as an operator meets it: a real process, a real port, real signals.

mod administration;
mod agent;
mod backups;
mod carriers;
mod checks;
mod copies;
mod demo_page;
mod documented;
mod echoes;
mod epochs;
mod full_disks;
mod held_back;
mod imports;
mod locks;
mod lost_logs;
mod oauth;
mod older;
mod pages;
mod paths;
mod permissions;
mod played_carriers;
mod print_agents;
mod proxies;
mod reconcile;
mod restore_keys;
mod sign_in;
mod starts;
mod stray_logs;
mod two_servers;
mod virtual_printer;
mod warehouse_imports;
mod why;

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::AsyncWriteExt;

use crate::harness::fixture::order;
use crate::harness::receiver::{Reaction, Receiver};
use crate::harness::{Reply, socket};

/// A folder of the test's own.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("waybill-{name}-{}", std::process::id()));
        let _absent = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

pub fn waybill(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_waybill"));
    command.current_dir(folder).args(arguments).env_remove("WAYBILL_DEFAULT_COMMAND");
    command
}

/// No command takes longer. One that should have ended by itself, such as a server that should not
/// have started, must not keep the tests waiting.
const COMMAND_MAX: Duration = Duration::from_secs(120);

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    run_within(COMMAND_MAX, folder, arguments)
}

fn run_within(limit: Duration, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = waybill(folder, arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (ended, end) = std::sync::mpsc::channel::<()>();
    let id = child.id().to_string();
    let watch = std::thread::spawn(move || {
        let is_late = end.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        if is_late {
            Command::new("kill").args(["-KILL", &id]).status().unwrap();
        }
        is_late
    });
    let drain = |mut pipe: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).unwrap();
            bytes
        })
    };
    let stdout = drain(Box::new(child.stdout.take().unwrap()));
    let stderr = drain(Box::new(child.stderr.take().unwrap()));
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    drop(ended);
    let (is_late, status) = (watch.join().unwrap(), child.wait().unwrap());
    assert!(!is_late, "waybill {arguments:?} did not end within {limit:?}");
    Output { status, stdout, stderr }
}

#[test]
#[should_panic(expected = "did not end within")]
fn a_command_that_does_not_end_fails_the_test() {
    let folder = Folder::new("endless");
    run_within(Duration::from_secs(1), &folder.0, &["serve", "--listen", "127.0.0.1:0"]);
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The last line on standard error of a command that fails.
pub fn complaint(output: &Output) -> String {
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines().last().unwrap_or_default().to_owned()
}

/// A server that is ready, and stops with the test.
pub struct Server {
    child: Child,
    pub base_url: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn start(folder: &Path, arguments: &[&str]) -> Server {
        let mut all = vec!["serve", "--listen", "127.0.0.1:0"];
        all.extend(arguments);
        Server::started(waybill(folder, &all))
    }

    /// A server that this command runs.
    pub fn started(mut command: Command) -> Server {
        let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn();
        let (base_url, log) = (String::new(), Arc::<Mutex<Vec<String>>>::default());
        let mut server = Server { child: child.unwrap(), base_url, log: log.clone() };
        let mut lines = BufReader::new(server.child.stderr.take().unwrap());
        let mut seen = String::new();
        while server.base_url.is_empty() {
            let mut line = String::new();
            assert!(lines.read_line(&mut line).unwrap() > 0, "ended early: {seen}");
            seen.push_str(&line);
            log.lock().unwrap().push(line.trim_end().to_owned());
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            if event["message"] == "ready" {
                server.base_url = event["base_url"].as_str().unwrap().to_owned();
            }
        }
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                log.lock().unwrap().push(line);
            }
        });
        server
    }

    /// A server that is up already.
    pub fn of(child: Child, base_url: &str) -> Server {
        Server { child, base_url: base_url.to_owned(), log: Arc::default() }
    }

    /// Whether such a line is in the log by now.
    pub fn has_logged(&self, is_meant: impl Fn(&Value) -> bool) -> bool {
        self.count_logged(is_meant) > 0
    }

    /// How many such lines are in the log by now.
    pub fn count_logged(&self, is_meant: impl Fn(&Value) -> bool) -> usize {
        let read = |line: &String| serde_json::from_str::<Value>(line).ok();
        self.log.lock().unwrap().iter().filter_map(read).filter(is_meant).count()
    }

    /// The first line of the log that is meant, once it is there.
    pub async fn logged(&self, is_meant: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..600 {
            let read = |line: &String| serde_json::from_str::<Value>(line).ok();
            let lines: Vec<Value> = self.log.lock().unwrap().iter().filter_map(read).collect();
            if let Some(line) = lines.into_iter().find(&is_meant) {
                return line;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never logged: {:#?}", self.log.lock().unwrap());
    }

    /// Everything that it has logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }

    pub async fn get(&self, path: &str, token: &str) -> Reply {
        self.ask("GET", path, token, "").await
    }

    pub async fn head(&self, path: &str) -> Reply {
        self.ask("HEAD", path, "", "").await
    }

    pub async fn post(&self, path: &str, token: &str, body: Value) -> Value {
        self.ask("POST", path, token, &body.to_string()).await.expect(201).json()
    }

    pub async fn ask(&self, method: &str, path: &str, token: &str, body: &str) -> Reply {
        self.ask_as("test", method, path, token, body).await
    }

    /// Asks with this `Request-ID`.
    pub async fn ask_as(
        &self,
        request_id: &str,
        method: &str,
        path: &str,
        token: &str,
        body: &str,
    ) -> Reply {
        let address = self.base_url.strip_prefix("http://").unwrap();
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
             Request-ID: {request_id}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        socket::answer(&mut stream, method, path).await
    }

    /// Sends a form, without a token.
    pub async fn post_form(&self, path: &str, form: &str) -> Reply {
        let address = self.base_url.strip_prefix("http://").unwrap();
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        socket::answer(&mut stream, "POST", path).await
    }

    /// What is in the log by now.
    pub fn lines(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    pub fn stop(&mut self) -> bool {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        self.child.wait().unwrap().success()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

#[tokio::test]
async fn teams_and_tokens_made_beside_a_running_server_work_at_once() {
    let folder = Folder::new("beside");
    let mut server = Server::start(&folder.0, &[]);
    let arguments = ["team", "create", "--name", "Shop", "--domain", "shop.example.com", "--json"];
    let team = json(&run(&folder.0, &arguments));
    let token = team["token"].as_str().unwrap();
    let body = server.get("/v2/me", token).await.expect(200).json().to_string();
    assert!(body.contains(team["team_uuid"].as_str().unwrap()));
    assert!(body.contains(team["user_uuid"].as_str().unwrap()));

    let create = ["token", "create", "--email", "admin@shop.example.com", "--scopes", "wms:read"];
    let made = json(&run(&folder.0, &[&create[..], &["--json"]].concat()));
    let narrow = made["token"].as_str().unwrap();
    let settings = format!("/v2/teams/{}/settings", team["team_uuid"].as_str().unwrap());
    server.get(&settings, token).await.expect(200);
    server.get(&settings, narrow).await.expect(403);
    let revoke = ["token", "revoke", "--uuid", made["token_uuid"].as_str().unwrap(), "--json"];
    json(&run(&folder.0, &revoke));
    tokio::time::sleep(Duration::from_millis(1000)).await;
    server.get(&settings, narrow).await.expect(401);
    assert!(server.stop(), "a server that is told to stop ends well");
    assert!(run(&folder.0, &["check"]).status.success());
}

#[test]
fn a_second_server_on_the_same_database_refuses_to_start() {
    let folder = Folder::new("second");
    let _first = Server::start(&folder.0, &[]);
    let second = run(&folder.0, &["serve", "--listen", "127.0.0.1:0"]);
    assert!(complaint(&second).contains("waybill.db"), "{}", complaint(&second));
}

#[test]
fn a_server_with_another_secret_key_refuses_to_start() {
    let folder = Folder::new("key");
    assert!(Server::start(&folder.0, &[]).stop());
    let mode = std::fs::metadata(folder.0.join("waybill.key")).unwrap().permissions();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o600);
    let other = ["serve", "--listen", "127.0.0.1:0", "--secret-key-file", "other.key"];
    assert!(complaint(&run(&folder.0, &other)).contains("there is no secret key file other.key"));
    assert!(!folder.0.join("other.key").exists(), "a key that opens nothing is not made");
    let elsewhere = Folder::new("key-other");
    assert!(Server::start(&elsewhere.0, &[]).stop());
    std::fs::copy(elsewhere.0.join("waybill.key"), folder.0.join("other.key")).unwrap();
    assert!(complaint(&run(&folder.0, &other)).contains("another secret key"));
}

#[test]
fn the_demo_is_made_once_and_reused() {
    let folder = Folder::new("demo");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let read = || std::fs::read_to_string(folder.0.join("demo.json")).unwrap();
    let first: Value = serde_json::from_str(&read()).unwrap();
    assert_eq!(first["base_url"], server.base_url.as_str());
    assert_eq!(first["docs_url"], format!("{}/docs", server.base_url));
    server.stop();
    let _again = Server::start(&folder.0, &["--demo"]);
    let second: Value = serde_json::from_str(&read()).unwrap();
    assert_eq!((&first["team_uuid"], &first["token"]), (&second["team_uuid"], &second["token"]));
}

#[test]
fn a_bad_setting_or_command_is_one_clear_line() {
    let folder = Folder::new("bad");
    for (arguments, words) in [
        (&["serve", "--rate-limit-reads", "many"][..], "not a whole number"),
        (&["serve", "--database", "mysql://x"], "must be sqlite:PATH or postgres"),
        (&["serve", "--database", "sqlite:/nowhere/at/all.db"], "/nowhere/at/all.db"),
        (&["serve", "--listen", "nowhere"], "--listen nowhere"),
        (&["team", "create", "--name", "X", "--domain", "no domain"], "not a domain"),
        (&["user", "create", "--name", "X", "--email", "nobody"], "not an e-mail address"),
        (&["token", "list", "--email", "nobody@example.com"], "no Waybill database at waybill.db"),
        (&["check", "--database", "wb.db"], "\"wb.db\" is not a URL: write sqlite:wb.db"),
    ] {
        let output = run(&folder.0, arguments);
        let line = complaint(&output);
        assert!(line.starts_with("waybill: ") && line.contains(words), "{arguments:?}: {line}");
    }
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0, "nothing was made on the way");
}

#[test]
fn an_empty_scope_is_not_all_rights_and_a_mistyped_database_is_not_made() {
    let folder = Folder::new("typos");
    let team = ["team", "create", "--name", "A", "--domain", "a.example.com"];
    assert!(run(&folder.0, &team).status.success());
    let token = ["token", "create", "--email", "admin@a.example.com", "--scopes", ""];
    let nobody = run(&folder.0, &["token", "create", "--email", "nobody@example.com"]);
    assert_eq!(complaint(&nobody), "waybill: there is no user nobody@example.com");
    let refused = complaint(&run(&folder.0, &token));
    assert_eq!(refused, "waybill: --scopes: name some, or leave it out for all");
    let check = run(&folder.0, &["check", "--database", "sqlite:typo.db"]);
    assert_eq!(complaint(&check), "waybill: there is no Waybill database at typo.db");
    assert!(!folder.0.join("typo.db").exists());
}

#[test]
fn a_second_team_with_the_same_domain_is_refused_in_words() {
    let folder = Folder::new("domain");
    let create = ["team", "create", "--name", "Shop", "--domain", "shop.example.com"];
    assert!(run(&folder.0, &create).status.success());
    assert!(complaint(&run(&folder.0, &create)).contains("a team with that domain already"));
}

#[tokio::test(flavor = "multi_thread")]
async fn why_and_tail_show_what_was_told_to_whom() {
    let folder = Folder::new("told");
    let mut server = Server::start(&folder.0, &["--demo", "--allow-private-webhooks"]);
    let demo = std::fs::read_to_string(folder.0.join("demo.json")).unwrap();
    let demo: Value = serde_json::from_str(&demo).unwrap();
    let (team, token) = (demo["team_uuid"].as_str().unwrap(), demo["token"].as_str().unwrap());
    let receiver = Receiver::start(|_| Reaction::Status(204)).await;
    let mut tail = waybill(&folder.0, &["webhooks", "tail", "--team", team])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let hook = serde_json::json!({"url": receiver.url(), "events": ["shipment.booked"]});
    server.post(&format!("/v2/teams/{team}/webhooks"), token, hook).await;
    let booked = server.post(&format!("/v2/teams/{team}/shipments"), token, order("told")).await;
    receiver.until(1).await;
    let mut line = String::new();
    BufReader::new(tail.stdout.take().unwrap()).read_line(&mut line).unwrap();
    tail.kill().unwrap();
    tail.wait().unwrap();
    assert!(line.contains("shipment.booked") && line.contains("  204  "), "{line}");
    let why = run(&folder.0, &["why", booked["data"]["uuid"].as_str().unwrap()]);
    let why = String::from_utf8(why.stdout).unwrap();
    assert!(why.contains("event shipment.booked"), "{why}");
    assert!(why.contains("attempt 1: 204 in"), "{why}");
    assert!(why.contains(": delivered"), "{why}");
    let nobody = run(&folder.0, &["webhooks", "tail", "--team", "nobody"]);
    assert_eq!(complaint(&nobody), "waybill: there is no team \"nobody\"");
    assert!(server.stop());
    assert!(run(&folder.0, &["check"]).status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_parcel_is_followed_to_the_door_and_why_tells_it() {
    let folder = Folder::new("followed");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = std::fs::read_to_string(folder.0.join("demo.json")).unwrap();
    let demo: Value = serde_json::from_str(&demo).unwrap();
    let (team, token) = (demo["team_uuid"].as_str().unwrap(), demo["token"].as_str().unwrap());
    let path = format!("/v2/teams/{team}/shipments");
    let booked = server.post(&path, token, order("A sim:track=200ms")).await;
    let tracking = booked["data"]["parcels"][0]["tracking_uuid"].as_str().unwrap();
    let path = format!("/beta/teams/{team}/tracking/{tracking}");
    for _ in 0..200 {
        let followed = server.get(&path, token).await.expect(200).json().to_string();
        if followed.contains("\"state\":\"Delivered\"") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let why = run(&folder.0, &["why", booked["data"]["uuid"].as_str().unwrap()]);
    let why = String::from_utf8(why.stdout).unwrap();
    assert!(why.contains("followed from now on"), "{why}");
    assert!(why.contains("estimated_delivery_changed"), "{why}");
    assert!(why.contains("delivered (The parcel has been delivered.)"), "{why}");
    assert!(why.contains("; Delivered, feed 7"), "{why}");
    assert!(why.contains("event tracking.updated"), "{why}");
    assert!(server.stop());
    assert!(run(&folder.0, &["check"]).status.success());
}

#[test]
fn any_paper_is_drawn_from_a_file_and_zpl_is_shown_as_a_picture() {
    let folder = Folder::new("render");
    let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../paper/tests/it/papers");
    std::fs::copy(papers.join("label.json"), folder.0.join("label.json")).unwrap();
    for (format, magic) in [("pdf", "%PDF-"), ("zpl", "^XA"), ("png", "PNG")] {
        let output = run(&folder.0, &["render", "label.json", "--format", format]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let bytes = std::fs::read(folder.0.join("label").with_extension(format)).unwrap();
        assert!(String::from_utf8_lossy(&bytes[..8]).contains(magic), "{format}");
    }
    let shown = run(&folder.0, &["render", "label.zpl", "--output", "shown.png"]);
    assert_eq!(String::from_utf8_lossy(&shown.stdout).trim(), "shown.png");
    assert!(std::fs::read(folder.0.join("shown.png")).unwrap().starts_with(b"\x89PNG"));
    std::fs::write(folder.0.join("bad.json"), r#"{"type": "label", "labels": [{}]}"#).unwrap();
    let words = complaint(&run(&folder.0, &["render", "bad.json"]));
    assert!(words.contains("labels.0.sender"), "{words}");
}
