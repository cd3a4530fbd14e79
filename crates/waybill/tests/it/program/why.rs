//! `waybill why`: finds what is meant, and tells everything in plain words.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use waybill_store::testing::{Database, Scratch, fresh};

use super::backups::Demo;
use super::{Folder, Server, complaint, run, waybill};
use crate::harness::echo::{Echo, Manner};
use crate::harness::fixture::{order, order_with};

/// A server with a demo team, and what it takes to ask it.
struct Shop {
    folder: Folder,
    url: String,
    server: Server,
    path: String,
    token: String,
    _scratch: Option<Scratch>,
}

impl Shop {
    fn open(database: Database, name: &str) -> Shop {
        let folder = Folder::new(&format!("why-{name}-{database:?}"));
        let scratch = (database == Database::Postgres).then(|| fresh(database));
        let url = scratch.as_ref().map_or("sqlite:waybill.db".to_owned(), |s| s.url.clone());
        let server = Server::start(&folder.0, &["--demo", "--database", &url, "--log", "info"]);
        let demo = std::fs::read(folder.0.join("demo.json")).unwrap();
        let demo: Value = serde_json::from_slice(&demo).unwrap();
        let path = format!("/v2/teams/{}/shipments", demo["team_uuid"].as_str().unwrap());
        let token = demo["token"].as_str().unwrap().to_owned();
        Shop { folder, url, server, path, token, _scratch: scratch }
    }

    /// Books, and waits until the shipment is in this state.
    async fn book(&self, request_id: &str, reference: &str, state: &str) -> Value {
        let identifier = json!({"identifier": format!("id-{request_id}")});
        let body = order_with(reference, identifier).to_string();
        let reply = self.server.ask_as(request_id, "POST", &self.path, &self.token, &body);
        let made = reply.await.json();
        self.until(made["data"]["uuid"].as_str().unwrap(), state).await
    }

