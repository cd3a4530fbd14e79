use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{HeaderMap, RETRY_AFTER};
use waybill_domain::json::parse;

use super::*;

const REFERENCE: &str = "ABCDEFGHJKMNPQRSTVWX";

fn reference() -> Reference {
    Reference::from_stored(REFERENCE.to_owned())
}

fn answer(status: u16, body: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    Response { status, headers: HeaderMap::new(), body: Bytes::from(body.to_owned()) }
}

fn errors(entries: &str) -> String {
    format!(r#"{{"consignments":[{{"errors":[{entries}],"confirmation":null}}]}}"#)
}

fn error(code: &str) -> String {
    format!(
        r#"{{"uniqueId":"u","code":"{code}","messages":[{{"lang":"no","message":"Nei"}},
        {{"lang":"en","message":"No"}}],"packageCorrelationId":"{REFERENCE}-2"}}"#
    )
}

fn book(status: u16, body: &str) -> Outcome {
    booked(&answer(status, body), &reference(), 2)
}

#[test]
fn a_refusal_has_its_code_its_english_words_and_the_parcel() {
    for status in [200, 400, 403, 422] {
        for code in ["BOOK-INPUT-024", "BOOK-INPUT-999", "BOOK-NEWER-001"] {
            let outcome = book(status, &errors(&error(code)));
            let Outcome::Rejected(complaints) = outcome else { panic!("{status} {outcome:?}") };
            let complaint = Complaint {
                path: Some("parcels.1".to_owned()),
                code: Some(code.to_owned()),
                message: "No".to_owned(),
            };
            assert_eq!(complaints, [complaint]);
        }
    }
}

#[test]
fn a_mistake_of_brings_own_proves_nothing_and_a_missing_right_is_about_us() {
    let mixed = format!("{},{}", error("BOOK-INPUT-024"), error("BOOK-INTERNAL-777"));
    for entries in [error("BOOK-INTERNAL-001"), mixed] {
        let outcome = book(400, &errors(&entries));
        assert!(matches!(outcome, Outcome::Unknown(_)), "{outcome:?}");
    }
    let outcome = book(400, &errors(&error("BOOK-AUTHORIZATION-001")));
    assert!(matches!(outcome, Outcome::AccessDenied(_)), "{outcome:?}");
}

#[test]
fn a_status_means_what_it_proves() {
    for body in ["", "<html></html>", &errors(&error("BOOK-INPUT-001"))] {
        assert!(matches!(book(401, body), Outcome::AccessDenied(_)), "{body}");
        assert!(matches!(book(429, body), Outcome::NotSent(_)), "{body}");
        assert!(matches!(book(503, body), Outcome::Unknown(_)), "{body}");
        for status in [302, 500, 502, 504] {
            assert!(matches!(book(status, body), Outcome::Unknown(_)), "{status} {body}");
        }
    }
    assert!(matches!(book(403, "<html></html>"), Outcome::AccessDenied(_)));
    assert!(matches!(book(404, "<html></html>"), Outcome::Unknown(_)));
    let mut later = answer(503, "");
    later.headers.insert(RETRY_AFTER, "9".parse().unwrap());
    assert!(matches!(booked(&later, &reference(), 1), Outcome::TurnedAway(..)));
}

#[test]
fn a_confirmation_has_a_number_for_each_parcel() {
    let confirmed = |packages: &str| {
        format!(
            r#"{{"consignments":[{{"correlationId":"{REFERENCE}","errors":null,"confirmation":{{
            "consignmentNumber":"7037","links":{{"labels":"https://l","tracking":"https://t"}},
            "packages":[{packages}]}}}}]}}"#
        )
    };
    let package = |number: &str, name: &str| {
        format!(r#"{{"packageNumber":"{number}","correlationId":"{name}","labelFreeCode":null}}"#)
    };
    let swapped =
        [package("P2", &format!("{REFERENCE}-2")), package("P1", &format!("{REFERENCE}-1"))];
    let unnamed = [package("P1", ""), package("P2", "")];
    for packages in [swapped, unnamed] {
        let outcome = book(200, &confirmed(&packages.join(",")));
        let Outcome::Accepted(accepted) = outcome else { panic!("{outcome:?}") };
        let numbers: Vec<&str> =
            accepted.parcels.iter().map(|it| it.tracking_number.as_str()).collect();
        assert_eq!(numbers, ["P1", "P2"]);
        assert_eq!(accepted.carrier_data.as_deref(), Some("https://l"));
    }
    let two = [package("P1", ""), package("P2", "")].join(",");
    for body in [confirmed(&package("P1", "")), confirmed(""), confirmed(&two)[..90].to_owned()] {
        let outcome = book(200, &body);
        assert!(matches!(outcome, Outcome::Unknown(_)), "{body} {outcome:?}");
    }
}

#[test]
fn an_answer_that_ends_too_early_is_unknown_wherever_it_ends() {
    let whole = errors(&error("BOOK-INPUT-024"));
    for status in [200, 400] {
        for end in 0..whole.len() {
            let outcome = book(status, &whole[..end]);
            assert!(matches!(outcome, Outcome::Unknown(_)), "{status} {end} {outcome:?}");
        }
    }
}

#[test]
fn a_customer_number_is_the_same_without_its_prefix_and_leading_zeros() {
    assert!(is_same_number("PARCELS_NORWAY-00000000005", "5"));
    assert!(is_same_number("PARCELS_NORWAY-00000000005", "PARCELS_NORWAY-00000000005"));
    assert!(is_same_number("5", "PARCELS_SWEDEN-5"));
    assert!(!is_same_number("PARCELS_NORWAY-00000000005", "50"));
    assert!(!is_same_number("15", "5"));
}

#[test]
fn numbers_that_are_not_listed_are_told_at_their_options() {
    let body = r#"{"customers":[{"customerNumber":"PARCELS_NORWAY-00000000005"},
        {"customerNumber":6}]}"#;
    let verdict = |options: &str| {
        let options = parse(options.as_bytes()).unwrap();
        match verified(&answer(200, body), Options(&options)) {
            Verdict::Refused(why) => why.said[0].path.clone().unwrap(),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(verdict(r#"{"customer_number":"5"}"#), "Good");
    assert_eq!(verdict(r#"{"customer_number":"6","customer_number_norway":"5"}"#), "Good");
    assert_eq!(verdict(r#"{"customer_number":"7"}"#), "options.customer_number");
    let norway = verdict(r#"{"customer_number":"5","customer_number_norway":"7"}"#);
    assert_eq!(norway, "options.customer_number_norway");
}
