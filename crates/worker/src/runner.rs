//! Claims due jobs and runs them. A crash at any point repeats at most the step that was running:
//! a lease that ends lets another worker claim, and the fence makes the late one's writes nothing.

mod slots;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tracing::Instrument;
use uuid::Uuid;
use waybill_domain::job::JobKind;
use waybill_domain::retention::Kept;
use waybill_domain::time::Time;
use waybill_engine::app::{App, lease};
use waybill_engine::handoff::HandedJob;
use waybill_engine::timings::{Part, Timings, Waiting};
use waybill_store::jobs::Claimed;
use waybill_store::{Error, Tx, jobs};

use super::forget::{Forgotten, forget};
use super::job_outcome::JobOutcome;
use super::state::Worker;
use super::{agents, batch, book, cancel, deliver, orphans, print, refresh, report, sweep, track};
use slots::{FreeSlots, Slots, TeamRotation};

/// Bookings and cancellations of one team that are under way at once: those of others find slots
/// when its carrier is slow.
const TEAM_CALLS_MAX: i64 = 256;
/// One that is too many waits so long.
const TEAM_PAUSE: Duration = Duration::from_secs(2);
/// The store is asked at least this often: a signal is only a hint.
const POLL: Duration = Duration::from_secs(1);
/// And not more often than this unasked.
const PAUSE_MIN: Duration = Duration::from_millis(5);
/// The longest rest after deliveries that nobody waits for.
const REST_MAX: Duration = Duration::from_millis(20);
/// Jobs under way get this long to finish when the server stops; the rest is taken over later.
const DRAIN: Duration = Duration::from_secs(20);
/// Alarms that cannot be right are looked for this often.
const MEND_PERIOD: Duration = Duration::from_mins(1);
/// A job that failed is tried again after this time, doubled with each attempt.
const RETRY: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_mins(5);

/// Runs jobs until `stop` is done, and lets those under way finish.
pub fn run(worker: Arc<Worker>, stop: impl Future + Send + 'static) -> BoxFuture<'static, ()> {
    boxed(worker, Box::pin(async move { drop(stop.await) }))
}

/// Boxed here, because a future is compiled once more in each crate that waits for it.
fn boxed(worker: Arc<Worker>, stop: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
    Box::pin(run_until(worker, stop))
}

async fn run_until(worker: Arc<Worker>, mut stop: BoxFuture<'static, ()>) {
    let app = &worker.app;
    let Some(mut handoff) = app.handoff().open() else { return };
    let (slots, mut fairness) = (Slots::default(), Fairness::default());
    let mut running = JoinSet::new();
    let mut is_scheduled = false;
    let mut mended = None;
    loop {
        let up = app.monotonic();
        if mended.is_none_or(|at| up.saturating_sub(at) >= MEND_PERIOD) {
            mended = Some(up);
            let mending = sweep::mend_jobs(app);
            let mending = spawn_during(mending, &worker, &slots, &mut running, &mut handoff);
            if let Err(error) = mending.await {
                tracing::warn!(%error, "alarms could not be looked through");
            }
        }
        if !is_scheduled {
            is_scheduled = schedule_recurring(app).await.is_ok();
        }
        let (pause, asked) =
            claim_and_spawn(&worker, &slots, &mut fairness, &mut running, &mut handoff).await;
        let wait = tokio::time::sleep(pause);
        tokio::pin!(wait);
        loop {
            tokio::select! {
                Some(handed) = handoff.recv() => spawn(&worker, &slots, &mut running, handed),
                Some(_) = running.join_next() => if slots.has_opened(&asked) { break },
                () = app.work_arrived() => break,
                () = &mut wait => break,
                () = &mut stop => {
                    app.handoff().close();
                    return drain(running).await;
                }
            }
        }
    }
}

async fn drain(mut running: JoinSet<()>) {
    let all = async { while running.join_next().await.is_some() {} };
    if tokio::time::timeout(DRAIN, all).await.is_err() {
        tracing::warn!("some jobs did not finish in time; they are taken over after their lease");
    }
}

/// Starts what is due, and tells how long nothing will be, and for what there was room.
async fn claim_and_spawn(
    worker: &Arc<Worker>,
    slots: &Slots,
    fairness: &mut Fairness,
    running: &mut JoinSet<()>,
    handoff: &mut mpsc::UnboundedReceiver<HandedJob>,
) -> (Duration, FreeSlots) {
    loop {
        // However much is due, whoever waits for a booking is served meanwhile.
        while let Ok(handed) = handoff.try_recv() {
            spawn(worker, slots, running, handed);
        }
        let free = slots.free();
        if free.all_kinds().is_empty() {
            return (POLL, free);
        }
        let looking = look_for_work(&worker.app, &free, fairness);
        match spawn_during(looking, worker, slots, running, handoff).await {
            Ok(claims) if claims.is_last() => return (claims.pause, free),
            Ok(claims) => {
                let handed = claims.jobs.into_iter().map(HandedJob::claimed);
                handed.for_each(|handed| spawn(worker, slots, running, handed));
            }
            Err(error) => {
                tracing::warn!(%error, "due jobs could not be claimed");
                return (POLL, free);
            }
        }
    }
}

/// Waits for the store, and starts what is handed over meanwhile. The store may wait for a lock
/// that another server has, and that one may hang: no booking waits for it.
async fn spawn_during<T>(
    work: impl Future<Output = T>,
    worker: &Arc<Worker>,
    slots: &Slots,
    running: &mut JoinSet<()>,
    handoff: &mut mpsc::UnboundedReceiver<HandedJob>,
) -> T {
    tokio::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            Some(handed) = handoff.recv() => spawn(worker, slots, running, handed),
        }
    }
}

