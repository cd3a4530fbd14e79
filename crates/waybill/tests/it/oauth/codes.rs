//! A code is good once, for a minute, and with its proof.

use std::time::Duration;

use serde_json::json;
use waybill_domain::oauth::CODE_LIFE;
use waybill_store::members;

use super::{CALLBACK, TestClient, VERIFIER, exchange, refused, status, user_of};
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

    async fn whatever_is_wrong_with_a_code_uses_it_up(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let other = "https%3A%2F%2Fapp.example.dk%2Fother";
        let start = "grant_type=authorization_code&code=CODE";
        let callback = CALLBACK.replace(':', "%3A").replace('/', "%2F");
        for wrong in [
            format!("{start}&code_verifier={VERIFIER}"),
            format!("{start}&code_verifier={VERIFIER}&redirect_uri={other}"),
            format!("{start}&redirect_uri={callback}"),
            format!("{start}&code_verifier={VERIFIER}x&redirect_uri={callback}"),
            format!("{start}&code_verifier=short&redirect_uri={callback}"),
        ] {
            let code = client.code(&app, user, |_| {}).await;
            let reply = client.token(&app, &wrong.replace("CODE", &code)).await;
            refused(&reply, 400, "invalid_grant");
            refused(&client.exchange(&app, &code).await, 400, "invalid_grant");
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

    async fn another_client_cannot_use_a_code_and_does_not_use_it_up(app) {
        let (own, other) =
            (TestClient::new(&app, |_| {}).await, TestClient::new(&app, |_| {}).await);
        let code = own.code(&app, user_of(&app, &app.member).await, |_| {}).await;
        refused(&other.exchange(&app, &code).await, 400, "invalid_grant");
        let given = own.exchange(&app, &code).await.expect(200).json();
        refused(&other.exchange(&app, &code).await, 400, "invalid_grant");
        assert_eq!(status(&app, &given).await, 200);
    }

    async fn a_code_that_is_used_twice_ends_every_token_that_came_from_it(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let code = client.code(&app, user, |_| {}).await;
        let first = client.exchange(&app, &code).await.expect(200).json();
        let next = client.refresh(&app, &first).await.expect(200).json();
        let unharmed = client.agreed(&app, user).await;
        app.clock.advance(Duration::from_mins(10));
        refused(&client.exchange(&app, &code).await, 400, "invalid_grant");
        assert_eq!((status(&app, &first).await, status(&app, &next).await), (401, 401));
        refused(&client.refresh(&app, &next).await, 400, "invalid_grant");
        assert_eq!(status(&app, &unharmed).await, 200);
    }

    async fn of_many_who_bring_a_code_at_once_one_gets_tokens_and_loses_them(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let code = client.code(&app, user_of(&app, &app.member).await, |_| {}).await;
        let all = (0..16).map(|_| client.exchange(&app, &code));
        let replies = futures_util::future::join_all(all).await;
        let given: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
        assert_eq!(given.len(), 1);
        assert_eq!(status(&app, &given[0].json()).await, 401);
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
