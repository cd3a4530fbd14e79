//! What holds across servers on one database.

use std::time::Duration;

use axum::http::Request;
use waybill_api::dispatch::router;
use waybill_store::oauth::clients;

use super::{TestClient, access, user_of};
use crate::harness::{Database, TestApp, answers, databases};

const GENEROUS: u32 = 10_000_000;

/// A revocation on one server, and one by the command line, hold on the other within a second.
async fn a_revocation_holds_everywhere_within_a_second(database: Database) {
    let app = TestApp::new(database).await;
    let other = router(app.beside(GENEROUS, GENEROUS));
    let client = TestClient::new(&app, |_| {}).await;
    let user = user_of(&app, &app.member).await;
    let path = app.path("");
    let there = async |token: &str| {
        let request = Request::get(&path).header("authorization", format!("Bearer {token}"));
        answers::send(&other, request.body(axum::body::Body::empty()).unwrap()).await.status
    };
    let (first, second) = (client.agreed(&app, user).await, client.own(&app).await);
    assert_eq!((there(access(&first)).await, there(access(&second)).await), (200, 200));
    let form = format!("token={}", access(&first));
    client.ask(&app, "/oauth/revoke", &form).await.expect(200);
    let (id, act) = (client.id, app.act());
    app.app.write(move |tx| clients::any_revoke(tx, id, None, &act)).await.unwrap();
    app.clock.advance(Duration::from_millis(950));
    assert_eq!((there(access(&first)).await, there(access(&second)).await), (401, 401));
}

/// Of those who refresh at once on two servers one gets tokens.
async fn two_servers_give_the_next_token_once(database: Database) {
    let app = TestApp::new(database).await;
    let other = router(app.beside(GENEROUS, GENEROUS));
    let client = TestClient::new(&app, |_| {}).await;
    let tokens = client.agreed(&app, user_of(&app, &app.member).await).await;
    let token = tokens["refresh_token"].as_str().unwrap();
    let form = format!("grant_type=refresh_token&refresh_token={token}");
    let all = (0..32).map(|index| {
        let router = if index % 2 == 0 { &app.router } else { &other };
        let request = Request::post("/oauth/token")
            .header("authorization", client.basic())
            .header("content-type", "application/x-www-form-urlencoded")
            .body(axum::body::Body::from(form.clone()));
        answers::send(router, request.unwrap())
    });
    let replies = futures_util::future::join_all(all).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
    assert!(replies.iter().all(|reply| matches!(reply.status, 200 | 400)));
}

databases! {
    a_revocation_holds_everywhere_within_a_second
    two_servers_give_the_next_token_once
}
