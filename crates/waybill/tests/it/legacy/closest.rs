//! The agents that are closest to a place.

use serde_json::{Value, json};

use super::{numbers, point};
use crate::harness::{Reply, TestApp, both};
use crate::points::{six, take};

async fn of(app: &TestApp, rest: &str) -> Reply {
    let path = format!("/agents/closest/carrier/dao/country/DK{rest}");
    app.website(&path).admin().send().await
}

both! {
    async fn the_closest_come_first_with_their_distance_in_kilometres(app) {
        take(&app, six(), false).await;
        let at = "/coordinates/latitude/55.66/longitude/12.58";
        let reply = of(&app, at).await.expect(200);
        assert_eq!(numbers(&reply), ["1", "2", "3", "5", "4", "6"]);
        assert_eq!(reply.at("/data/0/distance"), json!(0));
        assert_eq!(reply.at("/data/1/distance"), json!(1.68));
        let far = reply.at("/data/5/distance").as_f64().unwrap();
        assert!((220.0..230.0).contains(&far), "{far}");
        assert!((far * 100.0 - (far * 100.0).round()).abs() < 1e-6, "{far}");
        assert_eq!(reply.at("/meta/total"), "6");
        assert_eq!(reply.at("/links/next"), Value::Null);
    }

    async fn at_most_fifteen_are_told_on_one_page(app) {
        let far = |number: u8| point("dao", &number.to_string(), "Gade 1", (55.0 + f64::from(number) / 10.0, 12.0));
        take(&app, (10..30).map(far).collect(), false).await;
        let at = "/coordinates/latitude/56/longitude/12";
        let reply = of(&app, at).await.expect(200);
        assert_eq!(reply.at("/data").as_array().unwrap().len(), 15);
        assert_eq!(numbers(&reply)[0], "10");
        let meta = reply.at("/meta");
        assert_eq!((&meta["total"], &meta["last_page"]), (&json!("15"), &json!("1")));
        let past = of(&app, &format!("{at}?page=2")).await.expect(200);
        assert_eq!((past.at("/data"), past.at("/meta/total")), (json!([]), json!("15")));
        assert_eq!(of(&app, &format!("{at}?page=0")).await.problems(), ["page"]);
    }

    async fn a_place_is_told_in_every_form_that_clients_have(app) {
        take(&app, six(), false).await;
        for (rest, first) in [
            ("/postalcode/5000", "5"),
            ("/postalcode/dk-5000", "5"),
            ("/postalcode/5000/street/Vestergade%201", "5"),
            ("/postalcode/8999/city/Aalborg", "6"),
            ("/postalcode/8999/city/AALBORG/street/Gade%201", "6"),
            ("/postalcode/8999/city/aarhus+c", "4"),
            ("/coordinates/latitude/57/longitude/9.9", "6"),
            ("/coordinates/latitude/-57/longitude/-9.9", "5"),
        ] {
            let found = numbers(&of(&app, rest).await.expect(200));
            assert!(found.len() == 6 && found[0] == first, "{rest}: {found:?}");
        }
    }

    async fn where_nothing_is_known_of_a_place_there_is_nobody(app) {
        take(&app, six(), false).await;
        for rest in ["/postalcode/ZZZ", "/postalcode/ZZZ/city/Nowhere/street/Gade"] {
            let reply = of(&app, rest).await.expect(200);
            assert_eq!((reply.at("/data"), reply.at("/meta/total")), (json!([]), json!("0")));
        }
        let path = "/agents/closest/carrier/gls/country/SE/postalcode/2300";
        let reply = app.website(path).admin().send().await.expect(200);
        assert_eq!(reply.at("/data"), json!([]));
        let bad = of(&app, "/coordinates/latitude/90.1/longitude/-180.1").await;
        assert_eq!(bad.problems(), ["latitude", "longitude"]);
        for no_number in ["nan", "55,6", "1e1", "%20"] {
            let bad = of(&app, &format!("/coordinates/latitude/{no_number}/longitude/12")).await;
            assert_eq!(bad.problems(), ["latitude"], "{no_number}");
        }
    }
}
