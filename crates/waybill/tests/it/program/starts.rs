//! A start that fails says why in one line and leaves nothing behind.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::backups::{Demo, sqlite3};
use super::pages::metrics;
use super::{Folder, Server, complaint, run, waybill};
use crate::harness::fixture::order;

/// Every file of a folder with its bytes, and every folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            found.extend(
                contents(&entry.path()).into_iter().map(|(n, b)| (format!("{name}/{n}"), b)),
            );
            found.insert(format!("{name}/"), Vec::new());
        } else {
            found.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    found
}

const KEY: &str = "6e6f74206120736563726574206b65792c206a7573742061206c696e65202e2e2e2e";

/// Starts that fail: the flags, and what the line says. `{port}` is a port that is taken.
const BAD: &[(&str, &str)] = &[
    ("--listen 127.0.0.1:{port}", "Address already in use"),
    ("--listen nowhere:80x", "--listen nowhere:80x"),
    ("--secret-key-file bad.key", "line 1 must hold 64 hexadecimal digits"),
    ("--secret-key-file no/such/folder.key", "secret key file no/such/folder.key"),
    ("--rate-limit-reads many", "not a whole number"),
    ("--rate-limit-reads -1", "--rate-limit-reads: \"-1\" is not a whole number"),
    ("--log x=y=z", "--log: "),
    ("--database wb.db", "write sqlite:wb.db"),
    ("--database sqlite:no/such/folder.db", "there is no folder no/such"),
    ("--database sqlite:others", "others: this is a folder"),
    ("--database postgres://nobody@127.0.0.1:9/none", "Connection refused"),
    ("--database postgres://a@127.0.0.1/b?sslmode=so", "--database: sslmode is disable, prefer"),
    ("--database postgres://a@127.0.0.1/b?sslcert=x", "--database: "),
    ("--files file:bad.key/labels", "--files file:"),
    ("--files file:others", "the files of another database are there"),
    ("--files s3://labels", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
    ("--files file:new/place --listen 127.0.0.1:{port}", "Address already in use"),
    ("--demo --listen 127.0.0.1:{port}", "Address already in use"),
];

fn fails(folder: &Path, port: u16) {
    for (flags, words) in BAD {
        let before = contents(folder);
        let flags =
            format!("serve --listen 127.0.0.1:0 {flags}").replace("{port}", &port.to_string());
        // The last --listen counts; clap wants it once.
        let flags = match flags.matches("--listen").count() {
            2 => flags.replacen(" --listen 127.0.0.1:0", "", 1),
            _ => flags,
        };
        let arguments: Vec<_> = flags.split(' ').collect();
        let mut command = waybill(folder, &arguments);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
            command.env_remove(name);
        }
        let output = command.output().unwrap();
        let line = complaint(&output);
        assert!(line.starts_with("waybill: ") && line.contains(words), "{flags}: {line}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(told.lines().count(), 1, "{flags}: {told}");
        let after = contents(folder);
        let names = |all: &BTreeMap<String, Vec<u8>>| all.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&after), names(&before), "{flags}");
        assert!(after == before, "{flags} changed a file");
    }
}

fn prepare(folder: &Path) {
    std::fs::write(folder.join("bad.key"), KEY).unwrap();
    std::fs::create_dir(folder.join("others")).unwrap();
    std::fs::write(folder.join("others/waybill-owner"), "somebody\n").unwrap();
}

#[test]
fn a_failed_first_start_leaves_no_files_behind() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = Folder::new("first-start");
    prepare(&folder.0);
    fails(&folder.0, taken.local_addr().unwrap().port());
}

