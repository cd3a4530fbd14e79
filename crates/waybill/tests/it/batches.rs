//! Batches, as the contract tells it: filled, started, booked one at a time, stopped, watched.

mod filling;
mod running;
mod streams;
mod telling;

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};

pub fn path(fixture: &Fixture, rest: &str) -> String {
    fixture.app.path(&format!("/booking-batches{rest}"))
}

/// An empty batch, by its id.
pub async fn open(fixture: &Fixture) -> String {
    let made = fixture.app.post(&path(fixture, "")).admin().json("{}").send().await.expect(201);
    made.at("/data/uuid").as_str().unwrap().to_owned()
}

pub async fn add(fixture: &Fixture, batch: &str, members: &[Value]) -> Reply {
    let body = json!({"data": members}).to_string();
    let path = path(fixture, &format!("/{batch}/shipments"));
    fixture.app.post(&path).admin().json(&body).send().await
}

/// A batch with as many members, by its id.
pub async fn filled(fixture: &Fixture, name: &str, count: usize) -> String {
    let batch = open(fixture).await;
    let members: Vec<Value> = (0..count).map(|n| order(&format!("{name}-{n}"))).collect();
    add(fixture, &batch, &members).await.expect(201);
    batch
}

/// A member that the carrier takes this long to book.
pub fn slow(reference: &str, seconds: u32) -> Value {
    order_with(&format!("{reference} sim:delay={seconds}s"), json!({}))
}

pub async fn act(fixture: &Fixture, batch: &str, action: &str) -> Reply {
    fixture.app.post(&path(fixture, &format!("/{batch}/{action}"))).admin().send().await
}

/// The batch as it is, with counts that add up.
pub async fn read(fixture: &Fixture, batch: &str) -> Value {
    let reply =
        fixture.app.get(&path(fixture, &format!("/{batch}"))).admin().send().await.expect(200);
    let data = reply.at("/data");
    let count = |name: &str| data[format!("{name}_count")].as_i64().unwrap();
    assert_eq!(count("total"), count("pending") + count("processing") + count("completed"));
    assert_eq!(count("completed"), count("booked") + count("failed") + count("cancelled"));
    data
}

/// Reads until the batch is in this state.
pub async fn until(fixture: &Fixture, batch: &str, state: &str) -> Value {
    for _ in 0..1000 {
        let now = read(fixture, batch).await;
        if now["state"] == state {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("never {state}: {}", read(fixture, batch).await);
}

/// Its members, in the order of the list.
pub async fn members(fixture: &Fixture, batch: &str) -> Vec<Value> {
    let path = path(fixture, &format!("/{batch}/shipments?per_page=1000"));
    let reply = fixture.app.get(&path).admin().send().await.expect(200);
    reply.at("/data").as_array().unwrap().clone()
}
