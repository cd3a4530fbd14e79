//! What tokens and secrets open, and for whom.

use waybill_domain::time::Clock;
use waybill_store::members::{self, Role};

use super::{add_ada, agree, asked};
use crate::harness::{TestApp, both};
use crate::oauth::{TestClient, access, exchange, other_team, post, refused, status, user_of};
use crate::sign_in::visitor::Visitor;

/// What a client that shows no secret would send.
fn nameless(client: &TestClient, form: &str) -> String {
    format!("{form}&client_id={}", client.client_id)
}

both! {
    async fn section_2_3_a_token_is_good_in_its_one_team(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let (user, other) = (user_of(&app, &app.member).await, other_team(&app).await);
        let now = app.clock.now();
        app.app.write(move |tx| members::insert(tx, other, user, Role::Admin, now)).await.unwrap();
        let all = app.get("/v2/teams").token(&app.member).send().await.expect(200);
        assert_eq!(all.at("/data").as_array().unwrap().len(), 2);
        for tokens in [client.own(&app).await, client.agreed(&app, user).await] {
            let token = access(&tokens);
            assert_eq!(status(&app, &tokens).await, 200);
            let path = format!("/v2/teams/{other}");
            app.get(&path).token(token).send().await.expect(404);
            let teams = app.get("/v2/teams").token(token).send().await.expect(200);
            assert_eq!(teams.at("/data").as_array().unwrap().len(), 1);
            let me = app.get("/v2/me").token(token).send().await.expect(200);
            let uuids: Vec<_> = me.at("/data/teams").as_array().unwrap().clone();
            assert_eq!(uuids.len(), 1);
            assert_eq!(uuids[0]["uuid"], app.team.to_string());
        }
    }

    async fn section_2_5_a_client_that_has_a_secret_shows_it_whatever_it_asks_for(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let code = client.code(&app, user, |_| {}).await;
        let tokens = client.agreed(&app, user).await;
        let refresh = tokens["refresh_token"].as_str().unwrap();
        for (path, form) in [
            ("/oauth/token", exchange(&code)),
            ("/oauth/token", "grant_type=client_credentials".to_owned()),
            ("/oauth/token", format!("grant_type=refresh_token&refresh_token={refresh}")),
            ("/oauth/revoke", format!("token={refresh}")),
            ("/oauth/introspect", format!("token={}", access(&tokens))),
        ] {
            let reply = post(&app, path, None, &nameless(&client, &form)).await;
            refused(&reply, 401, "invalid_client");
        }
        // And nothing came of it: code and token are as good as before.
        client.exchange(&app, &code).await.expect(200);
        client.refresh(&app, &tokens).await.expect(200);
    }

    async fn section_4_3_what_a_browser_remembers_opens_nothing(app) {
        add_ada(&app).await;
        let client = TestClient::new(&app, |_| {}).await;
        let told = agree(&mut Visitor::new(&app), &asked(&client)).await;
        let tokens = client.exchange(&app, &told["code"]).await.expect(200).json();
        let token = access(&tokens);
        // An address is no place for a token, and a code that is found there later was used.
        for name in ["access_token", "token", "bearer", "api_token"] {
            app.get(&format!("/v2/me?{name}={token}")).send().await.expect(401);
        }
        let form = format!("access_token={token}");
        let ask = app.post("/v2/me/password");
        let ask = ask.header("content-type", "application/x-www-form-urlencoded");
        ask.body(form.into()).send().await.expect(401);
        refused(&client.exchange(&app, &told["code"]).await, 400, "invalid_grant");
        assert_eq!(status(&app, &tokens).await, 401);
    }

    // Whoever took a token from another client learns nothing by it, and cannot make it its own.
    async fn section_4_9_a_token_that_leaked_is_nothing_in_the_hands_of_another_client(app) {
        let (own, other) =
            (TestClient::new(&app, |_| {}).await, TestClient::new(&app, |_| {}).await);
        let tokens = own.agreed(&app, user_of(&app, &app.member).await).await;
        let refresh = tokens["refresh_token"].as_str().unwrap();
        for token in [access(&tokens), refresh] {
            let told = other.ask(&app, "/oauth/introspect", &format!("token={token}")).await;
            assert_eq!(told.expect(200).json(), serde_json::json!({"active": false}));
        }
        refused(&other.refresh(&app, &tokens).await, 400, "invalid_grant");
        // Its owner ends it, and then it is over everywhere.
        own.ask(&app, "/oauth/revoke", &format!("token={refresh}")).await.expect(200);
        assert_eq!(status(&app, &tokens).await, 401);
    }

    async fn section_4_10_a_token_is_good_at_the_server_that_gave_it_and_at_no_other(app) {
        let elsewhere = TestApp::new(crate::harness::Database::Sqlite).await;
        let client = TestClient::new(&app, |_| {}).await;
        let tokens = client.agreed(&app, user_of(&app, &app.member).await).await;
        assert_eq!(status(&app, &tokens).await, 200);
        elsewhere.get("/v2/me").token(access(&tokens)).send().await.expect(401);
        let there = TestClient::new(&elsewhere, |_| {}).await;
        refused(&there.refresh(&elsewhere, &tokens).await, 400, "invalid_grant");
    }

    async fn section_4_10_every_kind_of_secret_opens_its_own_place_alone(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let tokens = client.agreed(&app, user).await;
        let code = client.code(&app, user, |_| {}).await;
        let refresh = tokens["refresh_token"].as_str().unwrap();
        for text in [refresh, &code, &client.secret, &client.client_id] {
            app.get("/v2/me").token(text).send().await.expect(401);
        }
        for text in [access(&tokens), refresh, &client.secret, &app.member] {
            refused(&client.exchange(&app, text).await, 400, "invalid_grant");
        }
        for text in [access(&tokens), &code, &client.secret, &app.member] {
            let form = format!("grant_type=refresh_token&refresh_token={text}");
            refused(&client.token(&app, &form).await, 400, "invalid_grant");
        }
        for text in [access(&tokens), refresh, &code, &app.member] {
            let form = format!("grant_type=client_credentials&client_secret={text}");
            let reply = post(&app, "/oauth/token", None, &nameless(&client, &form)).await;
            refused(&reply, 401, "invalid_client");
        }
        client.exchange(&app, &code).await.expect(200);
        client.refresh(&app, &tokens).await.expect(200);
    }

    async fn section_4_15_a_client_is_never_taken_for_a_user(app) {
        let client = TestClient::new(&app, |client| {
            // Somebody who may name it calls it after a user.
            (client.role, client.name) = (Some(Role::Admin), "Ada Jensen".to_owned());
        });
        let client = client.await;
        let user = user_of(&app, &app.admin).await;
        let (own, agreed) = (client.own(&app).await, client.agreed_to_all(&app, user).await);
        let me = app.get("/v2/me").token(access(&own)).send().await.expect(200).json();
        assert_eq!(me["data"]["uuid"], client.id.to_string());
        assert!(me["data"]["email"].is_null() && me["data"]["is_operator"] == false);
        let told = async |token: &str| {
            let told = client.ask(&app, "/oauth/introspect", &format!("token={token}")).await;
            told.expect(200).json()
        };
        let (of_client, of_user) = (told(access(&own)).await, told(access(&agreed)).await);
        assert_eq!(of_client["sub"], client.id.to_string());
        assert!(of_client.get("username").is_none());
        assert_eq!(of_user["sub"], user.to_string());
        assert!(of_user["username"].as_str().is_some_and(|email| email.contains('@')));
        // What belongs to a person is not there for a program, whatever its scopes are.
        let sessions = app.get("/v2/me/sessions").token(access(&own)).send().await;
        assert!(matches!(sessions.status, 403 | 404), "{}", sessions.status);
    }
}
