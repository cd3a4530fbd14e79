//! `waybill reconcile`: what it finds, what it can know, and how it ends.

use std::path::Path;

use waybill_domain::time::Clock;
use waybill_engine::clock::SystemClock;
use waybill_store::testing::{Database, fresh};

use super::backups::{Demo, sqlite3, succeed};
use super::{Folder, Server, complaint, run};
use crate::harness::fixture::order;

/// The reference, the finding and the shipment.
type Difference = (String, String, Option<String>);

/// What `waybill reconcile --json` finds, and how it ends.
fn reconciled(folder: &Path) -> (Vec<Difference>, Option<i32>) {
    let output = run(folder, &["reconcile", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let found = report["differences"].as_array().unwrap().iter().map(|found| {
        let (reference, finding) = (text(&found["reference"]), text(&found["finding"]));
        (reference.unwrap(), finding.unwrap(), text(&found["shipment_uuid"]))
    });
    (found.collect(), output.status.code())
}

#[tokio::test]
async fn a_booking_whose_shipment_was_held_back_is_found_as_failed_here() {
    let folder = Folder::new("reconcile-held");
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    let demo = Demo::read(&folder.0);
    // Nobody works: what is accepted waits, and so it is in the copy.
    let mut server = Server::start(&folder.0, &["--demo", "--role", "api"]);
    let (path, body) = (demo.path("shipments"), order("HELD").to_string());
    let asked = server.ask("POST", &path, &demo.token, &body);
    assert!(tokio::time::timeout(std::time::Duration::from_secs(2), asked).await.is_err());
    let uuid = demo.find(&server, "HELD").await;
    succeed(&folder.0, &["backup", "copy.db"]);
    assert!(server.stop());
    let mut server = Server::start(&folder.0, &["--demo"]);
    demo.until(&server, &uuid, "booked").await;
    demo.book(&server, "LOST").await;
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);

    let lost = ("LOST".to_owned(), "booked with the carrier, unknown here".to_owned(), None);
    let here = |finding: &str| ("HELD".to_owned(), finding.to_owned(), Some(uuid.clone()));
    let (found, code) = reconciled(&folder.0);
    assert!(found.contains(&here("booked with the carrier, not booked here yet")), "{found:?}");
    assert!(found.contains(&lost) && found.len() == 2, "{found:?}");
    assert_eq!(code, Some(1));
    let mut server = Server::start(&folder.0, &["--demo"]);
    demo.until(&server, &uuid, "failed").await;
    assert!(server.stop());
    let (found, _) = reconciled(&folder.0);
    assert!(found.contains(&here("booked with the carrier, failed here")), "{found:?}");
    assert!(found.contains(&lost) && found.len() == 2, "{found:?}");
    let told = String::from_utf8(run(&folder.0, &["reconcile"]).stdout).unwrap();
    let line = format!("booked with the carrier, failed here (shipment {uuid}): sandbox HELD, ");
    assert!(told.contains(&line), "{told}");
}

#[tokio::test]
async fn reconcile_ends_with_a_code_of_its_own_for_each_reason() {
    let folder = Folder::new("reconcile-codes");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    demo.book(&server, "A").await;
    let since = ["reconcile", "--since", "2026-01-01T00:00:00Z"];
    let deaf = [&since[..], &["--sandbox-carrier-url", "http://127.0.0.1:9"]].concat();
    assert_eq!(run(&folder.0, &since).status.code(), Some(4), "the server has the carrier");
    assert!(server.stop());
    assert_eq!(run(&folder.0, &since).status.code(), Some(0));
    assert_eq!(run(&folder.0, &["reconcile"]).status.code(), Some(2), "nothing was restored");
    assert_eq!(run(&folder.0, &["reconcile", "--since", "soon"]).status.code(), Some(2));
    assert_eq!(run(&folder.0, &["reconcile", "--sinse", "now"]).status.code(), Some(2));
    let ahead = ["reconcile", "--since", "2999-01-01T00:00:00Z"];
    assert_eq!(run(&folder.0, &ahead).status.code(), Some(2), "nothing is booked yet");
    let reference = [&since[..], &["--not-booked", "A"]].concat();
    assert_eq!(run(&folder.0, &reference).status.code(), Some(2), "not a UUID");
    assert_eq!(run(&folder.0, &deaf).status.code(), Some(3));
    let other = Folder::new("reconcile-codes-other");
    assert!(Server::start(&other.0, &["--demo"]).stop());
    std::fs::copy(other.0.join("waybill.key"), folder.0.join("other.key")).unwrap();
    for (name, value) in [
        ("--secret-key-file", "no.key"),
        ("--secret-key-file", "other.key"),
        ("--database", "sqlite:no.db"),
    ] {
        let lacking = run(&folder.0, &[&since[..], &[name, value]].concat());
        assert_eq!(lacking.status.code(), Some(4), "{name}");
    }
    // The carrier has it, and here it is gone.
    sqlite3(&folder.0.join("waybill.db"), "update carrier_call set reference = 'another'");
    assert_eq!(run(&folder.0, &since).status.code(), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_kept_nothing_is_not_said_to_have_been_asked() {
    let folder = Folder::new("reconcile-postgresql");
    let scratch = fresh(Database::Postgres);
    let mut server = Server::start(&folder.0, &["--demo", "--database", &scratch.url]);
    Demo::read(&folder.0).book(&server, "A").await;
    assert!(server.stop());
    let since = ["reconcile", "--since", "2026-01-01T00:00:00Z", "--database", &scratch.url];
    let output = run(&folder.0, &since);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains("not known: sandbox account ") && told.contains("kept nothing"),
        "{told}"
    );
    assert_eq!(output.status.code(), Some(3));
}

#[tokio::test]
async fn a_parcel_that_was_cancelled_in_the_lost_time_is_found_and_told_what_to_do_about() {
    let folder = Folder::new("reconcile-cancelled");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    let reference = "PAPER sim:documents=fail";
    let (path, body) = (demo.path("shipments"), order(reference).to_string());
    let failed = server.ask("POST", &path, &demo.token, &body).await.expect(502).json();
    let uuid = failed["data"]["uuid"].as_str().unwrap().to_owned();
    succeed(&folder.0, &["backup", "copy.db"]);
    let cancel = format!("{path}/{uuid}/cancel");
    server.ask("POST", &cancel, &demo.token, "").await.expect(200);
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);
    let (found, code) = reconciled(&folder.0);
    let finding = "cancelled with the carrier, failed here".to_owned();
    assert_eq!(found, [(reference.to_owned(), finding, Some(uuid.clone()))]);
    assert_eq!(code, Some(1));
    let told = String::from_utf8(run(&folder.0, &["reconcile"]).stdout).unwrap();
    assert!(told.contains("Cancel the shipment here too"), "{told}");
    // What it says can be done.
    let mut server = Server::start(&folder.0, &["--demo"]);
    server.ask("POST", &cancel, &demo.token, "").await.expect(200);
    assert!(server.stop());
    assert_eq!(reconciled(&folder.0), (Vec::new(), Some(0)));
}

#[tokio::test]
async fn a_sandbox_whose_journal_is_elsewhere_is_not_said_to_have_been_asked() {
    let (old, new) = (Folder::new("journal-old"), Folder::new("journal-new"));
    let mut server = Server::start(&old.0, &["--demo"]);
    succeed(&old.0, &["backup", "copy.db"]);
    Demo::read(&old.0).book(&server, "LOST").await;
    assert!(server.stop());
    for name in ["copy.db", "waybill.key"] {
        std::fs::copy(old.0.join(name), new.0.join(name)).unwrap();
    }
    succeed(&new.0, &["restore", "copy.db"]);
    for more in [&[][..], &["--not-booked", "all"]] {
        let output = run(&new.0, &[&["reconcile"], more].concat());
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(
            told.contains("sandbox-carrier.jsonl, where it keeps its bookings, is not"),
            "{told}"
        );
        assert_eq!(output.status.code(), Some(3), "{told}");
    }
    assert!(!new.0.join("sandbox-carrier.jsonl").exists());
}

#[tokio::test]
async fn a_second_restore_does_not_hide_what_the_first_one_lost() {
    let folder = Folder::new("reconcile-twice");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    for (copy, reference) in [("first.db", "LOST-1"), ("second.db", "LOST-2")] {
        succeed(&folder.0, &["backup", copy]);
        demo.book(&server, reference).await;
        assert!(server.stop());
        succeed(&folder.0, &["restore", copy]);
        if reference == "LOST-1" {
            server = Server::start(&folder.0, &["--demo"]);
        }
    }
    // Before the next start notices the second restore, and after it.
    for _ in 0..2 {
        let (found, _) = reconciled(&folder.0);
        let mut lost: Vec<_> = found.iter().map(|(reference, ..)| reference.as_str()).collect();
        lost.sort_unstable();
        assert_eq!(lost, ["LOST-1", "LOST-2"]);
        assert!(Server::start(&folder.0, &["--demo"]).stop());
    }
}

#[tokio::test]
async fn differences_are_counted_in_words_that_fit_their_number() {
    let folder = Folder::new("reconcile-count");
    let mut server = Server::start(&folder.0, &["--demo"]);
    let demo = Demo::read(&folder.0);
    succeed(&folder.0, &["backup", "copy.db"]);
    demo.book(&server, "LOST").await;
    assert!(server.stop());
    succeed(&folder.0, &["restore", "copy.db"]);
    let told = String::from_utf8(run(&folder.0, &["reconcile"]).stdout).unwrap();
    assert!(told.contains("\n1 difference, 0 undecided besides, "), "{told}");
    let since = SystemClock::start().now().to_string();
    let told = run(&folder.0, &["reconcile", "--since", &since]).stdout;
    let told = String::from_utf8(told).unwrap();
    assert!(told.contains("\n0 differences, 0 undecided, "), "{told}");
}

#[test]
fn without_a_noticed_restore_reconcile_says_only_what_it_can_know() {
    let folder = Folder::new("reconcile-nothing");
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    let output = run(&folder.0, &["reconcile"]);
    let said = complaint(&output);
    assert!(said.contains("no restore of this database was noticed"), "{said}");
    assert!(said.contains("--since") && !said.contains("was not restored"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}
