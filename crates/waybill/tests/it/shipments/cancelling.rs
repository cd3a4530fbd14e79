//! Cancelling what the carrier has, whatever became of the booking.

use std::time::Duration;

use serde_json::json;
use waybill_domain::job::JobKind;
use waybill_domain::time::Clock;
use waybill_store::jobs;

use super::fixtures;
use crate::batches;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};

/// A shipment of two parcels, of which the carrier takes the first.
async fn partly_accepted(fixture: &Fixture, reference: &str) -> Reply {
    let parcel = json!({"gross_weight": {"value": 500, "unit": "g"}});
    let body = order_with(reference, json!({"parcels": [parcel, parcel]}));
    fixture.book(&body).await.expect(502)
}

/// Leaves a cancellation as an answer that was lost leaves it.
async fn unsettled(fixture: &Fixture, reply: &Reply) {
    let (team, id, now) = (fixture.app.team, fixture.row(reply).await.id, fixture.app.clock.now());
    let schedule = move |tx: &mut waybill_store::Tx<'_>| {
        let due = tx.now(now)?;
        jobs::schedule(tx, JobKind::Cancel, id.into(), Some(team), due)
    };
    fixture.app.app.write(schedule).await.unwrap();
    fixture.app.app.wake_runner();
}

fn kinds(told: &[(String, String)]) -> Vec<&str> {
    told.iter().map(|(kind, _)| kind.as_str()).collect()
}

