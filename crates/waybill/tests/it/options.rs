//! Delivery options: what a shipment could be sent with, why not, for how much, and when.

mod routes;

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order_with};
use crate::rates::rate;
use crate::shipments::fixtures;

fn question(patch: Value) -> Value {
    let mut body = order_with("Q", patch);
    let fields = body.as_object_mut().unwrap();
    fields.remove("delivery");
    fields.remove("reference");
    body
}

async fn ask(fixture: &Fixture, body: &Value) -> Reply {
    let path = fixture.app.path("/delivery-options");
    fixture.app.post(&path).admin().json(&body.to_string()).send().await
}

/// The option of one service.
fn option(reply: &Reply, code: &str) -> Value {
    let list = reply.at("/data");
    let found = list.as_array().unwrap().iter().find(|row| row["delivery"]["service_code"] == code);
    found.unwrap_or_else(|| panic!("{code} in {list}")).clone()
}

fn order_of(reply: &Reply) -> Vec<String> {
    let list = reply.at("/data");
    let code = |row: &Value| row["delivery"]["service_code"].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(code).collect()
}

async fn set_rates(fixture: &Fixture, rows: Value) {
    let body = json!({"data": rows}).to_string();
    fixture.app.put(&fixture.app.path("/rates")).admin().json(&body).send().await.expect(200);
}

