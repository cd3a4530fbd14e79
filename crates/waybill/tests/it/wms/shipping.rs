//! Shipping: in every way that a booking ends, once and for good.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use waybill_domain::booking::Step;
use waybill_domain::ids::ShipmentId;

use super::{act, adjust, id, item, level, list, packed, path, post, read, wanting};
use crate::harness::Reply;
use crate::harness::fixture::Fixture;
use crate::shipments::fixtures;

fn shipment(reply: &Reply) -> String {
    reply.at("/data/shipment_uuid").as_str().unwrap().to_owned()
}

/// The shipment of a request, as a shipment is shown.
async fn shipment_of(fixture: &Fixture, reply: &Reply) -> Reply {
    let one = fixture.app.path(&format!("/shipments/{}", shipment(reply)));
    fixture.app.get(&one).admin().send().await.expect(200)
}

/// Reads until the request is in this state.
async fn until(fixture: &Fixture, request: &str, state: &str) -> Reply {
    for _ in 0..600 {
        let now = read(&fixture.app, request).await;
        if now.at("/data/state") == state {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never {state}: {}", read(&fixture.app, request).await.json());
}

/// Lets the deadline pass as soon as the answer of the carrier was unclear.
async fn past_the_deadline(fixture: &Fixture, request: &str) {
    for _ in 0..600 {
        let now = read(&fixture.app, request).await.at("/data/shipment_uuid");
        if let Some(id) = now.as_str().and_then(ShipmentId::parse)
            && fixture.row_of(id).await.step == Step::Unknown
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    fixture.advance(Duration::from_secs(121)).await;
}

async fn taken(fixture: &Fixture, request: &str) -> Vec<Value> {
    let of = format!("/inventory-adjustments?fulfilment_request_uuid={request}");
    list(&fixture.app, &of).await
}

fixtures! {
    async fn a_booked_shipment_ships_its_request_and_takes_the_stock_once(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "SHIPPED", &[("B-1", 4)]).await;
        let shipped = act(app, &made, "ship").await.expect(200);
        assert_eq!(shipped.at("/data/state"), "shipped");
        assert_eq!(level(app, "B-1", "A-1").await, (6, 0));
        let lines = taken(&fixture, &made).await;
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0]["delta"], -4);
        assert_eq!(lines[0]["reason"], "shipped");
        assert_eq!(lines[0]["fulfilment_request_uuid"], json!(made));
        let takes = json!([{"location": "A-1", "quantity": 4}]);
        assert_eq!(shipped.at("/data/lines/0/allocations"), takes);
        let booked = shipment_of(&fixture, &shipped).await;
        assert_eq!(booked.at("/data/state"), "booked");
        assert_eq!(booked.at("/data/identifier"), "4521");
        let thing = booked.at("/data/parcels/0/items/0");
        assert_eq!((&thing["sku"], &thing["description"]), (&json!("B-1"), &json!("Item B-1")));
        assert_eq!((&thing["quantity"], &thing["hs_code"]), (&json!(4), &json!("490199")));
        assert_eq!(thing["net_weight"], json!({"value": 400, "unit": "g"}));
        let again = act(app, &made, "ship").await.expect(200);
        assert_eq!(again.at("/data"), shipped.at("/data"));
        assert_eq!(fixture.bookings("SHIPPED"), 1);
        // What was shipped stays shipped when the shipment is cancelled.
        fixture.act(&booked, "cancel").await.expect(200);
        assert_eq!(read(app, &made).await.at("/data"), shipped.at("/data"));
        assert_eq!(level(app, "B-1", "A-1").await, (6, 0));
    }

    async fn what_the_carrier_refuses_stays_packed_and_may_ship_again(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "NO sim:reject", &[("B-1", 4)]).await;
        let refused = act(app, &made, "ship").await.expect(424);
        assert_eq!(refused.at("/data/state"), "packed");
        assert_eq!(level(app, "B-1", "A-1").await, (10, 4));
        let failed = shipment_of(&fixture, &refused).await;
        assert_eq!(failed.at("/data/state"), "failed");
        let again = act(app, &made, "ship").await.expect(424);
        assert_ne!(shipment(&again), shipment(&refused));
        let failed = shipment_of(&fixture, &again).await;
        fixture.delete(&failed).await.expect(204);
        assert_eq!(read(app, &made).await.at("/data/shipment_uuid"), Value::Null);
        act(app, &made, "cancel").await.expect(200);
        assert_eq!(level(app, "B-1", "A-1").await, (10, 0));
        assert!(taken(&fixture, &made).await.is_empty());
    }

    async fn a_late_success_ships_the_request(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "LATE sim:drop", &[("B-1", 1)]).await;
        let asking = act(app, &made, "ship");
        let (reply, ()) = tokio::join!(asking, past_the_deadline(&fixture, &made));
        let late = reply.expect(504);
        assert_eq!(late.at("/data/state"), "packed");
        let shipped = until(&fixture, &made, "shipped").await;
        assert_eq!(shipment(&shipped), shipment(&late));
        assert_eq!(level(app, "B-1", "A-1").await, (9, 0));
        assert_eq!(fixture.bookings("LATE sim:drop"), 1);
    }

    async fn what_the_carrier_may_have_is_neither_shipped_again_nor_cancelled(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        adjust(app, "B-1", "A-1", 5).await.expect(201);
        let mut body = wanting("MAYBE sim:drop", &[("B-1", 1)]);
        body["shipment"]["delivery"]["service_code"] = json!("sandbox:no_lookup");
        let made = id(&post(app, "/fulfilment-requests", &body).await.expect(201));
        for action in ["allocate", "pick", "pack"] {
            act(app, &made, action).await.expect(200);
        }
        let asking = act(app, &made, "ship");
        let (reply, ()) = tokio::join!(asking, past_the_deadline(&fixture, &made));
        let unknown = reply.expect(504);
        assert_eq!(unknown.at("/data/state"), "packed");
        for action in ["ship", "cancel"] {
            let refused = act(app, &made, action).await.expect(409);
            assert_eq!(refused.header("retry-after"), None);
            let said = refused.at("/message").as_str().unwrap().to_owned();
            assert!(said.contains("packed"), "{said}");
        }
        assert_eq!(read(app, &made).await.at("/data"), unknown.at("/data"));
        assert_eq!(level(app, "B-1", "A-1").await, (5, 1));
    }

    async fn documents_that_come_at_last_ship_the_request(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let reference = "PAPERS sim:documents=15s";
        let made = packed(&fixture, reference, &[("B-1", 2)]).await;
        let failed = act(app, &made, "ship").await.expect(502);
        assert_eq!(failed.at("/data/state"), "packed");
        act(app, &made, "ship").await.expect(409);
        act(app, &made, "cancel").await.expect(409);
        assert_eq!(level(app, "B-1", "A-1").await, (10, 2));
        let one = shipment_of(&fixture, &failed).await;
        // The carrier has them a while later, by a clock that nobody moves.
        for _ in 0..240 {
            fixture.act(&one, "documents").await;
            fixture.advance(Duration::from_secs(1)).await;
            if read(app, &made).await.at("/data/state") == "shipped" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        let shipped = until(&fixture, &made, "shipped").await;
        assert_eq!(shipment(&shipped), shipment(&failed));
        assert_eq!(level(app, "B-1", "A-1").await, (8, 0));
        assert_eq!(fixture.bookings(reference), 1);
    }

    async fn a_shipment_without_documents_that_is_cancelled_makes_room_for_another(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "VOID sim:documents=fail", &[("B-1", 2)]).await;
        let failed = act(app, &made, "ship").await.expect(502);
        act(app, &made, "cancel").await.expect(409);
        let one = shipment_of(&fixture, &failed).await;
        fixture.act(&one, "cancel").await.expect(200);
        assert_eq!(level(app, "B-1", "A-1").await, (10, 2));
        act(app, &made, "cancel").await.expect(200);
        assert_eq!(level(app, "B-1", "A-1").await, (10, 0));
    }

    async fn who_does_not_wait_so_long_is_told_where_to_look(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "SLOW sim:delay=11s", &[("B-1", 1)]).await;
        let slow = act(app, &made, "ship").await.expect(202);
        assert_eq!(slow.header("retry-after"), Some("5"));
        let one = path(app, &format!("/fulfilment-requests/{made}"));
        assert!(slow.header("location").unwrap().ends_with(&one));
        assert_eq!(slow.at("/data/state"), "packed");
        act(app, &made, "cancel").await.expect(409);
        let shipped = act(app, &made, "ship").await.expect(200);
        assert_eq!(shipment(&shipped), shipment(&slow));
        assert_eq!(fixture.bookings("SLOW sim:delay=11s"), 1);
    }

    async fn sixteen_calls_at_once_are_one_shipment(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "MANY sim:delay=300ms", &[("B-1", 1)]).await;
        let all = join_all((0..16).map(|_| act(app, &made, "ship"))).await;
        let first = shipment(&all[0]);
        for reply in all {
            assert_eq!(shipment(&reply.expect(200)), first);
        }
        assert_eq!(fixture.bookings("MANY sim:delay=300ms"), 1);
        assert_eq!(level(app, "B-1", "A-1").await, (9, 0));
    }

    async fn of_shipping_and_cancelling_at_once_one_wins(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        for number in 0..8 {
            let reference = format!("RACE-{number}");
            let made = packed(&fixture, &reference, &[("B-1", 1)]).await;
            let before = level(app, "B-1", "A-1").await;
            let (ship, cancel) = tokio::join!(act(app, &made, "ship"), act(app, &made, "cancel"));
            let state = read(app, &made).await.at("/data/state");
            let after = level(app, "B-1", "A-1").await;
            match (ship.status, cancel.status) {
                (200, 409) => {
                    assert_eq!((state, after), (json!("shipped"), (before.0 - 1, before.1 - 1)));
                    assert_eq!(fixture.bookings(&reference), 1);
                }
                (409, 200) => {
                    assert_eq!((state, after), (json!("cancelled"), (before.0, before.1 - 1)));
                    assert_eq!(fixture.bookings(&reference), 0);
                }
                both => panic!("{both:?}"),
            }
        }
    }

    async fn what_is_not_valid_any_more_is_refused_and_nothing_is_stored(fixture) {
        let app = &fixture.app;
        let one = item(app, "B-1").await;
        let made = packed(&fixture, "CHANGED", &[("B-1", 1)]).await;
        let heavy = json!({"weight": {"value": 9, "unit": "kg"}}).to_string();
        let of_item = path(app, &format!("/catalog-items/{}", id(&one)));
        app.patch(&of_item).admin().json(&heavy).send().await.expect(200);
        let refused = act(app, &made, "ship").await.expect(422);
        assert_eq!(refused.problems(), ["shipment.parcels.0.gross_weight"]);
        assert_eq!(read(app, &made).await.at("/data/shipment_uuid"), Value::Null);
        let shipments = app.get(&app.path("/shipments")).admin().send().await.expect(200);
        assert_eq!(shipments.at("/data"), json!([]));
        let light = json!({"weight": {"value": 1, "unit": "oz"}}).to_string();
        app.patch(&of_item).admin().json(&light).send().await.expect(200);
        let shipped = act(app, &made, "ship").await.expect(200);
        let booked = shipment_of(&fixture, &shipped).await;
        let weight = json!({"value": 28.35, "unit": "g"});
        assert_eq!(booked.at("/data/parcels/0/items/0/net_weight"), weight);
    }
}
