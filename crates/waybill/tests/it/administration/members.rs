//! Members: listed, promoted, demoted, removed. A team never loses its last administrator.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_api::dispatch;
use waybill_domain::access::Role;

use super::{id_of, make_token, newcomer, role, text};
use crate::harness::{Ask, both};
use crate::oauth::{TestClient, access};

both! {
    async fn members_are_listed_newest_first_page_by_page(app) {
        let mut expected = vec![id_of(&app, &app.member).await, id_of(&app, &app.admin).await];
        expected.sort();
        for _ in 0..3 {
            app.clock.advance(Duration::from_secs(1));
            expected.push(newcomer(&app, Role::Member).await.0);
        }
        expected.reverse();
        let (mut found, mut path) = (Vec::new(), Some(app.path("/members?per_page=2")));
        while let Some(page) = path {
            let reply = app.get(&page).token(&app.member).send().await.expect(200);
            found.extend(reply.at("/data").as_array().unwrap().clone());
            let next = reply.at("/links/next");
            path = next.as_str().map(|url| url.strip_prefix("http://waybill.test").unwrap().into());
        }
        let ids: Vec<&str> = found.iter().map(|row| row["uuid"].as_str().unwrap()).collect();
        assert_eq!(ids, expected);
        assert_eq!(found[0]["role"], "member");
        assert_eq!(found[0]["has_password"], false);
        let admin = found.iter().find(|row| row["role"] == "admin").unwrap();
        assert_eq!(admin["name"], "Ada Jensen");
        // A page back leads to the same rows.
        let first = app.get(&app.path("/members?per_page=2")).admin().send().await.expect(200);
        let next = text(&first, "/links/next");
        let second = app.get(next.strip_prefix("http://waybill.test").unwrap()).admin();
        let back = text(&second.send().await.expect(200), "/links/prev");
        let back = app.get(back.strip_prefix("http://waybill.test").unwrap()).admin().send().await;
        assert_eq!(back.expect(200).at("/data"), first.at("/data"));
    }

    async fn a_member_is_promoted_and_demoted_and_that_holds_at_once(app) {
        let (id, token) = newcomer(&app, Role::Member).await;
        app.get(&app.path("/settings")).token(&token).send().await.expect(403);
        let promoted = role(&app, &id, "admin").admin().send().await.expect(200);
        assert_eq!(promoted.at("/data/role"), json!("admin"));
        app.get(&app.path("/settings")).token(&token).send().await.expect(200);
        role(&app, &id, "member").admin().send().await.expect(200);
        app.get(&app.path("/settings")).token(&token).send().await.expect(403);
        let wrong = role(&app, &id, "boss").admin().send().await;
        assert_eq!(wrong.problems(), ["role"]);
        let path = app.path(&format!("/members/{id}"));
        let wrong = app.patch(&path).admin().json(r#"{"role": null, "rool": 1}"#).send().await;
        assert_eq!(wrong.problems(), ["role", "rool"]);
        let same = app.patch(&path).admin().json("{}").send().await.expect(200);
        assert_eq!(same.at("/data/role"), json!("member"));
    }

    async fn whoever_may_not_do_everything_makes_nobody_an_administrator(app) {
        let (id, _) = newcomer(&app, Role::Member).await;
        let narrow = app.token_for(app.team, Role::Admin, "members:read members:write").await;
        let refused = role(&app, &id, "admin").token(&narrow).send().await;
        assert_eq!(refused.problems(), ["role"]);
        let admin = super::user(&id_of(&app, &app.admin).await);
        let client = TestClient::new(&app, |client| client.role = Some(Role::Admin)).await;
        for tokens in [client.own(&app).await, client.agreed_to_all(&app, admin).await] {
            role(&app, &id, "admin").token(access(&tokens)).send().await.expect(403);
        }
        // What takes rights away, or changes nothing, needs no more than before.
        role(&app, &id, "member").token(&narrow).send().await.expect(200);
        role(&app, &id, "admin").admin().send().await.expect(200);
        role(&app, &id, "admin").token(&narrow).send().await.expect(200);
        role(&app, &id, "member").token(&narrow).send().await.expect(200);
    }

    async fn the_last_administrator_can_be_neither_demoted_nor_removed(app) {
        let admin = id_of(&app, &app.admin).await;
        let refused = role(&app, &admin, "member").admin().send().await.expect(409);
        assert!(refused.header("retry-after").is_none());
        app.delete(&app.path(&format!("/members/{admin}"))).admin().send().await.expect(409);
        app.get(&app.path("/settings")).admin().send().await.expect(200);
        assert_eq!(super::actions(&app).await, Vec::<String>::new(), "nothing was done");
    }

    async fn of_two_administrators_who_demote_each_other_at_once_one_wins(app) {
        let other = newcomer(&app, Role::Admin).await;
        let admin = (id_of(&app, &app.admin).await, app.admin.clone());
        let attempts = (0..16).map(|number| {
            let (who, whom) = if number % 2 == 0 { (&admin, &other) } else { (&other, &admin) };
            role(&app, &whom.0, "member").token(&who.1).send()
        });
        let answers = futures_util::future::join_all(attempts).await;
        let done = answers.iter().filter(|answer| answer.status == 200).count();
        assert!(done >= 1, "{:?}", answers.iter().map(|answer| answer.status).collect::<Vec<_>>());
        assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 403 | 409)));
        assert_eq!(admins(&app).await, 1);
        app.api.callers().forget();
        let winner = if is_admin(&app, &admin.1).await { admin } else { other };
        let log = app.get(&app.path("/audit-log")).token(&winner.1).send().await.expect(200);
        assert_eq!(log.at("/data").as_array().unwrap().len(), 1, "one was demoted, once");
    }

    async fn sixteen_administrators_who_all_leave_at_once_leave_one(app) {
        let mut all = vec![(id_of(&app, &app.admin).await, app.admin.clone())];
        for _ in 0..15 {
            all.push(newcomer(&app, Role::Admin).await);
        }
        let attempts = all.iter().map(|(id, token)| {
            app.delete(&app.path(&format!("/members/{id}"))).token(token).send()
        });
        let answers = futures_util::future::join_all(attempts).await;
        let count = |status: u16| answers.iter().filter(|it| it.status == status).count();
        assert_eq!((count(204), count(409)), (15, 1));
        assert_eq!(admins(&app).await, 1);
    }

    async fn a_removed_member_loses_the_team_within_a_second_on_every_server(app) {
        let (id, token) = newcomer(&app, Role::Admin).await;
        let (elsewhere, _) = app.team("other.example.com").await;
        super::join(&app, elsewhere, &id).await;
        let body = json!({"name": "bound", "scopes": ["shipments:read"]}).to_string();
        let made = app.post(&app.path("/tokens")).token(&token).json(&body).send().await;
        let bound = text(&made.expect(201), "/data/token");
        let beside = dispatch::router(app.beside(10_000_000, 10_000_000));
        let there = |token: &str| {
            let path = app.path("/shipments");
            let request = axum::http::Request::get(path);
            let request = request.header("authorization", format!("Bearer {token}"));
            crate::harness::answers::send(&beside, request.body(axum::body::Body::empty()).unwrap())
        };
        there(&token).await.expect(200);
        there(&bound).await.expect(200);
        app.delete(&app.path(&format!("/members/{id}"))).admin().send().await.expect(204);
        for token in [&token, &bound] {
            let reply = app.get(&app.path("/shipments")).token(token).send().await;
            assert_eq!(reply.status, if token == &bound { 401 } else { 404 }, "here at once");
        }
        app.clock.advance(Duration::from_millis(950));
        there(&token).await.expect(404);
        there(&bound).await.expect(401);
        app.get(&format!("/v2/teams/{elsewhere}")).token(&token).send().await.expect(200);
        app.delete(&app.path(&format!("/members/{id}"))).admin().send().await.expect(404);
        // Who comes back does not get back what ended.
        super::join(&app, app.team, &id).await;
        app.get(&app.path("/shipments")).token(&bound).send().await.expect(401);
    }

    async fn another_teams_members_are_not_there(app) {
        let (_, stranger) = app.team("other.example.com").await;
        let stranger = id_of(&app, &stranger).await;
        role(&app, &stranger, "admin").admin().send().await.expect(404);
        app.delete(&app.path(&format!("/members/{stranger}"))).admin().send().await.expect(404);
        app.delete(&app.path("/members/not-a-uuid")).admin().send().await.expect(404);
    }

    async fn when_a_member_was_last_seen_is_told(app) {
        let (id, token) = newcomer(&app, Role::Member).await;
        app.get("/v2/me").token(&token).send().await.expect(200);
        for _ in 0..200 {
            let list = app.get(&app.path("/members")).admin().send().await.expect(200);
            let rows = list.at("/data").as_array().unwrap().clone();
            let row = rows.iter().find(|row| row["uuid"] == id.as_str()).unwrap();
            if row["last_seen_at"] != Value::Null {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("never");
    }

    async fn a_demoted_administrator_makes_and_ends_no_token_with_the_rights_of_a_moment_ago(app) {
        let (id, token) = newcomer(&app, Role::Admin).await;
        app.get(&app.path("/settings")).token(&token).send().await.expect(200);
        super::set_role(&app, &id, Role::Member).await;
        let body = r#"{"name": "late", "scopes": ["*"]}"#;
        app.post(&app.path("/tokens")).token(&token).json(body).send().await.expect(403);
        let fine = make_token(&app, json!({"name": "fine", "scopes": ["*"]})).await.expect(201);
        // Nor does it end one.
        let path = app.path(&format!("/tokens/{}", text(&fine, "/data/uuid")));
        app.delete(&path).token(&token).send().await.expect(403);
        app.delete(&path).admin().send().await.expect(204);
    }
}

async fn admins(app: &crate::harness::TestApp) -> usize {
    let list = app.get(&app.path("/members")).token(&app.member).send().await.expect(200);
    let rows = list.at("/data").as_array().unwrap().clone();
    rows.iter().filter(|row| row["role"] == "admin").count()
}

async fn is_admin(app: &crate::harness::TestApp, token: &str) -> bool {
    let ask: Ask<'_> = app.get(&app.path("/settings"));
    ask.token(token).send().await.status == 200
}
