//! What went wrong, as callers read it: our sentence, and the carrier's own words beside it.

use waybill_carriers::booking::PapersAgain;
use waybill_domain::booking::{Complaint, Detail, Ending, Failure, Held, Note, Said};
use waybill_domain::json::Json;
use waybill_domain::shipment::ShipmentState;
use waybill_domain::words::Message;
use waybill_engine::booking;
use waybill_store::shipments::Shipment;

use crate::request::Request;

/// The failure of a shipment. What was noted while it is being booked is not one yet.
pub fn view(request: &Request, shipment: &Shipment, has_documents: bool) -> Option<Json> {
    let is_over = matches!(shipment.state, ShipmentState::Failed | ShipmentState::Cancelled);
    let failure = shipment.failure.as_ref().filter(|_| is_over)?;
    let carrier = booking::carrier_name(&request.app, shipment);
    let (taken, count) = parcels(shipment);
    let message = message_of(request, shipment, has_documents);
    let mut details: Vec<Json> =
        failure.details.iter().map(|it| said(request, it, carrier)).collect();
    if booking::held(shipment) == Held::Part {
        details.extend(untaken(request, failure, &taken, count));
    }
    Some(Json::object([
        ("reason", failure.reason.map(Ending::name).into()),
        ("message", message.say(request.language).into()),
        ("details", Json::List(details)),
    ]))
}

/// What we say of a booking that failed or was cancelled.
pub fn message_of(request: &Request, shipment: &Shipment, has_documents: bool) -> Message {
    let (taken, count) = parcels(shipment);
    Message::new(sentence(request, shipment, has_documents))
        .text("carrier", booking::carrier_name(&request.app, shipment))
        .text("taken", taken.len())
        .text("count", count)
}

/// What the carrier said of single fields: where, and its own words.
pub fn complaints(shipment: &Shipment) -> Vec<(&str, &str)> {
    let details = shipment.failure.iter().flat_map(|failure| &failure.details);
    let named = details.filter_map(|detail| match &detail.said {
        Said::ByCarrier(Complaint { path: Some(path), message, .. }) => {
            Some((path.as_str(), message.as_str()))
        }
        _ => None,
    });
    named.collect()
}

/// The key of our sentence.
fn sentence(request: &Request, shipment: &Shipment, has_documents: bool) -> &'static str {
    let held = booking::held(shipment);
    match shipment.ending {
        _ if shipment.state == ShipmentState::Cancelled => "failure-cancelled",
        Some(Ending::Rejected) => "failure-rejected",
        _ if held == Held::Part && has_documents => "failure-partial-documents",
        _ if held == Held::Part && is_final(request, shipment) => "failure-partial-final",
        _ if held == Held::Part => "failure-partial",
        // Its documents failed.
        _ if held == Held::All && is_final(request, shipment) => "failure-documents-final",
        _ if held == Held::All => "failure-documents",
        Some(Ending::Deadline) if shipment.has_note(Note::Restored) => {
            if shipment.step.is_open() {
                "failure-restored"
            } else {
                "failure-restored-unbooked"
            }
        }
        Some(Ending::Deadline) if shipment.step.is_open() => {
            let is_interrupted = shipment.has_note(Note::Interrupted);
            match booking::booking_of(&request.app, shipment).is_asked(request.now) {
                true if is_interrupted => "failure-interrupted",
                true => "failure-deadline",
                false => "failure-unknown",
            }
        }
        // No attempt is open, and none was accepted.
        Some(Ending::Deadline) => "failure-unbooked",
        Some(Ending::Technical) if !shipment.step.is_open() => "failure-nothing-booked",
        _ => "failure-technical",
    }
}

/// Whether its documents would not come if they were tried again: the carrier gave them once, and
/// they are lost or of no use.
fn is_final(request: &Request, shipment: &Shipment) -> bool {
    let carrier = request.app.carriers().get(&shipment.carrier_code);
    let data = shipment.carrier_data.as_deref();
    match carrier.map(|carrier| carrier.papers_again(data)) {
        Some(PapersAgain::Lost) => true,
        Some(PapersAgain::Kept) => {
            let useless = [Note::NoDocuments, Note::DocumentsUnusable].map(Said::ByUs);
            let failure = shipment.failure.iter();
            failure.flat_map(|failure| &failure.details).any(|it| useless.contains(&it.said))
        }
        Some(PapersAgain::Asked) | None => false,
    }
}

/// The places of the parcels that the carrier took, and how many there are.
fn parcels(shipment: &Shipment) -> (Vec<usize>, usize) {
    let parcels = shipment.parcels.iter().enumerate();
    let numbered = parcels.filter(|(_, parcel)| parcel.tracking_number.is_some());
    (numbered.map(|(place, _)| place).collect(), shipment.parcels.len())
}

/// A detail as it was noted: the carrier's words, or ours in the caller's language.
fn said(request: &Request, detail: &Detail, carrier: &str) -> Json {
    match &detail.said {
        Said::ByCarrier(Complaint { path, code, message }) => Json::object([
            ("path", path.as_deref().into()),
            ("carrier_code", code.as_deref().into()),
            ("message", message.as_str().into()),
        ]),
        Said::ByUs(note) => {
            let message = note.message().text("carrier", carrier).say(request.language);
            detail_of(Json::Null, message)
        }
    }
}

/// Every parcel that was not taken is named, also when the carrier said nothing of it.
fn untaken(request: &Request, failure: &Failure, taken: &[usize], count: usize) -> Vec<Json> {
    let is_noted = |path: &str| failure.details.iter().any(|it| it.path() == Some(path));
    let missing = (0..count).filter(|place| !taken.contains(place));
    let paths = missing.map(|place| format!("parcels.{place}")).filter(|path| !is_noted(path));
    let message = Message::new("parcel-not-taken").say(request.language);
    paths.map(|path| detail_of(path.into(), message.clone())).collect()
}

fn detail_of(path: Json, message: String) -> Json {
    Json::object([("path", path), ("carrier_code", Json::Null), ("message", message.into())])
}
