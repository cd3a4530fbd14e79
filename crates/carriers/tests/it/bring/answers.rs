//! What Bring's answers mean: refusals, look-ups, accounts.

use std::time::Duration;

use waybill_carriers::Verdict;
use waybill_carriers::booking::{Accepted, Complaint, Found, Lookup, Outcome, Plan};
use waybill_replay::{Fault, Kind};

use super::{conversation, plan, with};
use crate::conversation::with_parcels;

fn order() -> Plan {
    with_parcels(plan("business_parcel", "SE", "SE", "{}"), 2)
}

#[tokio::test]
async fn a_refusal_has_its_code_its_english_words_and_the_parcel() {
    let bring = conversation().await;
    let address = r#"{"parties":{"customer":{"address":{"postal_code":"9998"}}}}"#;
    let order = with_parcels(plan("business_parcel", "DK", "DK", address), 2);
    let complaint = Complaint {
        path: Some("parcels.1".to_owned()),
        code: Some("BOOK-INPUT-023".to_owned()),
        message: "The shipment is too big to send with the given product".to_owned(),
    };
    assert_eq!(bring.rejected(&order).await, [complaint]);
    assert!(bring.replay.bookings().is_empty());
    bring.is_understood();
}

#[tokio::test]
async fn a_user_without_the_right_is_refused_and_a_mistake_of_brings_own_is_unclear() {
    let bring = conversation().await;
    let answer = |status: u16, code: &str| {
        let body = format!(
            r#"{{"consignments":[{{"errors":[{{"code":"{code}","messages":[
            {{"lang":"en","message":"Said"}}]}}]}}]}}"#
        );
        Fault::before(Kind::Status(status, "application/json".to_owned(), body))
    };
    bring.replay.fail("book", answer(400, "BOOK-AUTHORIZATION-001"));
    let barred = bring.book(&order()).await;
    let Outcome::AccessDenied(why) = barred else { panic!("{barred:?}") };
    assert_eq!(why.said[0].message, "Said");
    for (status, code) in [(400, "001"), (400, "999"), (500, "001")] {
        bring.replay.fail("book", answer(status, &format!("BOOK-INTERNAL-{code}")));
        let unclear = bring.book(&order()).await;
        let Outcome::Unknown(why) = unclear else { panic!("{unclear:?}") };
        assert_eq!(why.said[0].message, "Said", "{status}");
    }
    bring.is_understood();
}

#[tokio::test]
async fn a_booking_is_found_by_our_reference_and_has_no_link_to_its_label() {
    let bring = conversation().await;
    let settle = Duration::from_hours(2);
    let lookup = Lookup::ByReference { settle, is_certain: false };
    assert_eq!(bring.carrier.lookup("bring:business_parcel"), lookup);
    let order = order();
    assert_eq!(bring.find(&order).await, Found::Absent);
    let accepted = bring.accepted(&order).await;
    let found = bring.find(&order).await;
    let Found::Accepted(found) = found else { panic!("{found:?}") };
    let numbers = |it: &Accepted| -> Vec<String> {
        it.parcels.iter().map(|it| it.tracking_number.clone()).collect()
    };
    assert_eq!(numbers(&found), numbers(&accepted));
    assert_eq!(found.carrier_reference, accepted.carrier_reference);
    assert_eq!(found.carrier_data, None);
    bring.is_understood();
}

