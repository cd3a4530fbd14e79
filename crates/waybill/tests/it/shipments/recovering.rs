//! Documents again: said while it lasts, told when it fails, and never a second booking.

use std::time::Duration;

use serde_json::{Value, json};

use super::fixtures;
use crate::batches;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order};

async fn recover(fixture: &Fixture, member: &str) -> Reply {
    let path = fixture.app.path(&format!("/shipments/{member}/documents"));
    fixture.app.post(&path).admin().send().await
}

fn uuid(reply: &Reply, pointer: &str) -> String {
    reply.at(pointer).as_str().unwrap().to_owned()
}

fixtures! {
    async fn a_shipment_says_that_its_documents_are_tried_again_and_tells_when_they_fail(fixture) {
        let reference = "AGAIN-1 sim:documents=fail";
        let failed = fixture.book(&order(reference)).await.expect(502);
        let again = fixture.act(&failed, "documents").await.expect(202);
        assert_eq!(again.at("/data/state"), "processing");
        assert_eq!(again.at("/data/failure"), Value::Null);
        assert!(again.at("/data/updated_at").as_str() > failed.at("/data/updated_at").as_str());
        assert!(again.header("location").unwrap().ends_with(&uuid(&failed, "/data/uuid")));
        // Meanwhile asking again changes nothing, and it can be neither cancelled nor deleted.
        let twice = fixture.act(&failed, "documents").await.expect(202);
        assert_eq!(twice.at("/data/updated_at"), again.at("/data/updated_at"));
        let early = fixture.act(&failed, "cancel").await.expect(409);
        let why = early.at("/message").as_str().unwrap().to_owned();
        assert!(why.contains("documents are being made again"), "{why}");
        fixture.delete(&failed).await.expect(409);
        let second = fixture.until(&failed, "failed").await;
        assert_eq!(second.at("/data/failure/reason"), "technical");
        assert!(second.at("/data/updated_at").as_str() > again.at("/data/updated_at").as_str());
        let told = fixture.told(&failed).await;
        let kinds: Vec<_> = told.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds, ["shipment.failed", "shipment.failed"]);
        assert_eq!(second.at("/data/updated_at"), told[1].1);
        assert_eq!(fixture.bookings(reference), 1);
    }

    async fn documents_that_come_at_last_make_it_booked_and_nothing_is_booked_again(fixture) {
        let reference = "AGAIN-2 sim:documents=15s";
        let path = fixture.app.path("/shipments");
        let create = || {
            let ask = fixture.app.post(&path).admin().header("idempotency-key", "documents-again-1");
            ask.json(&order(reference).to_string()).send()
        };
        let failed = create().await.expect(502);
        fixture.act(&failed, "documents").await.expect(202);
        // The create is under way again, as the shipment is.
        let replayed = create().await.expect(202);
        assert_eq!(replayed.header("idempotency-replayed"), Some("true"));
        assert_eq!(replayed.at("/data/state"), "processing");
        for _ in 0..60 {
            let now = fixture.until_it(&failed, |now| now.at("/data/state") != "processing").await;
            if now.at("/data/state") == "booked" {
                break;
            }
            fixture.act(&failed, "documents").await.expect(202);
        }
        let booked = fixture.act(&failed, "documents").await.expect(200);
        assert_eq!(booked.at("/data/state"), "booked");
        assert_eq!(booked.at("/data/failure"), Value::Null);
        assert_eq!(booked.at("/data/documents").as_array().unwrap().len(), 1);
        assert_eq!(fixture.told(&failed).await.last().unwrap().0, "shipment.booked");
        create().await.expect(201);
        assert_eq!(fixture.bookings(reference), 1);
    }

    async fn a_cancellation_that_meets_a_recovery_of_documents_is_told_what_is_under_way(fixture) {
        let orders: Vec<Value> =
            (0..8).map(|place| order(&format!("MEET-{place} sim:documents=fail"))).collect();
        let booked = futures_util::future::join_all(orders.iter().map(|order| fixture.book(order)));
        for booked in booked.await {
            let failed = fixture.until(&booked, "failed").await;
            let (documents, cancel) =
                tokio::join!(fixture.act(&failed, "documents"), fixture.act(&failed, "cancel"));
            // Whoever comes second is told of the first; both may come one after the other, too.
            for (reply, words) in [
                (cancel, &["documents are being made again"][..]),
                (documents, &["was asked to cancel this shipment", "This shipment is cancelled"]),
            ] {
                let told = reply.json()["message"].as_str().map(str::to_owned);
                assert!(
                    reply.status != 409
                        || told.as_ref().is_some_and(|t| words.iter().any(|w| t.contains(w))),
                    "{told:?}"
                );
            }
        }
    }

    async fn a_cancelled_shipment_has_no_documents_to_recover(fixture) {
        let booked = fixture.book(&order("AGAIN-3")).await.expect(201);
        fixture.act(&booked, "documents").await.expect(200);
        fixture.act(&booked, "cancel").await.expect(200);
        let refused = fixture.act(&booked, "documents").await.expect(409);
        assert!(refused.at("/message").as_str().unwrap().contains("cancelled"));
        assert_eq!(fixture.read(&booked).await.at("/data/state"), "cancelled");
    }

    async fn a_batch_that_is_over_stays_over_while_documents_are_tried_again(fixture) {
        let batch = batches::open(&fixture).await;
        let some = [order("B-0 sim:documents=fail"), order("B-1 sim:documents=fail")];
        let added = batches::add(&fixture, &batch, &some).await.expect(201);
        batches::act(&fixture, &batch, "start").await.expect(202);
        let done = batches::until(&fixture, &batch, "completed").await;
        assert_eq!(done["failed_count"], 2);
        // Two at once: neither is the member in hand.
        for pointer in ["/data/0/uuid", "/data/1/uuid"] {
            let again = recover(&fixture, &uuid(&added, pointer)).await.expect(202);
            assert_eq!(again.at("/data/state"), "processing");
        }
        assert_eq!(batches::read(&fixture, &batch).await, done);
        fixture.settled().await;
        assert_eq!(batches::read(&fixture, &batch).await, done);
    }

    async fn a_member_is_booked_while_the_documents_of_an_earlier_one_are_tried_again(fixture) {
        let batch = batches::open(&fixture).await;
        let late = order("E-0 sim:documents=15s");
        let added = batches::add(&fixture, &batch, &[late, batches::slow("E-1", 9)]).await.expect(201);
        batches::act(&fixture, &batch, "start").await.expect(202);
        let (first, second) = (uuid(&added, "/data/0/uuid"), uuid(&added, "/data/1/uuid"));
        let second_path = fixture.app.path(&format!("/shipments/{second}"));
        for _ in 0..600 {
            let now = fixture.app.get(&second_path).admin().send().await.expect(200);
            if now.at("/data/state") == "processing" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        recover(&fixture, &first).await.expect(202);
        let now = batches::read(&fixture, &batch).await;
        assert_eq!((&now["state"], &now["processing_count"]), (&json!("processing"), &json!(1)));
        assert_eq!(now["failed_count"], 1);
        let done = batches::until(&fixture, &batch, "completed").await;
        assert!(done["booked_count"].as_i64() >= Some(1));
        fixture.settled().await;
        for _ in 0..60 {
            if recover(&fixture, &first).await.status == 200 {
                break;
            }
            fixture.settled().await;
        }
        let corrected = batches::read(&fixture, &batch).await;
        assert_eq!((&corrected["booked_count"], &corrected["failed_count"]), (&json!(2), &json!(0)));
        assert_eq!(corrected["state"], "completed");
    }
}
