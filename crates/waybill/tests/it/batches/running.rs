//! Starting, booking one at a time, stopping.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::booking::Step;
use waybill_domain::ids::ShipmentId;
use waybill_domain::time::Clock;
use waybill_store::{Tx, events, shipments};

use super::{act, add, filled, members, open, path, read, slow, until};
use crate::harness::fixture::{order, order_with};
use crate::shipments::fixtures;

fixtures! {
    async fn members_are_booked_one_at_a_time_in_order_and_failures_do_not_stop_it(fixture) {
        let batch = open(&fixture).await;
        let some = [
            order("R-0"),
            order_with("R-1 sim:reject", json!({})),
            order("R-2"),
            order_with("R-3 sim:reject", json!({})),
            order("R-4"),
        ];
        add(&fixture, &batch, &some).await.expect(201);
        let started = act(&fixture, &batch, "start").await.expect(202);
        assert_eq!(started.at("/data/state"), "queued");
        assert_eq!(started.at("/data/pending_count"), 5);
        let done = until(&fixture, &batch, "completed").await;
        assert_eq!((&done["booked_count"], &done["failed_count"]), (&json!(3), &json!(2)));
        assert_eq!(done["progress"], 100);
        assert!(done["finished_at"].is_string());
        let members = members(&fixture, &batch).await;
        let booked: Vec<_> = members.iter().map(|m| m["state"] == "booked").collect();
        assert_eq!(booked, [true, false, true, false, true]);
        let times: Vec<_> = members.iter().map(|m| m["updated_at"].as_str().unwrap()).collect();
        assert!(times.is_sorted(), "{times:?}");
        // A batch that ran may be started again: nothing happens.
        assert_eq!(act(&fixture, &batch, "start").await.expect(200).at("/data/state"), "completed");
        assert_eq!(fixture.bookings("R-0"), 1);
    }

    async fn an_empty_batch_and_a_stopped_one_cannot_be_started(fixture) {
        let batch = open(&fixture).await;
        act(&fixture, &batch, "start").await.expect(409);
        act(&fixture, &batch, "stop").await.expect(409);
        add(&fixture, &batch, &[slow("E-0", 2), order("E-1")]).await.expect(201);
        act(&fixture, &batch, "start").await.expect(202);
        until(&fixture, &batch, "processing").await;
        act(&fixture, &batch, "stop").await.expect(202);
        act(&fixture, &batch, "start").await.expect(409);
        until(&fixture, &batch, "stopped").await;
        act(&fixture, &batch, "start").await.expect(409);
        act(&fixture, &batch, "stop").await.expect(200);
    }

    async fn shipments_are_added_to_an_open_batch_only(fixture) {
        let batch = filled(&fixture, "O", 1).await;
        act(&fixture, &batch, "start").await.expect(202);
        let refused = add(&fixture, &batch, &[order("O-late")]).await.expect(409);
        let why = refused.at("/message").as_str().unwrap().to_owned();
        assert!(why.starts_with("Shipments can only be added to a batch that was not"), "{why}");
        assert_eq!(refused.header("retry-after"), None);
        until(&fixture, &batch, "completed").await;
        add(&fixture, &batch, &[order("O-later")]).await.expect(409);
        assert_eq!(members(&fixture, &batch).await.len(), 1);
    }

    async fn stopping_finishes_the_member_in_hand_and_cancels_the_rest(fixture) {
        let batch = open(&fixture).await;
        add(&fixture, &batch, &[slow("S-0", 2), order("S-1"), order("S-2")]).await.expect(201);
        act(&fixture, &batch, "start").await.expect(202);
        until(&fixture, &batch, "processing").await;
        let stopping = act(&fixture, &batch, "stop").await.expect(202);
        assert_eq!(stopping.at("/data/state"), "stopping");
        assert_eq!(stopping.at("/data/cancelled_count"), 2);
        assert_eq!(stopping.at("/data/processing_count"), 1);
        let stopped = until(&fixture, &batch, "stopped").await;
        assert_eq!((&stopped["booked_count"], &stopped["cancelled_count"]), (&json!(1), &json!(2)));
        let members = members(&fixture, &batch).await;
        let states: Vec<_> = members.iter().map(|m| m["state"].clone()).collect();
        assert_eq!(states, ["booked", "cancelled", "cancelled"]);
        assert_eq!((fixture.bookings("S-1"), fixture.bookings("S-2")), (0, 0));
    }

    async fn a_key_replays_a_start_with_the_status_it_had(fixture) {
        let batch = filled(&fixture, "K", 1).await;
        let path = path(&fixture, &format!("/{batch}/start"));
        let start = || fixture.app.post(&path).admin().header("idempotency-key", "starts-the-batch").send();
        start().await.expect(202);
        until(&fixture, &batch, "completed").await;
        let again = start().await.expect(202);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/state"), "completed");
        act(&fixture, &batch, "start").await.expect(200);
    }

    async fn batches_of_a_team_run_side_by_side_up_to_the_limit(fixture) {
        for n in 0..4 {
            let batch = open(&fixture).await;
            add(&fixture, &batch, &[slow(&format!("T-{n}"), 1)]).await.expect(201);
            act(&fixture, &batch, "start").await.expect(202);
        }
        let mut most = 0;
        loop {
            // All in one look: while one is read after the other, they change.
            let list = fixture.app.get(&path(&fixture, "")).admin().send().await.expect(200).at("/data");
            let states = list.as_array().unwrap().iter().map(|batch| batch["state"].clone());
            let states: Vec<Value> = states.collect();
            most = most.max(states.iter().filter(|state| *state == "processing").count());
            if states.iter().all(|state| state == "completed") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(most, 2, "the tests allow two");
    }

    async fn a_single_booking_does_not_wait_behind_a_batch(fixture) {
        let batch = open(&fixture).await;
        let some: Vec<Value> = (0..4).map(|n| slow(&format!("W-{n}"), 5)).collect();
        add(&fixture, &batch, &some).await.expect(201);
        act(&fixture, &batch, "start").await.expect(202);
        until(&fixture, &batch, "processing").await;
        let started = fixture.app.clock.monotonic();
        fixture.book(&order("single")).await.expect(201);
        let took = fixture.app.clock.monotonic() - started;
        assert!(took < Duration::from_secs(4), "a member takes five seconds: {took:?}");
        act(&fixture, &batch, "stop").await.expect(202);
        until(&fixture, &batch, "stopped").await;
    }

    async fn a_late_success_corrects_the_counts_of_a_batch_that_is_over(fixture) {
        let batch = open(&fixture).await;
        let added = add(&fixture, &batch, &[order("C-0 sim:drop")]).await.expect(201);
        let member = added.at("/data/0/uuid").as_str().unwrap().to_owned();
        let id = ShipmentId::parse(&member).unwrap();
        act(&fixture, &batch, "start").await.expect(202);
        // The answer is lost; before anybody asks, the deadline passes.
        let team = fixture.app.team;
        loop {
            let read = move |tx: &mut Tx<'_>| shipments::find(tx, team, id);
            if fixture.app.app.read(read).await.unwrap().unwrap().step == Step::Unknown {
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        fixture.advance(Duration::from_secs(121)).await;
        let corrected = loop {
            let now = until(&fixture, &batch, "completed").await;
            if now["booked_count"] == 1 {
                break now;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert_eq!((&corrected["failed_count"], &corrected["total_count"]), (&json!(0), &json!(1)));
        let read = move |tx: &mut Tx<'_>| events::list_of(tx, team, id.into());
        let told: Vec<_> = fixture.app.app.read(read).await.unwrap();
        let told: Vec<_> = told.into_iter().map(|event| event.kind).collect();
        assert_eq!(told, ["shipment.failed", "shipment.booked"]);
        assert!(corrected["updated_at"].as_str() > corrected["finished_at"].as_str());
    }

    async fn cancelling_a_booked_member_rewrites_no_outcome(fixture) {
        let batch = filled(&fixture, "X", 2).await;
        act(&fixture, &batch, "start").await.expect(202);
        until(&fixture, &batch, "completed").await;
        let member = members(&fixture, &batch).await[0]["uuid"].as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{member}/cancel"));
        fixture.app.post(&path).admin().send().await.expect(200);
        let after = read(&fixture, &batch).await;
        assert_eq!((&after["booked_count"], &after["cancelled_count"]), (&json!(2), &json!(0)));
        let found = fixture.app.app.read(|tx| {
            waybill_store::check::check(tx, waybill_domain::time::Time(i64::MAX / 2))
        });
        let found: Vec<_> = found.await.unwrap();
        let about_batches: Vec<_> = found.iter().filter(|v| v.rule.contains("batch")).collect();
        assert!(about_batches.is_empty(), "{about_batches:?}");
    }
}
