//! What a booking tells the breaker of its account, and when it waits for it.

use waybill_carriers::booking::{Outcome, Prepared};
use waybill_engine::bound_carrier::BoundCarrier;
use waybill_engine::breaker::{Paused, Probe};
use waybill_store::{Error, carrier_calls};

use super::run::BookingRun;
use super::stop::Stop;

impl BookingRun {
    /// Passes the breaker. While others keep failing it waits, or is the one that is tried.
    pub(super) async fn enter_breaker(&self) -> Result<Option<Probe>, Stop> {
        let (account, id) = (self.shipment.account, self.shipment.id);
        if !self.app.breakers().is_open(account) || !self.is_new().await? {
            return Ok(None);
        }
        let entered = self.app.breakers().enter(account, id, self.app.now());
        entered.map_err(|Paused { look_at, until }| {
            let note = format!("its carrier keeps failing and is left alone until {until}");
            Stop::Paused(look_at.min(self.shipment.deadline_at), note)
        })
    }

    /// Whether nothing was ever sent for it: only then can it wait at no risk.
    async fn is_new(&self) -> Result<bool, Error> {
        let (team, id) = (self.team, self.shipment.id);
        if !self.is_untried() {
            return Ok(false);
        }
        let calls = self.app.read(move |tx| carrier_calls::list(tx, team, id)).await?;
        Ok(calls.is_empty())
    }

    /// Whether nothing that went wrong with it is noted.
    fn is_untried(&self) -> bool {
        self.shipment.tries == 0 && self.shipment.failure.is_none()
    }

    /// Tells what a call to book came to.
    pub(super) fn note_answer(
        &self,
        bound: &BoundCarrier,
        is_simulated_failure: bool,
        outcome: &Outcome,
    ) {
        match outcome {
            // Each booking learns at once that the carrier refuses us: none waits for another.
            Outcome::AccessDenied(_) => {}
            Outcome::Accepted(_) | Outcome::Partial(..) | Outcome::Rejected(_) => {
                self.app.breakers().worked(self.shipment.account);
            }
            Outcome::NotSent(_) | Outcome::TurnedAway(..) | Outcome::Unknown(_) => {
                self.failed(bound, is_simulated_failure);
            }
        }
    }

    /// Tells that an attempt failed, if it was the first one. What a sender asked the carrier to do
    /// wrong says nothing of how other bookings fare.
    pub(super) fn note_failure(&self, bound: &BoundCarrier, prepared: &Prepared) {
        self.failed(bound, prepared.is_simulated_failure);
    }

    fn failed(&self, bound: &BoundCarrier, is_simulated_failure: bool) {
        if self.is_untried() && !is_simulated_failure {
            let (account, id) = (self.shipment.account, self.shipment.id);
            self.app.breakers().failed(bound.carrier.code(), account, id, self.app.now());
        }
    }
}
