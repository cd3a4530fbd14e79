//! What the server does by itself.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use uuid::Uuid;
use waybill_domain::job::JobKind;
use waybill_worker::runner;

use crate::harness::{Database, TestApp, both};

both! {
    async fn a_key_is_kept_a_day_and_may_then_run_anew(app) {
        let path = app.path("/shipment-templates");
        let send = || async {
            let ask = app.post(&path).admin().header("idempotency-key", "order-4521-attempt");
            ask.json(r#"{"title":"T"}"#).send().await.expect(201)
        };
        runner::schedule_recurring(&app.app).await.unwrap();
        let first = send().await;
        app.clock.advance(Duration::from_hours(24));
        runner::run_due(&app.worker).await.unwrap();
        assert_eq!(send().await.at("/data/uuid"), first.at("/data/uuid"));
        app.clock.advance(Duration::from_hours(2));
        make_due(&app).await;
        runner::run_due(&app.worker).await.unwrap();
        let anew = send().await;
        assert_eq!(anew.header("idempotency-replayed"), None);
        assert_ne!(anew.at("/data/uuid"), first.at("/data/uuid"));
    }

    async fn recurring_jobs_run_again_and_again(app) {
        runner::schedule_recurring(&app.app).await.unwrap();
        let all = JobKind::RECURRING.len();
        assert_eq!(runner::run_due(&app.worker).await.unwrap(), all);
        assert_eq!(runner::run_due(&app.worker).await.unwrap(), 0);
        make_due(&app).await;
        assert_eq!(runner::run_due(&app.worker).await.unwrap(), all);
    }

    async fn a_job_of_a_newer_version_is_left_for_it(app) {
        let now = app.app.now();
        let unknown = move |tx: &mut waybill_store::Tx<'_>| {
            let now = tx.now(now)?;
            let insert = "INSERT INTO job (kind, subject, run_at) VALUES ('from-the-future', $1, $2)";
            tx.exec(insert, &[uuid::Uuid::nil().into(), now.into()])
        };
        app.app.write(unknown).await.unwrap();
        assert_eq!(runner::run_due(&app.worker).await.unwrap(), 0);
        let left = "SELECT run_at IS NOT NULL AND due_at IS NULL AND attempt = 0 FROM job";
        let left = app.app.read(move |tx| tx.one::<bool>(left, &[])).await;
        assert_eq!(left.unwrap(), Some(true));
        let gone = |tx: &mut waybill_store::Tx<'_>| tx.exec("DELETE FROM job", &[]);
        app.app.write(gone).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waited_while_no_worker_ran_is_late_and_not_broken() {
    waybill_engine::telemetry::recorder();
    let fixture = crate::harness::fixture::Fixture::new(Database::Sqlite).await;
    let app = &fixture.app;
    fixture.book(&crate::harness::fixture::order("LATE")).await.expect(201);
    let deadline = "UPDATE shipment SET state = 'processing', ending = NULL, deadline_at = 1";
    app.app.write(move |tx| tx.exec(deadline, &[])).await.unwrap();
    waybill_worker::sweep::check(&app.app).await;
    let reply = app.get("/metrics").send().await.expect(200);
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    assert!(text.contains("waybill_late 1") && text.contains("waybill_violations 0"), "{text}");
    let back = "UPDATE shipment SET state = 'booked', ending = 'booked', deadline_at = created_at";
    app.app.write(move |tx| tx.exec(back, &[])).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_sent_when_the_database_was_restored_is_told_as_that() {
    let app = TestApp::with_carrier(Database::Sqlite, "http://127.0.0.1:9".to_owned()).await;
    let sender = r#"{"sender_address": {"contact": {"name": "Shop", "phone": "+4533112233"},
        "address": {"address_lines": ["Vesterbrogade 12"], "postal_code": "1620",
            "city": "København V", "country": "DK"}}}"#;
    waybill_engine::seed::seed_sandbox_team(&app.app, app.team, "sandbox", sender).await.unwrap();
    waybill_worker::restored::begin_epoch(&app.app).await.unwrap();
    // Nobody runs jobs: it waits to be sent.
    let order = crate::harness::fixture::order("UNSENT").to_string();
    app.post(&app.path("/shipments")).admin().json(&order).send().await.expect(202);
    let moved = "UPDATE epoch SET copy = 'another'";
    app.app.write(move |tx| tx.exec(moved, &[])).await.unwrap();
    waybill_worker::restored::begin_epoch(&app.app).await.unwrap();
    runner::run_due(&app.worker).await.unwrap();
    let failure = "SELECT failure FROM shipment";
    let failure = app.app.read(move |tx| tx.one::<String>(failure, &[])).await.unwrap().unwrap();
    assert!(failure.contains("note-restored"), "{failure}");
}

/// What one server does wakes those who wait on another, and they need not look for themselves.
#[tokio::test(flavor = "multi_thread")]
async fn what_moves_on_one_server_is_told_on_the_others() {
    let app = TestApp::new(Database::Postgres).await;
    let (other, subject) = (app.beside(0, 0), Uuid::from_u128(7));
    let hinted = Arc::downgrade(&app.app);
    let hear = move |subject| {
        if let Some(app) = hinted.upgrade() {
            app.take_hint(subject);
        }
    };
    app.app.store().hear_hints(Box::new(hear)).unwrap();
    let mut waiter = app.app.listen(subject);
    let told = async {
        loop {
            // The connection that hears may not be there yet.
            other.app().wake_everywhere(subject);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = waiter.wait() => {}
        () = told => {}
        () = tokio::time::sleep(Duration::from_secs(30)) => panic!("nothing was heard"),
    }
    // Nobody runs jobs in the other process: whoever does is woken.
    other.app().wake_runner();
    let arrived = tokio::time::timeout(Duration::from_secs(30), app.app.work_arrived());
    arrived.await.expect("work arrives");
}

async fn at_most_two_reports_are_made_at_once(database: Database) {
    let app = TestApp::with_carrier(database, "http://127.0.0.1:9".to_owned()).await;
    let (path, count) = (format!("/beta/teams/{}/reports", app.team), 8);
    for _ in 0..count {
        let body = json!({"type": "shipments", "from": "2026-01-01T00:00:00Z",
            "to": "2026-02-01T00:00:00Z", "formats": ["pdf", "xlsx"]});
        app.post(&path).admin().json(&body.to_string()).send().await.expect(202);
    }
    let worker = tokio::spawn(runner::run(app.worker.clone(), std::future::pending::<()>()));
    let mut most = 0;
    for _ in 0..20_000 {
        let counts = app.app.read(|tx| {
            let leased = "SELECT count(*) FROM job WHERE kind = 'report' AND due_at IS NOT NULL";
            let made = "SELECT count(*) FROM report WHERE state = 'ready'";
            Ok::<_, waybill_store::Error>((tx.one::<i64>(leased, &[])?, tx.one::<i64>(made, &[])?))
        });
        let (leased, made) = counts.await.unwrap();
        most = most.max(leased.unwrap());
        if made == Some(count) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    worker.abort();
    let list = app.get(&path).admin().send().await.expect(200);
    let states = list.at("/data");
    assert!(states.as_array().unwrap().iter().all(|report| report["state"] == "ready"));
    assert!(most <= 2, "{most} at once");
}

mod at_most_two_reports_are_made_at_once {
    use crate::harness::Database;

    #[tokio::test(flavor = "multi_thread")]
    async fn sqlite() {
        super::at_most_two_reports_are_made_at_once(Database::Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn postgres() {
        super::at_most_two_reports_are_made_at_once(Database::Postgres).await;
    }
}

/// Brings every alarm forward. On PostgreSQL the database's clock decides what is due, and that one
/// does not move when told.
async fn make_due(app: &crate::harness::TestApp) {
    let all = |tx: &mut waybill_store::Tx<'_>| {
        tx.exec("UPDATE job SET run_at = 0 WHERE run_at IS NOT NULL", &[])
    };
    app.app.write(all).await.unwrap();
}
