//! `waybill backup` and `waybill restore`, and what a restored database still promises.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{Folder, Server, complaint, run};
use crate::harness::desk::order;

/// The demo team of a server, as its `demo.json` tells.
pub struct Demo {
    team: String,
    pub token: String,
}

impl Demo {
    pub fn read(folder: &Path) -> Demo {
        let demo = std::fs::read(folder.join("demo.json")).unwrap();
        let demo: Value = serde_json::from_slice(&demo).unwrap();
        let text = |name: &str| demo[name].as_str().unwrap().to_owned();
        Demo { team: text("team_uuid"), token: text("token") }
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/v2/teams/{}/{rest}", self.team)
    }

    /// How many shipments have this reference.
    pub async fn count(&self, server: &Server, reference: &str) -> usize {
        let list = self.path(&format!("shipments?reference={reference}"));
        let list = server.get(&list, &self.token).await.expect(200).json();
        list["data"].as_array().unwrap().len()
    }

    /// The shipment with this reference.
    pub async fn find(&self, server: &Server, reference: &str) -> String {
        let list = self.path(&format!("shipments?reference={reference}"));
        let list = server.get(&list, &self.token).await.expect(200).json();
        list["data"][0]["uuid"].as_str().unwrap().to_owned()
    }

    /// Waits until the shipment is in this state.
    pub async fn until(&self, server: &Server, uuid: &str, state: &str) {
        for _ in 0..600 {
            let path = self.path(&format!("shipments/{uuid}"));
            let now = server.get(&path, &self.token).await.expect(200).json();
            if now["data"]["state"] == state {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        panic!("{uuid} is never {state}");
    }

    pub async fn book(&self, server: &Server, reference: &str) -> Value {
        server.post(&self.path("shipments"), &self.token, order(reference)).await["data"].clone()
    }

    /// All entries of the feed after the cursor, and where to go on.
    async fn read_feed(&self, server: &Server, cursor: Option<&str>) -> (Vec<Value>, String) {
        let (mut entries, mut cursor) = (Vec::new(), cursor.map(str::to_owned));
        loop {
            let from = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let path = self.path(&format!("tracking/events?per_page=100{from}"));
            let page = server.get(&path, &self.token).await.expect(200).json();
            entries.extend(page["data"].as_array().unwrap().iter().cloned());
            if page["links"]["next"].is_null() {
                return (entries, page["meta"]["resume_cursor"].as_str().unwrap().to_owned());
            }
            cursor = page["meta"]["next_cursor"].as_str().map(str::to_owned);
        }
    }

    /// Waits until the feed has that many entries. Tells how many it then has, and where to go on.
    async fn wait_for_feed(&self, server: &Server, count: usize) -> (usize, String) {
        for _ in 0..600 {
            let (entries, resume) = self.read_feed(server, None).await;
            if entries.len() >= count {
                return (entries.len(), resume);
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        panic!("the feed does not reach {count} entries");
    }
}

pub fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub fn sqlite3(database: &Path, command: &str) -> String {
    let output = Command::new("sqlite3").arg(database).arg(command).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn a_backup_beside_a_live_server_is_whole_private_and_never_overwrites() {
    let folder = Folder::new("backup");
    let server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    let shipment = demo.book(&server, "BEFORE").await;
    let told = succeed(&folder.0, &["backup", "copy.db"]);
    assert!(told.starts_with("copy.db: ") && told.contains("verified"), "{told}");
    assert!(told.contains("waybill.key"), "{told}");
    let copy = folder.0.join("copy.db");
    assert_eq!(copy.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(sqlite3(&copy, "pragma integrity_check"), "ok\n");
    let uuid = shipment["uuid"].as_str().unwrap().replace('-', "");
    let count = format!("select count(*) from shipment where hex(id) = upper('{uuid}')");
    assert_eq!(sqlite3(&copy, &count), "1\n");

    let again = complaint(&run(&folder.0, &["backup", "copy.db"]));
    assert_eq!(again, "waybill: copy.db is there already: choose another name or remove it");
    let left: Vec<_> = std::fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("copy.db"))
        .collect();
    assert_eq!(left, ["copy.db"]);
    let missing = run(&folder.0, &["backup", "x.db", "--database", "sqlite:no.db"]);
    assert_eq!(complaint(&missing), "waybill: there is no file no.db");
    assert!(!folder.0.join("no.db").exists() && !folder.0.join("x.db").exists());
}

#[tokio::test]
async fn a_restore_refuses_a_database_in_use_and_a_broken_copy() {
    let folder = Folder::new("restore-refused");
    let mut server = Server::start(&folder.0, &["--demo"]);
    succeed(&folder.0, &["backup", "copy.db"]);
    let in_use = complaint(&run(&folder.0, &["restore", "copy.db"]));
    let expected = "waybill: waybill.db is in use: stop the server and close other programs first";
    assert_eq!(in_use, expected);
    assert!(server.stop());

    let mut bytes = std::fs::read(folder.0.join("copy.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0x5a);
    std::fs::write(folder.0.join("broken.db"), &bytes).unwrap();
    let before = std::fs::read(folder.0.join("waybill.db")).unwrap();
    let broken = complaint(&run(&folder.0, &["restore", "broken.db"]));
    assert!(broken.starts_with("waybill: broken.db is broken: "), "{broken}");
    assert_eq!(std::fs::read(folder.0.join("waybill.db")).unwrap(), before);
    sqlite3(&folder.0.join("other.db"), "create table t (a)");
    let other = complaint(&run(&folder.0, &["restore", "other.db"]));
    assert_eq!(other, "waybill: other.db: this is not a database of Waybill");
}

#[tokio::test]
async fn a_cursor_from_the_lost_future_is_gone_and_one_from_the_past_goes_on() {
    let folder = Folder::new("lost-future");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A sim:track=10ms").await;
    let (read, past) = demo.wait_for_feed(&server, 5).await;
    succeed(&folder.0, &["backup", "copy.db"]);
    demo.book(&server, "B sim:track=10ms").await;
    demo.book(&server, "C sim:track=10ms").await;
    let (_, future) = demo.wait_for_feed(&server, 15).await;
    assert!(server.stop());

    let told = succeed(&folder.0, &["restore", "copy.db"]);
    assert!(told.contains("is kept as waybill.db.replaced-"), "{told}");
    let server = Server::start(&folder.0, &["--demo"]);
    let feed = |cursor: &str| demo.path(&format!("tracking/events?cursor={cursor}"));
    server.get(&feed(&future), &demo.token).await.expect(410);
    server.get(&feed(&past), &demo.token).await.expect(200);
    // Positions are given again, past the one that the lost database had told.
    for reference in ["D sim:track=10ms", "E sim:track=10ms", "F sim:track=10ms"] {
        demo.book(&server, reference).await;
    }
    demo.wait_for_feed(&server, 20).await;
    server.get(&feed(&future), &demo.token).await.expect(410);
    // Parcels go on moving: what is read first is part of what is read second.
    let (all, _) = demo.read_feed(&server, None).await;
    let (after, _) = demo.read_feed(&server, Some(&past)).await;
    assert!(read + after.len() >= all.len() && after.len() > 10, "{read}, {}", after.len());
}

#[tokio::test]
async fn the_contents_of_an_old_copy_in_the_same_file_are_a_restore_too() {
    let folder = Folder::new("copied-over");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    let database = folder.0.join("waybill.db");
    assert_eq!(sqlite3(&database, &format!(".backup {}", folder.0.join("copy.db").display())), "");
    demo.book(&server, "B").await;
    let list = demo.path("shipments?sort=updated_at");
    let synced = server.get(&list, &demo.token).await.expect(200).json();
    let boundary = synced["meta"]["sync_until"].as_str().unwrap().to_owned();
    let since = demo.path(&format!("shipments?sort=updated_at&updated_since={boundary}"));
    assert!(server.stop());
    std::fs::copy(folder.0.join("copy.db"), &database).unwrap();

    for _ in 0..2 {
        let mut server = Server::start(&folder.0, &["--demo"]);
        server.get(&since, &demo.token).await.expect(410);
        assert!(server.stop());
    }
    let restores = "select count(*) from epoch where lost_after is not null";
    assert_eq!(sqlite3(&database, restores), "1\n");
}

#[tokio::test]
async fn a_sync_and_a_replay_from_the_lost_time_are_told_so() {
    let folder = Folder::new("lost-sync");
    let mut server = Server::start(&folder.0, &["--demo", "--allow-private-webhooks"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    succeed(&folder.0, &["backup", "copy.db"]);
    demo.book(&server, "B").await;
    let list = demo.path("shipments?sort=updated_at");
    let synced = server.get(&list, &demo.token).await.expect(200).json();
    let boundary = synced["meta"]["sync_until"].as_str().unwrap().to_owned();
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);

    let server = Server::start(&folder.0, &["--demo", "--allow-private-webhooks"]);
    let since = |time: &str| demo.path(&format!("shipments?sort=updated_at&updated_since={time}"));
    let gone = server.get(&since(&boundary), &demo.token).await.expect(410).json();
    assert!(gone["message"].as_str().unwrap().contains("restored"), "{gone}");
    server.get(&since("2026-01-01T00:00:00Z"), &demo.token).await.expect(200);
    let anew = server.get(&list, &demo.token).await.expect(200).json();
    let boundary_now = anew["meta"]["sync_until"].as_str().unwrap();
    server.get(&since(boundary_now), &demo.token).await.expect(200);

    let webhook = json!({"url": "http://127.0.0.1:9/", "events": ["shipment.booked"]});
    let webhook = server.post(&demo.path("webhooks"), &demo.token, webhook).await;
    let uuid = webhook["data"]["uuid"].as_str().unwrap();
    let replay = demo.path(&format!("webhooks/{uuid}/replay"));
    let body = |since: &str| json!({"since": since}).to_string();
    server.ask("POST", &replay, &demo.token, &body(&boundary)).await.expect(410);
    server.ask("POST", &replay, &demo.token, &body("2026-01-01T00:00:00Z")).await.expect(202);
    server.ask("POST", &replay, &demo.token, &body(boundary_now)).await.expect(202);
}

#[tokio::test]
async fn a_restart_without_a_restore_breaks_no_cursor_and_no_sync() {
    let folder = Folder::new("restart");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A sim:track=10ms").await;
    let (_, cursor) = demo.wait_for_feed(&server, 5).await;
    let list = demo.path("shipments?sort=updated_at");
    let synced = server.get(&list, &demo.token).await.expect(200).json();
    let boundary = synced["meta"]["sync_until"].as_str().unwrap().to_owned();
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let server = Server::start(&folder.0, &["--demo"]);
    let feed = demo.path(&format!("tracking/events?cursor={cursor}"));
    server.get(&feed, &demo.token).await.expect(200);
    let since = demo.path(&format!("shipments?sort=updated_at&updated_since={boundary}"));
    server.get(&since, &demo.token).await.expect(200);
}

#[test]
fn a_broken_page_is_a_violation() {
    let folder = Folder::new("bit-flip");
    succeed(&folder.0, &["team", "create", "--name", "Shop", "--domain", "shop.example.com"]);
    assert!(succeed(&folder.0, &["check"]).ends_with("0 violations\n"));
    let database = folder.0.join("waybill.db");
    let page = sqlite3(&database, "select rootpage from sqlite_schema where name = 'token_hash'");
    let page = page.trim().parse::<u64>().unwrap_or_else(|_| {
        let any =
            "select rootpage from sqlite_schema where type = 'index' and rootpage > 0 limit 1";
        sqlite3(&database, any).trim().parse().unwrap()
    });
    let mut bytes = std::fs::read(&database).unwrap();
    let start = usize::try_from((page - 1) * 4096).unwrap();
    bytes[start + 3..start + 5].copy_from_slice(&[0xff, 0xff]);
    std::fs::write(&database, bytes).unwrap();
    let output = run(&folder.0, &["check"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{text}");
    assert!(!text.contains("\n0 violations"), "{text}");
}

#[tokio::test]
async fn bookings_that_a_restored_database_forgot_are_found_with_the_carrier() {
    let folder = Folder::new("reconcile");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    let kept = demo.book(&server, "KEPT").await;
    let cancelled = demo.book(&server, "CANCELLED-LATER").await;
    let not_restored = complaint(&run(&folder.0, &["reconcile"]));
    assert!(not_restored.contains("--since"), "{not_restored}");
    succeed(&folder.0, &["backup", "copy.db"]);
    let lost = demo.book(&server, "LOST").await;
    let cancel = format!("shipments/{}/cancel", cancelled["uuid"].as_str().unwrap());
    server.ask("POST", &demo.path(&cancel), &demo.token, "").await.expect(200);
    let beside = complaint(&run(&folder.0, &["reconcile", "--since", "2026-01-01T00:00:00Z"]));
    assert!(beside.contains("inside the server: stop the server first"), "{beside}");
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);

    let output = run(&folder.0, &["reconcile", "--json"]);
    assert_eq!(output.status.code(), Some(1), "there is something to see to");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let differences = report["differences"].as_array().unwrap();
    let told: Vec<(&str, &str)> = differences
        .iter()
        .map(|found| (found["reference"].as_str().unwrap(), found["finding"].as_str().unwrap()))
        .collect();
    assert!(told.contains(&("LOST", "booked with the carrier, unknown here")), "{told:?}");
    let reverted = ("CANCELLED-LATER", "cancelled with the carrier, booked here");
    assert!(told.contains(&reverted), "{told:?}");
    assert_eq!(told.len(), 2, "{told:?}");
    let numbers: Vec<&Value> = differences
        .iter()
        .flat_map(|found| found["tracking_numbers"].as_array().unwrap())
        .collect();
    assert!(numbers.contains(&&lost["parcels"][0]["tracking_number"]));
    assert!(!numbers.contains(&&kept["parcels"][0]["tracking_number"]));
}

/// The line of the operations page that begins with this word.
fn documented(start: &str) -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operations.md");
    let page = std::fs::read_to_string(page).unwrap();
    let line = page.lines().find(|line| line.starts_with(&format!("    {start} ")));
    line.unwrap_or_else(|| panic!("the page has no line with {start}")).trim().to_owned()
}

fn shell(folder: &Path, line: &str, url: &str) {
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("DATABASE_URL", url)
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn the_documented_backup_of_postgresql_restores_and_followers_are_told() {
    let folder = Folder::new("pg-dump");
    let fresh = || waybill_store::testing::fresh(waybill_store::testing::Database::Postgres);
    let scratch = tokio::task::spawn_blocking(fresh).await.unwrap();
    let url = scratch.url.clone();
    let arguments = ["--demo", "--database", url.as_str()];
    let mut server = Server::start(&folder.0, &arguments);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A sim:track=10ms").await;
    let (_, past) = demo.wait_for_feed(&server, 5).await;
    shell(&folder.0, &documented("pg_dump"), &url);
    demo.book(&server, "B sim:track=10ms").await;
    let (_, future) = demo.wait_for_feed(&server, 10).await;
    let synced = server.get(&demo.path("shipments?sort=updated_at"), &demo.token).await;
    let boundary = synced.expect(200).json()["meta"]["sync_until"].as_str().unwrap().to_owned();
    assert!(server.stop());

    shell(&folder.0, &documented("pg_restore"), &url);
    let server = Server::start(&folder.0, &arguments);
    for reference in ["C sim:track=10ms", "D sim:track=10ms"] {
        demo.book(&server, reference).await;
    }
    demo.wait_for_feed(&server, 15).await;
    let feed = |cursor: &str| demo.path(&format!("tracking/events?cursor={cursor}"));
    server.get(&feed(&future), &demo.token).await.expect(410);
    server.get(&feed(&past), &demo.token).await.expect(200);
    let since = demo.path(&format!("shipments?sort=updated_at&updated_since={boundary}"));
    server.get(&since, &demo.token).await.expect(410);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

/// How often the carrier has booked this reference.
fn booked_times(folder: &Path, reference: &str) -> usize {
    let journal = std::fs::read_to_string(folder.join("sandbox-carrier.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["type"] == "booked" && line["customer_reference"] == reference).count()
}

#[tokio::test]
async fn a_restored_database_books_nothing_that_the_lost_one_may_have_booked() {
    let folder = Folder::new("held-back");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    assert!(server.stop());
    // Nobody works: what is accepted waits.
    let mut server = Server::start(&folder.0, &["--demo", "--role", "api"]);
    let shipments = demo.path("shipments");
    let order_text = |reference: &str| order(reference).to_string();
    let body = order_text("WAITS");
    // It would wait for ten seconds; a caller who hangs up changes nothing.
    let asked = server.ask("POST", &shipments, &demo.token, &body);
    assert!(tokio::time::timeout(std::time::Duration::from_secs(2), asked).await.is_err());
    let listed = server.get(&format!("{shipments}?reference=WAITS"), &demo.token).await;
    let waiting = listed.expect(200).json()["data"][0]["uuid"].as_str().unwrap().to_owned();
    let batch = server.post(&demo.path("booking-batches"), &demo.token, json!({})).await;
    let batch = demo.path(&format!("booking-batches/{}", batch["data"]["uuid"].as_str().unwrap()));
    let members = json!({"data": [order("MEMBER-1"), order("MEMBER-2")]});
    server.post(&format!("{batch}/shipments"), &demo.token, members).await;
    server.ask("POST", &format!("{batch}/start"), &demo.token, "").await.expect(202);
    succeed(&folder.0, &["backup", "copy.db"]);
    assert!(server.stop());

    let mut server = Server::start(&folder.0, &["--demo"]);
    let all = ["WAITS", "MEMBER-1", "MEMBER-2"];
    for _ in 0..600 {
        if all.iter().all(|reference| booked_times(&folder.0, reference) == 1) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);

    let server = Server::start(&folder.0, &["--demo"]);
    let path = format!("{shipments}/{waiting}");
    let mut shipment = Value::Null;
    for _ in 0..600 {
        shipment = server.get(&path, &demo.token).await.expect(200).json()["data"].clone();
        if shipment["state"] != "processing" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(shipment["state"], "failed", "{shipment}");
    let said = shipment["failure"]["details"][0]["message"].as_str().unwrap();
    assert!(said.contains("restored from a copy"), "{said}");
    server.ask("DELETE", &path, &demo.token, "").await.expect(409);
    let state = &server.get(&batch, &demo.token).await.expect(200).json()["data"]["state"];
    assert_eq!(state, "stopped");
    let members = server.get(&format!("{batch}/shipments"), &demo.token).await.expect(200).json();
    for member in members["data"].as_array().unwrap() {
        assert_eq!(member["state"], "failed", "{member}");
        let said = member["failure"]["details"][0]["message"].as_str().unwrap();
        assert!(said.contains("restored from a copy"), "{said}");
    }
    for reference in all {
        assert_eq!(booked_times(&folder.0, reference), 1, "{reference}");
    }
    assert!(succeed(&folder.0, &["check"]).ends_with("\n0 violations\n"));
}

#[tokio::test]
async fn a_cursor_at_a_batch_member_that_was_lost_is_gone_and_the_open_batch_is_stopped() {
    let folder = Folder::new("lost-members");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    let batch = server.post(&demo.path("booking-batches"), &demo.token, json!({})).await;
    let batch = demo.path(&format!("booking-batches/{}", batch["data"]["uuid"].as_str().unwrap()));
    let members = format!("{batch}/shipments");
    let add = |references: [&str; 2]| json!({"data": references.map(order)});
    server.post(&members, &demo.token, add(["KEPT-1", "KEPT-2"])).await;
    succeed(&folder.0, &["backup", "copy.db"]);
    server.post(&members, &demo.token, add(["LOST-1", "LOST-2"])).await;
    let mut cursors = Vec::new();
    for per_page in [1, 3] {
        let path = format!("{members}?per_page={per_page}");
        let page = server.get(&path, &demo.token).await.expect(200).json();
        let cursor = page["meta"]["next_cursor"].as_str().unwrap().to_owned();
        cursors.push(format!("{path}&cursor={cursor}"));
    }
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);

    let server = Server::start(&folder.0, &["--demo"]);
    server.get(&cursors[0], &demo.token).await.expect(200);
    let gone = server.get(&cursors[1], &demo.token).await.expect(410).json();
    assert!(gone["message"].as_str().unwrap().contains("restored"), "{gone}");
    // The lost database may have started it.
    let state = &server.get(&batch, &demo.token).await.expect(200).json()["data"]["state"];
    assert_eq!(state, "stopped");
}

/// A server on PostgreSQL that has told a boundary of a sync, and the path that goes on from there.
/// Then the database becomes another copy than the one that the server has begun on.
async fn move_database(folder: &Folder, url: &str, connections: &str) -> (Server, Demo, String) {
    let server = Server::start(&folder.0, &["--demo", "--database", url]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    let synced = server.get(&demo.path("shipments?sort=updated_at"), &demo.token).await;
    let boundary = synced.expect(200).json()["meta"]["sync_until"].as_str().unwrap().to_owned();
    let since = demo.path(&format!("shipments?sort=updated_at&updated_since={boundary}"));
    server.get(&since, &demo.token).await.expect(200);
    let moved = format!("UPDATE epoch SET copy = 'the primary of before'; {connections}");
    shell(&folder.0, &format!("psql -qc \"{moved}\" $DATABASE_URL"), url);
    (server, demo, since)
}

#[tokio::test]
async fn a_fail_over_is_noticed_before_anything_is_read_or_written() {
    let folder = Folder::new("fail-over");
    let fresh = || waybill_store::testing::fresh(waybill_store::testing::Database::Postgres);
    let scratch = tokio::task::spawn_blocking(fresh).await.unwrap();
    let ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let (server, demo, since) = move_database(&folder, &scratch.url, ended).await;
    server.get(&since, &demo.token).await.expect(410);
    drop(server);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}

#[tokio::test]
async fn a_dump_restored_beneath_a_running_server_is_noticed_within_seconds() {
    let folder = Folder::new("restored-beneath");
    let fresh = || waybill_store::testing::fresh(waybill_store::testing::Database::Postgres);
    let scratch = tokio::task::spawn_blocking(fresh).await.unwrap();
    let (server, demo, since) = move_database(&folder, &scratch.url, "").await;
    let begun = std::time::Instant::now();
    while server.get(&since, &demo.token).await.status != 410 {
        assert!(begun.elapsed() < std::time::Duration::from_secs(30), "nobody noticed");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    drop(server);
    tokio::task::spawn_blocking(move || drop(scratch)).await.unwrap();
}
