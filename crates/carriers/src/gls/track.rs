//! What GLS says about parcels, in our words.

use std::time::Duration;

use waybill_domain::json::Json;
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Pace, Status, TrackingAnswer, TrackingEvent, TrackingEventKind, TrackingReport, Unreadable,
    fingerprint,
};
use waybill_outbound::line::Response;

use super::errors::strange;
use super::uncertain::EVENTS;
use crate::CarrierError;
use crate::members::{body, list, text, text_or_number};
use crate::texts::escape;
use crate::tracking::NumberAnswer;

/// As often as a parcel is looked at.
pub const PACE: Pace = Pace {
    first: Duration::from_mins(1),
    shortest: Duration::from_mins(15),
    longest: Duration::from_hours(6),
};
/// GLS does not know the number.
const UNKNOWN_NUMBER: &str = "E_404_01";

/// The statuses of a parcel, and what they mean.
const STATUSES: &[(&str, Status)] = &[
    ("PLANNEDPICKUP", Status::InfoReceived),
    ("INPICKUP", Status::InfoReceived),
    ("PREADVICE", Status::InfoReceived),
    ("INTRANSIT", Status::InTransit),
    ("INWAREHOUSE", Status::AtTerminal),
    ("INDELIVERY", Status::OutForDelivery),
    ("DELIVEREDPS", Status::AvailableForPickup),
    ("DELIVERED", Status::Delivered),
    ("FINAL", Status::Delivered),
    ("NOTDELIVERED", Status::AttemptFailed),
    ("NOTPICKEDUP", Status::Exception),
    ("CANCELED", Status::Exception),
];

/// Path of the question about some parcels.
pub fn path(numbers: &[String]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| escape(number)).collect();
    format!("/track-and-trace-v1/tracking/simple/trackids/{}", numbers.join(","))
}

/// What is said of these parcels.
pub fn answers(response: &Response) -> Result<Vec<NumberAnswer>, CarrierError> {
    match response.status.as_u16() {
        200 => {}
        404 => return Ok(Vec::new()),
        _ => return Err(strange(response)),
    }
    let body = body(response);
    let Some(Json::List(parcels)) = body.member("parcels") else {
        return Err(CarrierError::Unreadable("an answer about parcels"));
    };
    Ok(parcels.iter().filter_map(answer).collect())
}

/// The answer about a parcel; nothing when GLS does not know it. `unitno` lacks the check digit, so
/// it is known by what was asked for.
fn answer(parcel: &Json) -> Option<NumberAnswer> {
    let number = text_or_number(parcel, "requested")?;
    let answer = match text(parcel, "errorCode") {
        Some(UNKNOWN_NUMBER) => return None,
        Some(_) => {
            let why = "GLS cannot tell of it";
            TrackingAnswer::Unreadable(Unreadable::new(parcel.to_string(), why))
        }
        None => TrackingAnswer::Report(report(parcel, &number)),
    };
    Some((number, answer))
}

fn report(parcel: &Json, number: &str) -> TrackingReport {
    let told = text(parcel, "status").and_then(status);
    let at = |entry: &Json| text(entry, "eventDateTime").and_then(moment);
    let entries = in_order(list(parcel, "events"), at);
    let newest = entries.iter().map(|entry| at(entry)).enumerate().max_by_key(|(_, at)| *at);
    let newest = newest.map(|(place, _)| place);
    let events = entries.iter().enumerate().map(|(place, entry)| {
        let at = at(entry)
            .ok_or_else(|| Unreadable::new(entry.to_string(), "the time cannot be read"))?;
        let status = told.filter(|_| newest == Some(place)).unwrap_or_else(|| status_of(entry));
        Ok(event(entry, number, status, at))
    });
    let mut events: Vec<_> = events.collect();
    let told_at = text(parcel, "statusDateTime").and_then(moment);
    if let (true, Some(status), Some(at)) = (events.is_empty(), told, told_at) {
        events.push(Ok(event(&Json::Null, number, status, at)));
    }
    TrackingReport { events, ..TrackingReport::default() }
}

/// The events from the oldest to the newest, also those of one second: GLS tells the newest first.
fn in_order(told: &[Json], at: impl Fn(&Json) -> Option<Time>) -> Vec<&Json> {
    let mut entries: Vec<&Json> = told.iter().collect();
    let times: Vec<Time> = told.iter().filter_map(at).collect();
    if times.first() >= times.last() {
        entries.reverse();
    }
    entries
}

fn status(told: &str) -> Option<Status> {
    STATUSES.iter().find(|(theirs, _)| *theirs == told).map(|(_, ours)| *ours)
}

/// What an older event means, by the start of its code.
fn status_of(entry: &Json) -> Status {
    let code = text(entry, "code").unwrap_or_default();
    let known = EVENTS.iter().find(|(start, _)| code.starts_with(start));
    known.map_or(Status::InTransit, |(_, status)| *status)
}

/// A time with an offset, which GLS writes without a colon: `2024-10-07T10:46:14+0200`.
fn moment(told: &str) -> Option<Time> {
    let (time, offset) = told.split_at_checked(told.len().checked_sub(4)?)?;
    let is_short = time.ends_with(['+', '-']) && offset.bytes().all(|it| it.is_ascii_digit());
    match is_short {
        true => Time::parse(&format!("{time}{}:{}", &offset[..2], &offset[2..])),
        false => Time::parse(told),
    }
}

fn event(entry: &Json, number: &str, status: Status, at: Time) -> TrackingEvent {
    let code = text(entry, "code").unwrap_or_default();
    let place = [text(entry, "city"), text(entry, "country")];
    let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
    // An event keeps its mark when a newer one comes, though it may mean something else by then.
    let mark = if code.is_empty() { status.code() } else { code };
    TrackingEvent {
        kind: TrackingEventKind::Seen(status),
        happened_at: Some(at),
        location: (!place.is_empty()).then(|| place.clone()),
        coordinates: None,
        note: text(entry, "description").map(str::to_owned),
        estimate: None,
        fingerprint: fingerprint(&[number, mark, &at.to_string(), &place]),
    }
}
