//! The page to agree on, and what comes of it.

use std::sync::{Mutex, mpsc};
use std::time::Duration;

use waybill_domain::time::Clock;
use waybill_domain::token::TokenKind;
use waybill_store::oauth::clients;
use waybill_store::user_deletion::{self, UserDeletion};
use waybill_store::{Error, members, oauth::codes};

use crate::harness::{Reply, TestApp, both};
use crate::sign_in::visitor::{
    CHALLENGE, EMAIL, Fields, HOME, PASSWORD, PATH, Visitor, add_client, add_user, fields, form,
    html, join, request, way_back, with,
};

/// Sends the form of this page with this decision.
async fn decide(visitor: &mut Visitor<'_>, page: &Reply, decision: &str) -> Reply {
    let sent = [form(page, "consent"), fields(&[("consent", decision)])].concat();
    visitor.post(&sent).await
}

fn team_of(form: &Fields) -> Option<&str> {
    form.iter().find(|(name, _)| name == "team_uuid").map(|(_, value)| value.as_str())
}

async fn stored(app: &TestApp, code: &str) -> codes::StoredCode {
    let hash = TokenKind::Code.hash(code).expect("a well-formed code");
    app.app.read(move |tx| codes::any_find(tx, &hash)).await.unwrap().expect("it is stored")
}

