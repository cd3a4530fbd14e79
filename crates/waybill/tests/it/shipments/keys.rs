//! Idempotency keys on bookings: one key, one label.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::access::Role;
use waybill_worker::forget::{Forgotten, forget};

use super::fixtures;
use crate::harness::Reply;
use crate::harness::answers::send;
use crate::harness::fixture::{Fixture, order, order_with};

const KEYS: usize = 200;
const DUPLICATES: usize = 64;
const KEYS_AT_ONCE: usize = 10;

/// One of many equal requests: the shipment that it made or found, or 409 and when to come back.
async fn duplicate(fixture: Arc<Fixture>, key: usize) -> Option<Value> {
    let request = axum::http::Request::post(fixture.app.path("/shipments"))
        .header("authorization", format!("Bearer {}", fixture.app.admin))
        .header("content-type", "application/json")
        .header("idempotency-key", format!("concurrent-key-{key:04}"))
        .body(axum::body::Body::from(order(&format!("C-{key}")).to_string()))
        .unwrap();
    let reply = send(&fixture.app.router, request).await;
    match reply.status {
        201 | 202 => Some(reply.at("/data/uuid")),
        409 => {
            assert!(reply.header("retry-after").is_some());
            None
        }
        other => panic!("{other}: {}", String::from_utf8_lossy(&reply.bytes)),
    }
}

/// What the server does by itself now and then.
async fn expire_keys(fixture: &Fixture) {
    forget(&fixture.app.worker, Forgotten::Keys).await;
}

async fn keyed(fixture: &Fixture, key: &str, reference: &str) -> Reply {
    let path = fixture.app.path("/shipments");
    let ask = fixture.app.post(&path).admin().header("idempotency-key", key);
    ask.json(&order(reference).to_string()).send().await
}

