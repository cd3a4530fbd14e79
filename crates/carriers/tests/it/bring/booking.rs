//! Booking with Bring: what stands in a consignment.

use waybill_domain::json::Json;

use super::{at, conversation, plan, with};
use crate::conversation::{to_point, with_parcels};

/// An order from Oslo to a shop in Bergen.
fn to_bergen() -> waybill_carriers::booking::Plan {
    let mut plan = plan(
        "pickup_parcel",
        "NO",
        "NO",
        r#"{"parties":{"customer":{"address":{"postal_code":"50 03","city":"Bergen"}}},
        "delivery":{"addons":[{"code":"sms_notification"},{"code":"email_notification"},
        {"code":"age_verification","value":"18"}],
        "instructions":"Ring the bell twice and then wait for a while, because it takes some time."}}"#,
    );
    plan.order.parcels[0].description = Some("Books, maps, pens and many other things".to_owned());
    let mut plan = with_parcels(to_point(plan, "121110"), 2);
    let norway = plan.order.customer.address.country;
    plan.pickup_point.as_mut().unwrap().address.country = norway;
    plan
}

#[tokio::test]
async fn a_consignment_within_norway_has_what_bring_wants_and_nothing_else() {
    let bring = conversation().await;
    let plan = to_bergen();
    let accepted = bring.accepted(&plan).await;
    assert_eq!(bring.replay.hits("book within Norway"), 1);
    assert_eq!(accepted.carrier_reference, "70438101015432113");
    let numbers: Vec<&str> =
        accepted.parcels.iter().map(|parcel| parcel.tracking_number.as_str()).collect();
    assert_eq!(numbers, ["37043810101543211", "37043810101543212"]);
    let url = "https://tracking.bring.com/tracking.html?q=70438101015432113";
    assert!(accepted.parcels.iter().all(|it| it.tracking_url.as_deref() == Some(url)));
    let link = format!("{}/labels/id/{}.pdf", bring.replay.url(), plan.reference);
    assert_eq!(accepted.carrier_data, Some(link));
    assert!(accepted.files.is_empty() && accepted.qr_codes.is_empty());
    bring.is_understood();
}

#[tokio::test]
async fn a_return_begins_at_the_customer_and_has_codes_to_write_on_the_parcels() {
    let bring = with(r#"{"environment":"test"}"#).await;
    let no_phone = r#"{"parties":{"customer":{"contact":{"phone":null}}}}"#;
    let plan = with_parcels(plan("pickup_parcel_return", "SE", "SE", no_phone), 2);
    let accepted = bring.accepted(&plan).await;
    assert_eq!(bring.replay.hits("book a return"), 1);
    assert_eq!(accepted.drop_off_codes, ["48211", "48212"]);
    assert!(accepted.qr_codes.is_empty(), "a QR link is a picture and is left alone");
    bring.is_understood();
}

#[tokio::test]
async fn a_return_without_a_mail_address_asks_for_no_codes() {
    let bring = conversation().await;
    let no_email = r#"{"parties":{"customer":{"contact":{"email":null}}}}"#;
    let body = bring.body(&plan("pickup_parcel_return", "SE", "SE", no_email));
    assert_eq!(at(&body, &["generateQrCodes"]), Json::Null);
    let body = bring.body(&plan("business_parcel", "SE", "SE", "{}"));
    assert_eq!(at(&body, &["generateQrCodes"]), Json::Null);
}

#[tokio::test]
async fn services_within_norway_may_have_a_customer_number_of_their_own() {
    let bring = conversation().await;
    for (from, to, id, number) in [
        ("NO", "NO", "5000", "6"),
        ("SE", "NO", "BUSINESS_PARCEL", "5"),
        ("SE", "SE", "BUSINESS_PARCEL", "5"),
    ] {
        let body = bring.body(&plan("business_parcel", from, to, "{}"));
        assert_eq!(at(&body, &["product", "id"]), id.into());
        assert_eq!(at(&body, &["product", "customerNumber"]), number.into());
    }
    let one = with(r#"{"customer_number_norway":null}"#).await;
    let body = one.body(&plan("business_parcel", "NO", "NO", "{}"));
    assert_eq!(at(&body, &["product", "customerNumber"]), "5".into());
}

#[tokio::test]
async fn a_sender_has_a_phone_but_for_mailboxes_and_returns() {
    let bring = conversation().await;
    let silent = r#"{"parties":{"merchant":{"contact":{"phone":null}},
        "customer":{"contact":{"phone":null}}}}"#;
    let refused = bring.refused(&plan("business_parcel", "SE", "SE", silent));
    assert_eq!(refused, ["parties.merchant.contact.phone"]);
    for (service, country) in [
        ("home_mailbox_parcel", "NO"),
        ("pickup_parcel_return", "SE"),
        ("business_parcel_return", "NO"),
    ] {
        assert!(bring.prepared(&plan(service, country, country, silent)).is_ok(), "{service}");
    }
}

