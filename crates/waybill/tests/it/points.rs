//! Service points: imported, listed, searched, and chosen in bookings.

mod booking;
mod import;
mod reading;
mod refreshing;

use serde_json::{Value, json};
use waybill_domain::json::parse;
use waybill_domain::point::Point;
use waybill_engine::points::{Intake, Taken};

use crate::harness::TestApp;

/// A point of DAO in Denmark.
pub fn point(code: &str, postal_code: &str, city: &str, at: (f64, f64)) -> Value {
    json!({"carrier": "dao", "code": code, "name": format!("Shop {code}"), "type": "parcel_shop",
        "address": {"address_lines": ["Gade 1"], "postal_code": postal_code, "city": city,
            "administrative_area": null, "country": "DK"},
        "coordinates": {"latitude": at.0, "longitude": at.1}, "opening_hours": null})
}

/// Six points around the country.
pub fn six() -> Vec<Value> {
    vec![
        point("1", "2300", "København S", (55.66, 12.58)),
        point("2", "2300", "København S", (55.65, 12.60)),
        point("3", "2200", "København N", (55.69, 12.55)),
        point("4", "8000", "Aarhus C", (56.15, 10.20)),
        point("5", "5000", "Odense C", (55.40, 10.39)),
        point("6", "9000", "Aalborg", (57.05, 9.92)),
    ]
}

/// Takes points in, as an import does.
pub async fn take(app: &TestApp, points: Vec<Value>, is_whole: bool) -> Vec<Taken> {
    app.clock.advance(std::time::Duration::from_millis(1));
    let (store, ids, now) = (app.app.store().clone(), app.app.ids().clone(), app.app.now());
    let taken = tokio::task::spawn_blocking(move || {
        let mut intake = Intake::new(store, ids, now);
        for point in points {
            let json = parse(point.to_string().as_bytes()).unwrap();
            intake.add(Point::parse(&json).unwrap()).unwrap();
        }
        intake.finish(is_whole).unwrap()
    });
    taken.await.unwrap()
}

/// The codes of a list.
pub fn codes(reply: &crate::harness::Reply) -> Vec<String> {
    let list = reply.at("/data");
    list.as_array().unwrap().iter().map(|row| row["code"].as_str().unwrap().to_owned()).collect()
}

impl TestApp {
    /// A list of DAO's points in Denmark.
    pub async fn points(&self, rest: &str) -> crate::harness::Reply {
        let path = self.path(&format!("/service-points{rest}"));
        self.get(&path).admin().send().await
    }
}
