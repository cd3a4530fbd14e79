//! `waybill backup` and `waybill restore`, and what a restored database still promises.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{Folder, Server, complaint, run};
use crate::harness::fixture::order;

/// A folder, a server with a demo team in it, and what it takes to ask it.
pub fn opened(name: &str) -> (Folder, Server, Demo) {
    let folder = Folder::new(name);
    let server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    (folder, server, demo)
}

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
    pub async fn read_feed(&self, server: &Server, cursor: Option<&str>) -> (Vec<Value>, String) {
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
    pub async fn wait_for_feed(&self, server: &Server, count: usize) -> (usize, String) {
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
    let mut shell = Command::new("sqlite3");
    let output =
        shell.args(["-cmd", ".timeout 60000"]).arg(database).arg(command).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn a_backup_beside_a_live_server_is_whole_private_and_never_overwrites() {
    let (folder, server, demo) = opened("backup");
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
async fn a_backup_refuses_a_place_where_a_log_of_another_copy_lies() {
    let (folder, _server, _demo) = opened("backup-beside");
    for suffix in ["-wal", "-shm", "-journal"] {
        let left = folder.0.join(format!("copy.db{suffix}"));
        std::fs::write(&left, "of a copy that is gone").unwrap();
        let said = complaint(&run(&folder.0, &["backup", "copy.db"]));
        assert!(said.contains(&format!("copy.db{suffix}")) && said.contains("remove it"), "{said}");
        assert!(!folder.0.join("copy.db").exists());
        std::fs::remove_file(left).unwrap();
    }
    succeed(&folder.0, &["backup", "copy.db"]);
}

#[tokio::test]
async fn a_restore_leaves_the_copy_as_it_is_and_refuses_a_log_that_is_not_its_own() {
    let (folder, mut server, demo) = opened("restore-copy");
    demo.book(&server, "A").await;
    let (kept, file) = (folder.0.join("kept"), folder.0.join("waybill.db"));
    std::fs::create_dir(&kept).unwrap();
    for suffix in ["", "-wal"] {
        let name = format!("waybill.db{suffix}");
        std::fs::copy(folder.0.join(&name), kept.join(&name)).unwrap();
    }
    demo.book(&server, "B").await;
    assert!(server.stop());
    let copy = kept.join("waybill.db");
    let bytes = || std::fs::read(&copy).unwrap();
    // The two belong together, and stay two.
    let before = bytes();
    succeed(&folder.0, &["restore", "kept/waybill.db"]);
    assert_eq!(sqlite3(&file, "select count(*) from shipment"), "1\n");
    assert!(bytes() == before && kept.join("waybill.db-wal").exists());
    // A newer copy over the older one, whose log was forgotten there.
    let newer = std::fs::read_dir(&folder.0).unwrap().flatten().map(|entry| entry.path());
    let is_replaced = |path: &PathBuf| path.to_string_lossy().contains(".replaced-");
    let newer = newer.into_iter().find(is_replaced).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    std::fs::copy(&newer, &copy).unwrap();
    let before = bytes();
    let said = complaint(&run(&folder.0, &["restore", "kept/waybill.db"]));
    assert!(said.contains("do not belong together"), "{said}");
    assert!(bytes() == before && kept.join("waybill.db-wal").exists());
    std::fs::remove_file(kept.join("waybill.db-wal")).unwrap();
    let _absent = std::fs::remove_file(kept.join("waybill.db-shm"));
    succeed(&folder.0, &["restore", "kept/waybill.db"]);
    assert_eq!(sqlite3(&file, "select count(*) from shipment"), "2\n");
    assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 1);
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
    let output = run(&folder.0, &["restore", "broken.db"]);
    let broken = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(broken.starts_with("waybill: broken.db is broken:\n  integrity_check: "), "{broken}");
    assert!(!output.status.success());
    assert_eq!(std::fs::read(folder.0.join("waybill.db")).unwrap(), before);
    sqlite3(&folder.0.join("other.db"), "create table t (a)");
    let other = complaint(&run(&folder.0, &["restore", "other.db"]));
    assert_eq!(other, "waybill: other.db: this is not a database of Waybill");
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

/// A database most of whose pages are overwritten.
fn ruined(folder: &Path) {
    succeed(folder, &["team", "create", "--name", "Shop", "--domain", "shop.example.com"]);
    let database = folder.join("waybill.db");
    let fill = "create table filling (a);
        insert into filling select hex(randomblob(200)) from (with recursive n(i) as
          (select 1 union all select i + 1 from n where i < 5000) select i from n);
        pragma wal_checkpoint(truncate)";
    sqlite3(&database, fill);
    let mut bytes = std::fs::read(&database).unwrap();
    let half = bytes.len() / 2;
    for page in bytes[half..].chunks_mut(4096).step_by(3) {
        page.fill(0x5a);
    }
    std::fs::write(&database, bytes).unwrap();
}

#[test]
fn what_is_broken_is_told_one_finding_in_a_line_and_the_rest_is_counted() {
    let folder = Folder::new("ruined");
    ruined(&folder.0);
    let check = run(&folder.0, &["check"]);
    assert_eq!(check.status.code(), Some(1));
    let backup = run(&folder.0, &["backup", "copy.db"]);
    assert_eq!(backup.status.code(), Some(1));
    for (said, sign) in [(&check.stdout, "broken rule: "), (&backup.stderr, "  integrity_check: ")]
    {
        let said = String::from_utf8_lossy(said);
        assert!(said.lines().all(|line| line.len() < 300), "{said}");
        assert_eq!(said.lines().filter(|line| line.starts_with(sign)).count(), 20, "{said}");
        let rest = said.lines().filter(|line| line.trim_start().starts_with("and "));
        let rest: Vec<&str> = rest.collect();
        assert!(rest.len() == 1 && rest[0].ends_with(" more"), "{said}");
    }
}

#[tokio::test]
async fn bookings_that_a_restored_database_forgot_are_found_with_the_carrier() {
    let (folder, mut server, demo) = opened("reconcile");
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
pub fn documented(start: &str) -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/operations.md");
    let page = std::fs::read_to_string(page).unwrap();
    let line = page.lines().find(|line| line.starts_with(&format!("    {start} ")));
    line.unwrap_or_else(|| panic!("the page has no line with {start}")).trim().to_owned()
}

pub fn shell(folder: &Path, line: &str, url: &str) -> String {
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("DATABASE_URL", url)
        .output()
        .unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
