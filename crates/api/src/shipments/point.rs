//! The point that a shipment goes to, when its service goes to points.

use uuid::Uuid;
use waybill_domain::catalog::Carrier;
use waybill_domain::fields::FieldErrors;
use waybill_domain::shipment::Reading;
use waybill_domain::words::Message;
use waybill_store::Tx;
use waybill_store::service_points::{self, Set, Stored};

use crate::reply::ApiError;
use crate::request::Request;
use crate::service_points::near;

/// So many points are told in place of one that is not there.
const ALTERNATIVES: usize = 3;

/// The point that was asked for, or the nearest one when the request names none.
pub async fn pickup_point(
    request: &Request,
    carrier: &Carrier,
    reading: &mut Reading,
) -> Result<Option<Stored>, ApiError> {
    let point = "delivery.pickup_point";
    let at = |field: &str| format!("parties.customer.address.{field}");
    // Without the place nothing is near, and without the country no code means anything.
    let is_placed = ["country", "postal_code", "city"].iter().all(|f| reading.is_read(&at(f)));
    let Some(code) = reading.order().delivery.pickup_point.clone() else {
        let is_asked = reading.is_read(point) && reading.is_read("delivery.pickup_point.code");
        if !is_placed || !is_asked {
            return Ok(None);
        }
        let nearest = closest(request, carrier, reading).await?.into_iter().next();
        match &nearest {
            Some(nearest) => reading.set_pickup_point(&nearest.code),
            None => {
                let none_here = none_here(request, carrier, reading).await?;
                let message = none_here.unwrap_or_else(|| Message::new("no-pickup-point"));
                reading.note(FieldErrors::one(point, message));
            }
        }
        return Ok(nearest);
    };
    if !reading.is_read(&at("country")) {
        return Ok(None);
    }
    let country = reading.order().customer.address.country;
    let set = Set { carrier: carrier.code.clone(), country };
    let named = request.read(move |tx| service_points::find(tx, &set, &code)).await?;
    if named.is_none() && !reading.refuse_unfit_template_point() {
        let others = if is_placed { closest(request, carrier, reading).await? } else { Vec::new() };
        let told = others.iter().map(|point| format!("{} ({})", point.code, point.name));
        let message = match others.is_empty() {
            false => Message::new("unknown-pickup-point")
                .text("near", told.collect::<Vec<_>>().join(", ")),
            true => {
                let none_here = none_here(request, carrier, reading).await?;
                none_here.unwrap_or_else(|| Message::new("no-such-pickup-point"))
            }
        };
        reading.note(FieldErrors::one("delivery.pickup_point.code", message));
    }
    Ok(named)
}

/// That there is nothing to choose from in the customer's country, when its points are not known
/// here: whatever the caller names, it is not among them.
async fn none_here(
    request: &Request,
    carrier: &Carrier,
    reading: &Reading,
) -> Result<Option<Message>, ApiError> {
    let country = reading.order().customer.address.country;
    let set = Set { carrier: carrier.code.clone(), country };
    let read = move |tx: &mut Tx<'_>| service_points::positions(tx, &set, Uuid::nil(), 1);
    let known = request.read(read).await?;
    let message = Message::new("no-points-in-country").text("carrier", &carrier.name);
    Ok(known.is_empty().then(|| message.text("country", country)))
}

/// The points that are the closest to the customer.
async fn closest(
    request: &Request,
    carrier: &Carrier,
    reading: &Reading,
) -> Result<Vec<Stored>, ApiError> {
    near(request, &carrier.code, &reading.order().customer.address, ALTERNATIVES).await
}
