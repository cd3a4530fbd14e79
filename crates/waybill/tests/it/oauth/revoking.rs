//! What a client gives back works no more.

use super::{TestClient, access, post, refused, status, user_of};
use crate::harness::both;

const REVOKE: &str = "/oauth/revoke";

both! {
    async fn an_access_token_ends_alone(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let first = client.agreed(&app, user_of(&app, &app.member).await).await;
        let second = client.refresh(&app, &first).await.expect(200).json();
        assert_eq!(status(&app, &first).await, 200);
        let reply = client.ask(&app, REVOKE, &format!("token={}", access(&first))).await;
        assert!(reply.expect(200).bytes.is_empty());
        assert_eq!((status(&app, &first).await, status(&app, &second).await), (401, 200));
        client.refresh(&app, &second).await.expect(200);
    }

    async fn a_refresh_token_takes_its_family_with_it(app) {
        for client in [TestClient::new(&app, |_| {}).await, TestClient::public(&app).await] {
            let user = user_of(&app, &app.member).await;
            let (first, unharmed) =
                (client.agreed(&app, user).await, client.agreed(&app, user).await);
            let second = client.refresh(&app, &first).await.expect(200).json();
            let hint = "token_type_hint=access_token";
            let form = format!("token={}&{hint}", second["refresh_token"].as_str().unwrap());
            client.ask(&app, REVOKE, &form).await.expect(200);
            assert_eq!((status(&app, &first).await, status(&app, &second).await), (401, 401));
            refused(&client.refresh(&app, &second).await, 400, "invalid_grant");
            assert_eq!(status(&app, &unharmed).await, 200);
            client.ask(&app, REVOKE, &form).await.expect(200);
        }
    }

    async fn what_is_not_the_clients_stays_and_is_answered_alike(app) {
        let (own, other) =
            (TestClient::new(&app, |_| {}).await, TestClient::new(&app, |_| {}).await);
        let tokens = own.agreed(&app, user_of(&app, &app.member).await).await;
        let refresh = tokens["refresh_token"].as_str().unwrap();
        let unknown = waybill_domain::token::generate(app.app.ids().as_ref()).expose().clone();
        let mut answers = Vec::new();
        for token in [access(&tokens), refresh, &app.member, &unknown, "junk", "%00"] {
            let reply = other.ask(&app, REVOKE, &format!("token={token}")).await.expect(200);
            answers.push(reply.bytes.clone());
        }
        answers.dedup();
        assert_eq!(answers, [Vec::<u8>::new()]);
        assert_eq!(status(&app, &tokens).await, 200);
        own.refresh(&app, &tokens).await.expect(200);
        app.get("/v2/me").token(&app.member).send().await.expect(200);
    }

    async fn whoever_revokes_is_a_client_and_names_a_token(app) {
        let client = TestClient::new(&app, |_| {}).await;
        refused(&client.ask(&app, REVOKE, "x=1").await, 400, "invalid_request");
        refused(&client.ask(&app, REVOKE, "token=").await, 400, "invalid_request");
        let named = format!("token=x&client_id={}", client.client_id);
        refused(&post(&app, REVOKE, None, &named).await, 401, "invalid_client");
        refused(&post(&app, REVOKE, None, "token=x").await, 401, "invalid_client");
    }
}
