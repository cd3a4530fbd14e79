//! Sends one webhook what waits for it. Each webhook has a queue of its own, which is its job: a
//! receiver that never answers holds up its own queue and nobody else's.
//!
//! A queue has a few attempts under way at once and holds the lease of its job meanwhile. What was
//! seen is written down as it comes. A crash repeats at most what was under way, with the same
//! `webhook-id`: everything is delivered at least once.

mod attempt;
mod fan_out;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use waybill_domain::ids::{DeliveryId, TeamId, WebhookId};
use waybill_engine::app::App;
use waybill_engine::pauses::pause_after;
use waybill_engine::signing::Secrets;
use waybill_engine::wake::Waiter;
use waybill_store::deliveries::{self, DueDelivery};
use waybill_store::{Error, jobs, webhooks};

use super::lease;
use super::state::Worker;
use attempt::{DeliveryOutcome, Receiver};

pub use fan_out::{FannedOut, TeamPacing, fan_out};

/// Attempts that one webhook has under way at most.
const SENDS_MAX: usize = 4;
/// Webhooks that are sent to at once. They have slots of their own, so that receivers that do not
/// answer never keep a booking waiting.
pub const QUEUES_MAX: usize = 256;
/// Webhooks of one team that are sent to at once: those of other teams find slots too.
const TEAM_QUEUES_MAX: i64 = 64;
/// One that is too many waits so long.
const TEAM_PAUSE: Duration = Duration::from_secs(2);
/// A receiver that fails so often in a row is left alone for a while.
const FAILURES_MAX: usize = 8;
/// Deliveries that are read at once.
const READ_MAX: i64 = 64;
/// How long a queue goes on while others may wait for a slot.
const SLICE_MAX: Duration = Duration::from_secs(20);
/// An idle queue waits so long for the next event before it gives back its lease and closes its
/// connections: events seldom come alone.
const LINGER: Duration = Duration::from_millis(100);
/// New deliveries may come from another process, whose signal does not reach us.
const LOOK: Duration = Duration::from_secs(1);

/// A webhook's queue, while it runs.
struct WebhookQueue {
    app: App,
    claimed: jobs::Claimed,
    team: TeamId,
    webhook: WebhookId,
    receiver: Option<Arc<Receiver>>,
    waiting: VecDeque<DueDelivery>,
    /// Whether there may be more in the store than was read.
    may_have_more: bool,
    under_way: HashSet<DeliveryId>,
    running: JoinSet<(DeliveryId, Result<DeliveryOutcome, Error>)>,
    failed_in_row: usize,
}

/// Delivers until nothing is due.
pub async fn run(worker: &Worker, claimed: jobs::Claimed) -> Result<(), Error> {
    let app = &worker.app;
    let Some(team) = claimed.team else { return Ok(()) };
    let webhook = WebhookId(claimed.subject);
    // A team takes no more slots than it leaves to others, so that there is one for whoever comes.
    let free = i64::try_from(QUEUES_MAX).unwrap_or(i64::MAX) - worker.webhooks.total();
    let share = free.clamp(1, TEAM_QUEUES_MAX);
    let Some(_slot) = worker.webhooks.take(team, share) else {
        return put_off(app, claimed, TEAM_PAUSE).await;
    };
    let left = app.pauses().left(webhook, app.monotonic());
    if !left.is_zero() {
        return put_off(app, claimed, left).await;
    }
    let signal = app.listen(webhook.into());
    let queue = WebhookQueue {
        app: app.clone(),
        claimed,
        team,
        webhook,
        receiver: None,
        waiting: VecDeque::new(),
        may_have_more: true,
        under_way: HashSet::new(),
        running: JoinSet::new(),
        failed_in_row: 0,
    };
    let job = queue.claimed.clone();
    // When another worker has the queue by then, it goes on with what was under way.
    let ended = lease::keep(app, &job, queue.drive(signal)).await.unwrap_or(Ok(()));
    // Something may have become due while the queue was closing.
    app.wake_runner();
    ended
}

/// Lets a webhook wait.
async fn put_off(app: &App, claimed: jobs::Claimed, pause: Duration) -> Result<(), Error> {
    let now = app.now();
    let put_off = move |tx: &mut waybill_store::Tx<'_>| {
        let alarm = tx.now(now)?.plus(pause);
        jobs::wait_until(tx, &claimed, alarm)
    };
    app.write(put_off).await.map(drop)
}

