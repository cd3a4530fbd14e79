//! Who may ask for tokens, and how a client proves who it is.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use waybill_domain::time::Clock;
use waybill_domain::token::TokenKind;
use waybill_store::oauth::clients;

use super::{TestClient, post, refused, status};
use crate::harness::both;

const OWN: &str = "grant_type=client_credentials";

both! {
    async fn a_client_gets_a_token_of_its_own_for_its_team(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let reply = client.token(&app, OWN).await.expect(200);
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("pragma"), Some("no-cache"));
        let given = reply.json();
        assert_eq!(
            given,
            json!({"access_token": given["access_token"], "token_type": "Bearer",
                "expires_in": 3600, "scope": "*", "team_uuid": app.team.to_string()})
        );
        let token = given["access_token"].as_str().unwrap();
        assert!(token.starts_with("wb_") && token.len() == 46, "{token}");
        assert_eq!(status(&app, &given).await, 200);
        let named = client.token(&app, &format!("{OWN}&scope=wms:read+shipments:read")).await;
        assert_eq!(named.expect(200).at("/scope"), "shipments:read wms:read");
    }

    async fn a_client_proves_who_it_is_by_basic_or_in_the_body_and_not_both(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let (id, secret) = (&client.client_id, &client.secret);
        let in_body = format!("{OWN}&client_id={id}&client_secret={secret}");
        let token = "/oauth/token";
        post(&app, token, None, &in_body).await.expect(200);
        let basic = client.basic();
        post(&app, token, Some(&basic.replace("Basic", "bASIC")), OWN).await.expect(200);
        post(&app, token, Some(&basic), &format!("{OWN}&client_id={id}")).await.expect(200);
        post(&app, token, Some(&basic), &format!("{OWN}&client_secret=")).await.expect(200);
        // Percent-encoded, as the RFC has it.
        let encoded = format!("{}:{}", id.replace('_', "%5F"), secret.replace('_', "%5F"));
        let encoded = format!("Basic {}", STANDARD.encode(encoded));
        post(&app, token, Some(&encoded), OWN).await.expect(200);
        for form in [in_body.as_str(), &format!("{OWN}&client_id={id}x")] {
            refused(&post(&app, token, Some(&basic), form).await, 400, "invalid_request");
        }
        let in_query = format!("{token}?client_secret={secret}");
        refused(&post(&app, &in_query, Some(&basic), OWN).await, 400, "invalid_request");
        // What else stands in the query is not read.
        let in_query = format!("{token}?grant_type=nonsense&scope=nonsense");
        post(&app, &in_query, Some(&basic), OWN).await.expect(200);
    }

    async fn whoever_is_not_the_client_is_told_nothing_more(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let public = TestClient::public(&app).await;
        let (id, secret) = (&client.client_id, &client.secret);
        let other = TokenKind::ClientSecret.generate(app.app.ids().as_ref()).expose().clone();
        let basic = |text: String| format!("Basic {}", STANDARD.encode(text));
        let mut answers = Vec::new();
        for (authorization, form) in [
            (None, OWN.to_owned()),
            (None, format!("{OWN}&client_id={id}")),
            (None, format!("{OWN}&client_id={id}&client_secret={other}")),
            (None, format!("{OWN}&client_id={id}&client_secret=x")),
            (None, format!("{OWN}&client_id=wbc_nobody0000000000&client_secret={secret}")),
            (None, format!("{OWN}&client_id=%00%01&client_secret={secret}")),
            (None, format!("grant_type=refresh_token&client_id={}&client_secret={other}",
                public.client_id)),
            (Some(basic(format!("{id}:{other}"))), OWN.to_owned()),
            (Some(basic(format!("{id}:"))), OWN.to_owned()),
            (Some("Basic ???".to_owned()), OWN.to_owned()),
            (Some(format!("Bearer {}", app.admin)), OWN.to_owned()),
        ] {
            let reply = post(&app, "/oauth/token", authorization.as_deref(), &form).await;
            refused(&reply, 401, "invalid_client");
            assert_eq!(reply.header("www-authenticate"), Some("Basic realm=\"waybill\""));
            answers.push(reply.bytes.clone());
        }
        answers.dedup();
        assert_eq!(answers.len(), 1);
    }

    async fn a_client_asks_only_as_it_was_made_for(app) {
        let own = TestClient::new(&app, |client| client.redirect_uris.clear()).await;
        let apps = TestClient::new(&app, |client| (client.team, client.role) = (None, None)).await;
        let public = TestClient::public(&app).await;
        for form in ["grant_type=authorization_code&code=x", "grant_type=refresh_token"] {
            refused(&own.token(&app, form).await, 400, "unauthorized_client");
        }
        for client in [&apps, &public] {
            refused(&client.token(&app, OWN).await, 400, "unauthorized_client");
        }
    }

    async fn malformed_requests_are_told_in_the_words_of_the_rfc(app) {
        let client = TestClient::new(&app, |client| client.scopes = "shipments:read".to_owned());
        let client = client.await;
        for (form, error) in [
            ("scope=shipments:read", "invalid_request"),
            ("grant_type=", "invalid_request"),
            ("grant_type=client_credentials&grant_type=client_credentials", "invalid_request"),
            ("grant_type=client_credentials&unknown=1&unknown=2", "invalid_request"),
            ("grant_type=authorization_code", "invalid_request"),
            ("grant_type=refresh_token&refresh_token=", "invalid_request"),
            ("grant_type=password&username=a&password=b", "unsupported_grant_type"),
            ("grant_type=implicit", "unsupported_grant_type"),
            ("grant_type=client_credentials&scope=wms:read", "invalid_scope"),
            ("grant_type=client_credentials&scope=shipments:raed", "invalid_scope"),
            ("grant_type=client_credentials&scope=*", "invalid_scope"),
            ("grant_type=client_credentials&scope=operator:read", "invalid_scope"),
            ("grant_type=client_credentials&scope=print-agent", "invalid_scope"),
            ("grant_type=client_credentials&scope=shipments:read,shipments:read", "invalid_scope"),
            ("grant_type=authorization_code&code=wba_x", "invalid_grant"),
            ("grant_type=refresh_token&refresh_token=wbr_x", "invalid_grant"),
        ] {
            refused(&client.token(&app, form).await, 400, error);
        }
        // Unknown parameters are ignored, and an empty one is left out.
        client.token(&app, &format!("{OWN}&resource=x&scope=")).await.expect(200);
        let typed = |media: &'static str, body: String| {
            let ask = app.post("/oauth/token").header("authorization", client.basic());
            ask.header("content-type", media).body(axum::body::Body::from(body)).send()
        };
        let form = "application/x-www-form-urlencoded";
        typed("Application/X-WWW-form-urlencoded; charset=UTF-8", OWN.to_owned()).await.expect(200);
        refused(&typed("application/json", "{}".to_owned()).await, 400, "invalid_request");
        let padded = |length: usize| format!("{OWN}&x={}", "y".repeat(length - OWN.len() - 3));
        typed(form, padded(16 * 1024)).await.expect(200);
        refused(&typed(form, padded(16 * 1024 + 1)).await, 400, "invalid_request");
    }

    async fn an_old_secret_works_for_a_day_and_not_at_all_when_it_is_ended_now(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let rotate = |old_until| {
            let secret = TokenKind::ClientSecret.generate(app.app.ids().as_ref()).expose().clone();
            let (id, hash) = (client.id, TokenKind::ClientSecret.hash(&secret).unwrap());
            let times = (old_until, app.clock.now());
            let write = app.app.write(move |tx| clients::any_set_secret(tx, id, &hash, times));
            async move { write.await.map(|is_done| assert!(is_done)).map(|()| secret).unwrap() }
        };
        let with = |secret: String| TestClient {
            id: client.id,
            client_id: client.client_id.clone(),
            secret,
        };
        let day = Duration::from_hours(24);
        let second = with(rotate(Some(app.clock.now().plus(day))).await);
        client.token(&app, OWN).await.expect(200);
        second.token(&app, OWN).await.expect(200);
        app.clock.advance(day - Duration::from_micros(1));
        client.token(&app, OWN).await.expect(200);
        app.clock.advance(Duration::from_micros(1));
        refused(&client.token(&app, OWN).await, 401, "invalid_client");
        let third = with(rotate(None).await);
        refused(&second.token(&app, OWN).await, 401, "invalid_client");
        third.token(&app, OWN).await.expect(200);
    }

    async fn a_client_that_is_deleted_has_nothing_more(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = super::user_of(&app, &app.member).await;
        let (own, family) = (client.own(&app).await, client.agreed(&app, user).await);
        let code = client.code(&app, user, |_| {}).await;
        let (id, act) = (client.id, app.act());
        app.app.write(move |tx| clients::any_delete(tx, id, &act)).await.unwrap();
        app.clock.advance(Duration::from_secs(1));
        assert_eq!((status(&app, &own).await, status(&app, &family).await), (401, 401));
        refused(&client.token(&app, OWN).await, 401, "invalid_client");
        refused(&client.refresh(&app, &family).await, 401, "invalid_client");
        refused(&client.exchange(&app, &code).await, 401, "invalid_client");
    }

    async fn a_client_notes_when_it_was_last_given_a_token(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let find = || {
            let id = client.client_id.clone();
            app.app.read(move |tx| clients::any_find(tx, &id))
        };
        assert_eq!(find().await.unwrap().unwrap().last_used_at, None);
        client.own(&app).await;
        assert_eq!(find().await.unwrap().unwrap().last_used_at, Some(app.clock.now()));
    }
}
