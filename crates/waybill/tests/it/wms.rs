//! The warehouse: a catalog, stock, and requests to send it.

mod attacks;
mod catalog;
mod papers;
mod requests;
mod shipping;
mod stock;
mod table;

use serde_json::{Value, json};

use crate::harness::fixture::{Fixture, order};
use crate::harness::{Ask, Reply, TestApp};

/// A path of the team's warehouse.
pub fn path(app: &TestApp, rest: &str) -> String {
    format!("/beta/teams/{}/wms{rest}", app.team)
}

pub fn id(reply: &Reply) -> String {
    reply.at("/data/uuid").as_str().unwrap().to_owned()
}

pub fn get<'a>(app: &'a TestApp, rest: &str) -> Ask<'a> {
    app.get(&path(app, rest)).admin()
}

pub async fn post(app: &TestApp, rest: &str, body: &Value) -> Reply {
    app.post(&path(app, rest)).admin().json(&body.to_string()).send().await
}

/// What a list has, and nothing else of it.
pub async fn list(app: &TestApp, rest: &str) -> Vec<Value> {
    get(app, rest).send().await.expect(200).at("/data").as_array().unwrap().clone()
}

/// An item that can be sent to anywhere.
pub async fn item(app: &TestApp, sku: &str) -> Reply {
    let body = json!({"sku": sku, "name": format!("Item {sku}"), "barcode": format!("57{sku}"),
        "weight": {"value": 0.4, "unit": "kg"}, "unit_price": {"value": 9900, "currency": "DKK"},
        "hs_code": "490199", "country_of_origin": "DK"});
    post(app, "/catalog-items", &body).await.expect(201)
}

pub async fn adjust(app: &TestApp, sku: &str, location: &str, delta: i64) -> Reply {
    let body = json!({"sku": sku, "location": location, "delta": delta});
    post(app, "/inventory-adjustments", &body).await
}

/// On hand and reserved of an item at a location.
pub async fn level(app: &TestApp, sku: &str, location: &str) -> (i64, i64) {
    let rows = list(app, &format!("/inventory-levels?sku={sku}&location={location}")).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    let number = |name: &str| rows[0][name].as_i64().unwrap();
    assert_eq!(number("available"), number("on_hand") - number("reserved"));
    (number("on_hand"), number("reserved"))
}

/// A request for these, in one parcel of five kilograms.
pub fn wanting(reference: &str, lines: &[(&str, i64)]) -> Value {
    let line = |(sku, quantity): &(&str, i64)| json!({"sku": sku, "quantity": quantity});
    let lines: Vec<Value> = lines.iter().map(line).collect();
    let mut shipment = order(reference);
    shipment["parcels"] = json!([{"gross_weight": {"value": 5000, "unit": "g"}}]);
    json!({"identifier": "4521", "reference": reference, "lines": lines, "shipment": shipment})
}

pub async fn request(app: &TestApp, reference: &str, lines: &[(&str, i64)]) -> String {
    id(&post(app, "/fulfilment-requests", &wanting(reference, lines)).await.expect(201))
}

pub async fn act(app: &TestApp, request: &str, action: &str) -> Reply {
    let path = path(app, &format!("/fulfilment-requests/{request}/{action}"));
    app.post(&path).admin().send().await
}

pub async fn read(app: &TestApp, request: &str) -> Reply {
    get(app, &format!("/fulfilment-requests/{request}")).send().await.expect(200)
}

/// A request for these that is packed. Ten of each item come in for it.
pub async fn packed(fixture: &Fixture, reference: &str, lines: &[(&str, i64)]) -> String {
    let app = &fixture.app;
    for (sku, _) in lines {
        adjust(app, sku, "A-1", 10).await.expect(201);
    }
    let made = request(app, reference, lines).await;
    for (action, state) in [("allocate", "allocated"), ("pick", "picking"), ("pack", "packed")] {
        let after = act(app, &made, action).await.expect(200);
        assert_eq!(after.at("/data/state"), state);
    }
    made
}
