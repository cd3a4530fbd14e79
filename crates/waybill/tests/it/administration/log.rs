//! The audit log as it is read: newest first, by filters, and changed by nobody.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::access::Role;
use waybill_domain::retention::Kept;
use waybill_domain::time::Clock;
use waybill_worker::forget::{Forgotten, forget};

use super::{id_of, lines, make_token, newcomer, role, text};
use crate::harness::{TestApp, both};

async fn found(app: &TestApp, query: &str) -> Vec<Value> {
    let path = app.path(&format!("/audit-log?{query}"));
    let log = app.get(&path).admin().send().await.expect(200);
    log.at("/data").as_array().unwrap().clone()
}

both! {
    async fn a_line_says_who_did_what_to_what_when_for_which_request_and_from_where(app) {
        let (id, _) = newcomer(&app, Role::Member).await;
        let admin = id_of(&app, &app.admin).await;
        let ask = role(&app, &id, "admin").admin().header("request-id", "shop-4521-1");
        ask.send().await.expect(200);
        let all = lines(&app).await;
        let [line] = &all[..] else { panic!("{all:?}") };
        assert_eq!(line["action"], "member.role_changed");
        assert_eq!(line["actor"]["type"], "token");
        assert_eq!(line["actor"]["name"], "Ada Jensen / test");
        assert_ne!(line["actor"]["uuid"], json!(admin), "it is the token's id");
        assert_eq!(line["subject"], json!({"type": "user", "uuid": id, "name": "Ada Jensen"}));
        assert_eq!(line["changes"], json!([{"path": "role", "from": "member", "to": "admin"}]));
        assert_eq!(line["request_id"], "shop-4521-1");
        assert_eq!(line["address"], "0.0.0.0");
        assert_eq!(line["at"], json!(app.clock.now().to_string()));
    }

    async fn the_log_is_filtered_and_paged(app) {
        let (first, other) = newcomer(&app, Role::Admin).await;
        let (second, _) = newcomer(&app, Role::Member).await;
        role(&app, &second, "admin").admin().send().await.expect(200);
        app.clock.advance(Duration::from_secs(10));
        let middle = app.clock.now().to_string();
        role(&app, &second, "member").token(&other).send().await.expect(200);
        app.clock.advance(Duration::from_secs(10));
        app.delete(&app.path(&format!("/members/{first}"))).admin().send().await.expect(204);
        let all = lines(&app).await;
        let actions: Vec<_> = all.iter().map(|line| line["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["member.removed", "member.role_changed", "member.role_changed"]);
        assert_eq!(found(&app, "action=member.role_changed").await, all[1..]);
        assert_eq!(found(&app, &format!("subject_uuid={first}")).await, all[..1]);
        let actor = all[1]["actor"]["uuid"].as_str().unwrap();
        assert_eq!(found(&app, &format!("actor_uuid={actor}")).await, all[1..2]);
        assert_eq!(found(&app, &format!("since={middle}")).await, all[..2]);
        assert_eq!(found(&app, &format!("until={middle}")).await, all[2..]);
        let page = app.get(&app.path("/audit-log?per_page=2")).admin().send().await.expect(200);
        assert_eq!(page.at("/data"), json!(all[..2]));
        let next = text(&page, "/links/next");
        let next = next.strip_prefix("http://waybill.test").unwrap();
        let page = app.get(next).admin().send().await.expect(200);
        assert_eq!(page.at("/data"), json!(all[2..]));
        let wrong = "/audit-log?action=x&actor_uuid=y&subject_uuid=z&since=1&until=2&colour=red";
        let wrong = app.get(&app.path(wrong)).admin().send().await;
        let places = ["action", "actor_uuid", "colour", "since", "subject_uuid", "until"];
        assert_eq!(wrong.problems(), places);
    }

    async fn the_log_is_for_administrators_of_the_team(app) {
        make_token(&app, json!({"name": "t", "scopes": ["*"]})).await.expect(201);
        let path = app.path("/audit-log");
        app.get(&path).token(&app.member).send().await.expect(403);
        let (other, stranger) = app.team("other.example.com").await;
        app.get(&path).token(&stranger).send().await.expect(404);
        let theirs = app.get(&format!("/v2/teams/{other}/audit-log")).token(&stranger).send().await;
        assert_eq!(theirs.expect(200).at("/data"), json!([]));
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            app.ask(method, &path).admin().json("{}").send().await.expect(405);
        }
    }

    async fn a_line_goes_after_four_hundred_days_and_not_before(app) {
        let sweep = || forget(&app.worker, Forgotten::Kept(Kept::Audit));
        make_token(&app, json!({"name": "t", "scopes": ["*"]})).await.expect(201);
        let days = Duration::from_hours(400 * 24);
        app.clock.advance(days);
        sweep().await;
        assert_eq!(lines(&app).await.len(), 1);
        app.clock.advance(Duration::from_secs(1));
        sweep().await;
        assert_eq!(lines(&app).await, Vec::<Value>::new());
    }
}
