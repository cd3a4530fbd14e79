//! Claims due jobs and runs them. A crash at any point repeats at most the step that was running:
//! a lease that ends lets another worker claim, and the fence makes the late one's writes nothing.

use std::time::Duration;

use futures_util::future::join_all;
use uuid::Uuid;
use waybill_store::{Error, jobs};

use super::sweep;
use crate::app::App;

/// How long a worker may be silent before its jobs are taken over.
const LEASE: Duration = Duration::from_secs(30);
/// How many jobs are taken at once.
const CLAIM_MAX: i64 = 16;
/// The store is asked at least this often: a signal is only a hint.
const POLL: Duration = Duration::from_secs(1);
/// A job that failed is tried again after this time, doubled with each attempt.
const RETRY: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_mins(5);

/// Everything that the server does by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Job {
    /// Forgets idempotency keys that have served their time.
    ForgetKeys,
    /// Looks for broken invariants.
    Check,
}

/// What is to become of a job that ran.
pub enum Next {
    /// It runs again after this time, by the clock of the store.
    In(Duration),
    /// Something failed; it is tried again soon.
    Retry(String),
}

impl Job {
    /// The jobs that are always scheduled.
    pub const STANDING: [Job; 2] = [Job::ForgetKeys, Job::Check];

    fn kind(self) -> &'static str {
        match self {
            Job::ForgetKeys => "forget-keys",
            Job::Check => "check",
        }
    }

    fn read(claimed: &jobs::Claimed) -> Option<Job> {
        Job::STANDING.into_iter().find(|job| job.kind() == claimed.kind)
    }
}

/// Runs jobs until `stop` is done. Jobs under way are finished.
pub async fn run(app: App, stop: impl Future) {
    tokio::pin!(stop);
    let mut is_scheduled = false;
    loop {
        if !is_scheduled {
            is_scheduled = schedule_standing(&app).await.is_ok();
        }
        if let Err(error) = run_due(&app).await {
            tracing::warn!(%error, "due jobs could not be claimed");
        }
        tokio::select! {
            () = app.work_arrived.notified() => {}
            () = tokio::time::sleep(POLL) => {}
            _ = &mut stop => return,
        }
    }
}

/// Makes sure that every standing job has its alarm.
pub async fn schedule_standing(app: &App) -> Result<(), Error> {
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            let now = tx.now(now)?;
            for job in Job::STANDING {
                jobs::schedule(tx, job.kind(), Uuid::nil(), None, now)?;
            }
            Ok(())
        })
        .await
}

/// Runs what is due until nothing is, and tells how many jobs ran.
pub async fn run_due(app: &App) -> Result<usize, Error> {
    let mut count = 0;
    loop {
        let now = app.clock.now();
        let claimed = app
            .store
            .write(move |tx| {
                let now = tx.now(now)?;
                metrics::gauge!("waybill_jobs_overdue").set(jobs::any_overdue(tx, now)? as f64);
                jobs::claim(tx, &[], now, LEASE, CLAIM_MAX)
            })
            .await?;
        if claimed.is_empty() {
            return Ok(count);
        }
        count += claimed.len();
        join_all(claimed.into_iter().map(|job| run_one(app, job))).await;
    }
}

async fn run_one(app: &App, claimed: jobs::Claimed) {
    let lag = app.clock.now().since(claimed.due_at);
    metrics::histogram!("waybill_job_lag_seconds").record(lag.as_secs_f64());
    let next = match Job::read(&claimed) {
        Some(Job::ForgetKeys) => sweep::forget_keys(app).await,
        Some(Job::Check) => sweep::check(app).await,
        // Work of a newer version, running beside us during an upgrade.
        None => Next::Retry("unknown kind of job".to_owned()),
    };
    let now = app.clock.now();
    let kind = claimed.kind.clone();
    let ended = app
        .store
        .write(move |tx| match &next {
            Next::In(period) => {
                let at = tx.now(now)?.plus(*period);
                jobs::schedule(tx, &claimed.kind, claimed.subject, claimed.team, at)?;
                jobs::finish(tx, &claimed)
            }
            Next::Retry(note) => {
                let at = tx.now(now)?.plus(delay(claimed.attempt));
                tracing::warn!(kind = claimed.kind, note, "a job failed and is tried again");
                jobs::again(tx, &claimed, at, note)
            }
        })
        .await;
    match ended {
        Ok(true) => {}
        Ok(false) => tracing::warn!(kind, "a job took longer than its lease"),
        Err(error) => tracing::warn!(kind, %error, "the end of a job was not noted"),
    }
}

fn delay(attempt: i64) -> Duration {
    let doubled = u32::try_from(attempt.clamp(1, 16) - 1).unwrap_or(0);
    (RETRY * 2u32.pow(doubled)).min(RETRY_MAX)
}
