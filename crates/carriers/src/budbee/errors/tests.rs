use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};

use super::*;

/// What became of one parcel.
fn booked_one(response: &Response) -> Outcome {
    booked(response, &["S1".to_owned()])
}

fn answer(status: u16, body: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap();
    Response { status, headers: HeaderMap::new(), body: Bytes::from(body.to_owned()) }
}

#[test]
fn a_refusal_of_the_parcel_has_words_and_one_of_a_place_its_path() {
    for status in [400, 403, 404, 412, 422] {
        for body in [r#"{"status":1,"message":"Not there"}"#, "Not there"] {
            let outcome = booked_one(&answer(status, body));
            let Outcome::Rejected(complaints) = outcome else { panic!("{status} {outcome:?}") };
            assert_eq!(complaints[0].message, "Not there");
            assert_eq!(complaints[0].path.is_some(), status == 404);
        }
        for body in ["", "{}", "<html>no</html>"] {
            let outcome = booked_one(&answer(status, body));
            assert!(matches!(outcome, Outcome::Unknown(_)), "{status} {body} {outcome:?}");
        }
    }
    let mut page = answer(403, "Forbidden");
    page.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    assert!(matches!(booked_one(&page), Outcome::Unknown(_)));
}

#[test]
fn other_statuses_mean_what_they_prove() {
    assert!(matches!(booked_one(&answer(401, "")), Outcome::AccessDenied(_)));
    assert!(matches!(booked_one(&answer(429, "")), Outcome::NotSent(_)));
    let mut later = answer(503, "");
    assert!(matches!(booked_one(&later), Outcome::Unknown(_)));
    later.headers.insert(RETRY_AFTER, HeaderValue::from_static("9"));
    assert!(matches!(booked_one(&later), Outcome::TurnedAway(..)));
    for status in [202, 302, 405, 409, 500, 502, 504] {
        let outcome = booked_one(&answer(status, r#"{"message":"no"}"#));
        assert!(matches!(outcome, Outcome::Unknown(_)), "{status} {outcome:?}");
    }
}

#[test]
fn a_success_has_a_number_for_each_parcel() {
    let two = ["S".to_owned(), "S".to_owned()];
    let good = r#"{"id":"O","parcels":[{"packageId":"P1"},{"packageId":"P2"}]}"#;
    for status in [200, 201] {
        assert!(matches!(booked(&answer(status, good), &two), Outcome::Accepted(_)), "{status}");
    }
    for body in [
        r#"{"id":"O","parcels":[{"packageId":"P1"},{"id":"2"}]}"#,
        r#"{"id":"O","parcels":[{"packageId":"P1"}]}"#,
        r#"{"parcels":[{"packageId":"P1"},{"packageId":"P2"}]}"#,
        r#"{"id":"O"}"#,
        "",
        "<html></html>",
        &good[..30],
    ] {
        let outcome = booked(&answer(200, body), &two);
        assert!(matches!(outcome, Outcome::Unknown(_)), "{body} {outcome:?}");
    }
}

#[test]
fn numbers_go_to_parcels_by_name_where_the_names_are_their_own() {
    let body = r#"{"id":"O","parcels":[{"packageId":"P2","shipmentId":"S2"},
        {"packageId":"P1","shipmentId":"S1"}]}"#;
    let numbers = |names: [&str; 2]| match booked(&answer(200, body), &names.map(str::to_owned)) {
        Outcome::Accepted(it) => it.parcels.into_iter().map(|it| it.tracking_number).collect(),
        other => vec![format!("{other:?}")],
    };
    assert_eq!(numbers(["S1", "S2"]), ["P1", "P2"]);
    assert_eq!(numbers(["S1", "S1"]), ["P2", "P1"]);
    assert_eq!(numbers(["S1", "S3"]), ["P2", "P1"]);
}

#[test]
fn a_success_that_ends_too_early_is_unknown_wherever_it_ends() {
    let whole = r#"{"id":4711,"parcels":[{"packageId":"P1","shipmentId":"S1"}]}"#;
    for end in 0..whole.len() {
        let outcome = booked_one(&answer(200, &whole[..end]));
        assert!(matches!(outcome, Outcome::Unknown(_)), "{end} {outcome:?}");
    }
    assert!(matches!(booked_one(&answer(200, whole)), Outcome::Accepted(_)));
}

#[test]
fn a_cancelled_order_may_be_gone_already() {
    for status in [200, 204, 404] {
        assert_eq!(cancelled(&answer(status, "")), Cancelled::Done, "{status}");
    }
    for status in [400, 403, 409, 412, 422] {
        let refused = Cancelled::Refused("Too late".to_owned());
        assert_eq!(cancelled(&answer(status, r#"{"message":"Too late"}"#)), refused);
        assert!(matches!(cancelled(&answer(status, "")), Cancelled::Refused(_)), "{status}");
    }
    for status in [202, 302, 401, 429, 500, 503] {
        let unclear = cancelled(&answer(status, ""));
        assert!(matches!(unclear, Cancelled::Unknown(_)), "{status} {unclear:?}");
    }
}
