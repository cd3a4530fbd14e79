//! Books one shipment, in rounds of three steps: `domain::booking` decides what to do (here), it is
//! done with no transaction open (`carrier`, `look_up`), and what was seen is written in one
//! transaction that is guarded by the job's fence and by the step (`update`, `commit`).
//!
//! The order around a carrier is prepare, dial, commit the intent, check the send budget, send. A
//! worker that lost its lease writes nothing; whoever has it finds the attempt and asks.

mod breaker;
mod carrier;
mod commit;
mod look_up;
mod observed;
mod papers;
mod run;
mod stop;
mod update;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use waybill_domain::booking::{Miss, Next, Seen, decide};
use waybill_domain::ids::ShipmentId;
use waybill_engine::app::App;
use waybill_engine::timings::Timings;
use waybill_engine::{lease, planted};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, jobs};

use carrier::Call;
use observed::Observed;
use run::{BookingRun, Round, find};
use stop::Stop;

/// The clock may be set while a carrier is waited for: so often somebody looks at it.
const LOOK: Duration = Duration::from_secs(1);

/// Books until there is nothing to do for now. The row is known when it was just written.
pub async fn run(
    app: &App,
    claimed: jobs::Claimed,
    mut known: Option<Box<Shipment>>,
    timings: Arc<Timings>,
) -> Result<(), Error> {
    let Some(team) = claimed.team else { return Ok(()) };
    let mut claimed = claimed;
    loop {
        let id = ShipmentId(claimed.subject);
        let found = match known.take() {
            // Nothing was sent yet.
            Some(shipment) => Some((*shipment, None)),
            None => app.read(move |tx| find(tx, team, id)).await?,
        };
        let Some((shipment, open)) = found else {
            let gone = claimed.clone();
            app.write(move |tx| jobs::finish(tx, &gone)).await?;
            return Ok(());
        };
        if claimed.request_id.is_none() && shipment.request_id.is_some() {
            // Nobody asked since: it runs for the request that made the shipment.
            claimed.request_id = shipment.request_id.clone();
            tracing::Span::current().record("request_id", &claimed.request_id);
        }
        let (app, claimed, timings) = (app.clone(), claimed.clone(), timings.clone());
        let work = BookingRun { app, claimed, team, shipment, open, timings };
        match work.round().await? {
            Round::Again => {}
            Round::Over => return Ok(()),
        }
    }
}

impl BookingRun {
    /// Decides what to do, has it done, and writes what was seen.
    async fn round(mut self) -> Result<Round, Error> {
        let now = self.app.now();
        let seen = match decide(&self.booking(), now) {
            Next::Rest => Err(Stop::Finished),
            Next::Wait(until) => Err(Stop::Wait(until)),
            Next::Fail(ending) => return self.fail(ending, now).await,
            Next::TakeOver => Ok(Observed::taken_over()),
            Next::Call => {
                let call = self.begin_call().await;
                self.wait_for(call).await
            }
            Next::CallAgain => {
                let call = self.begin_call_again().await;
                self.wait_for(call).await
            }
            Next::Ask if planted::is("blind-retry") => Ok(Observed::of(Seen::Absent(Miss {
                call: 1,
                asked_at: now,
                certain_age: Duration::MAX,
                is_confirmed: true,
                may_be_lost: false,
            }))),
            // A carrier may take longer than the lease: nobody else does the same meanwhile.
            Next::Ask => {
                let (app, claimed) = (self.app.clone(), self.claimed.clone());
                lease::keep(&app, &claimed, self.look_up()).await.unwrap_or(Err(Stop::Lost))
            }
            Next::Documents => {
                let (app, claimed) = (self.app.clone(), self.claimed.clone());
                lease::keep(&app, &claimed, self.fetch_documents()).await.unwrap_or(Err(Stop::Lost))
            }
        };
        match seen {
            Ok(observed) => self.record(observed).await,
            Err(Stop::Seen(observed)) => self.record(*observed).await,
            Err(Stop::Wait(until)) => self.sleep(until, None).await,
            Err(Stop::Paused(until, note)) => self.sleep(until, Some(note)).await,
            Err(Stop::DecideAgain) => Ok(Round::Again),
            Err(Stop::Finished) => self.finish().await,
            Err(Stop::Lost) => Ok(Round::Over),
            Err(Stop::Store(error)) => Err(error),
        }
    }

    /// Sends a call and waits for its answer, with the lease kept meanwhile. The caller does not
    /// wait that long: at the deadline it is told, and a later answer corrects it.
    async fn wait_for(&mut self, call: Result<Call, Stop>) -> Result<Observed, Stop> {
        let call = call?;
        let (answered, told) = {
            let mut answer = pin!(lease::keep(&self.app, &self.claimed, self.send(call)));
            tokio::select! {
                biased;
                answered = &mut answer => (answered, None),
                () = self.deadline() => {
                    // The answer may come meanwhile: nobody stops listening for it.
                    let (told, answered) = tokio::join!(self.tell_deadline(), answer);
                    (answered, told)
                }
            }
        };
        let observed = answered.ok_or(Stop::Lost)??;
        match told {
            None => return Ok(observed),
            Some(Ok(Round::Again)) => {}
            Some(Ok(Round::Over)) => return Err(Stop::Lost),
            Some(Err(error)) => {
                tracing::warn!(%error, "it is not certain that the deadline was told");
            }
        }
        self.reload().await?;
        Ok(observed)
    }

    /// Tells the caller that it failed, when that is what is to be done by now.
    async fn tell_deadline(&self) -> Option<Result<Round, Error>> {
        let now = self.app.now();
        match decide(&self.booking(), now) {
            Next::Fail(ending) => Some(self.fail(ending, now).await),
            _ => None,
        }
    }

    /// Ends when the caller has waited long enough.
    async fn deadline(&self) {
        let booking = self.booking();
        if booking.is_failed {
            // It was told before.
            return std::future::pending().await;
        }
        while !booking.is_late(self.app.now()) {
            let left = booking.deadline.since(self.app.now());
            tokio::time::sleep(left.min(LOOK)).await;
        }
    }
}
