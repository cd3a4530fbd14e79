//! Asks carriers about parcels. Each account is a job of its own: it asks about the parcels that
//! are due, many at a time, and sets the alarm for the next one. A call that fails puts off its own
//! parcels; the others are asked about all the same.
//!
//! A booking only notes that its parcels are to be followed; `schedule_new_trackings` sets the
//! alarms of their accounts soon after.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waybill_carriers::tracking::{NumberAnswer, Tracking};
use waybill_carriers::{Account, Carrier, CarrierError};
use waybill_domain::ids::{AccountId, TeamId};
use waybill_domain::job::JobKind;
use waybill_domain::time::Time;
use waybill_domain::tracking::{TrackingAnswer, Trigger};
use waybill_engine::app::App;
use waybill_engine::ingest::ingest;
use waybill_engine::telemetry::counted;
use waybill_store::{Error, Tx, carrier_accounts, jobs, trackings};

use super::job_outcome::JobOutcome;
use super::state::Worker;
use super::to_db_time;

/// Parcels that get their alarm in one transaction.
const CHUNK: i64 = 256;
/// How many parcels of one team are asked about in a second, or how many events are heard of them:
/// they are written, and others want to write too.
const HEARD_PER_SECOND: u32 = 200;
/// When so many calls have failed in a row, the carrier is left alone for a while.
const FAILURES_MAX: u32 = 3;
/// How long a job goes on while others may wait for a slot.
const SLICE_MAX: Duration = Duration::from_secs(20);

/// Sets the alarms of accounts with parcels that no alarm knows of. True when there may be more.
pub fn schedule_new_trackings(tx: &mut Tx<'_>, now: Time) -> Result<bool, Error> {
    let unscheduled = trackings::any_take_unscheduled(tx, CHUNK)?;
    // In the order of their ids, so that two workers never wait for each other.
    let mut first: BTreeMap<Uuid, (TeamId, Time)> = BTreeMap::new();
    for (team, account, poll_at) in &unscheduled {
        let known = first.entry((*account).into()).or_insert((*team, *poll_at));
        known.1 = known.1.min(*poll_at);
    }
    for (account, (team, at)) in first {
        let alarm = to_db_time(tx, at, now)?;
        jobs::schedule(tx, JobKind::Track, account, Some(team), alarm)?;
    }
    Ok(i64::try_from(unscheduled.len()).is_ok_and(|count| count == CHUNK))
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
    // The credentials of a team that was deleted are gone, and nobody follows its parcels.
    let Some(row) = found.filter(|row| !row.credentials.is_empty()) else {
        return Ok(JobOutcome::Done);
    };
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

/// The answers to these numbers, which are in order. An answer that nobody asked for is dropped,
/// and a number without an answer counts as silence.
fn complete(mut answers: Vec<NumberAnswer>, numbers: Vec<String>) -> Vec<NumberAnswer> {
    answers.retain(|(number, _)| numbers.binary_search(number).is_ok());
    let answered: HashSet<String> = answers.iter().map(|(number, _)| number.clone()).collect();
    let silent = numbers.into_iter().filter(|number| !answered.contains(number));
    answers.extend(silent.map(|number| (number, TrackingAnswer::silence())));
    answers
}

/// What became of a call.
enum Asked {
    /// The answers are stored: so many events were new.
    Heard(usize),
    /// It failed, and its parcels are put off.
    Failed(CarrierError),
    /// Another worker has the job by now.
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
            if is_last || spent >= SLICE_MAX {
                return self.end().await;
            }
        }
    }

    /// Waits as long as so many parcels, or events, take at the team's pace. Its accounts wait one
    /// after another, but none waits for the carrier of another.
    async fn slow_down(&self, count: usize) {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let _turn = self.worker.tracking_queue.take(self.team).await;
        tokio::time::sleep(Duration::from_secs(1) * count / HEARD_PER_SECOND).await;
    }

    /// Asks about these numbers and stores the answers.
    async fn ask(&self, tracking: &dyn Tracking, mut numbers: Vec<String>) -> Result<Asked, Error> {
        numbers.sort();
        numbers.dedup();
        let call = tracking.track(&self.account, &numbers);
        let answer = counted(self.app.clock().as_ref(), self.carrier.code(), "track", call).await;
        let (answers, failure) = match answer {
            Ok(answers) => (complete(answers, numbers), None),
            Err(error) => {
                let later = |number| (number, TrackingAnswer::Later(None));
                (numbers.into_iter().map(later).collect(), Some(error))
            }
        };
        let (account, trigger) = ((self.team, self.id), Trigger::Poll(tracking.pace()));
        let stored = ingest(&self.app, account, trigger, Some(&self.claimed), answers);
        Ok(match stored.await? {
            None => Asked::Lost,
            Some(published) => failure.map_or(Asked::Heard(published), Asked::Failed),
        })
    }

    /// Ends the lease until the next parcel is due.
    async fn end(&self) -> Result<JobOutcome, Error> {
        let (team, id, now) = (self.team, self.id, self.app.now());
        let claimed = self.claimed.clone();
        let end = move |tx: &mut Tx<'_>| match trackings::next_poll_at(tx, team, id)? {
            None => jobs::finish(tx, &claimed),
            Some(at) => {
                let alarm = to_db_time(tx, at, now)?;
                jobs::wait_until(tx, &claimed, alarm)
            }
        };
        self.app.write(end).await?;
        self.app.wake_runner();
        Ok(JobOutcome::AlreadyEnded)
    }
}
