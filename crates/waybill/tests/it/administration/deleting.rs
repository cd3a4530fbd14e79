//! Teams and users that are deleted: nothing of them lets anybody in, and what they did stays told.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::access::Role;
use waybill_domain::audit::{Act, Actor};
use waybill_domain::ids::{AccountId, ReportId};
use waybill_domain::job::JobKind;
use waybill_domain::report::ReportState;
use waybill_domain::tracking::Trigger;
use waybill_engine::ingest::ingest;
use waybill_store::audit::{self, Filters};
use waybill_store::oauth::clients;
use waybill_store::sealed::{self, SealedKind};
use waybill_store::team_deletion::{self, TeamDeletion};
use waybill_store::{Tx, jobs, reports};
use waybill_worker::runner::run_due;

use super::{id_of, newcomer, text, user};
use crate::batches;
use crate::harness::agent::Agent;
use crate::harness::fixture::{Fixture, order};
use crate::harness::{Database, Reply, TestApp, both, databases};
use crate::oauth::{TestClient, access};

const DOMAIN: &str = "?domain=shop.example.com";
const PASSWORD: &str = "correct horse battery";

async fn status(app: &TestApp, path: &str, token: &str) -> u16 {
    app.get(path).token(token).send().await.status
}

/// The actions of the team's log, the oldest first, which nobody reads by the API any more.
async fn logged(app: &TestApp) -> Vec<String> {
    let team = app.team;
    let read = app.app.read(move |tx| audit::list(tx, team, Filters::default(), None, 1000));
    read.await.unwrap().into_iter().rev().map(|line| line.action).collect()
}

/// The kinds of the jobs that teams have.
async fn jobs_left(app: &TestApp) -> Vec<String> {
    let sql = "SELECT kind FROM job WHERE team IS NOT NULL ORDER BY kind";
    app.app.read(move |tx| tx.all(sql, &[])).await.unwrap()
}

async fn make(app: &TestApp, path: &str, body: Value) -> Reply {
    app.post(&app.path(path)).admin().json(&body.to_string()).send().await.expect(201)
}

async fn delete_me(app: &TestApp, token: &str, body: Value) -> Reply {
    app.delete("/v2/me").token(token).json(&body.to_string()).send().await
}

async fn set_password(app: &TestApp, token: &str) {
    let body = json!({"password": PASSWORD}).to_string();
    app.post("/v2/me/password").token(token).json(&body).send().await.expect(204);
}