fn spawn(worker: &Arc<Worker>, slots: &Slots, running: &mut JoinSet<()>, handed: HandedJob) {
    let (worker, semaphore) = (worker.clone(), slots.of(handed.job.kind).clone());
    // At once where there is one, so that no more is claimed than there are slots.
    let slot = semaphore.clone().try_acquire_owned();
    running.spawn(async move {
        let _slot = match slot {
            Ok(slot) => slot,
            Err(_) => match semaphore.acquire_owned().await {
                Ok(slot) => slot,
                // A closed semaphore would mean that nobody runs jobs any more.
                Err(_) => return,
            },
        };
        run_job(&worker, handed).await;
    });
}

/// Makes sure that every recurring job has its alarm.
pub async fn schedule_recurring(app: &App) -> Result<(), Error> {
    let now = app.now();
    app.write(move |tx| {
        let now = tx.now(now)?;
        for kind in JobKind::RECURRING.iter().copied() {
            // Carriers are asked when their time has come, not at every start.
            let status = jobs::find(tx, kind, Uuid::nil())?;
            let is_set = status.is_some_and(|(run_at, ..)| run_at.is_some());
            if kind != JobKind::RefreshPoints || !is_set {
                jobs::schedule(tx, kind, Uuid::nil(), None, now)?;
            }
        }
        Ok(())
    })
    .await
}

/// Runs what is due until nothing is, and tells how many jobs ran.
pub async fn run_due(worker: &Arc<Worker>) -> Result<usize, Error> {
    let app = &worker.app;
    let mut count = 0;
    sweep::mend_jobs(app).await?;
    let fan_out = deliver::TeamPacing::without_rest();
    let mut fairness = Fairness { fan_out, ..Fairness::default() };
    loop {
        let claims = look_for_work(app, &FreeSlots::anything(), &mut fairness).await?;
        if claims.is_last() {
            return Ok(count);
        }
        count += claims.jobs.len();
        for job in claims.jobs {
            run_job(worker, HandedJob::claimed(job)).await;
        }
    }
}

/// Whose turn it is, where all teams share what there is.
#[derive(Clone, Default)]
struct Fairness {
    reports: TeamRotation,
    fan_out: deliver::TeamPacing,
    /// No deliveries are made before, because nobody waits for them and others want to write.
    rest_until: Option<Instant>,
}

/// What a look at the store brought.
struct Claims {
    jobs: Vec<jobs::Claimed>,
    /// How long nothing will be due; zero when there is more now.
    pause: Duration,
}

impl Claims {
    /// Whether nothing is left to do now.
    fn is_last(&self) -> bool {
        self.jobs.is_empty() && !self.pause.is_zero()
    }
}

