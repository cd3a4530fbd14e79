//! How often somebody may fail to sign in: in the database, so it holds on every server.

use std::time::Duration;

use axum::http::Request;
use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_api::proxies::Proxies;
use waybill_domain::time::Clock;
use waybill_store::Tx;
use waybill_store::failures::{self, Ending, Try};

use crate::harness::answers::send;
use crate::harness::{Database, Reply, TestApp, databases};
use crate::sign_in::visitor::{
    EMAIL, HOME, PASSWORD, PATH, Visitor, add_client, add_user, encoded, fields, form, html,
    request,
};

const WRONG: &str = "wrong horse battery staple";

databases! {
    five_failures_from_one_address_are_listened_to_and_then_nothing
    fifty_failures_for_one_email_address_are_listened_to_from_wherever
    thirty_failures_from_one_address_are_listened_to_for_whomever
    a_success_clears_the_first_limit_and_no_other
    limits_hold_on_every_server_and_after_a_restart
    of_many_at_once_no_more_are_listened_to_than_the_limit_says
    of_tries_that_overlap_only_the_wrong_ones_count
    right_passwords_at_the_same_moment_are_all_right
    whoever_does_not_wait_for_the_answer_has_not_failed
    whoever_finds_all_processors_taken_has_not_failed
}

/// A service that believes whom a proxy names.
async fn behind_a_proxy(database: Database) -> TestApp {
    let proxies = Proxies::parse("0.0.0.0").unwrap();
    TestApp::limited(database, Limits::new(1_000_000, 1_000_000).behind(proxies)).await
}

/// Signs in from there.
async fn sign_in(app: &TestApp, id: &str, from: &str, email: &str, password: &str) -> Reply {
    let mut visitor = Visitor::new(app).sending("x-forwarded-for", from);
    visitor.sign_in(&request(id), email, password).await
}

/// Lets so much time pass, also for a database that has the clock.
async fn pass(app: &TestApp, time: Duration) {
    app.clock.advance(time);
    if !app.app.store().is_shared() {
        return;
    }
    let age = move |tx: &mut Tx<'_>| {
        let rows: Vec<(Vec<u8>, String)> = tx.all("SELECT key, times FROM failure_window", &[])?;
        for (key, times) in rows {
            let older = |text: &str| {
                let micros =
                    text.parse::<i64>().unwrap() - i64::try_from(time.as_micros()).unwrap();
                micros.to_string()
            };
            let times: Vec<String> =
                times.split(' ').filter(|text| !text.is_empty()).map(older).collect();
            let sql = "UPDATE failure_window SET times = $2 WHERE key = $1";
            tx.exec(sql, &[(&key).into(), times.join(" ").into()])?;
        }
        Ok::<_, waybill_store::Error>(())
    };
    app.app.write(age).await.unwrap();
}

#[track_caller]
fn assert_waits(reply: Reply, longest: u64) {
    let reply = reply.expect(429);
    let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=longest).contains(&wait) && wait + 600 > longest, "{wait} of {longest}");
    assert!(html(&reply).contains("Too many sign-ins have failed. Try again in "));
    assert_eq!(reply.header("set-cookie"), None);
}

