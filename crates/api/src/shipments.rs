//! Shipments: accepted once, booked by the worker, read as they are now.

mod accept;
mod cancel;
mod create;
mod delete;
mod failure;
pub mod judge;
mod lists;
mod point;
mod recover;
mod unknown;
mod view;

pub use accept::{Ground, Team, accept, ground, stored};
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
use super::request::Call;

/// `GET …/shipments/{shipment}`: as it is now, whatever became of it.
pub async fn show(call: Call, member: Member) -> Result<Reply, ApiError> {
    let id = call.id("shipment", ShipmentId::parse)?;
    let (shipment, files) = load(&call, member, id).await?.ok_or(ApiError::NotFound)?;
    call.query.knowing(&[]).finish()?;
    Ok(Reply::data(view::view(&call, &shipment, &files)?).private())
}

/// A shipment with its files.
async fn load(
    call: &Call,
    member: Member,
    id: ShipmentId,
) -> Result<Option<(Shipment, Vec<Document>)>, ApiError> {
    let found = call.read(move |tx| {
        let Some(shipment) = shipments::find(tx, member.team, id)? else {
            return Ok::<_, Error>(None);
        };
        let files = documents::list_of(tx, member.team, "shipment", id.into())?;
        Ok(Some((shipment, files)))
    });
    Ok(found.await?)
}
