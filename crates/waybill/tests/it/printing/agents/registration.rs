//! Agents are added by administrators and register with a code, once.

use std::time::Duration;

use serde_json::json;
use waybill_domain::access::Role;
use waybill_domain::time::Clock;
use waybill_store::members;

use crate::harness::agent::{Agent, register, text};
use crate::harness::{Database, Reply, TestApp, both, databases};
use crate::oauth::{TestClient, access, user_of};

async fn add(app: &TestApp, name: &str) -> Reply {
    let path = format!("/beta/teams/{}/print-agents", app.team);
    app.post(&path).admin().json(&json!({ "name": name }).to_string()).send().await
}

fn one(app: &TestApp, agent: &str, rest: &str) -> String {
    format!("/beta/teams/{}/print-agents/{agent}{rest}", app.team)
}

async fn state(app: &TestApp, agent: &str) -> String {
    let shown = app.get(&one(app, agent, "")).token(&app.member).send().await.expect(200);
    text(shown.at("/data/state"))
}

both! {
    async fn a_code_is_shown_once_and_lets_one_program_in(app) {
        let added = add(&app, "Warehouse").await.expect(201);
        let uuid = text(added.at("/data/uuid"));
        let code = text(added.at("/data/registration_code"));
        assert!(added.header("location").unwrap().ends_with(&one(&app, &uuid, "")));
        assert_eq!(state(&app, &uuid).await, "pending");
        let shown = app.get(&one(&app, &uuid, "")).admin().send().await.expect(200);
        assert!(!String::from_utf8_lossy(&shown.bytes).contains("registration_code"));
        // As somebody types it.
        let typed = code.to_lowercase().replace('-', " ");
        let registered = register(&app, &typed, "spool").await.expect(201);
        assert_eq!(registered.at("/data/agent_uuid"), json!(uuid));
        assert_eq!(registered.at("/data/team_uuid"), json!(app.team.to_string()));
        assert_eq!(registered.at("/data/name"), json!("Warehouse"));
        assert_eq!(state(&app, &uuid).await, "offline");
        assert_eq!(register(&app, &code, "spool").await.problems(), ["code"]);
        let shown = app.get(&one(&app, &uuid, "")).admin().send().await.expect(200);
        assert_eq!(shown.at("/data/hostname"), json!("pack-1"));
    }

    async fn a_code_that_is_wrong_used_or_expired_is_told_alike(app) {
        let code = |added: Reply| text(added.at("/data/registration_code"));
        let used = code(add(&app, "Used").await);
        register(&app, &used, "spool").await.expect(201);
        let expired = code(add(&app, "Expired").await);
        app.clock.advance(Duration::from_secs(3600));
        let mut told = Vec::new();
        for code in [&used, &expired, "WB-0000-0000-0000", "nonsense", "", "WB-ÆØÅU-0000-0000"] {
            told.push(register(&app, code, "spool").await.expect(422).bytes.clone());
        }
        assert!(told.iter().all(|other| *other == told[0]));
        // One that is good for another second is good.
        let late = code(add(&app, "Late").await);
        app.clock.advance(Duration::from_secs(3599));
        register(&app, &late, "spool").await.expect(201);
    }

    async fn everything_that_is_wrong_with_a_registration_is_told_at_once(app) {
        let body = json!({"code": "WB-0000-0000-0000", "hostname": "", "instance": 7, "x": 1});
        let reply = app.post("/beta/print-agents/register").json(&body.to_string()).send().await;
        assert_eq!(reply.problems(), ["code", "hostname", "instance", "version", "x"]);
        let reply = app.post("/beta/print-agents/register").json("{}").send().await;
        assert_eq!(reply.problems(), ["code", "hostname", "instance", "version"]);
        let path = format!("/beta/teams/{}/print-agents", app.team);
        let named = json!({"name": "", "nam": 1}).to_string();
        assert_eq!(app.post(&path).admin().json(&named).send().await.problems(), ["nam", "name"]);
    }

    async fn two_programs_that_use_a_code_at_once_are_one_agent(app) {
        let code = text(add(&app, "Warehouse").await.at("/data/registration_code"));
        let all = (0..8).map(|number| register(&app, &code, ["a", "b"][number % 2]));
        let all = futures_util::future::join_all(all).await;
        assert_eq!(all.iter().filter(|reply| reply.status == 201).count(), 1);
        assert_eq!(all.iter().filter(|reply| reply.status == 422).count(), 7);
    }

    async fn a_new_code_ends_the_old_token_when_it_is_used_and_not_before(app) {
        let (mut agent, _) = Agent::ready(&app, "Warehouse").await;
        let path = one(&app, &agent.uuid, "/registration-code");
        let first = app.post(&path).admin().send().await.expect(200);
        let renewed = app.post(&path).admin().send().await.expect(200);
        assert_eq!(renewed.at("/data/state"), json!("online"));
        let code = text(renewed.at("/data/registration_code"));
        // Only the newest code is good.
        let older = text(first.at("/data/registration_code"));
        assert_eq!(register(&app, &older, "new").await.problems(), ["code"]);
        agent.claim(&app, 1, 0).await.expect(200);
        let registered = register(&app, &code, "new").await.expect(201);
        agent.claim(&app, 1, 0).await.expect(401);
        agent.try_open(&app, json!([])).await.expect(401);
        agent.token = text(registered.at("/data/token"));
        // The session of the old machine is over too.
        agent.claim(&app, 1, 0).await.expect(409);
        agent.open(&app, json!([])).await;
        agent.claim(&app, 1, 0).await.expect(200);
    }

    async fn agents_are_listed_renamed_and_removed(app) {
        let first = text(add(&app, "First").await.expect(201).at("/data/uuid"));
        let (agent, _) = Agent::ready(&app, "Second").await;
        let path = format!("/beta/teams/{}/print-agents", app.team);
        let list = app.get(&path).token(&app.member).send().await.expect(200).at("/data");
        let shown: Vec<_> = list.as_array().unwrap().iter().map(|one| {
            (one["name"].clone(), one["state"].clone(), one["printer_count"].clone())
        }).collect();
        assert_eq!(shown, [
            (json!("First"), json!("pending"), json!(0)),
            (json!("Second"), json!("online"), json!(1)),
        ]);
        assert!(list[1]["last_seen_at"].is_string() && list[0]["last_seen_at"].is_null());
        let rename = app.patch(&one(&app, &first, "")).admin().json(r#"{"name": "Else"}"#);
        assert_eq!(rename.send().await.expect(200).at("/data/name"), json!("Else"));
        let patch = app.patch(&one(&app, &first, "")).admin().json(r#"{"name": null, "x": 1}"#);
        assert_eq!(patch.send().await.problems(), ["name", "x"]);
        app.delete(&one(&app, &first, "")).admin().send().await.expect(204);
        app.delete(&one(&app, &first, "")).admin().send().await.expect(404);
        app.get(&one(&app, &first, "")).admin().send().await.expect(404);
        let (_, stranger) = app.team("other.example.com").await;
        app.get(&one(&app, &agent.uuid, "")).token(&stranger).send().await.expect(404);
    }

    async fn what_an_app_makes_would_outlive_it_so_it_gets_no_code_for_an_agent(app) {
        let agent = text(add(&app, "Warehouse").await.expect(201).at("/data/uuid"));
        let client = TestClient::new(&app, |client| client.role = Some(Role::Admin)).await;
        let admin = user_of(&app, &app.admin).await;
        for tokens in [client.own(&app).await, client.agreed_to_all(&app, admin).await] {
            let path = format!("/beta/teams/{}/print-agents", app.team);
            let ask = app.post(&path).token(access(&tokens)).json(r#"{"name": "Backdoor"}"#);
            let refused = ask.send().await.expect(403);
            assert!(text(refused.at("/message")).contains("app"), "{}", refused.json());
            let renew = app.post(&one(&app, &agent, "/registration-code")).token(access(&tokens));
            renew.send().await.expect(403);
            let list = app.get(&path).token(access(&tokens)).send().await.expect(200);
            assert_eq!(list.at("/data").as_array().unwrap().len(), 1);
        }
    }

    async fn a_demoted_administrator_gets_no_code_with_the_rights_of_a_moment_ago(app) {
        let agent = text(add(&app, "Warehouse").await.expect(201).at("/data/uuid"));
        let token = app.token_for(app.team, Role::Admin, "*").await;
        let user = user_of(&app, &token).await;
        app.get(&app.path("/settings")).token(&token).send().await.expect(200);
        // As another server does it: this one still remembers an administrator.
        let (team, now) = (app.team, app.clock.now());
        let demoted = app.app.write(move |tx| members::insert(tx, team, user, Role::Member, now));
        demoted.await.unwrap();
        let path = format!("/beta/teams/{}/print-agents", app.team);
        let ask = app.post(&path).token(&token).json(r#"{"name": "Late"}"#);
        ask.send().await.expect(403);
        let path = one(&app, &agent, "/registration-code");
        app.post(&path).token(&token).send().await.expect(403);
    }

    async fn a_foreign_team_sees_no_agent_and_cannot_name_one(app) {
        let (agent, _) = Agent::ready(&app, "Warehouse").await;
        let (team, stranger) = app.team("other.example.com").await;
        let foreign = |rest: &str| format!("/beta/teams/{team}/print-agents{rest}");
        let list = app.get(&foreign("")).token(&stranger).send().await.expect(200);
        assert_eq!(list.at("/data"), json!([]));
        for (method, rest, body) in [
            ("GET", "", "{}"),
            ("PATCH", "", r#"{"name": "Mine"}"#),
            ("POST", "/registration-code", "{}"),
            ("DELETE", "", "{}"),
        ] {
            let path = foreign(&format!("/{}{rest}", agent.uuid));
            app.ask(method, &path).token(&stranger).json(body).send().await.expect(404);
        }
        agent.claim(&app, 1, 0).await.expect(200);
    }
}

databases! {
    nobody_tries_more_than_ten_codes_a_minute
    a_team_has_only_so_many_agents
    an_agent_has_a_bucket_of_its_own
}

async fn nobody_tries_more_than_ten_codes_a_minute(database: Database) {
    let app = TestApp::new(database).await;
    let code = text(add(&app, "Warehouse").await.at("/data/registration_code"));
    for _ in 0..10 {
        register(&app, "WB-0000-0000-0000", "spool").await.expect(422);
    }
    let refused = register(&app, &code, "spool").await.expect(429);
    assert_eq!(refused.header("retry-after"), Some("6"));
    // Whoever calls from there for other reasons is not kept out.
    add(&app, "Another").await.expect(201);
    app.clock.advance(Duration::from_secs(6));
    register(&app, &code, "spool").await.expect(201);
    register(&app, &code, "spool").await.expect(429);
}

async fn a_team_has_only_so_many_agents(database: Database) {
    let app = TestApp::with_quotas(database, "print-agents=2").await;
    let all = futures_util::future::join_all((0..6).map(|_| add(&app, "Warehouse"))).await;
    assert_eq!(all.iter().filter(|reply| reply.status == 201).count(), 2);
    let refused = add(&app, "Warehouse").await.expect(409);
    assert!(text(refused.at("/message")).contains("2 print agents"));
    let (team, stranger) = app.team("other.example.com").await;
    let path = format!("/beta/teams/{team}/print-agents");
    app.post(&path).token(&stranger).json(r#"{"name": "A"}"#).send().await.expect(201);
    let one_of = text(all.iter().find(|it| it.status == 201).unwrap().at("/data/uuid"));
    app.delete(&one(&app, &one_of, "")).admin().send().await.expect(204);
    add(&app, "Warehouse").await.expect(201);
    add(&app, "Warehouse").await.expect(409);
}

async fn an_agent_has_a_bucket_of_its_own(database: Database) {
    let app = TestApp::with_limits(database, 100, 100).await;
    let (agent, _) = Agent::ready(&app, "Warehouse").await;
    let spent = 2;
    for _ in 0..600 - spent {
        agent.claim(&app, 1, 0).await.expect(200);
    }
    let refused = agent.claim(&app, 1, 0).await.expect(429);
    assert!(refused.header("ratelimit-policy").unwrap().contains("\"agent\";q=600"));
    let path = format!("/beta/teams/{}/print-agents", app.team);
    app.get(&path).admin().send().await.expect(200);
    let another = Agent::registered(&app, "Another").await;
    another.try_open(&app, json!([])).await.expect(201);
}
