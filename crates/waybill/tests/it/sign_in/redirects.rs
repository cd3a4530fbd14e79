//! What is wrong with a request of an app: told to the user alone, or to the app.

use crate::harness::both;
use crate::sign_in::visitor::{
    HOME, PATH, Visitor, add_client, add_user, encoded, fields, html, request, way_back, with,
};

both! {
    async fn the_address_may_be_left_out_when_exactly_one_is_registered(app) {
        let id = add_client(&app, "One", &[HOME]).await;
        let one = with(&request(&id), "redirect_uri", None);
        Visitor::new(&app).open(&one).await.expect(200);
        let two = add_client(&app, "Two", &[HOME, "https://app.example.com/other"]).await;
        Visitor::new(&app).open(&with(&request(&two), "redirect_uri", None)).await.expect(400);
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
