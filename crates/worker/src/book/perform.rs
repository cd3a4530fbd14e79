//! What touches the outside world: one function for each thing that `decide` may say.

use waybill_carriers::booking::{Found, Lookup, Outcome, Prepared, Why};
use waybill_carriers::{DialFailure, Session};
use waybill_domain::booking::{CarrierKind, Ending, Permit, Reference, Seen, Step};
use waybill_domain::time::Time;
use waybill_engine::app::{lease, send_budget};
use waybill_engine::bound_carrier::{self, BoundCarrier, Unusable};
use waybill_engine::timings::Part;
use waybill_engine::{failpoint, planted};
use waybill_store::{Error, carrier_calls, epochs, shipments};

use super::outcome::Observed;
use super::{BookingRun, Round, renew_lease};

/// A booking that is ready to be sent.
struct Call {
    bound: BoundCarrier,
    session: Session,
    prepared: Prepared,
    reference: Reference,
    /// Whether the same attempt was sent before.
    is_repetition: bool,
}

impl BookingRun {
    /// Dials, commits the intent, and sends once.
    pub(super) async fn call(mut self) -> Result<Round, Error> {
        failpoint::hit("claimed");
        let _turn = match self.turn().await? {
            Ok(turn) => turn,
            Err(until) => return self.sleep(until).await,
        };
        let bound = match self.bound_carrier().await? {
            Ok(bound) => bound,
            Err(unusable) => {
                return self.write(Observed::no_carrier(Seen::Barred, &unusable)).await;
            }
        };
        let reference = Reference::new(self.app.ids().as_ref());
        let prepared = match self.prepare(&bound, &reference)? {
            Ok(prepared) => prepared,
            Err(observed) => return self.write(observed).await,
        };
        let session = match self.dial(&bound).await {
            Ok(session) => session,
            Err(DialFailure::Barred(why)) => {
                return self.write(Observed::because(Seen::Barred, why)).await;
            }
            Err(DialFailure::Unreachable(why)) => {
                self.note_failure(&bound, &prepared);
                return self.write(Observed::because(Seen::NotSent, why)).await;
            }
        };
        failpoint::hit("dialled");
        if self.app.now() >= self.shipment.deadline_at {
            // Dialling took until the deadline: what is not sent by now is not sent at all.
            return Ok(Round::Again);
        }
        // The budget counts from before the commit: however long that takes, it is part of it.
        let committing = self.app.monotonic();
        let intent = match planted::unwritten_intent(self.app.now()) {
            None => self.commit_intent(&reference).await?,
            unwritten => unwritten,
        };
        let Some((permit, at)) = intent else { return Ok(Round::Over) };
        failpoint::hit("intent");
        (self.booking.step, self.shipment.step) = (Step::Calling, Step::Calling);
        (self.booking.called_at, self.shipment.called_at) = (Some(at), Some(at));
        let spent = self.app.monotonic().saturating_sub(committing);
        if spent > send_budget() && !planted::is("no-fence") {
            // Somebody may have given us up meanwhile. The permit goes unused.
            drop((session, permit));
            return self
                .write(Observed::because(Seen::NotSent, "too late to send".to_owned()))
                .await;
        }
        let left = match planted::is("no-fence") {
            true => lease() * 100,
            false => send_budget().saturating_sub(spent),
        };
        let (session, is_repetition) = (session.send_within(left), false);
        let call = Call { bound, session, prepared, reference, is_repetition };
        self.send(call, permit).await
    }

    /// Sends the open attempt again, under its own reference: the carrier books it once.
    pub(super) async fn call_again(self) -> Result<Round, Error> {
        let bound = match self.bound_carrier().await? {
            Ok(bound) => bound,
            Err(unusable) => {
                return self.write(Observed::no_carrier(Seen::NoAnswer, &unusable)).await;
            }
        };
        // Whoever refuses us now may have booked it before.
        let session = match self.dial(&bound).await {
            Ok(session) => session,
            Err(DialFailure::Barred(why) | DialFailure::Unreachable(why)) => {
                return self.write(Observed::because(Seen::NoAnswer, why)).await;
            }
        };
        let (team, id, claimed) = (self.team, self.shipment.id, self.claimed.clone());
        let now = self.app.now();
        let open = self
            .app
            .write(move |tx| {
                if !renew_lease(tx, &claimed, now)? {
                    return Ok::<_, Error>(None);
                }
                let call = carrier_calls::find_open(tx, team, id)?;
                Ok(carrier_calls::reopen(tx, team, id)?.zip(call))
            })
            .await?;
        let Some((permit, call)) = open else { return Ok(Round::Over) };
        let reference = match planted::is("fresh-reference") {
            true => Reference::new(self.app.ids().as_ref()),
            false => Reference::from_stored(call.reference),
        };
        let prepared = match self.prepare(&bound, &reference)? {
            Ok(prepared) => prepared,
            Err(observed) => {
                return self.write(Observed { seen: Seen::NoAnswer, ..observed }).await;
            }
        };
        let is_repetition = true;
        self.send(Call { bound, session, prepared, reference, is_repetition }, permit).await
    }

