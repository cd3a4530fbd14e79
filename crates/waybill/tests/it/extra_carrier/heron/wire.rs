//! The carrier's JSON, and what its answers mean. What is not listed is unknown.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::RETRY_AFTER;
use serde_json::{Value, json};
use waybill_carriers::booking::{
    Accepted, BookedParcel, CarrierFiles, Complaint, File, Found, Outcome, Plan, Why,
};
use waybill_carriers::closing::ClosingDay;
use waybill_domain::booking::Reference;
use waybill_domain::document::{DocumentType, Format};
use waybill_domain::json::Json;
use waybill_domain::tracking::{
    Status, TrackingEvent, TrackingEventKind, TrackingReport, fingerprint,
};
use waybill_outbound::line::Response;

pub fn token_request(credentials: &Json) -> String {
    credentials.to_string()
}

pub fn token(body: &[u8]) -> Option<(String, Duration)> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let seconds = body["expires_in"].as_str()?.parse().ok()?;
    Some((body["access_token"].as_str()?.to_owned(), Duration::from_secs(seconds)))
}

pub fn booking(plan: &Plan, options: &Json) -> String {
    let parcels = plan.order.parcels.iter().map(|parcel| parcel.gross_weight.map(|it| it.grams()));
    let to = &plan.order.customer;
    json!({"reference": plan.reference.as_str(), "to": to.contact.name,
        "local_time": plan.local_time(options).to_string(),
        "service": plan.order.delivery.service_code,
        "grams": parcels.collect::<Vec<_>>()})
    .to_string()
}

fn read(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap_or(Value::Null)
}

pub fn why(response: &Response, reason: &str) -> Why {
    let said = read(response)["error"].as_str().map(|message| Complaint {
        path: None,
        code: None,
        message: message.to_owned(),
    });
    let reason = format!("{reason}: status {}", response.status.as_u16());
    Why { reason, said: said.into_iter().collect() }
}

/// The booking in a body, when it is about our reference and has a number for each parcel.
fn accepted(body: &Value, reference: &Reference, parcels: usize) -> Option<Accepted> {
    let entries = body["parcels"].as_array().filter(|entries| entries.len() == parcels)?;
    let numbers: Option<Vec<BookedParcel>> = entries
        .iter()
        .map(|entry| {
            let tracking_number = entry["number"].as_str()?.to_owned();
            Some(BookedParcel { tracking_number, tracking_url: None })
        })
        .collect();
    (body["reference"].as_str()? == reference.as_str()).then_some(())?;
    Some(Accepted {
        carrier_reference: body["id"].as_str()?.to_owned(),
        parcels: numbers?,
        files: labels(entries),
        carrier_data: body["void_key"].as_str().map(str::to_owned),
        ..Accepted::default()
    })
}

fn labels(entries: &[Value]) -> CarrierFiles {
    let file = |(place, entry): (usize, &Value)| {
        Some(label(place, STANDARD.decode(entry["label"].as_str()?).ok()?))
    };
    let files = entries.iter().enumerate().filter_map(file).collect();
    CarrierFiles { files, ..CarrierFiles::default() }
}

/// The label of the parcel at this place.
pub fn label(place: usize, bytes: Vec<u8>) -> File {
    let types = vec![DocumentType::Label];
    File { types, format: Format::Zpl, bytes, parcel: Some(place), ordered_mm: None }
}

/// The links to labels, by the places of their parcels.
pub fn links(body: &[u8]) -> Vec<(usize, String)> {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let entries = body["parcels"].as_array().into_iter().flatten().enumerate();
    entries.filter_map(|(place, it)| Some((place, it["label_url"].as_str()?.to_owned()))).collect()
}

pub fn files(body: &[u8]) -> CarrierFiles {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    body["parcels"].as_array().map_or_else(CarrierFiles::default, |entries| labels(entries))
}

pub fn booked(response: &Response, reference: &Reference, parcels: usize) -> Outcome {
    let (body, why) = (read(response), why(response, "not booked"));
    match response.status.as_u16() {
        201 => accepted(&body, reference, parcels).map_or(Outcome::Unknown(why), Outcome::Accepted),
        422 if !why.said.is_empty() => Outcome::Rejected(why.said),
        403 => Outcome::AccessDenied(why),
        429 => Outcome::NotSent(why),
        503 if response.headers.contains_key(RETRY_AFTER) => Outcome::NotSent(why),
        _ => Outcome::Unknown(why),
    }
}

pub fn found(response: &Response, reference: &Reference, parcels: usize) -> Found {
    let (body, why) = (read(response), why(response, "not found"));
    match response.status.as_u16() {
        200 => accepted(&body, reference, parcels).map_or(Found::Unknown(why), Found::Accepted),
        404 if body["reference"].as_str() == Some(reference.as_str()) => Found::Absent,
        _ => Found::Unknown(why),
    }
}

pub fn report(body: &[u8], number: &str) -> Option<TrackingReport> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let event = |entry: &Value| {
        let kind = match entry.as_str()? {
            "here" => TrackingEventKind::Seen(Status::Collected),
            "there" => TrackingEventKind::Seen(Status::Delivered),
            _ => return None,
        };
        Some(Ok(TrackingEvent {
            kind,
            happened_at: None,
            location: None,
            coordinates: None,
            note: None,
            estimate: None,
            fingerprint: fingerprint(&[number, entry.as_str()?]),
        }))
    };
    let events: Option<Vec<_>> = body["events"].as_array()?.iter().map(event).collect();
    Some(TrackingReport { events: events?, ..TrackingReport::default() })
}

pub fn closing(day: &ClosingDay) -> String {
    let bookings: Vec<&str> = day.bookings.iter().map(|it| it.carrier_reference.as_str()).collect();
    json!({"reference": day.reference, "date": day.date.to_string(), "bookings": bookings})
        .to_string()
}

pub fn closed(body: &[u8]) -> Vec<File> {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let bytes = body["paper"].as_str().and_then(|paper| STANDARD.decode(paper).ok());
    // It is for no parcel, and what it is for is not the carrier's to say.
    bytes.into_iter().map(|bytes| File { parcel: None, ..label(0, bytes) }).collect()
}
