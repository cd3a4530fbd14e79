//! Where an invitation leads, and where the first user of a server comes in.

use std::time::Duration;

use serde_json::json;
use waybill_domain::access::Role;
use waybill_domain::time::Clock;
use waybill_domain::token::TokenKind;
use waybill_store::user_deletion::{self, UserDeletion};
use waybill_store::{setup_links, team_deletion, users};

use super::visitor::{EMAIL, Fields, PASSWORD, Visitor, add_user, fields, form_to, html, request};
use crate::harness::{Reply, TestApp, both};
use crate::oauth::user_of;

const NEW: &str = "new@shop.example.com";

/// Invites somebody and gives the path of the link.
async fn invite(app: &TestApp, email: &str, role: &str) -> (String, String) {
    let body = json!({"email": email, "role": role}).to_string();
    let made = app.post(&app.path("/invitations")).admin().json(&body).send().await.expect(201);
    let url = made.at("/data/url").as_str().unwrap().to_owned();
    let path = url.strip_prefix(app.app.base_url()).unwrap().to_owned();
    (path, made.at("/data/uuid").as_str().unwrap().to_owned())
}

/// Sends the form of the page with what is typed.
async fn send(visitor: &mut Visitor<'_>, path: &str, typed: &[(&str, &str)]) -> Reply {
    let page = visitor.get(path).await.expect(200);
    let hidden = form_to(&page, "password", path);
    visitor.post_to(path, &[hidden, fields(typed)].concat()).await
}

async fn role_of(app: &TestApp, email: &str) -> Option<String> {
    let list = app.get(&app.path("/members")).admin().send().await.expect(200);
    let members = list.at("/data").as_array().unwrap().clone();
    let own = members.iter().find(|member| member["email"] == email)?;
    Some(own["role"].as_str().unwrap().to_owned())
}

/// The link of a server that starts.
async fn setup_link(app: &TestApp) -> Option<String> {
    let link = TokenKind::Invitation.generate(app.app.ids().as_ref());
    let hash = TokenKind::Invitation.hash(link.expose()).unwrap();
    let until = app.clock.now().plus(Duration::from_hours(24));
    let replace = app.app.write(move |tx| setup_links::any_replace(tx, &hash, until));
    replace.await.unwrap().then(|| format!("/console/welcome/{}", link.expose()))
}

/// As on a server that nobody has used yet.
async fn without_users(app: &TestApp) {
    let remove = |tx: &mut waybill_store::Tx<'_>| {
        tx.exec("DELETE FROM token", &[])?;
        tx.exec("DELETE FROM member", &[])?;
        tx.exec("DELETE FROM app_user", &[])?;
        Ok::<_, waybill_store::Error>(())
    };
    app.app.write(remove).await.unwrap();
}

fn first() -> Fields {
    fields(&[
        ("name", "Ada Jensen"),
        ("email", "ADA@shop.example.com"),
        ("password", PASSWORD),
        ("team", "Nordic Books"),
        ("domain", "Books.example.com"),
    ])
}