    /// Asks the carrier about the open attempt. A miss counts only beside a hit: when the carrier
    /// does not find a booking that it is known to have, its answer says nothing. Nor does it when
    /// a database that was lost may have believed the same miss, and sent another attempt.
    pub(super) async fn ask(self) -> Result<Round, Error> {
        let bound = match self.bound_carrier().await? {
            Ok(bound) => bound,
            Err(unusable) => {
                return self.write(Observed::no_carrier(Seen::NoAnswer, &unusable)).await;
            }
        };
        let (team, id, account) = (self.team, self.shipment.id, self.shipment.account);
        let now = self.app.now();
        let service = self.shipment.service_code.clone();
        let settled = match self.booking.kind {
            CarrierKind::Lookup { settle } => now.minus(settle),
            CarrierKind::Idempotent | CarrierKind::Blind => now,
        };
        let deadline = self.shipment.deadline_at;
        let times = (self.shipment.called_at.unwrap_or(settled), settled);
        let (open, canary, asked_at, is_lost) = self
            .app
            .read(move |tx| {
                let open = carrier_calls::find_open(tx, team, id)?;
                let canary = carrier_calls::find_canary(tx, team, account, &service, times)?;
                let is_lost = epochs::has_ended(tx, deadline)?;
                // By the clock that the intent was written with, and before the carrier is asked.
                Ok::<_, Error>((open, canary, tx.now(now)?, is_lost))
            })
            .await?;
        let Some(open) = open else { return self.finish().await };
        let reference = Reference::from_stored(open.reference);
        let is_certain = self.is_certainly_settled(asked_at);
        let sought = bound_carrier::sought(&self.app, &self.shipment, &reference, false)?;
        let found = self.waiting(bound.find(&self.app, &sought)).await;
        if found == Found::Absent && !is_certain {
            let why = "not found, but perhaps too early: the server has just started, or its clock \
                       was set";
            return self.write(Observed::because(Seen::NoAnswer, why.to_owned())).await;
        }
        if found == Found::Absent && !self.is_miss_conclusive(&bound, canary).await? {
            let why = "not found, but neither is a booking that must be there".to_owned();
            return self.write(Observed::because(Seen::NoAnswer, why)).await;
        }
        if found == Found::Absent && is_lost {
            let why = "not found, but a database that was lost may have sent it once more";
            return self.write(Observed::because(Seen::NoAnswer, why.to_owned())).await;
        }
        let observed = self.with_papers(Observed::of_look_up(found)).await;
        self.write(Observed { at: Some(asked_at), ..observed }).await
    }

    /// Whether so much time has passed as the clock says, if that is enough for a miss to count.
    fn is_certainly_settled(&self, asked_at: Time) -> bool {
        let (CarrierKind::Lookup { settle }, Some(called_at)) =
            (self.booking.kind, self.booking.called_at)
        else {
            return true;
        };
        asked_at < called_at.plus(settle) || self.app.clock().certain_since(called_at) >= settle
    }

    /// Gets the files of an accepted booking. There is no permit here, so nothing can be booked.
    pub(super) async fn fetch_documents(self) -> Result<Round, Error> {
        failpoint::hit("accepted");
        let bound = match self.bound_carrier().await? {
            Ok(bound) => bound,
            Err(unusable) => {
                return self.write(Observed::no_carrier(Seen::DocumentsFailed, &unusable)).await;
            }
        };
        let booked = bound_carrier::booked(&self.app, self.team, &self.shipment).await?;
        let Some(booked) = booked else { return self.finish().await };
        let papers = bound.carrier.documents(&bound.account, &booked);
        match self.waiting(bound.counted(&self.app, "documents", papers)).await {
            Ok(papers) if !papers.is_empty() => {
                let numbers = self.shipment.tracking_numbers();
                let made = self.papers(numbers, papers).await;
                self.write(Observed::of_papers(made)).await
            }
            Ok(_) => self.write(Observed::of(Seen::DocumentsFailed)).await,
            Err(why) => self.write(Observed::because(Seen::DocumentsFailed, why)).await,
        }
    }

    /// The write that must be durable before a byte leaves.
    async fn commit_intent(&self, reference: &Reference) -> Result<Option<(Permit, Time)>, Error> {
        let (team, id, claimed) = (self.team, self.shipment.id, self.claimed.clone());
        let (now, reference) = (self.app.now(), reference.clone());
        self.app
            .write(move |tx| {
                let at = tx.now(now)?;
                if !renew_lease(tx, &claimed, now)? || !shipments::set_calling(tx, team, id, at)? {
                    return Ok(None);
                }
                let fence = claimed.fence;
                let permit = carrier_calls::insert(tx, team, id, &reference, fence, at)?;
                Ok(Some((permit, at)))
            })
            .await
    }

