//! What may go after a while goes by itself, and callers are told that it is not there.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::retention::Kept;
use waybill_domain::time::Clock;
use waybill_store::documents;
use waybill_worker::forget::{Forgotten, forget};
use waybill_worker::runner;

use crate::harness::bucket::{Kept as Place, TestStore};
use crate::harness::receiver::{Reaction, Receiver};
use crate::harness::{Database, TestApp, both, databases};
use crate::webhooks::happen;

fn days(count: u64) -> Duration {
    Duration::from_hours(24 * count)
}

const SECOND: Duration = Duration::from_secs(1);

fn reports(app: &TestApp) -> String {
    format!("/beta/teams/{}/reports", app.team)
}

/// Asks for a report, and tells its path.
async fn ask(app: &TestApp) -> String {
    let body = json!({"type": "shipments", "from": "2026-01-01T00:00:00Z",
        "to": "2026-02-01T00:00:00Z", "formats": ["xlsx", "pdf"]});
    let asked = app.post(&reports(app)).admin().json(&body.to_string()).send().await.expect(202);
    format!("{}/{}", reports(app), asked.at("/data/uuid").as_str().unwrap())
}

/// Makes what was asked for.
async fn make(app: &TestApp) {
    runner::run_due(&app.worker).await.unwrap();
}

/// What an answer shows at this place, as the path of a request.
fn path_at(shown: &Value) -> String {
    shown.as_str().unwrap().strip_prefix("http://waybill.test").unwrap().to_owned()
}

/// How many files have bytes.
async fn file_count(app: &TestApp) -> usize {
    let all = app.app.read(|tx| documents::any_list_content(tx, &[], 100)).await;
    all.unwrap().len()
}

async fn forget_reports(app: &TestApp) {
    forget(&app.worker, Forgotten::Kept(Kept::Reports)).await;
}

