//! A booking under way: whose job it is, what its rows say, and what everybody asks of it. Nothing
//! here knows of the files beside it.

use std::sync::Arc;

use waybill_domain::booking::{Booking, Reference, Seen};
use waybill_domain::ids::{ShipmentId, TeamId};
use waybill_engine::app::App;
use waybill_engine::booking::booking_of;
use waybill_engine::bound_carrier::BoundCarrier;
use waybill_engine::timings::{Part, Timings};
use waybill_store::shipments::Shipment;
use waybill_store::{Error, Tx, carrier_calls, jobs, shipments};

use super::observed::Observed;
use super::stop::Stop;

/// How a round with a booking ended.
pub(super) enum Round {
    /// Something changed: look again at once.
    Again,
    /// The job sleeps or is done, or somebody else has it now.
    Over,
}

/// An attempt that may be booked.
pub(super) struct OpenCall {
    /// The first is 1.
    pub(super) number: u32,
    /// What the carrier knows it by.
    pub(super) reference: Reference,
}

/// A booking under way: whose job it is and what its rows say.
pub(super) struct BookingRun {
    pub(super) app: App,
    pub(super) claimed: jobs::Claimed,
    pub(super) team: TeamId,
    pub(super) shipment: Shipment,
    /// Its open attempt, read together with it.
    pub(super) open: Option<OpenCall>,
    /// What it takes, over all rounds.
    pub(super) timings: Arc<Timings>,
}

/// The shipment, with its open attempt.
pub(super) fn find(
    tx: &mut Tx<'_>,
    team: TeamId,
    id: ShipmentId,
) -> Result<Option<(Shipment, Option<OpenCall>)>, Error> {
    let Some(shipment) = shipments::find(tx, team, id)? else { return Ok(None) };
    let open = match shipment.step.is_open() {
        true => carrier_calls::find_open(tx, team, id)?,
        false => None,
    };
    let open = open.map(|call| OpenCall::new(call.number, Reference::from_stored(call.reference)));
    Ok(Some((shipment, open)))
}

impl OpenCall {
    pub(super) fn new(number: i64, reference: Reference) -> OpenCall {
        OpenCall { number: u32::try_from(number).unwrap_or(u32::MAX), reference }
    }
}

impl BookingRun {
    /// The shipment as the machine sees it.
    pub(super) fn booking(&self) -> Booking {
        booking_of(&self.app, &self.shipment)
    }

    /// Nothing of the open attempt was sent; or it did not come to one.
    pub(super) fn not_sent(&self) -> Seen {
        Seen::NotSent { call: self.open.as_ref().map(|open| open.number) }
    }

    /// Waits for a carrier, and counts how long.
    pub(super) async fn timed<T>(&self, carrier: impl Future<Output = T>) -> T {
        self.timings.during(self.app.clock().as_ref(), Part::Carrier, carrier).await
    }

    /// The carrier and the account. Where there is none, `seen` is what that comes to.
    pub(super) async fn bound_carrier(&self, seen: Seen) -> Result<BoundCarrier, Stop> {
        let opened = BoundCarrier::open(&self.app, self.team, &self.shipment).await?;
        opened.map_err(|unusable| Observed::no_carrier(seen, &unusable).into())
    }
}