both! {
    async fn whoever_has_no_account_chooses_a_name_and_a_password(app) {
        let (path, _) = invite(&app, NEW, "admin").await;
        let mut visitor = Visitor::new(&app);
        let wrong = send(&mut visitor, &path, &[("name", " "), ("password", "short")]).await;
        let page = html(&wrong.expect(422));
        assert!(page.contains("must not be blank") && page.contains("at least 12 characters"));
        let done = send(&mut visitor, &path, &[("name", "Bo"), ("password", PASSWORD)]).await;
        assert!(html(&done.expect(200)).contains("data-page=\"welcome-done\""));
        assert!(visitor.cookies.contains_key("waybill_session"));
        assert_eq!(role_of(&app, NEW).await.as_deref(), Some("admin"));
        let id = super::visitor::add_client(&app, "Shop", &[super::visitor::HOME]).await;
        Visitor::new(&app).sign_in(&request(&id), NEW, PASSWORD).await.expect(303);
        let log = app.get(&app.path("/audit-log")).admin().send().await.expect(200);
        let actions: Vec<_> = log.at("/data").as_array().unwrap().iter()
            .map(|line| line["action"].as_str().unwrap().to_owned()).collect();
        let came = ["user.signed_in", "user.signed_in", "member.added", "invitation.created"];
        assert_eq!(actions, came);
    }

    async fn whoever_has_an_account_accepts_with_its_password(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let (elsewhere, admin) = app.team("other.example.com").await;
        let body = json!({"email": EMAIL, "role": "member"}).to_string();
        let all = format!("/v2/teams/{elsewhere}/invitations");
        let made = app.post(&all).token(&admin).json(&body).send().await.expect(201);
        let url = made.at("/data/url").as_str().unwrap().to_owned();
        let path = url.strip_prefix(app.app.base_url()).unwrap().to_owned();
        let mut visitor = Visitor::new(&app);
        let wrong = send(&mut visitor, &path, &[("password", "wrong horse battery")]).await;
        assert!(html(&wrong.expect(422)).contains("The e-mail address or the password is wrong."));
        send(&mut visitor, &path, &[("password", PASSWORD)]).await.expect(200);
        let members = app.get(&format!("/v2/teams/{elsewhere}/members")).token(&admin);
        let members = members.send().await.expect(200);
        let members = members.at("/data").as_array().unwrap().clone();
        let own = members.iter().find(|member| member["email"] == EMAIL).unwrap();
        assert_eq!(own["role"], "member");
    }

    async fn an_account_without_a_password_is_not_given_one_by_whoever_invites(app) {
        let (_, token) = app.team("other.example.com").await;
        let me = app.get("/v2/me").token(&token).send().await.expect(200);
        let email = me.at("/data/email").as_str().unwrap().to_owned();
        let (path, _) = invite(&app, &email, "member").await;
        let mut visitor = Visitor::new(&app);
        let page = html(&visitor.get(&path).await.expect(200));
        assert!(page.contains("Your account has no password yet") && !page.contains("<form"));
        // Nor by a form that was drawn for another link.
        let (other, _) = invite(&app, NEW, "member").await;
        let form = form_to(&visitor.get(&other).await.expect(200), "password", &other);
        let typed = fields(&[("name", "Bo"), ("password", PASSWORD)]);
        visitor.post_to(&path, &[form, typed].concat()).await.expect(403);
        assert_eq!(role_of(&app, &email).await, None);
        let me = app.get("/v2/me").token(&token).send().await.expect(200);
        assert_eq!(me.at("/data/has_password"), false);
    }

    async fn every_link_that_lets_nobody_in_has_one_and_the_same_page(app) {
        let mut pages = Vec::new();
        let (used, _) = invite(&app, "used@shop.example.com", "member").await;
        let mut visitor = Visitor::new(&app);
        let typed = [("name", "Bo"), ("password", PASSWORD)];
        send(&mut visitor, &used, &typed).await.expect(200);
        let (replaced, _) = invite(&app, NEW, "member").await;
        let (revoked, id) = invite(&app, NEW, "member").await;
        app.delete(&app.path(&format!("/invitations/{id}"))).admin().send().await.expect(204);
        let (expired, _) = invite(&app, NEW, "member").await;
        app.clock.advance(Duration::from_hours(7 * 24));
        let unknown = TokenKind::Invitation.generate(app.app.ids().as_ref());
        let unknown = format!("/console/welcome/{}", unknown.expose());
        let typo = format!("{}x", &used[..used.len() - 1]);
        for path in [&used, &replaced, &revoked, &expired, &unknown, &typo] {
            let page = visitor.get(path).await.expect(404);
            pages.push(page.bytes.clone());
            let posted = visitor.post_to(path, &fields(&typed)).await.expect(404);
            pages.push(posted.bytes.clone());
        }
        pages.dedup();
        assert_eq!(pages.len(), 1);
    }

    async fn of_many_who_use_a_link_at_once_one_comes_in(app) {
        let (path, _) = invite(&app, NEW, "member").await;
        let one = async |number: usize| {
            let name = format!("Bo {number}");
            let typed = [("name", name.as_str()), ("password", PASSWORD)];
            let mut visitor = Visitor::new(&app);
            let page = visitor.get(&path).await;
            if page.status == 404 {
                return 404;
            }
            let hidden = form_to(&page, "password", &path);
            visitor.post_to(&path, &[hidden, fields(&typed)].concat()).await.status
        };
        let all = futures_util::future::join_all((0..6).map(one)).await;
        assert_eq!(all.iter().filter(|status| **status == 200).count(), 1, "{all:?}");
        assert!(all.iter().all(|status| [200, 303, 404].contains(status)), "{all:?}");
    }

    async fn the_first_user_runs_the_server_and_has_the_first_team(app) {
        without_users(&app).await;
        let void = setup_link(&app).await.unwrap();
        let path = setup_link(&app).await.unwrap();
        let mut visitor = Visitor::new(&app);
        visitor.get(&void).await.expect(404);
        let page = visitor.get(&path).await.expect(200);
        let hidden = form_to(&page, "password", &path);
        let wrong = fields(&[("name", "Ada"), ("email", "ada"), ("domain", "books")]);
        let refused = visitor.post_to(&path, &[hidden.clone(), wrong].concat()).await.expect(422);
        let page = html(&refused);
        for part in ["must be an e-mail address", "must be a domain", "must not be blank",
            "at least 12 characters", "value=\"Ada\""] {
            assert!(page.contains(part), "{part}");
        }
        visitor.post_to(&path, &[hidden.clone(), first()].concat()).await.expect(200);
        let found = app.app.read(|tx| users::any_find_by_email(tx, EMAIL)).await.unwrap();
        assert!(found.unwrap().is_operator);
        visitor.post_to(&path, &[hidden, first()].concat()).await.expect(404);
        visitor.get(&path).await.expect(404);
        assert_eq!(setup_link(&app).await, None, "there is a user");
    }

    async fn a_link_to_set_up_is_void_after_a_day_and_once_there_is_a_user(app) {
        assert_eq!(setup_link(&app).await, None);
        without_users(&app).await;
        let path = setup_link(&app).await.unwrap();
        let mut visitor = Visitor::new(&app);
        let page = visitor.get(&path).await.expect(200);
        let sent = [form_to(&page, "password", &path), first()].concat();
        app.clock.advance(Duration::from_mins(30));
        app.token_for(app.team, Role::Admin, "*").await;
        visitor.get(&path).await.expect(404);
        visitor.post_to(&path, &sent).await.expect(404);
        without_users(&app).await;
        let path = setup_link(&app).await.unwrap();
        visitor.get(&path).await.expect(200);
        app.clock.advance(Duration::from_hours(24));
        visitor.get(&path).await.expect(404);
    }

    async fn a_server_whose_users_were_all_deleted_is_set_up_anew(app) {
        assert_eq!(setup_link(&app).await, None);
        let users = [user_of(&app, &app.admin).await, user_of(&app, &app.member).await];
        let (team, act) = (app.team, app.act());
        let end = move |tx: &mut waybill_store::Tx<'_>| {
            team_deletion::delete(tx, team, &act)?;
            for user in users {
                assert_eq!(user_deletion::any_delete(tx, user, &act)?, UserDeletion::Done);
            }
            Ok::<_, waybill_store::Error>(())
        };
        app.app.write(end).await.unwrap();
        let path = setup_link(&app).await.unwrap();
        Visitor::new(&app).get(&path).await.expect(200);
    }

    async fn another_site_cannot_make_a_browser_come_in(app) {
        let (path, _) = invite(&app, NEW, "member").await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.get(&path).await.expect(200);
        let typed = fields(&[("name", "Bo"), ("password", PASSWORD)]);
        let sent = [form_to(&page, "password", &path), typed.clone()].concat();
        visitor.post_to(&path, &typed).await.expect(403);
        Visitor::new(&app).post_to(&path, &sent).await.expect(403);
        let cookies = visitor.cookies.clone();
        for (name, value) in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")] {
            let mut tricked = Visitor::new(&app).sending(name, value);
            tricked.cookies = cookies.clone();
            tricked.post_to(&path, &sent).await.expect(403);
        }
        visitor.post_to(&path, &sent).await.expect(200);
    }
}
