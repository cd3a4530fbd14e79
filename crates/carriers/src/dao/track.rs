//! What dao says about parcels, in our words.

use waybill_domain::json::Json;
use waybill_domain::tracking::{
    Status, TrackingAnswer, TrackingEvent, TrackingEventKind, TrackingReport, Unreadable,
    fingerprint,
};

use super::uncertain::EVENTS;
use crate::members::{text, text_or_number};
use crate::moments::local;

/// The clock that dao goes by.
const ZONE: &str = "Europe/Copenhagen";

/// What a result says about a parcel. Nothing when dao does not know its number.
pub fn answer(result: &Json) -> Option<TrackingAnswer> {
    let unreadable = || Unreadable::new(result.to_string(), "there is no list of events");
    match (result, result.member("haendelser")) {
        (Json::List(entries), _) if entries.is_empty() => None,
        (_, Some(Json::List(entries))) => {
            let events = entries.iter().map(event).collect();
            Some(TrackingAnswer::Report(TrackingReport { events, ..TrackingReport::default() }))
        }
        _ => Some(TrackingAnswer::Unreadable(unreadable())),
    }
}

fn event(entry: &Json) -> Result<TrackingEvent, Unreadable> {
    let unreadable = |why: &str| Unreadable::new(entry.to_string(), why);
    let code = text_or_number(entry, "haendelse").ok_or_else(|| unreadable("there is no code"))?;
    let known = EVENTS.iter().find(|(known, _)| *known == code);
    let status = known.map_or(Status::InTransit, |(_, status)| *status);
    let shown = text(entry, "tidspunkt").ok_or_else(|| unreadable("there is no time"))?;
    let time = local(shown, ZONE).ok_or_else(|| unreadable("the time cannot be read"))?;
    let place = text(entry, "sted");
    Ok(TrackingEvent {
        kind: TrackingEventKind::Seen(status),
        happened_at: Some(time),
        location: place.map(str::to_owned),
        coordinates: None,
        note: text(entry, "beskrivelse").map(str::to_owned),
        estimate: None,
        fingerprint: fingerprint(&["event", &code, shown, place.unwrap_or_default()]),
    })
}

#[cfg(test)]
mod tests {
    use waybill_domain::json::parse;

    use super::*;

    fn report(result: &str) -> TrackingReport {
        answer(&parse(result.as_bytes()).unwrap()).unwrap().into_report()
    }

    #[test]
    fn every_code_has_its_meaning_and_an_unknown_one_is_on_its_way() {
        for (code, status) in EVENTS.iter().copied().chain([("99", Status::InTransit)]) {
            let report = report(&format!(
                r#"{{"stregkode":"1","haendelser":[{{"tidspunkt":"2026-11-16 08:12:00",
                "haendelse":{code},"beskrivelse":"I bilen","sted":"Kolding","shopid":""}}]}}"#
            ));
            let event = report.events[0].as_ref().unwrap();
            assert_eq!(event.kind, TrackingEventKind::Seen(status), "{code}");
            assert_eq!(event.happened_at.unwrap().to_string(), "2026-11-16T07:12:00.000000Z");
            assert_eq!(event.location.as_deref(), Some("Kolding"));
            assert_eq!(event.note.as_deref(), Some("I bilen"));
        }
    }

    #[test]
    fn an_empty_result_is_an_unknown_number_and_one_bad_event_loses_no_other() {
        assert_eq!(answer(&Json::list([])), None);
        let report = report(
            r#"{"haendelser":[{"haendelse":"10"},{"tidspunkt":"2026-11-16 08:12:00"},
            {"haendelse":"10","tidspunkt":"noon"},
            {"haendelse":"10","tidspunkt":"2026-11-16 08:12:00"}]}"#,
        );
        let good = report.events.iter().filter(|event| event.is_ok()).count();
        assert_eq!((report.events.len(), good), (4, 1));
        let odd = answer(&parse(b"{}").unwrap());
        assert!(matches!(odd, Some(TrackingAnswer::Unreadable(_))), "{odd:?}");
    }
}
