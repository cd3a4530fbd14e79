//! Lists, areas, the closest, and one.

use serde_json::json;

use super::{codes, point, six, take};
use crate::harness::both;

both! {
    async fn points_are_listed_in_pages_in_the_order_in_which_they_came(app) {
        take(&app, six(), false).await;
        let first = app.points("?carrier=dao&country=DK&per_page=4").await.expect(200);
        assert_eq!(codes(&first), ["1", "2", "3", "4"]);
        let next = first.at("/links/next").as_str().unwrap().to_owned();
        let next = next.strip_prefix("http://waybill.test").unwrap().to_owned();
        let second = app.get(&next).admin().send().await.expect(200);
        assert_eq!(codes(&second), ["5", "6"]);
        assert_eq!(second.at("/links/next"), json!(null));
        let back = second.at("/links/prev").as_str().unwrap().to_owned();
        let back = back.strip_prefix("http://waybill.test").unwrap().to_owned();
        assert_eq!(codes(&app.get(&back).admin().send().await.expect(200)), ["1", "2", "3", "4"]);
        let row = first.at("/data/0");
        assert_eq!(row["carrier"]["code"], json!("dao"));
        assert_eq!(row["coordinates"], json!({"latitude": 55.66, "longitude": 12.58}));
        assert_eq!(row["address"]["city"], json!("København S"));
    }

    async fn a_place_or_an_area_narrows_the_list(app) {
        take(&app, six(), false).await;
        let list = |rest: &'static str| {
            let app = &app;
            async move { codes(&app.points(&format!("?carrier=dao&country=DK{rest}")).await.expect(200)) }
        };
        assert_eq!(list("&postal_code=2300").await, ["1", "2"]);
        assert_eq!(list("&postal_code=23%2000").await, ["1", "2"]);
        assert_eq!(list("&city=k%C3%B8benhavn%20S").await, ["1", "2"]);
        assert_eq!(list("&postal_code=2300&city=Aarhus").await, [""; 0]);
        assert_eq!(list("&bounds=55.60,12.45,55.75,12.70").await, ["1", "2", "3"]);
        assert_eq!(list("&bounds=55.60,12.45,55.67,12.70&postal_code=2300").await, ["1", "2"]);
        assert_eq!(list("&bounds=55.655,12.45,55.67,12.70&postal_code=2300").await, ["1"]);
        assert_eq!(list("&bounds=0,0,1,1").await, [""; 0]);
    }

    async fn an_area_is_read_in_pages_both_ways(app) {
        take(&app, six(), false).await;
        let mut path = app.path("/service-points?carrier=dao&country=DK&bounds=54,8,58,13&per_page=2");
        let mut seen = Vec::new();
        let mut last = String::new();
        loop {
            let page = app.get(&path).admin().send().await.expect(200);
            seen.extend(codes(&page));
            last = page.at("/links/prev").as_str().map_or(last, str::to_owned);
            let Some(next) = page.at("/links/next").as_str().map(str::to_owned) else { break };
            path = next.strip_prefix("http://waybill.test").unwrap().to_owned();
        }
        assert_eq!(seen, ["1", "2", "3", "4", "5", "6"]);
        let back = last.strip_prefix("http://waybill.test").unwrap();
        assert_eq!(codes(&app.get(back).admin().send().await.expect(200)), ["3", "4"]);
    }

    async fn the_closest_come_first_with_their_distance_in_metres(app) {
        take(&app, six(), false).await;
        let near = "?carrier=dao&country=DK&latitude=55.66&longitude=12.58&limit=3";
        let reply = app.points(&format!("/closest{near}")).await.expect(200);
        assert_eq!(codes(&reply), ["1", "2", "3"]);
        assert_eq!(reply.at("/data/0/distance"), json!({"value": 0, "unit": "m"}));
        let metres = reply.at("/data/1/distance/value").as_i64().unwrap();
        assert!((1670..1690).contains(&metres), "{metres}");
        let all = "/closest?carrier=dao&country=DK&postal_code=5000";
        assert_eq!(codes(&app.points(all).await.expect(200))[0], "5");
        let all = "/closest?carrier=dao&country=DK&postal_code=8999&city=Aalborg&address_line=Gade%201";
        assert_eq!(codes(&app.points(all).await.expect(200))[0], "6", "the city is known");
        let same = "/closest?carrier=dao&country=DK&postal_code=DK-5000";
        assert_eq!(codes(&app.points(same).await.expect(200))[0], "5");
        let nowhere = app.points("/closest?carrier=dao&country=DK&postal_code=ZZZ").await;
        assert_eq!(nowhere.expect(200).at("/data"), json!([]));
        let none = app.points("/closest?carrier=gls&country=DK&postal_code=2300").await;
        assert_eq!(none.expect(200).at("/data"), json!([]));
    }

    async fn one_point_is_found_by_its_code_whatever_characters_it_has(app) {
        take(&app, vec![point("A/1 æ", "2300", "København S", (55.6, 12.5))], false).await;
        let one = app.points("/dao/DK/A%2F1%20%C3%A6").await.expect(200);
        assert_eq!(one.at("/data/code"), json!("A/1 æ"));
        for nobody in ["/dao/DK/2", "/gls/DK/A%2F1%20%C3%A6", "/dao/SE/A%2F1%20%C3%A6", "/dao/dk/x"] {
            app.points(nobody).await.expect(404);
        }
    }

    async fn what_is_asked_wrongly_is_told_at_each_parameter(app) {
        let problems = |rest: &'static str| {
            let app = &app;
            async move { app.points(rest).await.problems() }
        };
        assert_eq!(problems("").await, ["carrier", "country"]);
        assert_eq!(
            problems("?carrier=nobody&country=XX&bounds=1,2,3&per_page=0&city=&postal_code=").await,
            ["bounds", "carrier", "city", "country", "per_page", "postal_code"]
        );
        assert_eq!(problems("/closest?carrier=dao&country=DK").await, ["postal_code"]);
        assert_eq!(problems("/closest?carrier=dao&country=DK&latitude=1").await, ["longitude"]);
        assert_eq!(
            problems("/closest?carrier=dao&country=DK&latitude=91&longitude=nan&limit=101").await,
            ["latitude", "limit", "longitude"]
        );
        let other = app.points("?carrier=dao&country=DK&cursor=AAAA").await;
        assert_eq!(other.problems(), ["cursor"]);
    }
}
