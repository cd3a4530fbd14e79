//! Who calls: a bearer token, or one in the query.

use std::time::Duration;

use waybill_domain::access::Role;

use crate::harness::agent::Agent;
use crate::harness::both;
use crate::oauth::{TestClient, access};

const SHOP: &str =
    "service-points:read shipments:read shipments:write documents:read carriers:read";

both! {
    async fn a_token_in_the_query_alone_is_enough(app) {
        let path = format!("/api/v1/me?api_token={}", app.admin);
        app.get(&path).send().await.expect(200);
        app.get("/api/v1/me").admin().send().await.expect(200);
        let path = format!("/agents/carrier/dao/country/DK?foo=1&api_token={}&page=1", app.admin);
        app.website(&path).send().await.expect(200);
    }

    async fn whoever_has_no_token_of_ours_reads_the_same_in_every_language(app) {
        let unknown = app.admin.replace(char::is_lowercase, "x");
        let wrong = format!("/api/v1/me?api_token={unknown}");
        for path in ["/api/v1/me", "/api/v1/me?api_token=", "/api/v1/me?api_token=junk", &wrong] {
            for language in ["en", "da", "de"] {
                let ask = app.get(path).header("accept-language", language);
                let reply = ask.send().await.expect(401);
                let body = String::from_utf8_lossy(&reply.bytes).into_owned();
                assert_eq!(body, r#"{"message":"Invalid API token provided"}"#, "{path}");
                assert_eq!(reply.header("content-language"), Some("en"));
            }
        }
    }

    async fn two_tokens_are_400_also_when_they_are_equal(app) {
        let path = format!("/api/v1/me?api_token={}", app.admin);
        let twice = format!("{path}&api_token={}", app.admin);
        app.get(&path).admin().send().await.expect(400);
        app.get(&twice).send().await.expect(400);
        let reply = app.get(&format!("{path}&api_token=")).send().await.expect(400);
        assert_eq!(reply.json().as_object().unwrap().len(), 1, "a message and nothing else");
        // Other schemes are not ours: a shop may be behind a proxy that asks for a password.
        app.get(&path).header("authorization", "Basic eDp5").send().await.expect(200);
    }

    async fn a_token_in_the_query_is_a_credential_nowhere_else(app) {
        let team = app.team;
        for path in ["/v2/me".to_owned(), "/v2/teams".to_owned(), format!("/v2/teams/{team}"),
                     format!("/beta/teams/{team}/documents")] {
            app.get(&format!("{path}?api_token={}", app.admin)).send().await.expect(401);
        }
    }

    async fn a_shops_token_reads_all_that_a_shop_needs(app) {
        let token = app.token_for(app.team, Role::Member, SHOP).await;
        let query = format!("?api_token={token}");
        app.get(&format!("/api/v1/user{query}")).send().await.expect(200);
        app.website(&format!("/{query}")).send().await.expect(200);
        app.website(&format!("/agents/carrier/gls/country/DK{query}")).send().await.expect(200);
        let routing = "/api/v2/team/shop.example.com/routing/carriers";
        app.get(&format!("{routing}{query}")).send().await.expect(200);
        // The account asks for no scope.
        let bare = app.token_for(app.team, Role::Member, "").await;
        app.website("/").token(&bare).send().await.expect(200);
        app.get("/api/v1/me").token(&bare).send().await.expect(200);
        app.website("/agents/carrier/gls/country/DK").token(&bare).send().await.expect(403);
    }

    async fn a_token_that_is_over_opens_nothing(app) {
        let client = TestClient::new(&app, |_| {}).await;
        let own = client.own(&app).await;
        let path = format!("/api/v1/me?api_token={}", access(&own));
        app.get(&path).send().await.expect(200);
        app.clock.advance(Duration::from_hours(2));
        app.get(&path).send().await.expect(401);
    }

    async fn a_print_agent_is_no_account(app) {
        let agent = Agent::registered(&app, "Own").await;
        app.get("/api/v1/me").token(&agent.token).send().await.expect(403);
        app.website("/").token(&agent.token).send().await.expect(403);
    }
}
