//! Bookings that were held back after a restore: what is told of them, and the way out.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use waybill_store::testing::{Database, Scratch, fresh};

use super::backups::{Demo, shell, sqlite3, succeed};
use super::{Folder, Server, complaint, run};
use crate::harness::fixture::{order, order_with};

/// A server whose database became another copy while shipments waited in an open batch.
struct Restored {
    folder: Folder,
    url: String,
    server: Server,
    demo: Demo,
    /// The members of the batch.
    held: Vec<String>,
    _scratch: Option<Scratch>,
}

impl Restored {
    async fn with(database: Database, name: &str, references: &[&str]) -> Restored {
        let folder = Folder::new(&format!("held-{name}-{database:?}"));
        let scratch = (database == Database::Postgres).then(|| fresh(database));
        let url = scratch.as_ref().map_or("sqlite:waybill.db".to_owned(), |s| s.url.clone());
        let arguments = ["--demo", "--database", &url];
        let mut server = Server::start(&folder.0, &arguments);
        let demo = Demo::read(&folder.0);
        let batch = server.post(&demo.path("booking-batches"), &demo.token, json!({})).await;
        let batch = batch["data"]["uuid"].as_str().unwrap();
        let members = demo.path(&format!("booking-batches/{batch}/shipments"));
        let orders: Vec<Value> = references.iter().map(|reference| order(reference)).collect();
        let added = server.post(&members, &demo.token, json!({"data": orders})).await;
        let added = added["data"].as_array().unwrap().iter();
        let held = added.map(|one| one["uuid"].as_str().unwrap().to_owned()).collect();
        assert!(server.stop());
        let moved = "update epoch set copy = 'another'";
        let said = match scratch {
            Some(_) => shell(&folder.0, &format!("psql -qc \"{moved}\" $DATABASE_URL"), &url),
            None => sqlite3(&folder.0.join("waybill.db"), moved),
        };
        assert_eq!(said, "");
        let server = Server::start(&folder.0, &arguments);
        Restored { folder, url, server, demo, held, _scratch: scratch }
    }

    fn path(&self, rest: &str) -> String {
        self.demo.path(&format!("shipments/{}{rest}", self.held[0]))
    }

    async fn ask(&self, method: &str, rest: &str, status: u16) -> Value {
        let reply = self.server.ask(method, &self.path(rest), &self.demo.token, "").await;
        let reply = reply.expect(status);
        if status == 204 { Value::Null } else { reply.json() }
    }

    async fn failure(&self) -> String {
        let read = self.ask("GET", "", 200).await;
        assert_eq!(read["data"]["state"], "failed", "{read}");
        read["data"]["failure"]["message"].as_str().unwrap().to_owned()
    }

    fn why(&self) -> String {
        succeed(&self.folder.0, &["why", &self.held[0], "--database", &self.url])
    }
}

