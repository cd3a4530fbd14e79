//! What is sent, to whom, and again when somebody asks.

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;
use waybill_worker::runner;

use super::{advance, deliveries, happen, path_of, webhook, work};
use crate::harness::fixture::{Fixture, order};
use crate::harness::receiver::{Reaction, Receiver};
use crate::harness::{Database, both};

both! {
    async fn nothing_is_sent_unsigned_and_it_is_sent_once_it_can_be_signed(app) {
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        let made = webhook(&app, &receiver.url()).await;
        let id = Uuid::parse_str(made.at("/data/uuid").as_str().unwrap()).unwrap();
        let secrets = "SELECT secrets FROM webhook WHERE id = $1";
        let good = app.app.read(move |tx| tx.one::<Vec<u8>>(secrets, &[id.into()])).await;
        let good = good.unwrap().unwrap();
        let nonsense = r#"{"current":"whsec_!","old":[]}"#.as_bytes();
        let nonsense = waybill_domain::json::parse(nonsense).unwrap();
        let bad = app.app.vault().seal(id, &nonsense, app.app.ids().as_ref());
        let set = |secrets: Vec<u8>| {
            let set = "UPDATE webhook SET secrets = $2 WHERE id = $1";
            move |tx: &mut waybill_store::Tx<'_>| tx.exec(set, &[id.into(), (&secrets).into()])
        };
        app.app.write(set(bad)).await.unwrap();
        happen(&app).await;
        for _ in 0..3 {
            // That it fails is what is wanted; whoever runs jobs logs it and goes on.
            let _failed = runner::run_due(&app.worker).await;
            work(&app).await;
        }
        assert_eq!(receiver.received().len(), 0);
        app.app.write(set(good)).await.unwrap();
        for _ in 0..20 {
            advance(&app, Duration::from_mins(10)).await;
            if !receiver.received().is_empty() {
                break;
            }
        }
        let received = receiver.received();
        assert_eq!(received.len(), 1);
        assert!(received[0].headers["webhook-signature"].starts_with("v1,"));
    }

    async fn an_event_reaches_who_subscribed_thin_and_signed(app) {
        let receiver = Receiver::start(|_| Reaction::Status(204)).await;
        let other = Receiver::start(|_| Reaction::Status(204)).await;
        let made = webhook(&app, &receiver.url()).await;
        let body = json!({"url": other.url(), "events": ["shipment.booked"]}).to_string();
        app.post(&app.path("/webhooks")).admin().json(&body).send().await.expect(201);
        let event = happen(&app).await;
        work(&app).await;
        let received = receiver.received();
        assert_eq!((received.len(), other.received().len()), (1, 0));
        assert_eq!(received[0].path, "/hook");
        assert_eq!(received[0].json()["id"], json!(event.to_string()));
        assert_eq!(received[0].json()["type"], "report.ready");
        assert_eq!(received[0].json()["team_uuid"], json!(app.team.to_string()));
        assert_eq!(received[0].headers["webhook-id"], event.to_string());
        assert_eq!(received[0].headers["content-type"], "application/json");
        assert!(received[0].headers["webhook-signature"].starts_with("v1,"));
        let sent = deliveries(&app, &made).await;
        assert_eq!(sent[0]["state"], "delivered");
        assert_eq!(sent[0]["attempts"][0]["status"], 204);
        assert_eq!(sent[0]["next_attempt_at"], Value::Null);
    }

    async fn an_event_of_another_team_is_heard_by_nobody(app) {
        let receiver = Receiver::start(|_| Reaction::Status(204)).await;
        let (_, stranger) = app.team("other.example.com").await;
        let other: Vec<_> = app.app.read(waybill_store::teams::any_list).await.unwrap();
        let other = other.iter().find(|team| team.id != app.team).unwrap().id;
        let body = json!({"url": receiver.url(), "events": ["report.ready"]}).to_string();
        let path = format!("/v2/teams/{other}/webhooks");
        app.post(&path).token(&stranger).json(&body).send().await.expect(201);
        happen(&app).await;
        work(&app).await;
        assert_eq!(receiver.connections(), 0);
    }

    async fn a_retry_sends_the_same_event_again_whatever_became_of_it(app) {
        let answer = |n| Reaction::Status(if n == 1 { 500 } else { 200 });
        let receiver = Receiver::start(answer).await;
        let made = webhook(&app, &receiver.url()).await;
        happen(&app).await;
        work(&app).await;
        let delivery = deliveries(&app, &made).await[0]["uuid"].as_str().unwrap().to_owned();
        let path = format!("{}/deliveries/{delivery}/retry", path_of(&app, &made));
        let queued = app.post(&path).admin().send().await.expect(202);
        assert_eq!(queued.at("/data/state"), "pending");
        assert_eq!(queued.at("/data/attempts").as_array().unwrap().len(), 1);
        work(&app).await;
        assert_eq!(deliveries(&app, &made).await[0]["state"], "pending", "it failed");
        app.post(&path).admin().send().await.expect(202);
        work(&app).await;
        let received = receiver.received();
        assert_eq!(received.len(), 3);
        let ids: Vec<_> = received.iter().map(|one| &one.headers["webhook-id"]).collect();
        assert!(ids.iter().all(|id| *id == ids[0]));
        assert_eq!(deliveries(&app, &made).await[0]["state"], "delivered");
        let nowhere = path.replace(&delivery, &app.team.to_string());
        app.post(&nowhere).admin().send().await.expect(404);
    }

    async fn a_replay_sends_everything_since_a_time_to_this_webhook_alone(app) {
        let early = Receiver::start(|_| Reaction::Status(200)).await;
        webhook(&app, &early.url()).await;
        for _ in 0..3 {
            happen(&app).await;
            advance(&app, Duration::from_hours(1)).await;
        }
        let late = Receiver::start(|_| Reaction::Status(200)).await;
        let made = webhook(&app, &late.url()).await;
        let path = format!("{}/replay", path_of(&app, &made));
        // The clock of the tests starts at 2025-11-15T09:46:40Z.
        let since = json!({"since": "2025-11-15T10:30:00+00:00"}).to_string();
        let replayed = app.post(&path).admin().json(&since).send().await.expect(202);
        assert_eq!(replayed.at("/data/event_count"), 2);
        work(&app).await;
        assert_eq!((early.received().len(), late.received().len()), (3, 2));
        app.post(&path).admin().json(&since).send().await.expect(202);
        work(&app).await;
        assert_eq!(late.received().len(), 4, "whether or not it was delivered");
        for (body, field) in [
            (json!({"since": "2099-01-01T00:00:00Z"}), "since"),
            (json!({"since": "2025-11-15"}), "since"),
            (json!({}), "since"),
        ] {
            let reply = app.post(&path).admin().json(&body.to_string()).send().await;
            assert_eq!(reply.problems(), [field]);
        }
    }

    async fn an_inactive_webhook_can_be_tested_but_hears_of_nothing_else(app) {
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        let made = webhook(&app, &receiver.url()).await;
        let path = path_of(&app, &made);
        happen(&app).await;
        app.patch(&path).admin().json(r#"{"is_active":false}"#).send().await.expect(200);
        happen(&app).await;
        work(&app).await;
        assert_eq!(receiver.connections(), 0);
        let tested = app.post(&format!("{path}/test")).admin().send().await.expect(202);
        assert_eq!(tested.at("/data/event_type"), "webhook.test");
        work(&app).await;
        let received = receiver.received();
        assert_eq!(received.len(), 1);
        assert_eq!(received[0].json()["webhook_uuid"], made.at("/data/uuid"));
        let delivery = tested.at("/data/uuid").as_str().unwrap().to_owned();
        let retry = format!("{path}/deliveries/{delivery}/retry");
        app.post(&retry).admin().send().await.expect(409);
        let since = r#"{"since":"2025-01-01T00:00:00Z"}"#;
        app.post(&format!("{path}/replay")).admin().json(since).send().await.expect(409);
    }

    async fn what_waits_for_a_webhook_that_is_deleted_is_never_sent(app) {
        let receiver = Receiver::start(|_| Reaction::Status(500)).await;
        let made = webhook(&app, &receiver.url()).await;
        happen(&app).await;
        work(&app).await;
        app.delete(&path_of(&app, &made)).admin().send().await.expect(204);
        advance(&app, Duration::from_hours(2)).await;
        assert_eq!(receiver.received().len(), 1);
    }
}

async fn a_booking_tells_how_it_went(database: Database) {
    let fixture = Fixture::new(database).await;
    let receiver = Receiver::start(|_| Reaction::Status(200)).await;
    let kinds = ["shipment.booked", "shipment.failed", "shipment.cancelled", "shipment.deleted"];
    let body = json!({"url": receiver.url(), "events": kinds}).to_string();
    fixture.app.post(&fixture.app.path("/webhooks")).admin().json(&body).send().await.expect(201);
    let booked = fixture.book(&order("fine")).await.expect(201);
    let refused = fixture.book(&order("no sim:reject")).await.expect(424);
    let path = |reply: &crate::harness::Reply| {
        fixture.app.path(&format!("/shipments/{}", reply.at("/data/uuid").as_str().unwrap()))
    };
    let cancel = format!("{}/cancel", path(&booked));
    fixture.app.post(&cancel).admin().send().await.expect(200);
    fixture.app.post(&cancel).admin().send().await.expect(200);
    fixture.app.delete(&path(&refused)).admin().send().await.expect(204);
    let received = receiver.until(4).await;
    let mut told: Vec<(String, Value)> = received
        .iter()
        .map(|one| one.json())
        .map(|one| (one["type"].as_str().unwrap().to_owned(), one["shipment_uuid"].clone()))
        .collect();
    told.sort_by(|one, other| one.0.cmp(&other.0));
    let (one, two) = (booked.at("/data/uuid"), refused.at("/data/uuid"));
    let expected = [
        ("shipment.booked".to_owned(), one.clone()),
        ("shipment.cancelled".to_owned(), one),
        ("shipment.deleted".to_owned(), two.clone()),
        ("shipment.failed".to_owned(), two),
    ];
    assert_eq!(told, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_tells_how_it_went_sqlite() {
    a_booking_tells_how_it_went(Database::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_tells_how_it_went_postgres() {
    a_booking_tells_how_it_went(Database::Postgres).await;
}

both! {
    async fn a_worker_that_dies_while_sending_is_followed_by_another(app) {
        let answer = |n| if n == 0 { Reaction::Silence } else { Reaction::Status(200) };
        let receiver = Receiver::start(answer).await;
        let made = webhook(&app, &receiver.url()).await;
        happen(&app).await;
        let dying = runner::run_due(&app.worker);
        let _dead = tokio::time::timeout(Duration::from_secs(2), dying).await;
        assert_eq!(receiver.received().len(), 1);
        advance(&app, Duration::from_secs(31)).await;
        let received = receiver.received();
        assert_eq!(received.len(), 2, "at least once");
        assert_eq!(received[0].headers["webhook-id"], received[1].headers["webhook-id"]);
        assert_eq!(deliveries(&app, &made).await[0]["state"], "delivered");
    }
}
