//! What a carrier answers, and what the caller is told. In the end there is one booking, or none.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use serde_json::json;

use waybill_domain::time::Clock;

use super::fixtures;
use crate::harness::fixture::{order, order_with};

fixtures! {
    // Rules: Booking flow 1, 4; Service 4.
    async fn a_success_within_the_wait_is_201_with_every_document_ready(fixture) {
        let reply = fixture.book(&order("ORDER-1")).await.expect(201);
        assert_eq!(reply.at("/data/state"), json!("booked"));
        assert_eq!(reply.at("/data/documents/0/types"), json!(["label"]));
        assert_eq!(reply.at("/data/delivery/carrier/code"), json!("sandbox"));
        assert_eq!(reply.at("/data/parties/merchant/contact/name"), json!("Nordic Books"));
        assert!(reply.at("/data/parcels/0/tracking_number").is_string());
        assert!(reply.header("location").unwrap().ends_with(reply.at("/data/uuid").as_str().unwrap()));
        let url = reply.at("/data/documents/0/url").as_str().unwrap().to_owned();
        let path = url.strip_prefix("http://waybill.test").unwrap();
        let label = fixture.app.get(path).send().await.expect(200);
        assert!(label.bytes.starts_with(b"%PDF-"));
        assert_eq!(fixture.bookings("ORDER-1"), 1);
    }

    // Rules: Booking flow 5, 7; Errors 3, 4.
    async fn a_definitive_rejection_is_424_with_the_stored_failed_shipment(fixture) {
        let reply = fixture.book(&order("ORDER-2 sim:reject")).await.expect(424);
        assert_eq!(reply.at("/data/state"), json!("failed"));
        assert_eq!(reply.at("/data/failure/reason"), json!("rejected"));
        assert!(!reply.at("/data/failure/details").as_array().unwrap().is_empty());
        let read = fixture.read(&reply).await;
        assert_eq!(read.at("/data/failure"), reply.at("/data/failure"));
        assert_eq!(fixture.bookings("ORDER-2 sim:reject"), 0);
    }

    // Rules: Booking flow 3, 6; Errors 2; Idempotency-Key 9.
    async fn a_slow_carrier_gives_202_with_a_place_to_look(fixture) {
        let started = fixture.app.clock.monotonic();
        let path = fixture.app.path("/shipments");
        let ask = fixture.app.post(&path).admin().header("idempotency-key", "order-3-has-a-key");
        let reply = ask.json(&order("ORDER-3 sim:delay=11s").to_string()).send().await.expect(202);
        let waited = fixture.app.clock.monotonic() - started;
        assert!((10..40).contains(&waited.as_secs()), "{waited:?}");
        assert_eq!(reply.at("/data/state"), json!("processing"));
        assert_eq!(reply.header("retry-after"), Some("5"));
        let location = reply.header("location").unwrap().to_owned();
        let path = location.strip_prefix("http://waybill.test").unwrap();
        fixture.app.get(path).admin().send().await.expect(200);
        fixture.until(&reply, "booked").await;
        assert_eq!(fixture.bookings("ORDER-3 sim:delay=11s"), 1);
    }

    async fn a_team_with_very_many_who_wait_is_answered_at_once_and_others_wait(fixture) {
        let api = &fixture.app.api;
        let all: Vec<_> = (0..api.waiting_bookings_max())
            .map(|_| api.waiting_bookings().take(fixture.app.team, i64::MAX).unwrap())
            .collect();
        let reply = fixture.book(&order("ORDER-5 sim:delay=3s")).await.expect(202);
        assert_eq!(reply.header("retry-after"), Some("5"));
        assert_eq!(reply.at("/data/state"), json!("processing"));
        fixture.until(&reply, "booked").await;
        drop(all);
        fixture.book(&order("ORDER-6 sim:delay=1s")).await.expect(201);
    }

    async fn a_team_with_very_many_calls_under_way_waits_for_itself(fixture) {
        let worker = &fixture.app.worker;
        let call = |_| worker.bookings_under_way.take(fixture.app.team, i64::MAX).unwrap();
        let all: Vec<_> = (0..256).map(call).collect();
        let body = order("ORDER-7");
        let (reply, booked) = tokio::join!(fixture.book(&body), async {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            let booked = fixture.bookings("ORDER-7");
            drop(all);
            booked
        });
        assert_eq!(booked, 0);
        fixture.until(&reply, "booked").await;
        assert_eq!(fixture.bookings("ORDER-7"), 1);
    }

    async fn a_caller_who_hangs_up_at_the_commit_delays_no_booking(fixture) {
        let accepted = || async {
            let count = "SELECT count(*) FROM shipment";
            fixture.app.app.read(move |tx| tx.one::<i64>(count, &[])).await.unwrap()
        };
        for number in 1..=10 {
            let order = order(&format!("GONE-{number}"));
            let mut asking = Box::pin(fixture.book(&order));
            // Nobody asks for the answer any more once the shipment is there.
            while accepted().await != Some(number) {
                let once = poll_fn(|context| Poll::Ready(asking.as_mut().poll(context)));
                if once.await.is_ready() {
                    break;
                }
            }
        }
        // Far sooner than a lease ends.
        tokio::time::timeout(Duration::from_secs(20), fixture.settled()).await.expect("in time");
        assert_eq!((1..=10).map(|number| fixture.bookings(&format!("GONE-{number}"))).sum::<usize>(), 10);
    }

    async fn a_broken_connection_or_a_nonsense_answer_is_looked_up_and_not_sent_again(fixture) {
        for reference in ["ORDER-4 sim:drop", "ORDER-4 sim:garbage"] {
            let reply = fixture.book(&order(reference)).await.expect(201);
            assert_eq!(reply.at("/data/state"), json!("booked"));
            assert_eq!(fixture.bookings(reference), 1);
        }
    }

    async fn a_carrier_that_turns_requests_away_unread_is_asked_again_until_the_deadline(fixture) {
        let reference = "ORDER-5 sim:error=503";
        let booking = order(reference);
        let time_passes = async {
            tokio::time::sleep(Duration::from_millis(1500)).await;
            fixture.advance(Duration::from_secs(121)).await;
        };
        let (reply, ()) = tokio::join!(fixture.book(&booking), time_passes);
        let reply = reply.expect(504);
        assert_eq!(fixture.bookings(reference), 0);
        // It is known that nobody has it: the caller is told so, and may throw it away.
        let message = reply.at("/data/failure/message").to_string();
        assert!(message.contains("Nothing was booked"), "{message}");
        let path = fixture.app.path(&format!("/shipments/{}", reply.at("/data/uuid").as_str().unwrap()));
        fixture.app.delete(&path).admin().send().await.expect(204);
    }

    // Decisions: a carrier without a look-up is never called again for that shipment.
    async fn a_carrier_that_cannot_be_asked_is_never_called_again(fixture) {
        let reference = "ORDER-6 sim:drop";
        let body = order_with(reference, json!({"delivery": {"service_code": "sandbox:no_lookup"}}));
        let reply = fixture.book(&body).await.expect(202);
        fixture.advance(Duration::from_secs(121)).await;
        let failed = fixture.until(&reply, "failed").await;
        assert_eq!(failed.at("/data/failure/reason"), json!("deadline"));
        let message = failed.at("/data/failure/message").to_string();
        assert!(message.contains("may have the booking"), "{message}");
        // Nothing will be heard, so nothing may be promised.
        assert!(message.contains("Look there before you book again"), "{message}");
        assert!(!message.contains("updates this shipment"), "{message}");
        assert_eq!(fixture.bookings(reference), 1);
        let path = fixture.app.path(&format!("/shipments/{}", reply.at("/data/uuid").as_str().unwrap()));
        fixture.app.delete(&path).admin().send().await.expect(409);
    }

    async fn a_carrier_that_books_a_reference_once_is_sent_the_same_attempt_again(fixture) {
        let reference = "ORDER-9 sim:drop";
        let once = json!({"delivery": {"service_code": "sandbox:idempotent"}});
        let reply = fixture.book(&order_with(reference, once)).await.expect(201);
        assert_eq!(fixture.bookings(reference), 1);
        let calls = "SELECT count(*) FROM carrier_call WHERE outcome = 'accepted'";
        let calls = fixture.app.app.read(move |tx| tx.one::<i64>(calls, &[])).await.unwrap();
        assert_eq!(calls, Some(1), "{}", reply.json());
    }

    // Rules: Service 5; Booking flow 9; Errors 4.
    async fn failing_documents_are_502_and_leave_the_carrier_with_one_booking(fixture) {
        let reference = "ORDER-7 sim:documents=fail";
        let reply = fixture.book(&order(reference)).await.expect(502);
        assert_eq!(reply.at("/data/failure/reason"), json!("technical"));
        let said = reply.at("/data/failure/details/0/message");
        assert_eq!(said, "The label could not be made, as it was told.");
        assert!(reply.at("/data/carrier_reference").is_string());
        let path = fixture.app.path(&format!("/shipments/{}", reply.at("/data/uuid").as_str().unwrap()));
        fixture.app.delete(&path).admin().send().await.expect(409);
        let again = fixture.app.post(&format!("{path}/documents")).admin().send().await.expect(202);
        assert_eq!(again.header("retry-after"), Some("5"));
        fixture.app.post(&format!("{path}/documents")).admin().send().await.expect(202);
        assert_eq!(fixture.bookings(reference), 1);
    }

    async fn documents_that_fail_once_are_fetched_again(fixture) {
        let reference = "ORDER-8 sim:documents=fail-once";
        let reply = fixture.book(&order(reference)).await.expect(201);
        assert_eq!(reply.at("/data/documents").as_array().unwrap().len(), 1);
        assert_eq!(fixture.bookings(reference), 1);
    }

    async fn a_booking_of_which_the_carrier_took_a_part_is_kept_and_told(fixture) {
        let reference = "ORDER-9 sim:partial";
        let parcel = json!({"gross_weight": {"value": 500, "unit": "g"}});
        let body = order_with(reference, json!({"parcels": [parcel, parcel]}));
        let reply = fixture.book(&body).await.expect(502);
        assert!(reply.at("/data/parcels/0/tracking_number").is_string());
        assert_eq!(reply.at("/data/parcels/1/tracking_number"), json!(null));
        assert!(!reply.at("/data/failure/details").as_array().unwrap().is_empty());
        let path = fixture.app.path(&format!("/shipments/{}", reply.at("/data/uuid").as_str().unwrap()));
        fixture.app.delete(&path).admin().send().await.expect(409);
    }

    // Rules: Shipment 1, 2, 3.
    async fn codes_come_with_the_shipment_in_the_order_of_its_parcels(fixture) {
        let parcel = json!({"gross_weight": {"value": 500, "unit": "g"}});
        let two = json!({"parcels": [parcel, parcel]});
        let reply = fixture.book(&order_with("ORDER-10 sim:qr sim:dropoff", two)).await.expect(201);
        for codes in ["/data/qr_codes", "/data/drop_off_codes"] {
            assert_eq!(reply.at(codes).as_array().unwrap().len(), 2);
        }
        let read = fixture.read(&reply).await;
        assert_eq!(read.at("/data/qr_codes/0/value"), reply.at("/data/qr_codes/0/value"));
        assert_eq!(read.at("/data/qr_codes/1/value"), reply.at("/data/qr_codes/1/value"));
        assert_eq!(read.at("/data/drop_off_codes"), reply.at("/data/drop_off_codes"));
        assert_eq!(read.at("/data/parcels"), reply.at("/data/parcels"));
        assert_eq!(reply.at("/data/documents").as_array().unwrap().len(), 1);
        assert_eq!(reply.at("/data/documents/0/types"), json!(["label"]));
    }

    async fn a_booked_shipment_is_cancelled_once_and_stays_cancelled(fixture) {
        let reply = fixture.book(&order("ORDER-11")).await.expect(201);
        let path = fixture.app.path(&format!("/shipments/{}/cancel", reply.at("/data/uuid").as_str().unwrap()));
        let cancelled = fixture.app.post(&path).admin().send().await.expect(200);
        assert_eq!(cancelled.at("/data/state"), json!("cancelled"));
        assert!(cancelled.at("/data/cancelled_at").is_string());
        let again = fixture.app.post(&path).admin().send().await.expect(200);
        assert_eq!(again.at("/data/cancelled_at"), cancelled.at("/data/cancelled_at"));
    }

    // Rules: Errors 1, 6.
    async fn a_refused_cancellation_is_409_with_the_carriers_words(fixture) {
        let reply = fixture.book(&order("ORDER-12 sim:cancel=refuse")).await.expect(201);
        let path = fixture.app.path(&format!("/shipments/{}/cancel", reply.at("/data/uuid").as_str().unwrap()));
        let refused = fixture.app.post(&path).admin().send().await.expect(409);
        assert_eq!(refused.header("retry-after"), None);
        assert!(refused.at("/message").is_string());
        assert_eq!(fixture.read(&reply).await.at("/data/state"), json!("booked"));
        let rejected = fixture.book(&order("ORDER-12 sim:reject")).await.expect(424);
        let id = rejected.at("/data/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}/cancel"));
        fixture.app.post(&path).admin().send().await.expect(409);
    }

    async fn an_unclear_cancellation_changes_nothing_and_is_asked_for_again(fixture) {
        let reply = fixture.book(&order("ORDER-14 sim:cancel=drop")).await.expect(201);
        let path = fixture.app.path(&format!("/shipments/{}/cancel", reply.at("/data/uuid").as_str().unwrap()));
        fixture.app.post(&path).admin().send().await.expect(502);
        assert_eq!(fixture.read(&reply).await.at("/data/state"), json!("booked"));
        fixture.until(&reply, "cancelled").await;
    }

    // Rules: Idempotency-Key 6.
    async fn a_cancellation_under_a_key_is_replayed(fixture) {
        let reply = fixture.book(&order("ORDER-15")).await.expect(201);
        let path = fixture.app.path(&format!("/shipments/{}/cancel", reply.at("/data/uuid").as_str().unwrap()));
        let ask = || fixture.app.post(&path).admin().header("idempotency-key", "cancel-of-order-15");
        let first = ask().send().await.expect(200);
        assert_eq!(first.header("idempotency-replayed"), None);
        let again = ask().send().await.expect(200);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        for kept in ["/data/uuid", "/data/state", "/data/cancelled_at", "/data/updated_at"] {
            assert_eq!(again.at(kept), first.at(kept));
        }
        fixture.app.post(&path).admin().header("idempotency-key", "short").send().await.expect(422);
        // Another key finds nothing to cancel, and is remembered all the same.
        for replayed in [None, Some("true")] {
            let other = fixture.app.post(&path).admin().header("idempotency-key", "another-key-of-order-15");
            let other = other.send().await.expect(200);
            assert_eq!(other.header("idempotency-replayed"), replayed);
        }
    }

    // Rules: Idempotency-Key 5.
    async fn many_who_cancel_at_once_are_one_call_to_the_carrier(fixture) {
        let reply = fixture.book(&order("ORDER-17")).await.expect(201);
        let path = fixture.app.path(&format!("/shipments/{}/cancel", reply.at("/data/uuid").as_str().unwrap()));
        for key in ["cancel-of-order-17", ""] {
            let asks = (0..8).map(|_| {
                let ask = fixture.app.post(&path).admin();
                if key.is_empty() { ask.send() } else { ask.header("idempotency-key", key).send() }
            });
            for reply in futures_util::future::join_all(asks).await {
                assert!(matches!(reply.status, 200 | 409), "{}", reply.status);
                assert!(reply.status == 200 || reply.header("retry-after").is_some());
            }
        }
        fixture.app.post(&path).admin().send().await.expect(200);
        assert_eq!(fixture.cancellations(), 1);
    }

    async fn server_timing_tells_what_the_booking_waited_for(fixture) {
        let reply = fixture.book(&order("ORDER-16 sim:delay=300ms")).await.expect(201);
        let timing = reply.header("server-timing").unwrap().to_owned();
        let millis = |name: &str| -> f64 {
            let part = timing.split(", ").find_map(|part| part.strip_prefix(name));
            let part = part.unwrap_or_else(|| panic!("no {name} in {timing}"));
            part.strip_prefix(";dur=").unwrap().parse().unwrap()
        };
        let parts: f64 = ["carrier", "render", "queue"].into_iter().map(millis).sum();
        assert!(millis("carrier") >= 300.0 && millis("db") > 0.0, "{timing}");
        assert!(millis("render") > 0.0 && millis("queue") > 0.0, "{timing}");
        assert!(parts <= millis("total"), "{timing}");
    }

    // Rules: Service 5; Sync 6.
    async fn only_what_no_carrier_has_or_may_have_is_deleted(fixture) {
        let rejected = fixture.book(&order("ORDER-13 sim:reject")).await.expect(424);
        let id = rejected.at("/data/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}"));
        fixture.app.delete(&path).admin().send().await.expect(204);
        fixture.app.get(&path).admin().send().await.expect(404);
        fixture.app.delete(&path).admin().send().await.expect(404);
        let booked = fixture.book(&order("ORDER-13")).await.expect(201);
        let id = booked.at("/data/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}"));
        fixture.app.delete(&path).admin().send().await.expect(409);
        for query in ["", "?sort=updated_at&updated_since=2020-01-01T00:00:00Z"] {
            let path = fixture.app.path(&format!("/shipments{query}"));
            let list = fixture.app.get(&path).admin().send().await.expect(200);
            assert_eq!(list.at("/data").as_array().unwrap().len(), 1);
        }
    }
}
