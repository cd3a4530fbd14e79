//! Actions that have nothing to be told, deletions, and keys of what was deleted.

use serde_json::json;

use super::desks;
use crate::batches;
use crate::harness::Reply;
use crate::harness::desk::{Desk, order};

async fn say(desk: &Desk, path: &str, body: &str) -> Reply {
    desk.app.post(path).admin().json(body).send().await
}

desks! {
    async fn an_action_without_input_refuses_a_body_that_says_something(desk) {
        let booked = desk.book(&order("BODY-1")).await.expect(201);
        let shipment = format!("/shipments/{}", booked.at("/data/uuid").as_str().unwrap());
        let batch = batches::filled(&desk, "BODY", 1).await;
        let hook = json!({"url": "https://127.0.0.1/hook", "events": ["shipment.booked"]});
        let made = desk.app.post(&desk.app.path("/webhooks")).admin().json(&hook.to_string());
        let made = made.send().await.expect(201);
        let hook = format!("/webhooks/{}", made.at("/data/uuid").as_str().unwrap());
        for (path, status) in [
            (format!("{shipment}/documents"), 200),
            (format!("{shipment}/cancel"), 200),
            (format!("/booking-batches/{batch}/start"), 202),
            (format!("{hook}/rotate-secret"), 200),
            (format!("{hook}/test"), 202),
        ] {
            let path = desk.app.path(&path);
            let refused = say(&desk, &path, r#"{"reason": "none", "force": true}"#).await;
            assert_eq!(refused.problems(), ["force", "reason"], "{path}");
            for body in ["[]", "null", "7", "nonsense", "{", "\"{}\""] {
                assert_eq!(say(&desk, &path, body).await.problems(), ["body"], "{path} {body}");
            }
            // What is not JSON is not read, whatever it looks like.
            let plain = desk.app.post(&path).admin().header("content-type", "text/plain");
            plain.body(axum::body::Body::from("{}")).send().await.expect(415);
            say(&desk, &path, " {} ").await.expect(status);
        }
        let deliveries = desk.app.path(&format!("{hook}/deliveries"));
        let list = desk.app.get(&deliveries).admin().send().await.expect(200);
        let retry = format!("{deliveries}/{}/retry", list.at("/data/0/uuid").as_str().unwrap());
        assert_eq!(say(&desk, &retry, r#"{"now": true}"#).await.problems(), ["now"]);
        say(&desk, &retry, "{}").await.expect(202);
        batches::until(&desk, &batch, "completed").await;
        let other = batches::open(&desk).await;
        let stop = desk.app.path(&format!("/booking-batches/{other}/stop"));
        assert_eq!(say(&desk, &stop, r#"{"now": true}"#).await.problems(), ["now"]);
        say(&desk, &stop, "{}").await.expect(409);
    }

    async fn deleting_a_member_that_was_never_begun_says_so(desk) {
        let batch = batches::open(&desk).await;
        let some = [batches::slow("STOP-0", 2), order("STOP-1")];
        let added = batches::add(&desk, &batch, &some).await.expect(201);
        batches::act(&desk, &batch, "start").await.expect(202);
        batches::until(&desk, &batch, "processing").await;
        batches::act(&desk, &batch, "stop").await.expect(202);
        batches::until(&desk, &batch, "stopped").await;
        let path = |n: usize| {
            let id = added.at(&format!("/data/{n}/uuid")).as_str().unwrap().to_owned();
            desk.app.path(&format!("/shipments/{id}"))
        };
        let refused = desk.app.delete(&path(1)).admin().send().await.expect(409);
        let message = refused.at("/message").as_str().unwrap().to_owned();
        assert!(message.contains("never booked") && message.contains("stopped"), "{message}");
        let refused = desk.app.delete(&path(0)).admin().send().await.expect(409);
        let message = refused.at("/message").as_str().unwrap().to_owned();
        assert!(message.contains("the carrier has it"), "{message}");
    }

    async fn a_replayed_key_of_a_deleted_shipment_says_that_it_was_deleted(desk) {
        let path = desk.app.path("/shipments");
        let create = || {
            let ask = desk.app.post(&path).admin().header("idempotency-key", "made-and-deleted-1");
            ask.json(&order("GONE sim:reject").to_string()).send()
        };
        let refused = create().await.expect(424);
        desk.delete(&refused).await.expect(204);
        let replayed = create().await.expect(404);
        assert_eq!(replayed.header("idempotency-replayed"), Some("true"));
        let message = replayed.at("/message").as_str().unwrap().to_owned();
        assert!(message.contains("was deleted"), "{message}");
        assert_eq!(desk.bookings("GONE sim:reject"), 0);
    }
}
