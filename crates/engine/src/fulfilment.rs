//! What is done with the requests of a warehouse: by callers, and by the booking of their
//! shipments.
//!
//! Stock leaves once, with the write that makes a shipment booked, whoever makes it ([`booked`]).
//! Until then the pieces stay promised, and while the carrier has or may have a shipment of the
//! request there is no other one, and no cancelling.

use waybill_domain::ids::{EventId, FulfilmentId, ShipmentId, TeamId};
use waybill_domain::shipment::ShipmentState;
use waybill_domain::time::Time;
use waybill_domain::wms::{
    Action, Allocation, RequestShipment, RequestState, Step, TAKES_MAX, act as step_of,
};
use waybill_domain::words::Message;
use waybill_store::shipments::{self, Shipment};
use waybill_store::wms::fulfilments::{self, Fulfilment};
use waybill_store::wms::stock;
use waybill_store::{Error, Tx};

use crate::app::App;
use crate::booking::held;
use crate::planted;

/// What became of an action.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome<T> {
    /// It was done, or was so already.
    Done(T),
    /// It cannot be done now: why.
    Refused(Message),
}

/// Does anything but shipping with a request. Nothing when the team has no such request.
pub fn act(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    (id, action): (FulfilmentId, Action),
    now: Time,
) -> Result<Option<Outcome<Fulfilment>>, Error> {
    let Some(request) = fulfilments::lock(tx, team, id)? else { return Ok(None) };
    let done = match step_of(request.state, action) {
        Step::AsItIs => Outcome::Done(request),
        Step::LookForStock => look_for_stock(tx, app, team, request, now)?,
        Step::To(RequestState::Cancelled) => Outcome::Done(cancel(tx, app, team, request, now)?),
        Step::To(state) => {
            let packed_at = (state == RequestState::Packed).then_some(now);
            let moved = Fulfilment { state, packed_at, updated_at: now, ..request };
            Outcome::Done(write(tx, app, team, moved)?)
        }
        Step::CancelUnlessBooking => match request_shipment(tx, team, &request)? {
            RequestShipment::Free => Outcome::Done(cancel(tx, app, team, request, now)?),
            RequestShipment::UnderWay => Outcome::Refused(Message::new("wms-shipment-under-way")),
            RequestShipment::Held | RequestShipment::Booked => {
                Outcome::Refused(Message::new("wms-shipment-held"))
            }
        },
        Step::Book | Step::Refused => Outcome::Refused(not_from(request.state)),
    };
    Ok(Some(done))
}

/// Why nothing leads from this state to what is wanted.
pub fn not_from(state: RequestState) -> Message {
    Message::new(match state {
        RequestState::Received => "wms-is-received",
        RequestState::Allocated => "wms-is-allocated",
        RequestState::Backordered => "wms-is-backordered",
        RequestState::Picking => "wms-is-picking",
        RequestState::Packed => "wms-is-packed",
        RequestState::Shipped => "wms-is-shipped",
        RequestState::Cancelled => "wms-is-cancelled",
    })
}

/// How it is with the shipment of a request. One that is free stays that.
pub fn request_shipment(
    tx: &mut Tx<'_>,
    team: TeamId,
    request: &Fulfilment,
) -> Result<RequestShipment, Error> {
    let Some(id) = request.shipment else { return Ok(RequestShipment::Free) };
    let shipment = shipments::find(tx, team, id)?;
    Ok(planted::request_shipment(
        shipment.map_or(RequestShipment::Free, |shipment| request_shipment_of(&shipment)),
    ))
}

/// The same of a shipment that is at hand.
pub fn request_shipment_of(shipment: &Shipment) -> RequestShipment {
    RequestShipment::of(shipment.state, shipment.step, held(shipment))
}

fn look_for_stock(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    mut request: Fulfilment,
    now: Time,
) -> Result<Outcome<Fulfilment>, Error> {
    let before = (request.state, request.lines.clone());
    match stock::reserve(tx, team, &request, now)? {
        Allocation::Whole(takes) => {
            for (line, takes) in request.lines.iter_mut().zip(takes) {
                (line.missing, line.takes) = (0, takes);
            }
            (request.state, request.allocated_at) = (RequestState::Allocated, Some(now));
        }
        Allocation::Short(missing) => {
            planted::keep_part(tx, team, &request, &missing, now)?;
            for (line, missing) in request.lines.iter_mut().zip(missing) {
                line.missing = missing;
            }
            request.state = RequestState::Backordered;
        }
        Allocation::Scattered => {
            let max = i64::try_from(TAKES_MAX).unwrap_or(i64::MAX);
            return Ok(Outcome::Refused(Message::new("wms-too-scattered").count("max", max)));
        }
    }
    if before == (request.state, request.lines.clone()) {
        return Ok(Outcome::Done(request));
    }
    request.updated_at = now;
    Ok(Outcome::Done(write(tx, app, team, request)?))
}

