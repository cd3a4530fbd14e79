//! One file for many labels, in the order in which they were wanted.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::retention::Kept;
use waybill_store::documents;
use waybill_worker::forget::{Forgotten, forget};

use super::{beta, fetch, labels_in, pages, put, text, to_norway};
use crate::batches;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order};
use crate::shipments::fixtures;

async fn merge(fixture: &Fixture, body: Value) -> Reply {
    let path = beta(fixture, "/documents/merge");
    fixture.app.post(&path).admin().json(&body.to_string()).send().await
}

async fn booked(fixture: &Fixture, order: &Value) -> Reply {
    fixture.book(order).await.expect(201)
}

fn shipment(reply: &Reply) -> Value {
    reply.at("/data/uuid")
}

fn label(reply: &Reply) -> Value {
    reply.at("/data/documents/0/uuid")
}

/// The references that stand on the pages, in their order.
async fn references(fixture: &Fixture, document: &Value) -> Vec<String> {
    let bytes = fetch(fixture, &document["url"]).await.expect(200).bytes.clone();
    let path = put(fixture, "joined.pdf", &bytes);
    let found = pages(&path).into_iter().map(|page| {
        let words = page.split_whitespace();
        words.filter(|word| word.starts_with("REF-")).map(str::to_owned).next().unwrap_or_default()
    });
    found.collect()
}

