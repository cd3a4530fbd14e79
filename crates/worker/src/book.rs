//! Books one shipment: asks `domain::booking` what to do, does it with no transaction open, and
//! writes what was seen in one transaction that is guarded by the job's fence and by the step.
//!
//! The order around a carrier is dial, commit the intent, check the send budget, send. A worker
//! that lost its lease writes nothing; whoever has it finds the attempt and asks the carrier.

mod outcome;

pub use outcome::end;
mod pauses;
mod perform;

use std::sync::Arc;
use std::time::Duration;

use waybill_carriers::booking::CarrierFiles;
use waybill_domain::booking::{Booking, Change, Ending, Next, Seen, Step, decide, record};
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::time::Time;
use waybill_engine::app::{App, lease};
use waybill_engine::booking::booking_of;
use waybill_engine::papers::{self, Paper, PapersError};
use waybill_engine::planted;
use waybill_engine::timings::{Part, Timings};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, carrier_calls, jobs, shipments};

use super::to_db_time;
use outcome::Observed;

/// How a round with a booking ended.
enum Round {
    /// Something changed: look again at once.
    Again,
    /// The job sleeps or is done, or somebody else has it now.
    Over,
}

/// A booking under way: whose job it is and what its rows say.
pub(super) struct BookingRun {
    app: App,
    claimed: jobs::Claimed,
    team: TeamId,
    shipment: Shipment,
    booking: Booking,
    /// What it takes, over all rounds.
    timings: Arc<Timings>,
}

/// Books until there is nothing to do for now. The row may be at hand, just written.
pub async fn run(
    app: &App,
    claimed: jobs::Claimed,
    mut at_hand: Option<Box<Shipment>>,
    timings: Arc<Timings>,
) -> Result<(), Error> {
    let Some(team) = claimed.team else { return Ok(()) };
    let mut claimed = claimed;
    loop {
        let id = ShipmentId(claimed.subject);
        let found = match at_hand.take() {
            Some(shipment) => Some(*shipment),
            None => app.read(move |tx| shipments::find(tx, team, id)).await?,
        };
        let Some(shipment) = found else {
            let gone = claimed.clone();
            app.write(move |tx| jobs::finish(tx, &gone)).await?;
            return Ok(());
        };
        if claimed.request_id.is_none() && shipment.request_id.is_some() {
            // Nobody asked since: it runs for the request that made the shipment.
            claimed.request_id = shipment.request_id.clone();
            tracing::Span::current().record("request_id", &claimed.request_id);
        }
        let booking = booking_of(app, &shipment);
        let (app, claimed, timings) = (app.clone(), claimed.clone(), timings.clone());
        let work = BookingRun { app, claimed, team, shipment, booking, timings };
        match work.round().await? {
            Round::Again => {}
            Round::Over => return Ok(()),
        }
    }
}

impl BookingRun {
    /// Waits for a carrier, and counts how long.
    async fn waiting<T>(&self, carrier: impl Future<Output = T>) -> T {
        self.timings.during(self.app.clock().as_ref(), Part::Carrier, carrier).await
    }

    /// Makes the papers, and counts how long.
    async fn papers(
        &self,
        numbers: Vec<Option<String>>,
        papers: CarrierFiles,
    ) -> Result<Vec<Paper>, PapersError> {
        let made = papers::make(&self.app, self.team, &self.shipment, numbers, papers);
        self.timings.during(self.app.clock().as_ref(), Part::Render, made).await
    }

    fn wake_waiters(&self) {
        self.app.wake_one(self.shipment.id.into());
        if let Some(batch) = self.shipment.batch {
            self.app.wake_everywhere(batch);
        }
    }

    async fn round(self) -> Result<Round, Error> {
        let now = self.app.now();
        match decide(&self.booking, now) {
            Next::Rest => self.finish().await,
            Next::Wait(until) => self.sleep(until).await,
            Next::Fail(ending) => self.fail(ending, now).await,
            Next::Call => self.call().await,
            Next::CallAgain => self.call_again().await,
            Next::Ask if planted::is("blind-retry") => self.write(Observed::of(Seen::Absent)).await,
            Next::Ask => self.ask().await,
            Next::Documents => self.fetch_documents().await,
        }
    }

    /// Nothing is left to do.
    async fn finish(self) -> Result<Round, Error> {
        let claimed = self.claimed;
        self.app.write(move |tx| jobs::finish(tx, &claimed)).await?;
        Ok(Round::Over)
    }

