//! What a token of an app opens: one team, its scopes, and what the role allows.

use std::time::Duration;

use serde_json::json;
use waybill_api::routes::{Access, routes};
use waybill_domain::oauth::ACCESS_LIFE;
use waybill_domain::time::Clock;
use waybill_store::members::{self, Role};
use waybill_store::statistics;

use super::{TestClient, access, status, user_of};
use crate::harness::{Database, TestApp, both, databases};

const INVALID: &str = "Bearer realm=\"waybill\", error=\"invalid_token\"";

both! {
    async fn a_client_that_acts_for_itself_is_told_who_it_is(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let tokens = client.own(&app).await;
        let me = app.get("/v2/me").token(access(&tokens)).send().await.expect(200);
        assert_eq!(
            me.at("/data"),
            json!({"uuid": client.id.to_string(), "name": "Warehouse app", "email": null,
                "language": "en", "is_operator": false, "has_password": false,
                "teams": [{"uuid": app.team.to_string(), "name": "Team shop.example.com",
                    "domain": "shop.example.com", "role": "member"}]})
        );
    }

    async fn what_the_scopes_allow_and_what_the_role_allows_must_both_hold(app) {
        let admins = TestClient::new(&app, |client| client.role = Some(Role::Admin)).await;
        let narrow = TestClient::new(&app, |client| {
            (client.role, client.scopes) = (Some(Role::Admin), "documents:read".to_owned());
        });
        let (narrow, plain) = (narrow.await, TestClient::new(&app, |_| {}).await);
        let settings = app.path("/settings");
        let ask = |tokens: serde_json::Value| {
            let ask = app.get(&settings).token(access(&tokens));
            async move { ask.send().await }
        };
        ask(admins.own(&app).await).await.expect(200);
        ask(plain.own(&app).await).await.expect(403);
        let lacks = ask(narrow.own(&app).await).await.expect(403);
        assert_eq!(
            lacks.header("www-authenticate"),
            Some("Bearer realm=\"waybill\", error=\"insufficient_scope\", scope=\"teams:read\"")
        );
        // A user's role is the one of now.
        let user = user_of(&app, &app.admin).await;
        let tokens = admins.agreed(&app, user).await;
        app.get(&settings).token(access(&tokens)).send().await.expect(200);
        let (team, now) = (app.team, app.clock.now());
        let demote = move |tx: &mut waybill_store::Tx<'_>| {
            members::insert(tx, team, user, Role::Member, now)
        };
        app.app.write(demote).await.unwrap();
        app.clock.advance(Duration::from_secs(1));
        app.get(&settings).token(access(&tokens)).send().await.expect(403);
    }

    async fn a_401_says_whether_a_token_was_given_and_a_403_which_scope_is_lacking(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let tokens = client.own(&app).await;
        let path = app.path("");
        let missing = app.get(&path).send().await.expect(401);
        assert_eq!(missing.header("www-authenticate"), Some("Bearer realm=\"waybill\""));
        let unknown = format!("{}x", &access(&tokens)[..45]);
        for token in [unknown.as_str(), "wb_", "junk"] {
            let reply = app.get(&path).token(token).send().await.expect(401);
            assert_eq!(reply.header("www-authenticate"), Some(INVALID), "{token}");
        }
        app.clock.advance(ACCESS_LIFE - Duration::from_micros(1));
        assert_eq!(status(&app, &tokens).await, 200);
        app.clock.advance(Duration::from_micros(1));
        let over = app.get(&path).token(access(&tokens)).send().await.expect(401);
        assert_eq!(over.header("www-authenticate"), Some(INVALID));
        // The same for a token of the API.
        let bare = app.token_for(app.team, Role::Admin, "wms:read").await;
        let lacks = app.get(&path).token(&bare).send().await.expect(403);
        assert_eq!(
            lacks.header("www-authenticate"),
            Some("Bearer realm=\"waybill\", error=\"insufficient_scope\", scope=\"teams:read\"")
        );
    }

    async fn a_client_passes_every_check_that_an_administrator_passes(app) {
        let client = TestClient::new(&app, |client| client.role = Some(Role::Admin)).await;
        let tokens = client.own(&app).await;
        let nobody = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
        for route in routes() {
            // What belongs to a user alone is not a client's, whatever its scopes.
            let is_of_user = route.path.starts_with("/v2/me") && route.operation != "getMe";
            // A program makes nothing that would outlive it, and ends no team.
            let makes = [
                "createToken",
                "createOAuthClient",
                "rotateOAuthClientSecret",
                "createPrintAgent",
                "deleteTeam",
            ];
            if is_of_user || makes.contains(&route.operation.as_str()) {
                continue;
            }
            if matches!(route.handler.access(), Access::Public | Access::Agent) {
                continue;
            }
            let mut path = route.path.replace("{teamUuid}", &app.team.to_string());
            path = path.replace("{team}", "shop.example.com");
            while let Some((before, rest)) = path.split_once('{') {
                path = format!("{before}{nobody}{}", rest.split_once('}').unwrap().1);
            }
            let reply = app.ask(route.method.as_str(), &path).token(access(&tokens)).send().await;
            assert!(!matches!(reply.status, 401 | 403 | 429 | 500), "{path}: {}", reply.status);
        }
    }
}

/// A team whose reads are limited is limited for apps too, in the same bucket.
async fn requests_of_apps_count_in_the_buckets_of_the_team(database: Database) {
    let app = TestApp::with_limits(database, 12_000, 12_000).await;
    let client = TestClient::new(&app, |_| {}).await;
    let token = client.own(&app).await;
    let left = |reply: &crate::harness::Reply| {
        let rest = reply.header("ratelimit").unwrap().to_owned();
        assert!(rest.starts_with("\"reads\""), "{rest}");
        rest.split("r=").nth(1).unwrap().split(';').next().unwrap().parse::<i64>().unwrap()
    };
    let path = app.path("");
    let users = left(&app.get(&path).token(&app.member).send().await.expect(200));
    let apps = left(&app.get(&path).token(access(&token)).send().await.expect(200));
    assert_eq!(apps, users - 1);
}

/// To look a token of an app up takes no more statements than one of the API, and neither is looked
/// up twice within a second.
async fn a_token_of_an_app_costs_what_one_of_the_api_costs(database: Database) {
    let app = TestApp::new(database).await;
    let client = TestClient::new(&app, |_| {}).await;
    let user = user_of(&app, &app.member).await;
    let selects = || {
        let taken = statistics::take().into_iter();
        taken
            .filter(|(sql, _)| sql.starts_with("SELECT"))
            .map(|(_, usage)| usage.calls)
            .sum::<u64>()
    };
    let statements = async |token: &str| {
        app.clock.advance(Duration::from_secs(1));
        selects();
        app.get("/v2/teams").token(token).send().await.expect(200);
        let first = selects();
        app.get("/v2/teams").token(token).send().await.expect(200);
        (first, selects())
    };
    let api = statements(&app.member.clone()).await;
    let (own, agreed) = (client.own(&app).await, client.agreed(&app, user).await);
    for tokens in [own, agreed] {
        assert_eq!(statements(access(&tokens)).await, api);
    }
}

databases! {
    requests_of_apps_count_in_the_buckets_of_the_team
    a_token_of_an_app_costs_what_one_of_the_api_costs
}
