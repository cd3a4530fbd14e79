//! What is asked of a carrier: to book, to book what is open once more, and to give the documents.
//! Each function tells what was seen. Nothing is written here but the intent.

use std::time::Duration;

use waybill_carriers::booking::{Outcome, Prepared};
use waybill_carriers::{DialFailure, Session};
use waybill_domain::booking::{Permit, Reference, Seen, Step};
use waybill_engine::app::{self, send_budget};
use waybill_engine::bound_carrier::{self, BoundCarrier};
use waybill_engine::breaker::Probe;
use waybill_engine::{failpoint, lease, planted};
use waybill_store::carrier_calls::{self, Intent};
use waybill_store::{Error, shipments};

use super::observed::Observed;
use super::run::{BookingRun, OpenCall};
use super::stop::Stop;

/// A booking that is ready to be sent, with the right to send it once.
pub(super) struct Call {
    bound: BoundCarrier,
    session: Session,
    prepared: Prepared,
    reference: Reference,
    permit: Permit,
    /// While this one is tried, others wait: until its answer is noted.
    probe: Option<Probe>,
}

impl BookingRun {
    /// Dials and commits the intent: from then on the attempt may be out.
    pub(super) async fn begin_call(&mut self) -> Result<Call, Stop> {
        failpoint::hit("claimed");
        let probe = self.enter_breaker().await?;
        let bound = self.bound_carrier(Seen::Unsendable).await?;
        let reference = Reference::new(self.app.ids().as_ref());
        let prepared = self.prepare(&bound, &reference)?;
        let session = self.dial(&bound).await.map_err(|failure| {
            if matches!(failure, DialFailure::Unreachable(_)) {
                self.note_failure(&bound, &prepared);
            }
            self.not_dialled(failure)
        })?;
        failpoint::hit("dialled");
        if self.booking().is_late(self.app.now()) {
            // Dialling took until the deadline: what is not sent by now is not sent at all.
            return Err(Stop::DecideAgain);
        }
        // The budget counts from before the commit: however long that takes, it is part of it.
        let committing = self.app.monotonic();
        let intent = match planted::unwritten_intent(self.app.now()) {
            None => self.commit_intent(&reference).await?,
            unwritten => unwritten,
        };
        let Intent { number, started_at, permit } = intent.ok_or(Stop::Lost)?;
        failpoint::hit("intent");
        // As `set_calling` has written it.
        (self.shipment.step, self.shipment.called_at) = (Step::Calling, Some(started_at));
        self.open = Some(OpenCall::new(number, reference.clone()));
        let session = session.send_within(self.send_budget_since(committing)?);
        Ok(Call { bound, session, prepared, reference, permit, probe })
    }

    /// Dials for the open attempt once more, under its own reference: the carrier books it once.
    pub(super) async fn begin_call_again(&self) -> Result<Call, Stop> {
        let bound = self.bound_carrier(Seen::NoAnswer).await?;
        let open = self.open.as_ref().ok_or(Stop::Finished)?;
        let reference = match planted::is("fresh-reference") {
            true => Reference::new(self.app.ids().as_ref()),
            false => open.reference.clone(),
        };
        let prepared = self.prepare(&bound, &reference)?;
        let session = self.dial(&bound).await.map_err(|failure| self.not_dialled(failure))?;
        let committing = self.app.monotonic();
        let permit = self.permit_again().await?.ok_or(Stop::Lost)?;
        let session = session.send_within(self.send_budget_since(committing)?);
        Ok(Call { bound, session, prepared, reference, permit, probe: None })
    }

    /// Gets the files of an accepted booking. There is no permit here, so nothing can be booked.
    pub(super) async fn fetch_documents(&self) -> Result<Observed, Stop> {
        failpoint::hit("accepted");
        let bound = self.bound_carrier(Seen::DocumentsFailed).await?;
        let booked = bound_carrier::booked(&self.app, self.team, &self.shipment).await?;
        let booked = booked.ok_or(Stop::Finished)?;
        let files = bound.carrier.documents(&bound.account, &booked);
        Ok(match self.timed(bound.counted(&self.app, "documents", files)).await {
            Ok(mut files) if !files.is_empty() => {
                let tracking_urls = std::mem::take(&mut files.tracking_urls);
                let made = self.papers(self.shipment.tracking_numbers(), files).await;
                Observed { tracking_urls, ..Observed::of_papers(made) }
            }
            Ok(_) => Observed::of(Seen::DocumentsFailed),
            Err(why) => Observed::because(Seen::DocumentsFailed, why),
        })
    }

