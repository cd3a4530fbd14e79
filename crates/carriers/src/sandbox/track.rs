//! What the sandbox carrier says about parcels, in our words. One event that cannot be read is
//! set aside and does not lose the others.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use hyper::header::HeaderMap;
use sha2::Sha256;
use waybill_domain::json::Json;
use waybill_domain::shipment::Window;
use waybill_domain::time::Time;
use waybill_domain::tracking::{
    Coordinates, Pace, Status, TrackingAnswer, TrackingEvent, TrackingEventKind, TrackingReport,
    Unreadable, fingerprint,
};

use super::wire::{list, millis, text};
use crate::Account;
use crate::tracking::NumberAnswer;

/// Where a message says who sent it: `sha256=` and the HMAC-SHA256 of the body in hexadecimal
/// digits, with the `callback_secret` of the account's credentials.
const SIGNATURE: &str = "x-sandbox-signature";

/// The sandbox's codes, and what they mean.
const CODES: &[(&str, TrackingEventKind)] = &[
    ("announced", TrackingEventKind::Seen(Status::InfoReceived)),
    ("collected", TrackingEventKind::Seen(Status::Collected)),
    ("moving", TrackingEventKind::Seen(Status::InTransit)),
    ("terminal", TrackingEventKind::Seen(Status::AtTerminal)),
    ("customs", TrackingEventKind::Seen(Status::InCustoms)),
    ("loaded", TrackingEventKind::Seen(Status::OutForDelivery)),
    ("at_point", TrackingEventKind::Seen(Status::AvailableForPickup)),
    ("nobody_home", TrackingEventKind::Seen(Status::AttemptFailed)),
    ("delivered", TrackingEventKind::Seen(Status::Delivered)),
    ("delayed", TrackingEventKind::Seen(Status::Delayed)),
    ("trouble", TrackingEventKind::Seen(Status::Exception)),
    ("going_back", TrackingEventKind::Seen(Status::Returning)),
    ("returned", TrackingEventKind::Seen(Status::Returned)),
    ("estimate", TrackingEventKind::Estimate),
];

/// As seldom as with a real carrier.
pub const PACE: Pace = Pace {
    first: Duration::from_mins(1),
    shortest: Duration::from_mins(5),
    longest: Duration::from_hours(6),
};

