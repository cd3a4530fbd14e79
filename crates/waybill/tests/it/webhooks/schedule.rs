//! When things are sent, by a clock that moves when told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::retention::Kept;
use waybill_domain::time::Time;
use waybill_domain::webhook::SCHEDULE;
use waybill_worker::forget::{Forgotten, forget};

use super::{advance, deliveries, happen, path_of, webhook, work};
use crate::harness::receiver::{Reaction, Receiver};
use crate::harness::{TestApp, both};

const MINUTE: Duration = Duration::from_mins(1);

/// When a delivery was tried, in seconds after its first attempt.
fn offsets(delivery: &Value) -> Vec<u64> {
    let attempts = delivery["attempts"].as_array().unwrap();
    let at = |one: &Value| Time::parse(one["attempted_at"].as_str().unwrap()).unwrap();
    attempts.iter().map(|one| at(one).since(at(&attempts[0])).as_secs()).collect()
}

/// Lets so much time pass, in steps in which nothing can be missed by more than a minute.
async fn pass(app: &TestApp, time: Duration) {
    let mut passed = Duration::ZERO;
    while passed < time {
        let step = if passed < 10 * MINUTE { Duration::from_secs(1) } else { 10 * MINUTE };
        let step = if passed < 2 * MINUTE { step } else { step.max(MINUTE / 2) };
        advance(app, step).await;
        passed += step;
    }
}

/// A receiver that fails until it is switched on.
async fn receiver_that_is_down() -> (Receiver, Arc<AtomicBool>) {
    let is_up = Arc::new(AtomicBool::new(false));
    let seen = is_up.clone();
    let react = move |_| Reaction::Status(if seen.load(Ordering::SeqCst) { 200 } else { 500 });
    (Receiver::start(react).await, is_up)
}

