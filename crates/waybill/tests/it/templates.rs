//! Shipment templates: the five operations, pages, prefixes, idempotency.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use crate::harness::{Reply, TestApp, both};

const BOOKS: &str = r#"{"title": "Books", "description": "Paperbacks",
    "shipment": {"currency": "DKK", "weight_unit": "g", "dimension_unit": "cm",
        "delivery": {"service_code": "sandbox:home", "pickup_point": {"code": "DK-1001"}},
        "parcels": [{"gross_weight": 1200.50, "length": 30, "width": 20, "height": 10}]}}"#;

async fn create(app: &TestApp, key: &str, body: &str) -> Reply {
    let path = app.path("/shipment-templates");
    app.post(&path).admin().header("idempotency-key", key).json(body).send().await
}

async fn count(app: &TestApp) -> i64 {
    let reply = app.get(&app.path("/shipment-templates")).admin().send().await.expect(200);
    reply.at("/meta/total").as_i64().unwrap()
}

both! {
    async fn a_template_is_created_read_replaced_and_deleted(app) {
        let path = app.path("/shipment-templates");
        let made = app.post(&path).admin().json(BOOKS).send().await.expect(201);
        assert_eq!(made.at("/data/shipment/parcels/0/gross_weight"), json!(1200.5));
        let url = made.header("location").unwrap().to_owned();
        let own = url.strip_prefix("http://waybill.test").unwrap();
        let read = app.get(own).admin().send().await.expect(200);
        assert_eq!(read.json(), made.json());
        let body = r#"{"title": "Magazines", "shipment": {}}"#;
        let replaced = app.put(own).admin().json(body).send().await.expect(200);
        assert_eq!(replaced.at("/data/title"), json!("Magazines"));
        assert_eq!(replaced.at("/data/description"), json!(null));
        assert_eq!(replaced.at("/data/shipment/parcels"), json!(null));
        app.delete(own).admin().send().await.expect(204);
        app.get(own).admin().send().await.expect(404);
        app.delete(own).admin().send().await.expect(404);
        app.put(own).admin().json("{}").send().await.expect(404);
    }

    async fn both_prefixes_serve_the_same_and_keep_theirs_in_every_url(app) {
        let beta = format!("/beta/teams/{}/shipment-templates", app.team);
        let made = app.post(&beta).admin().json(BOOKS).send().await.expect(201);
        let location = made.header("location").unwrap();
        assert!(location.starts_with(&format!("http://waybill.test{beta}/")), "{location}");
        for path in [beta, app.path("/shipment-templates")] {
            let list = app.get(&path).admin().send().await.expect(200);
            assert_eq!(list.at("/meta/total"), json!(1));
            assert_eq!(list.at("/meta/path"), json!(format!("http://waybill.test{path}")));
            assert_eq!(list.at("/links/first"), json!(format!("http://waybill.test{path}?page=1")));
        }
    }

    async fn pages_cover_the_list_newest_first_and_keep_the_page_size(app) {
        for title in 1..=5 {
            let body = format!(r#"{{"title": "T{title}", "shipment": null}}"#);
            app.post(&app.path("/shipment-templates")).admin().json(&body).send().await.expect(201);
        }
        let mut url = format!("{}?per_page=2", app.path("/shipment-templates"));
        let mut titles = Vec::new();
        loop {
            let page = app.get(&url).admin().send().await.expect(200);
            for template in page.at("/data").as_array().unwrap() {
                titles.push(template["title"].as_str().unwrap().to_owned());
            }
            match page.at("/links/next").as_str() {
                Some(next) => url = next.strip_prefix("http://waybill.test").unwrap().to_owned(),
                None => break,
            }
        }
        assert_eq!(titles, ["T5", "T4", "T3", "T2", "T1"]);
        let path = format!("{}?page=9&per_page=2", app.path("/shipment-templates"));
        let beyond = app.get(&path).admin().send().await.expect(200);
        assert_eq!(beyond.at("/meta/from"), json!(null));
        assert_eq!(beyond.at("/data"), json!([]));
    }

    async fn a_repeated_key_replays_under_either_prefix_and_for_any_token(app) {
        let first = create(&app, "order-4521-attempt", BOOKS).await.expect(201);
        assert_eq!(first.header("idempotency-replayed"), None);
        let beta = format!("/beta/teams/{}/shipment-templates", app.team);
        let again = app
            .post(&beta)
            .token(&app.member)
            .header("idempotency-key", "order-4521-attempt")
            .json(BOOKS)
            .send()
            .await
            .expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/uuid"), first.at("/data/uuid"));
        assert_eq!(count(&app).await, 1);
    }

    async fn the_order_of_keys_and_the_spelling_of_numbers_do_not_make_another_request(app) {
        let key = "spelling-of-numbers";
        let one = r#"{"title": "A", "shipment": {"weight_unit": "g", "parcels": [{"gross_weight": 1}]}}"#;
        let two = r#"{"shipment": {"parcels": [{"gross_weight": 1.0}], "weight_unit": "g"}, "title": "A"}"#;
        create(&app, key, one).await.expect(201);
        let again = create(&app, key, two).await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
    }

    async fn a_key_with_another_payload_is_422_at_the_key(app) {
        create(&app, "order-4521-attempt", BOOKS).await.expect(201);
        let other = create(&app, "order-4521-attempt", r#"{"title": "Other"}"#).await;
        assert_eq!(other.problems(), ["Idempotency-Key"]);
        assert_eq!(count(&app).await, 1);
    }

    async fn a_key_is_another_one_in_another_team(app) {
        create(&app, "order-4521-attempt", BOOKS).await.expect(201);
        let (other, token) = app.team("other.example.com").await;
        let path = format!("/v2/teams/{other}/shipment-templates");
        let ask = app.post(&path).token(&token).header("idempotency-key", "order-4521-attempt");
        let reply = ask.json(BOOKS).send().await.expect(201);
        assert_eq!(reply.header("idempotency-replayed"), None);
    }

    async fn a_refused_request_does_not_reserve_its_key(app) {
        let key = "order-4521-attempt";
        assert_eq!(create(&app, key, r#"{"titel": "x"}"#).await.problems(), ["titel", "title"]);
        let path = app.path("/shipment-templates");
        let ask = app.post(&path).token("junk").header("idempotency-key", key);
        ask.json(BOOKS).send().await.expect(401);
        let reply = create(&app, key, BOOKS).await.expect(201);
        assert_eq!(reply.header("idempotency-replayed"), None);
    }

    async fn a_malformed_or_doubled_key_is_422(app) {
        for key in ["short", "\"order-4521-attempt\"", "order 4521 attempt"] {
            assert_eq!(create(&app, key, BOOKS).await.problems(), ["Idempotency-Key"]);
        }
        let path = app.path("/shipment-templates");
        let ask = app.post(&path).admin().header("idempotency-key", "order-4521-attempt");
        let ask = ask.header("idempotency-key", "order-4521-attempt");
        assert_eq!(ask.json(BOOKS).send().await.problems(), ["Idempotency-Key"]);
        assert_eq!(count(&app).await, 0);
    }

    async fn many_concurrent_duplicates_make_one_template_for_each_key(app) {
        let app = Arc::new(app);
        let mut tasks = Vec::new();
        for key in 0..10 {
            for _ in 0..16 {
                let app = app.clone();
                let key = format!("concurrent-key-{key:04}");
                tasks.push(tokio::spawn(async move { create(&app, &key, BOOKS).await }));
            }
        }
        let mut made = BTreeSet::new();
        for task in tasks {
            let reply = task.await.unwrap();
            match reply.status {
                201 => drop(made.insert(reply.at("/data/uuid").to_string())),
                409 => assert!(reply.header("retry-after").is_some()),
                other => panic!("{other}: {}", String::from_utf8_lossy(&reply.bytes)),
            }
        }
        assert_eq!(made.len(), 10);
        assert_eq!(count(&app).await, 10);
    }

    async fn another_teams_template_is_no_different_from_none(app) {
        let made = create(&app, "order-4521-attempt", BOOKS).await.expect(201);
        let id = made.at("/data/uuid").as_str().unwrap().to_owned();
        let (other, token) = app.team("other.example.com").await;
        let own = format!("/v2/teams/{other}/shipment-templates");
        for (method, body) in [("GET", ""), ("PUT", BOOKS), ("DELETE", "")] {
            let mut replies = Vec::new();
            for id in [id.as_str(), "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b", "x"] {
                let ask = app.ask(method, &format!("{own}/{id}")).token(&token).json(body);
                replies.push(ask.send().await.expect(404).bytes.clone());
            }
            assert!(replies.iter().all(|bytes| *bytes == replies[0]));
        }
        app.get(&app.path(&format!("/shipment-templates/{id}"))).admin().send().await.expect(200);
    }

    async fn a_field_of_the_answer_is_not_a_field_of_the_request(app) {
        let made = create(&app, "order-4521-attempt", BOOKS).await.expect(201);
        let body = made.at("/data").to_string();
        let reply = app.post(&app.path("/shipment-templates")).admin().json(&body).send().await;
        assert_eq!(reply.problems(), ["created_at", "updated_at", "uuid"]);
    }
}
