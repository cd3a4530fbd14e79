//! What PostNord says about parcels, in our words. One event that cannot be read is set aside and
//! does not lose the others.

use std::time::Duration;

use waybill_domain::json::Json;
use waybill_domain::shipment::Window;
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Pace, Status, TrackingAnswer, TrackingEvent, TrackingEventKind, TrackingReport, Unreadable,
    fingerprint,
};
use waybill_outbound::line::Response;

use super::answers::refused;
use crate::CarrierError;
use crate::members::{body, list, text, text_or_number};
use crate::moments::local;
use crate::texts::escape;

/// As often as a parcel is looked at.
pub const PACE: Pace = Pace {
    first: Duration::from_mins(1),
    shortest: Duration::from_mins(15),
    longest: Duration::from_hours(6),
};
/// So long before and after the told time a parcel is expected.
const ESTIMATE_MARGIN: Duration = Duration::from_hours(1);
/// Times without an offset are those of this place, but for Finland.
const ZONE: &str = "Europe/Stockholm";
const FINNISH_ZONE: &str = "Europe/Helsinki";

/// PostNord's statuses, and what they mean.
const STATUSES: &[(&str, Status)] = &[
    ("CREATED", Status::InfoReceived),
    ("INFORMED", Status::InfoReceived),
    ("EN_ROUTE", Status::InTransit),
    ("OTHER", Status::InTransit),
    ("AVAILABLE_FOR_DELIVERY", Status::AvailableForPickup),
    ("AVAILABLE_FOR_DELIVERY_PAR_LOC", Status::AvailableForPickup),
    ("DELAYED", Status::Delayed),
    ("EXPECTED_DELAY", Status::Delayed),
    ("DELIVERED", Status::Delivered),
    ("DELIVERY_IMPOSSIBLE", Status::AttemptFailed),
    ("DELIVERY_REFUSED", Status::Exception),
    ("STOPPED", Status::Exception),
    ("RETURNED", Status::Returned),
];

/// Path and query of the question about a parcel, without the key.
pub fn path(number: &str) -> String {
    format!("/rest/shipment/v7/trackandtrace/id/{}/public?locale=en", escape(number))
}

/// What is said of a parcel; nothing when PostNord does not know it.
pub fn answer(response: &Response, number: &str) -> Result<Option<TrackingAnswer>, CarrierError> {
    let body = body(response);
    match response.status.as_u16() {
        200 => {}
        404 => return Ok(None),
        429 => return Ok(Some(TrackingAnswer::Later(None))),
        _ => return Err(refused(response)),
    }
    let told = body.member("TrackingInformationResponse");
    let Some(told) = told.filter(|told| told.member("shipments").is_some()) else {
        return Err(CarrierError::Unreadable("an answer about a parcel"));
    };
    let items = list(told, "shipments").iter().flat_map(|shipment| list(shipment, "items"));
    let mut ours = items.filter(|item| text_or_number(item, "itemId").as_deref() == Some(number));
    Ok(ours.next().map(|item| TrackingAnswer::Report(report(item, number))))
}

fn report(item: &Json, number: &str) -> TrackingReport {
    let estimate = text(item, "estimatedTimeOfArrival").and_then(|at| moment(at, ZONE));
    let estimate = estimate
        .map(|at| Window { start: at.minus(ESTIMATE_MARGIN), end: at.plus(ESTIMATE_MARGIN) });
    let events = list(item, "events").iter().map(|entry| event(entry, number)).collect();
    TrackingReport { events, estimate, ..TrackingReport::default() }
}

/// A time as it is written: with its offset, or by the clock of the place.
fn moment(at: &str, zone: &str) -> Option<Time> {
    Time::parse(at).or_else(|| local(at, zone))
}

fn event(entry: &Json, number: &str) -> Result<TrackingEvent, Unreadable> {
    let unreadable = |why: &str| Unreadable::new(entry.to_string(), why);
    let told = text(entry, "status").ok_or_else(|| unreadable("there is no status"))?;
    let status = STATUSES.iter().find(|(theirs, _)| *theirs == told).map(|(_, ours)| *ours);
    let status = status.ok_or_else(|| unreadable("the status is unknown"))?;
    let place = entry.member("location").unwrap_or(&Json::Null);
    let zone = if text(place, "countryCode") == Some("FI") { FINNISH_ZONE } else { ZONE };
    let at = text(entry, "eventTime").and_then(|at| moment(at, zone));
    let at = at.ok_or_else(|| unreadable("the time cannot be read"))?;
    let code = text(entry, "eventCode").unwrap_or_default();
    let location = location(place);
    let mark = location.as_deref().unwrap_or_default();
    Ok(TrackingEvent {
        kind: TrackingEventKind::Seen(status),
        happened_at: Some(at),
        coordinates: None,
        note: text(entry, "eventDescription").map(str::to_owned),
        estimate: None,
        fingerprint: fingerprint(&[number, code, told, &at.to_string(), mark]),
        location,
    })
}

fn location(place: &Json) -> Option<String> {
    let name = text(place, "displayName").or_else(|| text(place, "name"));
    match (name, text(place, "city")) {
        (Some(name), Some(city)) if name.to_lowercase().contains(&city.to_lowercase()) => {
            Some(name.to_owned())
        }
        (Some(name), Some(city)) => Some(format!("{name}, {city}")),
        (name, city) => name.or(city).map(str::to_owned),
    }
}
