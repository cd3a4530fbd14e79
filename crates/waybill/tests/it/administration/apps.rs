//! Programs of a team, and what its members allowed apps to do: made, listed and ended by API.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::access::Role;
use waybill_domain::time::Clock;

use super::{newcomer, text, user};
use crate::harness::{Reply, TestApp, both};
use crate::oauth::{TestClient, access, status, user_of};

async fn make(app: &TestApp, body: Value) -> Reply {
    app.post(&app.path("/oauth-clients")).admin().json(&body.to_string()).send().await
}

fn below(app: &TestApp, id: &str, rest: &str) -> String {
    app.path(&format!("/oauth-clients/{id}{rest}"))
}

/// The client that was just made, with its secret.
fn known(made: &Reply) -> TestClient {
    let id = waybill_domain::ids::OAuthClientId::parse(&text(made, "/data/uuid")).unwrap();
    let secret = text(made, "/data/client_secret");
    TestClient { id, client_id: text(made, "/data/client_id"), secret }
}

both! {
    async fn a_client_is_made_with_a_secret_that_is_shown_once(app) {
        let body = json!({"name": "Night export", "role": "admin",
            "scopes": ["tracking:read", "teams:read"]});
        let made = make(&app, body).await.expect(201);
        assert_eq!(made.at("/data/scopes"), json!(["teams:read", "tracking:read"]));
        assert_eq!(made.at("/data/role"), "admin");
        let client = known(&made);
        let tokens = client.own(&app).await;
        assert_eq!(tokens["scope"], "teams:read tracking:read");
        assert_eq!(status(&app, &tokens).await, 200);
        let list = app.get(&app.path("/oauth-clients")).admin().send().await.expect(200);
        assert_eq!(list.at("/data/0/client_id"), json!(client.client_id));
        assert!(!list.json().to_string().contains("client_secret"));
        assert_ne!(list.at("/data/0/last_used_at"), Value::Null);
        let plain = make(&app, json!({"name": "x", "scopes": ["*"]})).await.expect(201);
        assert_eq!(plain.at("/data/role"), "member");
    }

    async fn a_client_has_no_more_than_its_maker(app) {
        let narrow = app.token_for(app.team, Role::Admin, "tokens:write shipments:read").await;
        let body = json!({"name": "", "role": "owner",
            "scopes": ["shipments:read", "*", "operator:read", "wms:raed"], "extra": 1});
        let ask = app.post(&app.path("/oauth-clients")).token(&narrow).json(&body.to_string());
        let places = ["extra", "name", "role", "scopes.1", "scopes.2", "scopes.3"];
        assert_eq!(ask.send().await.problems(), places, "all at once");
        let (_, member) = newcomer(&app, Role::Member).await;
        let body = json!({"name": "x", "scopes": ["*"]}).to_string();
        let ask = app.post(&app.path("/oauth-clients")).token(&member).json(&body);
        ask.send().await.expect(403);
    }

    async fn a_token_that_ends_makes_no_client_that_does_not(app) {
        let made = make(&app, json!({"name": "x", "scopes": ["*"]})).await.expect(201);
        let soon = app.clock.now().plus(Duration::from_secs(60));
        let body = json!({"name": "brief", "scopes": ["*"], "expires_at": soon.to_string()});
        let ask = app.post(&app.path("/tokens")).admin().json(&body.to_string());
        let brief = text(&ask.send().await.expect(201), "/data/token");
        let body = json!({"name": "y", "scopes": ["*"]}).to_string();
        app.post(&app.path("/oauth-clients")).token(&brief).json(&body).send().await.expect(403);
        let rotate = below(&app, &text(&made, "/data/uuid"), "/rotate-secret");
        app.post(&rotate).token(&brief).send().await.expect(403);
    }

    async fn an_old_secret_works_a_day_more_or_not_at_all(app) {
        let made = make(&app, json!({"name": "x", "scopes": ["*"]})).await.expect(201);
        let (first, id) = (known(&made), text(&made, "/data/uuid"));
        let rotate = |body: &'static str| {
            let ask = app.post(&below(&app, &id, "/rotate-secret")).admin();
            async move { if body.is_empty() { ask.send() } else { ask.json(body).send() }.await }
        };
        let second = known(&rotate("").await.expect(200));
        first.own(&app).await;
        second.own(&app).await;
        let third = known(&rotate(r#"{"now": true}"#).await.expect(200));
        third.own(&app).await;
        let own = "grant_type=client_credentials";
        second.token(&app, own).await.expect(401);
        first.token(&app, own).await.expect(401);
        let fourth = known(&rotate("{}").await.expect(200));
        app.clock.advance(Duration::from_hours(24));
        third.token(&app, own).await.expect(401);
        fourth.own(&app).await;
        assert_eq!(rotate(r#"{"now": "yes", "then": 1}"#).await.problems(), ["now", "then"]);
    }

    async fn every_secret_works_a_day_more_however_soon_the_next_one_follows(app) {
        let made = make(&app, json!({"name": "x", "scopes": ["*"]})).await.expect(201);
        let (first, path) = (known(&made), below(&app, &text(&made, "/data/uuid"), ""));
        let path = format!("{path}/rotate-secret");
        let second = known(&app.post(&path).admin().send().await.expect(200));
        app.clock.advance(Duration::from_hours(1));
        let third = known(&app.post(&path).admin().send().await.expect(200));
        for secret in [&first, &second, &third] {
            secret.own(&app).await;
        }
        app.clock.advance(Duration::from_hours(23));
        let own = "grant_type=client_credentials";
        first.token(&app, own).await.expect(401);
        second.own(&app).await;
        app.clock.advance(Duration::from_hours(1));
        second.token(&app, own).await.expect(401);
        third.own(&app).await;
    }

    async fn whoever_has_less_than_a_client_does_not_get_its_secret(app) {
        let body = json!({"name": "wide", "role": "admin", "scopes": ["*"]});
        let made = make(&app, body).await.expect(201);
        let (client, id) = (known(&made), text(&made, "/data/uuid"));
        let narrow = app.token_for(app.team, Role::Admin, "tokens:write").await;
        let rotate = app.post(&below(&app, &id, "/rotate-secret")).token(&narrow);
        rotate.json(r#"{"now": true}"#).send().await.expect(403);
        client.own(&app).await;
        let body = json!({"name": "narrow", "scopes": ["tokens:write"]});
        let own = text(&make(&app, body).await.expect(201), "/data/uuid");
        app.post(&below(&app, &own, "/rotate-secret")).token(&narrow).send().await.expect(200);
    }

    async fn a_client_that_is_deleted_is_nobody(app) {
        let made = make(&app, json!({"name": "x", "scopes": ["*"]})).await.expect(201);
        let (client, id) = (known(&made), text(&made, "/data/uuid"));
        let tokens = client.own(&app).await;
        let (_, stranger) = app.team("other.example.com").await;
        app.delete(&below(&app, &id, "")).token(&stranger).send().await.expect(404);
        assert_eq!(status(&app, &tokens).await, 200);
        app.delete(&below(&app, &id, "")).admin().send().await.expect(204);
        assert_eq!(status(&app, &tokens).await, 401);
        client.token(&app, "grant_type=client_credentials").await.expect(401);
        app.delete(&below(&app, &id, "")).admin().send().await.expect(404);
        let ask = app.post(&below(&app, &id, "/rotate-secret")).admin();
        ask.send().await.expect(404);
    }

    async fn clients_that_ask_users_are_not_a_teams_to_see_or_to_end(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let list = app.get(&app.path("/oauth-clients")).admin().send().await.expect(200);
        assert_eq!(list.at("/data"), json!([]));
        let id = client.id.to_string();
        app.delete(&below(&app, &id, "")).admin().send().await.expect(404);
        app.post(&below(&app, &id, "/rotate-secret")).admin().send().await.expect(404);
        client.own(&app).await;
    }

    async fn a_key_makes_one_client_and_a_replay_does_not_say_its_secret(app) {
        let body = json!({"name": "x", "scopes": ["*"]}).to_string();
        let ask = || {
            let ask = app.post(&app.path("/oauth-clients")).admin();
            ask.header("idempotency-key", "client-warehouse-1").json(&body).send()
        };
        let first = ask().await.expect(201);
        let again = ask().await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/uuid"), first.at("/data/uuid"));
        assert_eq!(again.at("/data/client_secret"), Value::Null);
        let id = text(&first, "/data/uuid");
        app.delete(&below(&app, &id, "")).admin().send().await.expect(204);
        ask().await.expect(404);
    }

    async fn what_a_member_allowed_is_listed_and_can_be_ended(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let member = user_of(&app, &app.member).await;
        let tokens = client.agreed(&app, member).await;
        let path = app.path("/oauth-grants");
        let list = app.get(&path).admin().send().await.expect(200);
        let row = list.at("/data/0");
        assert_eq!(row["client"], json!({"client_id": client.client_id, "name": "Warehouse app"}));
        assert_eq!(row["user"]["uuid"], json!(member.to_string()));
        app.get(&path).token(&app.member).send().await.expect(403);
        let one = format!("{path}/{}", row["uuid"].as_str().unwrap());
        let (_, stranger) = app.team("other.example.com").await;
        app.delete(&one).token(&stranger).send().await.expect(404);
        assert_eq!(status(&app, &tokens).await, 200);
        app.delete(&one).admin().send().await.expect(204);
        assert_eq!(status(&app, &tokens).await, 401);
        client.refresh(&app, &tokens).await.expect(400);
        app.delete(&one).admin().send().await.expect(404);
        let list = app.get(&path).admin().send().await.expect(200);
        assert_eq!(list.at("/data"), json!([]));
    }

    async fn whoever_leaves_ends_what_they_allowed_and_the_log_says_so(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let (id, _) = newcomer(&app, Role::Member).await;
        let tokens = client.agreed(&app, user(&id)).await;
        client.agreed(&app, user(&id)).await;
        app.delete(&app.path(&format!("/members/{id}"))).admin().send().await.expect(204);
        assert_eq!(status(&app, &tokens).await, 401);
        app.get("/v2/me").token(access(&tokens)).send().await.expect(401);
        let actions = super::actions(&app).await;
        let ended = actions.iter().filter(|action| *action == "oauth_grant.ended").count();
        assert_eq!(ended, 2, "{actions:?}");
    }
}