#[tokio::test]
async fn a_port_is_kept_from_before_the_first_file_is_made() {
    let folder = Folder::new("port-kept");
    let other = tokio::net::TcpSocket::new_v4().unwrap();
    other.set_reuseaddr(true).unwrap();
    other.bind(std::net::SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let at = other.local_addr().unwrap().to_string();
    // The start waits here until somebody writes the key.
    let pipe = folder.0.join("pipe.key");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let mut command =
        waybill(&folder.0, &["serve", "--listen", &at, "--secret-key-file", "pipe.key"]);
    let server = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let key = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    assert_eq!(contents_but(&folder.0, "pipe.key"), 0);
    let late = other.listen(1);
    std::io::Write::write_all(&mut &key, b"no key").unwrap();
    drop(key);
    let line = complaint(&server.wait_with_output().unwrap());
    assert!(line.contains("line 1 must hold 64 hexadecimal digits"), "{line}");
    let late = late.map(drop).map_err(|error| error.kind());
    assert_eq!(late, Err(std::io::ErrorKind::AddrInUse));
    assert_eq!(contents_but(&folder.0, "pipe.key"), 0);
}

/// How many other files are in the folder.
fn contents_but(folder: &Path, name: &str) -> usize {
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    files.filter(|file| file.file_name() != name).count()
}

#[test]
fn a_failed_later_start_keeps_the_files_that_were_there() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = Folder::new("later-start");
    prepare(&folder.0);
    let team = ["team", "create", "--name", "X", "--domain", "x.example"];
    assert!(run(&folder.0, &team).status.success());
    assert!(Server::start(&folder.0, &[]).stop());
    fails(&folder.0, taken.local_addr().unwrap().port());
    assert!(Server::start(&folder.0, &[]).stop());
    assert!(run(&folder.0, &["check"]).status.success());
}

#[test]
fn the_role_of_a_machine_is_asked_for_only_where_that_is_configured() {
    let folder = Folder::new("metadata");
    let metadata = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", metadata.local_addr().unwrap());
    let asked = std::thread::spawn(move || metadata.accept().is_ok());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--files", "s3://labels"];
    let start = || {
        let mut command = waybill(&folder.0, &serve);
        command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
        command
    };
    let unconfigured = complaint(&start().output().unwrap());
    assert!(unconfigured.contains("the credentials for S3 are missing"), "{unconfigured}");
    let configured = start().env("AWS_METADATA_ENDPOINT", address).output().unwrap();
    let line = complaint(&configured);
    assert!(line.contains("--files s3://labels") && !line.contains("missing"), "{line}");
    assert!(asked.join().unwrap());
}

#[test]
fn a_bad_variable_is_named_by_a_start_that_fails() {
    let folder = Folder::new("variables");
    for (name, value, words) in [
        ("WAYBILL_LISTEN", "nowhere:80x", "WAYBILL_LISTEN nowhere:80x: "),
        ("WAYBILL_FILES", "file:/dev/null/papers", "WAYBILL_FILES file:/dev/null/papers: "),
        ("WAYBILL_LOG", "x=y=z", "WAYBILL_LOG: "),
        ("WAYBILL_ROLE", "boss", "WAYBILL_ROLE: \"boss\" is neither"),
    ] {
        let mut command = waybill(&folder.0, &["serve"]);
        if name != "WAYBILL_LISTEN" {
            command.env("WAYBILL_LISTEN", "127.0.0.1:0");
        }
        let line = complaint(&command.env(name, value).output().unwrap());
        assert!(line.starts_with(&format!("waybill: {words}")), "{line}");
    }
}

#[tokio::test]
async fn a_demo_that_was_killed_at_any_point_starts_again_and_books() {
    let folder = Folder::new("demo-killed");
    let database = folder.0.join("waybill.db");
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    let token = Demo::read(&folder.0).token;
    // As after a kill between the team and its account, and one before the file was complete.
    for (undo, file) in [("delete from carrier_account", None), ("select 1", Some("{\"base_url\""))]
    {
        sqlite3(&database, undo);
        match file {
            None => std::fs::remove_file(folder.0.join("demo.json")).unwrap(),
            Some(text) => std::fs::write(folder.0.join("demo.json"), text).unwrap(),
        }
        let mut server = Server::start(&folder.0, &["--demo"]);
        let demo = Demo::read(&folder.0);
        assert_ne!(demo.token, token, "the first one is not known any more");
        demo.book(&server, "A").await;
        assert!(server.stop());
    }
}