/// Makes deliveries of what happened, schedules new parcels and leases due jobs.
async fn look_for_work(
    app: &App,
    free: &FreeSlots,
    fairness: &mut Fairness,
) -> Result<Claims, Error> {
    let (now, instant, ids) = (app.now(), app.monotonic(), app.ids().clone());
    let (free, before, pauses) = (free.clone(), fairness.clone(), app.pauses().clone());
    let limit = i64::try_from(free.count).unwrap_or(1);
    let started = Instant::now();
    let rest = fairness.rest_until.map(|until| until.saturating_duration_since(started));
    let rest = rest.filter(|rest| !rest.is_zero());
    let work = move |tx: &mut Tx<'_>| {
        let (mut after, times) = (before.clone(), (now, instant));
        let fanned_out = match rest {
            Some(rest) => deliver::FannedOut::nothing(rest),
            None => deliver::fan_out(tx, ids.as_ref(), times, &pauses, &mut after.fan_out)?,
        };
        let has_more = track::schedule_new_trackings(tx, now)? || fanned_out.has_more;
        let now = tx.now(now)?;
        let mut claimed = jobs::claim(tx, &free.kinds, now, lease(), limit)?;
        claimed.extend(claim_reports(tx, &mut after.reports, free.reports, now)?);
        // Kinds without a free slot are not counted.
        let next = jobs::any_next_due(tx, &free.all_kinds())?;
        let pause = next.map_or(POLL, |at| at.since(now).min(POLL));
        let pause = pause.min(fanned_out.rest.unwrap_or(POLL));
        metrics::gauge!("waybill_jobs_overdue").set(jobs::any_overdue(tx, now)? as f64);
        let pause = if has_more { Duration::ZERO } else { pause.max(PAUSE_MIN) };
        Ok::<_, Error>((fanned_out, Claims { jobs: claimed, pause }, after))
    };
    let (fanned_out, claims, after) = app.write(work).await?;
    *fairness = after;
    let woken = fanned_out.woken;
    if !woken.is_empty() && !fanned_out.is_urgent && fairness.fan_out.has_rests() {
        // Others may write for as long as this took.
        fairness.rest_until = Some(Instant::now() + started.elapsed().min(REST_MAX));
    }
    // A queue that is under way looks again.
    woken.into_iter().for_each(|webhook| app.wake(webhook));
    Ok(claims)
}

/// Leases due reports, one team's after another's.
fn claim_reports(
    tx: &mut Tx<'_>,
    rotation: &mut TeamRotation,
    count: usize,
    now: Time,
) -> Result<Vec<jobs::Claimed>, Error> {
    let mut claimed = Vec::new();
    while claimed.len() < count {
        let waiting = jobs::any_waiting_teams(tx, JobKind::Report, now)?;
        let Some(team) = rotation.next(&waiting) else { break };
        // None when another server is just taking it.
        let Some(job) = jobs::claim_of(tx, JobKind::Report, team, now, lease())? else { break };
        rotation.serve(team);
        claimed.push(job);
    }
    Ok(claimed)
}

/// Runs a job. Whatever is logged on the way names it, and the request for which it runs.
async fn run_job(worker: &Arc<Worker>, handed: HandedJob) {
    let Claimed { kind, subject, request_id, .. } = &handed.job;
    let request_id = request_id.as_deref();
    // The span has level ERROR, so that no filter removes it.
    let span = match subject.is_nil() {
        true => tracing::error_span!("job", %kind),
        false => tracing::error_span!("job", %kind, %subject, request_id),
    };
    run_and_end(worker, handed).instrument(span).await;
}

async fn run_and_end(worker: &Arc<Worker>, handed: HandedJob) {
    let app = &worker.app;
    let claimed = handed.job.clone();
    let lag = app.now().since(claimed.due_at);
    let kind = claimed.kind;
    metrics::histogram!("waybill_job_lag_seconds", "kind" => kind.name()).record(lag.as_secs_f64());
    let calling = claimed.team.filter(|_| matches!(kind, JobKind::Book | JobKind::Cancel));
    let slot = calling.map(|team| worker.bookings_under_way.take(team, TEAM_CALLS_MAX));
    let next = match slot {
        // The team has as many under way as it may have.
        Some(None) => JobOutcome::In(TEAM_PAUSE),
        _slot => {
            let ended = run_kind(worker, handed).await;
            ended.unwrap_or_else(|error| JobOutcome::Retry(error.to_string()))
        }
    };
    let now = app.now();
    if let JobOutcome::Retry(note) = &next {
        // Here and not in the transaction, which runs on another thread.
        tracing::warn!(%kind, note, "a job failed and is tried again");
    }
    let ended = match next {
        JobOutcome::AlreadyEnded => return,
        next => app.write(move |tx| end(tx, &claimed, &next, now)).await,
    };
    match ended {
        Ok(true) => {}
        Ok(false) => tracing::warn!(%kind, "a job took longer than its lease"),
        Err(error) => tracing::warn!(%kind, %error, "the end of a job was not noted"),
    }
}

