//! What is wrong is told where it can be mended, and what is offered is taken.

use serde_json::{Value, json};

use super::fixtures;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};

/// To Norway, with all that customs want to know.
fn abroad(reference: &str) -> Value {
    let item = json!({"description": "Book", "quantity": 2, "net_weight": {"value": 400, "unit": "g"},
        "unit_price": {"value": 9900, "currency": "DKK"}, "hs_code": "490199",
        "country_of_origin": "DK"});
    order_with(
        reference,
        json!({
            "parties": {"customer": {"address": {"country": "NO", "postal_code": "0555", "city": "Oslo"}}},
            "customs": {"content_type": "commercial_goods", "incoterm": "DAP", "invoice_number": "INV-1"},
            "parcels": [{"gross_weight": {"value": 900, "unit": "g"}, "items": [item]}],
        }),
    )
}

fn message(reply: &Reply, path: &str) -> String {
    reply.json()["errors"][path].to_string()
}

/// Makes a template that goes to a pickup point, and tells its id.
async fn to_a_point(fixture: &Fixture, code: &str) -> Value {
    let body = json!({"title": "To a point", "shipment": {"delivery":
        {"service_code": "sandbox:pickup_point", "pickup_point": {"code": code}}}});
    let path = fixture.app.path("/shipment-templates");
    let made = fixture.app.post(&path).admin().json(&body.to_string()).send().await.expect(201);
    made.at("/data/uuid")
}

