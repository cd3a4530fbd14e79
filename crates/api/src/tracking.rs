//! Where parcels are: their histories, the feed of everything that is heard of them, and the door
//! that carriers knock at. Reading never asks a carrier.

mod callback;
mod feed;
mod view;

pub use callback::receive;
pub use feed::feed;

use waybill_domain::ids::{ShipmentId, TrackingId, parse_uuid};
use waybill_domain::json::Json;
use waybill_domain::words::Message;
use waybill_store::feed::HistoryEntry;
use waybill_store::trackings::{self, Tracking};
use waybill_store::{Error, Tx, feed as history, shipments};

use super::caller::Member;
use super::reply::{ApiError, Reply};
use super::request::Request;
use view::TrackingView;

/// The longest number that is looked for.
const NUMBER_MAX: usize = 100;

/// A parcel with its history.
type Followed = (Tracking, Vec<HistoryEntry>);

fn with_history(tx: &mut Tx<'_>, member: Member, tracking: Tracking) -> Result<Followed, Error> {
    let mut events = history::list_of(tx, member.team, tracking.id)?;
    // As they happened, which is not always how we heard of them. The sort is stable.
    events.sort_by_key(|recorded| recorded.event.happened_at.or(recorded.after.updated_at));
    Ok((tracking, events))
}

/// `GET …/shipments/{shipment}/tracking`: its parcels, each with its whole history.
pub async fn of_shipment(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("shipment", ShipmentId::parse)?;
    let found = request.read(move |tx| {
        if shipments::find(tx, member.team, id)?.is_none() {
            return Ok::<_, Error>(None);
        }
        let all = trackings::list_of(tx, member.team, id)?.into_iter();
        all.map(|tracking| with_history(tx, member, tracking)).collect::<Result<_, _>>().map(Some)
    });
    let all: Vec<Followed> = found.await?.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    let mut view = TrackingView::new(&request);
    let all = all.iter().map(|(tracking, events)| view.tracking(tracking, events));
    Ok(Reply::data(Json::list(all)).private())
}

/// `GET …/tracking/{tracking}`
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("tracking", TrackingId::parse)?;
    let found = request.read(move |tx| {
        let found = trackings::find(tx, member.team, id)?;
        found.map(|tracking| with_history(tx, member, tracking)).transpose()
    });
    let (tracking, events) = found.await?.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(TrackingView::new(&request).tracking(&tracking, &events)).private())
}

/// `GET …/tracking?tracking_number=`: the one tracking with this number.
pub async fn look_up(request: Request, member: Member) -> Result<Reply, ApiError> {
    let mut query = request.query.knowing(&["tracking_number", "carrier_code", "shipment_uuid"]);
    let number = query.text("tracking_number").map(str::to_owned);
    let carrier = query.text("carrier_code").map(str::to_owned);
    let shipment = query.parsed("shipment_uuid", parse_uuid, || Message::new("not-a-uuid"));
    query.finish()?;
    let refuse = |message| ApiError::invalid("tracking_number", message);
    let number = number.filter(|number| !number.is_empty());
    let number = number.ok_or_else(|| refuse(Message::new("required")))?;
    if number.chars().count() > NUMBER_MAX {
        let max = i64::try_from(NUMBER_MAX).unwrap_or(i64::MAX);
        return Err(refuse(Message::new("too-long").count("max", max)));
    }
    if number.contains('\0') || carrier.as_ref().is_some_and(|code| code.contains('\0')) {
        // Nothing has such a number, and no database can look for one.
        return Err(ApiError::NotFound);
    }
    let found = request.read(move |tx| {
        let (carrier, shipment) = (carrier.as_deref(), shipment.map(ShipmentId));
        let found = trackings::list_by_number(tx, member.team, &number, carrier, shipment)?;
        let all = found.into_iter().map(|tracking| with_history(tx, member, tracking));
        all.collect::<Result<Vec<_>, Error>>()
    });
    match found.await?.as_slice() {
        [] => Err(ApiError::NotFound),
        [(tracking, events)] => {
            Ok(Reply::data(TrackingView::new(&request).tracking(tracking, events)).private())
        }
        _ => Err(ApiError::Conflict(Message::new("tracking-ambiguous"))),
    }
}
