//! Pickup services in bookings, with the points that the sandbox carrier tells.

use serde_json::{Value, json};

use super::codes;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order_with};
use crate::shipments::fixtures;

impl Fixture {
    /// Waits until the carrier's points are there.
    pub async fn with_points(self) -> Fixture {
        let path = self.app.path("/service-points?carrier=sandbox&country=DE");
        for _ in 0..600 {
            let list = self.app.get(&path).admin().send().await.expect(200);
            if list.at("/data") != json!([]) {
                return self;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("the carrier's points never came");
    }

    async fn closest(&self, country: &str, postal_code: &str) -> Reply {
        let rest = format!("carrier=sandbox&country={country}&postal_code={postal_code}&limit=3");
        let path = self.app.path(&format!("/service-points/closest?{rest}"));
        self.app.get(&path).admin().send().await.expect(200)
    }
}

fn pickup(point: Value) -> Value {
    order_with(
        "P",
        json!({"delivery":
        {"service_code": "sandbox:pickup_point", "pickup_point": point}}),
    )
}

fixtures! {
    // Rules: Parties and delivery 3.
    async fn a_pickup_service_goes_to_the_point_named_or_to_the_nearest(fixture) {
        let fixture = fixture.with_points().await;
        let named = fixture.book(&pickup(json!({"code": "DK-1003"}))).await.expect(201);
        assert_eq!(named.at("/data/delivery/pickup_point/code"), json!("DK-1003"));
        let nearest = fixture.book(&pickup(json!(null))).await.expect(201);
        assert_eq!(nearest.at("/data/delivery/pickup_point/code"), json!("DK-1001"));
        let point = nearest.at("/data/delivery/pickup_point");
        assert_eq!(point["address"]["postal_code"], json!("2300"));
        assert_eq!(point["coordinates"], json!({"latitude": 55.664, "longitude": 12.576}));
        assert_eq!(fixture.read(&nearest).await.at("/data/delivery/pickup_point"), point);
    }

    async fn a_point_that_is_not_there_is_told_with_the_three_nearest_that_are(fixture) {
        let fixture = fixture.with_points().await;
        let near = codes(&fixture.closest("DK", "2300").await);
        assert_eq!(near.len(), 3);
        // Nobody has the first; the second is in another country.
        for code in ["DK-9999", "SE-2001"] {
            let reply = fixture.book(&pickup(json!({"code": code}))).await;
            assert_eq!(reply.problems(), ["delivery.pickup_point.code"]);
            let message = reply.at("/errors/delivery.pickup_point.code/0");
            let message = message.as_str().unwrap();
            assert!(near.iter().all(|code| message.contains(code)), "{message}: {near:?}");
        }
        assert_eq!(fixture.bookings("P"), 0);
    }

    async fn a_snapshot_stays_when_the_point_moves(fixture) {
        let fixture = fixture.with_points().await;
        let booked = fixture.book(&pickup(json!(null))).await.expect(201);
        let mut moved = fixture.app.points("/sandbox/DK/DK-1001").await.expect(200).at("/data");
        let fields = moved.as_object_mut().unwrap();
        fields.remove("uuid");
        fields.insert("carrier".to_owned(), json!("sandbox"));
        fields.insert("name".to_owned(), json!("Moved"));
        super::take(&fixture.app, vec![moved], false).await;
        let now = fixture.app.points("/sandbox/DK/DK-1001").await.expect(200);
        assert_eq!(now.at("/data/name"), json!("Moved"));
        let point = "/data/delivery/pickup_point";
        assert_eq!(fixture.read(&booked).await.at(point), booked.at(point));
        let later = fixture.book(&pickup(json!(null))).await.expect(201);
        assert_eq!(later.at("/data/delivery/pickup_point/name"), json!("Moved"));
    }

    async fn where_no_point_is_known_a_pickup_service_cannot_be_booked(fixture) {
        let fixture = fixture.with_points().await;
        let mut body = pickup(json!(null));
        body["parties"]["customer"]["address"] = json!({"address_lines": ["Damrak 1"],
            "postal_code": "1012 LG", "city": "Amsterdam", "country": "NL"});
        let none = "no pickup point of Sandbox in NL is known";
        let refused = fixture.book(&body).await;
        assert_eq!(refused.problems(), ["delivery.pickup_point"]);
        let told = refused.at("/errors/delivery.pickup_point/0").to_string();
        assert!(told.contains(none) && !told.contains("required"), "{told}");
        // Naming one does not help.
        body["delivery"]["pickup_point"] = json!({"code": "NL-1"});
        let refused = fixture.book(&body).await;
        assert_eq!(refused.problems(), ["delivery.pickup_point.code"]);
        let told = refused.at("/errors/delivery.pickup_point.code");
        assert!(told[0].as_str().unwrap().contains(none) && told[1].is_null(), "{told}");
    }

    async fn where_points_are_known_and_none_is_near_one_is_to_be_named(fixture) {
        let fixture = fixture.with_points().await;
        // What is no postal code of the country is nowhere.
        let mut body = pickup(json!(null));
        body["parties"]["customer"]["address"] = json!({"address_lines": ["Vej 1"],
            "postal_code": "ABCD", "city": "Nowhere", "country": "DK"});
        let refused = fixture.book(&body).await.expect(422);
        let told = refused.at("/errors/delivery.pickup_point/0").to_string();
        assert!(told.contains("is required: no pickup point near the customer"), "{told}");
        body["delivery"]["pickup_point"] = json!({"code": "DK-9999"});
        let refused = fixture.book(&body).await.expect(422);
        let told = refused.at("/errors/delivery.pickup_point.code/0").to_string();
        assert!(told.contains("is not a point of this service"), "{told}");
    }
}