fixtures! {
    async fn labels_are_joined_in_the_order_that_was_asked_for(fixture) {
        let mut made = Vec::new();
        for number in 0..4 {
            made.push(booked(&fixture, &order(&format!("REF-{number}"))).await);
        }
        let wanted = [2, 0, 3, 1];
        let documents: Vec<Value> = wanted.iter().map(|index| label(&made[*index])).collect();
        let shipments: Vec<Value> = wanted.iter().map(|index| shipment(&made[*index])).collect();
        for body in [json!({"document_uuids": documents}), json!({"shipment_uuids": shipments})] {
            let reply = merge(&fixture, body).await.expect(201);
            let data = reply.at("/data");
            assert_eq!(data.as_array().unwrap().len(), 1);
            assert_eq!(reply.at("/meta"), json!({"skipped_shipment_uuids": []}));
            let one = &data[0];
            assert_eq!((&one["page_count"], &one["types"]), (&json!(4), &json!(["label"])));
            assert_eq!(one["format"], json!("pdf"));
            assert_eq!(one["width"], made[0].at("/data/documents/0/width"));
            assert_eq!(one["source"]["type"], json!("merge"));
            assert_eq!(references(&fixture, one).await, ["REF-2", "REF-0", "REF-3", "REF-1"]);
            // Where it says they are, they are, and nothing else is.
            let location = reply.header("location").unwrap().to_owned();
            let list = location.strip_prefix("http://waybill.test").unwrap();
            let list = fixture.app.get(list).admin().send().await.expect(200);
            assert_eq!(list.at("/data/0/uuid"), one["uuid"]);
            assert_eq!(list.at("/data").as_array().unwrap().len(), 1);
        }
        let list = beta(&fixture, "/documents?source_type=merge");
        let list = fixture.app.get(&list).admin().send().await.expect(200);
        assert_eq!(list.at("/data").as_array().unwrap().len(), 2);
    }

    async fn every_format_and_page_size_is_a_document_in_order_of_appearance(fixture) {
        let pdf = booked(&fixture, &to_norway("REF-PDF")).await;
        labels_in(&fixture, &["zpl"]).await;
        let zpl = [booked(&fixture, &order("Z-1")).await, booked(&fixture, &order("Z-2")).await];
        labels_in(&fixture, &["pdf"]).await;
        let other = booked(&fixture, &to_norway("REF-OTHER")).await;
        let all = [&zpl[0], &pdf, &zpl[1], &other].map(shipment);
        let types = ["label", "customs_declaration", "commercial_invoice"];
        let reply = merge(&fixture, json!({"shipment_uuids": all, "types": types})).await;
        let data = reply.expect(201).at("/data");
        let shown = data.as_array().unwrap().iter().map(|one| {
            (text(&one["format"]), one["page_count"].as_i64().unwrap(), one["types"].clone())
        });
        let shown: Vec<_> = shown.collect();
        assert_eq!(shown[0], ("zpl".to_owned(), 2, json!(["label"])));
        // The declaration is as large as a label, and the invoice is a sheet.
        let of_label_size = ("pdf".to_owned(), 4, json!(["label", "customs_declaration"]));
        assert_eq!(shown[1], of_label_size);
        assert_eq!(shown.len(), 3, "{shown:?}");
        let kinds: Vec<&Value> = shown[1..].iter().map(|(.., types)| types).collect();
        let told = json!(kinds).to_string();
        assert!(told.contains("customs_declaration") && told.contains("commercial_invoice"));
        // A file of customs papers is found among those, and among what was joined.
        for filter in ["type=commercial_invoice", "source_type=merge&type=commercial_invoice"] {
            let list = beta(&fixture, &format!("/documents?{filter}"));
            let list = fixture.app.get(&list).admin().send().await.expect(200);
            let found = list.at("/data").as_array().unwrap().clone();
            let merged = found.iter().filter(|one| one["source"]["type"] == json!("merge"));
            assert_eq!(merged.count(), 1, "{filter}");
        }
        let mut bytes: Vec<u8> = Vec::new();
        for one in &zpl {
            bytes.extend(&fetch(&fixture, &one.at("/data/documents/0/url")).await.bytes);
        }
        assert_eq!(fetch(&fixture, &data[0]["url"]).await.expect(200).bytes, bytes);
    }

    async fn members_of_a_batch_follow_its_order_and_those_without_a_label_are_named(fixture) {
        let batch = batches::open(&fixture).await;
        let orders =
            ["REF-A", "REF-B sim:reject", "REF-C", "REF-D"].map(order);
        let added = batches::add(&fixture, &batch, &orders).await.expect(201);
        let waiting = merge(&fixture, json!({"batch_uuid": batch})).await.expect(409);
        assert!(text(&waiting.at("/message")).contains("nothing to join"));
        batches::act(&fixture, &batch, "start").await;
        batches::until(&fixture, &batch, "completed").await;
        let reply = merge(&fixture, json!({"batch_uuid": batch})).await.expect(201);
        assert_eq!(reply.at("/meta/skipped_shipment_uuids"), json!([added.at("/data/1/uuid")]));
        let found = references(&fixture, &reply.at("/data/0")).await;
        assert_eq!(found, ["REF-A", "REF-C", "REF-D"]);
        for (range, expected) in [
            (json!({"first": 3}), vec!["REF-C", "REF-D"]),
            (json!({"last": 1}), vec!["REF-A"]),
            (json!({"first": 2, "last": 3}), vec!["REF-C"]),
        ] {
            let mut body = range;
            body["batch_uuid"] = json!(batch);
            let reply = merge(&fixture, body).await.expect(201);
            assert_eq!(references(&fixture, &reply.at("/data/0")).await, expected);
        }
        merge(&fixture, json!({"batch_uuid": batch, "first": 5})).await.expect(409);
        merge(&fixture, json!({"batch_uuid": batch, "types": ["packing_list"]})).await.expect(409);
    }

    async fn everything_that_is_wrong_is_told_at_its_place(fixture) {
        let one = booked(&fixture, &order("REF-ONE")).await;
        labels_in(&fixture, &["png"]).await;
        let png = booked(&fixture, &order("REF-PNG")).await;
        let nobody = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
        let (good, bad) = (label(&one), label(&png));
        let refused = |body: Value| {
            let fixture = &fixture;
            async move { merge(fixture, body).await.expect(422).problems() }
        };
        let documents = refused(json!({"document_uuids": [good, nobody, bad]}));
        assert_eq!(documents.await, ["document_uuids.1", "document_uuids.2"]);
        let shipments = json!([shipment(&one), nobody, shipment(&png)]);
        let shipments = refused(json!({"shipment_uuids": shipments}));
        assert_eq!(shipments.await, ["shipment_uuids.1", "shipment_uuids.2"]);
        let none = json!({"shipment_uuids": [shipment(&one)], "types": ["packing_list"]});
        assert_eq!(refused(none).await, ["shipment_uuids.0"]);
        assert_eq!(refused(json!({"batch_uuid": nobody})).await, ["batch_uuid"]);
        assert_eq!(refused(json!({})).await, ["document_uuids"]);
        assert_eq!(refused(json!({"document_uuids": null})).await, ["document_uuids"]);
        assert_eq!(refused(json!({"document_uuids": []})).await, ["document_uuids"]);
        let both = json!({"document_uuids": [good], "batch_uuid": nobody});
        assert_eq!(refused(both).await, ["batch_uuid", "document_uuids"]);
        let twice = json!({"document_uuids": [good, good, "x"]});
        assert_eq!(refused(twice).await, ["document_uuids.1", "document_uuids.2"]);
        let strange = json!({"document_uuids": [good], "types": ["label"], "first": 1, "all": 1});
        assert_eq!(refused(strange).await, ["all", "first", "types"]);
        let far = json!({"batch_uuid": nobody, "first": 2, "last": 1002, "types": ["x"]});
        assert_eq!(refused(far).await, ["last", "types.0"]);
        let back = json!({"batch_uuid": nobody, "first": 2, "last": 1});
        assert_eq!(refused(back).await, ["last"]);
        assert_eq!(refused(json!({"batch_uuid": nobody, "first": 0})).await, ["first"]);
        let many: Vec<String> = (0..1001).map(|_| uuid::Uuid::from_u128(1).to_string()).collect();
        assert_eq!(refused(json!({"shipment_uuids": many})).await[0], "shipment_uuids");
        let (_, stranger) = fixture.app.team("other.example.com").await;
        let other = fixture.app.post(&beta(&fixture, "/documents/merge")).token(&stranger);
        other.json(&json!({"document_uuids": [good]}).to_string()).send().await.expect(404);
    }

    async fn another_teams_papers_are_like_those_that_are_not_there(fixture) {
        let one = booked(&fixture, &order("REF-ONE")).await;
        let (team, token) = fixture.app.team("other.example.com").await;
        let path = format!("/beta/teams/{team}/documents/merge");
        for (body, at) in [
            (json!({"document_uuids": [label(&one)]}), "document_uuids.0"),
            (json!({"shipment_uuids": [shipment(&one)]}), "shipment_uuids.0"),
        ] {
            let ask = fixture.app.post(&path).token(&token).json(&body.to_string());
            assert_eq!(ask.send().await.expect(422).problems(), [at]);
        }
    }

    async fn what_is_too_much_is_refused_where_it_becomes_too_much(fixture) {
        let mut all = Vec::new();
        for number in 0..3 {
            all.push(booked(&fixture, &order(&format!("REF-{number}"))).await);
        }
        // As if the labels of a carrier were that large.
        let large = |tx: &mut waybill_store::Tx<'_>| {
            tx.exec("UPDATE document SET size_bytes = $1", &[(30_i64 << 20).into()])
        };
        fixture.app.app.write(large).await.unwrap();
        let wanted: Vec<Value> = all.iter().map(label).collect();
        let refused = merge(&fixture, json!({"document_uuids": wanted})).await.expect(422);
        assert_eq!(refused.problems(), ["document_uuids.2"]);
        let wanted: Vec<Value> = all.iter().map(shipment).collect();
        let refused = merge(&fixture, json!({"shipment_uuids": wanted})).await.expect(422);
        assert_eq!(refused.problems(), ["shipment_uuids.2"]);
    }

    async fn a_repeated_request_makes_nothing_more(fixture) {
        let one = booked(&fixture, &order("REF-ONE")).await;
        let path = beta(&fixture, "/documents/merge");
        let body = json!({"document_uuids": [label(&one)]}).to_string();
        let ask = || {
            let ask = fixture.app.post(&path).admin().header("idempotency-key", "merge-0123456789");
            ask.json(&body).send()
        };
        let first = ask().await.expect(201);
        let again = ask().await.expect(201);
        assert_eq!(again.header("idempotency-replayed").unwrap(), "true");
        assert_eq!(again.at("/data/0/uuid"), first.at("/data/0/uuid"));
        assert_eq!(again.at("/meta"), first.at("/meta"));
        let list = beta(&fixture, "/documents?source_type=merge");
        let list = fixture.app.get(&list).admin().send().await.expect(200);
        assert_eq!(list.at("/data").as_array().unwrap().len(), 1);
        let other = fixture.app.post(&path).admin().header("idempotency-key", "merge-0123456789");
        let other = other.json(&json!({"shipment_uuids": [shipment(&one)]}).to_string());
        assert_eq!(other.send().await.expect(422).problems(), ["Idempotency-Key"]);
    }

    async fn what_was_joined_goes_after_a_week_and_the_labels_stay(fixture) {
        labels_in(&fixture, &["zpl"]).await;
        let one = booked(&fixture, &order("REF-ONE")).await;
        // The bytes of one label joined with nothing are those of the label.
        let reply = merge(&fixture, json!({"document_uuids": [label(&one)]})).await.expect(201);
        let document = beta(&fixture, &format!("/documents/{}", text(&reply.at("/data/0/uuid"))));
        let ask = || fixture.app.get(&document).admin().send();
        let sweep = || forget(&fixture.app.worker, Forgotten::Kept(Kept::Merges));
        let almost = Duration::from_hours(7 * 24) - Duration::from_mins(10);
        fixture.pass(almost).await;
        sweep().await;
        ask().await.expect(200);
        fixture.pass(Duration::from_hours(8)).await;
        sweep().await;
        ask().await.expect(404);
        let read = fixture.read(&one).await;
        fetch(&fixture, &read.at("/data/documents/0/url")).await.expect(200);
        let left = fixture.app.app.read(|tx| documents::any_list_content(tx, &[], 100)).await;
        assert_eq!(left.unwrap().len(), 1);
    }
}