fixtures! {
    // Rules: Idempotency-Key 6; Errors 8; Shipment 5.
    async fn a_replay_shows_the_outcome_of_the_first_and_the_shipment_as_it_is_now(fixture) {
        let first = keyed(&fixture, "order-4521-attempt", "ORDER-1").await.expect(201);
        let id = first.at("/data/uuid").as_str().unwrap().to_owned();
        let cancel = fixture.app.path(&format!("/shipments/{id}/cancel"));
        fixture.app.post(&cancel).admin().send().await.expect(200);
        let again = keyed(&fixture, "order-4521-attempt", "ORDER-1").await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/state"), json!("cancelled"));
        assert_eq!(fixture.bookings("ORDER-1"), 1);
        let rejected = keyed(&fixture, "order-4522-attempt", "ORDER-2 sim:reject").await.expect(424);
        let again = keyed(&fixture, "order-4522-attempt", "ORDER-2 sim:reject").await.expect(424);
        assert_eq!(again.at("/data/uuid"), rejected.at("/data/uuid"));
    }

    // Rules: Idempotency-Key 4, 5; Errors 1.
    async fn a_key_in_use_is_409_with_a_place_to_look_and_another_payload_422(fixture) {
        let fixture = Arc::new(fixture);
        let slow = tokio::spawn({
            let fixture = fixture.clone();
            async move { keyed(&fixture, "order-4521-attempt", "ORDER-1 sim:delay=2s").await }
        });
        tokio::time::sleep(Duration::from_millis(700)).await;
        let busy = keyed(&fixture, "order-4521-attempt", "ORDER-1 sim:delay=2s").await.expect(409);
        assert_eq!(busy.header("retry-after"), Some("5"));
        assert!(busy.header("location").is_some());
        let other = keyed(&fixture, "order-4521-attempt", "ORDER-2").await;
        assert_eq!(other.problems(), ["Idempotency-Key"]);
        slow.await.unwrap().expect(201);
        assert_eq!(fixture.bookings("ORDER-1 sim:delay=2s"), 1);
    }

    // Rules: Idempotency-Key 2, 5.
    async fn concurrent_duplicates_make_exactly_one_booking_for_each_key(fixture) {
        let fixture = Arc::new(fixture);
        let mut made = HashSet::new();
        for keys in (0..KEYS).collect::<Vec<_>>().chunks(KEYS_AT_ONCE) {
            let both = keys.iter().flat_map(|key| std::iter::repeat_n(*key, DUPLICATES));
            let tasks = both.map(|key| tokio::spawn(duplicate(fixture.clone(), key)));
            for task in tasks.collect::<Vec<_>>() {
                made.extend(task.await.unwrap());
            }
        }
        assert_eq!(made.len(), KEYS);
        fixture.settled().await;
        for key in 0..KEYS {
            assert_eq!(fixture.bookings(&format!("C-{key}")), 1);
        }
    }

    // Rules: Idempotency-Key 2.
    async fn a_key_is_one_action_however_its_path_is_spelled(fixture) {
        let plain = fixture.app.path("/shipments");
        let (prefix, team) = ("/v2/teams/", fixture.app.team.to_string());
        let first = format!("{prefix}%{:02x}{}/shipments", team.as_bytes()[0], &team[1..]);
        let mut made = HashSet::new();
        for path in [plain, format!("{prefix}{}/shipments", team.to_uppercase()), first] {
            let ask = fixture.app.post(&path).admin().header("idempotency-key", "spelled-differently");
            let reply = ask.json(&order("SPELLED").to_string()).send().await.expect(201);
            made.insert(reply.at("/data/uuid").to_string());
        }
        assert_eq!((made.len(), fixture.bookings("SPELLED")), (1, 1));
    }

    // Rules: Idempotency-Key 1.
    async fn without_a_key_equal_requests_are_independent(fixture) {
        let first = fixture.book(&order("TWICE")).await.expect(201);
        let second = fixture.book(&order("TWICE")).await.expect(201);
        assert_ne!(first.at("/data/uuid"), second.at("/data/uuid"));
        assert_eq!(fixture.bookings("TWICE"), 2);
    }

    // Rules: Idempotency-Key 3.
    async fn the_order_of_object_keys_does_not_count_and_that_of_parcels_does(fixture) {
        let path = fixture.app.path("/shipments");
        let ask = async |body: String| {
            let ask = fixture.app.post(&path).admin().header("idempotency-key", "one-order-one-key");
            ask.json(&body).send().await
        };
        let parcel = |grams: i32| json!({"gross_weight": {"value": grams, "unit": "g"}});
        let body = order_with("K", json!({"parcels": [parcel(1), parcel(2)]}));
        let first = ask(body.to_string()).await.expect(201);
        let members = body.as_object().unwrap().iter().rev();
        let members = members.map(|(name, value)| format!("{name:?}: {value}"));
        let turned = format!("{{{}}}", members.collect::<Vec<_>>().join(", "));
        let again = ask(turned).await.expect(201);
        assert_eq!(again.at("/data/uuid"), first.at("/data/uuid"));
        let other = order_with("K", json!({"parcels": [parcel(2), parcel(1)]}));
        assert_eq!(ask(other.to_string()).await.problems(), ["Idempotency-Key"]);
    }

    // Rules: Idempotency-Key 7.
    async fn a_key_is_kept_for_a_day_and_as_long_as_its_booking_is_under_way(fixture) {
        let first = keyed(&fixture, "kept-for-a-day-0001", "DAY").await.expect(201);
        fixture.app.clock.pass(Duration::from_hours(24));
        expire_keys(&fixture).await;
        let again = keyed(&fixture, "kept-for-a-day-0001", "DAY").await.expect(201);
        assert_eq!(again.at("/data/uuid"), first.at("/data/uuid"));
        fixture.app.clock.pass(Duration::from_hours(2));
        expire_keys(&fixture).await;
        let other = keyed(&fixture, "kept-for-a-day-0001", "DAY").await.expect(201);
        assert_ne!(other.at("/data/uuid"), first.at("/data/uuid"));
    }

    // Rules: Idempotency-Key 7.
    async fn a_key_is_kept_when_the_clock_jumps_and_by_a_server_with_a_wrong_one(fixture) {
        let first = keyed(&fixture, "kept-by-any-clock-1", "JUMP").await.expect(201);
        expire_keys(&fixture).await;
        fixture.app.clock.advance(Duration::from_hours(48));
        expire_keys(&fixture).await;
        let other = fixture.app.beside(0, 0);
        let other = waybill_worker::state::Worker::new(other.app().clone());
        forget(&other, Forgotten::Keys).await;
        let again = keyed(&fixture, "kept-by-any-clock-1", "JUMP").await.expect(201);
        assert_eq!(again.at("/data/uuid"), first.at("/data/uuid"));
    }

    // Rules: Idempotency-Key 8.
    async fn a_request_that_is_refused_reserves_no_key(fixture) {
        let path = fixture.app.path("/shipments");
        let ask = || fixture.app.post(&path).header("idempotency-key", "refused-at-first-1");
        let good = order("R").to_string();
        ask().json(&good).send().await.expect(401);
        let reader = fixture.app.token_for(fixture.app.team, Role::Member, "shipments:read").await;
        ask().token(&reader).json(&good).send().await.expect(403);
        ask().admin().json(r#"{"parcels": []}"#).send().await.expect(422);
        let made = ask().admin().json(&good).send().await.expect(201);
        assert_eq!(made.header("idempotency-replayed"), None);
    }

    // Rules: Idempotency-Key 2.
    async fn a_key_belongs_to_its_team_and_its_path(fixture) {
        let first = keyed(&fixture, "the-same-everywhere", "TEAM").await.expect(201);
        let templates = fixture.app.path("/shipment-templates");
        let ask = fixture.app.post(&templates).admin().header("idempotency-key", "the-same-everywhere");
        let made = ask.json(r#"{"title": "T", "shipment": {}}"#).send().await.expect(201);
        assert_eq!(made.header("idempotency-replayed"), None);
        let again = keyed(&fixture, "the-same-everywhere", "TEAM").await.expect(201);
        assert_eq!(again.at("/data/uuid"), first.at("/data/uuid"));
    }
}
