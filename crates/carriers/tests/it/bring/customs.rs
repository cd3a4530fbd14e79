//! What customs are told through Bring.

use waybill_carriers::booking::{Found, Plan};
use waybill_domain::json::{Json, parse};

use super::{at, conversation, plan, with};

const INFORMATION: [&str; 2] = ["product", "customsInformation"];

/// An order with goods of two kinds, and the numbers that authorities know the merchant by.
fn sold(route: (&str, &str, &str), content: &str, numbers: &str) -> Plan {
    let (service, from, to) = route;
    let changes = format!(
        r#"{{"customs":{{"content_type":"{content}","incoterm":"DAP"}},
        "parties":{{"merchant":{{"identifiers":{numbers}}},
        "customer":{{"identifiers":{{"vat":"DE99"}}}}}},
        "parcels":[{{"description":"Books","gross_weight":{{"value":3,"unit":"kg"}},
        "length":{{"value":30,"unit":"cm"}},"width":{{"value":20,"unit":"cm"}},
        "height":{{"value":10,"unit":"cm"}},"items":[
        {{"description":"A book with a long name that has no end","quantity":3,
        "net_weight":{{"value":400.4,"unit":"g"}},"unit_price":{{"value":12950,"currency":"NOK"}},
        "hs_code":"490199","country_of_origin":"NO"}},
        {{"description":"Pen","quantity":1,"net_weight":{{"value":20,"unit":"g"}},
        "unit_price":{{"value":900,"currency":"NOK"}},"hs_code":"960810",
        "country_of_origin":"SE"}}]}}]}}"#
    );
    plan(service, from, to, &changes)
}

#[tokio::test]
async fn goods_from_norway_are_declared_line_by_line() {
    let bring = conversation().await;
    let order = sold(("business_parcel", "NO", "SE"), "commercial_goods", r#"{"vat":"NO1"}"#);
    let body = bring.body(&order);
    let wanted = parse(
        r#"{"consent":true,"natureOfCargo":"SALE_OF_GOODS","customsDeclarations":[
        {"quantity":3,"goodsDescription":"A book with a long name that has no",
        "customsArticleNumber":"490199","itemNetWeightInKg":1.202,"tarriffLineAmount":388.5,
        "currency":"NOK","countryOfOrigin":"NO"},
        {"quantity":1,"goodsDescription":"Pen","customsArticleNumber":"960810",
        "itemNetWeightInKg":0.02,"tarriffLineAmount":9,"currency":"NOK","countryOfOrigin":"SE"}]}"#
            .as_bytes(),
    );
    assert_eq!(at(&body, &INFORMATION), wanted.unwrap());
    let (importer, exporter) = (&["parties", "importer"], &["parties", "exporter"]);
    let (importer, exporter) = (at(&body, importer), at(&body, exporter));
    assert_eq!(importer.member("vatNumber"), Some(&"DE99".into()));
    assert_eq!(importer.member("name"), Some(&"Åse Nørgård".into()));
    assert_eq!(exporter.member("vatNumber"), Some(&"NO1".into()));
    assert_eq!(exporter.member("countryCode"), Some(&"NO".into()));
}

#[tokio::test]
async fn every_reason_has_its_name() {
    let bring = conversation().await;
    for (content, nature) in [
        ("commercial_goods", "SALE_OF_GOODS"),
        ("commercial_sample", "COMMERCIAL_SAMPLE"),
        ("gift", "GIFT"),
        ("documents", "DOCUMENTS"),
        ("returned_goods", "RETURNED_GOODS"),
        ("other", "OTHER"),
    ] {
        let numbers = r#"{"ioss":"IM1"}"#;
        let body = bring.body(&sold(("business_parcel", "NO", "DE"), content, numbers));
        let told = at(&body, &INFORMATION);
        assert_eq!(told.member("natureOfCargo"), Some(&nature.into()));
        assert_eq!(told.member("ioss").is_some(), content == "commercial_goods", "{content}");
    }
}

