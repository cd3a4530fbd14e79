//! A team's rates: replaced as a whole, listed in order, used for prices.

use serde_json::{Value, json};

use crate::harness::both;

pub fn rate(service: &str, zone: Value, kilos: (f64, f64), price: i64) -> Value {
    let number = |value: f64| match value.fract() {
        0.0 => json!(value as i64),
        _ => json!(value),
    };
    json!({"service_code": service, "zone": zone,
        "from_weight": {"value": number(kilos.0), "unit": "kg"},
        "to_weight": {"value": number(kilos.1), "unit": "kg"},
        "price": {"value": price, "currency": "DKK"}})
}

both! {
    async fn rates_are_replaced_as_a_whole_and_listed_by_service_zone_and_weight(app) {
        let path = app.path("/rates");
        let rows = [
            rate("sandbox:pickup_point", json!(null), (0.0, 2.0), 8900),
            rate("sandbox:pickup_point", json!("DK"), (2.0, 5.5), 4900),
            rate("sandbox:pickup_point", json!("DK"), (0.0, 2.0), 3900),
            rate("sandbox:home", json!("NO:9"), (0.0, 35.0), 12900),
        ];
        let put = app.put(&path).admin().json(&json!({"data": rows}).to_string());
        assert_eq!(put.send().await.expect(200).at("/data/rate_count"), json!(4));
        let list = app.get(&path).admin().send().await.expect(200);
        assert_eq!(list.at("/data"), json!([rows[3], rows[2], rows[1], rows[0]]));
        let page = app.get(&format!("{path}?per_page=3")).admin().send().await.expect(200);
        let next = page.at("/links/next").as_str().unwrap().to_owned();
        let next = next.strip_prefix("http://waybill.test").unwrap();
        let page = app.get(next).admin().send().await.expect(200);
        assert_eq!(page.at("/data"), json!([rows[0]]));
        app.put(&path).admin().json(r#"{"data": []}"#).send().await.expect(200);
        let list = app.get(&path).admin().send().await.expect(200);
        assert_eq!(list.at("/data"), json!([]));
    }

    async fn a_bad_row_changes_nothing(app) {
        let path = app.path("/rates");
        let good = rate("sandbox:home", json!("DK"), (0.0, 2.0), 100);
        let body = json!({"data": [good]}).to_string();
        app.put(&path).admin().json(&body).send().await.expect(200);
        let bad = json!({"data": [
            rate("sandbox:nothing", json!("Denmark"), (2.0, 2.0), 100),
            rate("sandbox:home", json!("DK"), (0.0, 2.0), 100),
            rate("sandbox:home", json!("DK"), (1.0, 3.0), 100),
        ]});
        let reply = app.put(&path).admin().json(&bad.to_string()).send().await;
        assert_eq!(reply.problems(), ["data.0.service_code", "data.0.to_weight", "data.0.zone"]);
        let overlap = json!({"data": [bad["data"][1], bad["data"][2]]});
        let reply = app.put(&path).admin().json(&overlap.to_string()).send().await;
        assert_eq!(reply.problems(), ["data.1.from_weight"]);
        let list = app.get(&path).admin().send().await.expect(200);
        assert_eq!(list.at("/data"), json!([good]));
    }
}
