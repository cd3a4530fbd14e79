//! Pages that are shown in somebody's browser, and where they lead.

use waybill_api::routes::{Access, routes};

use super::{add_ada, asked, decide};
use crate::harness::{Reply, TestApp, both};
use crate::oauth::TestClient;
use crate::sign_in::visitor::{
    EMAIL, PASSWORD, PATH, Visitor, attribute, encoded, fields, form, html, way_back, with,
};

/// Every kind of page on the way, whatever its status.
async fn all_pages(app: &TestApp, client: &TestClient) -> Vec<Reply> {
    let asked = asked(client);
    let mut visitor = Visitor::new(app);
    vec![
        Visitor::new(app).open(&asked).await.expect(200),
        Visitor::new(app).sign_in(&asked, EMAIL, "wrong").await.expect(422),
        visitor.consent_page(&asked).await,
        Visitor::new(app).open(&with(&asked, "client_id", None)).await.expect(400),
        Visitor::new(app).post(&asked).await.expect(403),
        app.ask("DELETE", PATH).send().await.expect(405),
        app.post(PATH).json("{}").send().await.expect(415),
    ]
}

#[track_caller]
fn assert_not_framed(reply: &Reply, what: &str) {
    let policy = reply.header("content-security-policy").unwrap_or_default();
    assert!(policy.contains("frame-ancestors 'none'"), "{what}: {policy}");
}

both! {
    async fn section_4_16_no_page_lets_itself_be_framed(app) {
        add_ada(&app).await;
        let client = TestClient::new(&app, |_| {}).await;
        for page in all_pages(&app, &client).await {
            assert_not_framed(&page, &page.status.to_string());
            // For browsers that know no policy.
            assert_eq!(page.header("x-frame-options"), Some("DENY"), "{}", page.status);
        }
        let mut walked = 0;
        for route in routes().iter().filter(|route| route.handler.access() == Access::Public) {
            let path = route.path.replace(['{', '}'], "");
            let reply = app.ask(route.method.as_str(), &path).send().await;
            let kind = reply.header("content-type").unwrap_or_default();
            if kind.starts_with("text/html") {
                assert_not_framed(&reply, &path);
                walked += 1;
            }
        }
        assert!(walked >= 5, "{walked}");
    }

    async fn section_4_2_no_page_tells_another_site_where_it_is(app) {
        add_ada(&app).await;
        let client = TestClient::new(&app, |_| {}).await;
        for reply in all_pages(&app, &client).await {
            assert_eq!(reply.header("referrer-policy"), Some("same-origin"));
            let page = html(&reply);
            for part in [" href=", " src=", "url(", "http-equiv", "<a ", "<img", "<iframe"] {
                assert!(!page.contains(part), "{part} in {page}");
            }
            for form in page.split("<form").skip(1) {
                assert_eq!(attribute(form, "action"), PATH);
            }
        }
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&asked(&client)).await;
        let reply = decide(&mut visitor, &page, "allow").await;
        let (_, told) = way_back(&reply);
        // The code is in the address that leads to the app, and in nothing that comes after it.
        assert!(reply.bytes.is_empty());
        assert_eq!(reply.header("referrer-policy"), Some("same-origin"));
        for later in [visitor.open(&asked(&client)).await, decide(&mut visitor, &page, "deny").await] {
            let text = String::from_utf8_lossy(&later.bytes).into_owned();
            let all = format!("{text} {:?}", later.headers);
            assert!(!all.contains(&told["code"]), "{all}");
        }
    }

    async fn section_4_12_after_a_form_a_browser_is_led_on_by_303_without_what_was_typed(app) {
        add_ada(&app).await;
        let client = TestClient::new(&app, |_| {}).await;
        let asked = asked(&client);
        let mut visitor = Visitor::new(&app);
        let mut led = vec![visitor.sign_in(&asked, EMAIL, PASSWORD).await];
        let page = visitor.open(&asked).await.expect(200);
        led.push(decide(&mut visitor, &page, "deny").await);
        led.push(decide(&mut visitor, &page, "allow").await);
        led.push(visitor.post(&form(&page, "sign_out")).await);
        // The consent of somebody who has signed out meanwhile is asked for again.
        led.push(decide(&mut visitor, &page, "allow").await);
        let typed = encoded(&fields(&[("password", PASSWORD)]));
        for reply in led {
            let reply = reply.expect(303);
            let location = reply.header("location").unwrap();
            for secret in [typed.as_str(), "ada%40", "csrf_token"] {
                assert!(!location.contains(secret), "{location}");
            }
            assert!(reply.bytes.is_empty());
        }
        // A mistake is told to the app by the same status, with which a browser forgets the body.
        let bad = with(&asked, "scope", Some("nonsense"));
        way_back(&visitor.open(&bad).await);
    }

    async fn section_4_17_no_page_has_a_script_that_could_tell_another_window(app) {
        add_ada(&app).await;
        let client = TestClient::new(&app, |_| {}).await;
        for reply in all_pages(&app, &client).await {
            let policy = reply.header("content-security-policy").unwrap();
            assert!(policy.starts_with("default-src 'none';"), "{policy}");
            assert!(!policy.contains("script-src"), "{policy}");
            assert!(!html(&reply).contains("<script"));
            // An app may open them in a window of its own, and see it close.
            assert_eq!(reply.header("cross-origin-opener-policy"), None);
        }
        // Whoever asks for an answer by message gets it as everybody does.
        let more = [asked(&client), fields(&[("response_mode", "web_message")])].concat();
        let mut visitor = Visitor::new(&app);
        let page = visitor.consent_page(&more).await;
        let (_, told) = way_back(&decide(&mut visitor, &page, "allow").await);
        assert!(told.contains_key("code"));
    }
}
