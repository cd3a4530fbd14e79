//! Creating a shipment: accept durably, start booking, wait up to ten seconds, answer from the
//! store.

use std::time::Duration;

use axum::http::{StatusCode, header};
use waybill_domain::ids::ShipmentId;
use waybill_domain::json::Json;
use waybill_domain::shipment::ShipmentState;
use waybill_engine::failpoint;
use waybill_store::documents::Document;
use waybill_store::shipments;
use waybill_store::shipments::Shipment;

use super::accept::{Intake, LabelWish, accept, load_intake};
use super::begin::{Beginning, Begun, begin};
use super::load::load;
use super::view;
use super::wait::wait;
use crate::caller::Member;
use crate::reply::{ApiError, Reply};
use crate::request::Request;

/// The longest that a caller waits for the whole booking.
const WAIT: Duration = Duration::from_secs(10);

/// `POST …/shipments`
pub async fn create(mut request: Request, member: Member) -> Result<Reply, ApiError> {
    let (body, claim, errors) = request.idempotent_body().await?;
    let team = match load_intake(&request, member, std::iter::once(&body), claim.as_ref()).await? {
        // A replay is answered before today's settings and catalog have a say.
        Intake::Replayed(id) => return replay(&request, member, ShipmentId(id)).await,
        Intake::New(team) => team,
    };
    let accepted = accept(&request, &team, &body, LabelWish::AsTheTeam).await;
    let shipment = errors.or(accepted)?;
    let id = shipment.id;
    let waiter = request.app.listen(id.into());
    failpoint::hit("accepting");
    match begin(&request, member, Beginning { shipment, claim, legacy: None }).await? {
        Begun::Before(id) => replay(&request, member, id).await,
        Begun::Now => {
            request.concerns(id);
            let (shipment, files) = wait(&request, member, id, waiter, WAIT).await?;
            answer(&request, &shipment, &files)
        }
    }
}

/// The status says how the booking ended; while it has not, where to look.
fn answer(request: &Request, shipment: &Shipment, files: &[Document]) -> Result<Reply, ApiError> {
    let body = Json::object([("data", view::view(request, shipment, files)?)]);
    let location = format!("{}/{}", request.url(), shipment.id);
    // Documents that are tried again go on like the booking itself.
    let ending = shipment.ending.filter(|_| shipment.state != ShipmentState::Processing);
    let Some(ending) = ending else {
        let reply = Reply::json(StatusCode::ACCEPTED, body).private();
        return Ok(reply.header(header::LOCATION, location).header(header::RETRY_AFTER, "5"));
    };
    let status = StatusCode::from_u16(ending.status()).unwrap_or(StatusCode::BAD_GATEWAY);
    Ok(Reply::json(status, body).private().header(header::LOCATION, location))
}

/// The same request again: the outcome of the first, shown as the shipment is now.
async fn replay(request: &Request, member: Member, id: ShipmentId) -> Result<Reply, ApiError> {
    request.concerns(id);
    let Some((shipment, files)) = load(request, member, id).await? else {
        let is_deleted = request.read(move |tx| shipments::is_deleted(tx, member.team, id)).await?;
        return Err(if is_deleted { ApiError::Deleted } else { ApiError::NotFound });
    };
    if shipment.ending.is_none() {
        return Err(ApiError::Processing(Some(format!("{}/{id}", request.url()))));
    }
    Ok(answer(request, &shipment, &files)?.replayed())
}
