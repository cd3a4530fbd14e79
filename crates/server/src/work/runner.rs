//! Claims due jobs and runs them. A crash at any point repeats at most the step that was running:
//! a lease that ends lets another worker claim, and the fence makes the late one's writes nothing.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tracing::Instrument;
use uuid::Uuid;
use waybill_store::jobs::Claimed;
use waybill_store::{Error, Tx, jobs};

use super::{batch, book, cancel, deliver, orphans, refresh, report, sweep, track};
use crate::app::{App, BATCH, BOOK, BOOK_MEMBER, CANCEL, DELIVER, Handed, REPORT, TRACK, lease};
use crate::points;
use crate::timings::{Part, Timings, Waiting};

/// How many jobs run at once: most of them wait for a carrier.
const JOBS_MAX: usize = 512;
/// How many members of batches are booked at once. They have seats of their own, so that no single
/// booking waits behind a batch.
const MEMBERS_MAX: usize = 256;
/// How many webhooks are sent to at once. They have seats of their own, so that receivers that do
/// not answer never keep a booking waiting.
const LANES_MAX: usize = 256;
/// How many accounts are asked about their parcels at once, for the same reason.
const TRACKS_MAX: usize = 64;
/// How many jobs are taken at once.
const CLAIM_MAX: usize = 64;
/// The store is asked at least this often: a signal is only a hint.
const POLL: Duration = Duration::from_secs(1);
/// And not more often than this unasked.
const PAUSE_MIN: Duration = Duration::from_millis(5);
/// Jobs under way get this long to finish when the server stops; the rest is taken over later.
const DRAIN: Duration = Duration::from_secs(20);
/// Alarms that cannot be right are looked for this often.
const MEND_PERIOD: Duration = Duration::from_mins(1);
/// A job that failed is tried again after this time, doubled with each attempt.
const RETRY: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_mins(5);

/// Everything that the server does by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Job {
    /// Books a shipment.
    Book,
    /// Books a member of a batch.
    BookMember,
    /// Begins a batch.
    Batch,
    /// Asks again about a cancellation.
    Cancel,
    /// Makes a report.
    Report,
    /// Sends a webhook what waits for it.
    Deliver,
    /// Asks a carrier about the parcels of an account.
    Track,
    /// Forgets idempotency keys that have served their time.
    ForgetKeys,
    /// Forgets deliveries that ended long ago.
    ForgetDeliveries,
    /// Lets entries of feeds expire.
    TrimFeeds,
    /// Asks carriers for their service points.
    RefreshPoints,
    /// Removes files that no row names.
    Orphans,
    /// Looks for broken invariants.
    Check,
}

/// What is to become of a job that ran.
pub enum Next {
    /// It runs again after this time, by the clock of the store.
    In(Duration),
    /// Something failed; it is tried again soon.
    Retry(String),
    /// It is done.
    Done,
    /// The job has seen to that itself.
    Settled,
}

impl Job {
    const ALL: &[Job] = &[
        Job::Book,
        Job::BookMember,
        Job::Batch,
        Job::Cancel,
        Job::Report,
        Job::Deliver,
        Job::Track,
        Job::ForgetKeys,
        Job::ForgetDeliveries,
        Job::TrimFeeds,
        Job::RefreshPoints,
        Job::Orphans,
        Job::Check,
    ];
    /// The jobs that are always scheduled.
    const STANDING: &[Job] = &[
        Job::ForgetKeys,
        Job::ForgetDeliveries,
        Job::TrimFeeds,
        Job::RefreshPoints,
        Job::Orphans,
        Job::Check,
    ];

    fn kind(self) -> &'static str {
        match self {
            Job::Book => BOOK,
            Job::BookMember => BOOK_MEMBER,
            Job::Batch => BATCH,
            Job::Cancel => CANCEL,
            Job::Report => REPORT,
            Job::Deliver => DELIVER,
            Job::Track => TRACK,
            Job::ForgetKeys => "forget-keys",
            Job::ForgetDeliveries => "forget-deliveries",
            Job::TrimFeeds => "trim-feeds",
            Job::RefreshPoints => points::REFRESH,
            Job::Orphans => "orphans",
            Job::Check => "check",
        }
    }

    fn read(claimed: &jobs::Claimed) -> Option<Job> {
        Job::ALL.iter().copied().find(|job| job.kind() == claimed.kind)
    }
}

/// The seats for jobs.
struct Room {
    jobs: Arc<Semaphore>,
    members: Arc<Semaphore>,
    lanes: Arc<Semaphore>,
    tracks: Arc<Semaphore>,
}

impl Default for Room {
    fn default() -> Room {
        let seats = |count| Arc::new(Semaphore::new(count));
        Room {
            jobs: seats(JOBS_MAX),
            members: seats(MEMBERS_MAX),
            lanes: seats(LANES_MAX),
            tracks: seats(TRACKS_MAX),
        }
    }
}

