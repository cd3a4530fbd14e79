//! The website in a path is a team of the caller's, by its domain.

use waybill_domain::access::Role;

use crate::harness::both;
use crate::oauth::{TestClient, access, user_of};
use crate::sign_in::visitor::join;

both! {
    async fn a_website_is_found_with_and_without_www_and_in_any_case(app) {
        let (_, www) = app.team("www.books.example.com").await;
        for (name, token) in [
            ("shop.example.com", &app.admin),
            ("www.shop.example.com", &app.admin),
            ("Shop.Example.COM", &app.admin),
            ("WWW.shop.example.com", &app.admin),
            ("www.books.example.com", &www),
            ("books.example.com", &www),
        ] {
            let path = format!("/api/v1/website/{name}/");
            app.get(&path).token(token).send().await.expect(200);
            let path = format!("/api/v2/team/{name}/routing/carriers");
            app.get(&path).token(token).send().await.expect(200);
        }
        for name in ["books.example.com", "www.www.shop.example.com", "example.com", "shop", "www."] {
            let path = format!("/api/v1/website/{name}/");
            app.get(&path).admin().send().await.expect(404);
        }
    }

    async fn the_exact_domain_comes_first_whoever_has_it(app) {
        let (_, of_bare) = app.team("twin.example.com").await;
        let (www, of_www) = app.team("www.twin.example.com").await;
        let site = |name: &str, token: &str| {
            let path = format!("/api/v1/website/{name}/");
            app.get(&path).token(token).send()
        };
        for (name, token) in [("twin.example.com", &of_bare), ("www.twin.example.com", &of_www)] {
            let reply = site(name, token).await.expect(200);
            assert_eq!(reply.at("/data/website"), name);
        }
        // The other team has exactly this domain, and it is not the caller's.
        site("www.twin.example.com", &of_bare).await.expect(404);
        site("twin.example.com", &of_www).await.expect(404);
        let user = user_of(&app, &of_bare).await;
        join(&app, user, www).await;
        app.api.callers().forget();
        for name in ["twin.example.com", "www.twin.example.com"] {
            let reply = site(name, &of_bare).await.expect(200);
            assert_eq!(reply.at("/data/website"), name);
        }
    }

    async fn a_teams_id_is_its_name_below_v2_alone(app) {
        let team = app.team;
        let path = format!("/api/v2/team/{team}/routing/carriers");
        app.get(&path).admin().send().await.expect(200);
        let capitals = team.to_string().to_uppercase();
        let path_in_capitals = format!("/api/v2/team/{capitals}/routing/carriers");
        app.get(&path_in_capitals).admin().send().await.expect(200);
        app.get(&format!("/api/v1/website/{team}/")).admin().send().await.expect(404);
        let (_, stranger) = app.team("other.example.com").await;
        app.get(&path).token(&stranger).send().await.expect(404);
    }

    async fn an_apps_token_is_good_for_its_own_website(app) {
        let (other, _) = app.team("other.example.com").await;
        let user = user_of(&app, &app.admin).await;
        join(&app, user, other).await;
        let client = TestClient::new(&app, |client| client.role = Some(Role::Member)).await;
        let own = client.own(&app).await;
        let site = |name: &str| {
            let path = format!("/api/v1/website/{name}/");
            app.get(&path).token(access(&own)).send()
        };
        let reply = site("shop.example.com").await.expect(200);
        assert_eq!(reply.at("/data/email"), serde_json::Value::Null);
        site("other.example.com").await.expect(404);
        let me = app.get("/api/v1/me").token(access(&own)).send().await.expect(200);
        assert_eq!(me.at("/data/websites").as_array().unwrap().len(), 1);
    }

    async fn a_deleted_team_is_no_website_any_more(app) {
        app.website("/").admin().send().await.expect(200);
        app.delete(&app.path("?domain=shop.example.com")).admin().send().await.expect(204);
        app.website("/").admin().send().await.expect(404);
        let me = app.get("/api/v1/me").admin().send().await.expect(200);
        assert_eq!(me.at("/data/websites"), serde_json::json!([]));
        // Another team may take the domain.
        let (_, next) = app.team("shop.example.com").await;
        app.website("/").token(&next).send().await.expect(200);
    }
}
