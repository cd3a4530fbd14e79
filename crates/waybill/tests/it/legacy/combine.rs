//! Many labels as one file.

use lopdf::Document;
use serde_json::{Value, json};

use super::shop::{bytes, link, order, order_with, shipment};
use crate::harness::Reply;
use crate::harness::fixture::{self, Fixture};
use crate::shipments::fixtures;

const COMBINE: &str = "/api/v1/website/shop.example.com/shipments/labels/combine";

async fn combine(fixture: &Fixture, ids: &[&str]) -> Reply {
    let ids: Vec<Value> = ids.iter().map(|id| json!({"shipment_id": id, "type": "x"})).collect();
    let body = json!({"shipments": ids, "anything": 1});
    fixture.asking(COMBINE, &body).send().await
}

fixtures! {
    async fn labels_follow_each_other_in_the_order_that_is_asked_for(fixture) {
        let two = json!({"parcels": [{"weight": 1}, {"weight": 2}]});
        let first = shipment(&fixture.label(&order("C-1")).await.expect(200));
        let second = shipment(&fixture.label(&order_with("C-2", two)).await.expect(200));
        let third = fixture.book(&fixture::order("C-3")).await.expect(201);
        let third = third.at("/data/uuid").as_str().unwrap().to_owned();
        let made = combine(&fixture, &[&third, &second, &first]).await.expect(200);
        assert_eq!(made.at("/data/type"), "combined_label");
        let named = |place: usize| made.at(&format!("/data/shipments/{place}/shipment_id"));
        assert_eq!([named(0), named(1), named(2)], [json!(third), json!(second), json!(first)]);
        assert_eq!(made.at("/data/shipments/1/parcels").as_array().unwrap().len(), 2);
        let whole = bytes(&made.at("/data/pdf"));
        assert_eq!(Document::load_mem(&whole).unwrap().get_pages().len(), 4);
        let got = fixture.app.get(&link(&made.at("/data/pdf"))).send().await.expect(200);
        assert_eq!(got.bytes, whole);
        let alone = combine(&fixture, &[&first]).await.expect(200);
        let got = fixture.app.get(&link(&alone.at("/data/pdf"))).send().await.expect(200);
        assert_eq!(got.bytes, bytes(&alone.at("/data/pdf")));
    }

    async fn what_has_no_label_is_told_at_its_place_and_nothing_is_made(fixture) {
        let good = shipment(&fixture.label(&order("C-4")).await.expect(200));
        let refused = fixture.label(&order("C-5 sim:reject")).await.expect(424);
        let refused = refused.at("/id").as_str().unwrap().to_owned();
        let nobody = "01a1e3b1-1111-7222-8333-444455556666";
        let told = combine(&fixture, &[&good, &refused, nobody]).await;
        assert_eq!(told.problems(), ["shipments.1.shipment_id", "shipments.2.shipment_id"]);
        let twice = combine(&fixture, &[&good, "17", &good, "", nobody]).await;
        let places = ["shipments.1.shipment_id", "shipments.2.shipment_id",
            "shipments.3.shipment_id", "shipments.4.shipment_id"];
        assert_eq!(twice.problems(), places);
        for wrong in [json!({}), json!({"shipments": []}), json!({"shipments": "x"}),
            json!({"shipments": vec![json!({"shipment_id": good}); 101]})] {
            let told = fixture.asking(COMBINE, &wrong).send().await;
            assert_eq!(told.problems(), ["shipments"], "{wrong}");
        }
        let count = "SELECT count(*) FROM legacy_combination";
        let made = fixture.app.app.read(move |tx| tx.one::<i64>(count, &[])).await.unwrap();
        assert_eq!(made, Some(0));
    }

    async fn labels_of_another_team_are_not_there(fixture) {
        let own = shipment(&fixture.label(&order("C-6")).await.expect(200));
        let (_, other) = fixture.app.team("other.example.com").await;
        let body = json!({"shipments": [{"shipment_id": own}]}).to_string();
        let path = COMBINE.replace("shop.example.com", "other.example.com");
        let told = fixture.app.post(&path).token(&other).json(&body).send().await;
        assert_eq!(told.problems(), ["shipments.0.shipment_id"]);
    }
}
