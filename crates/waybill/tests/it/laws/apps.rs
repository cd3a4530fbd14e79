//! The same laws for the tokens of apps, which are good in one team, for a while, and for what both
//! their scopes and a role allow.

use std::collections::BTreeMap;

use waybill_api::routes::{Access, routes};
use waybill_domain::access::{Role, Scope};
use waybill_domain::oauth::ACCESS_LIFE;
use waybill_store::oauth::clients;

use super::{NO_TEAM, is_of_team, is_protected, send};
use crate::harness::{TestApp, both};
use crate::oauth::{TestClient, access, status, user_of};
use crate::sign_in::visitor::join;

const INVALID: &str = "Bearer realm=\"waybill\", error=\"invalid_token\"";

/// A client that may do everything, as an administrator.
async fn admins_client(app: &TestApp) -> TestClient {
    TestClient::new(app, |client| client.role = Some(Role::Admin)).await
}

/// A token with every scope that an app may have, but not this one.
async fn token_without(app: &TestApp, client: &TestClient, scope: Scope) -> String {
    let others: Vec<String> = Scope::for_apps()
        .filter(|other| *other != scope)
        .map(|other| other.to_string().replace(':', "%3A"))
        .collect();
    let form = format!("grant_type=client_credentials&scope={}", others.join("+"));
    access(&client.token(app, &form).await.expect(200).json()).to_owned()
}

/// Walks every protected route, which this token must not open.
async fn assert_opens_nothing(app: &TestApp, token: &str) {
    let (team, mut walked) = (app.team.to_string(), 0);
    for route in routes().iter().filter(|route| is_protected(route)) {
        let reply = send(app, route, &team, Some(token)).await.expect(401);
        assert_eq!(reply.header("www-authenticate"), Some(INVALID), "{}", route.path);
        walked += 1;
    }
    assert!(walked > 100, "{walked}");
}

both! {
    async fn an_apps_token_of_another_team_gets_the_404_of_a_team_that_does_not_exist(app) {
        let (other, _) = app.team("other.example.com").await;
        let client = TestClient::new(&app, |client| {
            (client.team, client.role) = (Some(other), Some(Role::Admin));
        });
        let client = client.await;
        // This user is in both teams, and allowed the app one of them.
        let user = user_of(&app, &app.admin).await;
        join(&app, user, other).await;
        let code = client.code(&app, user, |code| {
            (code.team, code.scopes) = (other, "*".to_owned());
        });
        let agreed = client.exchange(&app, &code.await).await.expect(200).json();
        let team = app.team.to_string();
        for tokens in [client.own(&app).await, agreed] {
            let token = Some(access(&tokens));
            let mut walked = 0;
            for route in routes().iter().filter(|it| is_protected(it) && is_of_team(it)) {
                let real = send(&app, route, &team, token).await.expect(404);
                let absent = send(&app, route, NO_TEAM, token).await.expect(404);
                assert_eq!(real.bytes, absent.bytes, "{}", route.path);
                walked += 1;
            }
            assert!(walked > 100, "{walked}");
            let own = format!("/v2/teams/{other}");
            app.get(&own).token(access(&tokens)).send().await.expect(200);
        }
    }

    async fn an_apps_token_without_the_scope_gets_403_that_names_it(app) {
        let (client, team) = (admins_client(&app).await, app.team.to_string());
        let (mut tokens, mut walked) = (BTreeMap::new(), 0);
        for route in routes() {
            let scope = match route.handler.access() {
                Access::Public | Access::User | Access::Member => continue,
                Access::Agent => Scope::PRINT_AGENT,
                Access::Scoped(scope) | Access::Team(scope) | Access::Admin(scope) => scope,
            };
            let name = scope.to_string();
            if !tokens.contains_key(&name) {
                tokens.insert(name.clone(), token_without(&app, &client, scope).await);
            }
            let reply = send(&app, &route, &team, Some(&tokens[&name])).await.expect(403);
            let lacks = format!("error=\"insufficient_scope\", scope=\"{name}\"");
            let told = reply.header("www-authenticate").unwrap_or_default();
            assert!(told.ends_with(&lacks), "{} {}: {told}", route.method, route.path);
            walked += 1;
        }
        assert!(walked > 100 && tokens.len() > 20, "{walked} {}", tokens.len());
    }

    async fn an_apps_token_opens_nothing_after_its_hour(app) {
        let client = admins_client(&app).await;
        let own = client.own(&app).await;
        let agreed = client.agreed_to_all(&app, user_of(&app, &app.admin).await).await;
        assert_eq!((status(&app, &own).await, status(&app, &agreed).await), (200, 200));
        app.clock.advance(ACCESS_LIFE);
        assert_opens_nothing(&app, access(&own)).await;
        assert_opens_nothing(&app, access(&agreed)).await;
    }

    async fn an_apps_token_that_was_given_back_opens_nothing_at_once(app) {
        let client = admins_client(&app).await;
        let own = client.own(&app).await;
        assert_eq!(status(&app, &own).await, 200);
        let form = format!("token={}", access(&own));
        client.ask(&app, "/oauth/revoke", &form).await.expect(200);
        assert_opens_nothing(&app, access(&own)).await;
    }

    async fn an_apps_token_opens_nothing_once_its_family_or_its_app_is_over(app) {
        let client = admins_client(&app).await;
        let user = user_of(&app, &app.admin).await;
        let stolen = client.agreed_to_all(&app, user).await;
        assert_eq!(status(&app, &stolen).await, 200);
        client.refresh(&app, &stolen).await.expect(200);
        client.refresh(&app, &stolen).await.expect(400);
        assert_opens_nothing(&app, access(&stolen)).await;
        let (own, agreed) = (client.own(&app).await, client.agreed_to_all(&app, user).await);
        let (id, act) = (client.id, app.act());
        app.app.write(move |tx| clients::any_delete(tx, id, &act)).await.unwrap();
        assert_opens_nothing(&app, access(&own)).await;
        assert_opens_nothing(&app, access(&agreed)).await;
    }

    async fn an_app_with_the_role_member_gets_403_where_an_administrator_is_asked_for(app) {
        let client = TestClient::new(&app, |client| client.role = Some(Role::Member)).await;
        // What an administrator's client was allowed by a member is a member's too.
        let admins = admins_client(&app).await;
        let member = user_of(&app, &app.member).await;
        let team = app.team.to_string();
        for tokens in [client.own(&app).await, admins.agreed_to_all(&app, member).await] {
            let mut walked = 0;
            for route in routes() {
                let Access::Admin(scope) = route.handler.access() else { continue };
                let reply = send(&app, &route, &team, Some(access(&tokens))).await.expect(403);
                // It has the scope: that is not what is lacking.
                let told = reply.header("www-authenticate").unwrap_or_default();
                assert!(!told.contains("scope="), "{} {scope}: {told}", route.path);
                assert!(!reply.at("/message").as_str().unwrap_or_default().is_empty());
                walked += 1;
            }
            assert!(walked > 10, "{walked}");
        }
    }
}