#[tokio::test]
async fn what_a_search_does_not_prove_is_unknown() {
    let bring = conversation().await;
    let order = order();
    bring.accepted(&order).await;
    let reference = &order.reference;
    let body =
        |set: String| Kind::Status(200, String::new(), format!(r#"{{"consignmentSet":[{set}]}}"#));
    let ours = |sender: &str, packages: &str| {
        format!(r#"{{"consignmentId":"C","senderReference":"{sender}","packageSet":[{packages}]}}"#)
    };
    let (one, two) =
        (r#"{"packageNumber":"P1"}"#, r#"{"packageNumber":"P1"},{"packageNumber":"P2"}"#);
    for kind in [
        body(r#"{"error":{"code":400,"message":"Bad"}}"#.to_owned()),
        body(r#"{"error":{"code":503,"message":"Later"}}"#.to_owned()),
        body(ours("another", two)),
        body(ours(reference.as_str(), one)),
        body(format!("{},{}", ours(reference.as_str(), two), ours(reference.as_str(), two))),
        body(String::new()),
        Kind::Status(
            500,
            String::new(),
            r#"{"consignmentSet":[{"error":{"code":404}}]}"#.to_owned(),
        ),
        Kind::Status(401, String::new(), String::new()),
        Kind::Page,
        Kind::Cut,
        Kind::Drop,
    ] {
        bring.replay.fail("find", Fault::before(kind.clone()));
        let found = bring.find(&order).await;
        assert!(matches!(found, Found::Unknown(_)), "{kind:?} {found:?}");
    }
    bring.is_understood();
}

#[tokio::test]
async fn an_account_works_when_bring_lists_its_numbers() {
    assert_eq!(conversation().await.verify().await, Verdict::Good);
    for (options, path) in [
        (r#"{"customer_number":"PARCELS_SWEDEN-0005"}"#, None),
        (r#"{"customer_number":"7"}"#, Some("options.customer_number")),
        (r#"{"customer_number_norway":"7"}"#, Some("options.customer_number_norway")),
    ] {
        let verdict = with(options).await.verify().await;
        match path {
            None => assert_eq!(verdict, Verdict::Good, "{options}"),
            Some(path) => {
                let Verdict::Refused(why) = verdict else { panic!("{options} {verdict:?}") };
                assert_eq!(why.said[0].path.as_deref(), Some(path));
            }
        }
    }
    let bring = conversation().await;
    bring.replay.fail("check the account", Fault::status(401));
    assert!(matches!(bring.verify().await, Verdict::Refused(_)));
    for kind in [Kind::Page, Kind::Drop, Kind::Status(403, String::new(), String::new())] {
        bring.replay.fail("check the account", Fault::before(kind));
        assert!(matches!(bring.verify().await, Verdict::Unknown(_)));
    }
}

/// An answer with these members of its consignment; `#` is our reference.
fn consignment(plan: &Plan, status: u16, members: &str) -> Fault {
    let members = members.replace('#', plan.reference.as_str());
    let body = format!(r#"{{"consignments":[{{{members}}}]}}"#);
    Fault::before(Kind::Status(status, "application/json".to_owned(), body))
}

const ERROR: &str = r##"{"code":"BOOK-INPUT-023","messages":[{"lang":"en","message":"Too big"}],
    "packageCorrelationId":"#-1"}"##;

#[tokio::test]
async fn what_is_confirmed_in_full_is_accepted_whatever_stands_beside_it() {
    let bring = conversation().await;
    let confirmation = r##""confirmation":{"consignmentNumber":"C","packages":[
        {"packageNumber":"P2","correlationId":"#-2"},
        {"packageNumber":"P1","correlationId":"#-1"}]}"##;
    for status in [200, 400, 401, 403, 429, 500, 503] {
        for errors in ["null".to_owned(), format!("[{ERROR}]")] {
            let order = order();
            let members = format!(r#""errors":{errors},{confirmation}"#);
            bring.replay.fail("book", consignment(&order, status, &members));
            let accepted = bring.accepted(&order).await;
            let numbers: Vec<&str> =
                accepted.parcels.iter().map(|it| it.tracking_number.as_str()).collect();
            assert_eq!(numbers, ["P1", "P2"], "{status} {errors}");
        }
    }
}

#[tokio::test]
async fn a_part_is_confirmed_when_bring_says_why_not_the_rest() {
    let bring = conversation().await;
    let package = |name: &str| format!(r#"{{"packageNumber":"P2","correlationId":"{name}"}}"#);
    let confirmed = |number: &str, packages: &str, errors: &str| {
        format!(
            r#""errors":[{errors}],"confirmation":{{"consignmentNumber":{number},
            "packages":[{packages}]}}"#
        )
    };
    for status in [200, 400] {
        let order = order();
        let members = confirmed(r#""C""#, &package("#-2"), ERROR);
        bring.replay.fail("book", consignment(&order, status, &members));
        let outcome = bring.book(&order).await;
        let Outcome::Partial(partial) = outcome else { panic!("{outcome:?}") };
        assert_eq!((partial.missing.as_slice(), partial.accepted.parcels.len()), (&[0][..], 1));
        assert_eq!(partial.accepted.parcels[0].tracking_number, "P2");
        assert_eq!(partial.complaints[0].message, "Too big");
        let of_brings = ERROR.replace("BOOK-INPUT-023", "BOOK-INTERNAL-001");
        for members in [
            confirmed(r#""C""#, &package("#-2"), &ERROR.replace("#-1", "#-2")),
            confirmed(r#""C""#, &package("#-2"), &ERROR.replace("#-1", "another")),
            confirmed(r#""C""#, &package("#-2"), &of_brings),
            confirmed(r#""C""#, &package("#-2"), ""),
            confirmed(r#""C""#, &package("another"), ERROR),
            confirmed(r#""C""#, "", ERROR),
            confirmed("null", &package("#-2"), ERROR),
        ] {
            bring.replay.fail("book", consignment(&order, status, &members));
            let outcome = bring.book(&order).await;
            assert!(matches!(outcome, Outcome::Unknown(_)), "{members} {outcome:?}");
        }
    }
}
