//! Addresses that a browser is sent to.

use super::{add_ada, agree, asked};
use crate::harness::both;
use crate::oauth::{TestClient, exchange, refused};
use crate::sign_in::visitor::{HOME, Visitor, add_client, encoded, fields, html, request, with};

both! {
    async fn section_4_11_an_unknown_app_or_address_is_told_on_a_page_and_never_redirected(app) {
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

    async fn section_2_1_addresses_are_compared_exactly_but_for_the_port_of_this_machine(app) {
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

    async fn section_4_1_the_address_is_compared_again_when_the_code_is_brought(app) {
        add_ada(&app).await;
        let uris = ["http://127.0.0.1/cb", "https://app.example.dk/one", "https://app.example.dk/two"];
        let client = TestClient::new(&app, |client| {
            client.redirect_uris = uris.map(str::to_owned).into();
        });
        let (client, mut ada) = (client.await, Visitor::new(&app));
        for (sent, brought) in [
            (uris[1], Some(uris[2])),
            (uris[1], Some("https://app.example.dk/one/")),
            (uris[1], None),
            ("http://127.0.0.1:4001/cb", Some("http://127.0.0.1:4002/cb")),
            ("http://127.0.0.1:4001/cb", Some("http://127.0.0.1:4001/cb")),
        ] {
            let asked = with(&asked(&client), "redirect_uri", Some(sent));
            let told = agree(&mut ada, &asked).await;
            let form = exchange(&told["code"]);
            let (form, _) = form.split_once("&redirect_uri=").unwrap();
            let back = brought.map(|uri| encoded(&fields(&[("redirect_uri", uri)])));
            let form = [Some(form.to_owned()), back].into_iter().flatten().collect::<Vec<_>>();
            let reply = client.token(&app, &form.join("&")).await;
            match brought == Some(sent) {
                true => drop(reply.expect(200)),
                false => refused(&reply, 400, "invalid_grant"),
            }
        }
    }
}
