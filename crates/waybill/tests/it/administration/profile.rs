//! What a user and a team are called, in which language they are spoken to, and who runs the
//! installation.

use serde_json::json;
use waybill_domain::access::Role;
use waybill_store::users;

use super::{actions, id_of, lines, make_token, text, user};
use crate::harness::both;

both! {
    async fn a_user_has_a_name_a_language_and_says_whether_it_can_sign_in(app) {
        let me = app.get("/v2/me").token(&app.member).send().await.expect(200);
        assert_eq!(me.at("/data/is_operator"), json!(false));
        assert_eq!(me.at("/data/has_password"), json!(false));
        assert_eq!(me.at("/data/teams/0/domain"), json!("shop.example.com"));
        let ask = |body: &str| app.patch("/v2/me").token(&app.member).json(body).send();
        let changed = ask(r#"{"name": "Grace Hopper", "language": "sv"}"#).await.expect(200);
        assert_eq!(changed.at("/data/name"), json!("Grace Hopper"));
        let again = app.get("/v2/me").token(&app.member).send().await.expect(200);
        assert_eq!(again.at("/data"), changed.at("/data"));
        assert_eq!(again.at("/data/language"), json!("sv"));
        assert_eq!(ask("{}").await.expect(200).at("/data"), changed.at("/data"));
        let wrong = ask(r#"{"name": null, "language": "tlh", "email": "x@y.example"}"#).await;
        assert_eq!(wrong.problems(), ["email", "language", "name"]);
    }

    async fn who_changes_a_language_keeps_the_name_that_was_changed_a_moment_ago(app) {
        let id = user(&id_of(&app, &app.member).await);
        // By another server: this one still remembers the name before.
        let renamed = app.app.write(move |tx| users::any_set_profile(tx, id, ("Grace", "en")));
        assert!(renamed.await.unwrap());
        let ask = app.patch("/v2/me").token(&app.member).json(r#"{"language": "da"}"#);
        let changed = ask.send().await.expect(200);
        assert_eq!((changed.at("/data/name"), changed.at("/data/language")),
            (json!("Grace"), json!("da")));
        let changes = json!([{"path": "language", "from": "en", "to": "da"}]);
        assert_eq!(lines(&app).await[0]["changes"], changes);
    }

    async fn only_a_token_with_all_scopes_changes_its_user(app) {
        let narrow = app.token_for(app.team, Role::Admin, "teams:read teams:write").await;
        let refused = app.patch("/v2/me").token(&narrow).json("{}").send().await.expect(403);
        assert!(text(&refused, "/message").contains('*'));
    }

    async fn a_team_gets_another_name_and_language_and_its_settings_agree(app) {
        let path = app.path("");
        let body = r#"{"name": "Nordic Books", "language": "da"}"#;
        let changed = app.patch(&path).admin().json(body).send().await.expect(200);
        assert_eq!(changed.at("/data/name"), json!("Nordic Books"));
        let settings = app.get(&app.path("/settings")).admin().send().await.expect(200);
        assert_eq!(settings.at("/data/language"), json!("da"));
        let team = app.get(&path).admin().send().await.expect(200);
        assert_eq!(team.at("/data"), changed.at("/data"));
        app.patch(&path).admin().json(body).send().await.expect(200);
        app.patch(&path).token(&app.member).json(body).send().await.expect(403);
        let wrong = app.patch(&path).admin().json(r#"{"name": "", "domain": "x.example"}"#);
        assert_eq!(wrong.send().await.problems(), ["domain", "name"]);
        assert_eq!(actions(&app).await, ["team.updated"], "the same again is no change");
        let changes = json!([
            {"path": "name", "from": "Team shop.example.com", "to": "Nordic Books"},
            {"path": "language", "from": "en", "to": "da"}]);
        assert_eq!(lines(&app).await[0]["changes"], changes);
    }

    async fn an_operator_is_one_outside_teams_alone(app) {
        let admin = user(&id_of(&app, &app.admin).await);
        app.app.write(move |tx| users::any_set_operator(tx, admin, true)).await.unwrap();
        app.api.callers().forget();
        let me = app.get("/v2/me").admin().send().await.expect(200);
        assert_eq!(me.at("/data/is_operator"), json!(true));
        let bound = make_token(&app, json!({"name": "b", "scopes": ["operator:read"]})).await;
        assert_eq!(bound.problems(), ["scopes.0"], "it is not a right in a team");
    }
}