    /// The write that must be durable before a byte leaves. Nothing when the job is lost.
    async fn commit_intent(&self, reference: &Reference) -> Result<Option<Intent>, Error> {
        let (team, id, claimed) = (self.team, self.shipment.id, self.claimed.clone());
        let (now, reference) = (self.app.now(), reference.clone());
        self.app
            .write_grouped(move |tx| {
                let at = tx.now(now)?;
                if !lease::renew(tx, &claimed, now)? || !shipments::set_calling(tx, team, id, at)? {
                    return Ok(None);
                }
                carrier_calls::insert(tx, team, id, &reference, claimed.fence, at).map(Some)
            })
            .await
    }

    /// The right to send the open attempt again. Nothing when the job is lost.
    async fn permit_again(&self) -> Result<Option<Permit>, Error> {
        let (team, id, claimed) = (self.team, self.shipment.id, self.claimed.clone());
        let now = self.app.now();
        self.app
            .write(move |tx| match lease::renew(tx, &claimed, now)? {
                true => carrier_calls::permit_again(tx, team, id),
                false => Ok(None),
            })
            .await
    }

    /// What is left of the time in which the job is certainly ours. When it is over, somebody may
    /// have given us up: the permit goes unused.
    fn send_budget_since(&self, committing: Duration) -> Result<Duration, Stop> {
        if planted::is("no-fence") {
            return Ok(app::lease() * 100);
        }
        let spent = self.app.monotonic().saturating_sub(committing);
        let left = send_budget().checked_sub(spent);
        left.ok_or_else(|| Stop::because(self.not_sent(), "too late to send".to_owned()))
    }

    /// Sends, waits for the answer as long as the carrier may take, and tells what it was.
    pub(super) async fn send(&self, call: Call) -> Result<Observed, Stop> {
        let Call { bound, session, prepared, reference, permit, probe } = call;
        let is_simulated_failure = prepared.is_simulated_failure;
        let sent = bound.carrier.book(session, &bound.account, prepared, &reference, permit);
        let outcome = self.timed(bound.counted(&self.app, "book", sent)).await;
        failpoint::hit("answered");
        self.note_answer(&bound, is_simulated_failure, &outcome);
        drop(probe);
        if planted::is("no-intent") {
            self.commit_intent(&reference).await?;
        }
        if let Outcome::Unknown(_) = &outcome {
            // What the carrier said may name people: `waybill why` tells it.
            tracing::warn!(shipment = %self.shipment.id, "a carrier's answer is unclear");
        }
        Ok(self.with_papers(Observed::of_call(outcome, self.not_sent())).await)
    }

    /// A connection to the carrier, with a token where it needs one.
    async fn dial(&self, bound: &BoundCarrier) -> Result<Session, DialFailure> {
        let dial = bound.carrier.dial(&bound.account);
        self.timed(bound.counted(&self.app, "dial", dial)).await
    }

    /// The request to book. What cannot be said to the carrier was found when the shipment was
    /// accepted, unless the account was changed since.
    fn prepare(&self, bound: &BoundCarrier, reference: &Reference) -> Result<Prepared, Stop> {
        let plan = bound_carrier::plan(&self.app, &self.shipment, reference, self.app.now())?;
        let prepared = bound.carrier.prepare(&plan, &bound.account.options);
        prepared.map_err(|problems| Observed::unprepared(&problems).into())
    }

    fn not_dialled(&self, failure: DialFailure) -> Stop {
        match failure {
            DialFailure::AccessDenied(why) => Stop::because(Seen::Unsendable, why),
            DialFailure::Unreachable(why) => Stop::because(self.not_sent(), why),
        }
    }
}
