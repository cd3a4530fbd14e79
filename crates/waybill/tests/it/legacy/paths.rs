//! Paths as plugins put them together.

use serde_json::json;

use super::{numbers, point};
use crate::harness::both;
use crate::points::take;

both! {
    async fn a_slash_at_the_end_does_not_count(app) {
        take(&app, vec![point("dao", "1", "Gade 1", (55.6, 12.5))], false).await;
        for rest in [
            "/agents/carrier/dao/country/DK",
            "/agents/carrier/dao/country/DK/postalcode/2300",
            "/agents/carrier/dao/country/DK/postalcode/2300/street/Gade%201",
            "/agents/closest/carrier/dao/country/DK/postalcode/2300",
        ] {
            let plain = app.website(rest).admin().send().await.expect(200);
            let slash = app.website(&format!("{rest}/?page=1")).admin().send().await.expect(200);
            assert_eq!(numbers(&plain), ["1"], "{rest}");
            assert_eq!(plain.json(), slash.json(), "the links have no slash either");
        }
        // A second one is a part without a name.
        for rest in ["/agents/carrier/dao/country/DK//", "//", "/agents/carrier/dao/country//"] {
            app.website(rest).admin().send().await.expect(404);
        }
    }

    async fn parts_are_decoded_once_and_an_encoded_slash_divides_nothing(app) {
        take(&app, vec![point("dao", "A/1 æ%", "Gade 1", (55.6, 12.5))], false).await;
        let of = |number: &str| {
            let path = format!("/agents/carrier/dao/country/DK/agentno/{number}");
            app.website(&path).admin().send()
        };
        let reply = of("A%2F1%20%C3%A6%25").await.expect(200);
        assert_eq!(reply.at("/data/agent_no"), "A/1 æ%");
        of("A/1%20%C3%A6%25").await.expect(404);
        of("A%252F1%20%C3%A6%25").await.expect(404);
        of("%FF").await.expect(404);
        of("a%00b").await.expect(404);
        let path = "/%61gents/carrier/%64ao/country/%44%4B";
        assert_eq!(numbers(&app.website(path).admin().send().await.expect(200)), ["A/1 æ%"]);
    }

    async fn a_street_is_the_rest_of_the_path(app) {
        take(&app, vec![point("dao", "1", "Gade 1/3", (55.6, 12.5))], false).await;
        let of = |street: &str| {
            let path = format!("/agents/carrier/dao/country/DK/postalcode/2300/street/{street}");
            app.website(&path).admin().send()
        };
        for street in ["Gade%201/3", "Gade%201%2F3", "gade", "Gade%205/7/", "Gade+1"] {
            assert_eq!(numbers(&of(street).await.expect(200)), ["1"], "{street}");
        }
        assert_eq!(numbers(&of("Anden/Gade").await.expect(200)), [""; 0]);
        let closest = "/agents/closest/carrier/dao/country/DK/postalcode/2300";
        for rest in ["/street/a/b/c", "/city/Byen/street/a/b", "/city/a%2Fb", "/street/a/city/b"] {
            let path = format!("{closest}{rest}");
            assert_eq!(numbers(&app.website(&path).admin().send().await.expect(200)), ["1"]);
        }
    }

    async fn links_keep_the_spelling_of_the_request_and_hold_no_token(app) {
        for prefix in ["/api/v1/website/WWW.Shop.example.com", "/api/v1/demo/website/shop%2Eexample.com"] {
            let path = format!("{prefix}/agents/carrier/dao/country/dk");
            let ask = app.get(&format!("{path}/?api_token={}&page=2", app.admin));
            let reply = ask.send().await.expect(200);
            let url = format!("http://waybill.test{path}");
            assert_eq!(reply.at("/meta/path"), json!(url));
            assert_eq!(reply.at("/links/first"), json!(format!("{url}?page=1")));
            assert_eq!(reply.at("/links/previous"), json!(format!("{url}?page=1")));
            assert!(!String::from_utf8_lossy(&reply.bytes).contains("wb_"));
        }
    }

    async fn what_a_client_says_of_a_body_that_it_does_not_send_does_not_matter(app) {
        let ask = app.website("/agents/carrier/dao/country/DK?foo=1&per_page=500&foo=2").admin();
        let ask = ask.header("content-type", "application/json").header("accept", "text/html");
        let reply = ask.send().await.expect(200);
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(reply.at("/meta/per_page"), "15");
    }
}
