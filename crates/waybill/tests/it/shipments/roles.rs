//! Who books, who delivers, and whose address it is.

use serde_json::{Value, json};

use super::fixtures;
use crate::harness::fixture::{Fixture, order_with};

fn to(country: &str, postal_code: &str, city: &str, service: &str) -> Value {
    order_with(
        "ROLE",
        json!({"delivery": {"service_code": service}, "parties": {"customer":
        {"address": {"country": country, "postal_code": postal_code, "city": city}}}}),
    )
}

async fn set(fixture: &Fixture, patch: Value) {
    let path = fixture.app.path("/settings");
    fixture.app.patch(&path).admin().json(&patch.to_string()).send().await.expect(200);
}

fixtures! {
    // Rules: Carrier roles 1, 2, 4.
    async fn a_carrier_that_also_delivers_is_both_carriers(fixture) {
        let body = to("DK", "2300", "København S", "sandbox:home");
        let reply = fixture.book(&body).await.expect(201);
        let carrier = reply.at("/data/delivery/carrier");
        let fields: Vec<&String> = carrier.as_object().unwrap().keys().collect();
        assert_eq!(fields, ["code", "name", "logo_url", "icon_url"]);
        assert_eq!(carrier["code"], json!("sandbox"));
        assert_eq!(reply.at("/data/delivery/last_mile_carrier"), carrier);
    }

    // Rules: Carrier roles 5, 7, 9.
    async fn a_partner_delivers_without_an_account_and_changes_no_number_or_address(fixture) {
        let body = to("SE", "11122", "Stockholm", "sandbox:business");
        let reply = fixture.book(&body).await.expect(201);
        assert_eq!(reply.at("/data/delivery/carrier/code"), json!("sandbox"));
        assert_eq!(reply.at("/data/delivery/last_mile_carrier/code"), json!("postnord"));
        let own = to("DK", "2300", "København S", "sandbox:business");
        let own = fixture.book(&own).await.expect(201);
        let host = |reply: &crate::harness::Reply| {
            let url = reply.at("/data/parcels/0/tracking_url").as_str().unwrap().to_owned();
            url.split('/').take(3).collect::<Vec<_>>().join("/")
        };
        assert_eq!(host(&reply), host(&own));
        let prefix = |reply: &crate::harness::Reply| {
            reply.at("/data/parcels/0/tracking_number").as_str().unwrap()[..2].to_owned()
        };
        assert_eq!(prefix(&reply), prefix(&own));
    }

    // Rules: Carrier roles 3.
    async fn the_last_mile_is_null_when_unknown_and_nobody_can_choose_it(fixture) {
        let body = to("NL", "1012AB", "Amsterdam", "sandbox:express");
        let reply = fixture.book(&body).await.expect(201);
        assert_eq!(reply.at("/data/delivery/last_mile_carrier"), json!(null));
        let mut body = to("DK", "2300", "København S", "sandbox:home");
        body["delivery"]["last_mile_carrier"] = json!({"code": "postnord"});
        assert_eq!(fixture.book(&body).await.problems(), ["delivery.last_mile_carrier"]);
    }

    // Rules: Carrier roles 6; Service 2.
    async fn what_was_accepted_is_never_edited_and_keeps_its_carriers(fixture) {
        let body = to("SE", "11122", "Stockholm", "sandbox:business");
        let reply = fixture.book(&body).await.expect(201);
        let id = reply.at("/data/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}"));
        for method in ["PUT", "PATCH"] {
            fixture.app.ask(method, &path).admin().json("{}").send().await.expect(405);
        }
        let snapshot = {
            let id = waybill_domain::ids::ShipmentId::parse(&id).unwrap();
            let team = fixture.app.team;
            let find = move |tx: &mut waybill_store::Tx<'_>| {
                waybill_store::shipments::find(tx, team, id)
            };
            fixture.app.app.read(find).await.unwrap().unwrap().snapshot
        };
        assert_eq!(snapshot.last_mile.as_deref(), Some("postnord"));
        assert_eq!(fixture.read(&reply).await.at("/data/delivery"), reply.at("/data/delivery"));
    }

    // Rules: Carrier roles 8; Parties and delivery 1, 2.
    async fn a_return_goes_to_the_merchants_return_address(fixture) {
        let body = to("SE", "11122", "Stockholm", "sandbox:return_drop_off");
        let reply = fixture.book(&body).await.expect(201);
        let merchant = "/data/parties/merchant/contact/name";
        assert_eq!(reply.at(merchant), json!("Nordic Books"), "the sender, when there is no other");
        assert_eq!(reply.at("/data/parties/customer/address/country"), json!("SE"));
        assert_eq!(reply.at("/data/delivery/is_return"), json!(true));
        set(&fixture, json!({"return_address": {"contact": {"name": "Nordic Returns"}, "address":
            {"address_lines": ["Havnegade 2"], "postal_code": "5000", "city": "Odense C",
            "country": "DK"}}})).await;
        assert_eq!(fixture.book(&body).await.expect(201).at(merchant), json!("Nordic Returns"));
        let out = to("SE", "11122", "Stockholm", "sandbox:home");
        assert_eq!(fixture.book(&out).await.expect(201).at(merchant), json!("Nordic Books"));
        let named = order_with("ROLE", json!({"parties": {"merchant": {"contact": {"name": "Named"},
            "address": {"address_lines": ["Gade 3"], "postal_code": "8000", "city": "Aarhus C",
            "country": "DK"}}}}));
        assert_eq!(fixture.book(&named).await.expect(201).at(merchant), json!("Named"));
    }

    // Rules: Carrier roles 10.
    async fn the_routes_tell_nothing_about_the_last_mile(fixture) {
        let routes = fixture.app.get(&fixture.app.path("/routes")).admin().send().await.expect(200);
        assert!(!String::from_utf8_lossy(&routes.bytes).contains("last_mile"));
        assert_eq!(routes.at("/data/0/carrier/code"), json!("sandbox"));
    }

    // Rules: Measurement objects 2, 6, 7.
    async fn units_come_from_the_request_alone_and_come_back_as_they_were(fixture) {
        let parcel = |value: Value| json!({"parcels": [{"gross_weight": value}]});
        for half in [json!({"value": 1}), json!(1), json!({"value": 1, "unit": null})] {
            let reply = fixture.book(&order_with("UNIT", parcel(half))).await;
            assert!(reply.problems()[0].starts_with("parcels.0.gross_weight"));
        }
        let pounds = json!({"value": 2.5, "unit": "lb"});
        let reply = fixture.book(&order_with("UNIT", parcel(pounds.clone()))).await.expect(201);
        assert_eq!(reply.at("/data/parcels/0/gross_weight"), pounds);
        let grams = json!({"value": 900, "unit": "g"});
        fixture.book(&order_with("UNIT", parcel(grams.clone()))).await.expect(201);
        let list = fixture.app.get(&fixture.app.path("/shipments")).admin().send().await.expect(200);
        assert_eq!(list.at("/data/0/parcels/0/gross_weight"), grams);
        assert_eq!(list.at("/data/1/parcels/0/gross_weight"), pounds);
        for side in ["/data/0/documents/0/width", "/data/0/documents/0/height"] {
            let side = list.at(side);
            assert_eq!(side["unit"], json!("mm"), "{side}");
        }
    }
}
