//! Booking with Budbee: what stands in an order, and what its answers mean.

use waybill_carriers::Verdict;
use waybill_carriers::booking::{Found, Lookup};
use waybill_carriers::budbee;
use waybill_replay::{Fault, Kind};

use super::{account, conversation, full_plan, plan};
use crate::conversation::{Conversation, account_of, to_point, with_parcels};

#[tokio::test]
async fn an_order_to_a_door_has_what_budbee_wants_and_nothing_empty() {
    let budbee = conversation().await;
    let plan = plan("budbee:home", "{}");
    let accepted = budbee.accepted(&plan).await;
    let reference = plan.reference.as_str();
    assert_eq!(accepted.carrier_reference, format!("O-{reference}"));
    let [parcel] = accepted.parcels.as_slice() else { panic!("{accepted:?}") };
    assert_eq!(parcel.tracking_number, format!("P-{reference}-1"));
    assert!(accepted.files.is_empty(), "labels come later");
    assert_eq!(budbee.replay.bookings(), [reference]);
    let asked = budbee.replay.hits("where people look");
    assert_eq!(asked, 0, "the call that books asks for nothing else");
    budbee.is_understood();
}

#[tokio::test]
async fn an_order_tells_of_items_with_a_price_and_of_a_company_with_its_person() {
    let budbee = conversation().await;
    let accepted = budbee.accepted(&full_plan()).await;
    assert_eq!((accepted.carrier_reference.as_str(), accepted.parcels.len()), ("4711", 2));
    budbee.is_understood();
}

