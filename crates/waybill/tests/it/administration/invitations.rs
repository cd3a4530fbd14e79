//! Invitations: a link that is shown once, good for a week and for one acceptance.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::access::Role;
use waybill_domain::audit::Act;
use waybill_domain::ids::{TeamId, UserId};
use waybill_domain::time::Clock;
use waybill_domain::token::TokenKind;
use waybill_store::{Error, invitations, users};

use super::{actions, id_of, text};
use crate::harness::{Reply, TestApp, both};

const LINK: &str = "http://waybill.test/console/welcome/";

async fn invite(app: &TestApp, email: &str, role: &str) -> Reply {
    let body = json!({"email": email, "role": role}).to_string();
    app.post(&app.path("/invitations")).admin().json(&body).send().await
}

async fn states(app: &TestApp) -> Vec<String> {
    let list = app.get(&app.path("/invitations")).admin().send().await.expect(200);
    let rows = list.at("/data").as_array().unwrap().clone();
    assert!(rows.iter().all(|row| row["url"] == Value::Null));
    rows.iter().map(|row| row["state"].as_str().unwrap().to_owned()).collect()
}

/// A user with this address.
async fn user_with(app: &TestApp, email: &str) -> UserId {
    let id = UserId(app.app.new_uuid());
    let user = users::User {
        id,
        name: "Grace".to_owned(),
        email: email.to_owned(),
        language: "en".to_owned(),
        is_operator: false,
        created_at: app.clock.now(),
    };
    app.app.write(move |tx| users::insert(tx, &user)).await.unwrap();
    id
}

/// Uses the link of an invitation.
async fn accept(app: &TestApp, invitation: &Reply, user: UserId) -> Option<TeamId> {
    let link = text(invitation, "/data/url");
    let hash = TokenKind::Invitation.hash(link.strip_prefix(LINK).unwrap()).unwrap();
    let act = Act::by_operator(app.app.new_uuid(), app.clock.now());
    let used = app.app.write(move |tx| invitations::any_accept(tx, &hash, user, &act));
    let used: Result<_, Error> = used.await;
    used.unwrap()
}

