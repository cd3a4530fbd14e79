//! Stock: what comes in, what goes out, and the ledger of both.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{act, adjust, get, item, level, list, packed, path, post, read, request};
use crate::harness::{Reply, both};
use crate::shipments::fixtures;

fn locations(rows: &[Value]) -> Vec<String> {
    let name = |row: &Value| format!("{} {}", text(&row["sku"]), text(&row["location"]));
    rows.iter().map(name).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

both! {
    async fn a_level_comes_into_being_with_its_first_adjustment_and_stays(app) {
        item(&app, "B-1").await;
        assert!(list(&app, "/inventory-levels?sku=B-1").await.is_empty());
        let body = json!({"sku": "B-1", "location": "A-1", "delta": 5, "reason": "PO-77"});
        let made = post(&app, "/inventory-adjustments", &body).await.expect(201);
        assert_eq!(made.at("/data/reason"), "PO-77");
        assert_eq!(made.at("/data/fulfilment_request_uuid"), Value::Null);
        assert_eq!(made.at("/data/level/on_hand"), 5);
        let gone = adjust(&app, "B-1", "A-1", -5).await.expect(201);
        assert_eq!(gone.at("/data/level/on_hand"), 0);
        assert_eq!(level(&app, "B-1", "A-1").await, (0, 0));
    }

    async fn no_level_leaves_its_bounds(app) {
        item(&app, "B-1").await;
        let first = adjust(&app, "B-1", "A-1", -1).await.expect(409);
        assert!(first.at("/message").as_str().unwrap().contains("Only 0"));
        assert!(list(&app, "/inventory-levels").await.is_empty(), "nothing came into being");
        adjust(&app, "B-1", "A-1", 1_000_000_000).await.expect(201);
        let full = adjust(&app, "B-1", "A-1", 1).await.expect(409);
        assert!(full.at("/message").as_str().unwrap().contains("1000000000"));
        assert_eq!(full.header("retry-after"), None);
        adjust(&app, "B-1", "A-1", -1_000_000_000).await.expect(201);
        assert_eq!(list(&app, "/inventory-adjustments").await.len(), 2);
    }

    async fn everything_that_is_wrong_with_an_adjustment_is_told_at_once(app) {
        item(&app, "B-1").await;
        let body = json!({"sku": "", "location": "A ", "delta": 0, "raeson": "x"});
        let refused = post(&app, "/inventory-adjustments", &body).await.expect(422);
        assert_eq!(refused.problems(), ["delta", "location", "raeson", "sku"]);
        for delta in [json!(1.5), json!("1"), json!(1_000_000_001), Value::Null] {
            let body = json!({"sku": "B-1", "location": "A", "delta": delta});
            let refused = post(&app, "/inventory-adjustments", &body).await.expect(422);
            assert_eq!(refused.problems(), ["delta"]);
        }
        let unknown = adjust(&app, "b-1", "A-1", 1).await.expect(422);
        assert_eq!(unknown.problems(), ["sku"]);
    }

    async fn levels_are_listed_by_sku_and_location_in_the_order_of_their_bytes(app) {
        for sku in ["b", "B", "é"] {
            item(&app, sku).await;
            for location in ["a", "Z", "A"] {
                adjust(&app, sku, location, 1).await.expect(201);
            }
        }
        let all = ["B A", "B Z", "B a", "b A", "b Z", "b a", "é A", "é Z", "é a"];
        assert_eq!(locations(&list(&app, "/inventory-levels").await), all);
        let mut walked = Vec::new();
        let mut next = "/inventory-levels?per_page=2".to_owned();
        let mut back = None;
        loop {
            let page = get(&app, &next).send().await.expect(200);
            walked.extend(locations(page.at("/data").as_array().unwrap()));
            let Value::String(cursor) = page.at("/meta/next_cursor") else {
                back = page.at("/meta/prev_cursor").as_str().map(str::to_owned).or(back);
                break;
            };
            next = format!("/inventory-levels?per_page=2&cursor={cursor}");
        }
        assert_eq!(walked, all);
        let before = format!("/inventory-levels?per_page=2&cursor={}", back.unwrap());
        assert_eq!(locations(&list(&app, &before).await), ["é A", "é Z"]);
        let at = list(&app, "/inventory-levels?location=Z&per_page=2").await;
        assert_eq!(locations(&at), ["B Z", "b Z"]);
        assert_eq!(locations(&list(&app, "/inventory-levels?sku=b").await), ["b A", "b Z", "b a"]);
        assert!(list(&app, "/inventory-levels?sku=none").await.is_empty());
        let page = get(&app, "/inventory-levels?location=Z&per_page=2").send().await.expect(200);
        let next = text(&page.at("/meta/next_cursor"));
        let rest = format!("/inventory-levels?location=Z&per_page=2&cursor={next}");
        assert_eq!(locations(&list(&app, &rest).await), ["é Z"]);
    }

    async fn the_ledger_is_listed_newest_first_and_found_exactly(app) {
        for sku in ["B-1", "B-2"] {
            item(&app, sku).await;
            adjust(&app, sku, "A-1", 1).await.expect(201);
            adjust(&app, sku, "A-2", 2).await.expect(201);
        }
        let deltas = |rows: Vec<Value>| -> Vec<String> {
            rows.iter().map(|row| format!("{}{}", text(&row["sku"]), row["delta"])).collect()
        };
        let all = list(&app, "/inventory-adjustments").await;
        assert!(all.iter().all(|line| line.get("level").is_none()));
        assert_eq!(deltas(all), ["B-22", "B-21", "B-12", "B-11"]);
        assert_eq!(deltas(list(&app, "/inventory-adjustments?sku=B-1").await), ["B-12", "B-11"]);
        let at = list(&app, "/inventory-adjustments?location=A-1").await;
        assert_eq!(deltas(at), ["B-21", "B-11"]);
        let both = list(&app, "/inventory-adjustments?location=A-1&sku=B-2").await;
        assert_eq!(deltas(both), ["B-21"]);
        let page = get(&app, "/inventory-adjustments?per_page=3").send().await.expect(200);
        let next = text(&page.at("/meta/next_cursor"));
        let rest = list(&app, &format!("/inventory-adjustments?per_page=3&cursor={next}")).await;
        assert_eq!(deltas(rest), ["B-11"]);
        let wrong = get(&app, "/inventory-adjustments?fulfilment_request_uuid=x").send().await;
        assert_eq!(wrong.expect(422).problems(), ["fulfilment_request_uuid"]);
    }

    async fn the_same_adjustment_again_is_made_once_and_shows_the_level_as_it_is_now(app) {
        item(&app, "B-1").await;
        let body = json!({"sku": "B-1", "location": "A-1", "delta": 5}).to_string();
        let ask = || {
            let all = path(&app, "/inventory-adjustments");
            app.post(&all).admin().header("idempotency-key", "the-same-stock-again").json(&body).send()
        };
        let first = ask().await.expect(201);
        adjust(&app, "B-1", "A-1", 2).await.expect(201);
        let second = ask().await.expect(201);
        assert_eq!(second.header("idempotency-replayed"), Some("true"));
        assert_eq!(first.at("/data/uuid"), second.at("/data/uuid"));
        assert_eq!(second.at("/data/level/on_hand"), 7);
    }

    async fn adjustments_at_once_add_up(app) {
        item(&app, "B-1").await;
        let all = join_all((0..40).map(|n| adjust(&app, "B-1", "A-1", if n % 2 == 0 { 3 } else { -2 })));
        let replies: Vec<Reply> = all.await;
        assert!(replies.iter().all(|reply| [201, 409].contains(&reply.status)));
        let of = |delta: i64| {
            let done = replies.iter().filter(|reply| reply.status == 201);
            done.filter(|reply| reply.at("/data/delta") == delta).count()
        };
        let sum = 3 * i64::try_from(of(3)).unwrap() - 2 * i64::try_from(of(-2)).unwrap();
        assert_eq!(level(&app, "B-1", "A-1").await, (sum, 0));
    }
}

fixtures! {
    async fn stock_is_taken_from_locations_in_ascending_order(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        for (location, count) in [("b", 9), ("a", 2), ("B", 3)] {
            adjust(app, "B-1", location, count).await.expect(201);
        }
        let made = request(app, "ORDER", &[("B-1", 7)]).await;
        let after = act(app, &made, "allocate").await.expect(200);
        let takes = json!([{"location": "B", "quantity": 3}, {"location": "a", "quantity": 2},
            {"location": "b", "quantity": 2}]);
        assert_eq!(after.at("/data/lines/0/allocations"), takes);
        assert_eq!(level(app, "B-1", "b").await, (9, 2));
        adjust(app, "B-1", "b", -8).await.expect(409);
        adjust(app, "B-1", "b", -7).await.expect(201);
    }

    async fn all_lines_get_their_stock_or_none_does(fixture) {
        let app = &fixture.app;
        for sku in ["B-1", "B-2"] {
            item(app, sku).await;
            adjust(app, sku, "A-1", 3).await.expect(201);
        }
        let made = request(app, "SHORT", &[("B-1", 3), ("B-2", 5)]).await;
        let short = act(app, &made, "allocate").await.expect(200);
        assert_eq!(short.at("/data/state"), "backordered");
        assert_eq!(short.at("/data/lines/0/missing"), 0);
        assert_eq!(short.at("/data/lines/1/missing"), 2);
        assert_eq!(short.at("/data/lines/0/allocations"), json!([]));
        assert_eq!(level(app, "B-1", "A-1").await, (3, 0));
        let again = act(app, &made, "allocate").await.expect(200);
        assert_eq!(again.at("/data"), short.at("/data"), "as it is");
        adjust(app, "B-2", "A-1", 1).await.expect(201);
        fixture.advance(Duration::from_secs(1)).await;
        let nearer = act(app, &made, "allocate").await.expect(200);
        assert_eq!(nearer.at("/data/lines/1/missing"), 1);
        assert_ne!(nearer.at("/data/updated_at"), short.at("/data/updated_at"));
        adjust(app, "B-2", "A-1", 1).await.expect(201);
        let whole = act(app, &made, "allocate").await.expect(200);
        assert_eq!(whole.at("/data/state"), "allocated");
        assert_eq!(whole.at("/data/lines/1/missing"), 0);
        assert_eq!(level(app, "B-2", "A-1").await, (5, 5));
    }

    async fn of_64_requests_at_once_for_the_last_10_pieces_exactly_10_get_one(fixture) {
        let app = &fixture.app;
        item(app, "HOT").await;
        for location in ["A", "B"] {
            adjust(app, "HOT", location, 5).await.expect(201);
        }
        let mut made = Vec::new();
        for number in 0..64 {
            made.push(request(app, &format!("HOT-{number}"), &[("HOT", 1)]).await);
        }
        let all = join_all(made.iter().map(|id| act(app, id, "allocate"))).await;
        let in_state = |state: &str| {
            all.iter().filter(|reply| reply.at("/data/state") == state).count()
        };
        assert_eq!((in_state("allocated"), in_state("backordered")), (10, 54));
        assert_eq!(level(app, "HOT", "A").await, (5, 5));
        assert_eq!(level(app, "HOT", "B").await, (5, 5));
    }

    async fn cancelling_gives_stock_back(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = packed(&fixture, "BACK", &[("B-1", 4)]).await;
        assert_eq!(level(app, "B-1", "A-1").await, (10, 4));
        let after = act(app, &made, "cancel").await.expect(200);
        assert_eq!(after.at("/data/lines/0/allocations"), json!([]));
        assert_eq!(level(app, "B-1", "A-1").await, (10, 0));
        assert_eq!(read(app, &made).await.at("/data"), after.at("/data"));
    }
}
