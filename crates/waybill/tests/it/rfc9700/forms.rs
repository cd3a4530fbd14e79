//! Section 4.7, cross-site request forgery: forms that somebody else made, or that a browser was
//! tricked into sending.

use std::time::Duration;

use crate::harness::{Reply, both};
use crate::sign_in::visitor::{
    EMAIL, Fields, HOME, PASSWORD, Visitor, add_client, add_user, fields, form, html, request,
    way_back, with,
};

const EVIL: &str = "https://evil.example/";

fn credentials() -> Fields {
    fields(&[("email", EMAIL), ("password", PASSWORD)])
}

#[track_caller]
fn assert_refused(reply: Reply) {
    let reply = reply.expect(403);
    assert_eq!(reply.header("location"), None);
    assert_eq!(reply.header("set-cookie"), None);
    assert!(html(&reply).contains("The form was not accepted"));
}

both! {
    async fn section_4_7_a_form_needs_its_token_and_the_browser_that_it_was_drawn_for(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.open(&request(&id)).await.expect(200);
        let good = [form(&page, "password"), credentials()].concat();
        for token in [None, Some(""), Some("x"), Some("a.b.c")] {
            assert_refused(visitor.post(&with(&good, "csrf_token", token)).await);
        }
        // Nobody else's browser may send it, nor one without a cookie.
        assert_refused(Visitor::new(&app).post(&good).await);
        let mut other = Visitor::new(&app);
        other.open(&request(&id)).await.expect(200);
        assert_refused(other.post(&good).await);
        let mut odd = Visitor::new(&app);
        odd.cookies.insert("waybill_browser".to_owned(), "x".to_owned());
        assert_refused(odd.post(&good).await);
        visitor.post(&good).await.expect(303);
    }

    async fn section_4_7_a_form_is_for_the_parameters_that_it_was_drawn_for(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME, "https://b.example.com/"]).await;
        let other = add_client(&app, "Other", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.open(&request(&id)).await.expect(200);
        let good = [form(&page, "password"), credentials()].concat();
        for (name, value) in [
            ("client_id", Some(other.as_str())),
            ("redirect_uri", Some("https://b.example.com/")),
            ("scope", Some("shipments:write")),
            ("scope", None),
            ("state", Some("other")),
            ("state", None),
            ("code_challenge", Some("x")),
            ("code_challenge_method", None),
            ("response_type", Some("token")),
        ] {
            assert_refused(visitor.post(&with(&good, name, value)).await);
        }
        let twice = [good.clone(), fields(&[("scope", "shipments:read wms:read")])].concat();
        assert_refused(visitor.post(&twice).await);
        // The order in which a browser sends them does not matter.
        visitor.post(&good.into_iter().rev().collect()).await.expect(303);
    }

    async fn section_4_7_a_form_for_one_step_is_not_one_for_another(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let before = visitor.open(&request(&id)).await.expect(200);
        let of_sign_in = form(&before, "password");
        let page = visitor.consent_page(&request(&id)).await;
        let (of_consent, of_sign_out) = (form(&page, "consent"), form(&page, "sign_out"));
        let allow = fields(&[("consent", "allow"), ("team_uuid", &app.team.to_string())]);
        for hidden in [&of_sign_in, &with(&of_sign_out, "sign_out", None)] {
            assert_refused(visitor.post(&[hidden.clone(), allow.clone()].concat()).await);
        }
        for hidden in [&of_sign_in, &of_consent] {
            let out = fields(&[("sign_out", "1")]);
            assert_refused(visitor.post(&[hidden.clone(), out].concat()).await);
        }
        assert_refused(visitor.post(&[of_consent.clone(), credentials()].concat()).await);
        // The session that a form is for stands in its token, and is as little to be changed.
        let token = of_consent.iter().find(|(name, _)| name == "csrf_token").unwrap().1.clone();
        let (session, proof) = token.split_once('~').unwrap();
        let other = format!("0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b~{proof}");
        for token in [other.as_str(), proof, session, "~", ""] {
            let sent = with(&of_consent, "csrf_token", Some(token));
            assert_refused(visitor.post(&[sent, allow.clone()].concat()).await);
        }
    }

    async fn section_4_7_a_form_is_good_for_an_hour(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.open(&request(&id)).await.expect(200);
        let good = [form(&page, "password"), credentials()].concat();
        app.clock.advance(Duration::from_secs(3600));
        visitor.post(&good).await.expect(303);
        app.clock.advance(Duration::from_secs(2));
        assert_refused(visitor.post(&good).await);
    }

    async fn section_4_7_another_site_cannot_make_a_browser_send_a_form(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut first = Visitor::new(&app);
        let page = first.open(&request(&id)).await.expect(200);
        let good = [form(&page, "password"), credentials()].concat();
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "http://waybill.test.evil.example"),
            ("origin", "https://waybill.test"),
            ("origin", "http://waybill.test:8080"),
            ("origin", "null"),
            ("origin", ""),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let mut visitor = Visitor::new(&app).sending(name, value);
            visitor.cookies = first.cookies.clone();
            assert_refused(visitor.post(&good).await);
        }
        for headers in [
            [("origin", "null"), ("sec-fetch-site", "none")],
            [("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")],
        ] {
            let mut visitor = Visitor::new(&app);
            for (name, value) in headers {
                visitor = visitor.sending(name, value);
            }
            visitor.cookies = first.cookies.clone();
            assert_refused(visitor.post(&good).await);
        }
        assert_eq!(app.app.secrets().passwords().compared(), 0, "no password was looked at");
    }

    async fn section_4_7_a_browser_sends_our_own_forms_with_these_headers(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        for headers in [
            vec![("origin", "http://waybill.test"), ("sec-fetch-site", "same-origin")],
            vec![("origin", "http://waybill.test")],
            vec![("origin", "null"), ("sec-fetch-site", "same-origin")],
            vec![("host", "10.0.0.5:8080"), ("origin", "http://10.0.0.5:8080")],
            vec![("sec-fetch-site", "none")],
        ] {
            let mut visitor = Visitor::new(&app);
            for (name, value) in headers {
                visitor = visitor.sending(name, value);
            }
            visitor.sign_in(&request(&id), EMAIL, PASSWORD).await.expect(303);
        }
    }

    async fn section_4_11_a_form_never_leads_to_an_address_that_it_brings_along(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        let good = [form(&page, "consent"), fields(&[("consent", "allow")])].concat();
        for (name, value) in [("redirect_uri", EVIL), ("client_id", "wbc_0000000000000000")] {
            let reply = visitor.post(&with(&good, name, Some(value))).await.expect(400);
            assert_eq!(reply.header("location"), None);
        }
        let more = fields(&[("next", EVIL), ("location", EVIL), ("iss", EVIL)]);
        let (address, told) = way_back(&visitor.post(&[good, more].concat()).await);
        assert_eq!((address.as_str(), told["iss"].as_str()), (HOME, "http://waybill.test"));
    }

    async fn section_4_7_a_session_alone_sends_no_form(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&request(&id)).await;
        visitor.cookies.remove("waybill_browser");
        assert!(visitor.cookies.contains_key("waybill_session"));
        let sent = [form(&page, "consent"), fields(&[("consent", "allow")])].concat();
        assert_refused(visitor.post(&sent).await);
    }
}
