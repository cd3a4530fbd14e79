//! A shipment as it is stored.

use waybill_domain::document::SourceKind;
use waybill_domain::ids::ShipmentId;
use waybill_store::documents::Document;
use waybill_store::shipments::Shipment;
use waybill_store::{Error, documents, shipments};

use crate::caller::Member;
use crate::reply::ApiError;
use crate::request::Request;

/// A shipment with its files.
pub async fn load(
    request: &Request,
    member: Member,
    id: ShipmentId,
) -> Result<Option<(Shipment, Vec<Document>)>, ApiError> {
    let found = request.read_grouped(move |tx| {
        let Some(shipment) = shipments::find(tx, member.team, id)? else {
            return Ok::<_, Error>(None);
        };
        let files = documents::list_of(tx, member.team, SourceKind::Shipment, id.into())?;
        Ok(Some((shipment, files)))
    });
    Ok(found.await?)
}