impl Room {
    fn seats(&self, kind: &str) -> &Arc<Semaphore> {
        match kind {
            DELIVER => &self.lanes,
            BOOK_MEMBER => &self.members,
            TRACK => &self.tracks,
            _ => &self.jobs,
        }
    }

    /// Which kinds of jobs have free seats, where no kind stands for all, and how many may be
    /// taken.
    fn free(&self) -> (Vec<&'static str>, usize) {
        let free = |kind: &str| self.seats(kind).available_permits();
        let mut kinds: Vec<_> = Job::ALL.iter().copied().map(Job::kind).collect();
        kinds.retain(|kind| free(kind) > 0);
        let count = kinds.iter().map(|kind| free(kind)).min().unwrap_or(0);
        if kinds.len() == Job::ALL.len() {
            kinds.clear();
        }
        (kinds, count.min(CLAIM_MAX))
    }
}

/// Runs jobs until `stop` is done, and lets those under way finish.
pub async fn run(app: App, stop: impl Future) {
    let Some(mut door) = app.door.open() else { return };
    let room = Room::default();
    let mut running = JoinSet::new();
    let mut is_scheduled = false;
    let mut mended = None;
    tokio::pin!(stop);
    loop {
        let up = app.clock.monotonic();
        if mended.is_none_or(|at| up.saturating_sub(at) >= MEND_PERIOD) {
            mended = Some(up);
            if let Err(error) = sweep::mend_jobs(&app).await {
                tracing::warn!(%error, "alarms could not be looked through");
            }
        }
        if !is_scheduled {
            is_scheduled = schedule_standing(&app).await.is_ok();
        }
        let pause = claim_and_spawn(&app, &room, &mut running).await;
        let wait = tokio::time::sleep(pause);
        tokio::pin!(wait);
        loop {
            tokio::select! {
                Some(handed) = door.recv() => spawn(&app, &room, &mut running, handed),
                Some(_) = running.join_next() => {}
                () = app.work_arrived.notified() => break,
                () = &mut wait => break,
                _ = &mut stop => {
                    app.door.close();
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

/// Starts what is due, and tells how long nothing will be.
async fn claim_and_spawn(app: &App, room: &Room, running: &mut JoinSet<()>) -> Duration {
    loop {
        let (kinds, limit) = room.free();
        if limit == 0 {
            return POLL;
        }
        match claim(app, kinds, limit).await {
            Ok((claimed, pause)) if claimed.is_empty() && !pause.is_zero() => return pause,
            Ok((claimed, _)) => {
                let handed = claimed.into_iter().map(Handed::claimed);
                handed.for_each(|handed| spawn(app, room, running, handed));
            }
            Err(error) => {
                tracing::warn!(%error, "due jobs could not be claimed");
                return POLL;
            }
        }
    }
}

fn spawn(app: &App, room: &Room, running: &mut JoinSet<()>, handed: Handed) {
    let (app, seats) = (app.clone(), room.seats(&handed.job.kind).clone());
    running.spawn(async move {
        // A closed semaphore would mean that nobody runs jobs any more.
        let Ok(_seat) = seats.acquire().await else { return };
        run_one(&app, handed).await;
    });
}

/// Makes sure that every standing job has its alarm.
pub async fn schedule_standing(app: &App) -> Result<(), Error> {
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            let now = tx.now(now)?;
            for job in Job::STANDING {
                // Carriers are asked when their time has come, not at every start.
                let standing = jobs::find(tx, job.kind(), Uuid::nil())?;
                let is_set = standing.is_some_and(|(run_at, ..)| run_at.is_some());
                if *job != Job::RefreshPoints || !is_set {
                    jobs::schedule(tx, job.kind(), Uuid::nil(), None, now)?;
                }
            }
            Ok(())
        })
        .await
}

/// Runs what is due until nothing is, and tells how many jobs ran.
pub async fn run_due(app: &App) -> Result<usize, Error> {
    let mut count = 0;
    sweep::mend_jobs(app).await?;
    loop {
        let (claimed, pause) = claim(app, Vec::new(), CLAIM_MAX).await?;
        if claimed.is_empty() && !pause.is_zero() {
            return Ok(count);
        }
        count += claimed.len();
        for job in claimed {
            run_one(app, Handed::claimed(job)).await;
        }
    }
}

/// Tells webhooks of what happened and leases due jobs; and how long until the next one is due.
async fn claim(
    app: &App,
    kinds: Vec<&'static str>,
    limit: usize,
) -> Result<(Vec<jobs::Claimed>, Duration), Error> {
    let (now, ids) = (app.clock.now(), app.ids.clone());
    let limit = i64::try_from(limit).unwrap_or(1);
    let work = move |tx: &mut Tx<'_>| {
        let told = deliver::fan_out(tx, ids.as_ref(), now)?;
        let has_more = track::watch(tx, now)? || told.has_more;
        let now = tx.now(now)?;
        let claimed = jobs::claim(tx, &kinds, now, lease(), limit)?;
        let next = jobs::any_next_due(tx)?;
        let pause = next.map_or(POLL, |at| at.since(now).min(POLL));
        metrics::gauge!("waybill_jobs_overdue").set(jobs::any_overdue(tx, now)? as f64);
        let pause = if has_more { Duration::ZERO } else { pause.max(PAUSE_MIN) };
        Ok::<_, Error>((told.woken, claimed, pause))
    };
    let (woken, claimed, pause) = app.store.write(work).await?;
    // A lane that is under way looks again.
    woken.into_iter().for_each(|webhook| app.wake.tell(webhook));
    Ok((claimed, pause))
}

/// Runs a job. Whatever is logged on the way names it, and the request for which it runs.
async fn run_one(app: &App, handed: Handed) {
    let Claimed { kind, subject, request_id, .. } = &handed.job;
    let request_id = request_id.as_deref();
    // As grave as can be, so that the lines below have it whatever is logged.
    let span = match subject.is_nil() {
        true => tracing::error_span!("job", kind),
        false => tracing::error_span!("job", kind, %subject, request_id),
    };
    perform(app, handed).instrument(span).await;
}

async fn perform(app: &App, handed: Handed) {
    let claimed = handed.job;
    let lag = app.clock.now().since(claimed.due_at);
    metrics::histogram!("waybill_job_lag_seconds").record(lag.as_secs_f64());
    let next = match Job::read(&claimed) {
        Some(Job::Batch) => match batch::run(app, &claimed).await {
            Ok(next) => next,
            Err(error) => Next::Retry(error.to_string()),
        },
        Some(Job::Book | Job::BookMember) => {
            let timings = begin(app, handed.waiting);
            match book::run(app, claimed.clone(), handed.shipment, timings).await {
                Ok(()) => Next::Settled,
                Err(error) => Next::Retry(error.to_string()),
            }
        }
        Some(Job::Cancel) => match cancel::run(app, &claimed).await {
            Ok(next) => next,
            Err(error) => Next::Retry(error.to_string()),
        },
        Some(Job::Report) => match report::run(app, &claimed).await {
            Ok(next) => next,
            Err(error) => Next::Retry(error.to_string()),
        },
        Some(Job::Deliver) => match deliver::run(app, claimed.clone()).await {
            Ok(()) => Next::Settled,
            Err(error) => Next::Retry(error.to_string()),
        },
        Some(Job::Track) => match track::run(app, &claimed).await {
            Ok(next) => next,
            Err(error) => Next::Retry(error.to_string()),
        },
        Some(Job::ForgetKeys) => sweep::forget_keys(app).await,
        Some(Job::ForgetDeliveries) => sweep::forget_deliveries(app).await,
        Some(Job::TrimFeeds) => sweep::trim_feeds(app).await,
        Some(Job::RefreshPoints) => refresh::run(app).await,
        Some(Job::Orphans) => orphans::sweep(app, &claimed).await,
        Some(Job::Check) => sweep::check(app).await,
        // Work of a newer version, running beside us during an upgrade.
        None => Next::Retry("unknown kind of job".to_owned()),
    };
    let now = app.clock.now();
    let kind = claimed.kind.clone();
    if let Next::Retry(note) = &next {
        // Here and not in the transaction, which runs on another thread.
        tracing::warn!(kind, note, "a job failed and is tried again");
    }
    let ended = match next {
        Next::Settled => return,
        next => app.store.write(move |tx| end(tx, &claimed, &next, now)).await,
    };
    match ended {
        Ok(true) => {}
        Ok(false) => tracing::warn!(kind, "a job took longer than its lease"),
        Err(error) => tracing::warn!(kind, %error, "the end of a job was not noted"),
    }
}

/// Who waits is told from now on what the job takes, and how long it took to begin.
fn begin(app: &App, waiting: Option<Waiting>) -> Arc<Timings> {
    let Some(Waiting { timings, since }) = waiting else { return Arc::default() };
    timings.note(Part::Queue, app.clock.monotonic().saturating_sub(since));
    timings
}

fn end(
    tx: &mut Tx<'_>,
    claimed: &jobs::Claimed,
    next: &Next,
    now: waybill_domain::time::Time,
) -> Result<bool, Error> {
    match next {
        Next::Settled => Ok(true),
        Next::Done => jobs::finish(tx, claimed),
        Next::In(period) => {
            let at = tx.now(now)?.plus(*period);
            jobs::schedule(tx, &claimed.kind, claimed.subject, claimed.team, at)?;
            jobs::finish(tx, claimed)
        }
        Next::Retry(note) => {
            let at = tx.now(now)?.plus(delay(claimed.attempt));
            jobs::again(tx, claimed, at, note)
        }
    }
}

fn delay(attempt: i64) -> Duration {
    let doubled = u32::try_from(attempt.clamp(1, 16) - 1).unwrap_or(0);
    (RETRY * 2u32.pow(doubled)).min(RETRY_MAX)
}