    async fn until(&self, id: &str, state: &str) -> Value {
        for _ in 0..1200 {
            let path = format!("{}/{id}", self.path);
            let now = self.server.get(&path, &self.token).await.expect(200).json();
            if now["data"]["state"] == state {
                return now["data"].clone();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{id} is never {state}");
    }

    fn why(&self, wanted: &str) -> String {
        let output = run(&self.folder.0, &["why", wanted, "--database", &self.url]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

fn names(line: &Value, request_id: &str) -> bool {
    let spans = line["spans"].as_array().cloned().unwrap_or_default();
    line["request_id"] == request_id || spans.iter().any(|span| span["request_id"] == request_id)
}

async fn plain_words(database: Database) {
    let shop = Shop::open(database, "words");
    let reference = "O-1 sim:documents=fail-once sim:cancel=drop";
    let booked = shop.book("req-book", reference, "booked").await;
    let id = booked["uuid"].as_str().unwrap();
    let cancel = format!("{}/{id}/cancel", shop.path);
    shop.server.ask_as("req-cancel", "POST", &cancel, &shop.token, "").await.expect(502);
    shop.until(id, "cancelled").await;
    let told = shop.why(id);
    for words in [
        "accepted by us (Request-ID req-book)",
        "attempt at the documents: failed: ",
        "attempt at the documents: they are ready (Request-ID req-book)",
        "call to cancel: no clear answer: ",
        "call to cancel: the carrier cancelled it (Request-ID req-cancel)",
        "call 1: the carrier accepted it\n",
    ] {
        assert!(told.contains(words), "{words}:\n{told}");
    }
    for words in ["{", "}", "Some(", "None", "fence", "waiting"] {
        assert!(!told.contains(words), "{words}:\n{told}");
    }
    let number = booked["parcels"][0]["tracking_number"].as_str().unwrap();
    for name in [reference, "id-req-book", number] {
        assert_eq!(shop.why(name), told, "{name}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut cut = waybill(&shop.folder.0, &["why", id, "--database", &shop.url]);
    let cut = cut.stdout(writer).output().unwrap();
    assert_eq!((cut.stderr.as_slice(), cut.status.code()), (&b""[..], Some(128 + 13)));
    let nobody = run(&shop.folder.0, &["why", "O-2", "--database", &shop.url]);
    assert_eq!(complaint(&nobody), "waybill: there is no shipment \"O-2\", or it was deleted");
}

async fn several(database: Database) {
    let shop = Shop::open(database, "several");
    let one = shop.book("req-1", "TWICE", "booked").await;
    let two = shop.book("req-2", "TWICE", "booked").await;
    let listed = shop.why("TWICE");
    assert!(
        listed.starts_with("2 shipments are called \"TWICE\": name one by its UUID\n"),
        "{listed}"
    );
    for shipment in [&one, &two] {
        assert!(listed.contains(shipment["uuid"].as_str().unwrap()), "{listed}");
    }
    assert!(shop.why(one["uuid"].as_str().unwrap()).contains("Request-ID req-1"));
}

async fn unclear(database: Database) {
    let shop = Shop::open(database, "unclear");
    let booked = shop.book("req-drop", "D-1 sim:drop", "booked").await;
    let id = booked["uuid"].as_str().unwrap();
    let request = shop.server.logged(|line| {
        line["message"] == "request" && line["method"] == "POST" && line["shipment"] == id
    });
    assert_eq!(request.await["request_id"], "req-drop");
    let warning = shop.server.logged(|line| line["level"] == "WARN" && names(line, "req-drop"));
    assert_eq!(warning.await["message"], "a carrier's answer is unclear");
    let told = shop.why(id);
    assert!(told.contains("attempt to book: no clear answer: "), "{told}");
    // What was concluded from before does not stand beside the outcome.
    assert!(told.contains("call 1: the carrier accepted it\n"), "{told}");

    let failing = shop.book("req-docs", "D-2 sim:documents=fail", "failed").await;
    let documents = format!("{}/{}/documents", shop.path, failing["uuid"].as_str().unwrap());
    shop.server.ask_as("req-again", "POST", &documents, &shop.token, "").await.expect(202);
    let is_told = |told: &str| {
        told.lines()
            .any(|l| l.contains("attempt at the documents: failed") && l.contains("req-again"))
    };
    let mut told = String::new();
    for _ in 0..600 {
        told = shop.why("D-2 sim:documents=fail");
        if is_told(&told) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(is_told(&told), "{told}");
    assert!(
        told.contains("attempt at the documents: failed") && told.contains("req-docs"),
        "{told}"
    );
    // It has failed once more when nothing is tried any more.
    shop.until(failing["uuid"].as_str().unwrap(), "failed").await;
    let told = shop.why("D-2 sim:documents=fail");
    assert!(told.contains("its documents failed: "), "{told}");
}

/// Where the first line with these words is.
fn place(told: &str, words: &str) -> usize {
    let place = told.lines().position(|line| line.contains(words));
    place.unwrap_or_else(|| panic!("{words}:\n{told}"))
}

/// A cause is told before what follows from it.
async fn causes(database: Database) {
    let shop = Shop::open(database, "causes");
    let booked = shop.book("req-book", "C-1 sim:track=1s", "booked").await;
    let id = booked["uuid"].as_str().unwrap();
    let mut told = String::new();
    for _ in 0..600 {
        told = shop.why(id);
        if told.contains("event tracking.updated") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(place(&told, "feed 1") < place(&told, "event tracking.updated"), "{told}");
    let cancel = format!("{}/{id}/cancel", shop.path);
    shop.server.ask_as("req-cancel", "POST", &cancel, &shop.token, "").await.expect(200);
    let told = shop.why(id);
    let asked = place(&told, "call to cancel: the carrier cancelled it");
    assert!(asked < place(&told, "Z  cancelled"), "{told}");
    assert!(asked < place(&told, "event shipment.cancelled"), "{told}");
}

/// What is under way and what failed is said, once.
async fn plainly(database: Database) {
    let mut shop = Shop::open(database, "plainly");
    let booked = shop.book("req-1", "W-1 sim:cancel=drop", "booked").await;
    shop.book("req-2", "W-2 sim:documents=fail", "failed").await;
    shop.book("req-3", "W-3 sim:reject", "failed").await;
    let cancel = format!("{}/{}/cancel", shop.path, booked["uuid"].as_str().unwrap());
    shop.server.ask_as("req-cancel", "POST", &cancel, &shop.token, "").await.expect(502);
    shop.server.child.kill().unwrap();
    shop.server.child.wait().unwrap();
    let told = shop.why("W-1 sim:cancel=drop");
    assert!(!told.contains("nothing is under way"), "{told}");
    once(&told, "booked with sandbox:home: the carrier has it, and is asked to cancel it");
    let line = told.lines().nth(place(&told, "call to cancel")).unwrap();
    assert_eq!(line.matches("answer").count(), 1, "{line}");
    let told = shop.why("W-2 sim:documents=fail");
    once(&told, "failed with sandbox:home: its parcels are followed");
    once(&told, "its documents failed: the carrier took the booking, and they could not be made");
    once(&shop.why("W-3 sim:reject"), "its booking failed: the carrier refused it");
    let odd = run(&shop.folder.0, &["why", "A\u{1b}[31m\u{202e}", "--database", &shop.url]);
    let said = "waybill: there is no shipment \"A\\u001b[31m\\u202e\", or it was deleted";
    assert_eq!(complaint(&odd), said);
}

#[tokio::test(flavor = "multi_thread")]
async fn why_tells_a_cause_before_its_event_on_sqlite() {
    causes(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_tells_a_cause_before_its_event_on_postgresql() {
    causes(Database::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_says_what_is_under_way_and_what_failed_on_sqlite() {
    plainly(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_says_what_is_under_way_and_what_failed_on_postgresql() {
    plainly(Database::Postgres).await;
}

/// The words occur once.
fn once(told: &str, words: &str) {
    assert_eq!(told.matches(words).count(), 1, "{words}:\n{told}");
}

/// What is not usual: a part that was taken, a carrier that cannot be asked, documents again.
async fn unusual(database: Database) {
    let shop = Shop::open(database, "unusual");
    let two = json!([{"gross_weight": {"value": 1200, "unit": "g"}},
                     {"gross_weight": {"value": 1300, "unit": "g"}}]);
    let body = order_with("P-1 sim:partial", json!({"parcels": two})).to_string();
    let partial = shop.server.ask("POST", &shop.path, &shop.token, &body).await.json();
    shop.until(partial["data"]["uuid"].as_str().unwrap(), "failed").await;
    let told = shop.why("P-1 sim:partial");
    once(&told, "call 1: the carrier accepted a part of it");
    once(&told, "the carrier has 1 of 2 parcels as ");
    assert!(!told.contains("accepted it"), "{told}");

    let failing = shop.book("req-docs", "P-2 sim:documents=fail", "failed").await;
    let documents = format!("{}/{}/documents", shop.path, failing["uuid"].as_str().unwrap());
    shop.server.ask_as("req-again", "POST", &documents, &shop.token, "").await.expect(202);
    let told = shop.why("P-2 sim:documents=fail");
    once(&told, "attempt at the documents: asked for again (Request-ID req-again)");
    let said = "The label could not be made, as it was told.";
    for line in told.lines().filter(|line| line.contains("documents: failed")) {
        once(line, said);
    }

    let blind = json!({"delivery": {"service_code": "sandbox:no_lookup"}});
    let body = order_with("P-3 sim:drop", blind).to_string();
    // The server would hold the answer back for ten seconds; a caller who hangs up changes nothing.
    let asked = shop.server.ask("POST", &shop.path, &shop.token, &body);
    assert!(tokio::time::timeout(Duration::from_secs(2), asked).await.is_err());
    let mut told = String::new();
    for _ in 0..600 {
        told = shop.why("P-3 sim:drop");
        if told.contains("call 1: unclear") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    once(&told, "the carrier may have it and cannot be asked: look at the carrier's own list");
    assert!(!told.contains("is asked whether"), "{told}");
    once(&told, "call 1: unclear: the carrier may have it");
    assert!(!told.contains("attempt to book"), "it is told twice:\n{told}");
    assert!(!told.contains(" failed: "), "it is still being booked:\n{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn why_tells_what_a_carrier_took_said_and_cannot_be_asked_once_on_sqlite() {
    unusual(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_tells_what_a_carrier_took_said_and_cannot_be_asked_once_on_postgresql() {
    unusual(Database::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_tells_every_request_call_and_attempt_in_plain_words_on_sqlite() {
    plain_words(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_tells_every_request_call_and_attempt_in_plain_words_on_postgresql() {
    plain_words(Database::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_lists_the_shipments_that_have_the_same_reference_on_sqlite() {
    several(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_lists_the_shipments_that_have_the_same_reference_on_postgresql() {
    several(Database::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_names_its_shipment_and_a_carriers_warning_its_request_on_sqlite() {
    unclear(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_names_its_shipment_and_a_carriers_warning_its_request_on_postgresql() {
    unclear(Database::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_waits_because_its_carrier_keeps_failing_says_so_and_until_when() {
    let folder = Folder::new("why-paused");
    // The demo makes its team with a carrier that answers.
    assert!(Server::start(&folder.0, &["--demo"]).stop());
    let carrier = Echo::before("http://127.0.0.1:9").await;
    carrier.now(Manner::Repeats(500));
    let server = Server::start(&folder.0, &["--demo", "--sandbox-carrier-url", &carrier.url]);
    let demo = Demo::read(&folder.0);
    let path = demo.path("shipments");
    let book = async |number: usize| {
        let body = order(&format!("ORDER-{number}")).to_string();
        server.ask("POST", &path, &demo.token, &body).await
    };
    let told = async {
        server.logged(|line| line["message"] == "a carrier keeps failing: bookings wait").await;
        let mut told = String::new();
        for _ in 0..200 {
            let output = run(&folder.0, &["why", "ORDER-6"]);
            told = String::from_utf8(output.stdout).unwrap();
            if told.contains("because its carrier keeps failing") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        told
    };
    let sixth = async {
        server.logged(|line| line["message"] == "a carrier keeps failing: bookings wait").await;
        book(6).await
    };
    let (_, sixth, told) = tokio::join!(join_all((1..=5).map(book)), sixth, told);
    assert_eq!(sixth.status, 202);
    let line = told.lines().find(|line| line.contains("its carrier keeps failing"));
    let line = line.unwrap_or_else(|| panic!("{told}"));
    assert!(line.contains("the booking is looked at, because its carrier"), "{line}");
    assert!(line.contains("is left alone until 20"), "{line}");
}
