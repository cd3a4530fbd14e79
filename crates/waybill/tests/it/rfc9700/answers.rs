//! What the server offers, and how an app knows who answered.

use super::{add_ada, agree, asked, decide};
use crate::harness::both;
use crate::oauth::{TestClient, refused};
use crate::sign_in::visitor::{
    CHALLENGE, EMAIL, HOME, PASSWORD, PATH, Visitor, add_client, encoded, fields, request,
    way_back, with,
};

const METADATA: &str = "/.well-known/oauth-authorization-server";

both! {
    async fn section_4_4_every_mistake_goes_back_to_the_app_with_state_and_issuer(app) {
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let good = request(&id);
        let long = "s".repeat(2049);
        let unsupported = "unsupported_response_type";
        let mut cases = vec![
            (with(&good, "response_type", Some("token")), unsupported),
            (with(&good, "response_type", Some("code token")), unsupported),
            (with(&good, "response_type", None), unsupported),
            (with(&good, "state", Some(&long)), "invalid_request"),
        ];
        for challenge in [None, Some(""), Some("x"), Some(&CHALLENGE[1..]), Some("plain text")] {
            cases.push((with(&good, "code_challenge", challenge), "invalid_request"));
        }
        for method in [None, Some(""), Some("plain"), Some("s256")] {
            cases.push((with(&good, "code_challenge_method", method), "invalid_request"));
        }
        for scope in ["nothing:read", "*", "wms:write", "operator:read", "print-agent", "a,b"] {
            cases.push((with(&good, "scope", Some(scope)), "invalid_scope"));
        }
        for name in ["response_type", "scope", "code_challenge", "code_challenge_method"] {
            let again = good.iter().find(|(other, _)| other == name).cloned();
            let twice = [good.clone(), again.into_iter().collect()].concat();
            cases.push((twice, "invalid_request"));
        }
        for (case, error) in cases {
            let reply = Visitor::new(&app).open(&case).await;
            assert_eq!(reply.header("cache-control"), Some("no-store"));
            let (address, told) = way_back(&reply);
            assert_eq!((address.as_str(), told["error"].as_str()), (HOME, error), "{case:?}");
            assert_eq!(told["iss"], "http://waybill.test");
            let state = case.iter().find(|(name, _)| name == "state").map(|(_, value)| value);
            assert_eq!(told.get("state"), state, "{case:?}");
            assert!(told["error_description"].is_ascii() && !told.contains_key("code"));
        }
    }

    async fn section_4_4_every_answer_names_its_issuer_as_the_metadata_does(app) {
        add_ada(&app).await;
        let metadata = app.get(METADATA).send().await.expect(200);
        assert_eq!(metadata.at("/authorization_response_iss_parameter_supported"), true);
        let issuer = metadata.at("/issuer").as_str().unwrap().to_owned();
        let client = TestClient::new(&app, |_| {}).await;
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&asked(&client)).await;
        for (decision, part) in [("allow", "code"), ("deny", "error")] {
            let (_, told) = way_back(&decide(&mut visitor, &page, decision).await);
            assert!(told.contains_key(part), "{told:?}");
            assert_eq!((&told["iss"], told["state"].as_str()), (&issuer, "x y&z=ø"));
        }
        // What an app puts into its request does not change who answers.
        let more = [asked(&client), fields(&[("iss", "https://evil.example")])].concat();
        assert_eq!(agree(&mut Visitor::new(&app), &more).await["iss"], issuer);
    }

    async fn section_2_1_2_no_token_is_ever_put_into_an_address(app) {
        add_ada(&app).await;
        let metadata = app.get(METADATA).send().await.expect(200);
        assert_eq!(metadata.at("/response_types_supported"), serde_json::json!(["code"]));
        let client = TestClient::new(&app, |_| {}).await;
        for kind in ["token", "id_token", "code token", "code id_token token", "none"] {
            let asked = with(&asked(&client), "response_type", Some(kind));
            let reply = Visitor::new(&app).open(&asked).await;
            let (_, told) = way_back(&reply);
            assert_eq!(told["error"], "unsupported_response_type");
            assert!(!reply.header("location").unwrap().contains('#'));
        }
        let told = agree(&mut Visitor::new(&app), &asked(&client)).await;
        let names: Vec<&str> = told.keys().map(String::as_str).collect();
        assert_eq!(names, ["code", "iss", "state"]);
    }

    async fn section_2_4_a_password_is_no_grant(app) {
        add_ada(&app).await;
        let client = TestClient::new(&app, |_| {}).await;
        let typed = fields(&[("username", EMAIL), ("password", PASSWORD)]);
        let form = format!("grant_type=password&{}", encoded(&typed));
        refused(&client.token(&app, &form).await, 400, "unsupported_grant_type");
        let metadata = app.get(METADATA).send().await.expect(200);
        assert_eq!(
            metadata.at("/grant_types_supported"),
            serde_json::json!(["client_credentials", "authorization_code", "refresh_token"])
        );
        assert_eq!(app.app.secrets().passwords().compared(), 0);
    }

    async fn section_2_6_the_metadata_says_what_is_there_and_no_script_reads_the_page(app) {
        let metadata = app.get(METADATA).send().await.expect(200);
        assert_eq!(metadata.at("/code_challenge_methods_supported"), serde_json::json!(["S256"]));
        let page = metadata.at("/authorization_endpoint").as_str().unwrap().to_owned();
        assert!(page.ends_with(PATH), "{page}");
        for place in ["token", "revocation", "introspection"] {
            let url = metadata.at(&format!("/{place}_endpoint")).as_str().unwrap().to_owned();
            let path = url.strip_prefix("http://waybill.test").unwrap();
            app.post(path).send().await.expect(400);
        }
        let client = TestClient::new(&app, |_| {}).await;
        let shown = format!("{PATH}?{}", encoded(&asked(&client)));
        let from = ("origin", "https://app.example.dk");
        for ask in [
            app.get(&shown),
            app.ask("OPTIONS", PATH).header("access-control-request-method", "GET"),
            app.post(PATH).header("content-type", "application/x-www-form-urlencoded"),
        ] {
            let reply = ask.header(from.0, from.1).send().await;
            let names: Vec<String> = reply.headers.keys().map(|name| name.to_string()).collect();
            assert!(!names.iter().any(|name| name.starts_with("access-control-")), "{names:?}");
        }
    }

    // No proxy stands before this server: what looks as if one had said it is a stranger's word.
    async fn section_4_13_words_of_a_proxy_are_believed_of_no_stranger(app) {
        add_ada(&app).await;
        let said = [
            ("host", "evil.example"),
            ("forwarded", "for=192.0.2.1;host=evil.example;proto=https"),
            ("x-forwarded-host", "evil.example"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-user", EMAIL),
            ("x-remote-user", EMAIL),
        ];
        let mut ask = app.get(METADATA);
        for (name, value) in said {
            ask = ask.header(name, value);
        }
        let told = ask.send().await.expect(200);
        assert_eq!(told.bytes, app.get(METADATA).send().await.bytes);
        let client = TestClient::new(&app, |_| {}).await;
        let mut visitor = Visitor::new(&app);
        for (name, value) in said {
            visitor = visitor.sending(name, value);
        }
        assert_eq!(agree(&mut visitor, &asked(&client)).await["iss"], "http://waybill.test");
        for number in 0..5 {
            let from = format!("192.0.2.{number}");
            let mut guess = Visitor::new(&app).sending("x-forwarded-for", &from);
            guess.sign_in(&asked(&client), EMAIL, "wrong horse battery").await.expect(422);
        }
        let mut next = Visitor::new(&app).sending("x-forwarded-for", "192.0.2.99");
        next.sign_in(&asked(&client), EMAIL, PASSWORD).await.expect(429);
    }
}
