//! What Bring says about parcels, in our words.

use jiff::civil::{Date, DateTime, Time as ClockTime};
use waybill_domain::json::Json;
use waybill_domain::shipment::Window;
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Status, TrackingAnswer, TrackingEvent, TrackingEventKind, TrackingReport, Unreadable,
    fingerprint,
};

use super::errors::is_unknown_there;
use crate::members::{list, text, text_or_number};
use crate::moments::at;

/// The clock that Bring goes by where it does not say.
const ZONE: &str = "Europe/Oslo";

/// Its codes, and what they mean.
const STATUSES: &[(&str, Status)] = &[
    ("PRE_NOTIFIED", Status::InfoReceived),
    ("DELIVERY_ORDERED", Status::InfoReceived),
    ("NOTIFICATION_SENT", Status::InfoReceived),
    ("HANDED_IN", Status::Collected),
    ("COLLECTED", Status::Collected),
    ("IN_TRANSIT", Status::InTransit),
    ("INTERNATIONAL", Status::InTransit),
    ("DELIVERY_CHANGED", Status::InTransit),
    ("UNKNOWN", Status::InTransit),
    ("TERMINAL", Status::AtTerminal),
    ("CUSTOMS", Status::InCustoms),
    ("TRANSPORT_TO_RECIPIENT", Status::OutForDelivery),
    ("READY_FOR_PICKUP", Status::AvailableForPickup),
    ("ATTEMPTED_DELIVERY", Status::AttemptFailed),
    ("DELIVERED", Status::Delivered),
    ("DEVIATION", Status::Exception),
    ("DELIVERY_CANCELLED", Status::Exception),
    ("RETURN", Status::Returning),
    ("DELIVERED_SENDER", Status::Returned),
];

/// What a body says about a parcel. Nothing when Bring does not know its number. Other errors say
/// nothing of the parcel.
pub fn answer(body: &Json, number: &str) -> Option<TrackingAnswer> {
    let sets = list(body, "consignmentSet");
    if is_unknown_there(sets) {
        return None;
    }
    if sets.iter().any(|set| set.member("error").is_some_and(|error| *error != Json::Null)) {
        return Some(TrackingAnswer::Later(None));
    }
    let packages = sets.iter().flat_map(|set| list(set, "packageSet"));
    let mut ours =
        packages.filter(|it| text_or_number(it, "packageNumber").as_deref() == Some(number));
    Some(match ours.next() {
        Some(package) => TrackingAnswer::Report(report(package)),
        None => TrackingAnswer::Unreadable(Unreadable::new(body.to_string(), "no such parcel")),
    })
}

fn report(package: &Json) -> TrackingReport {
    let events = list(package, "eventSet").iter().map(event).collect();
    TrackingReport { events, estimate: estimate(package), ..TrackingReport::default() }
}

fn event(entry: &Json) -> Result<TrackingEvent, Unreadable> {
    let unreadable = |why: &str| Unreadable::new(entry.to_string(), why);
    let code = text(entry, "status").ok_or_else(|| unreadable("there is no status"))?;
    let status = STATUSES.iter().find(|(known, _)| *known == code).map(|(_, status)| *status);
    let status = status.ok_or_else(|| unreadable("the status is unknown"))?;
    let told = text(entry, "dateIso").ok_or_else(|| unreadable("there is no time"))?;
    let time = moment(told).ok_or_else(|| unreadable("the time cannot be read"))?;
    let (city, country) = (text(entry, "city"), text(entry, "countryCode"));
    let place: Vec<&str> = [city, country].into_iter().flatten().collect();
    let unit = text_or_number(entry, "unitId").unwrap_or_default();
    let place = place.join(", ");
    Ok(TrackingEvent {
        kind: TrackingEventKind::Seen(status),
        happened_at: Some(time),
        coordinates: None,
        note: text(entry, "description").map(str::to_owned),
        estimate: None,
        fingerprint: fingerprint(&["event", code, &time.to_string(), &place, &unit]),
        location: (!place.is_empty()).then_some(place),
    })
}

