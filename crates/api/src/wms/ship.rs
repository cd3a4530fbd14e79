//! Shipping a request: its shipment is stored and booked by the one way there is. The write that
//! makes it booked ships the request (`engine/fulfilment.rs`), whether anybody still waits or not.

use std::time::Duration;

use axum::http::{StatusCode, header};
use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::{FulfilmentId, ShipmentId};
use waybill_domain::wms::{Action, Line, RequestInput, RequestShipment, RequestState, Step, act};
use waybill_domain::words::Message;
use waybill_engine::failpoint;
use waybill_engine::fulfilment::{not_from, request_shipment};
use waybill_store::Error;
use waybill_store::shipments::Shipment;
use waybill_store::wms::fulfilments::{self, Fulfilment};

use super::fulfilments::{find, view};
use super::validate::{ValidRequest, validate};
use crate::caller::Member;
use crate::reply::{ApiError, Reply};
use crate::request::Request;
use crate::shipments::{Beginning, Begun, Intake, begin, is_over, load, load_intake, stored, wait};

/// The longest that a caller waits for the whole booking.
const WAIT: Duration = Duration::from_secs(10);

/// `POST …/fulfilment-requests/{request}/ship`
pub async fn ship(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("request", FulfilmentId::parse)?;
    find(&request, member, id).await?;
    request.query.knowing(&[]).finish()?;
    request.no_body().await?;
    let read = request.read(move |tx| {
        let Some(wanted) = fulfilments::find(tx, member.team, id)? else { return Ok(None) };
        let request_shipment = request_shipment(tx, member.team, &wanted)?;
        Ok::<_, Error>(Some((wanted, request_shipment)))
    });
    let (wanted, request_shipment) = read.await?.ok_or(ApiError::NotFound)?;
    match act(wanted.state, Action::Ship) {
        Step::Book => {}
        Step::AsItIs => return Ok(Reply::data(view(&wanted)).private()),
        _ => return Err(ApiError::Conflict(not_from(wanted.state))),
    }
    let shipment = match (request_shipment, wanted.shipment) {
        (RequestShipment::Held, _) => {
            return Err(ApiError::Conflict(Message::new("wms-shipment-held")));
        }
        (RequestShipment::UnderWay | RequestShipment::Booked, Some(before)) => {
            follow(&request, member, before).await?
        }
        _ => book(&request, member, &wanted).await?,
    };
    answer(&request, member, id, &shipment).await
}

/// Stores a shipment of the request, unless somebody else does so at this moment, and waits for it.
async fn book(
    request: &Request,
    member: Member,
    wanted: &Fulfilment,
) -> Result<Shipment, ApiError> {
    let input = RequestInput {
        identifier: wanted.identifier.clone(),
        reference: wanted.reference.clone(),
        lines: wanted
            .lines
            .iter()
            .map(|line| Line {
                sku: line.sku.clone(),
                quantity: line.quantity,
                parcel: line.parcel,
            })
            .collect(),
        shipment: stored(&wanted.input, |json| Ok(json.clone()))?,
    };
    let body = std::iter::once(&input.shipment);
    let Intake::New(team) = load_intake(request, member, body, None).await? else {
        return Err(ApiError::Internal("a request without a key was replayed".to_owned()));
    };
    let found = FieldErrors::default();
    let ValidRequest { shipment, .. } = validate(request, member, &team, &input, found).await?;
    let shipment = Shipment { fulfilment: Some(wanted.id), ..shipment };
    let id = shipment.id;
    let waiter = request.app.listen(id.into());
    failpoint::hit("accepting");
    match begin(request, member, Beginning { shipment, claim: None, legacy: None }).await? {
        Begun::Before(before) => follow(request, member, before).await,
        Begun::Now => {
            request.concerns(id);
            Ok(wait(request, member, id, waiter, WAIT).await?.0)
        }
    }
}

/// Waits for a booking that somebody else has begun.
async fn follow(request: &Request, member: Member, id: ShipmentId) -> Result<Shipment, ApiError> {
    request.concerns(id);
    let waiter = request.app.listen(id.into());
    let (shipment, _) = load(request, member, id).await?.ok_or(ApiError::NotFound)?;
    // Nobody signals what is over.
    if is_over(&shipment) {
        return Ok(shipment);
    }
    Ok(wait(request, member, id, waiter, WAIT).await?.0)
}

/// The status says how the booking ended; while it has not, where to look.
async fn answer(
    request: &Request,
    member: Member,
    id: FulfilmentId,
    shipment: &Shipment,
) -> Result<Reply, ApiError> {
    let now = find(request, member, id).await?;
    if now.state == RequestState::Shipped {
        return Ok(Reply::data(view(&now)).private());
    }
    let ending = shipment.ending.filter(|_| is_over(shipment));
    let Some(ending) = ending else {
        let location = request.url().trim_end_matches("/ship").to_owned();
        let reply = Reply::data(view(&now)).status(StatusCode::ACCEPTED).private();
        return Ok(reply.header(header::LOCATION, location).header(header::RETRY_AFTER, "5"));
    };
    // What is booked has shipped it: else it failed.
    let status = StatusCode::from_u16(ending.status()).unwrap_or(StatusCode::BAD_GATEWAY);
    Ok(Reply::data(view(&now)).status(status).private())
}