both! {
    async fn the_page_says_who_wants_what_where_and_who_agrees(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let page = Visitor::new(&app).consent_page(&request(&id)).await;
        let text = html(&page);
        for part in [
            "Shop Connector",
            "<bdi>app.example.com</bdi>",
            "<li>Read shipments</li>",
            "<li>Read the warehouse area</li>",
            "Ada Jensen",
            EMAIL,
            "Team shop.example.com",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert_eq!(text.matches("<li>").count(), 2);
        let button = |value: &str| format!("name=\"consent\" value=\"{value}\"");
        assert!(text.contains(&button("allow")) && text.contains(&button("deny")));
        assert_eq!(team_of(&form(&page, "consent")), Some(app.team.to_string().as_str()));
        let of_sign_out = form(&page, "sign_out");
        assert!(of_sign_out.iter().any(|(name, _)| name == "csrf_token"));
        // Programs send what is agreed on: the app's own parameters and these.
        let asked: Vec<String> = request(&id).into_iter().map(|(name, _)| name).collect();
        let beside = |form: &Vec<(String, String)>| {
            let names = form.iter().map(|(name, _)| name.clone());
            names.filter(|name| !asked.contains(name)).collect::<Vec<_>>()
        };
        assert_eq!(beside(&form(&page, "consent")), ["csrf_token", "team_uuid"]);
        assert_eq!(beside(&of_sign_out), ["csrf_token", "sign_out"]);
    }

    async fn allowing_leads_back_with_a_code_that_is_bound_to_everything(app) {
        let user = add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let reply = decide(&mut visitor, &page, "allow").await;
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        let (address, told) = way_back(&reply);
        assert_eq!(address, HOME);
        assert_eq!((told["state"].as_str(), told["iss"].as_str()), ("x y&z=ø", "http://waybill.test"));
        assert!(told["code"].starts_with("wba_") && !told.contains_key("error"));
        let stored = stored(&app, &told["code"]).await;
        assert_eq!((stored.code.user, stored.code.team), (user, app.team));
        assert_eq!(stored.code.redirect_uri, HOME);
        assert_eq!(stored.code.challenge, CHALLENGE);
        assert_eq!(stored.code.scopes, "shipments:read wms:read");
        assert!(stored.code.is_redirect_sent);
        let life = stored.expires_at.since(stored.code.created_at);
        assert_eq!(life, Duration::from_secs(60));
        assert!(stored.expires_at > app.clock.now());
    }

    async fn whether_the_address_was_sent_is_kept(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&with(&request(&id), "redirect_uri", None)).await;
        let (_, told) = way_back(&decide(&mut visitor, &page, "allow").await);
        let stored = stored(&app, &told["code"]).await;
        assert!(!stored.code.is_redirect_sent);
        assert_eq!(stored.code.redirect_uri, HOME);
    }

    async fn denying_leads_back_with_access_denied(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let (address, told) = way_back(&decide(&mut visitor, &page, "deny").await);
        assert_eq!((address.as_str(), told["error"].as_str()), (HOME, "access_denied"));
        assert_eq!((told["state"].as_str(), told["iss"].as_str()), ("x y&z=ø", "http://waybill.test"));
        assert!(!told.contains_key("code"));
    }

    async fn consent_is_asked_for_every_time(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        way_back(&decide(&mut visitor, &page, "allow").await);
        let again = visitor.open(&request(&id)).await.expect(200);
        assert!(html(&again).contains("data-page=\"consent\""));
    }

    async fn a_form_that_is_sent_twice_gives_two_codes_that_are_good_once_each(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let (_, first) = way_back(&decide(&mut visitor, &page, "allow").await);
        let (_, second) = way_back(&decide(&mut visitor, &page, "allow").await);
        assert_ne!(first["code"], second["code"]);
    }

    async fn a_user_who_is_just_being_deleted_gives_no_code(app) {
        let user = add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let (deleted, is_deleted) = mpsc::channel();
        let (go, may_go) = mpsc::channel();
        let (act, may_go) = (app.act(), Mutex::new(may_go));
        let deleting = app.app.write(move |tx| {
            let done = user_deletion::any_delete(tx, user, &act)?;
            // A closure may run twice, and is waited for once.
            let _ = deleted.send(());
            let _ = may_go.lock().unwrap().recv_timeout(Duration::from_secs(10));
            Ok::<_, Error>(done)
        });
        let agreeing = async {
            tokio::task::spawn_blocking(move || is_deleted.recv()).await.unwrap().unwrap();
            let release = async {
                // Long enough for the form to come to where it waits for the other.
                tokio::time::sleep(Duration::from_millis(500)).await;
                go.send(()).unwrap();
            };
            tokio::join!(decide(&mut visitor, &page, "allow"), release).0
        };
        let (done, reply) = tokio::join!(deleting, agreeing);
        assert_eq!(done.unwrap(), UserDeletion::Done);
        let led = reply.header("location").unwrap_or_default();
        assert!(!led.contains("code="), "{} {led}", reply.status);
        let codes = app.app.read(|tx| tx.one::<i64>("SELECT count(*) FROM oauth_code", &[]));
        assert_eq!(codes.await.unwrap(), Some(0));
    }

    async fn who_is_in_several_teams_chooses_one_of_them(app) {
        let user = add_user(&app, EMAIL, Some(PASSWORD)).await;
        let (other, _) = app.team("other.example.com").await;
        let (foreign, _) = app.team("foreign.example.com").await;
        join(&app, user, other).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let text = html(&page);
        for team in [app.team, other] {
            assert!(text.contains(&format!("name=\"team_uuid\" value=\"{team}\"")), "{text}");
        }
        assert!(!text.contains(&foreign.to_string()) && !text.contains(" checked"));
        let hidden = form(&page, "consent");
        assert_eq!(team_of(&hidden), None);
        let choose = |team: &str| {
            [hidden.clone(), fields(&[("team_uuid", team), ("consent", "allow")])].concat()
        };
        let (_, told) = way_back(&visitor.post(&choose(&other.to_string())).await);
        assert_eq!(stored(&app, &told["code"]).await.code.team, other);
        for team in [foreign.to_string().as_str(), "not-a-uuid", "' OR 1=1", &id] {
            let reply = visitor.post(&choose(team)).await.expect(403);
            assert_eq!(reply.header("location"), None, "{team}");
        }
        let reply = visitor.post(&choose("")).await.expect(422);
        assert!(html(&reply).contains("Choose a team."));
        let unsaid = [hidden.clone(), fields(&[("consent", "allow")])].concat();
        visitor.post(&unsaid).await.expect(422);
        let (_, told) = way_back(&visitor.post(&[hidden, fields(&[("consent", "deny")])].concat()).await);
        assert_eq!(told["error"], "access_denied");
    }

    async fn who_left_the_team_meanwhile_cannot_give_access_to_it(app) {
        let user = add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let team = app.team;
        let act = app.act();
        app.app.write(move |tx| members::remove(tx, team, user, &act)).await.unwrap();
        decide(&mut visitor, &page, "allow").await.expect(403);
    }

    async fn a_user_without_a_team_can_only_deny(app) {
        let user = add_user(&app, EMAIL, Some(PASSWORD)).await;
        let team = app.team;
        let act = app.act();
        app.app.write(move |tx| members::remove(tx, team, user, &act)).await.unwrap();
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        assert!(!html(&page).contains("value=\"allow\""));
        let hidden = form(&page, "consent");
        let allow = fields(&[("team_uuid", &team.to_string()), ("consent", "allow")]);
        visitor.post(&[hidden, allow].concat()).await.expect(403);
        let (_, told) = way_back(&decide(&mut visitor, &page, "deny").await);
        assert_eq!(told["error"], "access_denied");
    }

    async fn an_app_that_is_gone_gets_no_code(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let act = app.act();
        let remove = move |tx: &mut waybill_store::Tx<'_>| {
            let client = clients::any_find(tx, &id)?.expect("it is there");
            clients::any_delete(tx, client.id, &act)
        };
        app.app.write(remove).await.unwrap();
        decide(&mut visitor, &page, "allow").await.expect(400);
    }

    async fn signing_out_ends_the_session_and_asks_again_who_it_is(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let kept = visitor.cookies.clone();
        let sent = form(&page, "sign_out");
        assert!(sent.contains(&("sign_out".to_owned(), "1".to_owned())), "{sent:?}");
        let (address, told) = way_back(&visitor.post(&sent).await);
        assert_eq!((address.as_str(), told["client_id"].as_str()), (PATH, id.as_str()));
        assert!(!visitor.cookies.contains_key("waybill_session"));
        // The old cookie opens nothing any more, whoever kept it.
        visitor.cookies = kept;
        let page = visitor.open(&request(&id)).await.expect(200);
        assert!(html(&page).contains("data-page=\"sign-in\""));
    }

    async fn what_was_shown_to_one_user_is_not_agreed_to_by_another(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        add_user(&app, "bo@shop.example.com", Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        visitor.cookies.remove("waybill_session");
        visitor.sign_in(&request(&id), "bo@shop.example.com", PASSWORD).await.expect(303);
        let (address, told) = way_back(&decide(&mut visitor, &page, "allow").await);
        assert_eq!(address, PATH, "the page is shown again: {told:?}");
    }
}
