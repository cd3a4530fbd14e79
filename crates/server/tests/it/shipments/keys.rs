//! Idempotency keys on bookings: one key, one label.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use super::desks;
use crate::harness::Reply;
use crate::harness::desk::{Desk, order};

async fn keyed(desk: &Desk, key: &str, reference: &str) -> Reply {
    let path = desk.app.path("/shipments");
    let ask = desk.app.post(&path).admin().header("idempotency-key", key);
    ask.json(&order(reference).to_string()).send().await
}

desks! {
    // Idempotency-Key 6.
    async fn a_replay_shows_the_outcome_of_the_first_and_the_shipment_as_it_is_now(desk) {
        let first = keyed(&desk, "order-4521-attempt", "ORDER-1").await.expect(201);
        let id = first.at("/data/uuid").as_str().unwrap().to_owned();
        let cancel = desk.app.path(&format!("/shipments/{id}/cancel"));
        desk.app.post(&cancel).admin().send().await.expect(200);
        let again = keyed(&desk, "order-4521-attempt", "ORDER-1").await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/state"), json!("cancelled"));
        assert_eq!(desk.bookings("ORDER-1"), 1);
        let rejected = keyed(&desk, "order-4522-attempt", "ORDER-2 sim:reject").await.expect(424);
        let again = keyed(&desk, "order-4522-attempt", "ORDER-2 sim:reject").await.expect(424);
        assert_eq!(again.at("/data/uuid"), rejected.at("/data/uuid"));
    }

    // Idempotency-Key 4 and 5.
    async fn a_key_in_use_is_409_with_a_place_to_look_and_another_payload_422(desk) {
        let desk = Arc::new(desk);
        let slow = tokio::spawn({
            let desk = desk.clone();
            async move { keyed(&desk, "order-4521-attempt", "ORDER-1 sim:delay=2s").await }
        });
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
        let busy = keyed(&desk, "order-4521-attempt", "ORDER-1 sim:delay=2s").await.expect(409);
        assert_eq!(busy.header("retry-after"), Some("5"));
        assert!(busy.header("location").is_some());
        let other = keyed(&desk, "order-4521-attempt", "ORDER-2").await;
        assert_eq!(other.problems(), ["Idempotency-Key"]);
        slow.await.unwrap().expect(201);
        assert_eq!(desk.bookings("ORDER-1 sim:delay=2s"), 1);
    }

    async fn concurrent_duplicates_make_exactly_one_booking_for_each_key(desk) {
        let desk = Arc::new(desk);
        let mut tasks = Vec::new();
        for key in 0..12 {
            for _ in 0..16 {
                let desk = desk.clone();
                tasks.push(tokio::spawn(async move {
                    keyed(&desk, &format!("concurrent-key-{key:04}"), &format!("C-{key}")).await
                }));
            }
        }
        let mut made = BTreeSet::new();
        for task in tasks {
            let reply = task.await.unwrap();
            match reply.status {
                201 => drop(made.insert(reply.at("/data/uuid").to_string())),
                409 => assert!(reply.header("retry-after").is_some()),
                other => panic!("{other}: {}", String::from_utf8_lossy(&reply.bytes)),
            }
        }
        assert_eq!(made.len(), 12);
        for key in 0..12 {
            assert_eq!(desk.bookings(&format!("C-{key}")), 1);
        }
    }
}
