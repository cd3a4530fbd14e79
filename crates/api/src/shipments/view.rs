//! A shipment as callers see it: the input as accepted, and what became of it.

use waybill_domain::ids::DocumentId;
use waybill_domain::json::{Json, parse};
use waybill_store::documents::Document;
use waybill_store::shipments::Shipment;

use super::failure;
use crate::documents;
use crate::reply::ApiError;
use crate::request::Request;

/// The whole shipment, in the caller's language and with fresh file URLs.
pub fn view(request: &Request, shipment: &Shipment, files: &[Document]) -> Result<Json, ApiError> {
    let input = stored(&shipment.input)?;
    let snapshot = stored(&shipment.snapshot)?;
    let part = |json: &Json, name: &str| json.member(name).cloned().unwrap_or(Json::Null);
    let codes = shipment.codes.as_deref().map(stored).transpose()?;
    let list = |name: &str| match codes.as_ref().and_then(|codes| codes.member(name)) {
        Some(Json::List(values)) => values.clone(),
        _ => Vec::new(),
    };
    let time = |time: Option<waybill_domain::time::Time>| time.map(Json::text).into();
    Ok(Json::object([
        ("uuid", Json::text(shipment.id)),
        ("state", shipment.state.as_str().into()),
        ("identifier", shipment.identifier.as_deref().into()),
        ("reference", shipment.reference.as_deref().into()),
        ("template_uuid", part(&input, "template_uuid")),
        ("parties", part(&input, "parties")),
        ("delivery", delivery(request, shipment, &part(&input, "delivery"), &snapshot)),
        ("parcels", parcels(shipment, &part(&input, "parcels"))?),
        ("customs", part(&input, "customs")),
        ("documents", Json::list(files.iter().map(|file| documents::view(request, file)))),
        ("qr_codes", Json::list(qr_codes(request, shipment, list("qr_codes")))),
        ("drop_off_codes", Json::List(list("drop_off_codes"))),
        ("carrier_reference", shipment.carrier_reference.as_deref().into()),
        ("failure", failure::view(request, shipment, !files.is_empty())?),
        ("batch_uuid", shipment.batch.map(Json::text).into()),
        ("created_at", Json::text(shipment.created_at)),
        ("updated_at", Json::text(shipment.updated_at)),
        ("accepted_by_carrier_at", time(shipment.accepted_at)),
        ("booked_at", time(shipment.booked_at)),
        ("cancelled_at", time(shipment.cancelled_at)),
    ]))
}

fn stored(text: &str) -> Result<Json, ApiError> {
    parse(text.as_bytes()).map_err(|fault| ApiError::Internal(format!("stored JSON: {fault:?}")))
}

/// The delivery with its carriers. Roles were fixed at acceptance; names are today's.
fn delivery(request: &Request, shipment: &Shipment, asked: &Json, snapshot: &Json) -> Json {
    let part = |name: &str| asked.member(name).cloned().unwrap_or(Json::Null);
    let service = request.app.catalog().service(&shipment.service_code);
    let service = service.map(|(_, service)| service);
    let last_mile = match snapshot.member("last_mile") {
        Some(Json::Text(code)) => carrier_entry(request, code),
        _ => Json::Null,
    };
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
        ("last_mile_carrier", last_mile),
        ("service_code", shipment.service_code.as_str().into()),
        ("service_name", name.into()),
        ("is_pickup", service.is_some_and(|service| service.is_pickup).into()),
        ("is_return", service.is_some_and(|service| service.is_return).into()),
        ("pickup_point", snapshot.member("pickup_point").cloned().unwrap_or(Json::Null)),
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
fn parcels(shipment: &Shipment, asked: &Json) -> Result<Json, ApiError> {
    let (Json::List(asked), Json::List(known)) = (asked, stored(&shipment.parcels)?) else {
        return Err(ApiError::Internal("stored parcels are no lists".to_owned()));
    };
    let parcels = asked.iter().zip(known).map(|(asked, known)| {
        let part = |name: &str| known.member(name).cloned().unwrap_or(Json::Null);
        let number = part("tracking_number");
        let tracking = if number == Json::Null { Json::Null } else { part("tracking_uuid") };
        let Json::Object(fields) = asked else { return Json::Null };
        let own = [("uuid".to_owned(), part("uuid"))];
        let tail = [
            ("tracking_uuid".to_owned(), tracking),
            ("tracking_number".to_owned(), number),
            ("tracking_url".to_owned(), part("tracking_url")),
        ];
        Json::Object(own.into_iter().chain(fields.clone()).chain(tail).collect())
    });
    Ok(Json::list(parcels))
}

/// What the QR codes say, and where their pictures are.
fn qr_codes(request: &Request, shipment: &Shipment, values: Vec<Json>) -> Vec<Json> {
    let codes = values.into_iter().enumerate().map(|(index, value)| {
        let name = format!("qr-{}.png", index + 1);
        let id = DocumentId(shipment.id.into());
        let (path, expires_at) = request.app.signer().sign(id, &name, request.now);
        Json::object([
            ("value", value),
            ("url", format!("{}{path}", request.app.base_url()).into()),
            ("url_expires_at", Json::text(expires_at)),
        ])
    });
    codes.collect()
}
