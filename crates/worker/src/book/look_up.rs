//! Asks a carrier what became of an attempt whose answer is unknown.

use std::time::Duration;

use waybill_carriers::booking::{Found, Lookup};
use waybill_domain::booking::{Booking, CarrierKind, Doubt, Miss, Reference, Seen};
use waybill_domain::ids::TeamId;
use waybill_domain::time::Time;
use waybill_engine::bound_carrier::{self, BoundCarrier};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, carrier_calls, epochs, shipments};

use super::observed::Observed;
use super::run::{BookingRun, OpenCall};
use super::stop::Stop;

/// What is known here before the carrier is asked.
struct Question {
    /// By the clock that the intent was written with.
    asked_at: Time,
    /// A booking that must be found.
    canary: Option<Canary>,
    /// Whether a database that was lost may have sent another attempt.
    may_be_lost: bool,
}

/// A booking that must be found, with the order that was sent with it: some carriers are asked by
/// what is in it, and would change the booking if they were told something else.
struct Canary {
    reference: Reference,
    shipment: Shipment,
}

impl Canary {
    fn read(tx: &mut Tx<'_>, team: TeamId, reference: String) -> Result<Option<Canary>, Error> {
        let known = carrier_calls::any_find_shipment(tx, &reference)?;
        let shipment = match known {
            Some(known) => shipments::find(tx, team, known.id)?,
            None => None,
        };
        let reference = Reference::from_stored(reference);
        Ok(shipment.map(|shipment| Canary { reference, shipment }))
    }
}

impl BookingRun {
    /// Asks the carrier about the open attempt. What a miss is worth is for the machine to say: it
    /// gets all that speaks for it and against it.
    pub(super) async fn look_up(&self) -> Result<Observed, Stop> {
        let bound = self.bound_carrier(Seen::NoAnswer).await?;
        let OpenCall { number, reference } = self.open.as_ref().ok_or(Stop::Finished)?;
        let booking = self.booking();
        let question = self.question(&booking).await?;
        let certain_age = self.certain_age();
        let sought = bound_carrier::sought(&self.app, &self.shipment, reference, false)?;
        let found = self.timed(bound.find(&self.app, &sought)).await;
        if let Some(observed) = Observed::of_look_up(found) {
            return Ok(self.with_papers(observed).await);
        }
        let miss = Miss {
            call: *number,
            asked_at: question.asked_at,
            certain_age,
            is_confirmed: self.is_proof(&bound),
            may_be_lost: question.may_be_lost,
        };
        // The carrier is not bothered when its answer would change nothing.
        let is_confirmed = match booking.doubt(&miss) {
            Some(Doubt::NoCanary) => self.finds_canary(&bound, question.canary).await?,
            _ => miss.is_confirmed,
        };
        Ok(Observed::of(Seen::Absent(Miss { is_confirmed, ..miss })))
    }

    async fn question(&self, booking: &Booking) -> Result<Question, Error> {
        let (team, account, now) = (self.team, self.shipment.account, self.app.now());
        let service = self.shipment.service_code.clone();
        let settled = match booking.kind {
            CarrierKind::Lookup { settle } => now.minus(settle),
            CarrierKind::Idempotent | CarrierKind::Blind => now,
        };
        let deadline = self.shipment.deadline_at;
        let times = (self.shipment.called_at.unwrap_or(settled), settled);
        let read = self.app.read(move |tx| {
            let canary = carrier_calls::find_canary(tx, team, account, &service, times)?;
            Ok(Question {
                asked_at: tx.now(now)?,
                canary: match canary {
                    Some(reference) => Canary::read(tx, team, reference)?,
                    None => None,
                },
                may_be_lost: epochs::has_ended(tx, deadline)?,
            })
        });
        read.await
    }

    /// How much time has passed since the intent, whatever was done to the clock.
    fn certain_age(&self) -> Duration {
        let called_at = self.shipment.called_at;
        called_at.map_or(Duration::ZERO, |at| self.app.clock().certain_since(at))
    }

    /// Whether a miss is proof by itself.
    fn is_proof(&self, bound: &BoundCarrier) -> bool {
        let lookup = bound.carrier.lookup(&self.shipment.service_code);
        matches!(lookup, Lookup::ByReference { is_certain: true, .. })
    }

    /// Whether the carrier finds a booking that it is known to have.
    async fn finds_canary(
        &self,
        bound: &BoundCarrier,
        canary: Option<Canary>,
    ) -> Result<bool, Error> {
        let Some(Canary { reference, shipment }) = canary else { return Ok(false) };
        let sought = bound_carrier::sought(&self.app, &shipment, &reference, true)?;
        let found = self.timed(bound.find(&self.app, &sought)).await;
        Ok(matches!(found, Found::Accepted(_) | Found::Partial(..)))
    }
}