both! {
    async fn of_a_deleted_team_nothing_lets_anybody_in(app) {
        let bound = make(&app, "/tokens", json!({"name": "b", "scopes": ["*"]})).await;
        let bound = text(&bound, "/data/token");
        let link = make(&app, "/invitations", json!({"email": "x@y.example", "role": "member"}));
        let link = text(&link.await, "/data/url").replace("http://waybill.test", "");
        let account = json!({"carrier_code": "sandbox", "name": "S", "credentials": {"key": "k"}});
        make(&app, "/carrier-accounts", account).await;
        let hook = json!({"url": "http://127.0.0.1:9/hook", "events": ["report.ready"]});
        make(&app, "/webhooks", hook).await;
        let agent = Agent::registered(&app, "Warehouse").await;
        let client = TestClient::new(&app, |client| client.redirect_uris = Vec::new()).await;
        let shared = TestClient::new(&app, |_| {}).await;
        let admin = user(&id_of(&app, &app.admin).await);
        let own = [client.own(&app).await, shared.own(&app).await];
        let agreed = shared.agreed(&app, admin).await;
        let path = app.path("");
        assert_eq!(status(&app, &path, access(&agreed)).await, 200);

        app.delete(&app.path(DOMAIN)).admin().send().await.expect(204);
        for token in [&app.admin, &app.member] {
            assert_eq!(status(&app, &path, token).await, 404);
            assert_eq!(status(&app, &app.path("/shipments"), token).await, 404);
            let me = app.get("/v2/me").token(token).send().await.expect(200);
            assert_eq!(me.at("/data/teams"), json!([]));
        }
        let apps = [access(&own[0]), access(&own[1]), access(&agreed)];
        for token in apps.into_iter().chain([bound.as_str()]) {
            assert_eq!(status(&app, &path, token).await, 401);
        }
        agent.try_open(&app, json!([])).await.expect(401);
        app.get(&link).send().await.expect(404);
        client.token(&app, "grant_type=client_credentials").await.expect(401);
        shared.token(&app, "grant_type=client_credentials").await.expect(400);
        shared.refresh(&app, &agreed).await.expect(400);
        let id = shared.client_id.clone();
        let left = app.app.read(move |tx| clients::any_find(tx, &id)).await.unwrap().unwrap();
        assert_eq!((left.team, left.redirect_uris.len()), (None, 1), "it is for other teams too");
        for kind in SealedKind::ALL {
            let nil = uuid::Uuid::nil();
            let sealed = app.app.read(move |tx| sealed::any_list(tx, kind, (nil, nil), 10));
            assert_eq!(sealed.await.unwrap(), [], "{kind:?}");
        }
        let log = logged(&app).await;
        assert_eq!(log.last().unwrap(), "team.deleted");
        for action in ["token.revoked", "invitation.revoked", "oauth_grant.ended"] {
            assert_eq!(log.iter().filter(|it| *it == action).count(), 1, "{action}: {log:?}");
        }
        // Another team may have the domain.
        let (_, token) = app.team("shop.example.com").await;
        app.delete(&app.path(DOMAIN)).token(&token).send().await.expect(404);
    }

    async fn what_was_about_to_be_made_for_a_deleted_team_is_not(app) {
        // The server remembers the caller for a moment.
        assert_eq!(status(&app, &app.path(""), &app.admin).await, 200);
        let (team, at, actor) = (app.team, app.app.now(), Arc::new(Actor::system()));
        let act = Act { id: app.app.new_uuid(), at, actor, request_id: None, address: None };
        let deleted = app.app.write(move |tx| team_deletion::delete(tx, team, &act)).await;
        assert_eq!(deleted.unwrap(), TeamDeletion::Done(Vec::new()));
        let body = json!({"title": "Late", "shipment": {"currency": "DKK"}}).to_string();
        let path = app.path("/shipment-templates");
        app.post(&path).admin().json(&body).send().await.expect(404);
    }

    async fn tokens_that_had_ended_by_themselves_leave_no_lines(app) {
        let at = app.app.now().plus(Duration::from_hours(1)).to_string();
        let body = json!({"name": "short", "scopes": ["*"], "expires_at": at});
        make(&app, "/tokens", body).await;
        app.clock.advance(Duration::from_hours(2));
        app.delete(&app.path(DOMAIN)).admin().send().await.expect(204);
        let log = logged(&app).await;
        assert_eq!(log, ["token.created", "team.deleted"]);
    }

    async fn the_jobs_of_a_deleted_team_end(app) {
        let account = json!({"carrier_code": "sandbox", "name": "S"});
        let account = AccountId::parse(&text(&make(&app, "/carrier-accounts", account).await,
            "/data/uuid")).unwrap();
        let hook = json!({"url": "http://127.0.0.1:9/hook", "events": ["report.ready"]});
        let hook = text(&make(&app, "/webhooks", hook).await, "/data/uuid");
        app.post(&app.path(&format!("/webhooks/{hook}/test"))).admin().send().await.expect(202);
        run_due(&app.worker).await.unwrap();
        assert_eq!(jobs_left(&app).await, ["deliver"], "it is tried again later");
        let body = json!({"type": "shipments", "from": "2026-01-01T00:00:00Z",
            "to": "2026-02-01T00:00:00Z", "formats": ["xlsx"]}).to_string();
        let path = format!("/beta/teams/{}/reports", app.team);
        let asked = app.post(&path).admin().json(&body).send().await.expect(202);
        let report = ReportId::parse(&text(&asked, "/data/uuid")).unwrap();

        app.delete(&app.path(DOMAIN)).admin().send().await.expect(204);
        // What was about to be scheduled meanwhile ends, too.
        let (team, now) = (app.team, app.app.now());
        let late = move |tx: &mut Tx<'_>| {
            let now = tx.now(now)?;
            jobs::schedule(tx, JobKind::Track, account.into(), Some(team), now)
        };
        app.app.write(late).await.unwrap();
        run_due(&app.worker).await.unwrap();
        assert_eq!(jobs_left(&app).await, Vec::<String>::new());
        let found = app.app.read(move |tx| reports::find(tx, team, report)).await.unwrap();
        assert_eq!(found.unwrap().state, ReportState::Failed);
        let heard = ingest(&app.app, (team, account), Trigger::Callback, None, Vec::new()).await;
        assert_eq!(heard.unwrap(), None, "nobody follows its parcels");
    }

    async fn a_team_is_deleted_by_an_administrator_who_names_it_and_may_do_everything(app) {
        for query in ["", "?domain=other.example.com", "?domain="] {
            let refused = app.delete(&app.path(query)).admin().send().await;
            assert_eq!(refused.problems(), ["domain"]);
        }
        let path = app.path("?domain=SHOP.example.com");
        let narrow = app.token_for(app.team, Role::Admin, "teams:read teams:write").await;
        let admin = user(&id_of(&app, &app.admin).await);
        let client = TestClient::new(&app, |client| client.role = Some(Role::Admin)).await;
        let (own, agreed) = (client.own(&app).await, client.agreed_to_all(&app, admin).await);
        for token in [app.member.as_str(), &narrow, access(&own), access(&agreed)] {
            app.delete(&path).token(token).send().await.expect(403);
        }
        assert_eq!(status(&app, &app.path(""), &app.member).await, 200);
        app.delete(&path).admin().send().await.expect(204);
        app.delete(&path).admin().send().await.expect(404);
    }

    async fn a_deleted_user_is_nobody_and_its_teams_go_on(app) {
        let (id, token) = newcomer(&app, Role::Admin).await;
        set_password(&app, &token).await;
        let email = text(&app.get("/v2/me").token(&token).send().await, "/data/email");
        let body = json!({"name": "bound", "scopes": ["*"]}).to_string();
        let bound = app.post(&app.path("/tokens")).token(&token).json(&body).send().await;
        let bound = text(&bound.expect(201), "/data/token");
        let body = json!({"email": "x@y.example", "role": "member"}).to_string();
        let invited = app.post(&app.path("/invitations")).token(&token).json(&body).send().await;
        let link = text(&invited.expect(201), "/data/url").replace("http://waybill.test", "");
        let agreed = TestClient::new(&app, |_| {}).await.agreed(&app, user(&id)).await;

        delete_me(&app, &token, json!({"current_password": PASSWORD})).await.expect(204);
        for token in [token.as_str(), &bound, access(&agreed)] {
            assert_eq!(status(&app, &app.path(""), token).await, 401);
        }
        app.get(&link).send().await.expect(404);
        let members = app.get(&app.path("/members")).admin().send().await.expect(200);
        let shown = members.json().to_string();
        assert!(!shown.contains(&id) && !shown.contains(&email), "{shown}");
        let log = app.get(&app.path("/audit-log")).admin().send().await.expect(200);
        assert_eq!(log.at("/data/0/action"), "user.deleted");
        assert_eq!(log.at("/data/0/subject/name"), "Ada Jensen", "the log keeps what it wrote");
        let actions = super::actions(&app).await;
        // The token that is bound to the team, and the one that was good in all.
        for (action, times) in [("member.removed", 1), ("token.revoked", 2),
            ("invitation.revoked", 1), ("oauth_grant.ended", 1)] {
            assert_eq!(actions.iter().filter(|it| *it == action).count(), times, "{action}");
        }
        // The address is free again.
        let body = json!({"email": email, "role": "member"});
        make(&app, "/invitations", body).await;
    }

    async fn the_only_administrator_of_a_team_is_not_deleted(app) {
        let refused = delete_me(&app, &app.admin, json!({})).await.expect(409);
        assert!(text(&refused, "/message").contains("shop.example.com"));
        assert_eq!(status(&app, &app.path("/settings"), &app.admin).await, 200);
        app.delete(&app.path(DOMAIN)).admin().send().await.expect(204);
        delete_me(&app, &app.admin, json!({})).await.expect(204);
        app.get("/v2/me").admin().send().await.expect(401);
    }

    async fn of_two_administrators_who_delete_themselves_at_once_one_stays(app) {
        let (_, other) = newcomer(&app, Role::Admin).await;
        let both = [&app.admin, &other].map(|token| delete_me(&app, token, json!({})));
        let answers = futures_util::future::join_all(both).await;
        let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 409]);
    }

    async fn a_user_is_deleted_with_its_password_and_a_token_of_its_own_alone(app) {
        let (id, token) = newcomer(&app, Role::Member).await;
        set_password(&app, &token).await;
        for wrong in [json!({}), json!({"current_password": null}),
            json!({"current_password": "wrong horse battery"})] {
            let refused = delete_me(&app, &token, wrong).await;
            assert_eq!(refused.problems(), ["current_password"]);
        }
        let unknown = delete_me(&app, &token, json!({"password": PASSWORD})).await;
        assert_eq!(unknown.problems(), ["password"]);
        let body = json!({"name": "b", "scopes": ["*"]}).to_string();
        let (_, admin) = newcomer(&app, Role::Admin).await;
        let bound = app.post(&app.path("/tokens")).token(&admin).json(&body).send().await;
        let bound = text(&bound.expect(201), "/data/token");
        let client = TestClient::new(&app, |_| {}).await;
        let agreed = client.agreed_to_all(&app, user(&id)).await;
        for token in [bound.as_str(), access(&client.own(&app).await), access(&agreed)] {
            delete_me(&app, token, json!({"current_password": PASSWORD})).await.expect(403);
        }
        assert_eq!(status(&app, &app.path(""), &token).await, 200);
    }
}

