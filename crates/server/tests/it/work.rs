//! What the server does by itself.

use std::time::Duration;

use serde_json::json;
use waybill_server::work::runner;

use crate::harness::both;

both! {
    async fn a_key_is_kept_a_day_and_may_then_run_anew(app) {
        let path = app.path("/shipment-templates");
        let send = || async {
            let ask = app.post(&path).admin().header("idempotency-key", "order-4521-attempt");
            ask.json(r#"{"title":"T"}"#).send().await.expect(201)
        };
        runner::schedule_standing(&app.app).await.unwrap();
        let first = send().await;
        app.clock.advance(Duration::from_hours(24));
        runner::run_due(&app.app).await.unwrap();
        assert_eq!(send().await.at("/data/uuid"), first.at("/data/uuid"));
        app.clock.advance(Duration::from_hours(2));
        make_due(&app).await;
        runner::run_due(&app.app).await.unwrap();
        let anew = send().await;
        assert_eq!(anew.header("idempotency-replayed"), None);
        assert_ne!(anew.at("/data/uuid"), first.at("/data/uuid"));
    }

    async fn standing_jobs_run_again_and_again(app) {
        runner::schedule_standing(&app.app).await.unwrap();
        assert_eq!(runner::run_due(&app.app).await.unwrap(), 6);
        assert_eq!(runner::run_due(&app.app).await.unwrap(), 0);
        make_due(&app).await;
        assert_eq!(runner::run_due(&app.app).await.unwrap(), 6);
    }

    async fn a_job_of_a_newer_version_is_left_for_it(app) {
        let now = app.app.clock.now();
        let unknown = move |tx: &mut waybill_store::Tx<'_>| {
            let now = tx.now(now)?;
            waybill_store::jobs::schedule(tx, "from-the-future", uuid::Uuid::nil(), None, now)
        };
        app.app.store.write(unknown).await.unwrap();
        assert_eq!(runner::run_due(&app.app).await.unwrap(), 1);
        let note = app.app.store.read(|tx| {
            tx.one::<(String, bool)>("SELECT note, run_at IS NOT NULL FROM job", &[])
        });
        assert_eq!(json!(note.await.unwrap()), json!(["unknown kind of job", true]));
        let gone = |tx: &mut waybill_store::Tx<'_>| tx.exec("DELETE FROM job", &[]);
        app.app.store.write(gone).await.unwrap();
    }
}

/// Brings every alarm forward. On PostgreSQL the database's clock decides what is due, and that one
/// does not move when told.
async fn make_due(app: &crate::harness::TestApp) {
    let all = |tx: &mut waybill_store::Tx<'_>| {
        tx.exec("UPDATE job SET run_at = 0 WHERE run_at IS NOT NULL", &[])
    };
    app.app.store.write(all).await.unwrap();
}
