//! Rate limits: per team, reads and writes apart, and by address for strangers.

use std::time::Duration;

use waybill_api::dispatch;
use waybill_api::limits::Limits;
use waybill_api::proxies::Proxies;
use waybill_domain::access::Role;

use crate::harness::answers::send;
use crate::harness::{Database, TestApp};

async fn statuses(app: &TestApp, token: &str, count: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..count {
        let path = app.path("/shipment-templates");
        statuses.push(app.get(&path).token(token).send().await.status);
    }
    statuses
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_gets_its_burst_and_then_429_with_a_time_to_wait() {
    let app = TestApp::with_limits(Database::Sqlite, 60, 60).await;
    assert_eq!(statuses(&app, &app.admin, 8).await, [200, 200, 200, 200, 200, 200, 429, 429]);
    let reply = app.get(&app.path("/shipment-templates")).admin().send().await.expect(429);
    assert_eq!(reply.header("retry-after"), Some("1"));
    assert_eq!(reply.header("ratelimit-policy"), Some("\"reads\";q=60;w=60"));
    assert_eq!(reply.header("ratelimit"), Some("\"reads\";r=0;t=1"));
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(statuses(&app, &app.admin, 2).await, [200, 429]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_calls_too_often_waits_a_moment_to_be_told() {
    let app = TestApp::with_limits(Database::Sqlite, 60, 60).await;
    statuses(&app, &app.admin, 6).await;
    let began = tokio::time::Instant::now();
    assert_eq!(statuses(&app, &app.admin, 3).await, [429, 429, 429]);
    assert!(began.elapsed() >= Duration::from_millis(150), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn all_tokens_of_a_team_share_its_bucket_and_another_team_has_its_own() {
    let app = TestApp::with_limits(Database::Sqlite, 60, 60).await;
    statuses(&app, &app.admin, 6).await;
    let second = app.token_for(app.team, Role::Member, "*").await;
    assert_eq!(statuses(&app, &second, 1).await, [429]);
    let (other, token) = app.team("other.example.com").await;
    let path = format!("/v2/teams/{other}/shipment-templates");
    app.get(&path).token(&token).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_do_not_use_up_writes() {
    let app = TestApp::with_limits(Database::Sqlite, 60, 60).await;
    statuses(&app, &app.admin, 7).await;
    let path = app.path("/shipment-templates");
    let reply = app.post(&path).admin().json(r#"{"title":"T"}"#).send().await.expect(201);
    assert_eq!(reply.header("ratelimit"), Some("\"writes\";r=5;t=1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_scope_is_told_before_a_reached_limit() {
    let app = TestApp::with_limits(Database::Sqlite, 60, 60).await;
    statuses(&app, &app.admin, 7).await;
    let bare = app.token_for(app.team, Role::Member, "wms:read").await;
    assert_eq!(statuses(&app, &bare, 1).await, [403]);
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_limited_by_their_address_and_cannot_lie_about_it() {
    let app = TestApp::with_limits(Database::Sqlite, 60, 60).await;
    let mut statuses = Vec::new();
    for index in 0..8 {
        let forged = format!("10.0.0.{index}");
        let ask = app.get("/v2/me").token("junk").header("x-forwarded-for", forged);
        statuses.push(ask.send().await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 401, 429, 429]);
    // Probes have a bucket of their own, and it is one.
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(app.get("/healthz").send().await.status);
    }
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 429, 429]);
    let elsewhere = "/v2/teams/01a1e049-876b-7abf-afcc-5ff07827cff3/settings";
    let stranger = app.get(elsewhere).admin().send().await.expect(404);
    assert!(stranger.header("ratelimit").is_some_and(|rest| rest.starts_with("\"user\"")));
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_that_is_believed_every_stranger_has_its_own_bucket() {
    // Requests inside a test come from nowhere.
    let proxies = Proxies::parse("0.0.0.0").unwrap();
    let app = TestApp::limited(Database::Sqlite, Limits::new(60, 60).behind(proxies)).await;
    let mut statuses = Vec::new();
    for index in 0..8 {
        let said = format!("10.0.0.{index}, 192.0.2.1");
        let ask = app.get("/v2/me").token("junk").header("x-forwarded-for", said);
        statuses.push(ask.send().await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 401, 401, 401, 429, 429]);
    let from = |address: &str| app.get("/v2/me").header("x-forwarded-for", address);
    from("192.0.2.2").send().await.expect(401);
    for index in 0..6 {
        from(&format!("2001:db8::{index}")).send().await.expect(401);
    }
    from("2001:db8::ffff").send().await.expect(429);
    from("2001:db8:0:1::1").send().await.expect(401);
    let unreadable = |line: &[u8]| from("10.9.9.9").header("x-forwarded-for", line);
    unreadable(b"\xff, 192.0.2.1").send().await.expect(429);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_burst_at_once_is_let_through_by_a_shared_database() {
    let app = TestApp::with_limits(Database::Postgres, 600, 600).await;
    let path = app.path("/shipment-templates");
    let asked = (0..100).map(|_| app.get(&path).admin().send());
    let replies = futures_util::future::join_all(asked).await;
    let allowed = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(allowed, 60);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_share_a_database_share_the_limit() {
    let app = TestApp::with_limits(Database::Postgres, 600, 600).await;
    let other = dispatch::router(app.beside(600, 600));
    let request = || {
        let request = axum::http::Request::builder().uri(app.path("/shipment-templates"));
        let request = request.header("authorization", format!("Bearer {}", app.admin));
        request.body(axum::body::Body::empty()).unwrap()
    };
    let (mut allowed, started) = (0, tokio::time::Instant::now());
    for _ in 0..100 {
        for router in [&app.router, &other] {
            allowed += usize::from(send(router, request()).await.status == 200);
        }
    }
    // The database's clock goes on meanwhile: what it gives is given out in blocks of three.
    let refilled = usize::try_from(started.elapsed().as_millis() / 100).unwrap() + 3;
    let most = (60 + refilled).min(119);
    assert!((57..=most).contains(&allowed), "{allowed} of a burst of 60 were allowed");
}
