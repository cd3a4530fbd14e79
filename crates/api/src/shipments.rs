//! Shipments: accepted once, booked by the worker, read as they are now.

mod accept;
mod cancel;
mod create;
mod delete;
mod failure;
mod lists;
mod point;
mod recover;
mod unknown;
pub mod validate;
mod view;

pub use accept::{BookingTeam, Intake, accept, load_intake, stored};
pub use cancel::cancel;
pub use create::create;
pub use delete::delete;
pub use lists::{list, with_files};
pub use recover::recover_documents;
pub use view::{carrier_entry, view as show_one};

use waybill_domain::ids::ShipmentId;
use waybill_store::documents::Document;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, documents, shipments};

use super::caller::Member;
use super::reply::{ApiError, Reply};
use super::request::Request;

/// `GET …/shipments/{shipment}`: as it is now, whatever became of it.
pub async fn show(request: Request, member: Member) -> Result<Reply, ApiError> {
    let id = request.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&request, member, id).await?.ok_or(ApiError::NotFound)?;
    request.query.knowing(&[]).finish()?;
    Ok(Reply::data(view::view(&request, &shipment, &files)?).private())
}

/// A shipment with its files.
async fn load(
    request: &Request,
    member: Member,
    id: ShipmentId,
) -> Result<Option<(Shipment, Vec<Document>)>, ApiError> {
    let found = request.read(move |tx| {
        let Some(shipment) = shipments::find(tx, member.team, id)? else {
            return Ok::<_, Error>(None);
        };
        let files = documents::list_of(tx, member.team, "shipment", id.into())?;
        Ok(Some((shipment, files)))
    });
    Ok(found.await?)
}