#[tokio::test]
async fn what_travels_in_bulk_needs_the_number_that_it_travels_under() {
    let bring = conversation().await;
    for service in ["pickup_parcel_bulk", "business_parcel_bulk", "express_nordic_0900"] {
        let refused = bring.refused(&plan(service, "SE", "NO", "{}"));
        assert_eq!(refused, ["delivery.service_code"], "{service}");
    }
    let bring = with(r#"{"consolidated_shipment_id":"CS-1"}"#).await;
    for (service, from, is_together) in [
        ("pickup_parcel_bulk", "SE", true),
        ("business_parcel_bulk", "SE", true),
        ("express_nordic_0900", "SE", true),
        ("express_nordic_0900", "NO", false),
        ("business_parcel", "SE", false),
        ("pickup_parcel", "NO", false),
    ] {
        let body = bring.body(&plan(service, from, "NO", "{}"));
        let told = at(&body, &["references", "consolidatedShipmentId"]);
        assert_eq!(told == "CS-1".into(), is_together, "{service} {told}");
    }
}

#[tokio::test]
async fn a_service_that_is_not_on_the_route_is_refused_at_its_code() {
    let bring = with(r#"{"consolidated_shipment_id":"CS-1"}"#).await;
    for (service, from, to) in [
        ("pickup_parcel_bulk", "NO", "NO"),
        ("business_pallet", "NO", "NO"),
        ("home_mailbox_parcel", "NO", "SE"),
        ("rocket", "NO", "NO"),
    ] {
        let refused = bring.refused(&plan(service, from, to, "{}"));
        assert_eq!(refused, ["delivery.service_code"], "{service}");
    }
}

#[tokio::test]
async fn only_a_service_to_a_point_has_one() {
    let bring = with(r#"{"consolidated_shipment_id":"CS-1"}"#).await;
    for (service, is_told) in [
        ("pickup_parcel", true),
        ("pickup_parcel_bulk", true),
        ("business_parcel", false),
        ("pickup_parcel_return", false),
    ] {
        let body = bring.body(&to_point(plan(service, "SE", "NO", "{}"), "121110"));
        let point = at(&body, &["parties", "pickupPoint", "id"]);
        assert_eq!(point == "121110".into(), is_told, "{service}");
    }
}

#[tokio::test]
async fn what_is_written_for_the_driver_arrives_in_its_own_letters() {
    let bring = conversation().await;
    let text = r#"{"delivery":{"instructions":"Позвоните “дважды” \\ 100 % & <b>"}}"#;
    let body = bring.body(&plan("business_parcel", "SE", "SE", text));
    let told = at(&body, &["parties", "recipient", "additionalAddressInfo"]);
    assert_eq!(told, "Позвоните “дважды” \\ 100 % & <b>".into());
}

#[tokio::test]
async fn the_lines_after_the_first_share_one_field() {
    let bring = conversation().await;
    let lines = |others: &str| {
        let lines = format!(r#"{{"address":{{"address_lines":["Torvet 1",{others}]}}}}"#);
        plan("business_parcel", "SE", "SE", &format!(r#"{{"parties":{{"customer":{lines}}}}}"#))
    };
    let body = bring.body(&lines(r#""c/o Berg","2 tr","Uppgång B""#));
    let told = at(&body, &["parties", "recipient", "addressLine2"]);
    assert_eq!(told, "c/o Berg, 2 tr, Uppgång B".into());
    let refused = bring.refused(&lines(r#""c/o Berg och Söner","våning två","Uppgång B""#));
    assert_eq!(refused, ["parties.customer.address.address_lines"]);
    assert!(
        bring
            .refused(&plan("business_parcel", "SE", "SE", r#"{"parties":{"merchant":null}}"#))
            .contains(&"parties.merchant".to_owned())
    );
}
