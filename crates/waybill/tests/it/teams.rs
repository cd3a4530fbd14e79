//! Me and teams.

use std::time::Duration;

use serde_json::json;
use waybill_domain::access::Role;
use waybill_domain::ids::TokenId;
use waybill_domain::time::{Clock, Time};
use waybill_store::{Error, tokens};

use crate::harness::{TestApp, both};

both! {
    async fn me_is_the_user_with_its_teams_and_roles(app) {
        let reply = app.get("/v2/me").token(&app.member).send().await.expect(200);
        assert_eq!(reply.at("/data/teams/0/role"), json!("member"));
        assert_eq!(reply.at("/data/teams/0/uuid"), json!(app.team.to_string()));
        assert_eq!(reply.at("/data/language"), json!("da"));
        assert_eq!(reply.header("cache-control"), Some("private, no-store"));
    }

    async fn a_user_sees_its_own_teams_and_no_others(app) {
        let (other, token) = app.team("other.example.com").await;
        let reply = app.get("/v2/teams").token(&token).send().await.expect(200);
        assert_eq!(reply.at("/data").as_array().unwrap().len(), 1);
        assert_eq!(reply.at("/data/0/uuid"), json!(other.to_string()));
        let reply = app.get(&format!("/v2/teams/{other}")).token(&token).send().await.expect(200);
        assert_eq!(reply.at("/data/domain"), json!("other.example.com"));
    }

    async fn a_revoked_token_is_refused_within_a_second_and_at_once_when_told(app) {
        let token = app.token_for(app.team, Role::Member, "*").await;
        app.get("/v2/me").token(&token).send().await.expect(200);
        revoke(&app, &token).await;
        app.clock.advance(Duration::from_millis(950));
        app.get("/v2/me").token(&token).send().await.expect(401);

        let token = app.token_for(app.team, Role::Member, "*").await;
        app.get("/v2/me").token(&token).send().await.expect(200);
        revoke(&app, &token).await;
        app.api.callers().forget();
        app.get("/v2/me").token(&token).send().await.expect(401);
    }

    async fn an_expired_token_is_refused_even_while_it_is_remembered(app) {
        let token = app.token_for(app.team, Role::Member, "*").await;
        let expires_at = app.clock.now().plus(Duration::from_millis(100));
        expire(&app, &token, expires_at).await;
        app.get("/v2/me").token(&token).send().await.expect(200);
        app.clock.advance(Duration::from_millis(100));
        app.get("/v2/me").token(&token).send().await.expect(401);
    }

    async fn the_use_of_a_token_is_noted_coarsely(app) {
        let token = app.token_for(app.team, Role::Member, "*").await;
        let hash = waybill_domain::token::hash(&token).unwrap();
        let last_use = || async {
            let found = app.app.read(move |tx| tokens::any_find_by_hash(tx, &hash)).await;
            found.unwrap().unwrap().token.last_used_at
        };
        app.get("/v2/me").token(&token).send().await.expect(200);
        let mut noted = last_use().await;
        for _ in 0..200 {
            if noted.is_some() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
            noted = last_use().await;
        }
        assert_eq!(noted, Some(app.clock.now()));
    }
}

async fn token_id(app: &TestApp, token: &str) -> TokenId {
    let hash = waybill_domain::token::hash(token).unwrap();
    let found = app.app.read(move |tx| tokens::any_find_by_hash(tx, &hash)).await;
    let found: Result<_, Error> = found;
    found.unwrap().unwrap().token.id
}

async fn revoke(app: &TestApp, token: &str) {
    let (id, now) = (token_id(app, token).await, app.clock.now());
    let revoked = app.app.write(move |tx| tokens::any_revoke(tx, id, now)).await;
    assert!(revoked.unwrap());
}

async fn expire(app: &TestApp, token: &str, at: Time) {
    let id = token_id(app, token).await;
    let set = app.app.write(move |tx| {
        tx.exec("UPDATE token SET expires_at = $2 WHERE id = $1", &[id.into(), at.into()])
    });
    assert_eq!(set.await.unwrap(), 1);
}
