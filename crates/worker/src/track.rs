//! Asks carriers about parcels. Each account is a job of its own: what is due
//! is asked about many parcels at a time, and the alarm is set for the next that will be. A call
//! that fails puts off its own parcels; the others are asked about all the same.
//!
//! A booking only notes that its parcels are to be followed; `watch` sets the alarms of their
//! accounts soon after.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waybill_carriers::tracking::{Tracked, Tracking, TrackingAnswer};
use waybill_carriers::{Account, Carrier, CarrierError};
use waybill_domain::ids::{AccountId, TeamId, TrackingId};
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_domain::tracking::{Look, Pace, Snapshot, next_look, put_off};
use waybill_engine::app::App;
use waybill_engine::ingest::{self, IngestSummary};
use waybill_engine::telemetry::counted;
use waybill_store::trackings::{self, Due};
use waybill_store::{Error, Tx, carrier_accounts, jobs};

use super::job_outcome::JobOutcome;
use super::lease;
use super::state::Worker;
use super::to_db_time;

/// Parcels that get their alarm in one transaction.
const CHUNK: i64 = 256;
/// Parcels of one team that are asked about in a second, or events that are heard of them: what is
/// heard is written, and others want to write too.
const HEARD_PER_SECOND: u32 = 200;
/// When so many calls have failed in a row, the carrier is left alone for a while.
const FAILURES_MAX: u32 = 3;
/// How long a job goes on while others may wait for a slot.
const TURN: Duration = Duration::from_secs(20);

/// Sets the alarms of accounts with parcels that no alarm knows of. True when there may be more.
pub fn watch(tx: &mut Tx<'_>, now: Time) -> Result<bool, Error> {
    let unwatched = trackings::any_unwatched(tx, CHUNK)?;
    // In the order of their ids, so that two workers never wait for each other.
    let mut first: BTreeMap<Uuid, (TeamId, Time)> = BTreeMap::new();
    for (team, account, tracking, look_at) in &unwatched {
        trackings::set_watched(tx, *team, *tracking)?;
        if let Some(at) = look_at {
            let known = first.entry((*account).into()).or_insert((*team, *at));
            known.1 = known.1.min(*at);
        }
    }
    for (account, (team, at)) in first {
        let alarm = to_db_time(tx, at, now)?;
        jobs::schedule(tx, JobKind::Track, account, Some(team), alarm)?;
    }
    Ok(i64::try_from(unwatched.len()).is_ok_and(|count| count == CHUNK))
}

/// The job of one account, while it runs.
struct AccountPoller {
    worker: Arc<Worker>,
    app: App,
    claimed: jobs::Claimed,
    team: TeamId,
    id: AccountId,
    carrier: Arc<dyn Carrier>,
    account: Account,
}

/// Asks until nothing is due.
pub async fn run(worker: &Arc<Worker>, claimed: &jobs::Claimed) -> Result<JobOutcome, Error> {
    let app = &worker.app;
    let (Some(team), id) = (claimed.team, AccountId(claimed.subject)) else {
        return Ok(JobOutcome::Done);
    };
    let found = app.read(move |tx| carrier_accounts::find(tx, team, id)).await?;
    let Some(row) = found else { return Ok(JobOutcome::Done) };
    let Some(carrier) = app.carriers().get(&row.carrier_code) else { return Ok(JobOutcome::Done) };
    let account = match app.vault().account(&row) {
        Ok(account) => account,
        Err(error) => return Ok(JobOutcome::Retry(error.to_string())),
    };
    let (worker, app, claimed) = (worker.clone(), app.clone(), claimed.clone());
    let poller = AccountPoller { worker, app, claimed, team, id, carrier, account };
    match poller.carrier.tracking() {
        None => Ok(JobOutcome::Done),
        Some(tracking) => poller.drive(tracking).await,
    }
}

/// The numbers that the carrier cannot tell of now, and for how long.
type Later = HashMap<String, Option<Duration>>;

/// What was said, by number. What could not be read is an event that could not be.
fn sort(tracked: Vec<Tracked>) -> (Vec<Snapshot>, Later) {
    let (mut snapshots, mut later) = (Vec::new(), Later::new());
    for (number, news) in tracked {
        let events = match news {
            TrackingAnswer::Snapshot(snapshot) => {
                snapshots.push(Snapshot { number, ..snapshot });
                continue;
            }
            TrackingAnswer::Unreadable(unreadable) => vec![Err(unreadable)],
            TrackingAnswer::Later(pause) => {
                later.insert(number.clone(), pause);
                Vec::new()
            }
        };
        snapshots.push(Snapshot { number, events, ..Snapshot::default() });
    }
    (snapshots, later)
}

/// What became of a call.
enum Asked {
    /// What was said is written down: so many events were new.
    Heard(usize),
    /// It failed, and its parcels are put off.
    Failed(CarrierError),
    /// The job is somebody else's by now.
    Lost,
}