#[tokio::test]
async fn a_signature_or_an_age_keeps_the_parcel_from_being_left_outside() {
    let budbee = conversation().await;
    for (addon, is_signed) in
        [(r#"{"code":"signature"}"#, true), (r#"{"code":"age_verification","value":"18"}"#, false)]
    {
        let changes = format!(r#"{{"delivery":{{"addons":[{addon}]}}}}"#);
        let body = budbee.body(&plan("budbee:home", &changes));
        let outside = body.member("delivery").unwrap().member("outsideDoor");
        assert_eq!(outside, Some(&false.into()), "{addon}");
        assert_eq!(body.member("requireSignature"), Some(&is_signed.into()), "{addon}");
    }
}

#[tokio::test]
async fn what_is_written_for_the_driver_arrives_whole_and_in_its_own_letters() {
    let budbee = conversation().await;
    let text = "Позвоните “дважды” & <b> ".repeat(30);
    let text = text.trim();
    let changes = format!(r#"{{"delivery":{{"instructions":"{text}"}}}}"#);
    let body = budbee.body(&plan("budbee:home", &changes));
    let told = body.member("delivery").unwrap().member("additionalInfo");
    assert_eq!(told, Some(&text.into()));
}

#[tokio::test]
async fn a_box_is_chosen_and_a_parcel_without_a_name_has_ours() {
    let budbee = conversation().await;
    let to_box = |code| to_point(plan("budbee:box", r#"{"reference":null}"#), code);
    budbee.accepted(&to_box("BOX0001")).await;
    assert_eq!(budbee.replay.hits("box"), 1);
    budbee.is_understood();
    let refused = budbee.refused(&plan("budbee:box", "{}"));
    assert_eq!(refused, ["delivery.pickup_point.code"]);
}

#[tokio::test]
async fn a_place_that_is_not_served_is_told_at_its_postal_code() {
    let budbee = conversation().await;
    let to = |code: &str| {
        let address = format!(r#"{{"address":{{"postal_code":"{code}"}}}}"#);
        plan("budbee:home", &format!(r#"{{"parties":{{"customer":{address}}}}}"#))
    };
    let complaints = budbee.rejected(&to("999 99")).await;
    let path = complaints[0].path.as_deref();
    assert_eq!(path, Some("parties.customer.address.postal_code"));
    assert_eq!(complaints[0].message, "We do not deliver to 99999");
    let complaints = budbee.rejected(&to("999 98")).await;
    assert_eq!(complaints[0].path, None);
    assert_eq!(complaints[0].message, "telephoneNumber is not a mobile number");
    assert!(budbee.replay.bookings().is_empty());
}

#[tokio::test]
async fn an_order_is_found_by_our_reference_alone() {
    let budbee = conversation().await;
    let settle = std::time::Duration::from_secs(60);
    let lookup = Lookup::ByReference { settle, is_certain: false };
    assert_eq!(budbee.carrier.lookup("budbee:home"), lookup);
    let ours = plan("budbee:home", "{}");
    assert_eq!(budbee.find(&ours).await, Found::Absent);
    let accepted = budbee.accepted(&ours).await;
    assert_eq!(budbee.find(&ours).await, Found::Accepted(accepted));
    let full = full_plan();
    let accepted = budbee.accepted(&full).await;
    let found = budbee.find(&full).await;
    let Found::Accepted(found) = found else { panic!("{found:?}") };
    // The list of parcels is in another order than they were booked in.
    assert_eq!(found.parcels, accepted.parcels);
    budbee.is_understood();
}

#[tokio::test]
async fn what_a_search_does_not_prove_is_unknown() {
    let budbee = conversation().await;
    let ours = plan("budbee:home", "{}");
    budbee.accepted(&ours).await;
    let other = r#"{"orders":[{"id":"O","cart":{"cartId":"another"}}]}"#.to_owned();
    let json = || "application/json".to_owned();
    let cart = format!(r#""cart":{{"cartId":"{}"}}"#, ours.reference.as_str());
    let twice = format!(r#"{{"orders":[{{"id":"O",{cart}}},{{"id":"P",{cart}}}]}}"#);
    for kind in [
        Kind::Status(200, json(), other),
        Kind::Status(200, json(), twice),
        Kind::Status(200, json(), r#"{"a":[],"b":[]}"#.to_owned()),
        Kind::Status(200, json(), "{}".to_owned()),
        Kind::Status(404, json(), "[]".to_owned()),
        Kind::Status(403, json(), "[]".to_owned()),
        Kind::Status(500, json(), String::new()),
        Kind::Page,
        Kind::Cut,
        Kind::Drop,
        Kind::Redirect("/multiple/orders".to_owned()),
    ] {
        budbee.replay.fail("find", Fault::before(kind.clone()));
        let found = budbee.find(&ours).await;
        assert!(matches!(found, Found::Unknown(_)), "{kind:?} {found:?}");
    }
    budbee.replay.fail("labels again", Fault::before(Kind::Drop));
    assert!(matches!(budbee.find(&ours).await, Found::Unknown(_)));
    // Found with fewer parcels than were sent.
    let two = with_parcels(ours, 2);
    assert!(matches!(budbee.find(&two).await, Found::Unknown(_)));
}

#[tokio::test]
async fn a_postal_code_that_is_not_served_says_that_an_account_works() {
    let budbee = conversation().await;
    assert_eq!(budbee.verify().await, Verdict::Good);
    for (status, is_good, is_refused) in
        [(200, true, false), (403, true, false), (401, false, true), (500, false, false)]
    {
        budbee.replay.fail("check the account", Fault::status(status));
        let verdict = budbee.verify().await;
        assert_eq!(verdict == Verdict::Good, is_good, "{status}");
        assert_eq!(matches!(verdict, Verdict::Refused(_)), is_refused, "{status}");
    }
    budbee.is_understood();
    let wrong = account_of(r#"{"api_key":"key","api_secret":"x"}"#, r#"{"collection_id":17}"#);
    let budbee = Conversation::with("budbee", budbee::open, wrong).await;
    assert!(matches!(budbee.verify().await, Verdict::Unknown(_)));
    assert_eq!(budbee.replay.unmatched().len(), 1, "{:?}", account().options);
}

#[tokio::test]
async fn an_article_always_has_a_name() {
    let budbee = conversation().await;
    let price = r#""quantity":1,"unit_price":{"value":900,"currency":"SEK"}"#;
    for (item, parcel, name) in [
        (r#""description":"Map","sku":"S-1","#, "Books", "Map"),
        (r#""description":" ","sku":"S-1","#, "Books", "S-1"),
        (r#""sku":"  ","identifier":"I-1","#, "Books", "I-1"),
        ("", "Books", "Books"),
        (r#""hs_code":"490199","#, " ", "490199"),
        ("", "", "Goods"),
    ] {
        let changes = format!(
            r#"{{"parcels":[{{"description":"{parcel}","gross_weight":{{"value":1,"unit":"kg"}},
                "items":[{{{item}{price}}}]}}]}}"#
        );
        let body = budbee.body(&plan("budbee:home", &changes));
        let article = body.member("cart").unwrap().member("articles").unwrap().to_string();
        let told = format!(r#"[{{"name":"{name}","#);
        assert!(article.starts_with(&told), "{article}");
        assert_eq!(article.contains("reference"), item.contains("S-1"), "{article}");
    }
}
