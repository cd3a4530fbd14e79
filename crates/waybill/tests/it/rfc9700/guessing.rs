//! Guessing passwords and secrets, and asking around who has an account. How often somebody may
//! guess is in `sign_in::limits` and `oauth::limits`.

use waybill_domain::token::TokenKind;
use waybill_store::statistics;

use crate::harness::both;
use crate::oauth::{TestClient, post, refused};
use crate::sign_in::visitor::{
    EMAIL, HOME, PASSWORD, Visitor, add_client, add_user, form, html, request,
};

/// How many statements the database ran since this was asked last.
fn statements() -> u64 {
    statistics::take().iter().map(|(_, usage)| usage.calls).sum()
}

both! {
    async fn a_wrong_password_and_an_unknown_address_get_the_same_page_and_cost_the_same(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        add_user(&app, "none@shop.example.com", None).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut pages = Vec::new();
        for (email, password) in [
            (EMAIL, "wrong horse battery staple"),
            ("none@shop.example.com", PASSWORD),
            ("nobody@shop.example.com", PASSWORD),
        ] {
            let before = app.app.secrets().passwords().compared();
            let mut visitor = Visitor::new(&app);
            let reply = visitor.sign_in(&request(&id), email, password).await.expect(422);
            assert_eq!(app.app.secrets().passwords().compared(), before + 1, "one hash for {email}");
            let page = html(&reply);
            let token = form(&reply, "password").into_iter().find(|(name, _)| name == "csrf_token");
            let page = page.replace(&token.unwrap().1, "T").replace(email, "E");
            assert!(page.contains("The e-mail address or the password is wrong."), "{page}");
            assert!(page.contains("aria-describedby=\"problem\"") && page.contains("id=\"problem\""));
            assert!(!page.contains(password), "{page}");
            pages.push(page);
        }
        assert_eq!(pages[0], pages[1]);
        assert_eq!(pages[0], pages[2]);
    }

    async fn an_unknown_client_and_a_wrong_secret_get_the_same_answer_and_cost_the_same(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let other = TokenKind::ClientSecret.generate(app.app.ids().as_ref()).expose().clone();
        let mut seen = Vec::new();
        statements();
        for id in [client.client_id.as_str(), "wbc_nobody0000000000"] {
            for secret in [other.as_str(), "x", ""] {
                let form = format!(
                    "grant_type=client_credentials&client_id={id}&client_secret={secret}"
                );
                let reply = post(&app, "/oauth/token", None, &form).await;
                refused(&reply, 401, "invalid_client");
                seen.push((reply.bytes.clone(), statements()));
            }
        }
        let first = seen[0].clone();
        assert!(first.1 > 0 && seen.iter().all(|one| *one == first), "{seen:?}");
    }
}