async fn way_out(database: Database) {
    let mut it = Restored::with(database, "out", &["FREE"]).await;
    let said = it.failure().await;
    assert!(said.contains("restored from a copy") && said.contains("waybill reconcile"), "{said}");
    assert!(!said.contains("in time") && !said.contains("late success"), "{said}");
    for (method, rest) in [("DELETE", ""), ("POST", "/cancel"), ("POST", "/documents")] {
        let refused = it.ask(method, rest, 409).await["message"].as_str().unwrap().to_owned();
        assert!(refused.contains("reconcile --not-booked"), "{method} {rest}: {refused}");
    }
    let told = it.why();
    assert!(told.contains("call 1: never made from here"), "{told}");
    assert!(told.contains("its booking failed: it was held back after a restore"), "{told}");
    assert!(!told.contains("is asked") && !told.contains("not ready in time"), "{told}");
    assert!(told.contains(": held back after a restore: the lost database may"), "{told}");
    assert!(told.contains("note that with `waybill reconcile --not-booked` and book"), "{told}");

    assert!(it.server.stop());
    // A list is believed only when what was booked must be on it.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let note = ["reconcile", "--database", &it.url, "--not-booked", &it.held[0]];
    let output = run(&it.folder.0, &note);
    let printed = String::from_utf8(output.stdout).unwrap();
    let line = format!("noted as not booked: shipment {}", it.held[0]);
    assert!(printed.contains(&line), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    it.server = Server::start(&it.folder.0, &["--demo", "--database", &it.url]);
    let said = it.failure().await;
    assert!(said.contains("Nothing was booked") && said.contains("restored"), "{said}");
    let told = it.why();
    assert!(told.contains("call 1: the carrier does not have it"), "{told}");
    assert!(told.contains(": nothing was booked, as noted with `waybill reconcile"), "{told}");
    it.ask("DELETE", "", 204).await;
    it.ask("GET", "", 404).await;
    assert!(it.server.stop());
    let checked = succeed(&it.folder.0, &["check", "--database", &it.url]);
    assert!(checked.ends_with("\n0 violations\n"), "{checked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_back_booking_is_told_of_truly_and_deleted_once_it_is_not_booked_on_sqlite() {
    way_out(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_back_booking_is_told_of_truly_and_deleted_once_it_is_not_booked_on_postgresql() {
    way_out(Database::Postgres).await;
}

async fn counted(database: Database) {
    let it = Restored::with(database, "count", &["A", "B", "C"]).await;
    let line = it.server.logged(|line| !line["bookings_held_back"].is_null()).await;
    assert_eq!(line["bookings_held_back"], 3, "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_counts_every_booking_that_is_held_back_members_included_on_sqlite() {
    counted(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_counts_every_booking_that_is_held_back_members_included_on_postgresql() {
    counted(Database::Postgres).await;
}

/// The UUIDs of the shipments that `waybill reconcile --json` tells are undecided.
fn undecided(folder: &Path) -> Vec<String> {
    let output = run(folder, &["reconcile", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = report["undecided"].as_array().unwrap().iter();
    all.map(|one| one["shipment_uuid"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_a_carrier_lists_is_not_noted_as_not_booked() {
    let mut it = Restored::with(Database::Sqlite, "listed", &["THERE", "FREE"]).await;
    // As the lost database may have done: another booking with the reference of the first.
    let made = it.demo.book(&it.server, "THERE").await;
    let made = made["uuid"].as_str().unwrap().replace('-', "");
    assert!(it.server.stop());
    let forgotten = "update carrier_call set reference = 'X' where hex(shipment) = upper";
    let forgotten = format!("{forgotten}('{made}')");
    sqlite3(&it.folder.0.join("waybill.db"), &forgotten);
    tokio::time::sleep(Duration::from_secs(4)).await;
    // What a carrier lists is told once, with what to do about it.
    assert_eq!(undecided(&it.folder.0), [it.held[1].clone()]);
    let told = String::from_utf8(run(&it.folder.0, &["reconcile"]).stdout).unwrap();
    assert_eq!(told.matches(&it.held[0]).count(), 1, "{told}");
    assert!(told.contains("Once it is cancelled there, note that with --not-booked."), "{told}");
    let refused = run(&it.folder.0, &["reconcile", "--not-booked", &it.held[0]]);
    let said = complaint(&refused);
    assert!(said.contains("sandbox has a booking with its reference"), "{said}");
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(undecided(&it.folder.0), [it.held[1].clone()]);
    // All that no carrier lists, and no others.
    let noted = run(&it.folder.0, &["reconcile", "--not-booked", "all"]);
    let told = String::from_utf8(noted.stdout).unwrap();
    let [there, free] = [&it.held[0], &it.held[1]];
    let kept = "sandbox has a booking with its reference";
    assert!(told.contains(&format!("not noted as not booked: shipment {there}: {kept}")), "{told}");
    assert!(told.contains(&format!("\nnoted as not booked: shipment {free}\n")), "{told}");
    assert!(undecided(&it.folder.0).is_empty());
    assert!(it.why().contains("held back after a restore"), "{}", it.why());
    let nobody = run(&it.folder.0, &["reconcile", "--not-booked", &it.held[1]]);
    assert!(complaint(&nobody).contains("is not undecided"), "{}", complaint(&nobody));
    let mistyped = complaint(&run(&it.folder.0, &["reconcile", "--not-booked", "xyz"]));
    assert!(mistyped.contains("write the shipment's UUID"), "{mistyped}");
}

#[tokio::test]
async fn a_booking_that_may_be_the_one_noted_as_not_booked_is_told_beside_it() {
    let mut it = Restored::with(Database::Sqlite, "nameless", &["HELD"]).await;
    let mut body = order("X");
    body.as_object_mut().unwrap().remove("reference");
    let made = it.server.post(&it.demo.path("shipments"), &it.demo.token, body).await;
    let made = made["data"]["uuid"].as_str().unwrap().replace('-', "");
    assert!(it.server.stop());
    let forgotten = "update carrier_call set reference = 'X' where hex(shipment) = upper";
    sqlite3(&it.folder.0.join("waybill.db"), &format!("{forgotten}('{made}')"));
    tokio::time::sleep(Duration::from_secs(4)).await;
    let noted = run(&it.folder.0, &["reconcile", "--not-booked", &it.held[0]]);
    let told = String::from_utf8(noted.stdout).unwrap();
    assert!(told.contains(&format!("noted as not booked: shipment {}", it.held[0])), "{told}");
    assert!(told.contains("nothing tells whose it is"), "{told}");
}

/// Books with a carrier that does not answer and cannot be asked: the shipment's UUID.
async fn book_in_silence(demo: &Demo, server: &Server) -> String {
    let blind = json!({"delivery": {"service_code": "sandbox:no_lookup"}});
    let (path, body) = (demo.path("shipments"), order_with("SILENT sim:drop", blind).to_string());
    let asked = server.ask("POST", &path, &demo.token, &body);
    assert!(tokio::time::timeout(Duration::from_secs(3), asked).await.is_err());
    demo.find(server, "SILENT%20sim:drop").await
}

#[tokio::test]
async fn what_a_restore_ended_is_told_as_that_and_not_as_a_deadline() {
    let folder = Folder::new("held-interrupted");
    let server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    let uuid = book_in_silence(&demo, &server).await;
    drop(server);
    sqlite3(&folder.0.join("waybill.db"), "update epoch set copy = 'another'");
    let server = Server::start(&folder.0, &["--demo"]);
    demo.until(&server, &uuid, "failed").await;
    let told = succeed(&folder.0, &["why", &uuid]);
    assert!(told.contains("the database was restored: it failed for whoever waits"), "{told}");
    assert!(!told.contains("the deadline passed"), "{told}");
}

/// A server is killed while it waits for a carrier, and its database is found to be another copy.
async fn end_at_once(database: Database) {
    let folder = Folder::new(&format!("held-at-once-{database:?}"));
    let scratch = (database == Database::Postgres).then(|| fresh(database));
    let url = scratch.as_ref().map_or("sqlite:waybill.db".to_owned(), |s| s.url.clone());
    let arguments = ["--demo", "--database", &url];
    let server = Server::start(&folder.0, &arguments);
    let demo = Demo::read(&folder.0);
    let uuid = book_in_silence(&demo, &server).await;
    drop(server);
    let moved = "update epoch set copy = 'another'";
    let said = match scratch {
        Some(_) => shell(&folder.0, &format!("psql -qc \"{moved}\" $DATABASE_URL"), &url),
        None => sqlite3(&folder.0.join("waybill.db"), moved),
    };
    assert_eq!(said, "");
    let server = Server::start(&folder.0, &arguments);
    let begun = tokio::time::Instant::now();
    demo.until(&server, &uuid, "failed").await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    drop(server);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_waited_when_the_database_was_restored_ends_at_once_on_sqlite() {
    end_at_once(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_waited_when_the_database_was_restored_ends_at_once_on_postgresql() {
    end_at_once(Database::Postgres).await;
}
