//! Booking by the older API: the same rules, the same shipments, other words.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use waybill_domain::access::Role;

use super::shop::{DEMO_LABELS, LABELS, bytes, order, order_with, shipment};
use crate::shipments::fixtures;

fixtures! {
    async fn a_booking_is_a_label_and_a_shipment_like_any_other(fixture) {
        let label = fixture.label(&order("ORDER-1")).await.expect(200);
        assert_eq!(label.header("cache-control"), Some("private, no-store"));
        let data = label.at("/data");
        assert_eq!(data["type"], "label");
        assert_eq!(data["shipment_internal_id"], "4521");
        assert_eq!(data["shipment_internal_reference"], "ORDER-1");
        assert_eq!((&data["carrier_code"], &data["carrier_name"]), (&json!("sandbox"), &json!("Sandbox")));
        assert!(bytes(&data["pdf"]).starts_with(b"%PDF-"));
        let parcel = &data["parcels"][0];
        assert_eq!(parcel["parcel_internal_id"], "4521-1");
        assert_eq!(parcel["pdf"], data["pdf"], "it is the only parcel");
        let shown = fixture.shown(&label).await;
        assert_eq!(shown.at("/data/state"), "booked");
        assert_eq!(shown.at("/data/identifier"), "4521");
        assert_eq!(shown.at("/data/reference"), "ORDER-1");
        assert_eq!(shown.at("/data/delivery/service_code"), "sandbox:home");
        let customer = shown.at("/data/parties/customer");
        assert_eq!(customer["contact"]["phone"], "+4530274735");
        assert_eq!(customer["contact"]["company"], "Jensen ApS");
        let lines = json!(["Islands Brygge 39", "2. th", "c/o Holm"]);
        assert_eq!(customer["address"]["address_lines"], lines);
        let own = shown.at("/data/parcels/0");
        assert_eq!(own["gross_weight"], json!({"value": 1250, "unit": "g"}));
        assert_eq!(own["items"][0]["unit_price"], json!({"value": 3333, "currency": "DKK"}));
        assert_eq!(own["tracking_number"], parcel["tracking_code"]);
        assert_eq!(own["tracking_url"], parcel["tracking_link"]);
        assert_eq!(own["uuid"], parcel["parcel_id"]);
        assert_eq!(fixture.bookings("ORDER-1"), 1);
    }

    async fn every_path_that_books_books(fixture) {
        for (number, path) in [
            LABELS,
            "/api/v1/website/www.SHOP.example.com/labels/",
            "/api/v1/demo/website/shop.example.com/labels",
            "/api/v1/shipments/labels",
        ].into_iter().enumerate() {
            let reference = format!("PATH-{number}");
            let ask = fixture.app.post(path).admin().body(order(&reference).to_string().into());
            ask.send().await.expect(200);
            assert_eq!(fixture.bookings(&reference), 1, "{path}");
        }
        // Whose website is meant is not known with two.
        let (team, both) = fixture.app.team("other.example.com").await;
        fixture.app.join_also(team, fixture.app.team).await;
        let ask = fixture.app.post("/api/v1/shipments/labels").token(&both);
        let several = ask.json(&order("SEVERAL").to_string()).send().await;
        assert_eq!(several.problems(), ["website"]);
        assert_eq!(fixture.bookings("SEVERAL"), 0);
    }

    async fn a_carrier_that_refuses_is_told_in_the_names_of_the_older_api(fixture) {
        let body = order("NO-1 sim:reject");
        let refused = fixture.label(&body).await.expect(424);
        assert_eq!(refused.at("/code"), "BookingException");
        let id = refused.at("/id").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}"));
        let shown = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(shown.at("/data/failure/reason"), "rejected");
        assert_eq!(shown.at("/data/failure/message"), refused.at("/message"));
        for name in refused.at("/errors").as_object().unwrap().keys() {
            assert!(!name.starts_with("parties") && !name.starts_with("delivery"), "{name}");
        }
        // Nothing was booked, so the same body is a new shipment.
        let again = fixture.label(&body).await.expect(424);
        assert_ne!(again.at("/id"), json!(id));
    }

    async fn five_things_that_are_wrong_are_told_as_five(fixture) {
        let body = order_with("FIVE", json!({
            "shipping_carrier": null, "shipping_method": "", "currency": "invalid",
            "agent": {"agent_no": "4821", "country": "invalid"}}));
        let mut body = body;
        body["receiver"]["country"] = json!("invalid");
        let told = fixture.label(&body).await;
        let wanted = ["agent.country", "currency", "receiver.country", "shipping_carrier",
            "shipping_method"];
        assert_eq!(told.problems(), wanted);
        assert_eq!(told.at("/message"), "The given data was invalid.");
        assert_eq!(told.at("/id"), json!(told.header("request-id").unwrap()));
        assert_eq!(told.header("response-id"), told.header("request-id"));
    }

    async fn what_is_wrong_with_the_service_is_told_at_its_carrier_or_method(fixture) {
        let with = |carrier: &str, method: &str| {
            order_with("WRONG", json!({"shipping_carrier": carrier, "shipping_method": method}))
        };
        for (carrier, method, names) in [
            ("nobody", "agent", "shipping_carrier"),
            ("sandbox", "by-sea", "shipping_method"),
            // There is no account.
            ("gls", "homedelivery", "shipping_carrier"),
        ] {
            assert_eq!(fixture.label(&with(carrier, method)).await.problems(), [names]);
        }
        let list = fixture.app.get(&fixture.app.path("/shipments")).admin().send().await;
        assert_eq!(list.at("/data"), json!([]), "nothing was stored");
    }

    async fn a_label_is_a_pdf_wherever_the_team_has_that_among_its_formats(fixture) {
        let settings = fixture.app.path("/settings");
        let wish = |formats: Value| json!({"documents": {"label": {"formats": formats}}});
        let wish = |formats: Value| wish(formats).to_string();
        let set = async |formats: Value| {
            fixture.app.patch(&settings).admin().json(&wish(formats)).send().await.expect(200)
        };
        set(json!(["zpl"])).await;
        assert_eq!(fixture.label(&order("ZPL")).await.problems(), ["shipping_method"]);
        set(json!(["zpl", "pdf"])).await;
        let label = fixture.label(&order("PDF")).await.expect(200);
        assert!(bytes(&label.at("/data/pdf")).starts_with(b"%PDF-"));
        let other = fixture.book(&crate::harness::fixture::order("V2")).await.expect(201);
        assert_eq!(other.at("/data/documents/0/format"), "zpl", "as the team likes it best");
    }

    async fn a_demo_path_books_with_the_sandbox_and_names_what_was_asked_for(fixture) {
        let body = order_with("DEMO-1",
            json!({"shipping_carrier": "postnord", "shipping_method": "homedelivery"}));
        let label = fixture.asking(DEMO_LABELS, &body).send().await.expect(200);
        assert_eq!(label.at("/data/carrier_code"), "postnord");
        assert_eq!(label.at("/data/carrier_name"), "PostNord");
        assert_eq!(label.at("/data/parcels/0/carrier_code"), "postnord");
        let shown = fixture.shown(&label).await;
        assert_eq!(shown.at("/data/delivery/service_code"), "sandbox:home");
        assert_eq!(fixture.bookings("DEMO-1"), 1);
    }

    async fn a_key_works_as_in_the_other_api_and_says_by_itself_what_is_the_same(fixture) {
        let send = async |key: &str, body: &Value| {
            let ask = fixture.asking(LABELS, body).header("idempotency-key", key);
            ask.send_and_leave().await
        };
        let body = order("KEY-1");
        let first = send("first-key-of-the-shop", &body).await.expect(200);
        assert_eq!(first.header("idempotency-replayed"), None);
        let again = send("first-key-of-the-shop", &body).await.expect(200);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(shipment(&first), shipment(&again));
        let other = send("second-key-of-the-shop", &body).await.expect(200);
        assert_ne!(shipment(&first), shipment(&other), "another key is another wish");
        let reused = send("first-key-of-the-shop", &order("KEY-2")).await;
        assert_eq!(reused.problems(), ["Idempotency-Key"]);
        let bad = send("short", &body).await;
        assert_eq!(bad.problems(), ["Idempotency-Key"]);
        // Without a key it is not answered from those that have one.
        let plain = fixture.label_unread(&body).await.expect(200);
        assert!(![shipment(&first), shipment(&other)].contains(&shipment(&plain)));
        assert_eq!(fixture.bookings("KEY-1"), 3);
    }

    async fn the_answer_waits_for_25_seconds_and_then_says_that_the_booking_goes_on(fixture) {
        let body = order("SLOW-1 sim:delay=28s");
        let started = Instant::now();
        let early = fixture.label(&body).await.expect(503);
        let waited = started.elapsed();
        let range = Duration::from_secs(24)..Duration::from_secs(29);
        assert!(range.contains(&waited), "{waited:?}");
        assert_eq!(early.header("retry-after"), Some("5"));
        assert_eq!(early.at("/code"), "BookingInProgressException");
        assert_eq!(early.at("/errors"), json!({}));
        let label = fixture.label(&body).await.expect(200);
        assert_eq!(early.at("/id"), json!(shipment(&label)));
        assert_eq!(fixture.bookings("SLOW-1 sim:delay=28s"), 1);
    }

    async fn a_token_that_may_only_read_books_nothing(fixture) {
        let token =
            fixture.app.token_for(fixture.app.team, Role::Member, "shipments:read").await;
        let ask = fixture.app.post(LABELS).token(&token).json(&order("READ").to_string());
        ask.send().await.expect(403);
        assert_eq!(fixture.bookings("READ"), 0);
    }
}
