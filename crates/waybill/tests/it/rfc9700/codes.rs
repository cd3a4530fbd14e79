//! Codes that somebody else brings, twice, or without their proof.

use std::time::Duration;

use super::{add_ada, agree, asked, decide};
use crate::harness::both;
use crate::oauth::{CALLBACK, TestClient, VERIFIER, exchange, refused, status, user_of};
use crate::sign_in::visitor::{Visitor, form, way_back, with};

/// A proof that an attacker made, and what shows it.
const OTHER_VERIFIER: &str = "an-attackers-own-verifier-0123456789-abcdefghij";
const OTHER_CHALLENGE: &str = "dsAFyRivQo-BlJSGjbaMhEO2Yg33100uVDXu44hM9tA";

both! {
    async fn section_2_1_1_whatever_is_wrong_with_a_code_uses_it_up(app) {
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

    async fn section_4_5_another_client_cannot_use_a_code_and_does_not_use_it_up(app) {
        let (own, other) =
            (TestClient::new(&app, |_| {}).await, TestClient::new(&app, |_| {}).await);
        let code = own.code(&app, user_of(&app, &app.member).await, |_| {}).await;
        refused(&other.exchange(&app, &code).await, 400, "invalid_grant");
        let given = own.exchange(&app, &code).await.expect(200).json();
        refused(&other.exchange(&app, &code).await, 400, "invalid_grant");
        assert_eq!(status(&app, &given).await, 200);
    }

    async fn section_4_5_a_code_that_is_used_twice_ends_every_token_that_came_from_it(app) {
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

    async fn section_4_5_of_many_who_bring_a_code_at_once_one_gets_tokens_and_loses_them(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let code = client.code(&app, user_of(&app, &app.member).await, |_| {}).await;
        let all = (0..16).map(|_| client.exchange(&app, &code));
        let replies = futures_util::future::join_all(all).await;
        let given: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
        assert_eq!(given.len(), 1);
        assert_eq!(status(&app, &given[0].json()).await, 401);
    }

    async fn section_4_5_a_code_of_somebody_else_has_no_use_in_an_attackers_session(app) {
        add_ada(&app).await;
        let client = TestClient::new(&app, |_| {}).await;
        let stolen = agree(&mut Visitor::new(&app), &asked(&client)).await;
        // The attacker began at the same app: it brings the stolen code with the other proof.
        let other = with(&asked(&client), "code_challenge", Some(OTHER_CHALLENGE));
        let mut attacker = Visitor::new(&app);
        let own = agree(&mut attacker, &other).await;
        let with_other = |code: &str| exchange(code).replace(VERIFIER, OTHER_VERIFIER);
        refused(&client.token(&app, &with_other(&stolen["code"])).await, 400, "invalid_grant");
        refused(&client.exchange(&app, &stolen["code"]).await, 400, "invalid_grant");
        refused(&client.exchange(&app, &own["code"]).await, 400, "invalid_grant");
        let own = agree(&mut attacker, &other).await;
        client.token(&app, &with_other(&own["code"])).await.expect(200);
    }

    async fn section_2_1_1_a_public_app_gets_nothing_for_a_code_without_its_proof(app) {
        add_ada(&app).await;
        let public = TestClient::public(&app).await;
        let mut ada = Visitor::new(&app);
        let told = agree(&mut ada, &asked(&public)).await;
        let bare = exchange(&told["code"]).replace(&format!("&code_verifier={VERIFIER}"), "");
        assert!(!bare.contains("verifier"));
        refused(&public.token(&app, &bare).await, 400, "invalid_grant");
        let told = agree(&mut ada, &asked(&public)).await;
        let given = public.exchange(&app, &told["code"]).await.expect(200).json();
        assert_eq!(status(&app, &given).await, 200);
    }

    // Whoever takes the challenge out of a request on its way wants a code without a proof.
    async fn section_4_8_a_request_whose_challenge_was_taken_out_gets_no_code(app) {
        add_ada(&app).await;
        for client in [TestClient::new(&app, |_| {}).await, TestClient::public(&app).await] {
            let good = asked(&client);
            let bare = with(&good, "code_challenge", None);
            for weak in [
                bare.clone(),
                with(&bare, "code_challenge_method", None),
                with(&good, "code_challenge_method", None),
                with(&good, "code_challenge_method", Some("plain")),
            ] {
                let (_, told) = way_back(&Visitor::new(&app).open(&weak).await);
                assert_eq!(told["error"], "invalid_request", "{weak:?}");
                assert!(!told.contains_key("code"));
            }
            let mut visitor = Visitor::new(&app);
            let page = visitor.consent_page(&good).await;
            let mut sent = form(&page, "consent");
            sent.retain(|(name, _)| !name.starts_with("code_challenge"));
            sent.push(("consent".to_owned(), "allow".to_owned()));
            let reply = visitor.post(&sent).await.expect(403);
            assert_eq!(reply.header("location"), None);
            way_back(&decide(&mut visitor, &page, "allow").await);
        }
    }

    // No page makes such a code. If there were one, a proof would not help it, nor would none.
    async fn section_4_8_a_proof_for_a_code_without_a_challenge_is_refused(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let user = user_of(&app, &app.member).await;
        let bare = |code: &str| exchange(code).replace(&format!("code_verifier={VERIFIER}&"), "");
        for is_proved in [true, false] {
            let code = client.code(&app, user, |code| code.challenge = String::new()).await;
            let form = if is_proved { exchange(&code) } else { bare(&code) };
            assert_eq!(form.contains("code_verifier"), is_proved);
            refused(&client.token(&app, &form).await, 400, "invalid_grant");
        }
        // And the other way round: a challenge, and no proof.
        let code = client.code(&app, user, |_| {}).await;
        refused(&client.token(&app, &bare(&code)).await, 400, "invalid_grant");
    }
}
