//! Agents: by country, by postal code, by street, in an area, and one.

use serde_json::{Value, json};

use super::{numbers, point};
use crate::harness::{Reply, TestApp, both};
use crate::points::take;

/// Agents of a carrier in Denmark.
async fn of(app: &TestApp, rest: &str) -> Reply {
    app.website(&format!("/agents/carrier/dao{rest}")).admin().send().await
}

fn agent(number: &str) -> Value {
    point("dao", number, "Gade 1", (55.6, 12.5))
}

/// A point of Sweden.
fn swedish(code: &str, at: (f64, f64)) -> Value {
    let mut point = point("dao", code, "Gata 1", at);
    point["address"]["country"] = json!("SE");
    point
}

both! {
    async fn an_agent_has_every_member_in_the_older_names(app) {
        let mut shop = point("postnord", "4821", "Islands Brygge 21", (55.6655, 12.5736));
        shop["name"] = json!("Netto Islands Brygge");
        shop["address"]["address_lines"] = json!(["Islands Brygge 21", "Stuen", "Bag kassen"]);
        shop["opening_hours"] = json!({"regular": [
            {"weekday": "saturday", "periods": [{"opens": "13:00", "closes": "24:00"},
                                                {"opens": "08:00", "closes": "12:00"}]},
            {"weekday": "sunday", "periods": []},
            {"weekday": "monday", "periods": [{"opens": "08:00", "closes": "22:00"}]},
        ], "special": [{"date": "2026-12-24", "is_closed": true, "periods": []}]});
        take(&app, vec![shop], false).await;
        let path = "/agents/carrier/postnord/country/dk/agentno/4821";
        let reply = app.website(path).admin().send().await.expect(200);
        let id = reply.at("/data/id").as_str().unwrap().to_owned();
        let expected = json!({"data": {
            "id": id, "type": "agent", "agent_no": "4821", "carrier": "postnord", "distance": null,
            "company": "Netto Islands Brygge", "name_line1": null, "name_line2": null,
            "address_line1": "Islands Brygge 21", "address_line2": "Stuen, Bag kassen",
            "postal_code": "2300", "city": "København S", "country": "DK",
            "coordinates": {"latitude": 55.6655, "longitude": 12.5736},
            "opening_hours": [
                {"day": "monday", "opens": "08:00:00", "closes": "22:00:00"},
                {"day": "saturday", "opens": "08:00:00", "closes": "12:00:00"},
                {"day": "saturday", "opens": "13:00:00", "closes": "24:00:00"},
            ],
        }});
        assert_eq!(reply.json(), expected);
        let by_id = app.website(&format!("/agents/{id}")).admin().send().await.expect(200);
        assert_eq!(by_id.json(), expected);
        let v2 = app.path("/service-points/postnord/DK/4821");
        assert_eq!(app.get(&v2).admin().send().await.expect(200).at("/data/uuid"), json!(id));
    }

    async fn agents_of_a_country_come_in_the_order_of_their_numbers_as_text(app) {
        let numbers_of = ["9", "10", "100", "1", "b", "A", "a", "Ø", "2"];
        take(&app, numbers_of.iter().map(|number| agent(number)).collect(), false).await;
        let reply = of(&app, "/country/DK").await.expect(200);
        assert_eq!(numbers(&reply), ["1", "10", "100", "2", "9", "A", "a", "b", "Ø"]);
        assert_eq!(reply.at("/data/0/opening_hours"), json!([]));
        assert_eq!(numbers(&of(&app, "/country/SE").await.expect(200)), [""; 0]);
    }

    async fn a_page_has_fifteen_rows_and_every_number_is_a_text(app) {
        take(&app, (10..41).map(|number| agent(&number.to_string())).collect(), true).await;
        let page = |number: &'static str| {
            let app = &app;
            async move { of(app, &format!("/country/DK?page={number}")).await }
        };
        let url = "http://waybill.test/api/v1/website/shop.example.com/agents/carrier/dao/country/DK";
        let second = page("2").await.expect(200);
        assert_eq!(numbers(&second).first().unwrap(), "25");
        assert_eq!(numbers(&second).len(), 15);
        assert_eq!(second.at("/links"), json!({
            "first": format!("{url}?page=1"), "last": format!("{url}?page=3"),
            "prev": format!("{url}?page=1"), "previous": format!("{url}?page=1"),
            "next": format!("{url}?page=3"),
        }));
        assert_eq!(second.at("/meta"), json!({"current_page": "2", "from": "16", "path": url,
            "per_page": "15", "to": "30", "last_page": "3", "total": "31"}));
        let last = page("3").await.expect(200);
        assert_eq!(numbers(&last), ["40"]);
        assert_eq!(last.at("/links/next"), Value::Null);
        for past in ["4", "99999999999999999999999999"] {
            let past = page(past).await.expect(200);
            assert_eq!(past.at("/data"), json!([]));
            assert_eq!((past.at("/meta/from"), past.at("/meta/to")), (Value::Null, Value::Null));
            assert_eq!(past.at("/meta/total"), "31");
        }
        for bad in ["0", "-1", "abc", "1.5", "+1", "%00"] {
            assert_eq!(page(bad).await.expect(422).problems(), ["page"], "{bad}");
        }
        let empty = of(&app, "/country/NO").await.expect(200);
        assert_eq!(empty.at("/meta/last_page"), "1");
        assert_eq!(empty.at("/meta/total"), "0");
    }

    async fn a_postal_code_is_exact_but_for_spaces_and_case(app) {
        let mut dutch = point("dao", "7", "Straat 1", (52.0, 4.9));
        dutch["address"]["postal_code"] = json!("1011 AB");
        dutch["address"]["country"] = json!("NL");
        take(&app, vec![agent("2"), agent("10"), dutch], false).await;
        let code = |code: &'static str| of(&app, code);
        for path in ["/country/nl/postalcode/1011AB", "/country/NL/postalcode/1011%20ab"] {
            assert_eq!(numbers(&code(path).await.expect(200)), ["7"]);
        }
        assert_eq!(numbers(&code("/country/DK/postalcode/2300").await.expect(200)), ["10", "2"]);
        for none in ["/country/DK/postalcode/230", "/country/DK/postalcode/-", "/country/DK/postalcode/23-00",
            "/country/SE/postalcode/2300"] {
            assert_eq!(code(none).await.expect(200).at("/meta/total"), "0", "{none}");
        }
    }

    async fn a_street_is_compared_without_case_and_house_number(app) {
        let points = vec![
            point("dao", "1", "Islands Brygge 21", (55.66, 12.57)),
            point("dao", "2", "Islands Brygge 5B, st.", (55.66, 12.58)),
            point("dao", "3", "Amagerbrogade 5", (55.66, 12.60)),
        ];
        take(&app, points, false).await;
        let on = |street: &str| {
            let rest = format!("/country/DK/postalcode/2300/street/{street}");
            let app = &app;
            async move { numbers(&of(app, &rest).await.expect(200)) }
        };
        for street in ["Islands%20Brygge", "ISLANDS%20BRYGGE", "islands%20brygge%2039", "Islands%20Brygge%2021"] {
            assert_eq!(on(street).await, ["1", "2"], "{street}");
        }
        assert_eq!(on("Brygge").await, [""; 0]);
    }

    async fn an_area_has_its_bounds_and_is_one_country_or_all(app) {
        let points = vec![
            point("dao", "5", "Gade 1", (55.60, 12.50)),
            point("dao", "30", "Gade 2", (55.70, 12.60)),
            point("dao", "1", "Gade 3", (55.80, 12.50)),
            swedish("2", (55.61, 12.60)),
            swedish("9", (59.0, 18.0)),
        ];
        take(&app, points, false).await;
        let area = "/area/latitude/min/55.60/max/55.7/longitude/min/12.5/max/12.6";
        let danish = of(&app, &format!("/country/DK{area}")).await.expect(200);
        assert_eq!(numbers(&danish), ["30", "5"]);
        let everywhere = of(&app, area).await.expect(200);
        assert_eq!(numbers(&everywhere), ["2", "30", "5"]);
        assert_eq!(everywhere.at("/meta/total"), "3");
        let nobody = app.website(&format!("/agents/carrier/gls{area}")).admin().send().await;
        assert_eq!(numbers(&nobody.expect(200)), [""; 0]);
        let swapped = "/area/latitude/min/56/max/55/longitude/min/12/max/13";
        assert_eq!(of(&app, swapped).await.problems(), ["minLatitude"]);
        let wrong = "/country/XX/area/latitude/min/-91/max/x/longitude/min/181/max/1e2?page=0";
        assert_eq!(of(&app, wrong).await.problems(),
            ["country", "maxLatitude", "maxLongitude", "minLatitude", "minLongitude", "page"]);
    }

    async fn what_an_import_changed_is_in_the_next_page(app) {
        take(&app, vec![agent("1"), agent("2")], true).await;
        assert_eq!(numbers(&of(&app, "/country/DK").await.expect(200)), ["1", "2"]);
        take(&app, vec![agent("2"), agent("3")], true).await;
        let reply = of(&app, "/country/DK").await.expect(200);
        assert_eq!(numbers(&reply), ["2", "3"]);
        assert_eq!(reply.at("/meta/total"), "2");
    }

    async fn the_path_is_checked_after_the_token_and_the_website(app) {
        let rest = "/agents/carrier/DAO/country/Denmark";
        app.website(rest).send().await.expect(401);
        let path = format!("/api/v1/website/nowhere.example.com{rest}");
        app.get(&path).admin().send().await.expect(404);
        let reply = app.website(rest).admin().send().await;
        assert_eq!(reply.problems(), ["carrier", "country"]);
        for carrier in ["sandbox", "ups", "Dao", "%20dao"] {
            let path = format!("/agents/carrier/{carrier}/country/DK");
            assert_eq!(app.website(&path).admin().send().await.problems(), ["carrier"]);
        }
        for carrier in ["postnord", "gls", "dao", "bifrost", "bring"] {
            let path = format!("/agents/carrier/{carrier}/country/DK");
            app.website(&path).admin().send().await.expect(200);
        }
        app.website("/agents/carrier/dao/country/DK/agentno/none").admin().send().await.expect(404);
        let nobody = "/agents/0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
        app.website(nobody).admin().send().await.expect(404);
    }

    async fn where_things_are_tried_out_the_sandbox_has_the_agents_of_every_carrier(app) {
        let points = vec![point("sandbox", "DK-1", "Gade 1", (55.6, 12.5)), agent("7")];
        take(&app, points, false).await;
        let listed = app.demo_website("/agents/carrier/gls/country/DK").admin().send().await;
        let listed = listed.expect(200);
        assert_eq!(numbers(&listed), ["DK-1"]);
        assert_eq!(listed.at("/data/0/carrier"), "gls");
        let id = listed.at("/data/0/id").as_str().unwrap().to_owned();
        for (rest, carrier) in [
            ("/agents/carrier/postnord/country/DK/agentno/DK-1", "postnord"),
            (&*format!("/agents/{id}"), "sandbox"),
        ] {
            let reply = app.demo_website(rest).admin().send().await.expect(200);
            assert_eq!(reply.at("/data/carrier"), carrier);
            assert_eq!(reply.at("/data/id"), json!(id));
        }
        for rest in [
            "/agents/carrier/dao/country/DK/postalcode/2300",
            "/agents/carrier/dao/country/DK/postalcode/2300/street/gade",
            "/agents/carrier/dao/area/latitude/min/55/max/56/longitude/min/12/max/13",
            "/agents/closest/carrier/dao/country/DK/postalcode/2300",
        ] {
            let reply = app.demo_website(rest).admin().send().await.expect(200);
            assert_eq!(numbers(&reply), ["DK-1"], "{rest}");
            assert_eq!(reply.at("/data/0/carrier"), "dao");
            let path = reply.at("/meta/path").as_str().unwrap().to_owned();
            assert!(path.contains("/api/v1/demo/website/"), "{path}");
            assert_eq!(numbers(&app.website(rest).admin().send().await.expect(200)), ["7"]);
        }
        let encoded = "/api/v1/%64emo/website/shop.example.com/agents/carrier/dao/country/DK";
        assert_eq!(numbers(&app.get(encoded).admin().send().await.expect(200)), ["DK-1"]);
        let own = app.website("/agents/carrier/dao/country/DK").admin().send().await.expect(200);
        let own = own.at("/data/0/id").as_str().unwrap().to_owned();
        app.demo_website(&format!("/agents/{own}")).admin().send().await.expect(404);
    }
}