fn cancel(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    mut request: Fulfilment,
    now: Time,
) -> Result<Fulfilment, Error> {
    if request.state.holds_stock() && !planted::is("wms-keep-cancelled") {
        stock::release(tx, team, request.id, now)?;
    }
    for line in &mut request.lines {
        line.missing = 0;
        line.takes.clear();
    }
    let (state, cancelled_at) = (RequestState::Cancelled, Some(now));
    write(tx, app, team, Fulfilment { state, cancelled_at, updated_at: now, ..request })
}

/// What became of the wish to ship a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shipping {
    /// This shipment is the request's from now on.
    Begun,
    /// It has one already.
    Before(ShipmentId),
}

/// Makes a shipment that is about to be stored that of a request, if it may have another one. An
/// error of the caller's own kind when it may not: nothing is kept then.
pub fn begin<E: From<Error>>(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    (id, shipment): (FulfilmentId, ShipmentId),
    now: Time,
    refuse: impl Fn(Option<Message>) -> E,
) -> Result<Shipping, E> {
    let Some(request) = fulfilments::lock(tx, team, id)? else { return Err(refuse(None)) };
    match step_of(request.state, Action::Ship) {
        Step::Book => {}
        Step::AsItIs => {
            let shipped = request.shipment.ok_or_else(|| refuse(None))?;
            return Ok(Shipping::Before(shipped));
        }
        _ => return Err(refuse(Some(not_from(request.state)))),
    }
    match (request_shipment(tx, team, &request)?, request.shipment) {
        (RequestShipment::UnderWay | RequestShipment::Booked, Some(before)) => {
            Ok(Shipping::Before(before))
        }
        (RequestShipment::Held, _) => Err(refuse(Some(Message::new("wms-shipment-held")))),
        _ => {
            let begun = Fulfilment { shipment: Some(shipment), updated_at: now, ..request };
            write(tx, app, team, begun)?;
            Ok(Shipping::Begun)
        }
    }
}

/// Ships the request of a shipment that becomes booked in this transaction.
pub fn booked(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    shipment: &Shipment,
    now: Time,
) -> Result<(), Error> {
    let Some(id) = shipment.fulfilment.filter(|_| shipment.state == ShipmentState::Booked) else {
        return Ok(());
    };
    let Some(request) = fulfilments::lock(tx, team, id)? else { return Ok(()) };
    if request.state != RequestState::Packed || request.shipment != Some(shipment.id) {
        // It cannot be. The label is bought all the same, and `waybill check` finds the rest.
        tracing::error!(shipment = %shipment.id, request = %id, "booked, and not packed");
        return Ok(());
    }
    match planted::is("wms-forget-ledger") {
        true => stock::release(tx, team, id, now)?,
        false => stock::take_out(tx, team, &request, &|| app.new_uuid(), now)?,
    }
    let (state, shipped_at) = (RequestState::Shipped, Some(now));
    write(tx, app, team, Fulfilment { state, shipped_at, updated_at: now, ..request })?;
    Ok(())
}

/// Takes a shipment that is deleted from its request, which may be shipped again.
pub fn forget(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    shipment: &Shipment,
    now: Time,
) -> Result<(), Error> {
    let Some(id) = shipment.fulfilment else { return Ok(()) };
    let Some(request) = fulfilments::lock(tx, team, id)? else { return Ok(()) };
    if request.shipment == Some(shipment.id) {
        write(tx, app, team, Fulfilment { shipment: None, updated_at: now, ..request })?;
    }
    Ok(())
}

fn write(
    tx: &mut Tx<'_>,
    app: &App,
    team: TeamId,
    request: Fulfilment,
) -> Result<Fulfilment, Error> {
    fulfilments::change(tx, team, &request, EventId(app.new_uuid()))?;
    Ok(request)
}
