//! A stream goes on for no longer than the caller may see what it tells.

use std::time::Duration;

use waybill_domain::access::Role;
use waybill_domain::token;
use waybill_store::{members, tokens};

use crate::harness::{Reply, TestApp, both};

/// Long for a machine that is busy; a stream that is not ended goes on forever.
const SOON: Duration = Duration::from_mins(1);

async fn bearer(app: &TestApp, secret: &str) -> tokens::Bearer {
    let hash = token::hash(secret).unwrap();
    let found = app.app.read(move |tx| tokens::any_find_by_hash(tx, &hash)).await;
    found.unwrap().unwrap()
}

/// Waits until a stream has begun.
async fn begun(app: &TestApp) {
    while app.api.streams().count(app.team) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Watches a batch that nothing happens to until the stream ends.
async fn watched(app: &TestApp, secret: &str) -> Reply {
    let made = app.post(&app.path("/booking-batches")).admin().json("{}").send().await.expect(201);
    let path = made.header("location").unwrap().strip_prefix("http://waybill.test").unwrap();
    let watch = app.get(path).token(secret).header("accept", "text/event-stream").send();
    tokio::time::timeout(SOON, watch).await.expect("the stream ends").expect(200)
}

both! {
    async fn a_stream_ends_when_its_token_is_revoked(app) {
        let secret = app.token_for(app.team, Role::Member, "*").await;
        let (id, now) = (bearer(&app, &secret).await.token.id, app.app.now());
        let revoke = async {
            begun(&app).await;
            app.app.write(move |tx| tokens::any_revoke(tx, id, now)).await.unwrap()
        };
        let (reply, is_revoked) = tokio::join!(watched(&app, &secret), revoke);
        assert!(is_revoked);
        let text = String::from_utf8(reply.bytes.clone()).unwrap();
        assert_eq!(text.matches("event: ").count(), 1, "{text}");
    }

    async fn a_stream_ends_when_its_user_leaves_the_team(app) {
        let secret = app.token_for(app.team, Role::Member, "*").await;
        let (user, team) = (bearer(&app, &secret).await.user.id, app.team);
        let act = app.act();
        let leave = async {
            begun(&app).await;
            app.app.write(move |tx| members::remove(tx, team, user, &act)).await.unwrap()
        };
        let (_, has_left) = tokio::join!(watched(&app, &secret), leave);
        assert!(has_left);
    }

    async fn a_stream_ends_when_its_team_is_deleted(app) {
        let path = app.path("?domain=shop.example.com");
        let delete = async {
            begun(&app).await;
            app.delete(&path).admin().send().await.expect(204)
        };
        let (reply, _) = tokio::join!(watched(&app, &app.member), delete);
        let text = String::from_utf8(reply.bytes.clone()).unwrap();
        assert!(!text.contains("still here"), "it went on: {text}");
    }

    async fn a_stream_ends_with_its_token(app) {
        let secret = app.token_for(app.team, Role::Member, "*").await;
        let (id, now) = (bearer(&app, &secret).await.token.id, app.app.now());
        let end = now.plus(Duration::from_hours(1));
        let set = move |tx: &mut waybill_store::Tx<'_>| {
            tx.exec("UPDATE token SET expires_at = $2 WHERE id = $1", &[id.into(), end.into()])
        };
        app.app.write(set).await.unwrap();
        let later = async {
            begun(&app).await;
            app.clock.advance(Duration::from_hours(2));
        };
        tokio::join!(watched(&app, &secret), later);
    }
}
