//! A code is good once, for a minute, and with its proof.

use std::time::Duration;

use serde_json::json;
use waybill_domain::oauth::CODE_LIFE;
use waybill_store::members;

use super::{TestClient, VERIFIER, exchange, refused, status, user_of};
use crate::harness::both;

both! {
    async fn a_code_gives_the_first_tokens_of_a_family(app) {
        for client in [TestClient::new(&app, |_| {}).await, TestClient::public(&app).await] {
            let given = client.agreed(&app, user_of(&app, &app.member).await).await;
            assert_eq!(
                given,
                json!({"access_token": given["access_token"], "token_type": "Bearer",
                    "expires_in": 3600, "scope": "teams:read shipments:read",
                    "team_uuid": app.team.to_string(), "refresh_token": given["refresh_token"]})
            );
            assert!(given["refresh_token"].as_str().unwrap().starts_with("wbr_"));
            assert_eq!(status(&app, &given).await, 200);
        }
    }

    async fn an_address_that_was_left_out_is_left_out_again(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let form = |code: &str| {
            format!("grant_type=authorization_code&code={code}&code_verifier={VERIFIER}")
        };
        let code = client.code(&app, user, |code| code.is_redirect_sent = false).await;
        client.token(&app, &form(&code)).await.expect(200);
        let code = client.code(&app, user, |code| code.is_redirect_sent = false).await;
        refused(&client.exchange(&app, &code).await, 400, "invalid_grant");
    }

    async fn a_code_is_over_after_a_minute(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let (late, timely) =
            (client.code(&app, user, |_| {}).await, client.code(&app, user, |_| {}).await);
        app.clock.advance(CODE_LIFE - Duration::from_micros(1));
        client.exchange(&app, &timely).await.expect(200);
        app.clock.advance(Duration::from_micros(1));
        refused(&client.exchange(&app, &late).await, 400, "invalid_grant");
    }

    async fn scopes_of_a_code_may_be_narrowed_and_not_widened(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let code = client.code(&app, user, |_| {}).await;
        let wide = client.token(&app, &format!("{}&scope=wms:read", exchange(&code))).await;
        refused(&wide, 400, "invalid_scope");
        // Whatever is wrong, the code is used up.
        refused(&client.exchange(&app, &code).await, 400, "invalid_grant");
        let code = client.code(&app, user, |_| {}).await;
        let narrow = client.token(&app, &format!("{}&scope=teams:read", exchange(&code))).await;
        let narrow = narrow.expect(200).json();
        assert_eq!(narrow["scope"], "teams:read");
        let whole = client.refresh(&app, &narrow).await.expect(200);
        assert_eq!(whole.at("/scope"), "teams:read shipments:read");
    }

    async fn who_left_the_team_gets_no_tokens_for_a_code(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let code = client.code(&app, user, |_| {}).await;
        let (team, act) = (app.team, app.act());
        app.app.write(move |tx| members::remove(tx, team, user, &act)).await.unwrap();
        refused(&client.exchange(&app, &code).await, 400, "invalid_grant");
    }
}