async fn five_failures_from_one_address_are_listened_to_and_then_nothing(database: Database) {
    let app = behind_a_proxy(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    // It does not matter whether there is such a user.
    for email in [EMAIL, "nobody@shop.example.com"] {
        for _ in 0..5 {
            sign_in(&app, &id, "192.0.2.1", email, WRONG).await.expect(422);
        }
        let before = app.app.secrets().passwords().compared();
        assert_waits(sign_in(&app, &id, "192.0.2.1", email, WRONG).await, 900);
        assert_waits(sign_in(&app, &id, "192.0.2.1", email, PASSWORD).await, 900);
        assert_eq!(app.app.secrets().passwords().compared(), before, "no password was looked at");
    }
    // The spelling of the address does not help, and from elsewhere it works.
    let spelt = " ADA@Shop.example.com";
    assert_waits(sign_in(&app, &id, "192.0.2.1", spelt, PASSWORD).await, 900);
    sign_in(&app, &id, "192.0.2.2", EMAIL, PASSWORD).await.expect(303);
    pass(&app, Duration::from_secs(600)).await;
    sign_in(&app, &id, "192.0.2.1", EMAIL, PASSWORD).await.expect(429);
    pass(&app, Duration::from_secs(301)).await;
    sign_in(&app, &id, "192.0.2.1", EMAIL, PASSWORD).await.expect(303);
}

async fn fifty_failures_for_one_email_address_are_listened_to_from_wherever(database: Database) {
    let app = behind_a_proxy(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    for n in 0..50 {
        sign_in(&app, &id, &format!("192.0.2.{n}"), EMAIL, WRONG).await.expect(422);
    }
    assert_waits(sign_in(&app, &id, "198.51.100.1", EMAIL, PASSWORD).await, 3600);
    add_user(&app, "bo@shop.example.com", Some(PASSWORD)).await;
    sign_in(&app, &id, "198.51.100.1", "bo@shop.example.com", PASSWORD).await.expect(303);
    pass(&app, Duration::from_secs(3601)).await;
    sign_in(&app, &id, "198.51.100.1", EMAIL, PASSWORD).await.expect(303);
}

async fn thirty_failures_from_one_address_are_listened_to_for_whomever(database: Database) {
    let app = behind_a_proxy(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    for n in 0..30 {
        let email = format!("user{n}@shop.example.com");
        sign_in(&app, &id, "192.0.2.1", &email, WRONG).await.expect(422);
    }
    assert_waits(sign_in(&app, &id, "192.0.2.1", EMAIL, PASSWORD).await, 900);
    sign_in(&app, &id, "192.0.2.2", EMAIL, PASSWORD).await.expect(303);
}

async fn a_success_clears_the_first_limit_and_no_other(database: Database) {
    let app = behind_a_proxy(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    for _ in 0..6 {
        for _ in 0..4 {
            sign_in(&app, &id, "192.0.2.1", EMAIL, WRONG).await.expect(422);
        }
        sign_in(&app, &id, "192.0.2.1", EMAIL, PASSWORD).await.expect(303);
    }
    // 24 have failed from there by now, and successes are not among them.
    for _ in 0..4 {
        sign_in(&app, &id, "192.0.2.1", EMAIL, WRONG).await.expect(422);
    }
    sign_in(&app, &id, "192.0.2.1", EMAIL, PASSWORD).await.expect(303);
    for _ in 0..2 {
        sign_in(&app, &id, "192.0.2.1", EMAIL, WRONG).await.expect(422);
    }
    assert_waits(sign_in(&app, &id, "192.0.2.1", EMAIL, PASSWORD).await, 900);
}

async fn limits_hold_on_every_server_and_after_a_restart(database: Database) {
    let app = TestApp::new(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    for _ in 0..3 {
        Visitor::new(&app).sign_in(&request(&id), EMAIL, WRONG).await.expect(422);
    }
    // Another server on the same database, which has just started.
    let second = dispatch::router(app.beside(1_000_000, 1_000_000));
    let path = format!("{PATH}?{}", encoded(&request(&id)));
    for (password, status) in [(WRONG, 422), (WRONG, 422), (PASSWORD, 429)] {
        let page = send(&second, Request::get(&path).body(Default::default()).unwrap()).await;
        let cookie = page.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        let typed = fields(&[("email", EMAIL), ("password", password)]);
        let body = encoded(&[form(&page, "password"), typed].concat());
        let post = Request::post(PATH)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("cookie", cookie);
        send(&second, post.body(body.into()).unwrap()).await.expect(status);
    }
    Visitor::new(&app).sign_in(&request(&id), EMAIL, PASSWORD).await.expect(429);
}

async fn of_many_at_once_no_more_are_listened_to_than_the_limit_says(database: Database) {
    let app = TestApp::new(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    let asked = request(&id);
    let one = async || Visitor::new(&app).sign_in(&asked, EMAIL, WRONG).await.status;
    let all = futures_util::future::join_all((0..16).map(|_| one())).await;
    assert_eq!(all.iter().filter(|status| **status == 422).count(), 5, "{all:?}");
    assert_eq!(all.iter().filter(|status| **status == 429).count(), 11, "{all:?}");
    assert_eq!(app.app.secrets().passwords().compared(), 5);
}

/// A right password never counts as a wrong one, in whatever order those that are compared at the
/// same time end.
async fn of_tries_that_overlap_only_the_wrong_ones_count(database: Database) {
    let app = TestApp::new(database).await;
    let windows = app.app.secrets().window_names().of_sign_in(EMAIL, "192.0.2.7".parse().unwrap());
    let note = async || {
        app.clock.advance(Duration::from_millis(1));
        let now = app.clock.now();
        match app.app.write(move |tx| failures::any_begin(tx, &windows, now)).await.unwrap() {
            Try::Noted(at) => at,
            other => panic!("it is listened to: {other:?}"),
        }
    };
    let tries = [note().await, note().await, note().await, note().await, note().await];
    for at in tries {
        app.clock.advance(Duration::from_millis(1));
        let times = (at, app.clock.now());
        let end = move |tx: &mut Tx<'_>| failures::any_end(tx, &windows, times, Ending::Undecided);
        app.app.write(end).await.unwrap();
    }
    for _ in 0..5 {
        note().await;
    }
}

/// However many sign in at once with the right password, nobody is sent away for that. One more
/// than may fail: on a slow machine more of them would wait too long for a processor.
async fn right_passwords_at_the_same_moment_are_all_right(database: Database) {
    let app = TestApp::new(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    let asked = request(&id);
    let one = async || Visitor::new(&app).sign_in(&asked, EMAIL, PASSWORD).await.status;
    let all = futures_util::future::join_all((0..6).map(|_| one())).await;
    assert!(all.iter().all(|status| *status == 303), "{all:?}");
}

/// A browser that goes away before it is answered, as with a second click, has not failed.
async fn whoever_does_not_wait_for_the_answer_has_not_failed(database: Database) {
    let app = TestApp::new(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    let asked = request(&id);
    for _ in 0..5 {
        let mut visitor = Visitor::new(&app);
        let page = visitor.open(&asked).await.expect(200);
        let typed = fields(&[("email", EMAIL), ("password", PASSWORD)]);
        let sent = [form(&page, "password"), typed].concat();
        let _gone = tokio::time::timeout(Duration::from_millis(5), visitor.post(&sent)).await;
    }
    Visitor::new(&app).sign_in(&asked, EMAIL, PASSWORD).await.expect(303);
}

async fn whoever_finds_all_processors_taken_has_not_failed(database: Database) {
    let app = TestApp::new(database).await;
    add_user(&app, EMAIL, Some(PASSWORD)).await;
    let id = add_client(&app, "Shop Connector", &[HOME]).await;
    let taken = app.app.secrets().passwords().take_all_turns().await.unwrap();
    let asked = request(&id);
    let one = async || Visitor::new(&app).sign_in(&asked, EMAIL, PASSWORD).await;
    for reply in futures_util::future::join_all((0..5).map(|_| one())).await {
        let reply = reply.expect(503);
        assert_eq!(reply.header("retry-after"), Some("5"));
        assert!(html(&reply).contains("Too many people are signing in at this moment."));
    }
    assert_eq!(app.app.secrets().passwords().compared(), 0);
    drop(taken);
    for _ in 0..4 {
        Visitor::new(&app).sign_in(&asked, EMAIL, WRONG).await.expect(422);
    }
    Visitor::new(&app).sign_in(&asked, EMAIL, PASSWORD).await.expect(303);
}
