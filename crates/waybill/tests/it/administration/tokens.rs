//! Tokens of a team: made by API, shown once, bound to the team, and never more than their maker.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::access::Role;
use waybill_domain::time::{Clock, Time};

use super::{actions, id_of, lines, make_token, newcomer, text};
use crate::harness::{Reply, TestApp, both};
use crate::oauth::{TestClient, access};

async fn listed(app: &TestApp) -> Vec<Value> {
    let list = app.get(&app.path("/tokens")).admin().send().await.expect(200);
    list.at("/data").as_array().unwrap().clone()
}

fn path(app: &TestApp, id: &str) -> String {
    app.path(&format!("/tokens/{id}"))
}

both! {
    async fn a_token_is_shown_once_and_listed_without_its_secret(app) {
        let body = json!({"name": "Warehouse", "expires_at": "2099-01-01T00:00:00Z",
            "scopes": ["shipments:write", "shipments:read"]});
        let far = make_token(&app, body).await;
        assert_eq!(far.problems(), ["expires_at"], "at most five years");
        let body = json!({"name": "Warehouse", "expires_at": null,
            "scopes": ["shipments:write", "shipments:read"]});
        let made = make_token(&app, body).await.expect(201);
        assert_eq!(made.at("/data/scopes"), json!(["shipments:read", "shipments:write"]));
        assert_eq!(made.at("/data/team_uuid"), json!(app.team.to_string()));
        let token = text(&made, "/data/token");
        assert!(token.starts_with("wb_") && token.len() == 46);
        let rows = listed(&app).await;
        assert_eq!(rows[0]["uuid"], made.at("/data/uuid"));
        assert!(!rows.iter().any(|row| row.to_string().contains(&token[3..])));
        assert!(rows[0].get("token").is_none());
        // The others are those of the administrator and of a member, good in all their teams.
        assert_eq!(rows.len(), 3);
        assert!(rows[1..].iter().all(|row| row["team_uuid"] == Value::Null));
        app.get(&app.path("/shipments")).token(&token).send().await.expect(200);
        app.get(&app.path("/webhooks")).token(&token).send().await.expect(403);
    }

    async fn to_a_token_that_is_bound_to_a_team_every_other_team_is_not_there(app) {
        let (elsewhere, _) = app.team("other.example.com").await;
        let admin = id_of(&app, &app.admin).await;
        super::join(&app, elsewhere, &admin).await;
        // Whoever was seen a moment ago is not looked up again.
        app.clock.advance(Duration::from_secs(1));
        let made = make_token(&app, json!({"name": "bound", "scopes": ["*"]})).await.expect(201);
        let bound = text(&made, "/data/token");
        app.get(&format!("/v2/teams/{elsewhere}")).admin().send().await.expect(200);
        let there = app.get(&format!("/v2/teams/{elsewhere}")).token(&bound).send().await;
        let nowhere = format!("/v2/teams/{}", app.app.new_uuid());
        let nowhere = app.get(&nowhere).token(&bound).send().await.expect(404);
        assert_eq!(there.expect(404).bytes, nowhere.bytes);
        for (list, place) in [("/v2/teams", "/data"), ("/v2/me", "/data/teams")] {
            let own = app.get(list).token(&bound).send().await.expect(200);
            let own = own.at(place).as_array().unwrap().clone();
            assert_eq!(own.len(), 1, "{list}");
            assert_eq!(own[0]["uuid"], json!(app.team.to_string()));
            let all = app.get(list).admin().send().await.expect(200);
            assert_eq!(all.at(place).as_array().unwrap().len(), 2, "{list}");
        }
        app.get(&app.path("/settings")).token(&bound).send().await.expect(200);
    }

    async fn nobody_gives_more_than_they_have(app) {
        let narrow = app.token_for(app.team, Role::Admin, "tokens:write shipments:read").await;
        let ask = |scopes: Value| {
            let body = json!({"name": "more", "scopes": scopes}).to_string();
            app.post(&app.path("/tokens")).token(&narrow).json(&body).send()
        };
        let all = json!(["shipments:read", "shipments:write", "*", "shipments:red", 7,
            "shipments:read", "tokens:write"]);
        let wrong = ask(all).await;
        let places = ["scopes.1", "scopes.2", "scopes.3", "scopes.4", "scopes.5"];
        assert_eq!(wrong.problems(), places, "all at once");
        let made = ask(json!(["tokens:write", "shipments:read"])).await.expect(201);
        let second = text(&made, "/data/token");
        let body = json!({"name": "x", "scopes": ["documents:read"]}).to_string();
        let ask = app.post(&app.path("/tokens")).token(&second).json(&body).send();
        assert_eq!(ask.await.problems(), ["scopes.0"]);
        let operators = make_token(&app, json!({"name": "o", "scopes": ["operator:read"]})).await;
        assert_eq!(operators.problems(), ["scopes.0"], "no team gives that");
        let empty = json!({"name": " ", "scopes": [], "expires_at": "2020-01-01T00:00:00Z"});
        let empty = make_token(&app, empty).await;
        assert_eq!(empty.problems(), ["expires_at", "name", "scopes"]);
        let missing = make_token(&app, json!({"x": 1})).await;
        assert_eq!(missing.problems(), ["name", "scopes", "x"]);
    }

    async fn a_token_lives_five_years_at_most_by_the_calendar(app) {
        let ask = async |expires: Time| {
            let body = json!({"name": "x", "scopes": ["*"], "expires_at": expires.to_string()});
            make_token(&app, body).await
        };
        let five_years = app.clock.now().plus_years(5);
        ask(five_years).await.expect(201);
        let problems = ask(five_years.plus(Duration::from_micros(1))).await.problems();
        assert_eq!(problems, ["expires_at"]);
    }

    async fn what_an_app_or_a_program_makes_would_outlive_it_so_it_makes_no_token(app) {
        let client = TestClient::new(&app, |client| client.role = Some(Role::Admin)).await;
        let admin = super::user(&id_of(&app, &app.admin).await);
        for tokens in [client.own(&app).await, client.agreed_to_all(&app, admin).await] {
            let token = access(&tokens);
            let body = json!({"name": "x", "scopes": ["teams:read"]}).to_string();
            for list in ["/tokens", "/oauth-clients"] {
                let ask = app.post(&app.path(list)).token(token).json(&body);
                ask.send().await.expect(403);
            }
            app.get(&app.path("/tokens")).token(token).send().await.expect(200);
        }
    }

    async fn a_token_does_not_outlive_the_one_that_made_it(app) {
        let soon = app.clock.now().plus(Duration::from_secs(60));
        let body = json!({"name": "brief", "scopes": ["*"], "expires_at": soon.to_string()});
        let brief = text(&make_token(&app, body).await.expect(201), "/data/token");
        let ask = async |expires: Value| {
            let body = json!({"name": "x", "scopes": ["*"], "expires_at": expires}).to_string();
            app.post(&app.path("/tokens")).token(&brief).json(&body).send().await
        };
        let later = soon.plus(Duration::from_secs(1)).to_string();
        for longer in [Value::Null, json!(later)] {
            assert_eq!(ask(longer).await.problems(), ["expires_at"]);
        }
        ask(json!(soon.to_string())).await.expect(201);
    }

    async fn a_token_of_one_team_does_not_end_one_of_all_teams(app) {
        let (_, token) = newcomer(&app, Role::Admin).await;
        let body = json!({"name": "bound", "scopes": ["tokens:write"]}).to_string();
        let made = app.post(&app.path("/tokens")).token(&token).json(&body).send().await;
        let bound = text(&made.expect(201), "/data/token");
        let rows = listed(&app).await;
        let own = id_of(&app, &token).await;
        let row = rows.iter().find(|row| {
            row["user"]["uuid"] == own.as_str() && row["team_uuid"] == Value::Null
        });
        let unbound = row.unwrap()["uuid"].as_str().unwrap().to_owned();
        app.delete(&path(&app, &unbound)).token(&bound).send().await.expect(403);
        app.get("/v2/me").token(&token).send().await.expect(200);
    }

    async fn a_token_ends_by_itself_and_when_it_is_revoked(app) {
        let expires = app.clock.now().plus(Duration::from_secs(60)).to_string();
        let body = json!({"name": "brief", "scopes": ["teams:read"], "expires_at": expires});
        let brief = text(&make_token(&app, body).await.expect(201), "/data/token");
        app.get(&app.path("")).token(&brief).send().await.expect(200);
        app.clock.advance(Duration::from_secs(60));
        app.get(&app.path("")).token(&brief).send().await.expect(401);
        let made = make_token(&app, json!({"name": "long", "scopes": ["teams:read"]})).await;
        let (made, id) = (text(&made, "/data/token"), text(&made, "/data/uuid"));
        app.get(&app.path("")).token(&made).send().await.expect(200);
        app.delete(&path(&app, &id)).admin().send().await.expect(204);
        app.get(&app.path("")).token(&made).send().await.expect(401);
        app.delete(&path(&app, &id)).admin().send().await.expect(404);
        assert!(!listed(&app).await.iter().any(|row| row["uuid"] == id.as_str()));
        assert_eq!(actions(&app).await, ["token.created", "token.created", "token.revoked"]);
    }

    async fn whoever_leaves_ends_their_tokens_of_the_team_and_the_log_says_so(app) {
        let (id, token) = newcomer(&app, Role::Admin).await;
        for name in ["first", "second"] {
            let body = json!({"name": name, "scopes": ["teams:read"]}).to_string();
            let made = app.post(&app.path("/tokens")).token(&token).json(&body).send().await;
            made.expect(201);
        }
        app.delete(&app.path(&format!("/members/{id}"))).admin().send().await.expect(204);
        let lines = lines(&app).await;
        let ended = lines.iter().filter(|line| line["action"] == "token.revoked");
        let named: Vec<&str> = ended.map(|it| it["subject"]["name"].as_str().unwrap()).collect();
        assert_eq!(named, ["second", "first"]);
        assert_eq!(lines.iter().filter(|line| line["action"] == "member.removed").count(), 1);
    }

    async fn a_token_that_is_good_everywhere_is_revoked_by_its_user_alone(app) {
        let (id, token) = newcomer(&app, Role::Admin).await;
        let rows = listed(&app).await;
        let row = rows.iter().find(|row| row["user"]["uuid"] == id.as_str()).unwrap();
        let unbound = row["uuid"].as_str().unwrap().to_owned();
        app.delete(&path(&app, &unbound)).admin().send().await.expect(409);
        app.get("/v2/me").token(&token).send().await.expect(200);
        app.delete(&path(&app, &unbound)).token(&token).send().await.expect(204);
        app.get("/v2/me").token(&token).send().await.expect(401);
        let (_, stranger) = app.team("other.example.com").await;
        let mine = make_token(&app, json!({"name": "m", "scopes": ["*"]})).await.expect(201);
        let own = text(&mine, "/data/uuid");
        app.delete(&path(&app, &own)).token(&stranger).send().await.expect(404);
        let other = app.get(&app.path("/tokens")).token(&stranger).send().await;
        other.expect(404);
    }

    async fn a_key_makes_one_token_and_a_replay_does_not_say_it_again(app) {
        let expires = app.clock.now().plus(Duration::from_secs(60)).to_string();
        let body = json!({"name": "k", "scopes": ["*"], "expires_at": expires}).to_string();
        let ask = |body: &str| {
            let ask = app.post(&app.path("/tokens")).admin();
            ask.header("idempotency-key", "token-warehouse-1").json(body).send()
        };
        let first = ask(&body).await.expect(201);
        app.clock.advance(Duration::from_secs(120));
        let again = ask(&body).await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/uuid"), first.at("/data/uuid"));
        assert_eq!(again.at("/data/token"), Value::Null);
        let other = json!({"name": "other", "scopes": ["*"]}).to_string();
        assert_eq!(ask(&other).await.problems(), ["Idempotency-Key"]);
        app.delete(&path(&app, &text(&first, "/data/uuid"))).admin().send().await.expect(204);
        ask(&body).await.expect(404);
        assert_eq!(actions(&app).await, ["token.created", "token.revoked"]);
    }

    async fn sixteen_requests_with_one_key_make_one_token(app) {
        let body = json!({"name": "k", "scopes": ["*"]}).to_string();
        let asks = (0..16).map(|_| {
            let ask = app.post(&app.path("/tokens")).admin();
            ask.header("idempotency-key", "token-warehouse-2").json(&body).send()
        });
        let answers = futures_util::future::join_all(asks).await;
        let is_shown = |it: &&Reply| it.status == 201 && it.at("/data/token") != Value::Null;
        assert_eq!(answers.iter().filter(is_shown).count(), 1);
        assert!(answers.iter().all(|it| matches!(it.status, 201 | 409)));
        assert_eq!(actions(&app).await, ["token.created"]);
    }
}
