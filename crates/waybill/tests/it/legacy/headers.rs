//! What every answer says, errors included.

use axum::body::Body;
use axum::http::Request;
use waybill_api::dispatch;
use waybill_api::legacy::Sunset;
use waybill_api::limits::Limits;
use waybill_api::state::{Api, Extras};

use crate::harness::answers::send;
use crate::harness::{Reply, both};

#[track_caller]
fn assert_older(reply: &Reply, cache: &str) {
    let id = reply.header("request-id").unwrap();
    assert_eq!(reply.header("response-id"), Some(id));
    assert_eq!(reply.header("cache-control"), Some(cache));
    assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(reply.header("deprecation"), Some("@1793491200"));
    let link = "<http://waybill.test/docs>; rel=\"deprecation\"; type=\"text/html\"";
    assert_eq!(reply.header("link"), Some(link));
    assert_eq!(reply.header("sunset"), None);
}

both! {
    async fn every_answer_says_that_it_is_of_the_older_api(app) {
        let routing = format!("/api/v2/team/{}/routing/carriers", app.team);
        let twice = format!("/api/v1/me?api_token={}", app.admin);
        let admin = app.admin.as_str();
        for (path, token, status) in [
            ("/api/v1/me", admin, 200),
            ("/api/v1/me", "", 401),
            ("/api/v1/nothing", "", 404),
            ("/api/v2/nothing", admin, 404),
            ("/api/v1/website/shop.example.com/", admin, 200),
            ("/api/v1/website/nowhere.example.com/", admin, 404),
            ("/api/v1/website/shop.example.com/agents/carrier/x/country/DK", admin, 422),
            (twice.as_str(), admin, 400),
            (routing.as_str(), "", 401),
        ] {
            let reply = app.get(path).token(token).send().await.expect(status);
            assert_older(&reply, "private, no-store");
        }
        for method in ["OPTIONS", "DELETE", "HEAD"] {
            let reply = app.ask(method, "/api/v1/me").admin().send().await;
            assert_older(&reply, "private, no-store");
        }
    }

    async fn the_carriers_may_be_kept_and_asked_about(app) {
        let path = "/api/v2/team/shop.example.com/routing/carriers";
        let reply = app.get(path).admin().send().await.expect(200);
        assert_older(&reply, "private, no-cache");
        let etag = reply.header("etag").unwrap().to_owned();
        let ask = app.get(path).admin().header("if-none-match", &etag);
        let reply = ask.send().await.expect(304);
        assert_older(&reply, "private, no-cache");
        assert_eq!(reply.header("etag"), Some(&*etag));
        app.get(path).admin().header("if-none-match", "\"other\"").send().await.expect(200);
    }

    async fn an_id_is_echoed_as_long_as_its_path_allows(app) {
        let routing = "/api/v2/team/shop.example.com/routing/carriers";
        for (path, max) in [(routing, 128), ("/api/v1/me", 64), ("/api/v1/nothing", 64)] {
            for (length, is_echoed) in [(max, true), (max + 1, false)] {
                let id = "x".repeat(length);
                let reply = app.get(path).admin().header("request-id", &id).send().await;
                assert_eq!(reply.header("request-id") == Some(&*id), is_echoed, "{path} {length}");
                assert_eq!(reply.header("response-id"), reply.header("request-id"));
            }
        }
    }

    async fn the_last_day_is_told_where_the_operator_has_set_one(app) {
        let legacy_sunset = Sunset::parse("2028-01-01");
        let extras = Extras { legacy_sunset, ..Extras::default() };
        let router = dispatch::router(Api::with_extras(app.app.clone(), Limits::new(0, 0), extras));
        let ask = |path: &str| {
            let request = Request::get(path).header("authorization", format!("Bearer {}", app.admin));
            send(&router, request.body(Body::empty()).unwrap())
        };
        for (path, status) in [("/api/v1/me", 200), ("/api/v1/nothing", 404)] {
            let reply = ask(path).await.expect(status);
            assert_eq!(reply.header("sunset"), Some("Sat, 01 Jan 2028 00:00:00 GMT"));
        }
        assert_eq!(ask("/v2/me").await.expect(200).header("sunset"), None);
    }
}