both! {
    async fn an_invitation_is_made_shown_once_and_listed_without_its_link(app) {
        let made = invite(&app, "Grace@Example.com", "member").await.expect(201);
        let link = text(&made, "/data/url");
        let code = link.strip_prefix(LINK).unwrap();
        assert!(code.starts_with("wbi_") && code.len() == 47, "{code}");
        assert_eq!(made.at("/data/email"), json!("grace@example.com"));
        assert_eq!(made.at("/data/state"), json!("pending"));
        assert_eq!(states(&app).await, ["pending"]);
        assert_eq!(made.header("cache-control"), Some("private, no-store"));
        assert_eq!(made.header("location"), None, "it is read in the list alone");
        let wrong = invite(&app, "nobody", "boss").await;
        assert_eq!(wrong.problems(), ["email", "role"]);
    }

    async fn whoever_accepts_comes_into_the_team_and_the_link_is_used_up(app) {
        let grace = user_with(&app, "grace@example.com").await;
        let other = user_with(&app, "other@example.com").await;
        let made = invite(&app, "grace@example.com", "admin").await.expect(201);
        assert_eq!(accept(&app, &made, other).await, None, "the link is somebody else's");
        assert_eq!(accept(&app, &made, grace).await, Some(app.team));
        assert_eq!(accept(&app, &made, grace).await, None, "once");
        assert_eq!(states(&app).await, ["accepted"]);
        let list = app.get(&app.path("/members")).admin().send().await.expect(200);
        let rows = list.at("/data").as_array().unwrap().clone();
        let row = rows.iter().find(|row| row["uuid"] == grace.to_string()).unwrap();
        assert_eq!(row["role"], "admin");
        assert_eq!(actions(&app).await, ["invitation.created", "member.added"]);
        let path = app.path(&format!("/invitations/{}", text(&made, "/data/uuid")));
        app.delete(&path).admin().send().await.expect(409);
        assert_eq!(invite(&app, "GRACE@example.com", "member").await.problems(), ["email"]);
    }

    async fn a_new_invitation_replaces_the_old_one_of_the_same_address(app) {
        let grace = user_with(&app, "grace@example.com").await;
        let first = invite(&app, "grace@example.com", "admin").await.expect(201);
        app.clock.advance(Duration::from_secs(1));
        let second = invite(&app, "grace@example.com", "member").await.expect(201);
        assert_eq!(states(&app).await, ["pending", "revoked"]);
        assert_eq!(accept(&app, &first, grace).await, None);
        assert_eq!(accept(&app, &second, grace).await, Some(app.team));
        assert_eq!(states(&app).await, ["accepted", "revoked"]);
    }

    async fn a_link_is_good_for_seven_days_and_until_it_is_taken_back(app) {
        let grace = user_with(&app, "grace@example.com").await;
        let old = invite(&app, "grace@example.com", "member").await.expect(201);
        app.clock.advance(Duration::from_hours(7 * 24) - Duration::from_secs(1));
        assert_eq!(states(&app).await, ["pending"]);
        app.clock.advance(Duration::from_secs(1));
        assert_eq!(states(&app).await, ["expired"]);
        assert_eq!(accept(&app, &old, grace).await, None);
        let new = invite(&app, "grace@example.com", "member").await.expect(201);
        assert_eq!(states(&app).await, ["pending", "expired"]);
        let path = app.path(&format!("/invitations/{}", text(&new, "/data/uuid")));
        app.delete(&path).admin().send().await.expect(204);
        app.delete(&path).admin().send().await.expect(204);
        assert_eq!(states(&app).await, ["revoked", "expired"]);
        assert_eq!(accept(&app, &new, grace).await, None);
        let done = actions(&app).await;
        let (created, revoked) = ("invitation.created", "invitation.revoked");
        assert_eq!(done, [created, created, revoked, revoked], "the first was replaced");
    }

    async fn sixteen_who_accept_at_once_are_one(app) {
        let grace = user_with(&app, "grace@example.com").await;
        let made = invite(&app, "grace@example.com", "member").await.expect(201);
        let attempts = (0..16).map(|_| accept(&app, &made, grace));
        let used = futures_util::future::join_all(attempts).await;
        assert_eq!(used.iter().flatten().count(), 1);
        assert_eq!(actions(&app).await, ["invitation.created", "member.added"]);
    }

    async fn a_key_makes_one_invitation_and_a_replay_does_not_say_the_link_again(app) {
        let body = json!({"email": "grace@example.com", "role": "member"}).to_string();
        let ask = || {
            let ask = app.post(&app.path("/invitations")).admin();
            ask.header("idempotency-key", "invite-grace-0001").json(&body).send()
        };
        let first = ask().await.expect(201);
        let again = ask().await.expect(201);
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(again.at("/data/uuid"), first.at("/data/uuid"));
        assert_eq!(again.at("/data/url"), Value::Null);
        assert_eq!(states(&app).await, ["pending"]);
    }

    async fn who_was_demoted_elsewhere_invites_nobody(app) {
        let id = id_of(&app, &app.admin).await;
        super::newcomer(&app, Role::Admin).await;
        super::set_role(&app, &id, Role::Member).await;
        invite(&app, "grace@example.com", "admin").await.expect(403);
    }

    async fn what_somebody_invited_who_is_no_administrator_any_more_is_taken_back(app) {
        for ending in ["removed", "demoted"] {
            let (id, token) = super::newcomer(&app, Role::Admin).await;
            let email = format!("{ending}@example.com");
            let body = json!({"email": email, "role": "admin"}).to_string();
            let made = app.post(&app.path("/invitations")).token(&token).json(&body).send().await;
            let url = text(&made.expect(201), "/data/url");
            let link = url.strip_prefix("http://waybill.test").unwrap().to_owned();
            app.get(&link).send().await.expect(200);
            if ending == "removed" {
                let path = app.path(&format!("/members/{id}"));
                app.delete(&path).admin().send().await.expect(204);
            } else {
                super::role(&app, &id, "member").admin().send().await.expect(200);
            }
            app.get(&link).send().await.expect(404);
            let last = actions(&app).await.pop().unwrap();
            assert!(["invitation.revoked", "member.role_changed"].contains(&&*last), "{last}");
        }
        assert_eq!(states(&app).await, ["revoked", "revoked"]);
    }

    async fn whose_token_may_not_do_everything_invites_no_administrator(app) {
        let narrow = app.token_for(app.team, Role::Admin, "members:write").await;
        let ask = |role: &str| {
            let body = json!({"email": "a@example.com", "role": role}).to_string();
            app.post(&app.path("/invitations")).token(&narrow).json(&body).send()
        };
        assert_eq!(ask("admin").await.problems(), ["role"]);
        ask("member").await.expect(201);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_has_no_more_open_invitations_than_the_quota_allows() {
    let app = TestApp::with_quotas(crate::harness::Database::Sqlite, "invitations=2").await;
    let first = invite(&app, "a@example.com", "member").await.expect(201);
    invite(&app, "b@example.com", "member").await.expect(201);
    invite(&app, "c@example.com", "member").await.expect(409);
    invite(&app, "b@example.com", "admin").await.expect(201);
    let path = app.path(&format!("/invitations/{}", text(&first, "/data/uuid")));
    app.delete(&path).admin().send().await.expect(204);
    invite(&app, "c@example.com", "member").await.expect(201);
}