#[tokio::test]
async fn a_server_of_sqlite_that_can_never_book_says_so() {
    let folder = Folder::new("api-alone");
    let says_so = |line: &serde_json::Value| {
        line["message"].as_str().is_some_and(|text| text.contains("nothing will be booked"))
    };
    let server = Server::start(&folder.0, &["--role", "api"]);
    let warning = server.logged(says_so).await;
    assert_eq!(warning["level"], "WARN");
    drop(server);
    let server = Server::start(&folder.0, &[]);
    server.logged(|line| line["message"] == "ready").await;
    assert!(!server.has_logged(says_so));
}

#[tokio::test]
async fn a_server_without_workers_counts_what_waits_for_one() {
    let folder = Folder::new("api-counts");
    let mut server = Server::start(&folder.0, &["--demo"]);
    server.logged(|line| line["message"] == "ready").await;
    assert!(server.stop());
    let server = Server::start(&folder.0, &["--demo", "--role", "api"]);
    let demo = Demo::read(&folder.0);
    // It would wait for ten seconds; a caller who hangs up changes nothing.
    let body = order("WAITS").to_string();
    let (path, wait) = (demo.path("shipments"), std::time::Duration::from_secs(1));
    let asked = server.ask("POST", &path, &demo.token, &body);
    assert!(tokio::time::timeout(wait, asked).await.is_err());
    for _ in 0..60 {
        let shown = server.get("/metrics", "").await.expect(200);
        let shown = String::from_utf8(shown.bytes.clone()).unwrap();
        if shown.lines().any(|line| line == "waybill_jobs_overdue 1") {
            return;
        }
        tokio::time::sleep(wait).await;
    }
    panic!("nobody counts it");
}

#[tokio::test]
async fn a_sandbox_carrier_that_lost_its_journal_is_told_at_the_start() {
    let folder = Folder::new("journal-lost");
    let says_so = |line: &serde_json::Value| {
        line["message"].as_str().is_some_and(|text| text.contains("does not know its bookings"))
    };
    let mut server = Server::start(&folder.0, &["--demo"]);
    Demo::read(&folder.0).book(&server, "A").await;
    assert!(!server.has_logged(says_so));
    assert!(server.stop());
    std::fs::remove_file(folder.0.join("sandbox-carrier.jsonl")).unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    assert_eq!(server.logged(says_so).await["level"], "WARN");
}

#[tokio::test]
async fn every_documented_metric_is_there_before_its_first_use_and_no_other() {
    let folder = Folder::new("metrics");
    let server = Server::start(&folder.0, &[]);
    let shown = server.get("/metrics", "").await.expect(200);
    let shown = String::from_utf8(shown.bytes.clone()).unwrap();
    let declared = shown.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let mut declared: Vec<&str> = declared.filter_map(|line| line.split(' ').next()).collect();
    let mut documented = metrics();
    declared.sort_unstable();
    documented.sort_unstable();
    assert_eq!(declared, documented);
}

