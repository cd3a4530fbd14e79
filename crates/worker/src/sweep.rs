//! Housekeeping that runs by the clock.

use std::time::Duration;

use uuid::Uuid;
use waybill_domain::ids::TeamId;
use waybill_engine::app::{App, lease};
use waybill_store::check::{self, Violation};
use waybill_store::{Error, deliveries, feed, idempotency, jobs};

use super::job_outcome::JobOutcome;
use super::retention;
use super::state::Worker;

/// Keys are kept at least 24 hours from acceptance. See [`retention::now`] for the hour more.
const KEY_LIFE: Duration = Duration::from_hours(25);
const KEY_PERIOD: Duration = Duration::from_mins(10);
const KEY_CHUNK: i64 = 1000;
/// How long it can be read what was sent to a webhook, and what came back.
const DELIVERY_LIFE: Duration = Duration::from_hours(30 * 24);
const DELIVERY_PERIOD: Duration = Duration::from_mins(10);
const DELIVERY_CHUNK: i64 = 200;
/// Entries of a feed are kept at least 90 days; two more forgive a clock that jumps.
const FEED_LIFE: Duration = Duration::from_hours(92 * 24);
const FEED_PERIOD: Duration = Duration::from_hours(1);
const FEED_CHUNK: i64 = 100;
const CHECK_PERIOD: Duration = Duration::from_mins(1);

/// Forgets idempotency keys that have served their time, a bounded number in each transaction.
pub async fn expire_idempotency_keys(worker: &Worker) -> JobOutcome {
    let app = &worker.app;
    let before = match retention::now(worker).await {
        Ok(now) => now.minus(KEY_LIFE),
        Err(error) => return JobOutcome::Retry(error.to_string()),
    };
    loop {
        let forgotten =
            app.write(move |tx| idempotency::any_delete_expired(tx, before, KEY_CHUNK)).await;
        match forgotten {
            Ok(count) if count < KEY_CHUNK.unsigned_abs() => return JobOutcome::In(KEY_PERIOD),
            Ok(_) => {}
            Err(error) => return JobOutcome::Retry(error.to_string()),
        }
    }
}

/// Forgets deliveries that ended long ago, a bounded number in each transaction.
pub async fn forget_deliveries(worker: &Worker) -> JobOutcome {
    let app = &worker.app;
    let before = match retention::now(worker).await {
        Ok(now) => now.minus(DELIVERY_LIFE),
        Err(error) => return JobOutcome::Retry(error.to_string()),
    };
    loop {
        let forgotten =
            app.write(move |tx| deliveries::any_delete_old(tx, before, DELIVERY_CHUNK)).await;
        match forgotten {
            Ok(count) if count < DELIVERY_CHUNK.unsigned_abs() => {
                return JobOutcome::In(DELIVERY_PERIOD);
            }
            Ok(_) => {}
            Err(error) => return JobOutcome::Retry(error.to_string()),
        }
    }
}

/// Lets entries of feeds expire, feed by feed.
pub async fn trim_feeds(worker: &Worker) -> JobOutcome {
    let app = &worker.app;
    let before = match retention::now(worker).await {
        Ok(now) => now.minus(FEED_LIFE),
        Err(error) => return JobOutcome::Retry(error.to_string()),
    };
    let mut after = TeamId(Uuid::nil());
    loop {
        let trim = move |tx: &mut waybill_store::Tx<'_>| {
            let teams = feed::any_teams(tx, after, FEED_CHUNK)?;
            for team in &teams {
                feed::set_floor(tx, *team, before)?;
            }
            Ok::<_, Error>(teams.last().copied())
        };
        match app.write(trim).await {
            Ok(Some(last)) => after = last,
            Ok(None) => return JobOutcome::In(FEED_PERIOD),
            Err(error) => return JobOutcome::Retry(error.to_string()),
        }
    }
}

/// Brings forward what a clock that was ahead has put off. It is not a job: that might be among
/// them.
pub async fn mend_jobs(app: &App) -> Result<(), Error> {
    let now = app.now();
    let mended = app.write(move |tx| check::mend_jobs(tx, now, lease())).await?;
    if mended > 0 {
        tracing::warn!(mended, "jobs were due later than they can be: a clock was ahead");
    }
    Ok(())
}

/// How often a server without workers counts what waits for one.
const WATCH_PERIOD: Duration = Duration::from_secs(5);

/// Tells what waits, on a server without workers: there may be none anywhere.
pub async fn watch(app: App) {
    let mut checked: Option<Duration> = None;
    while !app.is_stopping() {
        let (now, up) = (app.now(), app.monotonic());
        let overdue = app.read(move |tx| {
            let now = tx.now(now)?;
            jobs::any_overdue(tx, now)
        });
        match overdue.await {
            Ok(count) => metrics::gauge!("waybill_jobs_overdue").set(count as f64),
            Err(error) => tracing::debug!(%error, "what waits could not be counted"),
        }
        if checked.is_none_or(|at| up.saturating_sub(at) >= CHECK_PERIOD) {
            checked = Some(up);
            check(&app).await;
        }
        tokio::time::sleep(WATCH_PERIOD).await;
    }
}

/// Runs the cheap invariants. What they find is a metric that must read zero, and a line in the
/// log. What is only late is another metric: after a time without workers that is as it should be.
pub async fn check(app: &App) -> JobOutcome {
    let now = app.now();
    let recent = move |tx: &mut waybill_store::Tx<'_>| {
        let now = tx.now(now)?;
        check::check_recent(tx, now)
    };
    let found = app.read(recent).await;
    match found {
        Ok(violations) => {
            let (late, broken): (Vec<_>, Vec<_>) =
                violations.into_iter().partition(|it| it.is_late);
            metrics::gauge!("waybill_violations").set(broken.len() as f64);
            metrics::gauge!("waybill_late").set(late.len() as f64);
            for Violation { rule, subject, .. } in late {
                tracing::warn!(rule, subject, "something is late");
            }
            for Violation { rule, subject, .. } in broken {
                tracing::error!(rule, subject, "an invariant is broken");
            }
            JobOutcome::In(CHECK_PERIOD)
        }
        Err(error) => JobOutcome::Retry(error.to_string()),
    }
}
