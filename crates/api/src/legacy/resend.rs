//! The same request again. Clients of the older API have no keys: whoever got no answer presses the
//! button once more. For a day that is answered from the shipment of the first request, unless its
//! label was taken or nothing was booked for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use waybill_domain::booking::Held;
use waybill_domain::idempotency::{Fingerprint, fingerprint};
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_domain::json::Json;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_engine::app::App;
use waybill_engine::booking::held;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, legacy, shipments};

/// So long a request is known again.
const KNOWN: Duration = Duration::from_hours(24);
/// More labels than this, which were taken and are not noted yet, are not remembered.
const TAKEN_MAX: usize = 10_000;

/// Labels that were taken and of which the store does not know yet: the same request may come
/// before it does.
#[derive(Default)]
pub struct TakenLabels(Mutex<Vec<(TeamId, ShipmentId, Time)>>);

impl TakenLabels {
    /// The label of this shipment was taken, which somebody was given at this time.
    pub fn note(
        self: &Arc<TakenLabels>,
        app: &App,
        team: TeamId,
        shipment: ShipmentId,
        given_at: Time,
    ) {
        {
            let mut taken = self.taken();
            if taken.len() < TAKEN_MAX {
                taken.push((team, shipment, given_at));
            }
        }
        let (this, app) = (Arc::clone(self), app.clone());
        tokio::spawn(async move {
            let note = move |tx: &mut Tx<'_>| legacy::set_answered(tx, team, shipment, given_at);
            match app.write(note).await {
                Ok(()) => this.taken().retain(|(_, other, _)| *other != shipment),
                // The next request like it notes it, if that comes here.
                Err(error) => tracing::warn!(%error, %shipment, "a label that was taken"),
            }
        });
    }

    /// When the label of this shipment was taken.
    fn when(&self, shipment: ShipmentId) -> Option<Time> {
        let taken = self.taken();
        taken.iter().find(|(_, other, _)| *other == shipment).map(|(.., at)| *at)
    }

    fn of(&self, team: TeamId) -> Vec<(ShipmentId, Time)> {
        let taken = self.taken();
        let own = taken.iter().filter(|(other, ..)| *other == team);
        own.map(|(_, shipment, at)| (*shipment, *at)).collect()
    }

    fn taken(&self) -> MutexGuard<'_, Vec<(TeamId, ShipmentId, Time)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a request is known by when it comes again.
#[derive(Clone)]
pub struct Resend {
    fingerprint: Fingerprint,
    /// Whoever sent it by then had no label of it.
    arrived_at: Time,
    taken: Arc<TakenLabels>,
}

impl Resend {
    /// For a request that arrived then with this body, on a demo path or on an ordinary one.
    pub fn new(taken: &Arc<TakenLabels>, arrived_at: Time, is_demo: bool, body: &Json) -> Resend {
        let fingerprint = fingerprint(&Json::List(vec![is_demo.into(), body.clone()]));
        Resend { fingerprint, arrived_at, taken: Arc::clone(taken) }
    }

    /// What it is.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// The shipment that the request is answered from, as far as can be seen without writing, and
    /// whether it has a label.
    pub fn look(
        &self,
        tx: &mut Tx<'_>,
        team: TeamId,
        now: Time,
    ) -> Result<Option<(ShipmentId, bool)>, Error> {
        match legacy::find_open(tx, team, &self.fingerprint)? {
            Some(open) => self.answered_from(tx, team, open, now),
            None => Ok(None),
        }
    }

    /// The same, when this shipment is open for the request.
    fn answered_from(
        &self,
        tx: &mut Tx<'_>,
        team: TeamId,
        (id, made_at, answered_at): (ShipmentId, Time, Option<Time>),
        now: Time,
    ) -> Result<Option<(ShipmentId, bool)>, Error> {
        // What was sent before anybody had the label is no second wish.
        let answered_at = answered_at.or_else(|| self.taken.when(id));
        let is_second = answered_at.is_some_and(|at| at <= self.arrived_at);
        if is_second || now >= made_at.plus(KNOWN) {
            return Ok(None);
        }
        let shipment = shipments::find(tx, team, id)?;
        let is_booked = |shipment: &Shipment| shipment.state == ShipmentState::Booked;
        Ok(shipment.filter(answers_again).map(|it| (it.id, is_booked(&it))))
    }

    /// The same in the transaction that accepts the request: a shipment that it is not answered
    /// from makes room for the next one.
    pub fn claim(
        &self,
        tx: &mut Tx<'_>,
        team: TeamId,
        now: Time,
    ) -> Result<Option<ShipmentId>, Error> {
        for (shipment, at) in self.taken.of(team) {
            legacy::set_answered(tx, team, shipment, at)?;
        }
        // It is read once: another look would see what the same request has just begun elsewhere,
        // and only what is known to be over may make room.
        let Some(open) = legacy::find_open(tx, team, &self.fingerprint)? else { return Ok(None) };
        let known = self.answered_from(tx, team, open, now)?;
        if known.is_none() {
            legacy::close(tx, team, open.0)?;
        }
        Ok(known.map(|(id, _)| id))
    }
}

/// Whether the carrier has the shipment, or may have it, or it is being booked: then the same
/// request must not book another one.
fn answers_again(shipment: &Shipment) -> bool {
    match shipment.state {
        ShipmentState::Pending | ShipmentState::Processing | ShipmentState::Booked => true,
        ShipmentState::Failed => shipment.step.is_open() || held(shipment) != Held::Nothing,
        _ => false,
    }
}
