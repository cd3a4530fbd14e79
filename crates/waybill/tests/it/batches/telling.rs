//! What is told of a batch: its events, its own callback, and its progress as it happens.

use serde_json::{Value, json};

use super::{act, add, filled, members, open, path, slow, until};
use crate::harness::fixture::{Fixture, order};
use crate::harness::receiver::{Reaction, Receiver};
use crate::shipments::fixtures;
use crate::webhooks::signatures::verify_in_rust;

async fn with_callback(fixture: &Fixture, url: &str, kinds: &[&str]) -> Value {
    let wish = json!({"callback": {"url": url, "events": kinds}}).to_string();
    let made = fixture.app.post(&path(fixture, "")).admin().json(&wish).send().await.expect(201);
    made.at("/data")
}

async fn until_received(receiver: &Receiver, count: usize) -> Vec<Value> {
    for _ in 0..500 {
        if receiver.received().len() >= count {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    receiver.received().iter().map(|one| one.json()).collect()
}

fixtures! {
    async fn a_callback_hears_of_its_own_batch_alone_with_its_own_secret(fixture) {
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        let kinds = ["shipment.booked", "booking_batch.completed"];
        let made = with_callback(&fixture, &receiver.url(), &kinds).await;
        let secret = made["callback"]["secret"].as_str().unwrap().to_owned();
        assert!(secret.starts_with("whsec_"));
        let batch = made["uuid"].as_str().unwrap().to_owned();
        let again = super::read(&fixture, &batch).await;
        assert_eq!(again["callback"], json!({"url": receiver.url(), "events": kinds}));
        add(&fixture, &batch, &[order("C-0"), order("C-1")]).await.expect(201);
        let other = filled(&fixture, "other", 1).await;
        act(&fixture, &other, "start").await.expect(202);
        act(&fixture, &batch, "start").await.expect(202);
        let heard = until_received(&receiver, 3).await;
        let mut types: Vec<_> = heard.iter().map(|e| e["type"].as_str().unwrap()).collect();
        types.sort_unstable();
        assert_eq!(types, ["booking_batch.completed", "shipment.booked", "shipment.booked"]);
        for (event, received) in heard.iter().zip(receiver.received()) {
            assert_eq!(event["batch_uuid"], json!(batch));
            assert!(verify_in_rust(&received, &secret));
        }
        let list = fixture.app.get(&fixture.app.path("/webhooks")).admin().send().await.expect(200);
        assert_eq!(list.at("/data"), json!([]), "a callback is no webhook of the team");
    }

    async fn a_replayed_creation_gives_the_same_batch_and_secret(fixture) {
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        let wish = json!({"callback": {"url": receiver.url(), "events": ["shipment.booked"]}});
        let wish = wish.to_string();
        let send = || {
            let path = path(&fixture, "");
            let ask = fixture.app.post(&path).admin().header("idempotency-key", "makes-the-batch-");
            ask.json(&wish).send()
        };
        let (first, again) = (send().await.expect(201), send().await.expect(201));
        assert_eq!(first.at("/data"), again.at("/data"));
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
    }

    async fn every_change_of_a_batch_is_told_to_the_teams_webhooks(fixture) {
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        let kinds = ["booking_batch.started", "booking_batch.completed", "booking_batch.stopped",
                     "shipment.cancelled"];
        let body = json!({"url": receiver.url(), "events": kinds}).to_string();
        fixture.app.post(&fixture.app.path("/webhooks")).admin().json(&body).send().await.expect(201);
        let batch = filled(&fixture, "E", 1).await;
        act(&fixture, &batch, "start").await.expect(202);
        until(&fixture, &batch, "completed").await;
        let stopped = open(&fixture).await;
        add(&fixture, &stopped, &[slow("E-s", 1), order("E-t")]).await.expect(201);
        act(&fixture, &stopped, "start").await.expect(202);
        until(&fixture, &stopped, "processing").await;
        act(&fixture, &stopped, "stop").await.expect(202);
        until(&fixture, &stopped, "stopped").await;
        let heard = until_received(&receiver, 5).await;
        let of = |batch: &str| {
            let about = heard.iter().filter(|event| event["batch_uuid"] == batch);
            let mut types: Vec<_> = about.map(|e| e["type"].as_str().unwrap()).collect();
            types.sort_unstable();
            types
        };
        assert_eq!(of(&batch), ["booking_batch.completed", "booking_batch.started"]);
        let all = ["booking_batch.started", "booking_batch.stopped", "shipment.cancelled"];
        assert_eq!(of(&stopped), all);
        let cancelled = heard.iter().find(|event| event["type"] == "shipment.cancelled").unwrap();
        assert_eq!(cancelled["shipment_uuid"], members(&fixture, &stopped).await[1]["uuid"]);
    }

    async fn progress_is_streamed_until_the_batch_is_over(fixture) {
        let batch = filled(&fixture, "P", 4).await;
        let path = path(&fixture, &format!("/{batch}"));
        for not_wanted in ["text/event-streamx", "application/json, text/event-stream;q=0.1"] {
            let json = fixture.app.get(&path).admin().header("accept", not_wanted).send().await;
            assert_eq!(json.header("content-type"), Some("application/json"), "{not_wanted}");
        }
        let watch = fixture.app.get(&path).admin().header("accept", "Text/Event-Stream").send();
        let (watched, _) = tokio::join!(watch, act(&fixture, &batch, "start"));
        assert_eq!(watched.header("content-type"), Some("text/event-stream"));
        let text = String::from_utf8(watched.bytes.clone()).unwrap();
        let events: Vec<Value> = text
            .split("\n\n")
            .filter_map(|part| part.strip_prefix("event: booking_batch\ndata: "))
            .map(|json| serde_json::from_str::<Value>(json).unwrap()["data"].clone())
            .collect();
        assert!(events.len() >= 2, "{text}");
        assert!(events.iter().all(|event| event["uuid"] == json!(batch)));
        let done: Vec<_> = events.iter().map(|e| e["completed_count"].as_i64().unwrap()).collect();
        assert!(done.is_sorted(), "{done:?}");
        let last = events.last().unwrap();
        assert_eq!((&last["state"], &last["booked_count"]), (&json!("completed"), &json!(4)));
    }
}
