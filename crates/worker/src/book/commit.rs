//! Writes what was seen, and what is to be done next: all of it or nothing.

use std::sync::Arc;
use std::time::Duration;

use waybill_domain::booking::{Ending, Step, call_at, fail, record};
use waybill_domain::time::Time;
use waybill_engine::planted;
use waybill_engine::wake::CommittedShipment;
use waybill_store::{Error, Tx, jobs};

use super::observed::Observed;
use super::run::{BookingRun, Round, find};
use super::stop::Stop;
use super::update::BookingUpdate;

use crate::{lease, to_db_time};

/// How long an outcome is held in hand when the database does not take it.
const HOLD: Duration = Duration::from_secs(25);

impl BookingRun {
    /// Nothing is left to do.
    pub(super) async fn finish(self) -> Result<Round, Error> {
        let claimed = self.claimed;
        self.app.write(move |tx| jobs::finish(tx, &claimed)).await?;
        Ok(Round::Over)
    }

    /// Nothing is to be done before this time.
    pub(super) async fn sleep(self, until: Time, note: Option<String>) -> Result<Round, Error> {
        let (claimed, now) = (self.claimed, self.app.now());
        let sleep = move |tx: &mut Tx<'_>| {
            let until = to_db_time(tx, until, now)?;
            jobs::wait_noted(tx, &claimed, until, note.as_deref())
        };
        self.app.write(sleep).await?;
        Ok(Round::Over)
    }

    /// Tells the caller that it failed.
    pub(super) async fn fail(&self, ending: Ending, now: Time) -> Result<Round, Error> {
        let change = fail(&self.booking(), ending, now);
        let update = BookingUpdate::of_failure(&self.shipment, &change, now, &self.app);
        self.commit(update, change.look_at).await
    }

    /// Writes what was seen: the attempt, the shipment, its files and its alarm, or nothing.
    pub(super) async fn record(&self, observed: Observed) -> Result<Round, Error> {
        let now = self.app.now();
        let booking = self.booking();
        let mut change = record(&booking, observed.seen, now);
        if change.step == Step::Ready {
            // Those that failed together do not all come back together.
            change.look_at = change.look_at.map(|at| self.with_jitter(at, now));
            // The caller is told at the deadline, whatever the carrier asked for.
            let asked = observed.patience.map(|patience| call_at(&booking, now, patience));
            let asked = asked.map(|asked| asked.min(booking.deadline));
            change.look_at = change.look_at.map(|at| asked.map_or(at, |asked| at.max(asked)));
        }
        let (old, job, app) = (&self.shipment, &self.claimed, &self.app);
        let update = BookingUpdate::of_observation(old, job, &change, observed, now, app);
        self.commit(update, change.look_at).await
    }

    /// Up to a quarter of the wait sooner.
    fn with_jitter(&self, at: Time, now: Time) -> Time {
        let mut random = [0];
        self.app.ids().fill(&mut random);
        at.minus(at.since(now) / 4 * u32::from(random[0]) / 256)
    }

    /// Writes the rows and the alarm, if the job is still ours and the shipment where we saw it.
    async fn commit(&self, update: BookingUpdate, look_at: Option<Time>) -> Result<Round, Error> {
        let (now, update) = (update.now, Arc::new(update));
        let (team, from, id) = (self.team, self.shipment.step, self.shipment.id);
        let write = || {
            let (app, update, claimed) = (self.app.clone(), update.clone(), self.claimed.clone());
            let work = move |tx: &mut Tx<'_>| {
                let is_ours = match look_at {
                    None => jobs::finish(tx, &claimed)?,
                    Some(at) if at > now => {
                        let at = to_db_time(tx, at, now)?;
                        jobs::wait_until(tx, &claimed, at)?
                    }
                    Some(_) => lease::renew(tx, &claimed, now)?,
                };
                if !is_ours && !planted::is("no-fence") {
                    return Ok(None);
                }
                update.write_rows(tx, &app, team, from)
            };
            async move {
                // Members of a batch all count in its row, and what a warehouse ships is taken from
                // levels that others want too.
                match (self.shipment.batch, self.shipment.fulfilment) {
                    (None, None) => self.app.write_grouped(work).await,
                    _ => self.app.write(work).await,
                }
            }
        };
        let Some(written) = self.insist(write).await? else {
            tracing::warn!(shipment = %id, "an outcome came too late: another worker has the job");
            return Ok(Round::Over);
        };
        update.count();
        let is_printed = written.printed.is_some();
        self.wake_waiters(update.committed(written.printed));
        if update.has_event() || is_printed {
            self.app.wake_runner();
        }
        if let Some(next) = written.next {
            self.app.handoff().hand_over(next);
        }
        Ok(if look_at.is_some_and(|at| at <= now) { Round::Again } else { Round::Over })
    }

    /// Reads the rows again, with an outcome in hand.
    pub(super) async fn reload(&mut self) -> Result<(), Stop> {
        let (team, id) = (self.team, self.shipment.id);
        let read = || self.app.read(move |tx| find(tx, team, id));
        (self.shipment, self.open) = self.insist(read).await?.ok_or(Stop::Lost)?;
        Ok(())
    }

    /// Asks the store once more while it is away: what a carrier said must not be lost to a
    /// database that is away for a moment.
    async fn insist<T, F>(&self, ask: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let since = self.app.now();
        loop {
            match ask().await {
                Err(Error::Unavailable(why)) if self.app.now().since(since) < HOLD => {
                    let id = self.shipment.id;
                    tracing::warn!(shipment = %id, why, "an outcome waits for the database");
                    tokio::time::sleep(Duration::from_millis(250)).await;
                }
                done => return done,
            }
        }
    }

    fn wake_waiters(&self, news: Option<CommittedShipment>) {
        self.app.wake_one(self.shipment.id.into(), news.map(Arc::new));
        if let Some(batch) = self.shipment.batch {
            self.app.wake_everywhere(batch);
        }
    }
}
