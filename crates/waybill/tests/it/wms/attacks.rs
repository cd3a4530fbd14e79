//! What somebody does who wants more than there is: everything at once, things of other teams,
//! bodies and numbers at the edge and beyond it.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{act, adjust, id, item, level, list, path, post, request, wanting};
use crate::harness::fixture::{Fixture, seed};
use crate::harness::{Database, Reply, TestApp, both, databases};

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

async fn bring(app: &TestApp, sku: &str, delta: i64) {
    adjust(app, sku, "A-1", delta).await.expect(201);
}

async fn packed(app: &TestApp, reference: &str, sku: &str) -> String {
    let id = request(app, reference, &[(sku, 1)]).await;
    for (action, state) in [("allocate", "allocated"), ("pick", "picking"), ("pack", "packed")] {
        let reply = act(app, &id, action).await.expect(200);
        assert_eq!(reply.at("/data/state"), json!(state));
    }
    id
}

/// Ships, and asks again while the booking takes its time.
async fn ship(app: &TestApp, request: &str) -> Reply {
    loop {
        let reply = act(app, request, "ship").await;
        if reply.status != 202 {
            return reply;
        }
    }
}

/// What is on hand of an item, and what of it is reserved.
async fn stock(app: &TestApp, sku: &str) -> (i64, i64) {
    level(app, sku, "A-1").await
}

fn with_status(replies: &[Reply], status: u16) -> usize {
    replies.iter().filter(|reply| reply.status == status).count()
}