fixtures! {
    async fn a_partly_accepted_shipment_tells_which_parcels_exist_and_can_be_cancelled(fixture) {
        let reference = "PART-1 sim:partial";
        let failed = partly_accepted(&fixture, reference).await;
        assert!(failed.at("/data/parcels/0/tracking_number").is_string());
        assert_eq!(failed.at("/data/parcels/1/tracking_number"), json!(null));
        assert_eq!(failed.at("/data/failure/details/0/path"), "parcels.1");
        let message = failed.at("/data/failure/message").to_string();
        assert!(message.contains("only 1 of 2 parcels"), "{message}");
        let cancelled = fixture.act(&failed, "cancel").await.expect(200);
        assert_eq!(cancelled.at("/data/state"), "cancelled");
        assert!(cancelled.at("/data/cancelled_at").is_string());
        assert_eq!(cancelled.at("/data/updated_at"), cancelled.at("/data/cancelled_at"));
        assert_eq!(cancelled.at("/data/failure/reason"), "technical");
        // Again is harmless, and one call to the carrier is all there was.
        fixture.act(&failed, "cancel").await.expect(200);
        assert_eq!((fixture.bookings(reference), fixture.cancellations_of(reference)), (1, 1));
        assert_eq!(kinds(&fixture.told(&failed).await), ["shipment.failed", "shipment.cancelled"]);
        fixture.delete(&failed).await.expect(409);
        fixture.act(&failed, "documents").await.expect(409);
    }

    async fn a_shipment_without_documents_can_be_cancelled(fixture) {
        let reference = "PAPER-1 sim:documents=fail";
        let path = fixture.app.path("/shipments");
        let create = || {
            let ask = fixture.app.post(&path).admin().header("idempotency-key", "created-and-cancelled");
            ask.json(&order(reference).to_string()).send()
        };
        let failed = create().await.expect(502);
        let cancelled = fixture.act(&failed, "cancel").await.expect(200);
        assert_eq!(cancelled.at("/data/state"), "cancelled");
        assert_eq!((fixture.bookings(reference), fixture.cancellations_of(reference)), (1, 1));
        assert_eq!(kinds(&fixture.told(&failed).await), ["shipment.failed", "shipment.cancelled"]);
        fixture.delete(&failed).await.expect(409);
        // How the booking ended does not change.
        let replayed = create().await.expect(502);
        assert_eq!(replayed.header("idempotency-replayed"), Some("true"));
        assert_eq!(replayed.at("/data/state"), "cancelled");
    }

    async fn only_what_the_carrier_is_known_to_have_is_cancelled(fixture) {
        let refused = fixture.book(&order("NONE-1 sim:reject")).await.expect(424);
        fixture.act(&refused, "cancel").await.expect(409);
        let blind = json!({"delivery": {"service_code": "sandbox:no_lookup"}});
        let lost = fixture.book(&order_with("NONE-2 sim:drop", blind)).await.expect(202);
        let early = fixture.act(&lost, "cancel").await.expect(409);
        assert!(early.at("/message").as_str().unwrap().contains("still being booked"));
        fixture.advance(Duration::from_secs(121)).await;
        fixture.until(&lost, "failed").await;
        let unknown = fixture.act(&lost, "cancel").await.expect(409);
        assert!(unknown.at("/message").as_str().unwrap().contains("may have"), "{}", unknown.json());
        assert_eq!(fixture.cancellations(), 0);
    }

    async fn cancel_documents_and_delete_say_the_same_of_an_outcome_that_is_not_known(fixture) {
        let blind = json!({"delivery": {"service_code": "sandbox:no_lookup"}});
        let lost = fixture.book(&order_with("SAME sim:drop", blind)).await.expect(202);
        fixture.advance(Duration::from_secs(121)).await;
        fixture.until(&lost, "failed").await;
        let said = fixture.act(&lost, "cancel").await.expect(409).at("/message");
        for words in ["may have this shipment", "cannot be asked", "on the list of Sandbox",
            "If it is there", "If it is not there", "--not-booked"] {
            assert!(said.as_str().unwrap().contains(words), "{words}: {said}");
        }
        assert_eq!(fixture.act(&lost, "documents").await.expect(409).at("/message"), said);
        assert_eq!(fixture.delete(&lost).await.expect(409).at("/message"), said);
    }

    async fn cancelling_a_failed_member_rewrites_no_outcome_of_its_batch(fixture) {
        let batch = batches::open(&fixture).await;
        let some = [order("M-0 sim:documents=fail"), order("M-1")];
        let added = batches::add(&fixture, &batch, &some).await.expect(201);
        batches::act(&fixture, &batch, "start").await.expect(202);
        let done = batches::until(&fixture, &batch, "completed").await;
        assert_eq!((&done["failed_count"], &done["booked_count"]), (&json!(1), &json!(1)));
        let member = added.at("/data/0/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{member}/cancel"));
        fixture.app.post(&path).admin().send().await.expect(200);
        assert_eq!(batches::read(&fixture, &batch).await, done);
    }

    async fn an_unclear_cancellation_says_that_it_may_be_cancelled_and_where_to_look(fixture) {
        for reference in ["LOST-1 sim:cancel=drop", "LOST-2 sim:documents=fail sim:cancel=drop"] {
            let made = fixture.book(&order(reference)).await;
            let before = fixture.read(&made).await;
            let unclear = fixture.act(&made, "cancel").await.expect(502);
            let message = unclear.at("/message").as_str().unwrap().to_owned();
            assert!(message.contains("may be cancelled") && !message.contains("Nothing"), "{message}");
            let id = made.at("/data/uuid").as_str().unwrap().to_owned();
            let location = unclear.header("location").unwrap();
            assert!(location.ends_with(&format!("/shipments/{id}")), "{location}");
            let settled = fixture.until(&made, "cancelled").await;
            assert!(settled.at("/data/updated_at").as_str() > before.at("/data/updated_at").as_str());
            let told = fixture.told(&made).await;
            let last = told.last().unwrap();
            assert_eq!(last.0, "shipment.cancelled");
            assert_eq!(settled.at("/data/updated_at"), last.1);
            assert_eq!(fixture.cancellations_of(reference), 1);
        }
    }

    async fn a_cancellation_that_is_refused_in_the_end_advances_updated_at(fixture) {
        for (reference, kind) in [
            ("KEPT-1 sim:cancel=refuse", None),
            ("KEPT-2 sim:cancel=refuse sim:documents=fail", Some("shipment.failed")),
        ] {
            let made = fixture.book(&order(reference)).await;
            let before = fixture.read(&made).await;
            let told = fixture.told(&made).await.len();
            unsettled(&fixture, &made).await;
            let updated = before.at("/data/updated_at");
            let after = fixture.until_it(&made, |now| now.at("/data/updated_at") != updated).await;
            assert_eq!(after.at("/data/state"), before.at("/data/state"));
            let more = fixture.told(&made).await.split_off(told);
            assert_eq!(kinds(&more), kind.into_iter().collect::<Vec<_>>());
        }
    }

    async fn documents_are_not_tried_again_while_a_cancellation_is_not_confirmed(fixture) {
        let reference = "BOTH-1 sim:documents=fail sim:cancel=drop";
        let failed = fixture.book(&order(reference)).await.expect(502);
        fixture.act(&failed, "cancel").await.expect(502);
        fixture.act(&failed, "documents").await.expect(409);
        fixture.until(&failed, "cancelled").await;
        fixture.act(&failed, "documents").await.expect(409);
        assert_eq!(fixture.cancellations_of(reference), 1);
    }
}
