//! The catalog.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{act, adjust, get, id, item, list, path, post, request};
use crate::harness::both;
use crate::shipments::fixtures;

both! {
    async fn an_item_is_shown_as_it_was_given_with_nulls_for_the_rest(app) {
        let made = post(&app, "/catalog-items", &json!({"sku": "B-1", "name": "Paperback",
            "weight": {"value": 400.5, "unit": "g"}})).await.expect(201);
        let shown = made.at("/data");
        assert_eq!(shown["weight"], json!({"value": 400.5, "unit": "g"}));
        for name in ["barcode", "length", "width", "height", "hs_code", "unit_price"] {
            assert_eq!(shown[name], Value::Null, "{name}");
        }
        let one = format!("/catalog-items/{}", id(&made));
        assert_eq!(get(&app, &one).send().await.expect(200).at("/data"), shown);
        let location = made.header("location").unwrap();
        assert!(location.ends_with(&path(&app, &one)), "{location}");
    }

    async fn a_sku_is_taken_once_also_by_many_at_once(app) {
        let body = json!({"sku": "B-1", "name": "Paperback"});
        let all = join_all((0..20).map(|_| post(&app, "/catalog-items", &body))).await;
        let made = all.iter().filter(|reply| reply.status == 201).count();
        assert_eq!(made, 1);
        for refused in all.into_iter().filter(|reply| reply.status != 201) {
            assert_eq!(refused.expect(422).problems(), ["sku"]);
        }
        item(&app, "b-1").await;
    }

    async fn a_sku_that_was_removed_may_be_used_again(app) {
        let first = item(&app, "B-1").await;
        adjust(&app, "B-1", "A-1", 3).await.expect(201);
        adjust(&app, "B-1", "A-1", -3).await.expect(201);
        let one = path(&app, &format!("/catalog-items/{}", id(&first)));
        app.delete(&one).admin().send().await.expect(204);
        app.get(&one).admin().send().await.expect(404);
        app.delete(&one).admin().send().await.expect(404);
        adjust(&app, "B-1", "A-1", 3).await.expect(422);
        let second = item(&app, "B-1").await;
        assert_ne!(id(&first), id(&second));
        adjust(&app, "B-1", "A-1", 4).await.expect(201);
        let levels = list(&app, "/inventory-levels?sku=B-1").await;
        assert_eq!(levels.len(), 1);
        assert_eq!(levels[0]["catalog_item_uuid"], second.at("/data/uuid"));
        let ledger = list(&app, "/inventory-adjustments?sku=B-1").await;
        let deltas: Vec<_> = ledger.iter().map(|line| line["delta"].clone()).collect();
        assert_eq!(deltas, [json!(4), json!(-3), json!(3)], "the ledger keeps its lines");
    }

    async fn an_item_with_stock_is_not_removed(app) {
        let made = item(&app, "B-1").await;
        adjust(&app, "B-1", "A-1", 3).await.expect(201);
        let one = path(&app, &format!("/catalog-items/{}", id(&made)));
        let refused = app.delete(&one).admin().send().await.expect(409);
        assert!(refused.at("/message").as_str().unwrap().contains('3'));
    }

    async fn a_patch_changes_what_it_names(app) {
        let made = item(&app, "B-1").await;
        let one = path(&app, &format!("/catalog-items/{}", id(&made)));
        let patch = |body: Value| app.patch(&one).admin().json(&body.to_string()).send();
        assert_eq!(patch(json!({})).await.expect(200).at("/data"), made.at("/data"));
        app.clock.advance(Duration::from_secs(1));
        let new = patch(json!({"name": "Hardback", "barcode": null})).await.expect(200);
        assert_eq!(new.at("/data/name"), "Hardback");
        assert_eq!(new.at("/data/barcode"), Value::Null);
        assert_eq!(new.at("/data/weight"), made.at("/data/weight"));
        assert_ne!(new.at("/data/updated_at"), made.at("/data/updated_at"));
        let refused = patch(json!({"sku": "B-2", "name": null, "colour": null})).await.expect(422);
        assert_eq!(refused.problems(), ["colour", "name", "sku"]);
        let mixed = json!({"length": {"value": 1, "unit": "cm"}, "width": {"value": 1, "unit": "in"}});
        let refused = patch(mixed).await.expect(422);
        assert_eq!(refused.problems(), ["length.unit", "width.unit"]);
    }

    async fn everything_that_is_wrong_with_an_item_is_told_at_once(app) {
        let body = json!({"sku": "B ", "name": "", "weight": {"value": 1.0005, "unit": "stone"},
            "hs_code": "12", "unit_price": {"value": -1, "currency": "kr"}, "wieght": 1});
        let refused = post(&app, "/catalog-items", &body).await.expect(422);
        assert_eq!(refused.problems(), ["hs_code", "name", "sku", "unit_price.currency",
            "unit_price.value", "weight.unit", "weight.value", "wieght"]);
        for good in ["x".repeat(64), "æ".repeat(64), "A 1/2?&%".to_owned()] {
            post(&app, "/catalog-items", &json!({"sku": good, "name": "n"})).await.expect(201);
        }
        for bad in ["x".repeat(65), String::new(), " ".to_owned(), "a\tb".to_owned()] {
            let body = json!({"sku": bad, "name": "n"});
            assert_eq!(post(&app, "/catalog-items", &body).await.expect(422).problems(), ["sku"]);
        }
    }

    async fn items_are_listed_newest_first_and_found_exactly(app) {
        for sku in ["B-1", "B-2", "b-1"] {
            item(&app, sku).await;
        }
        let skus = |rows: Vec<Value>| -> Vec<String> {
            rows.iter().map(|row| row["sku"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(skus(list(&app, "/catalog-items").await), ["b-1", "B-2", "B-1"]);
        assert_eq!(skus(list(&app, "/catalog-items?sku=B-1").await), ["B-1"]);
        assert_eq!(skus(list(&app, "/catalog-items?barcode=57B-2").await), ["B-2"]);
        assert!(list(&app, "/catalog-items?sku=B-1&barcode=57B-2").await.is_empty());
        let page = get(&app, "/catalog-items?per_page=2").send().await.expect(200);
        let next = page.at("/meta/next_cursor").as_str().unwrap().to_owned();
        let rest = list(&app, &format!("/catalog-items?per_page=2&cursor={next}")).await;
        assert_eq!(skus(rest), ["B-1"]);
    }

    async fn an_item_of_another_team_is_not_there(app) {
        let made = item(&app, "B-1").await;
        let (other, token) = app.team("other.example.com").await;
        let theirs = format!("/beta/teams/{other}/wms/catalog-items");
        let one = format!("{theirs}/{}", id(&made));
        app.get(&one).token(&token).send().await.expect(404);
        app.patch(&one).token(&token).json("{}").send().await.expect(404);
        app.delete(&one).token(&token).send().await.expect(404);
        let list = app.get(&format!("{theirs}?sku=B-1")).token(&token).send().await.expect(200);
        assert_eq!(list.at("/data"), json!([]));
    }

    async fn the_same_create_again_shows_the_item_that_it_made(app) {
        let body = json!({"sku": "B-1", "name": "Paperback"}).to_string();
        let ask = || {
            let all = path(&app, "/catalog-items");
            app.post(&all).admin().header("idempotency-key", "the-same-item-again").json(&body).send()
        };
        let (first, second) = (ask().await.expect(201), ask().await.expect(201));
        assert_eq!(first.at("/data"), second.at("/data"));
        assert_eq!(second.header("idempotency-replayed"), Some("true"));
        let one = path(&app, &format!("/catalog-items/{}", id(&first)));
        app.delete(&one).admin().send().await.expect(204);
        ask().await.expect(404);
    }
}

fixtures! {
    async fn an_item_that_is_wanted_is_not_removed_until_the_request_is_over(fixture) {
        let app = &fixture.app;
        let one = path(app, &format!("/catalog-items/{}", id(&item(app, "B-1").await)));
        let wanted = request(app, "WANTED", &[("B-1", 1)]).await;
        app.delete(&one).admin().send().await.expect(409);
        act(app, &wanted, "cancel").await.expect(200);
        app.delete(&one).admin().send().await.expect(204);
    }
}