#[tokio::test]
async fn what_holds_secrets_or_addresses_can_be_read_by_its_owner_alone() {
    let folder = Folder::new("private");
    std::fs::write(folder.0.join("demo.json"), "{}").unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    Demo::read(&folder.0).book(&server, "A").await;
    for name in ["demo.json", "waybill.db", "waybill.key", "sandbox-carrier.jsonl"] {
        let mode = std::fs::metadata(folder.0.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[tokio::test]
async fn those_who_watch_have_an_address_of_their_own() {
    let folder = Folder::new("watched");
    let flags = ["--demo", "--metrics-listen", "127.0.0.1:0"];
    let mut server = Server::start(&folder.0, &flags);
    let ready = server.logged(|line| line["message"] == "ready").await;
    let address = ready["metrics_address"].as_str().unwrap().to_owned();
    server.get("/metrics", "").await.expect(404);
    server.get("/healthz", "").await.expect(200);
    server.base_url = format!("http://{address}");
    for path in ["/metrics", "/healthz", "/readyz"] {
        server.get(path, "").await.expect(200);
    }
    let demo = Demo::read(&folder.0);
    server.get(&demo.path("shipments"), &demo.token).await.expect(404);
    let taken = ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", &address];
    let said = complaint(&run(&Folder::new("watched-twice").0, &taken));
    assert!(said.contains(&format!("--metrics-listen {address}")), "{said}");
}

#[tokio::test]
async fn connections_that_nobody_uses_do_not_keep_others_out() {
    let folder = Folder::new("crowded");
    // So few files that there is room for 64.
    let program = env!("CARGO_BIN_EXE_waybill");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -n 320; exec \"$@\"", "sh", program, "serve", "--demo"]);
    command.args(["--listen", "127.0.0.1:0"]).current_dir(&folder.0);
    let server = Server::started(command);
    let at: std::net::SocketAddr = server.base_url["http://".len()..].parse().unwrap();
    let mut idle = Vec::new();
    for last in (2..42).cycle().take(400) {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        let source = [127, 0, 0, last];
        socket.bind(std::net::SocketAddr::from((source, 0))).unwrap();
        idle.push(socket.connect(at).await.unwrap());
    }
    // Those who came a moment ago are left alone for a second.
    let demo = Demo::read(&folder.0);
    let began = tokio::time::Instant::now();
    demo.book(&server, "AMONG MANY").await;
    assert!(began.elapsed() < std::time::Duration::from_secs(8), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_process_that_only_works_can_be_watched() {
    let folder = Folder::new("worker-watched");
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    let flags = ["--role", "worker", "--metrics-listen", "127.0.0.1:0"];
    let mut server = Server::start(&folder.0, &flags);
    let ready = server.logged(|line| line["message"] == "ready").await;
    let address = ready["metrics_address"].as_str().unwrap().to_owned();
    server.base_url = format!("http://{address}");
    server.get("/readyz", "").await.expect(200);
}

#[tokio::test]
async fn a_key_file_that_others_can_read_is_warned_of() {
    let folder = Folder::new("open-key");
    let is_warned = |line: &serde_json::Value| {
        line["message"] == "others can read the secret key file: run chmod 600 on it"
    };
    let mut server = Server::start(&folder.0, &["--demo"]);
    assert!(!server.has_logged(is_warned));
    assert!(server.stop());
    let key = folder.0.join("waybill.key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    assert!(server.has_logged(is_warned));
}

#[test]
fn a_place_of_files_that_is_empty_by_now_stops_the_start() {
    let folder = Folder::new("unmounted");
    let flags = ["--demo", "--files", "file:labels"];
    assert!(Server::start(&folder.0, &flags).stop());
    assert!(Server::start(&folder.0, &flags).stop());
    let (labels, kept) = (folder.0.join("labels"), folder.0.join("kept"));
    std::fs::rename(&labels, &kept).unwrap();
    std::fs::create_dir(&labels).unwrap();
    let line = ["serve", "--listen", "127.0.0.1:0", flags[0], flags[1], flags[2]];
    let said = complaint(&run(&folder.0, &line));
    assert!(
        said.contains("labels: this database has kept files here, and they are gone"),
        "{said}"
    );
    assert_eq!(std::fs::read_dir(&labels).unwrap().count(), 0, "nothing hides beneath a mount");
    std::fs::remove_dir(&labels).unwrap();
    std::fs::rename(&kept, &labels).unwrap();
    assert!(Server::start(&folder.0, &flags).stop());
}

#[test]
fn a_variable_that_is_not_text_is_not_taken_for_one_that_is_not_set() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("not-text");
    let bad = std::ffi::OsStr::from_bytes(b"sqlite:\xff.db");
    for name in ["WAYBILL_DATABASE", "HTTPS_PROXY"] {
        let mut command = waybill(&folder.0, &["serve", "--listen", "127.0.0.1:0"]);
        let output = command.env(name, bad).output().unwrap();
        assert_eq!(complaint(&output), format!("waybill: {name} is not UTF-8"));
        assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 0);
    }
}