both! {
    async fn allocations_and_takings_at_once_never_want_more_than_there_is(app) {
        seed(&app).await;
        item(&app, "B-1").await;
        bring(&app, "B-1", 20).await;
        let made = (0..30).map(|number| {
            let (app, reference) = (&app, format!("R-{number}"));
            async move { request(app, &reference, &[("B-1", 1)]).await }
        });
        let ids = join_all(made).await;
        let allocating = join_all(ids.iter().map(|id| act(&app, id, "allocate")));
        let taking = join_all((0..30).map(|_| adjust(&app, "B-1", "A-1", -1)));
        let (allocated, taken) = tokio::join!(allocating, taking);
        let taken = (with_status(&taken, 201), with_status(&taken, 409));
        assert_eq!(taken.0 + taken.1, 30);
        assert_eq!(with_status(&allocated, 200), 30);
        let is_whole = |reply: &&Reply| reply.at("/data/state") == json!("allocated");
        let whole = allocated.iter().filter(is_whole).count();
        assert_eq!(whole + taken.0, 20);
        let (on_hand, reserved) = stock(&app, "B-1").await;
        assert_eq!((on_hand, reserved), (20 - taken.0 as i64, whole as i64));
    }

    async fn requests_that_name_items_the_other_way_round_do_not_wait_for_each_other(app) {
        seed(&app).await;
        for sku in ["B-1", "B-2", "B-3"] {
            item(&app, sku).await;
            bring(&app, sku, 5).await;
        }
        let (one, two, three) = (("B-1", 1), ("B-2", 1), ("B-3", 1));
        let orders = [[one, two, three], [three, two, one], [two, three, one]];
        for _ in 0..10 {
            let mut ids = Vec::new();
            for lines in &orders {
                ids.push(request(&app, "R-1", lines).await);
            }
            let allocated = join_all(ids.iter().map(|id| act(&app, id, "allocate"))).await;
            let is_whole = |reply: &Reply| reply.at("/data/state") == json!("allocated");
            assert!(allocated.iter().all(is_whole));
            let cancelled = join_all(ids.iter().map(|id| act(&app, id, "cancel"))).await;
            assert_eq!(with_status(&cancelled, 200), 3);
        }
        assert_eq!(stock(&app, "B-2").await, (5, 0));
    }

    async fn what_is_allocated_cannot_be_taken_and_one_cancel_gives_it_back_once(app) {
        seed(&app).await;
        item(&app, "B-1").await;
        bring(&app, "B-1", 3).await;
        let id = request(&app, "R-1", &[("B-1", 1)]).await;
        act(&app, &id, "allocate").await.expect(200);
        let refused = adjust(&app, "B-1", "A-1", -3).await.expect(409);
        assert!(text(&refused.at("/message")).contains('2'), "{}", refused.json());
        let cancelled = join_all((0..16).map(|_| act(&app, &id, "cancel"))).await;
        assert_eq!(with_status(&cancelled, 200), 16);
        assert_eq!(stock(&app, "B-1").await, (3, 0));
        bring(&app, "B-1", -3).await;
    }

    async fn one_of_twenty_makes_an_item_of_the_same_sku(app) {
        let body = json!({"sku": "B-1", "name": "Paperback"});
        let made = join_all((0..20).map(|_| post(&app, "/catalog-items", &body))).await;
        assert_eq!(with_status(&made, 201), 1);
        for refused in made.into_iter().filter(|reply| reply.status != 201) {
            assert_eq!(refused.expect(422).problems(), ["sku"]);
        }
        assert_eq!(list(&app, "/catalog-items").await.len(), 1);
    }

    async fn one_key_adjusts_once_however_often_it_comes_at_once(app) {
        item(&app, "B-1").await;
        let path = path(&app, "/inventory-adjustments");
        let body = json!({"sku": "B-1", "location": "A-1", "delta": 7}).to_string();
        let asked = (0..16).map(|_| {
            let ask = app.post(&path).admin().header("idempotency-key", "adjust-b1-by-seven");
            ask.json(&body).send()
        });
        let replies = join_all(asked).await;
        // Some may be told that the first one is still being answered.
        assert_eq!(with_status(&replies, 201) + with_status(&replies, 409), 16);
        assert!(with_status(&replies, 201) > 0);
        assert_eq!(stock(&app, "B-1").await, (7, 0));
        assert_eq!(list(&app, "/inventory-adjustments").await.len(), 1);
    }

    async fn an_item_is_not_deleted_beside_a_request_that_wants_it(app) {
        seed(&app).await;
        for round in 0..10 {
            let sku = format!("B-{round}");
            let id = id(&item(&app, &sku).await);
            let own = path(&app, &format!("/catalog-items/{id}"));
            let body = wanting(&format!("R-{round}"), &[(&sku, 1)]);
            let (deleted, made) = tokio::join!(
                app.delete(&own).admin().send(),
                post(&app, "/fulfilment-requests", &body)
            );
            match (deleted.status, made.status) {
                (204, 422) => assert_eq!(made.problems(), ["lines.0.sku"]),
                (409, 201) => {}
                other => panic!("{other:?}: {}", made.json()),
            }
        }
    }

    async fn nothing_of_another_team_is_seen_used_or_changed(app) {
        seed(&app).await;
        let own = id(&item(&app, "B-1").await);
        bring(&app, "B-1", 5).await;
        let wanted = request(&app, "R-1", &[("B-1", 1)]).await;
        let (other, token) = app.team("other.example.com").await;
        let base = format!("/beta/teams/{other}/wms");
        let item = format!("{base}/catalog-items/{own}");
        app.get(&item).token(&token).send().await.expect(404);
        app.patch(&item).token(&token).json("{}").send().await.expect(404);
        app.delete(&item).token(&token).send().await.expect(404);
        let request = format!("{base}/fulfilment-requests/{wanted}");
        app.get(&request).token(&token).send().await.expect(404);
        for action in ["allocate", "pick", "pack", "ship", "cancel"] {
            let path = format!("{request}/{action}");
            app.post(&path).token(&token).send().await.expect(404);
        }
        let lists = [
            "catalog-items?sku=B-1".to_owned(),
            "inventory-levels?sku=B-1".to_owned(),
            "inventory-adjustments?sku=B-1".to_owned(),
            format!("inventory-adjustments?fulfilment_request_uuid={wanted}"),
            "fulfilment-requests?reference=R-1".to_owned(),
        ];
        for list in lists {
            let list = app.get(&format!("{base}/{list}")).token(&token).send().await.expect(200);
            assert_eq!(list.at("/data"), json!([]));
        }
        let body = json!({"sku": "B-1", "location": "A-1", "delta": 1}).to_string();
        let adjusting = app.post(&format!("{base}/inventory-adjustments")).token(&token);
        assert_eq!(adjusting.json(&body).send().await.expect(422).problems(), ["sku"]);
        assert_eq!(stock(&app, "B-1").await, (5, 0));
    }

    async fn numbers_beyond_the_limits_are_refused_and_those_at_them_are_not(app) {
        seed(&app).await;
        item(&app, "B-1").await;
        for delta in ["0", "-0", "1000000001", "-1000000001", "1.5", "1e400", "\"1\"", "null"] {
            let body = format!(r#"{{"sku": "B-1", "location": "A-1", "delta": {delta}}}"#);
            let adjusting = app.post(&path(&app, "/inventory-adjustments")).admin();
            let refused = adjusting.json(&body).send().await.expect(422);
            assert_eq!(refused.problems().len(), 1, "{delta}: {}", refused.json());
        }
        bring(&app, "B-1", 1_000_000_000).await;
        adjust(&app, "B-1", "A-1", 1).await.expect(409);
        assert_eq!(stock(&app, "B-1").await, (1_000_000_000, 0));
        bring(&app, "B-1", -1_000_000_000).await;
        let with_line = |line: Value| {
            let mut body = wanting("R-1", &[]);
            body["lines"] = json!([line]);
            body
        };
        for quantity in [json!(0), json!(-1), json!(100_000), json!(1.5), json!("1")] {
            let body = with_line(json!({"sku": "B-1", "quantity": quantity}));
            let refused = post(&app, "/fulfilment-requests", &body).await.expect(422);
            assert_eq!(refused.problems(), ["lines.0.quantity"]);
        }
        for parcel in [json!(-1), json!(1), json!(i64::MAX)] {
            let body = with_line(json!({"sku": "B-1", "quantity": 1, "parcel": parcel}));
            let refused = post(&app, "/fulfilment-requests", &body).await.expect(422);
            assert_eq!(refused.problems(), ["lines.0.parcel"]);
        }
        assert_eq!(list(&app, "/fulfilment-requests").await.len(), 0);
    }

    async fn too_many_lines_a_sku_twice_and_none_at_all_are_refused(app) {
        seed(&app).await;
        item(&app, "B-1").await;
        let line = |sku: &str| json!({"sku": sku, "quantity": 1});
        let mut body = wanting("R-1", &[]);
        let refused = post(&app, "/fulfilment-requests", &body).await.expect(422);
        assert_eq!(refused.problems(), ["lines"]);
        body["lines"] = (0..1001).map(|number| line(&format!("S-{number}"))).collect();
        let refused = post(&app, "/fulfilment-requests", &body).await.expect(422);
        assert!(refused.problems().contains(&"lines".to_owned()), "{}", refused.json());
        body["lines"] = json!([line("B-1"), line("B-1")]);
        let refused = post(&app, "/fulfilment-requests", &body).await.expect(422);
        assert_eq!(refused.problems(), ["lines.1.sku"]);
    }

    async fn bodies_too_large_too_deep_or_of_another_kind_are_refused(app) {
        for rest in ["/catalog-items", "/inventory-adjustments", "/fulfilment-requests"] {
            let path = path(&app, rest);
            let large = format!(r#"{{"name": "{}"}}"#, "x".repeat(1 << 20));
            app.post(&path).admin().json(&large).send().await.expect(413);
            let deep = format!(r#"{{"name": {}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
            app.post(&path).admin().json(&deep).send().await.expect(422);
            for body in ["[]", "7", "null", "{", "{\"sku\": \"A\", \"sku\": \"B\"}"] {
                app.post(&path).admin().json(body).send().await.expect(422);
            }
        }
        let id = "01a1e402-0001-7001-8001-000000000001";
        let path = path(&app, &format!("/fulfilment-requests/{id}/allocate"));
        app.post(&path).admin().json(r#"{"force": true}"#).send().await.expect(404);
    }

    async fn skus_of_any_letters_are_what_they_are(app) {
        let longest = "ü".repeat(64);
        let skus =
            ["Æ-1", "æ-1", "箱 7", "صندوق", "🎁", "a/b?c=d&e", "' OR 1=1 --", "%00", &longest];
        for sku in skus {
            let body = json!({"sku": sku, "name": "Paperback"});
            let id = id(&post(&app, "/catalog-items", &body).await.expect(201));
            adjust(&app, sku, sku, 1).await.expect(201);
            let found: String = form_urlencoded::byte_serialize(sku.as_bytes()).collect();
            let items = list(&app, &format!("/catalog-items?sku={found}")).await;
            assert_eq!(items[0]["uuid"], json!(id));
            let levels = format!("/inventory-levels?location={found}&sku={found}");
            assert_eq!(list(&app, &levels).await.len(), 1);
        }
        let too_long = "ü".repeat(65);
        for sku in ["", " B-1", "B-1 ", "B\u{0}1", "B\n1", "B\u{7f}", "\u{a0}B-1", &too_long] {
            let body = json!({"sku": sku, "name": "Paperback"});
            let refused = post(&app, "/catalog-items", &body).await.expect(422);
            assert_eq!(refused.problems(), ["sku"], "{sku:?}");
            let refused = adjust(&app, "Æ-1", sku, 1).await.expect(422);
            assert_eq!(refused.problems(), ["location"], "{sku:?}");
        }
    }
}

async fn sixteen_who_ship_at_once_send_one_parcel(database: Database) {
    let fixture = Fixture::new(database).await;
    let app = &fixture.app;
    item(app, "B-1").await;
    bring(app, "B-1", 9).await;
    let id = packed(app, "ONCE sim:delay=200ms", "B-1").await;
    let shipped = join_all((0..16).map(|_| ship(app, &id))).await;
    assert_eq!(with_status(&shipped, 200), 16);
    let shipment = shipped[0].at("/data/shipment_uuid");
    assert!(shipped.iter().all(|reply| reply.at("/data/shipment_uuid") == shipment));
    assert_eq!(fixture.bookings("ONCE sim:delay=200ms"), 1);
    assert_eq!(stock(app, "B-1").await, (8, 0));
    let lines = format!("/inventory-adjustments?fulfilment_request_uuid={id}");
    assert_eq!(list(app, &lines).await.len(), 1);
}

async fn of_ship_and_cancel_at_once_one_wins(database: Database) {
    let fixture = Fixture::new(database).await;
    let app = &fixture.app;
    item(app, "B-1").await;
    bring(app, "B-1", 12).await;
    let mut left = 12;
    for round in 0..12 {
        let reference = format!("RACE-{round}");
        let id = packed(app, &reference, "B-1").await;
        let (shipped, cancelled) = match round % 2 {
            0 => tokio::join!(ship(app, &id), act(app, &id, "cancel")),
            _ => {
                let (cancelled, shipped) = tokio::join!(act(app, &id, "cancel"), ship(app, &id));
                (shipped, cancelled)
            }
        };
        let is_shipped = match (shipped.status, cancelled.status) {
            (200, 409) => true,
            (409, 200) => false,
            other => panic!("{other:?}"),
        };
        let own = path(app, &format!("/fulfilment-requests/{id}"));
        let state = app.get(&own).admin().send().await.expect(200).at("/data/state");
        assert_eq!(state, json!(if is_shipped { "shipped" } else { "cancelled" }));
        assert_eq!(fixture.bookings(&reference), usize::from(is_shipped));
        left -= i64::from(is_shipped);
        assert_eq!(stock(app, "B-1").await, (left, 0));
    }
}

/// A shipment that the carrier took, and that was cancelled there before it was ever booked here:
/// there may be another one, and the books are in order.
async fn after_a_cancelled_failure_there_may_be_another_parcel(database: Database) {
    let fixture = Fixture::new(database).await;
    let app = &fixture.app;
    item(app, "B-1").await;
    bring(app, "B-1", 1).await;
    let id = packed(app, "NO-PAPERS sim:documents=fail", "B-1").await;
    let failed = ship(app, &id).await.expect(502);
    let shipment = text(&failed.at("/data/shipment_uuid"));
    act(app, &id, "ship").await.expect(409);
    act(app, &id, "cancel").await.expect(409);
    let cancel = app.path(&format!("/shipments/{shipment}/cancel"));
    app.post(&cancel).admin().send().await.expect(200);
    assert_eq!(stock(app, "B-1").await, (1, 1));
    act(app, &id, "cancel").await.expect(200);
    assert_eq!(stock(app, "B-1").await, (1, 0));
}

databases! {
    sixteen_who_ship_at_once_send_one_parcel
    of_ship_and_cancel_at_once_one_wins
    after_a_cancelled_failure_there_may_be_another_parcel
}

/// Somebody has the database open in SQLite's own shell, and is in the middle of something.
#[tokio::test(flavor = "multi_thread")]
async fn who_locks_the_database_for_a_moment_delays_and_breaks_nothing() {
    let app = TestApp::new(Database::Sqlite).await;
    seed(&app).await;
    item(&app, "B-1").await;
    bring(&app, "B-1", 3).await;
    let mut ids = Vec::new();
    for number in 0..6 {
        ids.push(request(&app, &format!("R-{number}"), &[("B-1", 1)]).await);
    }
    let file = app.database_url().strip_prefix("sqlite:").unwrap();
    let mut shell = Command::new("sqlite3").arg(file).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = shell.stdin.take().unwrap();
    let lock = ".timeout 5000\nBEGIN IMMEDIATE;\n.shell sleep 1\nCOMMIT;\n";
    input.write_all(lock.as_bytes()).unwrap();
    drop(input);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let allocated = join_all(ids.iter().map(|id| act(&app, id, "allocate"))).await;
    assert!(shell.wait().unwrap().success());
    assert_eq!(with_status(&allocated, 200), 6);
    let is_whole = |reply: &&Reply| reply.at("/data/state") == json!("allocated");
    assert_eq!(allocated.iter().filter(is_whole).count(), 3);
    assert_eq!(stock(&app, "B-1").await, (3, 3));
}
