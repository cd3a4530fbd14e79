//! Who calls, and which carriers there are.

use serde_json::{Value, json};
use waybill_domain::access::Role;

use crate::harness::both;
use crate::oauth::user_of;
use crate::sign_in::visitor::join;

both! {
    async fn the_user_is_told_with_all_its_websites(app) {
        let user = user_of(&app, &app.admin).await;
        let (second, _) = app.team("second.example.com").await;
        join(&app, user, second).await;
        app.api.callers().forget();
        let expected = json!({"data": {
            "uuid": user.to_string(),
            "name": "Ada Jensen",
            "email": format!("{user}@example.com"),
            "websites": [
                {"uuid": app.team.to_string(), "url": "shop.example.com"},
                {"uuid": second.to_string(), "url": "second.example.com"},
            ],
        }});
        for path in ["/api/v1/me", "/api/v1/user", "/api/v1/me/", "/api/v1/me?unknown=1"] {
            assert_eq!(app.get(path).admin().send().await.expect(200).json(), expected, "{path}");
        }
    }

    async fn a_website_is_told_by_its_domain_in_whatever_spelling_it_was_asked_for(app) {
        let user = user_of(&app, &app.admin).await;
        let expected = json!({"data": {
            "id": user.to_string(),
            "uuid": user.to_string(),
            "name": "Ada Jensen",
            "email": format!("{user}@example.com"),
            "website": "shop.example.com",
        }});
        for path in [
            "/api/v1/website/shop.example.com/",
            "/api/v1/website/shop.example.com",
            "/api/v1/website/WWW.Shop.example.com/",
            "/api/v1/website/shop%2Eexample.com/",
            "/api/v1/demo/website/shop.example.com/",
            "/api/v1/demo/website/shop.example.com",
        ] {
            assert_eq!(app.get(path).admin().send().await.expect(200).json(), expected, "{path}");
        }
    }

    async fn every_carrier_of_the_catalog_is_told_with_four_members(app) {
        let path = "/api/v2/team/shop.example.com/routing/carriers";
        let carriers = app.get(path).admin().send().await.expect(200).at("/data");
        let whole = app.get("/v2/carriers").admin().send().await.expect(200).at("/data");
        let entry = |carrier: &Value| {
            json!({"code": carrier["code"], "name": carrier["name"],
                   "logo_url": carrier["logo_url"], "icon_url": carrier["icon_url"]})
        };
        let expected: Vec<Value> = whole.as_array().unwrap().iter().map(entry).collect();
        assert_eq!(carriers, json!(expected));
        assert!(expected.len() > 5, "{}", expected.len());
        let logo = carriers[0]["logo_url"].as_str().unwrap().to_owned();
        app.get(logo.strip_prefix("http://waybill.test").unwrap()).send().await.expect(200);
        let bare = app.token_for(app.team, Role::Member, "teams:read").await;
        app.get(path).token(&bare).send().await.expect(403);
    }
}
