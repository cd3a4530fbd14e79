//! Nobody gets to try many secrets.

use std::time::Duration;

use super::{TestClient, post, refused};
use crate::harness::{Database, Reply, TestApp, both};

const OWN: &str = "grant_type=client_credentials";

/// How many seconds the client is told to wait.
#[track_caller]
fn told_to_wait(reply: &Reply) -> u64 {
    assert_eq!(reply.status, 429, "{}", String::from_utf8_lossy(&reply.bytes));
    assert!(reply.at("/message").as_str().is_some_and(|text| !text.is_empty()));
    reply.header("retry-after").unwrap().parse().unwrap()
}

both! {
    async fn it_is_counted_across_servers_and_for_clients_that_do_not_exist(app) {
        let wrong = format!("{OWN}&client_id=wbc_nobody0000000000&client_secret=x");
        for _ in 0..9 {
            post(&app, "/oauth/token", None, &wrong).await.expect(401);
        }
        let beside = app.beside(1_000_000, 1_000_000);
        let router = waybill_api::dispatch::router(beside);
        let ask = || {
            let request = axum::http::Request::post("/oauth/token")
                .header("content-type", "application/x-www-form-urlencoded");
            request.body(axum::body::Body::from(wrong.clone())).unwrap()
        };
        crate::harness::answers::send(&router, ask()).await.expect(401);
        // PostgreSQL counts by its own clock, which has gone on since the first failure.
        let wait = told_to_wait(&post(&app, "/oauth/token", None, &wrong).await);
        assert!((1..=60).contains(&wait), "{wait}");
        assert!(app.app.store().is_shared() || wait == 60, "{wait}");
        crate::harness::answers::send(&router, ask()).await.expect(429);
    }

    async fn of_many_who_guess_at_once_ten_are_heard(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let wrong = format!("{OWN}&client_id={}&client_secret=x", client.client_id);
        let all = (0..64).map(|_| post(&app, "/oauth/token", None, &wrong));
        let replies = futures_util::future::join_all(all).await;
        let heard = replies.iter().filter(|reply| reply.status == 401).count();
        let told_to_wait = replies.iter().filter(|reply| reply.status == 429).count();
        assert_eq!((heard, told_to_wait), (10, 54));
    }
}

/// On SQLite, whose clock is ours: PostgreSQL counts by its own.
#[tokio::test(flavor = "multi_thread")]
async fn after_ten_failures_in_a_minute_the_right_secret_waits_too() {
    let app = TestApp::new(Database::Sqlite).await;
    let client = TestClient::new(&app, |_| {}).await;
    let unharmed = TestClient::new(&app, |_| {}).await;
    let wrong = format!("{OWN}&client_id={}&client_secret=x", client.client_id);
    for _ in 0..10 {
        refused(&post(&app, "/oauth/token", None, &wrong).await, 401, "invalid_client");
        app.clock.advance(Duration::from_secs(1));
    }
    for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect"] {
        assert_eq!(told_to_wait(&post(&app, path, None, &wrong).await), 50);
        assert_eq!(told_to_wait(&client.ask(&app, path, OWN).await), 50);
    }
    unharmed.token(&app, OWN).await.expect(200);
    app.clock.advance(Duration::from_secs(50));
    client.token(&app, OWN).await.expect(200);
    refused(&post(&app, "/oauth/token", None, &wrong).await, 401, "invalid_client");
}