#[tokio::test]
async fn nothing_is_sent_where_bring_takes_nothing() {
    let bring = with(r#"{"consolidated_shipment_id":"CS-1"}"#).await;
    let voec = r#"{"voec":"2000001","ioss":"IM1"}"#;
    for (route, content, numbers, is_told) in [
        (("business_parcel", "SE", "SE"), "commercial_goods", voec, false),
        (("business_parcel", "SE", "DE"), "commercial_goods", voec, false),
        (("pickup_parcel", "SE", "NO"), "commercial_goods", "{}", false),
        (("pickup_parcel", "SE", "NO"), "gift", voec, false),
        (("business_parcel", "SE", "NO"), "commercial_goods", voec, false),
        (("pickup_parcel", "SE", "NO"), "commercial_goods", voec, true),
        (("pickup_parcel_bulk", "SE", "NO"), "commercial_goods", voec, true),
        (("home_delivery_parcel", "SE", "NO"), "commercial_goods", voec, true),
        (("pickup_parcel", "NO", "SE"), "gift", "{}", true),
    ] {
        let body = bring.body(&sold(route, content, numbers));
        let told = at(&body, &INFORMATION);
        assert_eq!(told != Json::Null, is_told, "{route:?} {content} {numbers}");
        assert_eq!(at(&body, &["parties", "importer"]) != Json::Null, is_told, "{route:?}");
    }
}

#[tokio::test]
async fn a_tax_that_is_paid_already_travels_under_the_number_of_a_shipment() {
    let order = || {
        let route = ("pickup_parcel", "SE", "NO");
        sold(route, "commercial_goods", r#"{"voec":"2000001","ioss":"IM1"}"#)
    };
    let bring = conversation().await;
    assert_eq!(bring.refused(&order()), ["parties.merchant.identifiers.voec"]);
    let bring = with(r#"{"consolidated_shipment_id":"CS-1"}"#).await;
    let body = bring.body(&order());
    let told = at(&body, &INFORMATION);
    assert_eq!(told.member("voec"), Some(&"2000001".into()));
    assert_eq!(told.member("ioss"), None, "that is a number of the European Union");
    assert_eq!(at(&body, &["references", "consolidatedShipmentId"]), "CS-1".into());
}

#[tokio::test]
async fn goods_that_nobody_describes_are_refused_at_their_place_where_customs_are_told() {
    let bring = with(r#"{"consolidated_shipment_id":"CS-1"}"#).await;
    for (route, numbers, is_told) in [
        (("business_parcel", "NO", "SE"), "{}", true),
        (("pickup_parcel", "SE", "NO"), r#"{"voec":"2000001"}"#, true),
        (("pickup_parcel", "SE", "NO"), "{}", false),
    ] {
        let mut order = sold(route, "commercial_goods", numbers);
        order.order.parcels[0].items[1].description = None;
        if is_told {
            assert_eq!(bring.refused(&order), ["parcels.0.items.1.description"], "{route:?}");
        } else {
            bring.body(&order);
        }
    }
}

#[tokio::test]
async fn with_an_ioss_number_our_reference_stands_at_the_recipient_and_a_miss_proves_nothing() {
    let bring = conversation().await;
    let order = |numbers| sold(("business_parcel", "NO", "DE"), "commercial_goods", numbers);
    let with_ioss = order(r#"{"ioss":"IM1"}"#);
    let body = bring.body(&with_ioss);
    assert_eq!(at(&body, &["parties", "sender", "reference"]), Json::Null);
    let told = at(&body, &["parties", "recipient", "reference"]);
    assert_eq!(told, with_ioss.reference.as_str().into());
    let missed = bring.find(&with_ioss).await;
    assert!(matches!(missed, Found::Unknown(_)), "{missed:?}");
    let without = order("{}");
    let told = at(&bring.body(&without), &["parties", "recipient", "reference"]);
    assert_eq!(told, "ORDER-1".into());
    assert_eq!(bring.find(&without).await, Found::Absent);
}