    async fn sleep(self, until: Time) -> Result<Round, Error> {
        let (claimed, now) = (self.claimed, self.app.now());
        let sleep = move |tx: &mut Tx<'_>| {
            let until = to_db_time(tx, until, now)?;
            jobs::reschedule(tx, &claimed, until, "waiting")
        };
        self.app.write(sleep).await?;
        Ok(Round::Over)
    }

    /// The caller is told that it failed. What may be booked is asked for on and on.
    async fn fail(&self, ending: Ending, now: Time) -> Result<Round, Error> {
        let mut shipment = self.shipment.clone();
        outcome::end(&mut shipment, ending, now);
        if shipment.step == Step::Ready {
            // No attempt is open, and none will follow.
            shipment.step = Step::Done;
        }
        let told = Some(ending);
        let plan =
            outcome::BookingUpdate::of_change(&self.shipment, shipment, told, now, &self.app);
        self.commit(plan, Some(now)).await
    }

    /// Writes what was seen: the attempt, the shipment, its files and its alarm, or nothing.
    async fn write(&self, observed: Observed) -> Result<Round, Error> {
        let calls = self.calls(observed.seen).await?;
        let now = self.app.now();
        let booking = Booking { calls, ..self.booking.clone() };
        let mut change = record(&booking, observed.seen, observed.at.unwrap_or(now));
        if change.step == Step::Ready {
            // Those that failed together do not all come back together.
            change.look_at = change.look_at.map(|at| self.with_jitter(at, now));
        }
        if observed.seen == Seen::Accepted && !observed.papers.is_empty() {
            // The files came with the answer: accepted and booked are one write.
            let accepted = Booking { step: change.step, ..self.booking.clone() };
            let ready = record(&accepted, Seen::DocumentsReady, now);
            change = Change { call: change.call, ..ready };
        }
        let look_at = change.look_at;
        let attempt = outcome::attempt(&self.shipment, &observed, &self.claimed, now);
        let mut plan =
            outcome::BookingUpdate::plan(&self.shipment, change, observed, now, &self.app);
        plan.attempt = attempt;
        self.commit(plan, look_at).await
    }

    /// How many attempts were made, where that decides when the next may follow.
    async fn calls(&self, seen: Seen) -> Result<u32, Error> {
        if !self.booking.step.is_open() || !matches!(seen, Seen::NotSent | Seen::Absent) {
            return Ok(self.booking.calls);
        }
        let (team, id) = (self.team, self.shipment.id);
        let open = self.app.read(move |tx| carrier_calls::find_open(tx, team, id)).await?;
        Ok(open.map_or(0, |call| u32::try_from(call.n).unwrap_or(u32::MAX)))
    }

    /// Up to a quarter of the wait sooner.
    fn with_jitter(&self, at: Time, now: Time) -> Time {
        let mut luck = [0];
        self.app.ids().fill(&mut luck);
        at.minus(at.since(now) / 4 * u32::from(luck[0]) / 256)
    }

    /// Writes the rows and the alarm, if the job is still ours and the shipment where we saw it.
    async fn commit(
        &self,
        plan: outcome::BookingUpdate,
        look_at: Option<Time>,
    ) -> Result<Round, Error> {
        let (now, plan) = (plan.now, Arc::new(plan));
        let (team, from, id) = (self.team, self.booking.step, self.shipment.id);
        let written = loop {
            let (app, plan, claimed) = (self.app.clone(), plan.clone(), self.claimed.clone());
            let written = self.app.write(move |tx| {
                let is_ours = match look_at {
                    None => jobs::finish(tx, &claimed)?,
                    Some(at) if at > now => {
                        let at = to_db_time(tx, at, now)?;
                        jobs::reschedule(tx, &claimed, at, "")?
                    }
                    Some(_) => renew_lease(tx, &claimed, now)?,
                };
                if !is_ours && !planted::is("no-fence") {
                    return Ok(None);
                }
                plan.perform(tx, &app, team, from)
            });
            match written.await {
                // What a carrier said must not be lost to a database that is away for a moment.
                Err(Error::Unavailable(why)) if self.app.now().since(now) < HOLD => {
                    tracing::warn!(shipment = %id, why, "an outcome waits for the database");
                    tokio::time::sleep(Duration::from_millis(250)).await;
                }
                written => break written?,
            }
        };
        let Some(written) = written else {
            tracing::warn!(shipment = %id, "an outcome came too late: another worker has the job");
            return Ok(Round::Over);
        };
        plan.count();
        self.wake_waiters();
        if plan.has_event() {
            self.app.wake_runner();
        }
        if let Some(next) = written.next {
            self.app.handoff().hand(next);
        }
        Ok(if look_at.is_some_and(|at| at <= now) { Round::Again } else { Round::Over })
    }
}

/// Whether the lease is still ours; it is renewed by the way.
pub(super) fn renew_lease(
    tx: &mut Tx<'_>,
    claimed: &jobs::Claimed,
    now: Time,
) -> Result<bool, Error> {
    let now = tx.now(now)?;
    jobs::renew(tx, claimed, now.plus(lease())).map(|is_ours| is_ours || planted::is("no-fence"))
}

/// How long an outcome is held in hand when the database does not take it.
const HOLD: Duration = Duration::from_secs(25);
