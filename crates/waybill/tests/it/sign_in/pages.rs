//! What every page is like, and the page to sign in.

use crate::harness::both;
use crate::sign_in::visitor::{
    EMAIL, HOME, PASSWORD, PATH, Visitor, add_client, add_user, attribute, encoded, fields, form,
    html, request, way_back, with,
};

const HOSTILE: &str = "<script>alert(1)</script>\"'&<b>\u{202e}x";
const ESCAPED: &str = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&amp;&lt;b&gt;\u{202e}x";

both! {
    async fn without_a_session_a_page_asks_who_it_is(app) {
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let asked = request(&id);
        let page = Visitor::new(&app).open(&asked).await.expect(200);
        let hidden = form(&page, "password");
        let sent: Vec<_> = hidden.iter().filter(|(name, _)| name != "csrf_token").cloned().collect();
        let mut known = asked.clone();
        known.sort();
        let mut repeated = sent.clone();
        repeated.sort();
        assert_eq!(repeated, known, "every parameter as it came");
        assert_eq!(hidden.len(), sent.len() + 1);
        let html = html(&page);
        for part in [
            "<h1>Sign in</h1>",
            "Shop Connector",
            "<label for=\"email\">E-mail address</label>",
            "<label for=\"password\">Password</label>",
            "autocomplete=\"username\"",
            "autocomplete=\"current-password\"",
            "<html lang=\"en\">",
            "name=\"viewport\"",
        ] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
        assert_eq!(html.matches("<form").count(), 1);
    }

    async fn the_right_password_leads_to_the_page_again_with_a_cookie(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        let reply = visitor.sign_in(&request(&id), "  ADA@shop.example.com ", PASSWORD).await;
        let (address, told) = way_back(&reply);
        assert_eq!(address, PATH);
        let expected: std::collections::BTreeMap<_, _> = request(&id).into_iter().collect();
        assert_eq!(told, expected);
        let cookie = reply.header("set-cookie").unwrap();
        assert!(cookie.starts_with("waybill_session="), "{cookie}");
        assert!(cookie.ends_with("; HttpOnly; SameSite=Lax; Path=/"), "{cookie}");
        let page = html(&visitor.open(&request(&id)).await.expect(200));
        assert!(page.contains("data-page=\"consent\""), "{page}");
    }

    async fn odd_credentials_are_wrong_and_nothing_else(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let huge = "x".repeat(20_000);
        for (email, password) in [
            ("", ""),
            (EMAIL, ""),
            ("\u{0}", "\u{0}"),
            ("' OR 1=1 --", PASSWORD),
            (huge.as_str(), huge.as_str()),
            ("ada@shop.example.com\u{0}", PASSWORD),
        ] {
            Visitor::new(&app).sign_in(&request(&id), email, password).await.expect(422);
        }
        let mut visitor = Visitor::new(&app);
        let page = visitor.open(&request(&id)).await.expect(200);
        let twice = fields(&[("email", EMAIL), ("password", "x"), ("password", PASSWORD)]);
        visitor.post(&[form(&page, "password"), twice].concat()).await.expect(422);
    }

    async fn the_same_letters_from_another_keyboard_are_the_same_password(app) {
        add_user(&app, EMAIL, Some("blåbærgrød på bordet")).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let apart = "bla\u{30a}bærgrød pa\u{30a} bordet";
        Visitor::new(&app).sign_in(&request(&id), EMAIL, apart).await.expect(303);
    }

    async fn every_page_has_all_headers_whatever_its_status(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let asked = request(&id);
        let mut visitor = Visitor::new(&app);
        let consent = visitor.consent_page(&asked).await;
        let replies = [
            Visitor::new(&app).open(&asked).await.expect(200),
            consent,
            Visitor::new(&app).open(&with(&asked, "client_id", None)).await.expect(400),
            Visitor::new(&app).post(&asked).await.expect(403),
            Visitor::new(&app).sign_in(&asked, EMAIL, "wrong").await.expect(422),
            app.post(PATH).json("{}").send().await.expect(415),
            app.ask("DELETE", PATH).send().await.expect(405),
        ];
        for reply in replies {
            let status = reply.status;
            for (name, value) in [
                ("cache-control", "no-store"),
                ("referrer-policy", "same-origin"),
                ("x-frame-options", "DENY"),
                ("x-content-type-options", "nosniff"),
                ("content-language", "en"),
            ] {
                assert_eq!(reply.header(name), Some(value), "{name} of {status}");
            }
            let policy = reply.header("content-security-policy").unwrap();
            for part in ["default-src 'none';", "frame-ancestors 'none';", "base-uri 'none'"] {
                assert!(policy.contains(part), "{part} is not in {policy} of {status}");
            }
            assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
            let names_app = policy.contains("form-action 'self' https://app.example.com;");
            let has_form = html(&reply).contains("<form");
            assert_eq!(names_app, has_form, "{policy} of {status}");
            for name in reply.headers.keys() {
                assert!(!name.as_str().starts_with("access-control"), "{name} of {status}");
            }
            let page = html(&reply);
            for part in ["<script", "style=\"", " onclick", " onload", "http://", "src="] {
                assert!(!page.contains(part), "{part} in {page}");
            }
        }
    }

    async fn the_policy_names_the_origin_or_the_scheme_of_the_app(app) {
        for (uri, source) in [
            ("https://app.example.com:8443/cb", "https://app.example.com:8443"),
            ("http://127.0.0.1/cb", "http://127.0.0.1"),
            ("com.example.app:/cb", "com.example.app:"),
        ] {
            let id = add_client(&app, "Shop Connector", &[uri]).await;
            let asked = with(&request(&id), "redirect_uri", Some(uri));
            let page = Visitor::new(&app).open(&asked).await.expect(200);
            let policy = page.header("content-security-policy").unwrap();
            assert!(policy.contains(&format!("form-action 'self' {source};")), "{policy}");
        }
    }

    async fn what_others_wrote_is_escaped_and_set_off(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let user = add_user(&app, HOSTILE, Some(PASSWORD)).await;
        let (other, _) = app.team(HOSTILE).await;
        crate::sign_in::visitor::join(&app, user, other).await;
        let id = add_client(&app, HOSTILE, &[HOME]).await;
        let asked = with(&request(&id), "state", Some(HOSTILE));
        let mut visitor = Visitor::new(&app);
        let page = visitor.open(&asked).await.expect(200);
        assert_eq!(form(&page, "password").iter().find(|(n, _)| n == "state").unwrap().1, HOSTILE);
        let wrong = visitor.sign_in(&asked, HOSTILE, "wrong").await.expect(422);
        // Nobody can sign in with such an address: the page of somebody else shows the team.
        crate::sign_in::visitor::join(&app, add_user(&app, "b@x.example", Some(PASSWORD)).await, other)
            .await;
        visitor.sign_in(&asked, "b@x.example", PASSWORD).await.expect(303);
        let consent = visitor.open(&asked).await.expect(200);
        for reply in [page, wrong, consent] {
            let html = html(&reply);
            assert!(!html.contains("<script"), "{html}");
            assert!(html.contains(&format!("<bdi>{ESCAPED}</bdi>")), "{html}");
            assert_eq!(html.matches("<b>").count(), 0);
        }
    }

    async fn pages_speak_six_languages_and_say_which(app) {
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut titles = std::collections::BTreeSet::new();
        for language in ["en", "da", "sv", "nb", "fi", "de"] {
            let mut visitor = Visitor::new(&app).sending("accept-language", language);
            let page = visitor.open(&request(&id)).await.expect(200);
            assert_eq!(page.header("content-language"), Some(language));
            let text = html(&page);
            assert!(text.contains(&format!("<html lang=\"{language}\">")), "{text}");
            titles.insert(text.split("<h1>").nth(1).unwrap().split('<').next().unwrap().to_owned());
            assert!(!text.contains("page-"), "an untranslated sentence in {text}");
            let refused = visitor.open(&with(&request(&id), "client_id", None)).await.expect(400);
            assert!(html(&refused).contains(&format!("<html lang=\"{language}\">")));
        }
        assert_eq!(titles.len(), 6);
    }

    async fn the_field_to_be_filled_next_has_the_focus(app) {
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let focus = |html: &str| {
            let inputs: Vec<_> =
                html.split("<input").filter(|input| input.contains(" autofocus")).collect();
            assert_eq!(inputs.len(), 1, "{html}");
            attribute(inputs[0], "name")
        };
        let page = html(&Visitor::new(&app).open(&request(&id)).await.expect(200));
        assert_eq!(focus(&page), "email");
        let wrong = Visitor::new(&app).sign_in(&request(&id), EMAIL, "wrong").await.expect(422);
        assert_eq!(focus(&html(&wrong)), "password");
        assert!(html(&wrong).contains(&format!("value=\"{EMAIL}\"")));
    }

    async fn the_cookie_is_no_credential_of_the_api(app) {
        add_user(&app, EMAIL, Some(PASSWORD)).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let mut visitor = Visitor::new(&app);
        visitor.consent_page(&request(&id)).await;
        visitor.get("/v2/me").await.expect(401);
        // And no page knows a token.
        let path = format!("{PATH}?{}", encoded(&request(&id)));
        let page = app.get(&path).admin().send().await.expect(200);
        assert!(html(&page).contains("data-page=\"sign-in\""));
    }
}
