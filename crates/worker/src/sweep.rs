//! Housekeeping that runs by the clock.

use std::time::Duration;

use waybill_engine::app::{App, lease};
use waybill_store::check::{self, Violation};
use waybill_store::{Error, jobs};

use super::job_outcome::JobOutcome;

const CHECK_PERIOD: Duration = Duration::from_mins(1);

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
