//! What became of a reference, as PostNord's tracking tells it.

use waybill_domain::json::Json;
use waybill_domain::shipment::Order;
use waybill_outbound::line::Response;

use super::account::Options;
use super::answers::complaints;
use super::kept::Kept;
use super::wire::{locale, parcel_reference};
use crate::answers::odd;
use crate::booking::{Accepted, BookedParcel, Found};
use crate::members::{body, list, text, text_or_number, within};
use crate::texts::escape;

/// The type of the reference that a parcel is sent with.
const OF_A_PARCEL: &str = "ACD";

/// Path and query of the question, without the key.
pub fn path(reference: &str, options: Options<'_>) -> String {
    let number = escape(options.customer_number());
    let reference = escape(reference);
    format!(
        "/rest/shipment/v7/trackandtrace/customernumber/{number}/reference/{reference}/public\
         ?locale=en"
    )
}

/// What PostNord knows about a reference.
pub fn found(response: &Response, reference: &str, order: &Order, options: Options<'_>) -> Found {
    let body = body(response);
    let told = body.member("TrackingInformationResponse").unwrap_or(&Json::Null);
    let unknown = || Found::Unknown(odd(response));
    match response.status.as_u16() {
        200 => match told.member("shipments") {
            Some(Json::List(shipments)) if shipments.is_empty() => Found::Absent,
            Some(Json::List(shipments)) => ours(shipments, reference)
                .and_then(|shipment| accepted(shipment, reference, order, options))
                .map_or_else(unknown, Found::Accepted),
            _ => unknown(),
        },
        404 if has_fault(told) || has_fault(&body) => Found::Absent,
        _ => unknown(),
    }
}

fn has_fault(error: &Json) -> bool {
    within(error, &["compositeFault", "faults"]).is_some() && !complaints(error).is_empty()
}

/// The one shipment with our reference. What tells no references at all was found by ours.
fn ours<'a>(shipments: &'a [Json], reference: &str) -> Option<&'a Json> {
    let is_ours = |shipment: &&Json| {
        let references = list(shipment, "shipmentReferences");
        let has_ours = || references.iter().any(|it| text(it, "value") == Some(reference));
        references.is_empty() || has_ours()
    };
    let mut ours = shipments.iter().filter(is_ours);
    ours.next().filter(|_| ours.next().is_none())
}

fn accepted(
    shipment: &Json,
    reference: &str,
    order: &Order,
    options: Options<'_>,
) -> Option<Accepted> {
    let (items, parcels) = (list(shipment, "items"), order.parcels.len());
    if items.len() != parcels {
        return None;
    }
    let named = |item: &Json, name: &str| {
        list(item, "references").iter().any(|it| text(it, "value") == Some(name))
    };
    let by_name = |place: usize| {
        let name = parcel_reference(reference, place);
        items.iter().find(|item| named(item, &name))
    };
    let by_names: Option<Vec<&Json>> = (0..parcels).map(by_name).collect();
    // What has the references that somebody gave to other parcels is not ours.
    let has_another = |item: &Json| {
        list(item, "references").iter().any(|it| text(it, "type") == Some(OF_A_PARCEL))
    };
    let in_order = || (!items.iter().any(has_another)).then(|| items.iter().collect());
    let in_order = by_names.or_else(in_order)?;
    let numbers: Option<Vec<String>> =
        in_order.iter().map(|item| text_or_number(item, "itemId")).collect();
    let parcels = numbers?.into_iter().map(|number| BookedParcel {
        tracking_url: Some(options.tracking_link(&number)),
        tracking_number: number,
    });
    Some(Accepted {
        carrier_reference: text(shipment, "shipmentId").unwrap_or(reference).to_owned(),
        parcels: parcels.collect(),
        // Its labels are asked for by the numbers.
        carrier_data: Some(
            Kept { ids: Vec::new(), locale: Some(locale(order).to_owned()) }.to_text(),
        ),
        ..Accepted::default()
    })
}
