//! A page is bounded in bytes as well as in rows, and none is lost or told twice for it.

use serde_json::{Value, json};

use crate::batches::{add, open};
use crate::harness::fixture::{Fixture, order_with};
use crate::shipments::fixtures;

/// No answer with more than one row is larger than this.
const BYTES_MAX: usize = 4 * 1024 * 1024;

/// Nearly as large as a shipment can be made.
fn large(number: usize) -> Value {
    let text = "Ø".repeat(255);
    let item = json!({"sku": text, "description": text, "identifier": text, "quantity": 1});
    let parcel = json!({"gross_weight": {"value": 1, "unit": "kg"}, "items": vec![item; 18]});
    order_with(&format!("large-{number}"), json!({"parcels": vec![parcel; 30]}))
}

/// A batch with large members.
async fn filled(fixture: &Fixture, count: usize) -> String {
    let batch = open(fixture).await;
    for first in (0..count).step_by(8) {
        let members: Vec<Value> = (first..count.min(first + 8)).map(large).collect();
        add(fixture, &batch, &members).await.expect(201);
    }
    batch
}

/// Reads a list to its end by one kind of link, and tells the references of each page.
async fn pages(fixture: &Fixture, first: &str, link: &str) -> Vec<Vec<String>> {
    let (mut next, mut pages) = (first.to_owned(), Vec::new());
    for _ in 0..100 {
        let reply = fixture.app.get(&next).admin().send().await.expect(200);
        let body = reply.json();
        let rows = body["data"].as_array().unwrap();
        assert!(reply.bytes.len() <= BYTES_MAX || rows.len() == 1, "{}", reply.bytes.len());
        let reference = |row: &Value| row["reference"].as_str().unwrap().to_owned();
        pages.push(rows.iter().map(reference).collect());
        let Some(url) = body["links"][link].as_str() else { return pages };
        next = url.strip_prefix("http://waybill.test").unwrap().to_owned();
    }
    panic!("the list has no end");
}

fixtures! {
    async fn a_page_that_would_be_too_large_ends_early_and_the_next_goes_on_after_it(fixture) {
        let batch = filled(&fixture, 9).await;
        let expected: Vec<String> = (0..9).map(|number| format!("large-{number}")).collect();
        let members = fixture.app.path(&format!("/booking-batches/{batch}/shipments?per_page=1000"));
        let read = pages(&fixture, &members, "next").await;
        assert!(read.len() > 1, "{read:?}");
        assert_eq!(read.concat(), expected);
        let shipments = fixture.app.path("/shipments?per_page=1000");
        let mut read = pages(&fixture, &shipments, "next").await.concat();
        read.reverse();
        assert_eq!(read, expected);
        let sync = fixture.app.path("/shipments?per_page=1000&sort=updated_at");
        let mut read = pages(&fixture, &sync, "next").await.concat();
        read.sort_by_key(|name| expected.iter().position(|other| other == name));
        assert_eq!(read, expected);
    }

    async fn a_page_that_goes_back_ends_early_on_its_far_side(fixture) {
        let batch = filled(&fixture, 9).await;
        let members = fixture.app.path(&format!("/booking-batches/{batch}/shipments"));
        let mut last = format!("{members}?per_page=1000");
        loop {
            let body = fixture.app.get(&last).admin().send().await.expect(200).json();
            let Some(url) = body["links"]["next"].as_str() else { break };
            last = url.strip_prefix("http://waybill.test").unwrap().to_owned();
        }
        let mut read = pages(&fixture, &last, "prev").await;
        read.reverse();
        let expected: Vec<String> = (0..9).map(|number| format!("large-{number}")).collect();
        assert_eq!(read.concat(), expected);
    }
}