/// With an offset as RFC 3339 has it, without its colon, or with none at all.
fn moment(told: &str) -> Option<Time> {
    let with_colon = || {
        let at = told.len().checked_sub(2)?;
        let (head, minutes) = told.split_at_checked(at)?;
        Time::parse(&format!("{head}:{minutes}"))
    };
    let local = || told.parse::<DateTime>().ok().and_then(|shown| at(shown, ZONE));
    Time::parse(told).or_else(with_colon).or_else(local)
}

/// When a parcel is expected: the day as `16.11.2026`, and the time of the day where it is said.
fn estimate(package: &Json) -> Option<Window> {
    let told = text(package, "dateOfEstimatedDelivery")?;
    let date = Date::strptime("%d.%m.%Y", told.trim()).ok()?;
    let span = package.member("estimatedTimeSpanOfDelivery");
    let clock = |name| text(span?, name)?.trim().parse::<ClockTime>().ok();
    let moment = |time: ClockTime| at(date.to_datetime(time), ZONE);
    let window = match (clock("startTime"), clock("endTime")) {
        (Some(start), Some(end)) => Window { start: moment(start)?, end: moment(end)? },
        _ => {
            let end = at(date.tomorrow().ok()?.to_datetime(ClockTime::midnight()), ZONE)?;
            Window { start: moment(ClockTime::midnight())?, end }
        }
    };
    Some(window).filter(|window| window.start < window.end)
}

#[cfg(test)]
mod tests {
    use waybill_domain::json::parse;

    use super::*;

    fn read(package: &str) -> TrackingReport {
        report(&parse(package.as_bytes()).unwrap())
    }

    #[test]
    fn every_status_has_its_meaning_and_an_unknown_one_is_set_aside() {
        for (code, status) in STATUSES {
            let report = read(&format!(
                r#"{{"eventSet":[{{"status":"{code}","description":"Said","city":"OSLO",
                "countryCode":"NO","unitId":"1","dateIso":"2026-11-16T14:05:00+01:00"}}]}}"#
            ));
            let event = report.events[0].as_ref().unwrap();
            assert_eq!(event.kind, TrackingEventKind::Seen(*status), "{code}");
            assert_eq!(event.location.as_deref(), Some("OSLO, NO"));
            assert_eq!(event.note.as_deref(), Some("Said"));
        }
        let bad = r#"{"eventSet":[{"status":"BEAMED","dateIso":"2026-11-16T14:05:00+01:00"},
            {"status":"DELIVERED"},{"status":"DELIVERED","dateIso":"noon"},{}]}"#;
        assert_eq!(read(bad).events.iter().filter(|event| event.is_err()).count(), 4);
    }

    #[test]
    fn a_time_is_read_with_its_offset_however_that_is_written() {
        for told in ["2026-11-16T14:05:00+01:00", "2026-11-16T14:05:00+0100", "2026-11-16T14:05:00"]
        {
            let time = moment(told).map(|time| time.to_string());
            assert_eq!(time.as_deref(), Some("2026-11-16T13:05:00.000000Z"), "{told}");
        }
        for told in ["", "é", "16.11.2026"] {
            assert_eq!(moment(told), None, "{told}");
        }
    }

    #[test]
    fn an_estimate_is_a_span_of_its_day_or_the_whole_day() {
        let told = |span: &str| {
            let package = format!(r#"{{"dateOfEstimatedDelivery":"17.11.2026"{span}}}"#);
            let window = read(&package).estimate.unwrap();
            (window.start.to_string(), window.end.to_string())
        };
        let span = r#","estimatedTimeSpanOfDelivery":{"startTime":"08:00","endTime":"12:30"}"#;
        let wanted = ("2026-11-17T07:00:00.000000Z", "2026-11-17T11:30:00.000000Z");
        assert_eq!(told(span), (wanted.0.to_owned(), wanted.1.to_owned()));
        let wanted = ("2026-11-16T23:00:00.000000Z", "2026-11-17T23:00:00.000000Z");
        assert_eq!(told(""), (wanted.0.to_owned(), wanted.1.to_owned()));
        assert_eq!(read(r#"{"dateOfEstimatedDelivery":"soon"}"#).estimate, None);
    }
}
