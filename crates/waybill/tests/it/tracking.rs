//! Where parcels are: the walk with a carrier, its callbacks, the feed and those who read it.

mod callbacks;
mod cursors;
mod feed;
mod reader;
mod walk;

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order};

const SECRET: &str = "hush";

/// A fixture whose carrier may call back, and a booked parcel: the path of callbacks, and its
/// number.
pub struct Parcel {
    callbacks: String,
    shipment: String,
    tracking: String,
    number: String,
}

/// Books a parcel that its carrier says nothing about for a minute.
pub async fn parcel(fixture: &Fixture, reference: &str) -> Parcel {
    let accounts = fixture.app.path("/carrier-accounts");
    let list = fixture.app.get(&accounts).admin().send().await.expect(200);
    let account = text(&list, "/data/0/uuid");
    let patch = json!({"credentials": {"callback_secret": SECRET}}).to_string();
    let path = format!("{accounts}/{account}");
    fixture.app.patch(&path).admin().json(&patch).send().await.expect(200);
    let booked = fixture.book(&order(reference)).await.expect(201);
    Parcel {
        callbacks: format!("/carriers/sandbox/callbacks/{account}"),
        shipment: text(&booked, "/data/uuid"),
        tracking: text(&booked, "/data/parcels/0/tracking_uuid"),
        number: text(&booked, "/data/parcels/0/tracking_number"),
    }
}

fn text(reply: &Reply, pointer: &str) -> String {
    reply.at(pointer).as_str().unwrap().to_owned()
}

fn sign(body: &str) -> String {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(SECRET.as_bytes()).unwrap();
    mac.update(body.as_bytes());
    let bytes = mac.finalize().into_bytes();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}

/// The carrier says this about the parcel.
pub async fn tell(fixture: &Fixture, parcel: &Parcel, events: Value) -> Reply {
    let body = json!({"parcels": [{"tracking_number": parcel.number, "events": events}]});
    let body = body.to_string();
    let ask = fixture.app.post(&parcel.callbacks).header("x-sandbox-signature", sign(&body));
    ask.json(&body).send().await
}

/// The tracking of a parcel.
async fn tracking(fixture: &Fixture, parcel: &Parcel) -> Reply {
    let path = fixture.app.path(&format!("/tracking/{}", parcel.tracking));
    fixture.app.get(&path).admin().send().await.expect(200)
}

/// Brings alarms forward that were set while the test moved the clock: the database's own clock
/// does not move. What is due is still found by the test's clock.
async fn look_now(fixture: &Fixture) {
    let sooner = "UPDATE job SET run_at = 0
                   WHERE kind = 'track' AND due_at IS NULL AND run_at IS NOT NULL";
    fixture.app.app.write(move |tx| tx.exec(sooner, &[])).await.unwrap();
    fixture.app.app.wake_runner();
}

/// Reads the tracking until this holds.
async fn until(fixture: &Fixture, parcel: &Parcel, is_so: impl Fn(&Reply) -> bool) -> Reply {
    for turn in 1..400 {
        let now = tracking(fixture, parcel).await;
        if is_so(&now) {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        if turn % 20 == 0 {
            look_now(fixture).await;
        }
    }
    panic!("never: {}", tracking(fixture, parcel).await.json());
}

/// One page of the feed, with this query.
pub async fn page(fixture: &Fixture, query: &str) -> Reply {
    let path = fixture.app.path(&format!("/tracking/events{query}"));
    fixture.app.get(&path).admin().send().await
}

/// The values at a pointer of each entry.
fn each(list: &Value, pointer: &str) -> Vec<Value> {
    list.as_array().unwrap().iter().map(|entry| entry.pointer(pointer).unwrap().clone()).collect()
}
