//! The table of states, cell by cell.

use serde_json::{Value, json};
use waybill_domain::ids::FulfilmentId;
use waybill_store::events;

use super::{act, adjust, item, level, packed, read, request};
use crate::harness::TestApp;
use crate::harness::fixture::Fixture;
use crate::shipments::fixtures;

const ACTIONS: [&str; 5] = ["allocate", "pick", "pack", "ship", "cancel"];

/// The rows of the contract: for each state what each action answers, and the state after it.
const TABLE: [(&str, [(u16, &str); 5]); 7] = [
    ("received", [(200, "allocated"), (409, ""), (409, ""), (409, ""), (200, "cancelled")]),
    ("backordered", [(200, "backordered"), (409, ""), (409, ""), (409, ""), (200, "cancelled")]),
    ("allocated", [(200, "allocated"), (200, "picking"), (409, ""), (409, ""), (200, "cancelled")]),
    ("picking", [(409, ""), (200, "picking"), (200, "packed"), (409, ""), (200, "cancelled")]),
    ("packed", [(409, ""), (409, ""), (200, "packed"), (200, "shipped"), (200, "cancelled")]),
    ("shipped", [(409, ""), (409, ""), (409, ""), (200, "shipped"), (409, "")]),
    ("cancelled", [(409, ""), (409, ""), (409, ""), (409, ""), (200, "cancelled")]),
];

/// A request in this state, for two pieces of an item of its own.
async fn in_state(fixture: &Fixture, sku: &str, state: &str) -> String {
    let app = &fixture.app;
    item(app, sku).await;
    let steps: &[&str] = match state {
        "received" => &[],
        "backordered" | "allocated" => &["allocate"],
        "picking" => &["allocate", "pick"],
        "packed" => &["allocate", "pick", "pack"],
        "shipped" => &["allocate", "pick", "pack", "ship"],
        "cancelled" => &["cancel"],
        other => panic!("{other} is no state"),
    };
    adjust(app, sku, "A-1", if state == "backordered" { 1 } else { 2 }).await.expect(201);
    let made = request(app, sku, &[(sku, 2)]).await;
    for step in steps {
        act(app, &made, step).await.expect(200);
    }
    assert_eq!(read(app, &made).await.at("/data/state"), state);
    made
}

async fn told(app: &TestApp, request: &str) -> Vec<(String, String)> {
    let (team, id) = (app.team, FulfilmentId::parse(request).unwrap());
    let read = app.app.read(move |tx| events::list_of(tx, team, id.into()));
    let told = read.await.unwrap().into_iter();
    told.map(|event| (event.kind, event.ids)).collect()
}

fixtures! {
    async fn every_cell_of_the_state_table_is_as_the_contract_has_it(fixture) {
        let app = &fixture.app;
        for (state, row) in TABLE {
            for (action, (status, after)) in ACTIONS.into_iter().zip(row) {
                let sku = format!("{state}-{action}");
                let made = in_state(&fixture, &sku, state).await;
                let (before, events) = (read(app, &made).await, told(app, &made).await.len());
                let reply = act(app, &made, action).await;
                assert_eq!(reply.status, status, "{state} {action}: {}", reply.json());
                assert_eq!(reply.header("retry-after"), None);
                let now = read(app, &made).await;
                if status == 409 {
                    let said = reply.at("/message").as_str().unwrap().to_owned();
                    assert!(said.contains(state), "{state} {action}: {said}");
                } else {
                    assert_eq!(reply.at("/data"), now.at("/data"));
                }
                if status == 409 || state == after {
                    assert_eq!(before.at("/data"), now.at("/data"), "{state} {action}");
                    assert_eq!(told(app, &made).await.len(), events, "{state} {action}");
                } else {
                    assert_eq!(now.at("/data/state"), after, "{state} {action}");
                    assert!(told(app, &made).await.len() > events, "{state} {action}");
                }
            }
        }
        fixture.settled().await;
    }

    async fn each_change_of_state_is_told_once_and_noted_with_its_time(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "TOLD", &[("B-1", 2)]).await;
        let shipped = act(app, &made, "ship").await.expect(200);
        let now = shipped.at("/data");
        let shipment = now["shipment_uuid"].as_str().unwrap();
        let all = told(app, &made).await;
        // Made, allocated, picking, packed, with its shipment, shipped.
        assert_eq!(all.len(), 6);
        assert!(all.iter().all(|(kind, _)| kind == "wms.fulfilment_request.updated"));
        assert!(all.iter().all(|(_, ids)| ids.contains(&made)));
        let with_shipment = all.iter().filter(|(_, ids)| ids.contains(shipment)).count();
        assert_eq!(with_shipment, 2);
        let times = ["created_at", "allocated_at", "packed_at", "shipped_at"];
        let times: Vec<&str> = times.iter().map(|name| now[*name].as_str().unwrap()).collect();
        assert!(times.is_sorted(), "{times:?}");
        assert_eq!(now["shipped_at"], now["updated_at"]);
        assert_eq!(now["cancelled_at"], Value::Null);
        let refused = act(app, &made, "cancel").await.expect(409);
        assert!(refused.at("/message").as_str().unwrap().contains("shipped"));
    }

    async fn an_action_takes_no_body_or_an_empty_object(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "BODY", &[("B-1", 1)]).await;
        let one = super::path(app, &format!("/fulfilment-requests/{made}/cancel"));
        let wrong = app.post(&one).admin().json(r#"{"why":"x"}"#).send().await;
        assert_eq!(wrong.expect(422).problems(), ["why"]);
        let wrong = app.post(&format!("{one}?force=1")).admin().send().await;
        assert_eq!(wrong.expect(422).problems(), ["force"]);
        assert_eq!(level(app, "B-1", "A-1").await, (10, 1));
        app.post(&one).admin().json("{}").send().await.expect(200);
        assert_eq!(level(app, "B-1", "A-1").await, (10, 0));
        assert_eq!(read(app, &made).await.at("/data/lines/0/missing"), json!(0));
    }
}
