//! Sending again must not book again: a shop that got no label presses the button once more.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::Value;
use waybill_api::dispatch;
use waybill_store::Tx;

use super::shop::{DEMO_LABELS, LABELS, order, shipment};
use crate::harness::Reply;
use crate::harness::answers::send;
use crate::harness::fixture::Fixture;
use crate::shipments::fixtures;

/// A request as the administrator of the fixture sends it, to any server.
fn request(fixture: &Fixture, body: &Value) -> Request<Body> {
    let authorization = format!("Bearer {}", fixture.app.admin);
    let request = Request::post(LABELS).header("authorization", authorization);
    request.body(Body::from(body.to_string())).unwrap()
}

/// Waits until the store knows that the label of a shipment was taken.
async fn noted(fixture: &Fixture) {
    let count = "SELECT count(*) FROM legacy_booking WHERE answered_at IS NOT NULL";
    for _ in 0..600 {
        let read = move |tx: &mut Tx<'_>| tx.one::<i64>(count, &[]);
        if fixture.app.app.read(read).await.unwrap() > Some(0) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never noted");
}

fixtures! {
    async fn ten_requests_at_the_same_moment_are_one_shipment_on_two_servers(fixture) {
        let fixture = Arc::new(fixture);
        // A file of SQLite has one server.
        let other = match fixture.app.app.store().is_shared() {
            true => dispatch::router(fixture.app.beside(10_000, 10_000)),
            false => fixture.app.router.clone(),
        };
        let sent = (0..10).map(|number| {
            let (fixture, other) = (Arc::clone(&fixture), other.clone());
            tokio::spawn(async move {
                let router = if number % 2 == 0 { fixture.app.router.clone() } else { other };
                send(&router, request(&fixture, &order("TEN"))).await
            })
        });
        let sent: Vec<_> = sent.collect();
        let mut ids = Vec::new();
        for reply in sent {
            ids.push(shipment(&reply.await.unwrap().expect(200)));
        }
        ids.dedup();
        assert_eq!(ids.len(), 1, "{ids:?}");
        assert_eq!(fixture.bookings("TEN"), 1);
    }

    async fn a_label_that_nobody_read_comes_again_and_one_that_was_read_is_followed_by_a_new_one(
        fixture
    ) {
        let body = order("AGAIN");
        let first = fixture.label_unread(&body).await.expect(200);
        let second = fixture.label(&body).await.expect(200);
        assert_eq!(shipment(&first), shipment(&second));
        assert_eq!(fixture.bookings("AGAIN"), 1);
        // At once, whether the store knows it by now or not.
        let third = fixture.label(&body).await.expect(200);
        assert_ne!(shipment(&first), shipment(&third));
        noted(&fixture).await;
        let fourth = fixture.label_unread(&body).await.expect(200);
        assert_ne!(shipment(&third), shipment(&fourth));
        assert_eq!(fixture.bookings("AGAIN"), 3);
    }

    async fn the_same_body_on_another_path_or_of_another_team_is_another_request(fixture) {
        let body = order("PREFIX");
        let first = fixture.label_unread(&body).await.expect(200);
        let demo = fixture.asking(DEMO_LABELS, &body).send_and_leave().await.expect(200);
        assert_ne!(shipment(&first), shipment(&demo));
        let spelt = "/api/v1/website/WWW.shop.example.com/labels";
        let same = fixture.asking(spelt, &body).send_and_leave().await.expect(200);
        assert_eq!(shipment(&first), shipment(&same), "it is the same website");
        let mut other = body.clone();
        other["receiver"]["address_line2"] = Value::Null;
        let other = fixture.label_unread(&other).await.expect(200);
        assert_ne!(shipment(&first), shipment(&other), "another floor");
    }

    async fn a_request_is_known_again_for_a_day(fixture) {
        let body = order("DAY");
        let first = fixture.label_unread(&body).await.expect(200);
        fixture.advance(Duration::from_secs(24 * 60 * 60 - 60)).await;
        let same = fixture.label_unread(&body).await.expect(200);
        assert_eq!(shipment(&first), shipment(&same));
        fixture.advance(Duration::from_secs(61)).await;
        let next = fixture.label_unread(&body).await.expect(200);
        assert_ne!(shipment(&first), shipment(&next));
        assert_eq!(fixture.bookings("DAY"), 2);
    }

    async fn documents_that_are_missing_are_made_and_nothing_is_booked(fixture) {
        let reference = "PAPERS sim:documents=15s";
        let body = order(reference);
        let failed = fixture.label(&body).await.expect(502);
        let id = failed.at("/id").as_str().unwrap().to_owned();
        let label = async {
            for _ in 0..60 {
                let reply: Reply = fixture.label(&body).await;
                if reply.status == 200 {
                    return reply;
                }
                assert_eq!(reply.at("/id"), Value::from(id.as_str()));
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            panic!("never a label")
        };
        let label = label.await;
        assert_eq!(shipment(&label), id);
        assert_eq!(fixture.bookings(reference), 1);
        let never = order("PAPERS-2 sim:documents=fail");
        let first = fixture.label(&never).await.expect(502);
        let second = fixture.label(&never).await.expect(502);
        assert_eq!(first.at("/id"), second.at("/id"));
        assert_eq!(fixture.bookings("PAPERS-2 sim:documents=fail"), 1);
    }

    async fn what_the_carrier_may_have_is_never_booked_again(fixture) {
        // The sandbox books this and lets nobody know, nor look for it.
        let mut body = order("LOST sim:drop");
        body["shipping_method"] = Value::from("no_lookup");
        let time_passes = async {
            let sent = "SELECT count(*) FROM carrier_call WHERE outcome IS NOT NULL";
            for _ in 0..600 {
                let read = move |tx: &mut Tx<'_>| tx.one::<i64>(sent, &[]);
                if fixture.app.app.read(read).await.unwrap() > Some(0) {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            fixture.advance(Duration::from_secs(121)).await;
        };
        let (first, ()) = tokio::join!(fixture.label(&body), time_passes);
        let first = first.expect(504);
        let again = fixture.label(&body).await.expect(504);
        assert_eq!(first.at("/id"), again.at("/id"));
        assert!(fixture.bookings("LOST sim:drop") <= 1);
    }

    async fn a_shipment_that_is_gone_is_no_answer(fixture) {
        let body = order("GONE");
        let first = fixture.label_unread(&body).await.expect(200);
        let path = fixture.app.path(&format!("/shipments/{}/cancel", shipment(&first)));
        fixture.app.post(&path).admin().send().await;
        fixture.settled().await;
        let next = fixture.label(&body).await.expect(200);
        assert_ne!(shipment(&first), shipment(&next), "the first one is cancelled");
    }
}
