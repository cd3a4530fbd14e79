//! What is wrong with a request of an app: told to the user alone, or to the app.

use crate::harness::both;
use crate::sign_in::visitor::{
    CHALLENGE, HOME, PATH, Visitor, add_client, add_user, encoded, fields, html, request, way_back,
    with,
};

both! {
    async fn an_unknown_app_or_address_is_told_on_a_page_and_never_redirected(app) {
        let id = add_client(&app, "Shop Connector", &[HOME, "https://other.example.com/"]).await;
        let good = request(&id);
        let evil = "https://evil.example/";
        let mut cases = vec![
            with(&good, "client_id", None),
            with(&good, "client_id", Some("")),
            with(&good, "client_id", Some("wbc_0000000000000000")),
            with(&good, "client_id", Some("wbc_\u{0}")),
            with(&good, "client_id", Some("' OR 1=1 --")),
            with(&good, "redirect_uri", None),
            with(&good, "redirect_uri", Some("")),
            [good.clone(), fields(&[("redirect_uri", evil)])].concat(),
            [fields(&[("redirect_uri", evil)]), good.clone()].concat(),
            [good.clone(), fields(&[("client_id", &id)])].concat(),
        ];
        for uri in [
            evil,
            "//evil.example/",
            "https:evil.example",
            "https://app.example.com",
            "https://app.example.com/callback/",
            "https://app.example.com/callback?x=1",
            "https://app.example.com/callback#x",
            "https://app.example.com/callback/../evil",
            "https://app.example.com/Callback",
            "HTTPS://app.example.com/callback",
            "https://app.example.com:443/callback",
            "https://app.example.com.evil.example/callback",
            "https://app.example.com@evil.example/callback",
            "https://app.example.com\\@evil.example/callback",
            "https://app.example.com/callback\r\nSet-Cookie: a=b",
            " https://app.example.com/callback",
            "http://app.example.com/callback",
            "javascript:alert(1)",
            "data:text/html,x",
            "https://app.example.com/callback,https://evil.example/",
            "https://app.example.com/callback https://evil.example/",
        ] {
            cases.push(with(&good, "redirect_uri", Some(uri)));
        }
        for case in cases {
            let mut visitor = Visitor::new(&app);
            for reply in [visitor.open(&case).await, visitor.post(&case).await] {
                let reply = reply.expect(400);
                assert_eq!(reply.header("location"), None, "{case:?}");
                let page = html(&reply);
                assert!(!page.contains("evil.example") && !page.contains("<form"), "{page}");
            }
        }
    }

    async fn only_the_port_of_this_machine_may_differ(app) {
        let uris = ["http://127.0.0.1/cb", "http://[::1]:7000/cb", "http://localhost:7000/cb"];
        let id = add_client(&app, "Desk", &uris).await;
        let good = request(&id);
        for (uri, status) in [
            ("http://127.0.0.1:49152/cb", 200),
            ("http://127.0.0.1/cb", 200),
            ("http://[::1]:49152/cb", 200),
            ("http://localhost:7000/cb", 200),
            ("http://localhost:7001/cb", 400),
            ("http://127.0.0.1:49152/cb2", 400),
            ("http://127.0.0.1:49152@evil.example/cb", 400),
            ("http://127.0.0.1.evil.example/cb", 400),
            ("https://127.0.0.1:49152/cb", 400),
        ] {
            let case = with(&good, "redirect_uri", Some(uri));
            Visitor::new(&app).open(&case).await.expect(status);
        }
    }

    async fn the_address_may_be_left_out_when_exactly_one_is_registered(app) {
        let id = add_client(&app, "One", &[HOME]).await;
        let one = with(&request(&id), "redirect_uri", None);
        Visitor::new(&app).open(&one).await.expect(200);
        let two = add_client(&app, "Two", &[HOME, "https://app.example.com/other"]).await;
        Visitor::new(&app).open(&with(&request(&two), "redirect_uri", None)).await.expect(400);
    }

    async fn every_other_mistake_goes_back_to_the_app_with_state_and_issuer(app) {
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

    async fn state_is_left_out_when_it_was_and_never_guessed_from_two(app) {
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let bad = with(&request(&id), "code_challenge", None);
        let (_, told) = way_back(&Visitor::new(&app).open(&with(&bad, "state", None)).await);
        assert!(!told.contains_key("state"));
        let twice = [request(&id), fields(&[("state", "other")])].concat();
        let (_, told) = way_back(&Visitor::new(&app).open(&twice).await);
        assert_eq!(told["error"], "invalid_request");
        assert!(!told.contains_key("state"));
    }

    async fn parameters_that_we_do_not_know_are_ignored(app) {
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let more = fields(&[("nonce", "1"), ("prompt", "none"), ("prompt", "login")]);
        let asked = [request(&id), more].concat();
        let page = html(&Visitor::new(&app).open(&asked).await.expect(200));
        assert!(!page.contains("nonce") && !page.contains("prompt"));
    }

    async fn an_address_with_a_query_keeps_it(app) {
        let home = "https://app.example.com/cb?shop=1";
        let id = add_client(&app, "Shop Connector", &[home]).await;
        let asked = with(&with(&request(&id), "redirect_uri", None), "scope", Some("nothing"));
        let reply = Visitor::new(&app).open(&asked).await.expect(303);
        let location = reply.header("location").unwrap();
        assert!(location.starts_with(&format!("{home}&error=invalid_scope&")), "{location}");
    }

    async fn a_mistake_in_a_form_is_refused_before_the_app_hears_of_it(app) {
        add_user(&app, "x@shop.example.com", None).await;
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let bad = with(&request(&id), "code_challenge", None);
        // Nobody drew such a form.
        Visitor::new(&app).post(&bad).await.expect(403);
    }

    async fn other_methods_and_bodies_that_are_not_forms_get_a_page(app) {
        let id = add_client(&app, "Shop Connector", &[HOME]).await;
        let path = format!("{PATH}?{}", encoded(&request(&id)));
        let page = app.ask("PUT", &path).send().await.expect(405);
        assert!(html(&page).contains("GET, HEAD, OPTIONS, POST"));
        let page = app.post(PATH).json("{}").send().await.expect(415);
        assert!(html(&page).contains("<main"));
        let large = format!("state={}", "x".repeat(70_000));
        let ask = app.post(PATH).header("content-type", "application/x-www-form-urlencoded");
        let page = ask.body(large.into()).send().await.expect(413);
        assert!(html(&page).contains("65536"));
        app.ask("HEAD", &path).send().await.expect(200);
    }
}