impl WebhookQueue {
    async fn drive(mut self, mut signal: Waiter) -> Result<(), Error> {
        let (started, has_runner) = (Instant::now(), self.app.handoff().is_open());
        loop {
            // A runner that stops wants no new attempts.
            let is_stopping = has_runner && !self.app.handoff().is_open();
            let is_turn_over = is_stopping || started.elapsed() >= SLICE_MAX || self.is_failing();
            if self.waiting.is_empty() && self.may_have_more && !is_turn_over {
                self.load().await?;
            }
            if !is_turn_over {
                self.send();
            }
            if !self.running.is_empty() {
                tokio::select! {
                    Some(done) = self.running.join_next() => self.on_attempt_done(done)?,
                    () = signal.wait() => self.may_have_more = true,
                    () = sleep(LOOK) => self.may_have_more = true,
                }
                continue;
            }
            let lingers = has_runner && !is_turn_over && self.receiver.is_some();
            self.may_have_more = true;
            if lingers && timeout(LINGER, signal.wait()).await.is_ok() {
                continue;
            }
            if self.end(is_turn_over).await? {
                return Ok(());
            }
        }
    }

    /// Reads the webhook and what is due for it. What waits for one that is gone is given up.
    async fn load(&mut self) -> Result<(), Error> {
        let (team, id, now) = (self.team, self.webhook, self.app.now());
        let found = self.app.read(move |tx| {
            let Some(webhook) = webhooks::find(tx, team, id)? else { return Ok(None) };
            Ok::<_, Error>(Some((webhook, deliveries::list_due(tx, team, id, now, READ_MAX)?)))
        });
        let Some((webhook, due)) = found.await? else {
            self.app.write(move |tx| deliveries::fail_pending(tx, team, id)).await?;
            return Ok(());
        };
        self.may_have_more = i64::try_from(due.len()).is_ok_and(|count| count == READ_MAX);
        let fresh = due.into_iter().filter(|due| !self.under_way.contains(&due.id));
        self.waiting = fresh.collect();
        let is_same = self.receiver.as_ref().is_some_and(|known| known.webhook == webhook);
        if !is_same && !self.waiting.is_empty() {
            let secrets = Secrets::open(self.app.vault(), id.into(), &webhook.secrets);
            let secrets = secrets.ok_or_else(|| {
                Error::Broken("a webhook's secrets cannot be opened with this key".to_owned())
            })?;
            let conversation = self.app.outbound().converse();
            let receiver = Receiver { team: self.team, webhook, secrets, conversation };
            self.receiver = Some(Arc::new(receiver));
        }
        Ok(())
    }

    /// Starts as many attempts as may be under way.
    fn send(&mut self) {
        let Some(receiver) = self.receiver.clone() else { return };
        while self.running.len() < SENDS_MAX
            && let Some(due) = self.waiting.pop_front()
        {
            let (app, receiver, id) = (self.app.clone(), receiver.clone(), due.id);
            self.under_way.insert(id);
            self.running.spawn(async move { (id, receiver.deliver(&app, due).await) });
        }
    }

    fn on_attempt_done(
        &mut self,
        done: Result<(DeliveryId, Result<DeliveryOutcome, Error>), tokio::task::JoinError>,
    ) -> Result<(), Error> {
        let (id, written) = done.map_err(|error| Error::Broken(error.to_string()))?;
        self.under_way.remove(&id);
        match written? {
            DeliveryOutcome::Failed => self.failed_in_row += 1,
            DeliveryOutcome::Taken => self.failed_in_row = 0,
            DeliveryOutcome::GivenUp => {}
        }
        Ok(())
    }

    fn is_failing(&self) -> bool {
        self.failed_in_row >= FAILURES_MAX
    }

    /// Leaves a receiver that fails alone, the longer the longer it has failed. Tells how long.
    fn pause(&self) -> Duration {
        if !self.is_failing() {
            return Duration::ZERO;
        }
        let since = self.receiver.as_ref().and_then(|known| known.webhook.failing_since);
        let failing = since.map(|since| self.app.now().since(since)).unwrap_or_default();
        let pause = pause_after(failing);
        self.app.pauses().begin(self.webhook, self.app.monotonic() + pause);
        pause
    }

    /// Ends the lease until something is due again. False when something is due already.
    async fn end(&mut self, is_turn_over: bool) -> Result<bool, Error> {
        self.waiting.clear();
        let (team, id, now) = (self.team, self.webhook, self.app.now());
        let (claimed, pause) = (self.claimed.clone(), self.pause());
        let end = move |tx: &mut waybill_store::Tx<'_>| {
            match deliveries::next_due(tx, team, id)? {
                None => jobs::finish(tx, &claimed).map(|_| true),
                Some(at) if at <= now && !is_turn_over => Ok(false),
                Some(at) => {
                    // Deliveries go by the clock that is handed in, alarms by the store's.
                    let alarm = tx.now(now)?.plus(at.since(now).max(pause));
                    jobs::wait_until(tx, &claimed, alarm).map(|_| true)
                }
            }
        };
        self.app.write(end).await
    }
}