databases! {
    a_team_is_not_deleted_while_it_books_and_is_afterwards
}

async fn a_team_is_not_deleted_while_it_books_and_is_afterwards(database: Database) {
    let fixture = Fixture::new(database).await;
    let app = &fixture.app;
    let batch = batches::open(&fixture).await;
    let members = [batches::slow("DELETE-1", 1), batches::slow("DELETE-2", 1)];
    let added = batches::add(&fixture, &batch, &members).await.expect(201);
    batches::act(&fixture, &batch, "start").await.expect(202);
    let refused = app.delete(&app.path(DOMAIN)).admin().send().await.expect(409);
    let named = [text(&added, "/data/0/uuid"), text(&added, "/data/1/uuid"), batch.clone()];
    let message = text(&refused, "/message");
    assert!(named.iter().any(|id| message.contains(id)), "{message}: {named:?}");
    batches::until(&fixture, &batch, "completed").await;
    let booked = fixture.book(&order("DELETE-3")).await.expect(201);
    // The alarm of what was just booked may be on its way.
    let mut deleted = app.delete(&app.path(DOMAIN)).admin().send().await;
    for _ in 0..100 {
        if deleted.status != 409 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        deleted = app.delete(&app.path(DOMAIN)).admin().send().await;
    }
    deleted.expect(204);
    // What was bought stays known, and nobody follows it any more.
    assert_eq!(fixture.row(&booked).await.state.name(), "booked");
    let followed: Option<i64> = app
        .app
        .read(|tx| tx.one("SELECT count(*) FROM tracking WHERE look_at IS NOT NULL", &[]))
        .await
        .unwrap();
    assert_eq!(followed, Some(0));
    let mut tries = 0;
    while !jobs_left(app).await.is_empty() {
        assert!(tries < 200, "{:?}", jobs_left(app).await);
        tries += 1;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
