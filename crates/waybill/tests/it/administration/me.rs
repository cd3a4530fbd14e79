//! A user's own password and browsers, by API.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::access::Role;

use super::{actions, newcomer, text, user};
use crate::harness::{Ask, Reply, TestApp, both};
use crate::oauth::{TestClient, access};
use crate::sign_in::visitor::{HOME, Visitor, add_client, request};

const PATH: &str = "/v2/me/password";
const OLD: &str = "correct horse battery";
const NEW: &str = "staple horse battery";

async fn change(app: &TestApp, token: &str, body: Value) -> Reply {
    app.post(PATH).token(token).json(&body.to_string()).send().await
}

fn bodies(current: Value, new: &str) -> Value {
    json!({"current_password": current, "password": new})
}

async fn email_of(app: &TestApp, token: &str) -> String {
    text(&app.get("/v2/me").token(token).send().await.expect(200), "/data/email")
}

fn sessions<'a>(app: &'a TestApp, token: &str) -> Ask<'a> {
    app.get("/v2/me/sessions").token(token)
}

both! {
    async fn a_user_without_a_password_chooses_one_and_changes_it_with_the_old_one(app) {
        let (_, token) = newcomer(&app, Role::Member).await;
        change(&app, &token, bodies(Value::Null, OLD)).await.expect(204);
        let me = app.get("/v2/me").token(&token).send().await.expect(200);
        assert_eq!(me.at("/data/has_password"), true);
        for wrong in [Value::Null, json!(NEW), json!("")] {
            let refused = change(&app, &token, bodies(wrong, NEW)).await;
            assert_eq!(refused.problems(), ["current_password"]);
        }
        change(&app, &token, bodies(json!(OLD), NEW)).await.expect(204);
        assert_eq!(actions(&app).await, ["user.password_changed", "user.sign_in_failed",
            "user.sign_in_failed", "user.password_changed"]);
    }

    async fn what_is_wrong_with_both_passwords_is_told_at_once(app) {
        let (_, token) = newcomer(&app, Role::Member).await;
        change(&app, &token, bodies(Value::Null, OLD)).await.expect(204);
        let refused = change(&app, &token, bodies(json!("wrong horse battery"), "short")).await;
        assert_eq!(refused.problems(), ["current_password", "password"]);
    }

    async fn a_password_that_cannot_be_one_is_422_at_its_place(app) {
        let (_, token) = newcomer(&app, Role::Member).await;
        let email = email_of(&app, &token).await;
        let long = "x".repeat(129);
        for wrong in ["short", &long, &email.to_uppercase(), "with\u{7}bell and more"] {
            let refused = change(&app, &token, bodies(Value::Null, wrong)).await;
            assert_eq!(refused.problems(), ["password"], "{wrong}");
        }
        let missing = change(&app, &token, json!({"pasword": "x"})).await;
        assert_eq!(missing.problems(), ["password", "pasword"]);
    }

    async fn a_wrong_password_counts_as_a_failed_sign_in(app) {
        let (_, token) = newcomer(&app, Role::Member).await;
        change(&app, &token, bodies(Value::Null, OLD)).await.expect(204);
        for _ in 0..5 {
            change(&app, &token, bodies(json!("wrong horse battery"), NEW)).await.expect(422);
        }
        let refused = change(&app, &token, bodies(json!(OLD), NEW)).await.expect(429);
        assert!(refused.header("retry-after").is_some());
        app.clock.advance(Duration::from_mins(15));
    }

    async fn a_right_password_beside_a_new_one_that_cannot_be_one_is_no_failure(app) {
        let (_, token) = newcomer(&app, Role::Member).await;
        change(&app, &token, bodies(Value::Null, OLD)).await.expect(204);
        for _ in 0..8 {
            let refused = change(&app, &token, bodies(json!(OLD), "short")).await;
            assert_eq!(refused.problems(), ["password"]);
        }
        change(&app, &token, bodies(json!(OLD), NEW)).await.expect(204);
        assert_eq!(actions(&app).await, ["user.password_changed", "user.password_changed"]);
    }

    async fn a_new_password_ends_every_browser_session(app) {
        let (_, token) = newcomer(&app, Role::Member).await;
        let email = email_of(&app, &token).await;
        change(&app, &token, bodies(Value::Null, OLD)).await.expect(204);
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        Visitor::new(&app).sign_in(&request(&id), &email, OLD).await.expect(303);
        let listed = sessions(&app, &token).send().await.expect(200);
        assert_eq!(listed.at("/data").as_array().unwrap().len(), 1);
        change(&app, &token, bodies(json!(OLD), NEW)).await.expect(204);
        let listed = sessions(&app, &token).send().await.expect(200);
        assert_eq!(listed.at("/data"), json!([]));
    }

    async fn a_session_is_listed_and_ended_by_its_user_alone(app) {
        let (_, token) = newcomer(&app, Role::Member).await;
        let email = email_of(&app, &token).await;
        change(&app, &token, bodies(Value::Null, OLD)).await.expect(204);
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        visitor.sign_in(&request(&id), &email, OLD).await.expect(303);
        let listed = sessions(&app, &token).send().await.expect(200);
        let row = listed.at("/data/0");
        assert_eq!(row["is_current"], false);
        let one = format!("/v2/me/sessions/{}", row["uuid"].as_str().unwrap());
        app.delete(&one).token(&app.member).send().await.expect(404);
        app.delete(&one).token(&token).send().await.expect(204);
        app.delete(&one).token(&token).send().await.expect(404);
        let page = visitor.open(&request(&id)).await.expect(200);
        assert!(String::from_utf8_lossy(&page.bytes).contains("data-page=\"sign-in\""));
    }

    async fn what_is_a_users_alone_needs_a_user_and_all_scopes(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let (id, _) = newcomer(&app, Role::Member).await;
        let (own, agreed) = (client.own(&app).await, client.agreed_to_all(&app, user(&id)).await);
        let body = bodies(Value::Null, OLD);
        change(&app, access(&own), body.clone()).await.expect(403);
        sessions(&app, access(&own)).send().await.expect(403);
        change(&app, access(&agreed), body.clone()).await.expect(403);
        sessions(&app, access(&agreed)).send().await.expect(403);
        // Nor is a token of one team enough: the user is in others too.
        let bound = super::make_token(&app, json!({"name": "b", "scopes": ["*"]})).await;
        let bound = text(&bound.expect(201), "/data/token");
        change(&app, &bound, body.clone()).await.expect(403);
        sessions(&app, &bound).send().await.expect(403);
        app.patch("/v2/me").token(&bound).json(r#"{"name": "X"}"#).send().await.expect(403);
        app.get("/v2/me").token(&bound).send().await.expect(200);
        let narrow = app.token_for(app.team, Role::Admin, "teams:read");
        let narrow = narrow.await;
        change(&app, &narrow, body).await.expect(403);
        sessions(&app, &narrow).send().await.expect(403);
    }
}
