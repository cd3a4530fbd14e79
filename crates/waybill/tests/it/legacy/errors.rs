//! What is wrong, in the shape that plugins read.

use serde_json::json;
use waybill_domain::access::Role;

use crate::harness::{Database, TestApp, both};

both! {
    async fn what_is_invalid_has_a_code_an_id_and_a_link(app) {
        let ask = app.website("/agents/carrier/nobody/country/XX").admin();
        let reply = ask.header("request-id", "checkout-1").send().await.expect(422);
        assert_eq!(reply.json(), json!({
            "message": "The given data was invalid.",
            "code": "ValidationException",
            "id": "checkout-1",
            "errors": {
                "carrier": ["must be one of: postnord, gls, dao, bifrost, bring"],
                "country": ["must be an ISO 3166 country code of two capital letters, such as DK"],
            },
            "links": {"about": "http://waybill.test/docs#ValidationException"},
        }));
        let ask = app.website("/agents/carrier/dao/country/XX").admin();
        let reply = ask.header("accept-language", "da").send().await.expect(422);
        assert_eq!(reply.at("/message"), "De angivne data er ugyldige.");
        assert_eq!(reply.header("content-language"), Some("da"));
    }

    async fn every_other_error_is_a_message_alone(app) {
        let bare = app.token_for(app.team, Role::Member, "").await;
        let agents = "/agents/carrier/dao/country/DK";
        let replies = [
            app.get("/api/v1/nothing").send().await.expect(404),
            app.get("/api/v2/nothing").admin().send().await.expect(404),
            app.get("/api/v1/").send().await.expect(404),
            app.get("/api/v1/me").send().await.expect(401),
            app.get("/api/v1/website/other.example.com/").admin().send().await.expect(404),
            app.website("/agents/not-a-uuid").admin().send().await.expect(404),
            app.website("/agents/4821").admin().send().await.expect(404),
            app.website(agents).token(&bare).send().await.expect(403),
        ];
        for reply in replies {
            let body = reply.json();
            assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["message"]);
            assert!(!body["message"].as_str().unwrap().is_empty());
        }
    }

    async fn a_method_that_a_path_does_not_have_is_405(app) {
        let reply = app.post("/api/v1/me").admin().json("{}").send().await.expect(405);
        assert_eq!(reply.header("allow"), Some("GET, HEAD, OPTIONS"));
        assert_eq!(reply.json().as_object().unwrap().len(), 1);
        let path = "/api/v1/website/shop.example.com/agents/carrier/dao/country/DK";
        app.delete(path).admin().send().await.expect(405);
        app.put(path).admin().send().await.expect(405);
        app.ask("HEAD", path).admin().send().await.expect(200);
        let reply = app.ask("OPTIONS", path).send().await.expect(204);
        assert_eq!(reply.header("allow"), Some("GET, HEAD, OPTIONS"));
        app.ask("HEAD", "/api/v1/nothing").send().await.expect(404);
    }

    async fn paths_beside_the_older_api_speak_as_ever(app) {
        for path in ["/api", "/api/", "/api/v1", "/api/v3/me", "/apis/v1/me"] {
            let reply = app.get(path).send().await.expect(404);
            assert_eq!(reply.header("deprecation"), None, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_website_has_the_limits_of_its_team() {
    let app = TestApp::with_limits(Database::Sqlite, 60, 60).await;
    for _ in 0..6 {
        app.website("/").admin().send().await.expect(200);
    }
    let reply = app.website("/").admin().send().await.expect(429);
    assert_eq!(reply.header("retry-after"), Some("1"));
    assert_eq!(reply.json().as_object().unwrap().len(), 1);
    app.get(&app.path("")).admin().send().await.expect(429);
}

#[tokio::test(flavor = "multi_thread")]
async fn to_guess_tokens_and_websites_counts_against_whoever_guesses() {
    let app = TestApp::with_limits(Database::Sqlite, 60, 60).await;
    let mut statuses = Vec::new();
    for number in 0..8 {
        let path = format!("/api/v1/me?api_token=a&api_token={number}");
        statuses.push(app.get(&path).send().await.status);
    }
    assert_eq!(statuses, [400, 400, 400, 400, 400, 400, 429, 429]);
}
