//! Booking with dao: what stands in the query, and what its answers mean.

use waybill_carriers::booking::{Found, Lookup, Outcome};
use waybill_carriers::dao;

use super::{account, conversation};
use crate::conversation::{Conversation, account_of, plan_for, to_point, with_options};

/// An order to this postal code.
fn to_code(code: &str) -> String {
    format!(r#"{{"parties":{{"customer":{{"address":{{"postal_code":"{code}"}}}}}}}}"#)
}

#[tokio::test]
async fn a_parcel_to_a_door_is_booked_with_a_query_and_without_a_date() {
    let dao = conversation().await;
    let plan = plan_for("dao:home", "{}");
    let accepted = dao.accepted(&plan).await;
    assert_eq!(accepted.carrier_reference, "00057126901000001");
    let [parcel] = accepted.parcels.as_slice() else { panic!("{accepted:?}") };
    assert_eq!(parcel.tracking_number, "00057126901000001");
    let url = "https://www.dao.as/privat/find-din-pakke?stregkode=00057126901000001";
    assert_eq!(parcel.tracking_url.as_deref(), Some(url));
    assert!(accepted.files.is_empty() && accepted.drop_off_codes.is_empty());
    assert_eq!(dao.replay.bookings(), [plan.reference.as_str()]);
    dao.is_understood();
}

#[tokio::test]
async fn notifications_say_which_number_and_address_and_an_age_is_asked_for() {
    let account = with_options(&account(), r#"{"environment":"test","sender_id":"77"}"#);
    let dao = Conversation::with("dao", dao::open, account).await;
    let plan = plan_for(
        "dao:home",
        r#"{"parties":{"customer":{"contact":{"company":"Nørgård & Søn"}}},"delivery":{"addons":[
        {"code":"sms_notification","value":"+46 70 123 45 67"},
        {"code":"email_notification","value":"other@post.example"},
        {"code":"age_verification","value":"18"}]}}"#,
    );
    let accepted = dao.accepted(&plan).await;
    assert_eq!(accepted.carrier_reference, "57126901000002");
    assert_eq!(dao.replay.hits("home, from 18, tried out"), 1);
    dao.is_understood();
}

#[tokio::test]
async fn every_service_has_its_path_and_a_shop_its_number() {
    for (service, exchange, codes) in [
        ("dao:shop", "shop", &[][..]),
        ("dao:shop2home", "shop to home", &["84217"][..]),
        ("dao:shop2shop", "shop to shop", &[][..]),
    ] {
        let dao = conversation().await;
        let accepted = dao.accepted(&to_point(plan_for(service, "{}"), "4041")).await;
        assert_eq!(dao.replay.hits(exchange), 1, "{service}");
        assert_eq!(accepted.drop_off_codes, codes, "{service}");
        dao.is_understood();
    }
}

#[tokio::test]
async fn a_return_goes_to_the_merchant_and_has_no_weight() {
    let dao = conversation().await;
    let mut plan = plan_for("dao:return", "{}");
    plan.is_return = true;
    let accepted = dao.accepted(&plan).await;
    assert_eq!(accepted.drop_off_codes, ["55012"]);
    assert_eq!(dao.replay.hits("return"), 1);
    dao.is_understood();
}

#[tokio::test]
async fn what_is_missing_is_found_before_anything_is_sent() {
    let dao = conversation().await;
    let refused = dao.refused(&plan_for("dao:shop", "{}"));
    assert_eq!(refused, ["delivery.pickup_point.code"]);
    let refused = dao.refused(&plan_for("dao:home", r#"{"parties":{"merchant":null}}"#));
    assert_eq!(refused, ["parties.merchant"]);
    assert_eq!(dao.refused(&plan_for("dao:rocket", "{}")), ["delivery.service_code"]);
}

#[tokio::test]
async fn credentials_stand_in_what_is_sent_and_not_in_what_is_kept() {
    let dao = conversation().await;
    let prepared = dao.prepared(&plan_for("dao:home", "{}")).unwrap();
    assert!(prepared.path.starts_with("/DAODirekte/leveringsordre.php?"), "{}", prepared.path);
    for secret in ["1332", "hush", "kundeid", "kode"] {
        assert!(!prepared.path.contains(secret), "{}", prepared.path);
    }
}

#[tokio::test]
async fn every_letter_of_a_query_is_utf_8_and_encoded() {
    let dao = conversation().await;
    let name = r#"{"parties":{"customer":{"contact":{"name":"Łucja “Šő” & + % = # ?"}}}}"#;
    let path = dao.prepared(&plan_for("dao:home", name)).unwrap().path;
    let told =
        "navn=%C5%81ucja%20%E2%80%9C%C5%A0%C5%91%E2%80%9D%20%26%20%2B%20%25%20%3D%20%23%20%3F&";
    assert!(path.contains(told), "{path}");
    let places = r#"{"parties":{"customer":{"contact":{"phone":"+47 22 33 44 55"}},
        "merchant":{"contact":{"phone":"0045 70102030"}}}}"#;
    let path = dao.prepared(&plan_for("dao:home", places)).unwrap().path;
    assert!(path.contains("&mobil=%2B4722334455&"), "{path}");
    assert!(path.contains("&afsender_mobil=70102030&"), "{path}");
}

#[tokio::test]
async fn a_refusal_is_about_the_parcel_or_about_us() {
    let dao = conversation().await;
    let complaints = dao.rejected(&plan_for("dao:home", &to_code("9998"))).await;
    let complaint = &complaints[0];
    assert_eq!(complaint.code.as_deref(), Some("117"));
    assert_eq!(complaint.message, "Ukendt postnummer");
    let barred = dao.book(&plan_for("dao:home", &to_code("9997"))).await;
    let Outcome::AccessDenied(why) = barred else { panic!("{barred:?}") };
    assert_eq!(why.said[0].message, "Ingen adgang til denne service");
    assert!(dao.replay.bookings().is_empty());
    dao.is_understood();
}

#[tokio::test]
async fn it_cannot_be_asked_what_became_of_a_booking() {
    let dao = conversation().await;
    for service in ["dao:home", "dao:shop", "dao:return"] {
        assert_eq!(dao.carrier.lookup(service), Lookup::Never);
    }
    let found = dao.find(&plan_for("dao:home", "{}")).await;
    assert!(matches!(found, Found::Unknown(_)), "{found:?}");
}

#[tokio::test]
async fn an_account_is_checked_with_a_harmless_question() {
    use waybill_carriers::Verdict;

    let dao = conversation().await;
    assert_eq!(dao.verify().await, Verdict::Good);
    let refusal = r#"
        [[exchange]]
        name = "refuse the account"
        request = { path = "/FejlKoder.php", query = { kundeid = "1" } }
        answer = { json = '{"status":"FEJL","fejlkode":"1","fejltekst":"Ugyldig kundeid"}' }
        [[exchange]]
        name = "be away"
        request = { path = "/FejlKoder.php", query = { kundeid = "2" } }
        answer = { status = 502, text = "<html>Bad gateway</html>" }"#;
    for (number, is_refused) in [("1", true), ("2", false)] {
        let account = account_of(&format!(r#"{{"customer_id":"{number}","code":"c"}}"#), "{}");
        let dao = Conversation::after(refusal, "dao", dao::open, account).await;
        let verdict = dao.verify().await;
        assert_eq!(matches!(verdict, Verdict::Refused(_)), is_refused, "{verdict:?}");
        assert_eq!(matches!(verdict, Verdict::Unknown(_)), !is_refused, "{verdict:?}");
    }
}
