//! Single rules of a request: what a template may bring along, values of addons, weights, times and
//! currencies.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::time::Clock;

use super::fixtures;
use crate::batches;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};

async fn template(fixture: &Fixture, shipment: Value) -> Value {
    let body = json!({"title": "T", "shipment": shipment}).to_string();
    let path = fixture.app.path("/shipment-templates");
    fixture.app.post(&path).admin().json(&body).send().await.expect(201).at("/data/uuid")
}

fn message(reply: &Reply, path: &str) -> String {
    reply.json()["errors"][path][0].as_str().unwrap_or_default().to_owned()
}

/// An order with one addon.
fn with_addon(code: &str, value: &Value) -> Value {
    order_with("A", json!({"delivery": {"addons": [{"code": code, "value": value}]}}))
}

fn parcel(gross: (f64, &str), items: Value) -> Value {
    json!({"gross_weight": {"value": gross.0, "unit": gross.1}, "items": items})
}

fn items(quantity: i64, net: f64, unit: &str) -> Value {
    json!([{"quantity": quantity, "net_weight": {"value": net, "unit": unit}}])
}

fixtures! {
    async fn a_null_pickup_point_removes_that_of_the_template(fixture) {
        let id = template(&fixture, json!({"delivery": {"service_code": "sandbox:pickup_point",
            "pickup_point": {"code": "DK-1001"}}})).await;
        let home = |point: Value| {
            let mut body = order("T");
            body["template_uuid"] = id.clone();
            body["delivery"] = json!({"service_code": "sandbox:home"});
            if !point.is_string() {
                body["delivery"]["pickup_point"] = point;
            }
            body
        };
        let absent = fixture.book(&home(json!("absent"))).await;
        assert_eq!(absent.problems(), ["template_uuid"]);
        assert!(message(&absent, "template_uuid").contains("delivery.pickup_point"));
        let booked = fixture.book(&home(json!(null))).await.expect(201);
        assert_eq!(booked.at("/data/delivery/pickup_point"), json!(null));
        assert_eq!(booked.at("/data/template_uuid"), id);
        // The request's own point is the request's own mistake.
        let own = fixture.book(&home(json!({"code": "DK-1001"}))).await;
        assert_eq!(own.problems(), ["delivery.pickup_point"]);
        let batch = batches::open(&fixture).await;
        let added = batches::add(&fixture, &batch, &[home(json!("absent"))]).await;
        assert_eq!(added.problems(), ["data.0.template_uuid"]);
    }

    async fn the_message_about_the_value_of_an_addon_says_what_to_write(fixture) {
        let wrong = [json!(5), json!("5"), json!(true), json!([1]), json!(null)];
        for (code, example) in [
            ("sms_notification", json!("+4530274735")),
            ("email_notification", json!("ada@example.com")),
            ("age_verification", json!("18")),
            ("insurance", json!({"value": 50000, "currency": "DKK"})),
            ("cash_on_delivery", json!({"value": 50000, "currency": "DKK"})),
        ] {
            let mut told = Vec::new();
            for value in &wrong {
                let reply = fixture.book(&with_addon(code, value)).await;
                assert_eq!(reply.problems(), ["delivery.addons.0.value"], "{code} {value}");
                told.push(message(&reply, "delivery.addons.0.value"));
            }
            told.dedup();
            assert_eq!(told.len(), 1, "{code}: {told:?}");
            // The example in the message is taken.
            let shown = example.to_string().replace(':', ": ").replace(',', ", ");
            let shown = shown.replace(r#""currency": "DKK", "value": 50000"#,
                r#""value": 50000, "currency": "DKK""#);
            assert!(told[0].contains(&shown), "{} has no {shown}", told[0]);
            fixture.book(&with_addon(code, &example)).await.expect(201);
        }
        let number = fixture.book(&with_addon("flex_delivery", &json!(5))).await;
        let long = fixture.book(&with_addon("flex_delivery", &json!("x".repeat(300)))).await;
        let path = "delivery.addons.0.value";
        assert_eq!(message(&number, path), message(&long, path));
        assert!(message(&long, path).contains("100"), "{}", message(&long, path));
    }

    async fn an_amount_of_an_addon_is_told_once_and_without_contradiction(fixture) {
        let path = |rest: &str| format!("delivery.addons.0.value{rest}");
        for (value, at, says) in [
            (json!({"value": -1, "currency": "DKK"}), ".value", "greater than 0"),
            (json!({"value": 0, "currency": "DKK"}), ".value", "greater than 0"),
            (json!({"value": 1.5, "currency": "DKK"}), ".value", "whole number"),
            (json!({"value": "5", "currency": "DKK"}), ".value", "whole number"),
            (json!({"value": 5, "currency": "kr"}), ".currency", "currency code"),
            (json!({"currency": "DKK"}), ".value", "required"),
            (json!({"value": 5, "currency": "DKK", "vat": 1}), ".vat", "known field"),
        ] {
            let reply = fixture.book(&with_addon("insurance", &value)).await;
            assert_eq!(reply.problems(), [path(at)], "{value}");
            let all = reply.json()["errors"][path(at)].as_array().unwrap().len();
            assert_eq!(all, 1, "{value}");
            assert!(message(&reply, &path(at)).contains(says), "{}", message(&reply, &path(at)));
        }
        // An object in the place of text is not discussed as an amount.
        let reply = fixture.book(&with_addon("sms_notification", &json!({"amount": 1}))).await;
        assert_eq!(reply.problems(), [path("")]);
    }

    async fn contents_do_not_weigh_more_than_their_parcel(fixture) {
        async fn book(fixture: &Fixture, parcel: Value) -> Reply {
            fixture.book(&order_with("W", json!({"parcels": [parcel]}))).await
        }
        book(&fixture, parcel((0.8, "kg"), items(2, 0.4, "kg"))).await.expect(201);
        let heavy = book(&fixture, parcel((0.799, "kg"), items(2, 0.4, "kg"))).await;
        assert_eq!(heavy.problems(), ["parcels.0.gross_weight"]);
        assert!(message(&heavy, "parcels.0.gross_weight").contains("0.8 kg"));
        // Exact where a binary float is not: 3 × 0.1 is 0.3.
        book(&fixture, parcel((0.3, "lb"), items(3, 0.1, "lb"))).await.expect(201);
        let goods = json!({"gross_weight": {"value": 100, "unit": "g"}, "dangerous_goods": [
            {"un_number": "UN1263", "net_weight": {"value": 101, "unit": "g"}}]});
        assert_eq!(book(&fixture, goods).await.problems(), ["parcels.0.gross_weight"]);
        let question = json!({"parties": order("Q")["parties"],
            "parcels": [parcel((1.0, "g"), items(1, 2.0, "g"))]});
        let path = fixture.app.path("/delivery-options");
        let asked = fixture.app.post(&path).admin().json(&question.to_string()).send().await;
        assert_eq!(asked.problems(), ["parcels.0.gross_weight"]);
    }

    async fn what_should_happen_is_not_in_the_past(fixture) {
        let at = |seconds: i64| {
            let span = Duration::from_secs(seconds.unsigned_abs());
            let now = fixture.app.clock.now();
            json!(if seconds < 0 { now.minus(span) } else { now.plus(span) }.to_string())
        };
        let window = |start: i64, end: i64| {
            let window = json!({"start": at(start), "end": at(end)});
            order_with("T", json!({"delivery": {"delivery_window": window}}))
        };
        let end = "delivery.delivery_window.end";
        assert_eq!(fixture.book(&window(-7200, -3600)).await.problems(), [end]);
        assert_eq!(fixture.book(&window(7200, 3600)).await.problems(), [end]);
        // One that has begun can still be kept.
        let booked = fixture.book(&window(-3600, 3600)).await.expect(201);
        let ask = |seconds: i64| {
            let body = json!({"parties": order("Q")["parties"], "ship_at": at(seconds),
                "parcels": order("Q")["parcels"]});
            let path = fixture.app.path("/delivery-options");
            fixture.app.post(&path).admin().json(&body.to_string())
        };
        assert_eq!(ask(-3600).send().await.problems(), ["ship_at"]);
        ask(0).send().await.expect(200);
        ask(3600).send().await.expect(200);
        // Time goes by, and what was accepted stays as it is.
        fixture.app.clock.advance(Duration::from_hours(2));
        fixture.read(&booked).await.expect(200);
    }

    async fn what_nobody_pays_with_is_not_a_currency(fixture) {
        for code in ["XXX", "XAU", "XTS", "XDR", "CHE", "HRK"] {
            let customs = json!({"customs": {"shipping_cost": {"value": 1, "currency": code}}});
            let reply = fixture.book(&order_with("C", customs)).await;
            assert_eq!(reply.problems(), ["customs.shipping_cost.currency"], "{code}");
        }
        let body = json!({"title": "T", "shipment": {"currency": "XAG"}}).to_string();
        let path = fixture.app.path("/shipment-templates");
        let refused = fixture.app.post(&path).admin().json(&body).send().await;
        assert_eq!(refused.problems(), ["shipment.currency"]);
    }

    // What was accepted by older rules stays readable: here a template and a price.
    async fn what_was_stored_by_older_rules_is_still_used(fixture) {
        let id = template(&fixture, json!({"currency": "EUR", "weight_unit": "kg",
            "parcels": [{"gross_weight": 1}]})).await;
        let older = |tx: &mut waybill_store::Tx<'_>| {
            tx.exec("UPDATE shipment_template SET shipment = replace(shipment, 'EUR', 'HRK')", &[])
        };
        assert_eq!(fixture.app.app.write(older).await.unwrap(), 1);
        let body = order_with("O", json!({"template_uuid": id, "parcels": null}));
        fixture.book(&body).await.expect(201);
    }
}
