//! Actions that have nothing to be told, deletions, and keys of what was deleted.

use serde_json::json;

use super::fixtures;
use crate::batches;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order};

async fn say(fixture: &Fixture, path: &str, body: &str) -> Reply {
    fixture.app.post(path).admin().json(body).send().await
}

fixtures! {
    async fn an_action_without_input_refuses_a_body_that_says_something(fixture) {
        let booked = fixture.book(&order("BODY-1")).await.expect(201);
        let shipment = format!("/shipments/{}", booked.at("/data/uuid").as_str().unwrap());
        let batch = batches::filled(&fixture, "BODY", 1).await;
        let hook = json!({"url": "https://127.0.0.1/hook", "events": ["shipment.booked"]});
        let made = fixture.app.post(&fixture.app.path("/webhooks")).admin().json(&hook.to_string());
        let made = made.send().await.expect(201);
        let hook = format!("/webhooks/{}", made.at("/data/uuid").as_str().unwrap());
        for (path, status) in [
            (format!("{shipment}/documents"), 200),
            (format!("{shipment}/cancel"), 200),
            (format!("/booking-batches/{batch}/start"), 202),
            (format!("{hook}/rotate-secret"), 200),
            (format!("{hook}/test"), 202),
        ] {
            let path = fixture.app.path(&path);
            let refused = say(&fixture, &path, r#"{"reason": "none", "force": true}"#).await;
            assert_eq!(refused.problems(), ["force", "reason"], "{path}");
            for body in ["[]", "null", "7", "nonsense", "{", "\"{}\""] {
                assert_eq!(say(&fixture, &path, body).await.problems(), ["body"], "{path} {body}");
            }
            // What is not JSON is not read, whatever it looks like.
            let plain = fixture.app.post(&path).admin().header("content-type", "text/plain");
            plain.body(axum::body::Body::from("{}")).send().await.expect(415);
            say(&fixture, &path, " {} ").await.expect(status);
        }
        let deliveries = fixture.app.path(&format!("{hook}/deliveries"));
        let list = fixture.app.get(&deliveries).admin().send().await.expect(200);
        let retry = format!("{deliveries}/{}/retry", list.at("/data/0/uuid").as_str().unwrap());
        assert_eq!(say(&fixture, &retry, r#"{"now": true}"#).await.problems(), ["now"]);
        say(&fixture, &retry, "{}").await.expect(202);
        batches::until(&fixture, &batch, "completed").await;
        let other = batches::open(&fixture).await;
        let stop = fixture.app.path(&format!("/booking-batches/{other}/stop"));
        assert_eq!(say(&fixture, &stop, r#"{"now": true}"#).await.problems(), ["now"]);
        say(&fixture, &stop, "{}").await.expect(409);
    }

    async fn deleting_a_member_that_was_never_begun_says_so(fixture) {
        let batch = batches::open(&fixture).await;
        let some = [batches::slow("STOP-0", 2), order("STOP-1")];
        let added = batches::add(&fixture, &batch, &some).await.expect(201);
        batches::act(&fixture, &batch, "start").await.expect(202);
        batches::until(&fixture, &batch, "processing").await;
        batches::act(&fixture, &batch, "stop").await.expect(202);
        batches::until(&fixture, &batch, "stopped").await;
        let path = |n: usize| {
            let id = added.at(&format!("/data/{n}/uuid")).as_str().unwrap().to_owned();
            fixture.app.path(&format!("/shipments/{id}"))
        };
        let refused = fixture.app.delete(&path(1)).admin().send().await.expect(409);
        let message = refused.at("/message").as_str().unwrap().to_owned();
        assert!(message.contains("never booked") && message.contains("stopped"), "{message}");
        let refused = fixture.app.delete(&path(0)).admin().send().await.expect(409);
        let message = refused.at("/message").as_str().unwrap().to_owned();
        assert!(message.contains("the carrier has it"), "{message}");
    }

    async fn a_replayed_key_of_a_deleted_shipment_says_that_it_was_deleted(fixture) {
        let path = fixture.app.path("/shipments");
        let create = || {
            let ask = fixture.app.post(&path).admin().header("idempotency-key", "made-and-deleted-1");
            ask.json(&order("GONE sim:reject").to_string()).send()
        };
        let refused = create().await.expect(424);
        fixture.delete(&refused).await.expect(204);
        let replayed = create().await.expect(404);
        assert_eq!(replayed.header("idempotency-replayed"), Some("true"));
        let message = replayed.at("/message").as_str().unwrap().to_owned();
        assert!(message.contains("was deleted"), "{message}");
        assert_eq!(fixture.bookings("GONE sim:reject"), 0);
    }
}
