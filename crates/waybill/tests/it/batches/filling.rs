//! Making batches and filling them.

use serde_json::{Value, json};

use super::{act, add, filled, members, open, path, read};
use crate::harness::fixture::{order, order_with};
use crate::shipments::fixtures;

fixtures! {
    async fn a_batch_that_is_not_there_is_404_whatever_is_sent(fixture) {
        let path = fixture.app.path("/booking-batches/01a1e049-876b-7abf-afcc-5ff07827cff3");
        fixture.app.post(&format!("{path}/shipments")).admin().json("{}").send().await.expect(404);
        fixture.app.get(&format!("{path}/shipments?per_page=0")).admin().send().await.expect(404);
        fixture.app.get(&format!("{path}?x=1")).admin().send().await.expect(404);
        let start = fixture.app.post(&format!("{path}/start")).admin();
        start.header("idempotency-key", "x").send().await.expect(404);
    }

    async fn a_new_batch_is_open_and_empty_and_is_found_under_both_prefixes(fixture) {
        let wish = json!({"identifier": "2026-11-16-am", "reference": "Morning orders"});
        let made = fixture.app.post(&path(&fixture, "")).admin().json(&wish.to_string()).send().await;
        let made = made.expect(201);
        assert_eq!(made.at("/data/state"), "open");
        assert_eq!(made.at("/data/identifier"), "2026-11-16-am");
        assert_eq!(made.at("/data/total_count"), 0);
        assert_eq!(made.at("/data/progress"), 0);
        assert_eq!(made.at("/data/callback"), Value::Null);
        let location = made.header("location").unwrap().to_owned();
        let location = location.strip_prefix("http://waybill.test").unwrap();
        for path in [location.to_owned(), location.replacen("/v2/", "/beta/", 1)] {
            let found = fixture.app.get(&path).admin().send().await.expect(200);
            assert_eq!(found.at("/data"), made.at("/data"));
        }
        for problem in [json!({"identifer": "x"}), json!({"reference": 1})] {
            let refused = fixture.app.post(&path(&fixture, "")).admin().json(&problem.to_string()).send();
            refused.await.expect(422);
        }
    }

    async fn batches_are_listed_newest_first_by_state(fixture) {
        let (first, second) = (filled(&fixture, "L", 1).await, open(&fixture).await);
        act(&fixture, &first, "start").await.expect(202);
        super::until(&fixture, &first, "completed").await;
        let all = fixture.app.get(&path(&fixture, "?per_page=1")).admin().send().await.expect(200);
        assert_eq!(all.at("/data/0/uuid"), json!(second));
        let next = all.at("/links/next").as_str().unwrap().to_owned();
        let next = next.strip_prefix("http://waybill.test").unwrap();
        let rest = fixture.app.get(next).admin().send().await.expect(200);
        assert_eq!(rest.at("/data/0/uuid"), json!(first));
        for (state, found) in [("open", &second), ("completed", &first)] {
            let path = path(&fixture, &format!("?state={state}"));
            let some = fixture.app.get(&path).admin().send().await.expect(200);
            assert_eq!(some.at("/data").as_array().unwrap().len(), 1);
            assert_eq!(some.at("/data/0/uuid"), json!(found));
        }
        let wrong = path(&fixture, "?state=opened");
        assert_eq!(fixture.app.get(&wrong).admin().send().await.problems(), ["state"]);
    }

    // Rules: Booking flow 6.
    async fn members_are_accepted_as_they_will_be_booked_and_wait_in_their_order(fixture) {
        let batch = open(&fixture).await;
        let some: Vec<Value> = (0..3).map(|n| order(&format!("A-{n}"))).collect();
        let added = add(&fixture, &batch, &some).await.expect(201);
        assert_eq!(added.at("/data").as_array().unwrap().len(), 3);
        assert_eq!(added.at("/data/1/reference"), "A-1");
        assert_eq!(added.at("/data/1/state"), "pending");
        assert_eq!(added.at("/data/1/batch_uuid"), json!(batch));
        add(&fixture, &batch, &[order("A-3")]).await.expect(201);
        // What the team changes now is not for them.
        let patch = json!({"documents": {"label": {"formats": ["zpl"]}}}).to_string();
        let settings = fixture.app.path("/settings");
        fixture.app.patch(&settings).admin().json(&patch).send().await.expect(200);
        let references: Vec<_> =
            members(&fixture, &batch).await.iter().map(|m| m["reference"].clone()).collect();
        assert_eq!(references, ["A-0", "A-1", "A-2", "A-3"]);
        assert_eq!(read(&fixture, &batch).await["pending_count"], 4);
        act(&fixture, &batch, "start").await.expect(202);
        super::until(&fixture, &batch, "completed").await;
        let booked = members(&fixture, &batch).await;
        assert!(booked.iter().all(|m| m["documents"][0]["format"] == "pdf"), "{booked:?}");
    }

    async fn one_bad_member_of_many_adds_none(fixture) {
        let batch = open(&fixture).await;
        let mut some: Vec<Value> = (0..100).map(|n| order(&format!("B-{n}"))).collect();
        some[3] = order_with("B-3", json!({"parcels": [{"gross_weight": {"value": 1, "unit": "st"}}]}));
        some[57] = order_with("B-57", json!({"delivery": {"service_code": "sandbox:hme"}}));
        some[99] = json!("no shipment");
        let problems = add(&fixture, &batch, &some).await.problems();
        assert_eq!(
            problems,
            ["data.3.parcels.0.gross_weight.unit", "data.57.delivery.service_code", "data.99"]
        );
        assert_eq!(read(&fixture, &batch).await["total_count"], 0);
        for wrong in [json!({"data": []}), json!({"data": vec![order("x"); 101]}), json!({})] {
            let path = path(&fixture, &format!("/{batch}/shipments"));
            let refused = fixture.app.post(&path).admin().json(&wrong.to_string()).send().await;
            assert_eq!(refused.problems(), ["data"]);
        }
    }

    async fn the_same_key_adds_the_same_members_once(fixture) {
        let batch = open(&fixture).await;
        add(&fixture, &batch, &[order("K-before")]).await.expect(201);
        let body = json!({"data": [order("K-0"), order("K-1")]}).to_string();
        let path = path(&fixture, &format!("/{batch}/shipments"));
        let send = || fixture.app.post(&path).admin().header("idempotency-key", "adds-two-members").json(&body).send();
        let first = send().await.expect(201);
        add(&fixture, &batch, &[order("K-after")]).await.expect(201);
        let again = send().await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/0/uuid"), first.at("/data/0/uuid"));
        assert_eq!(again.at("/data/1/uuid"), first.at("/data/1/uuid"));
        assert_eq!(again.at("/data").as_array().unwrap().len(), 2);
        assert_eq!(read(&fixture, &batch).await["total_count"], 4);
    }

    async fn a_member_that_is_not_begun_can_be_deleted_while_the_batch_is_open(fixture) {
        let batch = filled(&fixture, "D", 3).await;
        let uuids: Vec<_> = members(&fixture, &batch).await.iter().map(|m| m["uuid"].clone()).collect();
        let one = |n: usize| fixture.app.path(&format!("/shipments/{}", uuids[n].as_str().unwrap()));
        fixture.app.delete(&one(1)).admin().send().await.expect(204);
        fixture.app.delete(&one(1)).admin().send().await.expect(404);
        assert_eq!(read(&fixture, &batch).await["total_count"], 2);
        act(&fixture, &batch, "start").await.expect(202);
        super::until(&fixture, &batch, "completed").await;
        fixture.app.delete(&one(0)).admin().send().await.expect(409);
        let left: Vec<_> = members(&fixture, &batch).await.iter().map(|m| m["uuid"].clone()).collect();
        assert_eq!(left, [uuids[0].clone(), uuids[2].clone()]);
    }

    async fn what_is_wrong_beside_the_members_is_told_with_what_is_wrong_in_them(fixture) {
        let batch = open(&fixture).await;
        let ask = |body: Value| {
            let path = path(&fixture, &format!("/{batch}/shipments?nonsense=1"));
            fixture.app.post(&path).admin().header("idempotency-key", "").json(&body.to_string()).send()
        };
        let heavy = order_with("H", json!({"parcels": []}));
        let told = ask(json!({"data": [order("A"), heavy]})).await.problems();
        assert_eq!(told, ["Idempotency-Key", "data.1.parcels", "nonsense"]);
        let told = ask(json!({})).await.problems();
        assert_eq!(told, ["Idempotency-Key", "data", "nonsense"]);
        assert_eq!(read(&fixture, &batch).await["total_count"], 0);
    }

    async fn pages_of_members_lead_forth_and_back(fixture) {
        let batch = filled(&fixture, "P", 5).await;
        let first = fixture.app.get(&path(&fixture, &format!("/{batch}/shipments?per_page=2")));
        let first = first.admin().send().await.expect(200);
        assert_eq!(first.at("/data/0/reference"), "P-0");
        let follow = |reply: &crate::harness::Reply, link: &str| {
            let url = reply.at(&format!("/links/{link}")).as_str().unwrap().to_owned();
            url.strip_prefix("http://waybill.test").unwrap().to_owned()
        };
        let second = fixture.app.get(&follow(&first, "next")).admin().send().await.expect(200);
        assert_eq!(second.at("/data/0/reference"), "P-2");
        let third = fixture.app.get(&follow(&second, "next")).admin().send().await.expect(200);
        assert_eq!(third.at("/data/0/reference"), "P-4");
        assert_eq!(third.at("/links/next"), Value::Null);
        let back = fixture.app.get(&follow(&third, "prev")).admin().send().await.expect(200);
        assert_eq!(back.at("/data/0/reference"), "P-2");
        let elsewhere = follow(&first, "next").replace(&batch, &open(&fixture).await);
        assert_eq!(fixture.app.get(&elsewhere).admin().send().await.problems(), ["cursor"]);
    }
}