both! {
    async fn a_delivery_that_fails_is_tried_nine_times_and_never_after_a_day(app) {
        let receiver = Receiver::start(|_| Reaction::Status(503)).await;
        let made = webhook(&app, &receiver.url()).await;
        happen(&app).await;
        work(&app).await;
        pass(&app, Duration::from_hours(30)).await;
        let delivery = &deliveries(&app, &made).await[0];
        let tried = offsets(delivery);
        assert_eq!(tried.len(), SCHEDULE.len(), "{tried:?}");
        for (tried, planned) in tried.iter().zip(SCHEDULE.map(|offset| offset.as_secs())) {
            let latest = planned + planned / 10 + 1200;
            assert!((planned..=latest).contains(tried), "{tried} for {planned}");
        }
        assert!(tried.iter().all(|tried| *tried <= 24 * 3600 - 15));
        assert_eq!(delivery["state"], "failed");
        assert_eq!(receiver.received().len(), SCHEDULE.len());
        let stamps: Vec<_> = receiver.received().iter().map(|one| {
            (one.headers["webhook-timestamp"].clone(), one.headers["webhook-signature"].clone())
        }).collect();
        assert!(stamps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
    }

    async fn everything_is_delivered_once_the_receiver_is_back_and_nothing_after_a_day(app) {
        let (receiver, is_up) = receiver_that_is_down().await;
        let made = webhook(&app, &receiver.url()).await;
        let mut events = Vec::new();
        for hour in 0..20 {
            for _ in 0..10 {
                events.push(happen(&app).await.to_string());
            }
            work(&app).await;
            is_up.store(hour >= 18, Ordering::SeqCst);
            for _ in 0..12 {
                advance(&app, 5 * MINUTE).await;
            }
        }
        for _ in 0..12 * 12 {
            advance(&app, 5 * MINUTE).await;
        }
        let all = deliveries(&app, &made).await;
        assert_eq!(all.len(), events.len());
        assert!(all.iter().all(|one| one["state"] == "delivered"));
        let day = 24 * 3600;
        assert!(all.iter().flat_map(offsets).all(|offset| offset <= day));
        let ids: std::collections::HashSet<_> =
            receiver.received().iter().map(|one| one.headers["webhook-id"].clone()).collect();
        assert_eq!(ids, events.into_iter().collect());
    }

    async fn a_receiver_that_fails_is_asked_a_little_at_a_time(app) {
        let (receiver, is_up) = receiver_that_is_down().await;
        let made = webhook(&app, &receiver.url()).await;
        for _ in 0..100 {
            happen(&app).await;
        }
        work(&app).await;
        let first = receiver.received().len();
        assert!((8..=12).contains(&first), "{first}");
        for _ in 0..20 {
            happen(&app).await;
            work(&app).await;
        }
        assert_eq!(receiver.received().len(), first, "what happens meanwhile waits too");
        let delivery = deliveries(&app, &made).await[0]["uuid"].as_str().unwrap().to_owned();
        let again = format!("{}/deliveries/{delivery}/retry", path_of(&app, &made));
        app.post(&again).admin().send().await.expect(202);
        work(&app).await;
        assert!(receiver.received().len() > first, "whoever asks is served at once");
        for _ in 0..60 {
            advance(&app, Duration::from_secs(1)).await;
        }
        let tried = receiver.received().len();
        assert!((20..=200).contains(&tried), "{tried}");
        is_up.store(true, Ordering::SeqCst);
        for _ in 0..30 {
            advance(&app, Duration::from_secs(10)).await;
        }
        let all = deliveries(&app, &made).await;
        assert_eq!(all.len(), 120);
        let states: Vec<_> = all.iter().filter(|one| one["state"] != "delivered").collect();
        assert!(states.is_empty(), "{states:?}");
    }

    async fn a_receiver_may_ask_for_patience(app) {
        let busy = b"HTTP/1.1 429 Busy\r\nretry-after: 600\r\ncontent-length: 4\r\n\r\nbusy";
        let answer = |n| if n == 0 { Reaction::Raw(busy.to_vec()) } else { Reaction::Status(200) };
        let receiver = Receiver::start(answer).await;
        let made = webhook(&app, &receiver.url()).await;
        happen(&app).await;
        work(&app).await;
        pass(&app, 9 * MINUTE).await;
        assert_eq!(receiver.received().len(), 1);
        let waiting = &deliveries(&app, &made).await[0];
        assert_eq!(waiting["attempts"][0]["response"], "busy");
        pass(&app, 2 * MINUTE).await;
        assert_eq!(receiver.received().len(), 2);
    }

    async fn a_receiver_that_is_gone_is_switched_off_at_once(app) {
        let receiver = Receiver::start(|_| Reaction::Status(410)).await;
        let made = webhook(&app, &receiver.url()).await;
        happen(&app).await;
        work(&app).await;
        let path = path_of(&app, &made);
        let ask = app.get(&path).admin().header("accept-language", "da");
        let shown = ask.send().await.expect(200);
        assert_eq!(shown.at("/data/is_active"), false);
        assert_eq!(shown.at("/data/disabled_reason"), "Modtageren svarede 410 Gone.");
        happen(&app).await;
        advance(&app, Duration::from_hours(1)).await;
        assert_eq!(receiver.received().len(), 1);
        assert_eq!(deliveries(&app, &made).await[0]["state"], "failed");
        let off = app.patch(&path).admin().json(r#"{"is_active":false}"#).send().await.expect(200);
        assert_eq!(off.at("/data/disabled_reason"), "The receiver answered 410 Gone.");
        let on = app.patch(&path).admin().json(r#"{"is_active":true}"#).send().await.expect(200);
        assert_eq!(on.at("/data/disabled_reason"), Value::Null);
        happen(&app).await;
        work(&app).await;
        assert_eq!(receiver.received().len(), 2);
    }

    async fn a_receiver_that_fails_for_five_days_is_switched_off(app) {
        let receiver = Receiver::start(|_| Reaction::Status(500)).await;
        let made = webhook(&app, &receiver.url()).await;
        let is_active = || async {
            let shown = app.get(&path_of(&app, &made)).admin().send().await.expect(200);
            (shown.at("/data/is_active"), shown.at("/data/disabled_reason"))
        };
        for day in 0..5 {
            happen(&app).await;
            work(&app).await;
            assert_eq!(is_active().await, (json!(true), Value::Null), "day {day}");
            advance(&app, Duration::from_hours(24)).await;
        }
        happen(&app).await;
        work(&app).await;
        let reason = json!("Every delivery failed for 5 days.");
        assert_eq!(is_active().await, (json!(false), reason));
        assert!(deliveries(&app, &made).await.iter().all(|one| one["state"] == "failed"));
    }

    async fn one_success_ends_five_days_of_failure(app) {
        let answer = |n| Reaction::Status(if n == 3 { 200 } else { 500 });
        let receiver = Receiver::start(answer).await;
        let made = webhook(&app, &receiver.url()).await;
        for _ in 0..7 {
            happen(&app).await;
            work(&app).await;
            advance(&app, Duration::from_hours(25)).await;
        }
        let shown = app.get(&path_of(&app, &made)).admin().send().await.expect(200);
        assert_eq!(shown.at("/data/is_active"), true);
    }

    async fn what_was_sent_can_be_read_for_a_month(app) {
        let receiver = Receiver::start(|_| Reaction::Status(200)).await;
        let made = webhook(&app, &receiver.url()).await;
        happen(&app).await;
        work(&app).await;
        let read_after_sweep = || async {
            forget(&app.worker, Forgotten::Kept(Kept::Deliveries)).await;
            deliveries(&app, &made).await.len()
        };
        app.clock.advance(Duration::from_hours(30 * 24 - 1));
        happen(&app).await;
        work(&app).await;
        assert_eq!(read_after_sweep().await, 2);
        app.clock.advance(Duration::from_hours(2));
        assert_eq!(read_after_sweep().await, 1);
    }
}