    /// Sends, and waits for the answer as long as the carrier may take. The caller does not wait
    /// that long: at the deadline it is told, and a later answer corrects it.
    async fn send(mut self, call: Call, permit: Permit) -> Result<Round, Error> {
        let Call { bound, session, prepared, reference, is_repetition } = call;
        let is_rehearsal = prepared.is_rehearsal;
        let call = bound.carrier.book(session, &bound.account, prepared, &reference, permit);
        let app = self.app.clone();
        let call = bound.counted(&app, "book", call);
        let (clock, timings) = (self.app.clock().clone(), self.timings.clone());
        let call = timings.during(clock.as_ref(), Part::Carrier, call);
        tokio::pin!(call);
        // Renewed often enough while the carrier is waited for.
        let renew = lease() / 3;
        let outcome = loop {
            let now = self.app.now();
            let to_deadline = match self.booking.is_failed {
                true => renew,
                false => self.shipment.deadline_at.since(now),
            };
            tokio::select! {
                outcome = &mut call => break outcome,
                () = tokio::time::sleep(to_deadline.min(renew)) => {}
            }
            if !self.still_ours().await? {
                return Ok(Round::Over);
            }
        };
        failpoint::hit("answered");
        self.note_answer(&bound, is_rehearsal, &outcome);
        if planted::is("no-intent") {
            self.commit_intent(&reference).await?;
        }
        let outcome = if is_repetition { of_repetition(outcome) } else { outcome };
        if let Outcome::Unknown(_) = &outcome {
            // What the carrier said may name people: `waybill why` tells it.
            tracing::warn!(shipment = %self.shipment.id, "a carrier's answer is unclear");
        }
        let observed = self.with_papers(Observed::of_call(outcome)).await;
        self.write(observed).await
    }

    /// Draws and measures at once what came with the answer. What fails here is tried again in a
    /// step of its own, where nothing can be booked.
    async fn with_papers(&self, mut observed: Observed) -> Observed {
        let Some(accepted) = observed.accepted.as_mut().filter(|_| observed.seen == Seen::Accepted)
        else {
            return observed;
        };
        let papers = std::mem::take(&mut accepted.files);
        if papers.is_empty() {
            return observed;
        }
        let numbers = accepted.parcels.iter().map(|p| Some(p.tracking_number.clone())).collect();
        match self.papers(numbers, papers).await {
            Ok(made) => observed.papers = made,
            Err(why) => {
                tracing::warn!(shipment = %self.shipment.id, %why, "papers could not be made");
                observed.evidence = Some(why.to_string());
            }
        }
        observed
    }

    /// Renews the lease, and tells the caller when the deadline has passed.
    async fn still_ours(&mut self) -> Result<bool, Error> {
        let now = self.app.now();
        if now >= self.shipment.deadline_at && !self.booking.is_failed {
            if matches!(self.fail(Ending::Deadline, now).await?, Round::Over) {
                return Ok(false);
            }
            let (team, id) = (self.team, self.shipment.id);
            let found = self.app.read(move |tx| shipments::find(tx, team, id)).await?;
            let Some(shipment) = found else { return Ok(false) };
            self.shipment = shipment;
            self.booking.is_failed = true;
            return Ok(true);
        }
        let claimed = self.claimed.clone();
        self.app.write(move |tx| renew_lease(tx, &claimed, now)).await
    }

    async fn bound_carrier(&self) -> Result<Result<BoundCarrier, Unusable>, Error> {
        BoundCarrier::open(&self.app, self.team, &self.shipment).await
    }

    /// A connection to the carrier, with a token where it needs one.
    async fn dial(&self, bound: &BoundCarrier) -> Result<Session, DialFailure> {
        let dial = bound.carrier.dial(&bound.account);
        self.waiting(bound.counted(&self.app, "dial", dial)).await
    }

    /// The request to book. What cannot be said to the carrier was found when the shipment was
    /// accepted, unless the account was changed since.
    fn prepare(
        &self,
        bound: &BoundCarrier,
        reference: &Reference,
    ) -> Result<Result<Prepared, Observed>, Error> {
        let plan = bound_carrier::plan(&self.app, &self.shipment, reference, self.app.now())?;
        let prepared = bound.carrier.prepare(&plan, &bound.account.options);
        Ok(prepared.map_err(|problems| Observed::unprepared(&problems)))
    }

    /// Whether a miss counts: it is proof by itself, or the carrier finds a booking that it is
    /// known to have.
    async fn is_miss_conclusive(
        &self,
        bound: &BoundCarrier,
        canary: Option<String>,
    ) -> Result<bool, Error> {
        let lookup = bound.carrier.lookup(&self.shipment.service_code);
        if matches!(lookup, Lookup::ByReference { is_certain: true, .. }) {
            return Ok(true);
        }
        let Some(canary) = canary.map(Reference::from_stored) else { return Ok(false) };
        let sought = bound_carrier::sought(&self.app, &self.shipment, &canary, true)?;
        let found = self.waiting(bound.find(&self.app, &sought)).await;
        Ok(matches!(found, Found::Booked(_) | Found::Partly(..)))
    }
}

/// A repetition that is refused says nothing of the attempt before it, which may have been booked.
fn of_repetition(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Rejected(said) => {
            let reason = "it was refused when it was sent again".to_owned();
            Outcome::Unknown(Why { reason, said })
        }
        other => other,
    }
}
