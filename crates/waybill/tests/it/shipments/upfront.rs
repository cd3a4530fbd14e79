//! What is refused before anything is stored, and what is fixed at acceptance.

use serde_json::json;

use super::fixtures;
use crate::harness::Reply;
use crate::harness::fixture::{order, order_with};

fixtures! {
    // Rules: Booking flow 1, 2; Errors 5; Measurement objects 1, 5.
    async fn an_invalid_request_is_422_at_exact_paths_and_creates_nothing(fixture) {
        let body = order_with("X", json!({
            "refrence": "typo",
            "parties": {"customer": {"address": {"postal_code": null, "country": "ZZ"}}},
            "parcels": [{"gross_weight": {"value": 1}}, {"gross_weight": {"value": 0, "unit": "g"}}],
        }));
        let reply = fixture.book(&body).await;
        assert_eq!(reply.problems(), [
            "parcels.0.gross_weight.unit",
            "parcels.1.gross_weight.value",
            "parties.customer.address.country",
            "parties.customer.address.postal_code",
            "refrence",
        ]);
        let list = fixture.app.get(&fixture.app.path("/shipments")).admin().send().await.expect(200);
        assert_eq!(list.at("/data"), json!([]));
        assert_eq!(fixture.bookings("X"), 0);
    }

    // Rules: Errors 5.
    async fn what_can_be_told_of_a_bad_request_is_told_at_once(fixture) {
        let grams = |unit: &str| json!({"gross_weight": {"value": 1, "unit": unit}});
        let postal = json!({"customer": {"address": {"postal_code": "ZZZZ"}}});
        let mixed = json!({"parties": postal, "parcels": [grams("g"), grams("kg")]});
        assert_eq!(fixture.book(&order_with("M", mixed)).await.problems(), [
            "parcels.0.gross_weight.unit",
            "parcels.1.gross_weight.unit",
            "parties.customer.address.postal_code",
        ]);
        let unread = json!({"delivery": {"service_code": "sandbox:nope"}, "parcels": []});
        let problems = ["delivery.service_code", "parcels"];
        assert_eq!(fixture.book(&order_with("U", unread)).await.problems(), problems);
        let template = "01a1e049-876b-7abf-afcc-5ff07827cff3";
        let lost = json!({"template_uuid": template, "parcels": [], "foo": 1});
        let problems = ["foo", "parcels", "template_uuid"];
        assert_eq!(fixture.book(&order_with("T", lost)).await.problems(), problems);
    }

    // Rules: Service 7.
    async fn a_service_that_makes_no_wanted_format_is_refused_up_front(fixture) {
        let settings = fixture.app.path("/settings");
        let zpl = r#"{"documents": {"label": {"formats": ["zpl"]}}}"#;
        fixture.app.patch(&settings).admin().json(zpl).send().await.expect(200);
        let letter = order_with("L", json!({"delivery": {"service_code": "sandbox:letter"},
            "parcels": [{"gross_weight": {"value": 100, "unit": "g"}}]}));
        assert!(fixture.book(&letter).await.problems().contains(&"delivery.service_code".to_owned()));
        let reply = fixture.book(&order("H")).await.expect(201);
        assert_eq!(reply.at("/data/documents/0/format"), json!("zpl"));
    }

    async fn a_service_needs_to_exist_and_an_account_to_book_it(fixture) {
        for code in ["sandbox:nothing", "nobody:home", "home", "gls:parcel"] {
            let body = order_with("S", json!({"delivery": {"service_code": code}}));
            assert_eq!(fixture.book(&body).await.problems(), ["delivery.service_code"], "{code}");
        }
    }

    async fn a_carrier_that_cannot_be_booked_yet_says_so_wherever_it_is_named(fixture) {
        let says_so = |reply: Reply, path: &str| {
            assert_eq!(reply.problems(), [path]);
            let said = reply.at("/errors")[path][0].as_str().unwrap().to_owned();
            assert!(said.contains("Bifrost, which cannot be booked with this version"), "{said}");
        };
        let account = r#"{"carrier_code": "bifrost", "name": "Bifrost"}"#;
        let accounts = fixture.app.path("/carrier-accounts");
        let reply = fixture.app.post(&accounts).admin().json(account).send().await;
        says_so(reply, "carrier_code");
        let service = json!({"delivery": {"service_code": "bifrost:express_collect"}});
        says_so(fixture.book(&order_with("S", service)).await, "delivery.service_code");
        let mut question = order_with("S", json!({"carrier_codes": ["sandbox", "bifrost"]}));
        let asked = ["parties", "parcels", "customs", "carrier_codes"];
        question.as_object_mut().unwrap().retain(|name, _| asked.contains(&name.as_str()));
        let options = fixture.app.path("/delivery-options");
        let reply = fixture.app.post(&options).admin().json(&question.to_string()).send().await;
        says_so(reply, "carrier_codes.1");
    }

    // Rules: Service 6.
    async fn later_settings_do_not_change_an_accepted_shipment(fixture) {
        let reply = fixture.book(&order("O")).await.expect(201);
        let settings = fixture.app.path("/settings");
        let patch = r#"{"sender_address": {"contact": {"name": "New Name"}}}"#;
        fixture.app.patch(&settings).admin().json(patch).send().await.expect(200);
        let read = fixture.read(&reply).await;
        assert_eq!(read.at("/data/parties/merchant/contact/name"), json!("Nordic Books"));
        assert_eq!(read.at("/data/updated_at"), reply.at("/data/updated_at"));
    }

    // Rules: Measurement objects 4, 6.
    async fn a_template_is_merged_and_named(fixture) {
        let template = r#"{"title": "T", "shipment": {"weight_unit": "kg",
            "delivery": {"service_code": "sandbox:home"}, "parcels": [{"gross_weight": 1.5}]}}"#;
        let templates = fixture.app.path("/shipment-templates");
        let made = fixture.app.post(&templates).admin().json(template).send().await.expect(201);
        let id = made.at("/data/uuid");
        let body = order_with("T", json!({"template_uuid": id, "delivery": null, "parcels": null}));
        let reply = fixture.book(&body).await.expect(201);
        let weight = json!({"value": 1.5, "unit": "kg"});
        assert_eq!(reply.at("/data/parcels/0/gross_weight"), weight);
        assert_eq!(reply.at("/data/template_uuid"), id);
        let unknown = order_with("T", json!({"template_uuid": "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"}));
        assert_eq!(fixture.book(&unknown).await.problems(), ["template_uuid"]);
    }

    async fn a_route_across_a_customs_border_needs_customs_data(fixture) {
        let norway = json!({"parties": {"customer": {"address": {"country": "NO",
            "postal_code": "0555", "city": "Oslo"}}}});
        let reply = fixture.book(&order_with("N", norway.clone())).await;
        assert!(reply.problems().contains(&"customs".to_owned()), "{:?}", reply.problems());
        let mut body = order_with("N", norway);
        body["customs"] = json!({"content_type": "commercial_goods", "incoterm": "DAP",
            "invoice_number": "INV-1", "invoice_date": "2026-11-14"});
        body["parcels"][0]["items"] = json!([{"description": "Book", "quantity": 1,
            "net_weight": {"value": 400, "unit": "g"}, "unit_price": {"value": 9900,
            "currency": "DKK"}, "hs_code": "490199", "country_of_origin": "DK"}]);
        fixture.book(&body).await.expect(201);
    }
}