/// Whether the body was signed with the account's secret. Without a secret nothing is believed.
pub fn is_signed(account: &Account, headers: &HeaderMap, body: &[u8]) -> bool {
    let Some(secret) = text(account.credentials.expose(), "callback_secret") else { return false };
    let sent = headers.get(SIGNATURE).and_then(|value| value.to_str().ok());
    let Some(signature) = sent.and_then(|sent| unhex(sent.strip_prefix("sha256=")?)) else {
        return false;
    };
    let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(secret.as_bytes());
    mac.is_ok_and(|mut mac| {
        mac.update(body);
        mac.verify_slice(&signature).is_ok()
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let is_hex = digits.len() == 64 && digits.iter().all(u8::is_ascii_hexdigit);
    let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    if is_hex { (0..64).step_by(2).map(byte).collect() } else { None }
}

/// The parcels of a body. Nothing when it is not a body of the sandbox.
pub fn answers(body: &Json) -> Option<Vec<NumberAnswer>> {
    let Some(Json::List(parcels)) = body.member("parcels") else { return None };
    Some(parcels.iter().filter_map(answer).collect())
}

fn answer(parcel: &Json) -> Option<NumberAnswer> {
    let report = TrackingReport {
        events: list(parcel, "events").iter().map(event).collect(),
        estimate: parcel.member("estimate").and_then(window),
        poll_after: millis(parcel, "track_after_ms"),
        is_continued: false,
    };
    Some((text(parcel, "tracking_number")?.to_owned(), TrackingAnswer::Report(report)))
}

fn window(span: &Json) -> Option<Window> {
    let time = |name| Time::parse(text(span, name)?);
    Some(Window { start: time("from")?, end: time("until")? })
}

fn event(entry: &Json) -> Result<TrackingEvent, Unreadable> {
    let unreadable = |why: &str| Unreadable::new(entry.to_string(), why);
    let code = text(entry, "code").ok_or_else(|| unreadable("there is no code"))?;
    let kind = CODES.iter().find(|(known, _)| *known == code).map(|(_, kind)| *kind);
    let kind = kind.ok_or_else(|| unreadable("the code is unknown"))?;
    let happened_at = match entry.member("at") {
        None | Some(Json::Null) => None,
        Some(Json::Text(at)) => {
            Some(Time::parse(at).ok_or_else(|| unreadable("the time cannot be read"))?)
        }
        Some(_) => return Err(unreadable("the time cannot be read")),
    };
    let estimate = match entry.member("estimate") {
        None | Some(Json::Null) => None,
        Some(span) => {
            Some(window(span).ok_or_else(|| unreadable("the estimate is not a span of time"))?)
        }
    };
    let coordinates = match (entry.member("latitude"), entry.member("longitude")) {
        (Some(Json::Number(latitude)), Some(Json::Number(longitude))) => {
            let place = Coordinates::new(latitude, longitude);
            Some(place.ok_or_else(|| unreadable("there is no such place"))?)
        }
        _ => None,
    };
    let owned = |name| text(entry, name).map(str::to_owned);
    let (location, note) = (owned("place"), owned("text"));
    // Its own id, or all that makes it another event.
    let fingerprint = match text(entry, "id") {
        Some(id) => fingerprint(&["id", id]),
        None => {
            let at = happened_at.map(|at| at.to_string()).unwrap_or_default();
            let place = location.as_deref().unwrap_or_default();
            fingerprint(&["event", code, &at, place])
        }
    };
    Ok(TrackingEvent { kind, happened_at, location, coordinates, note, estimate, fingerprint })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use waybill_domain::ids::AccountId;
    use waybill_domain::json::parse;
    use waybill_domain::secret::Secret;

    use super::*;
    use crate::IssuedTokens;

    fn read(body: &str) -> Option<Vec<NumberAnswer>> {
        answers(&parse(body.as_bytes()).unwrap())
    }

    #[test]
    fn one_event_that_cannot_be_read_does_not_lose_the_others() {
        let body = r#"{"parcels":[{"tracking_number":"N","events":[
            {"code":"announced","at":"2026-11-15T10:00:00Z","place":"Taulov"},
            {"code":"flying"}, {"at":"2026-11-15T10:00:00Z"}, {"code":"moving","at":"noon"},
            {"code":"moving","at":7}, {"code":"loaded","latitude":91,"longitude":0},
            {"code":"loaded","estimate":{"from":"x"}}, "?",
            {"code":"delivered","latitude":55.5463,"longitude":-9.6112,"text":"Signed"}]},
            {"events":[]}, 7]}"#;
        let answers = read(body).unwrap();
        let [(number, TrackingAnswer::Report(report))] = answers.as_slice() else {
            panic!("{answers:?}")
        };
        assert_eq!(number, "N");
        let good: Vec<_> = report.events.iter().flatten().collect();
        assert_eq!(good.len(), 2);
        assert_eq!(good[0].location.as_deref(), Some("Taulov"));
        assert_eq!(
            good[1].coordinates.as_ref().unwrap().to_json().to_string(),
            r#"{"latitude":55.5463,"longitude":-9.6112}"#
        );
        assert_eq!(report.events.iter().filter(|event| event.is_err()).count(), 7);
        for body in ["{}", "[]", r#"{"parcels":{}}"#, "null"] {
            assert_eq!(read(body), None, "{body}");
        }
    }

    #[test]
    fn the_same_event_has_the_same_fingerprint_however_it_is_told() {
        let print = |entry: &str| event(&parse(entry.as_bytes()).unwrap()).unwrap().fingerprint;
        let told = print(r#"{"code":"moving","at":"2026-11-15T10:00:00Z"}"#);
        assert_eq!(told, print(r#"{"at":"2026-11-15T11:00:00+01:00","code":"moving","text":"x"}"#));
        assert_ne!(told, print(r#"{"code":"moving","at":"2026-11-15T10:00:01Z"}"#));
        assert_eq!(print(r#"{"id":"7","code":"moving"}"#), print(r#"{"id":"7","code":"loaded"}"#));
    }

    #[test]
    fn a_message_is_believed_only_with_its_signature_in_every_bit() {
        let credentials = Json::object([("callback_secret", "hush".into())]);
        let account = |credentials| Account {
            id: AccountId(Uuid::nil()),
            changed_at: Time(0),
            credentials: Secret::new(credentials),
            options: Json::Null,
            issued: IssuedTokens::default(),
        };
        let body = b"{}";
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(b"hush").unwrap();
        mac.update(body);
        let signature: Vec<u8> = mac.finalize().into_bytes().to_vec();
        let headers = |signature: &[u8]| {
            let hex: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
            let mut headers = HeaderMap::new();
            headers.insert(SIGNATURE, format!("sha256={hex}").parse().unwrap());
            headers
        };
        let ours = account(credentials);
        assert!(is_signed(&ours, &headers(&signature), body));
        assert!(!is_signed(&ours, &headers(&signature), b"{} "));
        assert!(!is_signed(&ours, &HeaderMap::new(), body));
        assert!(!is_signed(&account(Json::Null), &headers(&signature), body));
        for bit in 0..256 {
            let mut changed = signature.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_signed(&ours, &headers(&changed), body), "bit {bit}");
        }
    }
}
