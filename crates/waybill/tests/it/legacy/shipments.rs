//! Shipments as the older API shows them, wherever they came from.

use serde_json::{Value, json};

use super::shop::{DEMO_LABELS, order, order_with, shipment};
use crate::harness::fixture;
use crate::shipments::fixtures;

fixtures! {
    async fn a_shipment_shows_what_was_sent(fixture) {
        let label = fixture.label(&order("SENT")).await.expect(200);
        let path = format!("/shipments/{}", shipment(&label));
        let page = fixture.app.website(&path).admin().send().await.expect(200);
        assert_eq!(page.at("/meta/total"), "1");
        let shown = page.at("/data/0");
        assert_eq!(shown["id"], json!(shipment(&label)));
        assert_eq!(shown["internal_id"], "4521");
        assert_eq!(shown["shipping_carrier"], "sandbox");
        assert_eq!(shown["shipping_method"], "home");
        assert_eq!(shown["receiver"]["sms"], "30 27 47 35", "as it was sent");
        assert_eq!(shown["receiver"]["internal_id"], "881");
        assert_eq!(shown["sender"]["name_line1"], "Nordic Books", "the team's own address");
        assert_eq!(shown["agent"], Value::Null);
        assert_eq!(shown["parcels"][0]["weight"], json!(1.25));
        assert_eq!(shown["parcels"][0]["id"], label.at("/data/parcels/0/parcel_id"));
        let item = &shown["parcels"][0]["items"][0];
        assert_eq!((&item["unit_price_excluding_tax"], &item["quantity"]), (&json!(33.33), &json!(2)));
        assert_eq!(shown["currency"], "DKK");
    }

    async fn a_shipment_of_the_other_api_is_translated(fixture) {
        let booked = fixture.book(&fixture::order("V2")).await.expect(201);
        let id = booked.at("/data/uuid").as_str().unwrap().to_owned();
        let page = fixture.app.website(&format!("/shipments/{id}")).admin().send().await;
        let shown = page.expect(200).at("/data/0");
        assert_eq!((&shown["internal_id"], &shown["internal_reference"]),
            (&Value::Null, &json!("V2")));
        assert_eq!((&shown["shipping_carrier"], &shown["shipping_method"]),
            (&json!("sandbox"), &json!("home")));
        assert_eq!(shown["receiver"]["name_line1"], "Ada Jensen");
        assert_eq!(shown["receiver"]["sms"], "+4530274735");
        assert_eq!(shown["parcels"][0]["weight"], json!(1.2));
    }

    async fn the_list_is_newest_first_fifteen_to_a_page_under_both_prefixes(fixture) {
        let body = order_with("LIST-0",
            json!({"shipping_carrier": "gls", "shipping_method": "homedelivery"}));
        fixture.asking(DEMO_LABELS, &body).send().await.expect(200);
        for number in 1..=15 {
            fixture.book(&fixture::order(&format!("LIST-{number}"))).await.expect(201);
        }
        for page in [fixture.app.website("/shipments"), fixture.app.demo_website("/shipments/")] {
            let page = page.admin().send().await.expect(200);
            let rows = page.at("/data").as_array().unwrap().clone();
            assert_eq!((rows.len(), &rows[0]["internal_reference"]), (15, &json!("LIST-15")));
            assert_eq!(page.at("/meta/total"), "16");
            assert_eq!(page.at("/meta/last_page"), "2");
        }
        let last = fixture.app.website("/shipments?page=2").admin().send().await.expect(200);
        assert_eq!(last.at("/data/0/internal_reference"), "LIST-0");
        assert_eq!(last.at("/data/0/shipping_carrier"), "gls");
        let past = fixture.app.website("/shipments?page=9").admin().send().await.expect(200);
        assert_eq!(past.at("/data"), json!([]));
        assert_eq!(past.at("/meta/from"), Value::Null);
        for wrong in ["0", "-1", "abc"] {
            let path = format!("/shipments?page={wrong}");
            let told = fixture.app.website(&path).admin().send().await;
            assert_eq!(told.problems(), ["page"]);
        }
    }

    async fn what_was_sent_is_erased_with_the_shipment(fixture) {
        let refused = fixture.label(&order("ERASE sim:reject")).await.expect(424);
        let id = refused.at("/id").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}"));
        fixture.app.delete(&path).admin().send().await.expect(204);
        fixture.app.website(&format!("/shipments/{id}")).admin().send().await.expect(404);
        let left = "SELECT count(*) FROM legacy_booking";
        let left = fixture.app.app.read(move |tx| tx.one::<i64>(left, &[])).await.unwrap();
        assert_eq!(left, Some(0));
    }
}