/// Every kind of job and what runs it.
async fn run_kind(worker: &Arc<Worker>, handed: HandedJob) -> Result<JobOutcome, Error> {
    let (app, claimed) = (&worker.app, handed.job);
    match claimed.kind {
        JobKind::Batch => batch::run(app, &claimed).await,
        JobKind::Book | JobKind::BookMember => {
            let timings = timings_of(app, handed.waiting);
            book::run(app, claimed, handed.shipment, timings)
                .await
                .map(|()| JobOutcome::AlreadyEnded)
        }
        JobKind::Cancel => keep(app, &claimed, cancel::run(app, &claimed)).await,
        JobKind::Report => report::run(app, &claimed).await,
        JobKind::Deliver => deliver::run(worker, claimed).await.map(|()| JobOutcome::AlreadyEnded),
        JobKind::Track => keep(app, &claimed, track::run(worker, &claimed)).await,
        JobKind::Print => print::run(worker, &claimed).await,
        JobKind::PrintAgent => agents::run(app, &claimed).await,
        JobKind::ExpireIdempotencyKeys => Ok(forget(worker, Forgotten::Keys).await),
        JobKind::ForgetDeliveries => Ok(forget(worker, Forgotten::Kept(Kept::Deliveries)).await),
        JobKind::ForgetAttempts => Ok(forget(worker, Forgotten::Kept(Kept::Attempts)).await),
        JobKind::ForgetReports => Ok(forget(worker, Forgotten::Kept(Kept::Reports)).await),
        JobKind::ForgetMerges => Ok(forget(worker, Forgotten::Kept(Kept::Merges)).await),
        JobKind::ForgetQuarantine => Ok(forget(worker, Forgotten::Kept(Kept::Quarantine)).await),
        JobKind::ForgetRemoved => Ok(forget(worker, Forgotten::Removed).await),
        JobKind::ForgetSignIns => Ok(forget(worker, Forgotten::SignIns).await),
        JobKind::ForgetOAuth => Ok(forget(worker, Forgotten::OAuth).await),
        JobKind::ForgetAudit => Ok(forget(worker, Forgotten::Kept(Kept::Audit)).await),
        JobKind::TrimFeeds => Ok(forget(worker, Forgotten::Kept(Kept::Feed)).await),
        JobKind::RefreshPoints => {
            let refreshed = refresh::run(worker, claimed.attempt);
            keep(app, &claimed, async { Ok(refreshed.await) }).await
        }
        JobKind::Orphans => Ok(orphans::sweep(worker, &claimed).await),
        JobKind::Check => Ok(sweep::check(app).await),
    }
}

/// Does what waits for carriers, with the lease kept meanwhile. Where another worker has the job by
/// now, that one ends it.
async fn keep(
    app: &App,
    claimed: &jobs::Claimed,
    work: impl Future<Output = Result<JobOutcome, Error>>,
) -> Result<JobOutcome, Error> {
    let done = waybill_engine::lease::keep(app, claimed, work).await;
    done.unwrap_or(Ok(JobOutcome::AlreadyEnded))
}

/// Who waits is told from now on what the job takes, and how long it took to begin.
fn timings_of(app: &App, waiting: Option<Waiting>) -> Arc<Timings> {
    let Some(Waiting { timings, since }) = waiting else { return Arc::default() };
    timings.note(Part::Queue, app.monotonic().saturating_sub(since));
    timings
}

fn end(
    tx: &mut Tx<'_>,
    claimed: &jobs::Claimed,
    next: &JobOutcome,
    now: Time,
) -> Result<bool, Error> {
    match next {
        JobOutcome::AlreadyEnded => Ok(true),
        JobOutcome::Done => jobs::finish(tx, claimed),
        JobOutcome::In(period) => {
            let at = tx.now(now)?.plus(*period);
            jobs::wait_until(tx, claimed, at)
        }
        JobOutcome::Retry(note) => {
            let at = tx.now(now)?.plus(delay(claimed.attempt));
            jobs::retry_at(tx, claimed, at, note)
        }
    }
}

fn delay(attempt: i64) -> Duration {
    let doubled = u32::try_from(attempt.clamp(1, 16) - 1).unwrap_or(0);
    (RETRY * 2u32.pow(doubled)).min(RETRY_MAX)
}
