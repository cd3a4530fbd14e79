//! What an import changes, and that every server sees it.

use serde_json::json;
use waybill_engine::points::search;
use waybill_store::service_points::Set;

use super::{codes, point, six, take};
use crate::harness::both;

both! {
    async fn a_point_keeps_its_id_from_import_to_import_also_when_it_was_gone(app) {
        take(&app, six(), true).await;
        let id = |code: &'static str| {
            let app = &app;
            async move { app.points(&format!("/dao/DK/{code}")).await.expect(200).at("/data/uuid") }
        };
        let before = (id("1").await, id("2").await);
        let taken = take(&app, six().into_iter().skip(1).collect(), true).await;
        assert_eq!((taken[0].points, taken[0].retired), (5, 1));
        app.points("/dao/DK/1").await.expect(404);
        take(&app, six(), true).await;
        assert_eq!((id("1").await, id("2").await), before);
    }

    async fn an_import_that_is_not_whole_lets_nothing_go(app) {
        take(&app, six(), true).await;
        let moved = point("1", "9990", "Skagen", (57.72, 10.58));
        let taken = take(&app, vec![moved], false).await;
        assert_eq!((taken[0].points, taken[0].retired), (6, 0));
        let skagen = "/closest?carrier=dao&country=DK&postal_code=9990&limit=1";
        assert_eq!(codes(&app.points(skagen).await.expect(200)), ["1"]);
    }

    async fn of_two_entries_with_one_code_the_later_one_stays(app) {
        let twice = vec![
            point("1", "2300", "København S", (55.0, 12.0)),
            point("1", "8000", "Aarhus C", (56.0, 10.0)),
        ];
        assert_eq!(take(&app, twice, true).await[0].points, 1);
        let one = app.points("/dao/DK/1").await.expect(200);
        assert_eq!(one.at("/data/address/city"), json!("Aarhus C"));
    }

    async fn a_large_import_is_found_as_a_whole(app) {
        let many = (0..1300u32).map(|number| {
            let (north, east) = (f64::from(number % 37), f64::from(number / 37));
            let code = format!("{number}");
            point(&code, "2300", "København S", (55.0 + north / 100.0, 12.0 + east / 100.0))
        });
        assert_eq!(take(&app, many.collect(), true).await[0].points, 1300);
        let near = "/closest?carrier=dao&country=DK&latitude=55.2&longitude=12.1&limit=100";
        let found = codes(&app.points(near).await.expect(200));
        assert_eq!(found.len(), 100);
        assert_eq!(found[0], (37 * 10 + 20).to_string());
    }

    async fn a_second_server_finds_the_same_at_once(app) {
        take(&app, six(), true).await;
        let beside = app.beside(0, 0).app().clone();
        let country = waybill_domain::country::Country::parse("DK").unwrap();
        let set = Set { carrier: "dao".to_owned(), country };
        let found = |app: waybill_engine::app::App| {
            let set = set.clone();
            async move {
                let look = |region: &waybill_domain::point::Region| {
                    region.closest(region.locate("2300", None).unwrap(), 6)
                };
                search(&app, &set, look).await.unwrap()
            }
        };
        assert_eq!(found(app.app.clone()).await, found(beside.clone()).await);
        let mut points = six();
        points[0] = point("7", "2300", "København S", (55.655, 12.59));
        take(&app, points, true).await;
        let here = found(app.app.clone()).await;
        assert_eq!(here, found(beside).await);
        assert_eq!(here[0].0.code, "7");
    }
}
