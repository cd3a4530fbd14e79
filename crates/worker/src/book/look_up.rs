//! Asks a carrier what became of an attempt whose answer is unknown.

use waybill_carriers::booking::{Found, Lookup};
use waybill_domain::booking::{Booking, CarrierKind, Reference, Seen};
use waybill_domain::time::Time;
use waybill_engine::bound_carrier::{self, BoundCarrier};
use waybill_store::{Error, carrier_calls, epochs};

use super::observed::Observed;
use super::stop::Stop;
use super::{BookingRun, OpenCall};

impl BookingRun {
    /// Asks the carrier about the open attempt. A miss counts only beside a hit: when the carrier
    /// does not find a booking that it is known to have, its answer says nothing. Nor does it when
    /// a database that was lost may have believed the same miss, and sent another attempt.
    pub(super) async fn look_up(&self) -> Result<Observed, Stop> {
        let bound = self.bound_carrier(Seen::NoAnswer).await?;
        let OpenCall { number, reference } = self.open.as_ref().ok_or(Stop::Finished)?;
        let (team, account, booking) = (self.team, self.shipment.account, self.booking());
        let now = self.app.now();
        let service = self.shipment.service_code.clone();
        let settled = match booking.kind {
            CarrierKind::Lookup { settle } => now.minus(settle),
            CarrierKind::Idempotent | CarrierKind::Blind => now,
        };
        let deadline = self.shipment.deadline_at;
        let times = (self.shipment.called_at.unwrap_or(settled), settled);
        let (canary, asked_at, is_lost) = self
            .app
            .read(move |tx| {
                let canary = carrier_calls::find_canary(tx, team, account, &service, times)?;
                let is_lost = epochs::has_ended(tx, deadline)?;
                // By the clock that the intent was written with, and before the carrier is asked.
                Ok::<_, Error>((canary, tx.now(now)?, is_lost))
            })
            .await?;
        let is_certain = self.is_certainly_settled(&booking, asked_at);
        let sought = bound_carrier::sought(&self.app, &self.shipment, reference, false)?;
        let found = self.waiting(bound.find(&self.app, &sought)).await;
        if found == Found::Absent && !is_certain {
            return Ok(doubtful(
                "not found, but perhaps too early: the server has just started, or its clock was \
                 set",
            ));
        }
        if found == Found::Absent && !self.is_miss_conclusive(&bound, canary).await? {
            return Ok(doubtful("not found, but neither is a booking that must be there"));
        }
        if found == Found::Absent && is_lost {
            return Ok(doubtful("not found, but a database that was lost may have sent it again"));
        }
        let observed = self.with_papers(Observed::of_look_up(found, *number)).await;
        Ok(Observed { at: Some(asked_at), ..observed })
    }

    /// Whether so much time has passed as the clock says, if that is enough for a miss to count.
    fn is_certainly_settled(&self, booking: &Booking, asked_at: Time) -> bool {
        let (CarrierKind::Lookup { settle }, Some(called_at)) = (booking.kind, booking.called_at)
        else {
            return true;
        };
        asked_at < called_at.plus(settle) || self.app.clock().certain_since(called_at) >= settle
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

/// A miss that proves nothing.
fn doubtful(why: &str) -> Observed {
    Observed::because(Seen::NoAnswer, why.to_owned())
}
