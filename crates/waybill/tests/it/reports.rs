//! Reports that are made while other things happen.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use serde_json::json;
use uuid::Uuid;
use waybill_api::state::Api;
use waybill_domain::document::SourceKind;
use waybill_domain::ids::{ReportId, ShipmentId, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::report::ReportState;
use waybill_domain::time::Time;
use waybill_engine::app::lease;
use waybill_store::shipments::{self, Shipment};
use waybill_store::{Error, Options, Store, Tx, documents, events, jobs, reports};
use waybill_worker::runner;
use waybill_worker::state::Worker;

use crate::harness::fixture::order;
use crate::harness::{Database, TestApp, databases};

/// Holds all threads of a store. What waits for one of them goes on with the next step.
struct Gate {
    store: Store,
    /// Each of these holds a thread until it is dropped.
    holders: Vec<Sender<()>>,
}

impl Gate {
    async fn shut(store: &Store) -> Gate {
        let mut gate = Gate { store: store.clone(), holders: Vec::new() };
        gate.step().await;
        gate
    }

    /// Lets through what waits now, and holds what comes later.
    async fn step(&mut self) {
        let options = Options::default();
        let threads = if self.store.is_shared() { options.connections } else { options.readers };
        let mut behind = Vec::new();
        for _ in 0..threads {
            let (holder, held) = channel::<()>();
            behind.push(holder);
            let store = self.store.clone();
            tokio::spawn(async move {
                let hold = move |_: &mut Tx<'_>| {
                    let _opened = held.recv();
                    Ok::<_, Error>(())
                };
                store.read(hold).await
            });
        }
        // They wait behind what is there before those in front of it go.
        tokio::time::sleep(Duration::from_millis(100)).await;
        self.holders = behind;
    }
}

/// A service with a shipment that is not booked, and nobody who runs jobs.
async fn service(database: Database) -> (TestApp, Shipment) {
    let app = TestApp::with_carrier(database, "http://127.0.0.1:9".to_owned()).await;
    let sender = r#"{"sender_address": {"contact": {"name": "Shop", "phone": "+4533112233"},
        "address": {"address_lines": ["Vesterbrogade 12"], "postal_code": "1620",
            "city": "København V", "country": "DK"}}}"#;
    waybill_engine::seed::seed_sandbox_team(&app.app, app.team, "sandbox", sender).await.unwrap();
    let batches = app.path("/booking-batches");
    let batch = app.post(&batches).admin().json("{}").send().await.expect(201);
    let members = format!("{batches}/{}/shipments", batch.at("/data/uuid").as_str().unwrap());
    let body = json!({"data": [order("FIRST")]}).to_string();
    let added = app.post(&members).admin().json(&body).send().await.expect(201);
    let id = ShipmentId::parse(added.at("/data/0/uuid").as_str().unwrap()).unwrap();
    let team = app.team;
    let first = app.app.read(move |tx| shipments::find(tx, team, id)).await.unwrap().unwrap();
    (app, first)
}

/// Adds so many like this one.
async fn copies(app: &TestApp, first: &Shipment, count: usize) {
    let (team, first) = (app.team, first.clone());
    let ids: Vec<Uuid> = (0..count).map(|_| app.app.new_uuid()).collect();
    let insert = move |tx: &mut Tx<'_>| {
        for id in &ids {
            let id = ShipmentId(*id);
            let copy = Shipment { id, batch: None, batch_position: None, ..first.clone() };
            shipments::insert(tx, team, &copy)?;
        }
        Ok::<_, Error>(())
    };
    app.app.write(insert).await.unwrap();
}

/// Removes them: nothing was told of them, which the invariants would say.
async fn forget_copies(app: &TestApp, first: &Shipment) {
    let id = first.id;
    let forget = move |tx: &mut Tx<'_>| {
        tx.exec("DELETE FROM shipment WHERE id <> $1", &[id.into()])?;
        Ok::<_, Error>(())
    };
    app.app.write(forget).await.unwrap();
}

/// Asks for a report of all shipments, in both formats.
async fn ask(app: &TestApp) -> ReportId {
    let now = app.app.now();
    let (from, to) = (Time(now.0 - 3_600_000_000), now.plus(Duration::from_hours(1)));
    let body = json!({"type": "shipments", "from": from.to_string(), "to": to.to_string(),
        "formats": ["xlsx", "pdf"]});
    let path = format!("/beta/teams/{}/reports", app.team);
    let post = app.post(&path).admin().header("request-id", "req-report").json(&body.to_string());
    let asked = post.send().await.expect(202);
    ReportId::parse(asked.at("/data/uuid").as_str().unwrap()).unwrap()
}

/// A worker of another server, which runs what is due.
fn run_elsewhere(server: &Arc<Api>) -> tokio::task::JoinHandle<()> {
    let worker = Worker::new(server.app().clone());
    tokio::spawn(async move {
        runner::run_due(&worker).await.unwrap();
    })
}

/// The state of the report, how many files it has, and how many events told of it.
async fn outcome(app: &TestApp, id: ReportId) -> (ReportState, usize, usize) {
    let team = app.team;
    let read = move |tx: &mut Tx<'_>| {
        let state = reports::find(tx, team, id)?.unwrap().state;
        let files = documents::list_of(tx, team, SourceKind::Report, id.into())?.len();
        Ok::<_, Error>((state, files, events::list_of(tx, team, id.into())?.len()))
    };
    app.app.read(read).await.unwrap()
}

