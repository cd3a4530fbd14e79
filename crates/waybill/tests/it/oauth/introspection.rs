//! A client learns of its own tokens, and of nothing else.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_domain::oauth::{ACCESS_LIFE, REFRESH_LIFE};
use waybill_domain::time::Clock;

use super::{TestClient, access, post, refused, user_of};
use crate::harness::{TestApp, both};

const INTROSPECT: &str = "/oauth/introspect";

async fn told(app: &TestApp, client: &TestClient, token: &str) -> Value {
    client.ask(app, INTROSPECT, &format!("token={token}")).await.expect(200).json()
}

both! {
    async fn a_client_learns_whose_its_tokens_are_and_how_long_they_live(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let (own, agreed) = (client.own(&app).await, client.agreed(&app, user).await);
        let seconds = |life: Duration| app.clock.now().plus(life).0 / 1_000_000;
        let (now, hour) = (seconds(Duration::ZERO), seconds(ACCESS_LIFE));
        let team = app.team.to_string();
        assert_eq!(
            told(&app, &client, access(&own)).await,
            json!({"active": true, "scope": "*", "client_id": client.client_id,
                "token_type": "Bearer", "exp": hour, "iat": now, "sub": client.id.to_string(),
                "iss": "http://waybill.test", "team_uuid": team})
        );
        let scope = "teams:read shipments:read";
        let email = format!("{user}@example.com");
        assert_eq!(
            told(&app, &client, access(&agreed)).await,
            json!({"active": true, "scope": scope, "client_id": client.client_id,
                "token_type": "Bearer", "exp": hour, "iat": now, "sub": user.to_string(),
                "username": email, "iss": "http://waybill.test", "team_uuid": team})
        );
        assert_eq!(
            told(&app, &client, agreed["refresh_token"].as_str().unwrap()).await,
            json!({"active": true, "scope": scope, "client_id": client.client_id,
                "exp": seconds(REFRESH_LIFE), "iat": now, "sub": user.to_string(),
                "username": email, "iss": "http://waybill.test", "team_uuid": team})
        );
    }

    async fn of_everything_else_it_learns_nothing(app) {
        let (client, other) =
            (TestClient::new(&app, |_| {}).await, TestClient::new(&app, |_| {}).await);
        let user = user_of(&app, &app.member).await;
        let first = client.agreed(&app, user).await;
        let refresh = |tokens: &Value| tokens["refresh_token"].as_str().unwrap().to_owned();
        let nothing = json!({"active": false});
        let code = client.code(&app, user, |_| {}).await;
        for token in [access(&first), &refresh(&first), &app.member, &code, "junk"] {
            assert_eq!(told(&app, &other, token).await, nothing, "{token}");
        }
        assert_eq!(told(&app, &client, &app.member).await, nothing);
        let second = client.refresh(&app, &first).await.expect(200).json();
        assert_eq!(told(&app, &client, &refresh(&first)).await, nothing);
        assert_eq!(told(&app, &client, &refresh(&second)).await["active"], true);
        app.clock.advance(ACCESS_LIFE);
        assert_eq!(told(&app, &client, access(&second)).await, nothing);
        refused(&client.refresh(&app, &first).await, 400, "invalid_grant");
        assert_eq!(told(&app, &client, &refresh(&second)).await, nothing);
    }

    async fn a_public_client_and_one_that_proves_nothing_learn_nothing(app) {
        let public = TestClient::public(&app).await;
        refused(&public.ask(&app, INTROSPECT, "token=x").await, 401, "invalid_client");
        refused(&post(&app, INTROSPECT, None, "token=x").await, 401, "invalid_client");
        let client = TestClient::new(&app, |_| {}).await;
        refused(&client.ask(&app, INTROSPECT, "x=1").await, 400, "invalid_request");
    }
}