fixtures! {
    // Decisions 4.2.
    async fn an_empty_customs_object_lacks_what_customs_want_to_know(fixture) {
        let mut body = abroad("CUSTOMS-1");
        body["customs"] = json!({});
        assert_eq!(fixture.book(&body).await.problems(), ["customs.content_type"]);
        body["parcels"][0]["items"] = json!([]);
        let told = fixture.book(&body).await.problems();
        assert_eq!(told, ["customs.content_type", "parcels.0.items"]);
        body["customs"] = json!(null);
        assert_eq!(fixture.book(&body).await.problems(), ["customs", "parcels.0.items"]);
        fixture.book(&abroad("CUSTOMS-2")).await.expect(201);
        // At home nobody asks.
        fixture.book(&order_with("CUSTOMS-3", json!({"customs": {}}))).await.expect(201);
    }

    async fn two_currencies_are_told_at_their_own_fields_alone(fixture) {
        let mut body = abroad("MIXED-1");
        body["customs"]["shipping_cost"] = json!({"value": 100, "currency": "EUR"});
        let both = ["customs.shipping_cost.currency", "parcels.0.items.0.unit_price.currency"];
        assert_eq!(fixture.book(&body).await.problems(), both);
        // Whatever else cannot be printed on the papers is told beside it.
        body["parcels"][0]["items"][0]["description"] = json!("王");
        let told = fixture.book(&body).await.problems();
        assert_eq!(told, [both[0], "parcels.0.items.0.description", both[1]]);
    }

    async fn an_unknown_addon_is_answered_with_the_addons_of_the_service(fixture) {
        let gold = json!([{"code": "gold"}]);
        for (service, offered, lacking) in [
            ("sandbox:home", "flex_delivery", "gold"),
            ("sandbox:pickup_point", "sms_notification", "flex_delivery"),
        ] {
            let delivery = json!({"service_code": service, "addons": gold});
            let reply = fixture.book(&order_with("ADDON-1", json!({"delivery": delivery}))).await;
            let said = message(&reply, "delivery.addons.0.code");
            assert!(said.contains(offered) && !said.contains(lacking), "{service}: {said}");
        }
        // Nobody knows what an unknown service offers: then all there are are told.
        let delivery = json!({"service_code": "sandbox:nope", "addons": gold});
        let reply = fixture.book(&order_with("ADDON-2", json!({"delivery": delivery}))).await;
        assert!(message(&reply, "delivery.addons.0.code").contains("flex_delivery"));
    }

    async fn a_report_offers_only_what_it_takes(fixture) {
        let path = format!("/beta/teams/{}/reports", fixture.app.team);
        let ask = |kind: &str| json!({"type": kind, "from": "2026-01-01T00:00:00Z",
            "to": "2026-02-01T00:00:00Z", "formats": ["xlsx"]}).to_string();
        let reply = fixture.app.post(&path).admin().json(&ask("sales")).send().await;
        assert_eq!(message(&reply, "type"), r#"["must be one of: shipments, tracking, print_jobs"]"#);
        for kind in ["shipments", "tracking", "print_jobs"] {
            fixture.app.post(&path).admin().json(&ask(kind)).send().await.expect(202);
        }
    }

    async fn a_currency_that_is_not_money_is_told_also_beside_another_currency(fixture) {
        let addons = json!([{"code": "insurance", "value": {"value": 100, "currency": "XAU"}}]);
        let item = json!({"description": "Book", "quantity": 1,
            "unit_price": {"value": 100, "currency": "DKK"}});
        let body = order_with("GOLD", json!({"delivery": {"addons": addons},
            "parcels": [{"gross_weight": {"value": 900, "unit": "g"}, "items": [item]}]}));
        let reply = fixture.book(&body).await;
        let told = ["delivery.addons.0.value.currency", "parcels.0.items.0.unit_price.currency"];
        assert_eq!(reply.problems(), told);
        let said = reply.json()["errors"][told[0]].as_array().unwrap().len();
        assert_eq!(said, 2, "{}", reply.json());
    }

    async fn a_window_that_is_turned_round_is_told_to_be_in_the_past_as_well(fixture) {
        let window = json!({"start": "2020-01-02T00:00:00Z", "end": "2020-01-01T00:00:00Z"});
        let body = order_with("WINDOW", json!({"delivery": {"delivery_window": window}}));
        let reply = fixture.book(&body).await;
        assert_eq!(reply.problems(), ["delivery.delivery_window.end"]);
        let said = message(&reply, "delivery.delivery_window.end");
        assert!(said.contains("later than") && said.contains("past"), "{said}");
    }

    async fn a_bad_key_and_an_unknown_parameter_are_told_with_what_is_wrong_in_the_body(fixture) {
        let path = |rest: &str| format!("{}?dry_run=true", fixture.app.path(rest));
        let beta = |rest: &str| path(rest).replacen("/v2/", "/beta/", 1);
        let mut body = order("KEY-1");
        body["foo"] = json!(1);
        let once = [
            (path("/shipments"), body, "foo"),
            (path("/shipment-templates"), json!({"title": ""}), "title"),
            (path("/booking-batches"), json!({"foo": 1}), "foo"),
            (beta("/manifests"), json!({"carrier_code": "nobody"}), "carrier_code"),
            (beta("/reports"), json!({"type": "shipments", "formats": ["xlsx"],
                "from": "2026-01-01T00:00:00Z"}), "to"),
        ];
        for (path, body, wrong) in once {
            let ask = fixture.app.post(&path).admin().header("idempotency-key", "short");
            let mut told = ask.json(&body.to_string()).send().await.problems();
            told.sort_unstable();
            let mut wanted = ["Idempotency-Key", "dry_run", wrong];
            wanted.sort_unstable();
            assert_eq!(told, wanted, "{path}");
        }
        let plain = [
            (path("/webhooks"), json!({"url": "https://example.com", "events": []}), "events"),
            (path("/carrier-accounts"), json!({"carrier_code": "sandbox"}), "name"),
            (path("/delivery-options"), json!({"parties": {}, "parcels": [{}]}), "parties.customer"),
        ];
        for (path, body, wrong) in plain {
            let body = body.to_string();
            let told = fixture.app.post(&path).admin().json(&body).send().await.problems();
            assert_eq!(told, ["dry_run", wrong], "{path}");
        }
        let settings = fixture.app.patch(&path("/settings")).admin().json(r#"{"language": "xx"}"#);
        assert_eq!(settings.send().await.problems(), ["dry_run", "language"]);
        let rates = fixture.app.put(&path("/rates")).admin().json("{}");
        assert_eq!(rates.send().await.problems(), ["data", "dry_run"]);
    }

    async fn a_good_body_beside_an_unknown_parameter_does_nothing(fixture) {
        let path = fixture.app.path("/shipments");
        let key = "a-key-that-is-used-later";
        let ask = |path: &str| fixture.app.post(path).admin().header("idempotency-key", key);
        let body = order("TWICE").to_string();
        let refused = ask(&format!("{path}?dry_run=true")).json(&body).send().await;
        assert_eq!(refused.problems(), ["dry_run"]);
        assert_eq!(fixture.bookings("TWICE"), 0);
        let booked = ask(&path).json(&body).send().await.expect(201);
        assert_eq!(booked.header("idempotency-replayed"), None);
        let refused = ask(&format!("{path}?dry_run=true")).json(&body).send().await;
        assert_eq!(refused.problems(), ["dry_run"]);
        assert_eq!(fixture.bookings("TWICE"), 1);
    }

    async fn a_templates_point_that_does_not_fit_is_told_at_the_template(fixture) {
        let fixture = fixture.with_points().await;
        let template = to_a_point(&fixture, "DK-1001").await;
        let body = |country: Value, point: Value| {
            let mut body = order("POINT");
            body["template_uuid"] = template.clone();
            body["parties"]["customer"]["address"] = country;
            body["delivery"] = point;
            body
        };
        let home = json!({"address_lines": ["Islands Brygge 39"], "postal_code": "2300",
            "city": "København S", "country": "DK"});
        let away = json!({"address_lines": ["Storgatan 1"], "postal_code": "211 34",
            "city": "Malmö", "country": "SE"});
        fixture.book(&body(home, json!(null))).await.expect(201);
        let refused = fixture.book(&body(away.clone(), json!(null))).await;
        assert_eq!(refused.problems(), ["template_uuid"]);
        let said = message(&refused, "template_uuid");
        assert!(said.contains("DK-1001") && said.contains("null"), "{said}");
        // As the message says, the request has a way out.
        let nearest = fixture.book(&body(away.clone(), json!({"pickup_point": null}))).await.expect(201);
        let point = nearest.at("/data/delivery/pickup_point/code").as_str().unwrap().to_owned();
        assert!(point.starts_with("SE-"), "{point}");
        // What the request itself names is told where it stands.
        let own = fixture.book(&body(away, json!({"pickup_point": {"code": "DK-1001"}}))).await;
        assert_eq!(own.problems(), ["delivery.pickup_point.code"]);
    }
}
