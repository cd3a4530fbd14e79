//! Pick lists and packing slips of a request, as documents that are printed like all others.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::retention::Kept;
use waybill_worker::forget::{Forgotten, forget};

use crate::documents::{fetch, labels_in, pages, put};
use crate::harness::fixture::{Fixture, order};
use crate::harness::{Database, Reply, databases};
use crate::printing::Printing;
use crate::shipments::fixtures;

databases! {
    a_pick_list_is_printed_by_an_ordinary_print_job
}

fn path(fixture: &Fixture, rest: &str) -> String {
    format!("/beta/teams/{}{rest}", fixture.app.team)
}

async fn post(fixture: &Fixture, rest: &str, body: &Value) -> Reply {
    fixture.app.post(&path(fixture, rest)).admin().json(&body.to_string()).send().await
}

async fn get(fixture: &Fixture, rest: &str) -> Value {
    fixture.app.get(&path(fixture, rest)).admin().send().await.expect(200).json()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// A request for two items that lie at three locations. Its path.
async fn request(fixture: &Fixture) -> String {
    for (sku, name, places) in [
        ("B-1", "Paperback", vec![("C-9", 2), ("A-01", 1)]),
        ("Ærø-2", "Map of the island", vec![("B-5", 9)]),
    ] {
        let price = json!({"value": 123_450, "currency": "DKK"});
        let item = json!({"sku": sku, "name": name, "unit_price": price});
        post(fixture, "/wms/catalog-items", &item).await.expect(201);
        for (location, delta) in places {
            let goods = json!({"sku": sku, "location": location, "delta": delta});
            post(fixture, "/wms/inventory-adjustments", &goods).await.expect(201);
        }
    }
    let mut shipment = order("PAPERS");
    let parcel = shipment["parcels"][0].clone();
    shipment["parcels"] = json!([parcel, parcel]);
    let lines = json!([{"sku": "B-1", "quantity": 3},
                       {"sku": "Ærø-2", "quantity": 4, "parcel": 1}]);
    let wish = json!({"identifier": "4521", "lines": lines, "shipment": shipment});
    let made = post(fixture, "/wms/fulfilment-requests", &wish).await.expect(201);
    format!("/wms/fulfilment-requests/{}", text(&made.at("/data/uuid")))
}

async fn allocated(fixture: &Fixture) -> String {
    let request = request(fixture).await;
    let done = post(fixture, &format!("{request}/allocate"), &json!({})).await.expect(200);
    assert_eq!(done.at("/data/state"), json!("allocated"));
    request
}

async fn papers(fixture: &Fixture, request: &str, types: &[&str], size: &str) -> Reply {
    let wish = json!({"types": types, "size": size});
    post(fixture, &format!("{request}/documents"), &wish).await
}

/// What is written on the pages of a document.
async fn written(fixture: &Fixture, document: &Value) -> String {
    let bytes = fetch(fixture, &document["url"]).await.expect(200).bytes.clone();
    let name = text(&document["filename"]);
    pages(&put(fixture, &name, &bytes)).join("\n")
}

fixtures! {
    async fn a_pick_list_has_the_locations_and_a_packing_slip_has_the_customer(fixture) {
        let request = allocated(&fixture).await;
        let reply = papers(&fixture, &request, &["pick_list", "packing_slip"], "a4").await;
        let made = reply.expect(201).json();
        let documents = made["data"].as_array().unwrap();
        assert_eq!(documents.len(), 2);
        let id = request.rsplit('/').next().unwrap();
        for (document, kind) in documents.iter().zip(["pick_list", "packing_slip"]) {
            assert_eq!(document["types"], json!(["packing_list"]));
            assert_eq!(document["format"], "pdf");
            assert_eq!(document["width"], json!({"value": 210, "unit": "mm"}));
            assert_eq!(document["source"], json!({"uuid": id, "type": "fulfilment_request"}));
            assert_eq!(document["filename"], format!("{kind}-{id}.pdf"));
        }
        assert_eq!(documents[0]["name"], "Pick list");
        assert_eq!(documents[1]["name"], "Packing slip");

        let list = written(&fixture, &documents[0]).await;
        for words in ["A-01", "B-5", "C-9", "4521", "B-1", "Ærø-2", "Paperback"] {
            assert!(list.contains(words), "{words}: {list}");
        }
        let slip = written(&fixture, &documents[1]).await;
        for words in ["Ada Jensen", "Islands Brygge 39", "Nordic Books", "1/2", "2/2", "Ærø-2"] {
            assert!(slip.contains(words), "{words}: {slip}");
        }
        for words in ["A-01", "B-5", "C-9", "1234", "1,234", "DKK"] {
            assert!(!slip.contains(words), "{words}: {slip}");
        }
    }

    async fn papers_are_listed_by_their_request_and_stay_when_there_are_more(fixture) {
        let request = allocated(&fixture).await;
        let id = request.rsplit('/').next().unwrap();
        fixture.book(&order("LABEL")).await.expect(201);
        let mut all = Vec::new();
        for _ in 0..2 {
            let types = ["packing_slip", "pick_list"];
            let reply = papers(&fixture, &request, &types, "a4").await.expect(201);
            all.extend(reply.at("/data").as_array().unwrap().iter().map(|one| one["uuid"].clone()));
            let location = text(&json!(reply.header("location").unwrap()));
            let found = location.strip_prefix("http://waybill.test").unwrap().to_owned();
            let found = fixture.app.get(&found).admin().send().await.expect(200);
            assert_eq!(found.at("/data").as_array().unwrap().len(), all.len());
        }
        all.reverse();
        for filter in [
            "source_type=fulfilment_request",
            "type=packing_list",
            "type=packing_list&format=pdf&source_type=fulfilment_request",
            &format!("source_type=fulfilment_request&source_uuid={id}"),
        ] {
            let listed = get(&fixture, &format!("/documents?{filter}")).await;
            let found: Vec<&Value> =
                listed["data"].as_array().unwrap().iter().map(|one| &one["uuid"]).collect();
            assert_eq!(found, all.iter().collect::<Vec<_>>(), "{filter}");
        }
        for filter in ["source_type=report", "source_type=merge", "type=label"] {
            let listed = get(&fixture, &format!("/documents?{filter}")).await;
            let of_request = |one: &&Value| one["source"]["type"] == "fulfilment_request";
            let found = listed["data"].as_array().unwrap();
            assert_eq!(found.iter().filter(of_request).count(), 0, "{filter}");
        }
        let first = get(&fixture, "/documents?source_type=fulfilment_request&per_page=3").await;
        let next = text(&first["meta"]["next_cursor"]);
        let rest = format!("/documents?source_type=fulfilment_request&per_page=3&cursor={next}");
        let rest = get(&fixture, &rest).await;
        assert_eq!((&rest["data"][0]["uuid"], rest["data"].as_array().unwrap().len()), (&all[3], 1));
    }

    async fn labels_are_made_in_the_format_that_the_team_wants(fixture) {
        let request = allocated(&fixture).await;
        for (formats, wanted) in [(["pdf"], "pdf"), (["zpl"], "zpl"), (["png"], "png")] {
            labels_in(&fixture, &formats).await;
            let types = ["pick_list", "packing_slip"];
            let made = papers(&fixture, &request, &types, "100x150").await.expect(201);
            for document in made.at("/data").as_array().unwrap() {
                assert_eq!(document["format"], wanted);
                assert_eq!(document["width"]["value"].as_f64().unwrap().round(), 100.0);
                let file = fetch(&fixture, &document["url"]).await.expect(200);
                let begins: &[u8] = match wanted {
                    "pdf" => b"%PDF",
                    "zpl" => b"^XA",
                    _ => b"\x89PNG",
                };
                assert!(file.bytes.starts_with(begins), "{wanted}");
                fetch(&fixture, &document["preview_url"]).await.expect(200);
            }
        }
    }

    async fn a_pick_list_needs_an_allocation_and_a_packing_slip_does_not(fixture) {
        let request = request(&fixture).await;
        let refused = papers(&fixture, &request, &["pick_list"], "a4").await.expect(409);
        assert!(text(&refused.at("/message")).contains("nothing to pick"));
        assert!(refused.header("retry-after").is_none());
        papers(&fixture, &request, &["packing_slip", "pick_list"], "a4").await.expect(409);
        let none = get(&fixture, "/documents?source_type=fulfilment_request").await;
        assert_eq!(none["data"], json!([]));
        papers(&fixture, &request, &["packing_slip"], "a4").await.expect(201);
        post(&fixture, &format!("{request}/allocate"), &json!({})).await.expect(200);
        papers(&fixture, &request, &["pick_list"], "a4").await.expect(201);
        post(&fixture, &format!("{request}/cancel"), &json!({})).await.expect(200);
        papers(&fixture, &request, &["pick_list"], "a4").await.expect(409);
    }

    async fn what_is_wrong_with_a_wish_for_papers_is_told_at_its_place(fixture) {
        let request = request(&fixture).await;
        for (body, places) in [
            (json!({}), vec!["types", "size"]),
            (json!({"types": [], "size": "a5"}), vec!["types", "size"]),
            (json!({"types": ["label"], "size": "102x152"}), vec!["types.0", "size"]),
            (json!({"types": ["pick_list", "pick_list"], "size": "a4"}), vec!["types.1"]),
            (json!({"types": ["pick_list"], "size": "a4", "copies": 2}), vec!["copies"]),
        ] {
            let reply = post(&fixture, &format!("{request}/documents"), &body).await.expect(422);
            let errors = reply.at("/errors");
            let found: Vec<&String> = errors.as_object().unwrap().keys().collect();
            assert_eq!(found.len(), places.len(), "{body}: {errors}");
            assert!(places.iter().all(|place| errors.get(place).is_some()), "{body}: {errors}");
        }
        let nowhere = "/wms/fulfilment-requests/01939f3e-7a51-7c3e-9b57-0f2a44e0c9d1";
        papers(&fixture, nowhere, &["packing_slip"], "a4").await.expect(404);
        papers(&fixture, "/wms/fulfilment-requests/none", &["label"], "a9").await.expect(404);
    }

    async fn the_same_key_gives_the_same_papers(fixture) {
        let request = allocated(&fixture).await;
        let ask = async |size: &str| {
            let wish = json!({"types": ["pick_list"], "size": size}).to_string();
            let path = path(&fixture, &format!("{request}/documents"));
            let request = fixture.app.post(&path).admin().header("Idempotency-Key", "once-and-again-0001");
            request.json(&wish).send().await
        };
        let first = ask("a4").await.expect(201);
        papers(&fixture, &request, &["pick_list"], "a4").await.expect(201);
        let again = ask("a4").await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/0/uuid"), first.at("/data/0/uuid"));
        assert_eq!(again.at("/data").as_array().unwrap().len(), 1);
        ask("100x150").await.expect(422);
        let listed = get(&fixture, "/documents?source_type=fulfilment_request").await;
        assert_eq!(listed["data"].as_array().unwrap().len(), 2);
    }

    async fn papers_go_a_week_after_the_last_of_their_request(fixture) {
        let day = Duration::from_hours(24);
        let request = allocated(&fixture).await;
        let made = papers(&fixture, &request, &["pick_list"], "a4").await.expect(201);
        let document = format!("/documents/{}", text(&made.at("/data/0/uuid")));
        let url = made.at("/data/0/url");
        fixture.pass(6 * day).await;
        papers(&fixture, &request, &["packing_slip"], "a4").await.expect(201);
        fixture.pass(6 * day).await;
        forget(&fixture.app.worker, Forgotten::Kept(Kept::Merges)).await;
        get(&fixture, &document).await;
        fixture.pass(2 * day).await;
        forget(&fixture.app.worker, Forgotten::Kept(Kept::Merges)).await;
        fixture.app.get(&path(&fixture, &document)).admin().send().await.expect(404);
        let gone = fetch(&fixture, &url).await.status;
        assert!([404, 410].contains(&gone), "{gone}");
        let left = get(&fixture, "/documents?source_type=fulfilment_request").await;
        assert_eq!(left["data"], json!([]));
        // The request is as it was, and more can be made.
        papers(&fixture, &request, &["pick_list"], "a4").await.expect(201);
    }
}

async fn a_pick_list_is_printed_by_an_ordinary_print_job(database: Database) {
    let test = Printing::new(database).await;
    let request = allocated(&test.fixture).await;
    let made = papers(&test.fixture, &request, &["pick_list"], "a4").await.expect(201);
    let document = text(&made.at("/data/0/uuid"));
    let printer = test.add("Packing table", "").await.expect(201);
    let printer = text(&printer.at("/data/uuid"));
    let job = json!({"document_uuid": document, "printer_uuid": printer, "copies": 1});
    let job = post(&test.fixture, "/print-jobs", &job).await.expect(201);
    let job = format!("/print-jobs/{}", text(&job.at("/data/uuid")));
    for _ in 0..300 {
        if get(&test.fixture, &job).await["data"]["state"] == "printed" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        test.fixture.advance(Duration::from_millis(500)).await;
    }
    assert_eq!(get(&test.fixture, &job).await["data"]["state"], "printed");
    let shown = get(&test.fixture, &format!("/documents/{document}")).await;
    assert_eq!(shown["data"]["print_status"], "printed");
}
