//! Lists, filters, sync, files.

use std::time::Duration;

use serde_json::json;

use super::fixtures;
use crate::harness::fixture::{Fixture, order, order_with};

async fn references(fixture: &Fixture, query: &str) -> Vec<String> {
    let path = fixture.app.path(&format!("/shipments?{query}"));
    let reply = fixture.app.get(&path).admin().send().await.expect(200);
    let all = reply.at("/data").as_array().unwrap().clone();
    all.iter().map(|shipment| shipment["reference"].as_str().unwrap().to_owned()).collect()
}

fixtures! {
    async fn lists_are_filtered_and_newest_first(fixture) {
        for (reference, status) in [("A", 201), ("B sim:reject", 424), ("C", 201)] {
            let body = order_with(reference, json!({"identifier": format!("id-{reference}")}));
            fixture.book(&body).await.expect(status);
        }
        assert_eq!(references(&fixture, "").await, ["C", "B sim:reject", "A"]);
        assert_eq!(references(&fixture, "state=booked").await, ["C", "A"]);
        assert_eq!(references(&fixture, "reference=A").await, ["A"]);
        assert_eq!(references(&fixture, "identifier=id-C&reference=A").await, Vec::<String>::new());
        let all = fixture.app.get(&fixture.app.path("/shipments")).admin().send().await;
        let number = all.at("/data/0/parcels/0/tracking_number").as_str().unwrap().to_owned();
        assert_eq!(references(&fixture, &format!("tracking_number={number}")).await, ["C"]);
        for bad in ["state=lost", "sort=name", "updated_since=yesterday", "batch_uuid=1", "cursor=x"] {
            let path = fixture.app.path(&format!("/shipments?{bad}"));
            fixture.app.get(&path).admin().send().await.expect(422);
        }
    }

    async fn an_empty_filter_is_refused_rather_than_taken_for_every_shipment(fixture) {
        for name in ["reference", "identifier", "tracking_number"] {
            let path = fixture.app.path(&format!("/shipments?{name}="));
            let reply = fixture.app.get(&path).admin().send().await;
            assert_eq!(reply.problems(), [name]);
        }
    }

    // Pagination: returned URLs keep filters, and a changed filter starts a new sequence.
    async fn cursors_page_through_and_belong_to_their_filters(fixture) {
        for reference in ["A", "B", "C", "D", "E"] {
            fixture.book(&order(reference)).await.expect(201);
        }
        let mut url = fixture.app.path("/shipments?per_page=2&state=booked");
        let mut seen = Vec::new();
        loop {
            let page = fixture.app.get(&url).admin().send().await.expect(200);
            for shipment in page.at("/data").as_array().unwrap() {
                seen.push(shipment["reference"].as_str().unwrap().to_owned());
            }
            let Some(next) = page.at("/links/next").as_str().map(str::to_owned) else { break };
            assert!(next.contains("per_page=2&state=booked"), "{next}");
            url = next.strip_prefix("http://waybill.test").unwrap().to_owned();
            let other = url.replace("state=booked", "state=failed");
            fixture.app.get(&other).admin().send().await.expect(422);
        }
        assert_eq!(seen, ["E", "D", "C", "B", "A"]);
    }

    // Rules: Sync 1, 2, 3, 4, 5.
    async fn a_sync_sees_every_change_and_keeps_its_boundary(fixture) {
        let first = fixture.book(&order("A")).await.expect(201);
        fixture.book(&order("B")).await.expect(201);
        let path = fixture.app.path("/shipments?sort=updated_at&per_page=1&updated_since=2020-01-01T00:00:00Z");
        let page = fixture.app.get(&path).admin().send().await.expect(200);
        let boundary = page.at("/meta/sync_until");
        tokio::time::sleep(Duration::from_millis(5)).await;
        let id = first.at("/data/uuid").as_str().unwrap().to_owned();
        let cancel = fixture.app.path(&format!("/shipments/{id}/cancel"));
        fixture.app.post(&cancel).admin().send().await.expect(200);
        let next = page.at("/links/next").as_str().unwrap().to_owned();
        let page = fixture.app.get(next.strip_prefix("http://waybill.test").unwrap());
        let page = page.admin().send().await.expect(200);
        assert_eq!(page.at("/meta/sync_until"), boundary);
        let since = boundary.as_str().unwrap();
        let query = format!("sort=updated_at&updated_since={since}");
        assert_eq!(references(&fixture, &query).await, ["A"]);
    }

    async fn a_cursor_goes_on_whatever_the_order_of_the_parameters(fixture) {
        for reference in ["A", "B"] {
            fixture.book(&order(reference)).await.expect(201);
        }
        let path = fixture.app.path("/shipments?per_page=1&sort=updated_at");
        let page = fixture.app.get(&path).admin().header("accept-language", "da");
        let page = page.send().await.expect(200);
        assert_eq!(page.header("content-language"), Some("da"));
        let cursor = page.at("/meta/next_cursor").as_str().unwrap().to_owned();
        let turned = format!("cursor={cursor}&sort=updated_at&per_page=1");
        assert_eq!(references(&fixture, &turned).await, ["B"]);
        let nothing = fixture.app.path("/shipments/01a1e049-876b-7abf-afcc-5ff07827cff3?x=1");
        fixture.app.get(&nothing).admin().send().await.expect(404);
        fixture.app.delete(&nothing).admin().send().await.expect(404);
    }

    // Rules: Shipment 4, 5; Document 5: nothing of a document changes until it is printed.
    async fn a_file_url_is_good_for_its_file_and_a_quarter_of_an_hour(fixture) {
        let reply = fixture.book(&order("F")).await.expect(201);
        let url = reply.at("/data/documents/0/url").as_str().unwrap().to_owned();
        let path = url.strip_prefix("http://waybill.test").unwrap();
        let file = fixture.app.get(path).send().await.expect(200);
        assert_eq!(file.header("content-type"), Some("application/pdf"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.at("/data/documents/0/size_bytes"), json!(file.bytes.len()));
        let part = fixture.app.get(path).header("range", "bytes=1-3").send().await.expect(206);
        assert_eq!(part.bytes, b"PDF");
        fixture.app.get(path).header("range", "bytes=9999999-").send().await.expect(416);
        let etag = file.header("etag").unwrap().to_owned();
        fixture.app.get(path).header("if-none-match", etag).send().await.expect(304);
        fixture.app.get(&path.replace("expires=1", "expires=2")).send().await.expect(404);
        fixture.app.get(path.split('?').next().unwrap()).send().await.expect(404);
        fixture.app.clock.advance(Duration::from_mins(15));
        fixture.app.get(path).send().await.expect(410);
        let fresh = fixture.read(&reply).await.at("/data/documents/0/url").as_str().unwrap().to_owned();
        fixture.app.get(fresh.strip_prefix("http://waybill.test").unwrap()).send().await.expect(200);
        let read = fixture.read(&reply).await;
        for kept in ["/data/updated_at", "/data/documents/0/uuid", "/data/documents/0/updated_at"] {
            assert_eq!(read.at(kept), reply.at(kept));
        }
        assert_eq!(fixture.bookings("F"), 1);
    }

    async fn the_catalog_and_the_routes_describe_what_can_be_booked(fixture) {
        let all = fixture.app.get("/v2/carriers").admin().send().await.expect(200);
        assert!(all.at("/data").as_array().unwrap().len() >= 7);
        assert_eq!(all.header("vary"), Some("Accept-Language"));
        let etag = all.header("etag").unwrap().to_owned();
        fixture.app.get("/v2/carriers").admin().header("if-none-match", etag).send().await.expect(304);
        let one = fixture.app.get("/v2/carriers/sandbox").admin().header("accept-language", "da");
        let one = one.send().await.expect(200);
        assert!(one.at("/data/services/0/constraints").is_object());
        fixture.app.get("/v2/carriers/nobody").admin().send().await.expect(404);
        let routes = fixture.app.get(&fixture.app.path("/routes")).admin().send().await.expect(200);
        assert_eq!(routes.at("/data").as_array().unwrap().len(), 1);
        assert_eq!(routes.at("/data/0/carrier/code"), json!("sandbox"));
        assert!(routes.at("/data/0/services/0").get("constraints").is_none());
        for picture in ["logo.svg", "icon.svg"] {
            let path = format!("/v2/carriers/sandbox/{picture}");
            let reply = fixture.app.get(&path).send().await.expect(200);
            assert_eq!(reply.header("content-type"), Some("image/svg+xml"));
        }
    }

    async fn the_catalog_says_what_can_be_booked_and_with_whom_the_caller_has_an_account(fixture) {
        let app = &fixture.app;
        let (_, stranger) = app.team("stranger.example.com").await;
        let all = app.get("/v2/carriers").token(&app.member).send().await.expect(200).at("/data");
        for carrier in all.as_array().unwrap() {
            assert_eq!(carrier["is_bookable"], json!(carrier["code"] != "bifrost"));
            assert_eq!(carrier["has_account"], json!(carrier["code"] == "sandbox"));
        }
        let told = async |code: &str, token: &str| {
            let path = format!("/v2/carriers/{code}");
            let one = app.get(&path).token(token).send().await.expect(200);
            (one.at("/data/is_bookable") == true, one.at("/data/has_account") == true)
        };
        assert_eq!(told("sandbox", &app.member).await, (true, true));
        assert_eq!(told("sandbox", &stranger).await, (true, false));
        assert_eq!(told("bifrost", &app.member).await, (false, false));
        let accounts = app.path("/carrier-accounts");
        let list = app.get(&accounts).admin().send().await.expect(200);
        let path = format!("{accounts}/{}", list.at("/data/0/uuid").as_str().unwrap());
        app.patch(&path).admin().json(r#"{"is_active": false}"#).send().await.expect(200);
        assert_eq!(told("sandbox", &app.member).await, (true, false));
    }

    async fn an_account_is_made_changed_and_kept_while_shipments_use_it(fixture) {
        let accounts = fixture.app.path("/carrier-accounts");
        let body = r#"{"carrier_code": "sandbox", "name": "Second",
            "credentials": {"api_key": "hunter2"}, "options": {"depot": "CPH"}}"#;
        let made = fixture.app.post(&accounts).admin().json(body).send().await.expect(201);
        assert!(!String::from_utf8_lossy(&made.bytes).contains("hunter2"));
        let path = format!("{accounts}/{}", made.at("/data/uuid").as_str().unwrap());
        let patch = r#"{"is_active": false}"#;
        let changed = fixture.app.patch(&path).admin().json(patch).send().await.expect(200);
        assert_eq!(changed.at("/data/is_active"), json!(false));
        assert_eq!(changed.at("/data/options/depot"), json!("CPH"));
        fixture.app.delete(&path).admin().send().await.expect(204);
        fixture.app.get(&path).admin().send().await.expect(404);
        fixture.book(&order("U")).await.expect(201);
        let list = fixture.app.get(&accounts).admin().send().await.expect(200);
        let used = format!("{accounts}/{}", list.at("/data/0/uuid").as_str().unwrap());
        fixture.app.delete(&used).admin().send().await.expect(409);
    }
}
