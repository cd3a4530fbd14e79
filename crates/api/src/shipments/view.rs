//! A shipment as callers see it: the input as accepted, and what became of it.

use waybill_domain::ids::DocumentId;
use waybill_domain::json::{Json, parse};
use waybill_domain::shipment::PickupPoint;
use waybill_store::documents::Document;
use waybill_store::shipments::Shipment;

use super::failure;
use crate::documents;
use crate::reply::ApiError;
use crate::request::Request;

/// The whole shipment, in the caller's language and with fresh file URLs.
pub fn view(request: &Request, shipment: &Shipment, files: &[Document]) -> Result<Json, ApiError> {
    let order = shipment.order_members()?;
    let written = |name: &str| order.iter().find(|(known, _)| known == name).map(|(_, it)| &**it);
    // Most of an order goes out as it is stored.
    let part = |name: &str| written(name).map_or(Json::Null, |it| Json::Written(it.to_owned()));
    let read = |name: &str| {
        let read = parse(written(name).unwrap_or("null").as_bytes());
        read.map_err(|fault| ApiError::Internal(format!("a stored {name}: {fault:?}")))
    };
    let codes = shipment.codes.clone().unwrap_or_default();
    let time = |time: Option<waybill_domain::time::Time>| time.map(Json::text).into();
    Ok(Json::object([
        ("uuid", Json::text(shipment.id)),
        ("state", shipment.state.name().into()),
        ("identifier", shipment.identifier.as_deref().into()),
        ("reference", shipment.reference.as_deref().into()),
        ("template_uuid", part("template_uuid")),
        ("parties", part("parties")),
        ("delivery", delivery(request, shipment, &read("delivery")?)),
        ("parcels", parcels(shipment, read("parcels")?)?),
        ("customs", part("customs")),
        ("documents", Json::list(files.iter().map(|file| documents::view(request, file)))),
        ("qr_codes", Json::list(qr_codes(request, shipment, codes.qr_codes))),
        ("drop_off_codes", Json::list(codes.drop_off_codes.into_iter().map(Json::Text))),
        ("carrier_reference", shipment.carrier_reference.as_deref().into()),
        ("failure", failure::view(request, shipment, !files.is_empty()).into()),
        ("batch_uuid", shipment.batch.map(Json::text).into()),
        ("created_at", Json::text(shipment.created_at)),
        ("updated_at", Json::text(shipment.updated_at)),
        ("accepted_by_carrier_at", time(shipment.accepted_at)),
        ("booked_at", time(shipment.booked_at)),
        ("cancelled_at", time(shipment.cancelled_at)),
    ]))
}

/// The delivery with its carriers. Roles were fixed at acceptance; names are today's.
fn delivery(request: &Request, shipment: &Shipment, asked: &Json) -> Json {
    let part = |name: &str| asked.member(name).cloned().unwrap_or(Json::Null);
    let service = request.app.catalog().service(&shipment.service_code);
    let service = service.map(|(_, service)| service);
    let snapshot = &shipment.snapshot;
    let last_mile = snapshot.last_mile.as_deref().map(|code| carrier_entry(request, code));
    let name = service.map_or(shipment.service_code.as_str(), |s| s.names.say(request.language));
    let addons = match asked.member("addons") {
        Some(Json::List(addons)) => addons.as_slice(),
        _ => &[],
    };
    let addons = addons.iter().map(|addon| {
        let part = |name: &str| addon.member(name).cloned().unwrap_or(Json::Null);
        let code = match part("code") {
            Json::Text(code) => code,
            _ => String::new(),
        };
        let known = service.and_then(|s| s.addons.iter().find(|addon| addon.code == code));
        let name =
            known.map_or(code.as_str(), |addon| addon.names.say(request.language)).to_owned();
        Json::object([("code", code.into()), ("name", name.into()), ("value", part("value"))])
    });
    Json::object([
        ("carrier", carrier_entry(request, &shipment.carrier_code)),
        ("last_mile_carrier", last_mile.into()),
        ("service_code", shipment.service_code.as_str().into()),
        ("service_name", name.into()),
        ("is_pickup", service.is_some_and(|service| service.is_pickup).into()),
        ("is_return", service.is_some_and(|service| service.is_return).into()),
        ("pickup_point", snapshot.pickup_point.as_ref().map(PickupPoint::to_json).into()),
        ("addons", Json::list(addons)),
        ("delivery_window", part("delivery_window")),
        ("instructions", part("instructions")),
    ])
}

/// A carrier: its code, its name, and where its pictures are.
pub fn carrier_entry(request: &Request, code: &str) -> Json {
    let carrier = request.app.catalog().carrier(code);
    carrier.map_or(Json::Null, |carrier| carrier.entry(request.app.base_url()))
}

/// The parcels as accepted, with their ids and numbers. A parcel is tracked once it has a number.
fn parcels(shipment: &Shipment, asked: Json) -> Result<Json, ApiError> {
    let Json::List(asked) = asked else {
        return Err(ApiError::Internal("stored parcels are not a list".to_owned()));
    };
    let parcels = asked.into_iter().zip(&shipment.parcels).map(|(asked, known)| {
        let number = known.tracking_number.as_deref();
        let tracking = number.map(|_| Json::text(known.tracking_id));
        let Json::Object(fields) = asked else { return Json::Null };
        let own = [("uuid".into(), Json::text(known.id))];
        let tail = [
            ("tracking_uuid".into(), tracking.into()),
            ("tracking_number".into(), number.into()),
            ("tracking_url".into(), known.tracking_url.as_deref().into()),
        ];
        Json::Object(own.into_iter().chain(fields).chain(tail).collect())
    });
    Ok(Json::list(parcels))
}

/// What the QR codes say, and where their pictures are.
fn qr_codes(request: &Request, shipment: &Shipment, values: Vec<String>) -> Vec<Json> {
    let codes = values.into_iter().enumerate().map(|(index, value)| {
        let name = format!("qr-{}.png", index + 1);
        let id = DocumentId(shipment.id.into());
        let (path, expires_at) = request.app.signer().sign(id, &name, request.now);
        Json::object([
            ("value", value.into()),
            ("url", format!("{}{path}", request.app.base_url()).into()),
            ("url_expires_at", Json::text(expires_at)),
        ])
    });
    codes.collect()
}