/// Another worker has the job from now on, as if the lease of the first had ended.
async fn take_over(app: &TestApp, team: TeamId) -> jobs::Claimed {
    let now = app.app.now();
    loop {
        let take = move |tx: &mut Tx<'_>| {
            let now = tx.now(now)?;
            let ended = "UPDATE job SET run_at = 0 WHERE kind = 'report' AND due_at IS NOT NULL";
            match tx.exec(ended, &[])? {
                1 => jobs::claim_of(tx, JobKind::Report, team, now, lease()),
                _ => Ok(None),
            }
        };
        if let Some(claimed) = app.app.write(take).await.unwrap() {
            return claimed;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn a_worker_that_lost_its_lease_stops_at_the_next_page_and_writes_nothing(
    database: Database,
) {
    let (app, first) = service(database).await;
    // Eleven pages: far more than are read until the loss is noticed.
    copies(&app, &first, 5000).await;
    let (id, slow) = (ask(&app).await, app.beside(0, 0));
    let users = Arc::strong_count(slow.app());
    let mut gate = Gate::shut(slow.app().store()).await;
    let run = run_elsewhere(&slow);
    let taking = take_over(&app, app.team);
    tokio::pin!(taking);
    let claimed = loop {
        tokio::select! {
            claimed = &mut taking => break claimed,
            () = tokio::time::sleep(Duration::from_millis(500)) => gate.step().await,
        }
    };
    // It prolongs its lease every ten seconds, and then learns that it has none.
    while !run.is_finished() {
        tokio::time::sleep(Duration::from_secs(2)).await;
        gate.step().await;
    }
    run.await.unwrap();
    // The page that it waited for is read now, and none after it: the gate stays shut.
    gate.step().await;
    for _ in 0..600 {
        if Arc::strong_count(slow.app()) == users {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(Arc::strong_count(slow.app()), users, "it still reads");
    assert_eq!(outcome(&app, id).await, (ReportState::Pending, 0, 0));
    // The lease of the other one is as it was.
    let end = move |tx: &mut Tx<'_>| jobs::retry_at(tx, &claimed, claimed.due_at, "a test");
    assert!(app.app.write(end).await.unwrap());
    runner::run_due(&app.worker).await.unwrap();
    assert_eq!(outcome(&app, id).await, (ReportState::Ready, 2, 1));
    drop(gate);
    forget_copies(&app, &first).await;
}

/// The number of shipments in a summary, read by poppler.
fn total(file: &[u8]) -> usize {
    let path = std::env::temp_dir().join(format!("waybill-report-{}.pdf", std::process::id()));
    std::fs::write(&path, file).unwrap();
    let read = std::process::Command::new("pdftotext").arg("-layout").arg(&path).arg("-").output();
    std::fs::remove_file(&path).unwrap();
    let text = String::from_utf8(read.expect("./tools installs poppler").stdout).unwrap();
    // The figures are below their names, and the first is of all shipments.
    let mut figures = text.lines().skip_while(|line| !line.contains("Pending")).skip(1);
    let first = figures.find_map(|line| line.split_whitespace().next());
    first.and_then(|figure| figure.parse().ok()).unwrap_or_else(|| panic!("no total in {text}"))
}

fn row_count(file: &[u8]) -> usize {
    use calamine::{Reader, Xlsx};
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(file)).unwrap();
    let name = book.sheet_names()[0].clone();
    book.worksheet_range(&name).unwrap().rows().count() - 1
}

async fn the_files_of_a_report_agree_while_shipments_are_added(database: Database) {
    let (app, first) = service(database).await;
    let (id, slow) = (ask(&app).await, app.beside(0, 0));
    let mut gate = Gate::shut(slow.app().store()).await;
    let run = run_elsewhere(&slow);
    while !run.is_finished() {
        tokio::time::sleep(Duration::from_millis(200)).await;
        copies(&app, &first, 1).await;
        gate.step().await;
    }
    run.await.unwrap();
    let path = format!("/beta/teams/{}/reports/{id}", app.team);
    let report = app.get(&path).admin().send().await.expect(200);
    let mut files = Vec::new();
    for url in ["/data/documents/0/url", "/data/documents/1/url"] {
        let url = report.at(url);
        let path = url.as_str().unwrap().strip_prefix("http://waybill.test").unwrap().to_owned();
        files.push(app.get(&path).send().await.expect(200).bytes.clone());
    }
    let rows = row_count(&files[0]);
    assert!(rows > 1, "nothing was added before it was read");
    assert_eq!(total(&files[1]), rows);
    drop(gate);
    forget_copies(&app, &first).await;
}

async fn a_job_that_was_asked_for_knows_the_request(database: Database) {
    let (app, first) = service(database).await;
    let (report, batch) = (ask(&app).await, first.batch.unwrap());
    let start = app.path(&format!("/booking-batches/{batch}/start"));
    app.post(&start).admin().header("request-id", "req-start").send().await.expect(202);
    for (kind, subject, request_id) in
        [(JobKind::Report, report.into(), "req-report"), (JobKind::Batch, batch, "req-start")]
    {
        let alarm = app.app.read(move |tx| jobs::find_alarm(tx, kind, subject)).await.unwrap();
        assert_eq!(alarm.unwrap().request_id.as_deref(), Some(request_id));
    }
}

databases! {
    a_job_that_was_asked_for_knows_the_request
    a_worker_that_lost_its_lease_stops_at_the_next_page_and_writes_nothing
    the_files_of_a_report_agree_while_shipments_are_added
}
