//! What went wrong, as callers read it: our sentence, and the carrier's own words beside it.

use waybill_domain::booking::{Ending, Held};
use waybill_domain::json::{Json, parse};
use waybill_domain::words::Message;
use waybill_engine::booking;
use waybill_engine::failure::{self, Note};
use waybill_store::shipments::Shipment;

use crate::reply::ApiError;
use crate::request::Request;

/// The failure of a shipment. What was noted while it is being booked is not one yet.
pub fn view(request: &Request, shipment: &Shipment, has_documents: bool) -> Result<Json, ApiError> {
    let is_over = matches!(shipment.state.as_str(), "failed" | "cancelled");
    let Some(text) = shipment.failure.as_deref().filter(|_| is_over) else {
        return Ok(Json::Null);
    };
    let broken = |fault| ApiError::Internal(format!("stored JSON: {fault:?}"));
    let stored = parse(text.as_bytes()).map_err(broken)?;
    let noted = failure::details(Some(text));
    let carrier = booking::carrier_name(&request.app, shipment);
    let (taken, count) = parcels(shipment);
    let message = Message::new(sentence(request, shipment, has_documents));
    let message = message.text("carrier", carrier).text("taken", taken.len()).text("count", count);
    let mut details: Vec<Json> = noted.iter().map(|it| said(request, it, carrier)).collect();
    if booking::held(shipment) == Held::Part {
        details.extend(untaken(request, &noted, &taken, count));
    }
    Ok(Json::object([
        ("reason", stored.member("reason").cloned().unwrap_or(Json::Null)),
        ("message", message.say(request.language).into()),
        ("details", Json::List(details)),
    ]))
}

/// The key of our sentence.
fn sentence(request: &Request, shipment: &Shipment, has_documents: bool) -> &'static str {
    let held = booking::held(shipment);
    match shipment.ending {
        _ if shipment.state == "cancelled" => "failure-cancelled",
        Some(Ending::Rejected) => "failure-rejected",
        _ if held == Held::Part && has_documents => "failure-partial-documents",
        _ if held == Held::Part => "failure-partial",
        // Its documents failed.
        _ if held == Held::All => "failure-documents",
        Some(Ending::Deadline) if failure::is_restored(shipment.failure.as_deref()) => {
            if shipment.step.is_open() { "failure-restored" } else { "failure-restored-unbooked" }
        }
        Some(Ending::Deadline) if shipment.step.is_open() => {
            let is_interrupted = failure::is_interrupted(shipment.failure.as_deref());
            match booking::booking_of(&request.app, shipment).is_asked(request.now) {
                true if is_interrupted => "failure-interrupted",
                true => "failure-deadline",
                false => "failure-unknown",
            }
        }
        // No attempt is open, and none was accepted.
        Some(Ending::Deadline) => "failure-unbooked",
        _ => "failure-technical",
    }
}

/// The places of the parcels that the carrier took, and how many there are.
fn parcels(shipment: &Shipment) -> (Vec<usize>, usize) {
    let Ok(Json::List(parcels)) = parse(shipment.parcels.as_bytes()) else {
        return (Vec::new(), 0);
    };
    let numbered = parcels.iter().enumerate().filter(|(_, parcel)| booking::has_number(parcel));
    (numbered.map(|(place, _)| place).collect(), parcels.len())
}

/// A detail as it was noted: the carrier's words, or ours by their key.
fn said(request: &Request, detail: &Json, carrier: &str) -> Json {
    let note = match detail.member("key") {
        Some(Json::Text(key)) => Note::parse(key),
        _ => {
            let part =
                |name: &'static str| (name, detail.member(name).cloned().unwrap_or(Json::Null));
            return Json::object([part("path"), part("carrier_code"), part("message")]);
        }
    };
    let message = note.map(|note| note.message().text("carrier", carrier).say(request.language));
    detail_of(Json::Null, message.unwrap_or_default())
}

/// Every parcel that was not taken is named, also when the carrier said nothing of it.
fn untaken(request: &Request, noted: &[Json], taken: &[usize], count: usize) -> Vec<Json> {
    let is_noted =
        |path: &str| noted.iter().any(|detail| detail.member("path") == Some(&Json::text(path)));
    let missing = (0..count).filter(|place| !taken.contains(place));
    let paths = missing.map(|place| format!("parcels.{place}")).filter(|path| !is_noted(path));
    let message = Message::new("parcel-not-taken").say(request.language);
    paths.map(|path| detail_of(path.into(), message.clone())).collect()
}

fn detail_of(path: Json, message: String) -> Json {
    Json::object([("path", path), ("carrier_code", Json::Null), ("message", message.into())])
}