fixtures! {
    async fn every_service_is_an_option_with_what_is_known_of_it(fixture) {
        let fixture = fixture.with_points().await;
        let reply = ask(&fixture, &question(json!({"ship_at": "2037-11-16T14:00:00+01:00"}))).await;
        let reply = reply.expect(200);
        assert_eq!(reply.at("/data").as_array().unwrap().len(), 8);
        let home = option(&reply, "sandbox:home");
        assert_eq!(home["is_available"], json!(true));
        assert_eq!(home["unavailable_reasons"], json!([]));
        assert_eq!(home["cutoff_at"], json!("2037-11-16T15:00:00.000000Z"));
        assert_eq!(home["delivery_windows"][0], json!(
            {"start": "2037-11-17T07:00:00.000000Z", "end": "2037-11-17T15:00:00.000000Z"}));
        assert_eq!(home["pickup_points"], json!(null));
        assert_eq!(home["delivery"]["last_mile_carrier"]["code"], json!("sandbox"));
        let pickup = option(&reply, "sandbox:pickup_point");
        let points = pickup["pickup_points"].as_array().unwrap();
        assert_eq!((points.len(), &points[0]["code"]), (5, &json!("DK-1001")));
    }

    async fn what_an_option_says_booking_does(fixture) {
        let fixture = fixture.with_points().await;
        // Too heavy for some, without a phone for others, and in a city that none can print.
        let patches = [
            json!({"parcels": [{"gross_weight": {"value": 25, "unit": "kg"}}]}),
            json!({"parcels": [{"gross_weight": {"value": 90, "unit": "kg"}}]}),
            json!({"parties": {"customer": {"contact": {"phone": null}}}}),
            json!({"parties": {"customer": {"address": {"postal_code": "ABC"}}}}),
            json!({"parties": {"customer": {"contact": {"name": "王小明"}}}}),
            json!({"parties": {"customer": {"address":
                {"country": "NO", "postal_code": "0555", "city": "Oslo"}}}}),
        ];
        for patch in patches {
            let reply = ask(&fixture, &question(patch.clone())).await.expect(200);
            for row in reply.at("/data").as_array().unwrap() {
                let mut body = order_with("SAME", patch.clone());
                body["delivery"] = json!({"service_code": row["delivery"]["service_code"]});
                let booked = fixture.book(&body).await;
                if row["is_available"] == json!(true) {
                    booked.expect(201);
                    continue;
                }
                let problems = booked.problems();
                let reasons = row["unavailable_reasons"].as_array().unwrap();
                let count = booked.at("/errors").as_object().unwrap().values()
                    .map(|all| all.as_array().unwrap().len()).sum::<usize>();
                assert_eq!(reasons.len(), count, "{problems:?} {reasons:?}");
                for reason in reasons.iter().filter(|reason| reason["path"] != json!(null)) {
                    let path = reason["path"].as_str().unwrap().to_owned();
                    assert!(problems.contains(&path), "{problems:?} {reason}");
                }
            }
        }
    }

    async fn the_cheapest_that_can_be_had_comes_first(fixture) {
        let fixture = fixture.with_points().await;
        let all = ["home", "pickup_point", "express", "business", "return_drop_off", "letter"];
        let prices = [5900, 3900, 12900, 4900, 2900, 100];
        let rows = all.iter().zip(prices);
        let rows = rows.map(|(name, price)| {
            rate(&format!("sandbox:{name}"), json!("DK"), (0.0, 40.0), price)
        });
        set_rates(&fixture, rows.collect()).await;
        // Too heavy for a letter.
        let heavy = json!({"parcels": [{"gross_weight": {"value": 3, "unit": "kg"}}],
            "parties": {"customer": {"reference": "sim:quote=fail"}}});
        let reply = ask(&fixture, &question(heavy)).await.expect(200);
        assert_eq!(order_of(&reply), [
            "sandbox:return_drop_off",
            "sandbox:pickup_point",
            "sandbox:business",
            "sandbox:home",
            "sandbox:express",
            "sandbox:no_lookup",
            "sandbox:idempotent",
            "sandbox:letter",
        ]);
        let home = option(&reply, "sandbox:home");
        assert_eq!(home["estimated_price"], json!({"value": 5900, "currency": "DKK"}));
        assert_eq!(option(&reply, "sandbox:no_lookup")["estimated_price"], json!(null));
        assert_eq!(option(&reply, "sandbox:letter")["is_available"], json!(false));
    }

    async fn a_price_is_the_rates_else_the_carriers(fixture) {
        let fixture = fixture.with_points().await;
        set_rates(&fixture, json!([rate("sandbox:home", json!("DK:23"), (0.0, 40.0), 1)])).await;
        let reply = ask(&fixture, &question(json!({}))).await.expect(200);
        let price = |code: &str| option(&reply, code)["estimated_price"].clone();
        assert_eq!(price("sandbox:home"), json!({"value": 1, "currency": "DKK"}));
        assert_eq!(price("sandbox:express"), json!({"value": 12905, "currency": "DKK"}));
    }

    async fn a_slow_carrier_costs_its_own_row_only(fixture) {
        let fixture = fixture.with_points().await;
        let slow = json!({"parties": {"customer": {"reference": "sim:quote=express:10s"}}});
        let started = fixture.app.app.monotonic();
        let reply = ask(&fixture, &question(slow)).await.expect(200);
        let took = fixture.app.app.monotonic().saturating_sub(started);
        assert!(took < Duration::from_secs(9), "the carrier takes ten seconds: {took:?}");
        assert_eq!(option(&reply, "sandbox:express")["estimated_price"], json!(null));
        assert_eq!(option(&reply, "sandbox:express")["is_available"], json!(true));
        assert_ne!(option(&reply, "sandbox:home")["estimated_price"], json!(null));
    }

    async fn options_are_of_the_carriers_that_are_asked_for(fixture) {
        let none = ask(&fixture, &question(json!({"carrier_codes": ["gls"]}))).await.expect(200);
        assert_eq!(none.at("/data"), json!([]), "there is no account with it");
        let codes = json!({"carrier_codes": ["nobody", "sandbox", "sandbox"]});
        assert_eq!(ask(&fixture, &question(codes)).await.problems(), [
            "carrier_codes.0", "carrier_codes.2"]);
    }

    async fn a_question_keeps_the_rules_of_an_order(fixture) {
        let body = question(json!({"ship_at": "2026-11-16", "delivery_date": 1,
            "parties": {"customer": {"address": {"country": "ZZ"}}}}));
        assert_eq!(ask(&fixture, &body).await.problems(), [
            "delivery_date", "parties.customer.address.country", "ship_at"]);
        let mixed = question(json!({"parcels": [{"gross_weight": {"value": 1, "unit": "kg"}},
            {"gross_weight": {"value": 1, "unit": "lb"}}]}));
        assert_eq!(ask(&fixture, &mixed).await.problems(), [
            "parcels.0.gross_weight.unit", "parcels.1.gross_weight.unit"]);
    }

    // Rules: Carrier roles 1, 3, 8.
    async fn names_are_in_the_callers_language_and_a_partner_is_named(fixture) {
        let body = question(json!({"parties": {"customer": {"address":
            {"country": "SE", "postal_code": "11122", "city": "Stockholm"}}}}));
        let path = fixture.app.path("/delivery-options");
        let ask = fixture.app.post(&path).admin().header("accept-language", "sv");
        let reply = ask.json(&body.to_string()).send().await.expect(200);
        assert_eq!(reply.header("content-language"), Some("sv"));
        let business = option(&reply, "sandbox:business");
        assert_eq!(business["delivery"]["service_name"], json!("Företagspaket"));
        assert_eq!(business["delivery"]["last_mile_carrier"]["code"], json!("postnord"));
        let back = option(&reply, "sandbox:return_drop_off");
        assert_eq!(back["delivery"]["last_mile_carrier"]["code"], json!("sandbox"));
    }
}