both! {
    async fn a_report_goes_with_its_files_and_one_that_is_a_second_younger_stays(app) {
        let old = ask(&app).await;
        make(&app).await;
        let shown = app.get(&old).admin().send().await.expect(200);
        let document = shown.at("/data/documents/0/uuid").as_str().unwrap().to_owned();
        let document = format!("/beta/teams/{}/documents/{document}", app.team);
        app.clock.advance(SECOND);
        let young = ask(&app).await;
        make(&app).await;
        app.clock.advance(days(400) - SECOND);
        forget_reports(&app).await;
        app.get(&old).admin().send().await.expect(200);
        app.clock.advance(SECOND);
        forget_reports(&app).await;
        app.get(&old).admin().send().await.expect(404);
        app.get(&document).admin().send().await.expect(404);
        let listed = app.get(&reports(&app)).admin().send().await.expect(200);
        assert_eq!(listed.at("/data").as_array().unwrap().len(), 1);
        let left = app.get(&young).admin().send().await.expect(200);
        for place in ["/data/documents/0/url", "/data/documents/1/url"] {
            app.get(&path_at(&left.at(place))).send().await.expect(200);
        }
        app.clock.advance(SECOND);
        forget_reports(&app).await;
        app.get(&young).admin().send().await.expect(404);
        assert_eq!(file_count(&app).await, 0);
    }

    async fn a_report_that_is_not_made_yet_stays_however_old(app) {
        let waiting = ask(&app).await;
        app.clock.advance(days(900));
        forget_reports(&app).await;
        app.get(&waiting).admin().send().await.expect(200);
        make(&app).await;
        let made = app.get(&waiting).admin().send().await.expect(200);
        assert_eq!(made.at("/data/state"), "ready");
    }

    async fn the_operator_says_for_how_long(app) {
        let report = ask(&app).await;
        make(&app).await;
        let hasty = app.beside_forgetting("reports=2d");
        app.clock.advance(days(2));
        forget(&hasty, Forgotten::Kept(Kept::Reports)).await;
        app.get(&report).admin().send().await.expect(200);
        app.clock.advance(SECOND);
        forget_reports(&app).await;
        app.get(&report).admin().send().await.expect(200);
        forget(&hasty, Forgotten::Kept(Kept::Reports)).await;
        app.get(&report).admin().send().await.expect(404);
    }

    async fn more_than_a_bite_goes_in_one_sweep(app) {
        for _ in 0..3 {
            for _ in 0..10 {
                ask(&app).await;
            }
            make(&app).await;
        }
        app.clock.advance(days(401));
        forget_reports(&app).await;
        let listed = app.get(&reports(&app)).admin().send().await.expect(200);
        assert_eq!(listed.at("/data"), json!([]));
        assert_eq!(file_count(&app).await, 0);
    }

    async fn a_delivery_that_went_is_not_found_and_its_event_is_sent_anew(app) {
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        let body = json!({"url": receiver.url(), "events": ["report.ready"]}).to_string();
        let made = app.post(&app.path("/webhooks")).admin().json(&body).send().await.expect(201);
        let webhook = app.path(&format!("/webhooks/{}", made.at("/data/uuid").as_str().unwrap()));
        let since = app.clock.now();
        happen(&app).await;
        make(&app).await;
        let list = format!("{webhook}/deliveries");
        let sent = app.get(&list).admin().send().await.expect(200);
        let delivery = sent.at("/data/0/uuid").as_str().unwrap().to_owned();
        let retry = format!("{list}/{delivery}/retry");
        let sweep = || forget(&app.worker, Forgotten::Kept(Kept::Deliveries));
        app.clock.advance(days(30));
        sweep().await;
        app.post(&retry).admin().send().await.expect(202);
        app.clock.advance(SECOND);
        sweep().await;
        let waiting = app.get(&list).admin().send().await.expect(200);
        assert_eq!(waiting.at("/data/0/state"), "pending", "what is under way stays");
        make(&app).await;
        sweep().await;
        assert_eq!(app.get(&list).admin().send().await.expect(200).at("/data"), json!([]));
        app.post(&retry).admin().send().await.expect(404);
        let replay = json!({"since": since.to_string()}).to_string();
        app.post(&format!("{webhook}/replay")).admin().json(&replay).send().await.expect(202);
        make(&app).await;
        let again = app.get(&list).admin().send().await.expect(200);
        assert_eq!(again.at("/data/0/state"), "delivered");
    }
}

/// Runs all jobs that recur, whatever the clock of the database says.
async fn sweep_all(app: &TestApp) {
    runner::schedule_recurring(&app.app).await.unwrap();
    let due = |tx: &mut waybill_store::Tx<'_>| {
        tx.exec("UPDATE job SET run_at = 0 WHERE run_at IS NOT NULL", &[])
    };
    app.app.write(due).await.unwrap();
    runner::run_due(&app.worker).await.unwrap();
}

async fn bytes_in_a_folder_go_after_the_report_that_had_them(database: Database) {
    let place = TestStore::new(Place::Folder).await;
    let nowhere = "http://127.0.0.1:9".to_owned();
    let app = TestApp::keeping(database, nowhere, place.files().await).await;
    let report = ask(&app).await;
    make(&app).await;
    let hashes = app.app.read(|tx| documents::any_list_content(tx, &[], 9)).await.unwrap();
    assert_eq!(hashes.len(), 2);
    let home = app.app.files().home().unwrap();
    let is_kept = async |hash: &Vec<u8>| {
        let mut found = false;
        for shelf in [waybill_engine::files::Shelf::Kept, waybill_engine::files::Shelf::Aside] {
            found |= home.written_at(shelf, hash).await.unwrap().is_some();
        }
        found
    };
    sweep_all(&app).await;
    app.clock.pass(days(401));
    sweep_all(&app).await;
    app.get(&report).admin().send().await.expect(404);
    // Laid aside in one sweep, and removed a day later in another.
    for _ in 0..3 {
        app.clock.pass(Duration::from_hours(25));
        sweep_all(&app).await;
    }
    for hash in &hashes {
        assert!(!is_kept(hash).await);
    }
}

databases! {
    bytes_in_a_folder_go_after_the_report_that_had_them
}
