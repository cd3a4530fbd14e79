use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{HeaderMap, HeaderValue};
use proptest::prelude::*;

use super::*;

const GOOD: &str = r#"{"id":"SB-1","reference":"R","parcels":[{"tracking_number":"N"}]}"#;
const REFUSAL: &str = r#"{"errors":[{"field":"to","code":"c","message":"No."}]}"#;

fn reference() -> Reference {
    Reference::from_stored("R".to_owned())
}

fn response(status: u16, body: &str) -> Response {
    Response {
        status: StatusCode::from_u16(status).unwrap(),
        headers: HeaderMap::new(),
        body: Bytes::copy_from_slice(body.as_bytes()),
    }
}

fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted(_) => "accepted",
        Outcome::Partial(..) => "partial",
        Outcome::Rejected(_) => "rejected",
        Outcome::AccessDenied(_) => "access_denied",
        Outcome::NotSent(_) | Outcome::TurnedAway(..) => "not sent",
        Outcome::Unknown(_) => "unknown",
    }
}

#[test]
fn what_is_not_listed_is_unknown() {
    for status in 100..1000 {
        let expected = match status {
            201 => "accepted",
            _ => "unknown",
        };
        let outcome = booked(&response(status, GOOD), &reference(), 1);
        assert_eq!(name(&outcome), expected, "{status}");
        let expected = match status {
            400 | 413 | 422 => "rejected",
            _ => "unknown",
        };
        let outcome = booked(&response(status, REFUSAL), &reference(), 1);
        assert_eq!(name(&outcome), expected, "{status}");
        let mut turned_away = response(status, "");
        turned_away.headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        let expected = match status {
            429 | 503 => "not sent",
            _ => "unknown",
        };
        assert_eq!(name(&booked(&turned_away, &reference(), 1)), expected, "{status}");
    }
}

#[test]
fn an_acceptance_must_be_about_our_reference_and_whole() {
    for body in [
        "",
        "{}",
        "<html>",
        "null",
        "[]",
        &GOOD[..GOOD.len() - 1],
        r#"{"id":"SB-1","parcels":[{"tracking_number":"N"}]}"#,
        r#"{"id":"SB-1","reference":"Q","parcels":[{"tracking_number":"N"}]}"#,
        r#"{"id":"SB-1","reference":"r","parcels":[{"tracking_number":"N"}]}"#,
        r#"{"id":"SB-1","reference":"R","reference":"R","parcels":[{"tracking_number":"N"}]}"#,
        r#"{"id":"","reference":"R","parcels":[{"tracking_number":"N"}]}"#,
        r#"{"id":7,"reference":"R","parcels":[{"tracking_number":"N"}]}"#,
        r#"{"reference":"R","parcels":[{"tracking_number":"N"}]}"#,
        r#"{"id":"SB-1","reference":"R"}"#,
        r#"{"id":"SB-1","reference":"R","parcels":[]}"#,
        r#"{"id":"SB-1","reference":"R","parcels":[{}]}"#,
        r#"{"id":"SB-1","reference":"R","parcels":[{"tracking_number":""}]}"#,
        r#"{"id":"SB-1","reference":"R","parcels":[{"tracking_number":"N"},{}]}"#,
        r#"{"id":"SB-1","reference":"R","parcels":[{"tracking_number":"N"}],
            "errors":[{"message":"No."}]}"#,
    ] {
        let outcome = booked(&response(201, body), &reference(), 1);
        assert_eq!(name(&outcome), "unknown", "{body}");
    }
    let outcome = booked(&response(201, GOOD), &reference(), 2);
    assert_eq!(name(&outcome), "unknown", "another number of parcels");
}

#[test]
fn a_refusal_must_say_why_and_a_turning_away_when_to_come_back() {
    for body in ["", "{}", r#"{"errors":[]}"#, r#"{"errors":[{"code":"c"}]}"#, r#"{"errors":"no"}"#]
    {
        assert_eq!(name(&booked(&response(422, body), &reference(), 1)), "unknown", "{body}");
    }
    for status in [429, 503] {
        assert_eq!(name(&booked(&response(status, REFUSAL), &reference(), 1)), "unknown");
    }
}

#[test]
fn a_file_that_cannot_be_read_does_not_undo_the_booking() {
    let body = r#"{"id":"SB-1","reference":"R","parcels":[{"tracking_number":"N"}],
        "files":[{"format":"pdf","data":"!"},{"format":"doc","data":"aGk="},
        {"format":"zpl","data":"aGk="}]}"#;
    let Outcome::Accepted(accepted) = booked(&response(201, body), &reference(), 1) else {
        panic!("not accepted")
    };
    assert_eq!(accepted.files.files.len(), 1);
    assert_eq!(accepted.files.files[0].bytes, b"hi");
}

#[test]
fn a_miss_is_believed_only_when_it_is_about_our_reference() {
    let absent = r#"{"reference":"R","errors":[{"code":"not_found","message":"No."}]}"#;
    assert_eq!(found(&response(404, absent), &reference()), Found::Absent);
    for (status, body) in [
        (404, ""),
        (404, REFUSAL),
        (404, r#"{"errors":[{"code":"not_found","message":"No."}]}"#),
        (404, r#"{"reference":"Q","errors":[{"code":"not_found","message":"No."}]}"#),
        (404, r#"{"reference":"R","errors":[{"code":"not_supported","message":"No."}]}"#),
        (200, r#"{"shipments":[]}"#),
        (
            200,
            r#"{"shipments":[{"id":"SB-1","reference":"Q","parcels":[{"tracking_number":"N"}]}]}"#,
        ),
        (200, GOOD),
        (410, absent),
        (500, absent),
    ] {
        let found = found(&response(status, body), &reference());
        assert!(matches!(found, Found::Unknown(_)), "{status} {body} {found:?}");
    }
    let body = format!(r#"{{"shipments":[{GOOD}]}}"#);
    let found = found(&response(200, &body), &reference());
    assert!(matches!(found, Found::Accepted(_)), "{found:?}");
}

#[test]
fn a_cancelling_must_be_confirmed_for_our_reference() {
    let done = r#"{"reference":"R","status":"cancelled"}"#;
    assert_eq!(cancelled(&response(200, done), &reference()), Cancelled::Done);
    assert_eq!(cancelled(&response(409, REFUSAL), &reference()), Cancelled::Refused("No.".into()));
    for (status, body) in [
        (200, ""),
        (200, r#"{"reference":"R","status":"booked"}"#),
        (200, r#"{"reference":"Q","status":"cancelled"}"#),
        (204, done),
        (404, REFUSAL),
        (409, done),
        (500, REFUSAL),
    ] {
        let cancelled = cancelled(&response(status, body), &reference());
        assert!(matches!(cancelled, Cancelled::Unknown(_)), "{status} {body} {cancelled:?}");
    }
}

proptest! {
    // Whatever is changed in a good answer: it is still the same booking, or it is unknown.
    #[test]
    fn a_mangled_answer_never_names_another_booking(
        at in 0..GOOD.len(), byte: u8, cut in 0..=GOOD.len(),
    ) {
        let mut bytes = GOOD.as_bytes().to_vec();
        bytes[at] = byte;
        bytes.truncate(cut);
        let mut mangled = response(201, "");
        mangled.body = Bytes::from(bytes.clone());
        match booked(&mangled, &reference(), 1) {
            Outcome::Accepted(_) => {
                let text = String::from_utf8(bytes).unwrap();
                prop_assert!(text.contains(r#""reference":"R""#), "{text}");
            }
            outcome => prop_assert_eq!(name(&outcome), "unknown"),
        }
    }
}
