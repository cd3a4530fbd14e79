//! Whether the shipment of a request can be booked, with the items that the catalog has now. Asked
//! when the request is made, and again when it ships.

use waybill_domain::fields::FieldErrors;
use waybill_domain::ids::CatalogItemId;
use waybill_domain::json::Json;
use waybill_domain::shipment::Template;
use waybill_domain::wms::{RequestInput, booking_input};
use waybill_domain::words::Message;
use waybill_store::Error;
use waybill_store::shipments::Shipment;
use waybill_store::wms::items::{self, StoredItem};

use crate::caller::Member;
use crate::reply::ApiError;
use crate::request::Request;
use crate::shipments::{BookingTeam, LabelWish, accept};

/// A request that can be booked.
pub struct ValidRequest {
    /// The items of its lines.
    pub items: Vec<CatalogItemId>,
    /// Its shipment, as it would be stored.
    pub shipment: Shipment,
}

/// The shipment of a request, or everything that is wrong with it at the paths of the request.
/// `errors` is what was found when its body was read.
pub async fn validate(
    request: &Request,
    member: Member,
    team: &BookingTeam,
    input: &RequestInput,
    mut errors: FieldErrors,
) -> Result<ValidRequest, ApiError> {
    let found = find_items(request, member, input).await?;
    let mut unknown = FieldErrors::default();
    for (index, (line, item)) in input.lines.iter().zip(&found).enumerate() {
        if item.is_none() && !line.sku.is_empty() {
            unknown.add(format!("lines.{index}.sku"), Message::new("wms-unknown-sku"));
        }
    }
    errors.extend_unless_covered(unknown);
    if !matches!(input.shipment, Json::Object(_)) {
        return Err(ApiError::Invalid(errors));
    }
    let template = match team.template(&input.shipment) {
        Template::Known(template) => Some(template),
        Template::None | Template::Unknown => None,
    };
    let items: Vec<_> =
        found.iter().map(|item| item.as_ref().map(|item| item.item.clone())).collect();
    let built = booking_input(input, &items, template);
    errors.extend(built.errors.clone());
    let shipment = match accept(request, team, &built.body, LabelWish::AsTheTeam).await {
        Ok(shipment) if errors.is_empty() => shipment,
        Ok(_) => return Err(ApiError::Invalid(errors)),
        Err(ApiError::Invalid(mut found)) => {
            // A parcel lacks what a line could not put into it: that is told at the line.
            if items.contains(&None) || !built.errors.is_empty() {
                found.take(|path| path.starts_with("parcels.") && path.ends_with(".items"));
            }
            errors.extend_unless_covered(built.told(found));
            return Err(ApiError::Invalid(errors));
        }
        Err(other) => return Err(other),
    };
    let items = found.iter().flatten().map(|item| item.id).collect();
    Ok(ValidRequest { items, shipment })
}

/// The item of each line, as the catalog has it now.
async fn find_items(
    request: &Request,
    member: Member,
    input: &RequestInput,
) -> Result<Vec<Option<StoredItem>>, ApiError> {
    let skus: Vec<String> = input.lines.iter().map(|line| line.sku.clone()).collect();
    let found = request.read(move |tx| {
        let find = |sku: &String| items::find_by_sku(tx, member.team, sku);
        skus.iter().map(find).collect::<Result<Vec<_>, Error>>()
    });
    Ok(found.await?)
}