impl AccountPoller {
    async fn drive(&self, tracking: &dyn Tracking) -> Result<JobOutcome, Error> {
        let started = self.app.monotonic();
        let limit = i64::try_from(tracking.batch_max()).unwrap_or(1);
        let mut failures = 0;
        loop {
            let (team, id, now) = (self.team, self.id, self.app.now());
            let due = move |tx: &mut Tx<'_>| trackings::list_due(tx, team, id, now, limit);
            let due = self.app.read(due).await?;
            let is_last = i64::try_from(due.len()).is_ok_and(|count| count < limit);
            let mut count = due.len();
            if !due.is_empty() {
                match self.ask(tracking, due).await? {
                    Asked::Heard(published) => {
                        count = count.max(published);
                        failures = 0;
                    }
                    Asked::Failed(error) => {
                        failures += 1;
                        if failures == FAILURES_MAX {
                            return Ok(JobOutcome::Retry(error.to_string()));
                        }
                        let carrier = self.carrier.code();
                        tracing::warn!(carrier, parcels = count, %error, "parcels are put off");
                    }
                    Asked::Lost => return Ok(JobOutcome::AlreadyEnded),
                }
            }
            self.slow_down(count).await;
            let spent = self.app.monotonic().saturating_sub(started);
            if is_last || spent >= TURN {
                return self.end().await;
            }
        }
    }

    /// Waits as long as so many parcels, or events, take at the team's pace. Its accounts wait one
    /// after another, but none waits for the carrier of another.
    async fn slow_down(&self, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let _turn = self.worker.tracking_turns.take(self.team).await;
        tokio::time::sleep(Duration::from_secs(1) * count / HEARD_PER_SECOND).await;
    }

    /// Asks about these parcels and writes down what is said.
    async fn ask(&self, tracking: &dyn Tracking, due: Vec<Due>) -> Result<Asked, Error> {
        let pace = tracking.pace();
        let (live, cancelled): (Vec<Due>, Vec<Due>) =
            due.into_iter().partition(|due| due.shipment_state != "cancelled");
        let mut cancelled: Vec<TrackingId> = cancelled.iter().map(|due| due.tracking.id).collect();
        let mut numbers: Vec<String> = live.iter().map(|due| due.tracking.number.clone()).collect();
        numbers.sort();
        numbers.dedup();
        let answer = match numbers.is_empty() {
            true => Ok(Vec::new()),
            false => {
                let call = tracking.track(&self.account, &numbers);
                counted(self.app.clock().as_ref(), self.carrier.code(), "track", call).await
            }
        };
        let (mut snapshots, later, failure) = match answer {
            Ok(tracked) => {
                let (snapshots, later) = sort(tracked);
                (snapshots, later, None)
            }
            Err(error) => {
                let later = numbers.iter().map(|number| (number.clone(), None)).collect();
                (Vec::new(), later, Some(error))
            }
        };
        // Ignore numbers that we did not ask for; missing ones count as silence.
        snapshots.retain(|snapshot| numbers.binary_search(&snapshot.number).is_ok());
        let said: HashSet<String> = snapshots.iter().map(|it| it.number.clone()).collect();
        let silent = numbers.into_iter().filter(|number| !said.contains(number));
        snapshots.extend(silent.map(|number| Snapshot { number, ..Snapshot::default() }));
        let (mut published, later) = (0, Arc::new(later));
        // Others write between the parts.
        for part in ingest::in_parts(snapshots) {
            let cancelled = std::mem::take(&mut cancelled);
            match self.write(part, cancelled, later.clone(), pace).await? {
                Some(heard) => published += heard.published,
                None => return Ok(Asked::Lost),
            }
        }
        if published > 0 {
            self.app.wake_runner();
        }
        Ok(failure.map_or(Asked::Heard(published), Asked::Failed))
    }

    /// Writes down what was said of some parcels, and that the cancelled ones are not asked about
    /// again. None when the job is somebody else's by now.
    async fn write(
        &self,
        snapshots: Vec<Snapshot>,
        cancelled: Vec<TrackingId>,
        later: Arc<Later>,
        pace: Pace,
    ) -> Result<Option<IngestSummary>, Error> {
        let (app, claimed, now) = (self.app.clone(), self.claimed.clone(), self.app.now());
        let (team, account) = (self.team, self.id);
        let write = move |tx: &mut Tx<'_>| {
            if !lease::renew(tx, &claimed, now)? {
                return Ok::<_, Error>(None);
            }
            for id in &cancelled {
                trackings::set_look(tx, team, *id, None)?;
            }
            let look = |tracking: &trackings::Tracking, summary: &_, said: &Snapshot| -> Look {
                if let Some(pause) = later.get(&said.number) {
                    return put_off(summary, pace, *pause, now);
                }
                let pace = said.look_after.map_or(pace, Pace::every);
                next_look(summary, tracking.created_at, pace, now)
            };
            let ids = app.ids().as_ref();
            ingest::ingest(tx, ids, (team, account), &snapshots, now, look).map(Some)
        };
        let heard = self.app.write(write).await?;
        heard.iter().for_each(ingest::count);
        Ok(heard)
    }

    /// Ends the lease until the next parcel is due.
    async fn end(&self) -> Result<JobOutcome, Error> {
        let (team, id, now) = (self.team, self.id, self.app.now());
        let claimed = self.claimed.clone();
        let end = move |tx: &mut Tx<'_>| {
            if let Some(at) = trackings::next_look(tx, team, id)? {
                let alarm = to_db_time(tx, at, now)?;
                jobs::schedule(tx, claimed.kind, claimed.subject, claimed.team, alarm)?;
            }
            jobs::finish(tx, &claimed)
        };
        self.app.write(end).await?;
        self.app.wake_runner();
        Ok(JobOutcome::AlreadyEnded)
    }
}
