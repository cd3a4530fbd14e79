//! From the booking to the door, with the sandbox carrier asked by the worker.

use std::time::Duration;

use serde_json::{Value, json};
use waybill_store::trackings;

use super::{each, page, parcel, text, tracking, until};
use crate::harness::fixture::{order, order_with};
use crate::harness::receiver::{Reaction, Receiver};
use crate::shipments::fixtures;

const WALK: [&str; 7] = [
    "info_received",
    "collected",
    "arrived_at_terminal",
    "estimated_delivery_changed",
    "arrived_at_terminal",
    "out_for_delivery",
    "delivered",
];

fixtures! {
    // Rules: Tracking feed 9: the carrier is asked by the worker, whoever reads.
    async fn a_parcel_walks_to_the_door_with_one_new_estimate(fixture) {
        let receiver = Receiver::start(|_| Reaction::Status(204)).await;
        let wish = json!({"url": receiver.url(), "events": ["tracking.updated"]}).to_string();
        fixture.app.post(&fixture.app.path("/webhooks")).admin().json(&wish).send().await.expect(201);
        let walker = parcel(&fixture, "WALK-1 sim:track=300ms").await;
        let booked = tracking(&fixture, &walker).await;
        assert_eq!(booked.at("/data/state"), "Pending");
        assert_eq!(booked.at("/data/last_updated_at"), Value::Null);
        let before = fixture.app.path(&format!("/shipments/{}", walker.shipment));
        let before = fixture.app.get(&before).admin().send().await.expect(200);
        let end = until(&fixture, &walker, |now| now.at("/data/state") == "Delivered").await;

        assert_eq!(each(&end.at("/data/events"), "/status_code"), WALK);
        let kinds = each(&end.at("/data/events"), "/event_type");
        assert_eq!(kinds.iter().filter(|kind| **kind == "estimated_delivery").count(), 1);
        assert_eq!(end.at("/data/events/3/category"), "Change");
        let (first, second) =
            (end.at("/data/events/0/estimated_delivery"), end.at("/data/estimated_delivery"));
        assert!(first["start"].is_string() && first != second);
        assert_eq!(end.at("/data/events/3/estimated_delivery"), second);
        assert_eq!(end.at("/data/delivered_at"), end.at("/data/events/6/happened_at"));
        assert_eq!(end.at("/data/events/2/coordinates/latitude"), json!(55.5463));
        assert_eq!(end.at("/data/description"), "The parcel has been delivered.");

        let feed = page(&fixture, "").await.expect(200);
        assert_eq!(each(&feed.at("/data"), "/event/status_code"), WALK);
        assert_eq!(each(&feed.at("/data"), "/event"), *end.at("/data/events").as_array().unwrap());
        assert_eq!(feed.at("/data/0/tracking/state"), "InfoReceived");
        assert_eq!(feed.at("/data/6/tracking/delivered_at"), end.at("/data/delivered_at"));
        let path = fixture.app.path(&format!("/shipments/{}/tracking", walker.shipment));
        let history = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(history.at("/data/0"), end.at("/data"));
        let after = fixture.app.path(&format!("/shipments/{}", walker.shipment));
        let after = fixture.app.get(&after).admin().send().await.expect(200);
        assert_eq!(after.at("/data/updated_at"), before.at("/data/updated_at"));
        assert_eq!(after.at("/data/state"), "booked");

        for _ in 0..100 {
            if !receiver.received().is_empty() { break }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let told = receiver.received()[0].json();
        assert_eq!(told["tracking_uuid"], json!(walker.tracking));
        assert_eq!(told["shipment_uuid"], json!(walker.shipment));
        let id = waybill_domain::ids::TrackingId::parse(&walker.tracking).unwrap();
        let team = fixture.app.team;
        let row = fixture.app.app.read(move |tx| trackings::find(tx, team, id));
        assert_eq!(row.await.unwrap().unwrap().look_at, None, "nobody asks any more");
    }

    async fn every_parcel_has_a_tracking_of_its_own_from_the_booking_on(fixture) {
        let parcels = json!([{"gross_weight": {"value": 1, "unit": "kg"}}, {}, {}]);
        let body = order_with("MANY", json!({"parcels": parcels}));
        let booked = fixture.book(&body).await.expect(201);
        let path = fixture.app.path(&format!("/shipments/{}/tracking", text(&booked, "/data/uuid")));
        let list = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(each(&list.at("/data"), "/uuid"), each(&booked.at("/data/parcels"), "/tracking_uuid"));
        assert_eq!(each(&list.at("/data"), "/parcel_uuid"), each(&booked.at("/data/parcels"), "/uuid"));
        assert_eq!(list.at("/data/2/tracking_url"), booked.at("/data/parcels/2/tracking_url"));
        let refused = fixture.book(&order("NONE sim:reject")).await.expect(424);
        let path = fixture.app.path(&format!("/shipments/{}/tracking", text(&refused, "/data/uuid")));
        assert_eq!(fixture.app.get(&path).admin().send().await.expect(200).at("/data"), json!([]));
        let nowhere = fixture.app.path(&format!("/shipments/{}/tracking", fixture.app.team));
        fixture.app.get(&nowhere).admin().send().await.expect(404);
    }

    async fn what_the_carrier_accepted_in_part_is_followed_too(fixture) {
        let body = order_with("PART sim:partial", json!({"parcels": [{}, {}]}));
        let booked = fixture.book(&body).await.expect(502);
        let path = fixture.app.path(&format!("/shipments/{}/tracking", text(&booked, "/data/uuid")));
        let list = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(list.at("/data").as_array().unwrap().len(), 1);
    }

    async fn a_parcel_not_heard_of_for_a_month_is_given_up(fixture) {
        let silent = parcel(&fixture, "SILENT").await;
        fixture.advance(Duration::from_mins(2)).await;
        until(&fixture, &silent, |now| now.at("/data/state") == "InfoReceived").await;
        fixture.advance(Duration::from_hours(31 * 24)).await;
        let end = until(&fixture, &silent, |now| now.at("/data/state") == "Expired").await;
        assert_eq!(each(&end.at("/data/events"), "/status_code"), ["info_received", "expired"]);
        assert_eq!(end.at("/data/events/1/category"), "Expired");
    }

    async fn a_cancelled_parcel_is_not_asked_about(fixture) {
        let (stopped, other) = (parcel(&fixture, "STOP").await, parcel(&fixture, "GO").await);
        let cancel = fixture.app.path(&format!("/shipments/{}/cancel", stopped.shipment));
        fixture.app.post(&cancel).admin().send().await.expect(200);
        let id = waybill_domain::ids::TrackingId::parse(&stopped.tracking).unwrap();
        let team = fixture.app.team;
        let row = fixture.app.app.read(move |tx| trackings::find(tx, team, id));
        assert_eq!(row.await.unwrap().unwrap().look_at, None);
        // Both would be asked about in the same call.
        fixture.advance(Duration::from_mins(2)).await;
        until(&fixture, &other, |now| now.at("/data/state") == "InfoReceived").await;
        assert_eq!(tracking(&fixture, &stopped).await.at("/data/events"), json!([]));
    }

    async fn a_number_is_looked_up_unless_two_have_it(fixture) {
        let (one, other) = (parcel(&fixture, "ONE").await, parcel(&fixture, "OTHER").await);
        let look = |query: String| {
            let path = fixture.app.path(&format!("/tracking?{query}"));
            async { let path = path; fixture.app.get(&path).admin().send().await }
        };
        let found = look(format!("tracking_number={}", one.number)).await.expect(200);
        assert_eq!(text(&found, "/data/uuid"), one.tracking);
        look(format!("tracking_number={}&carrier_code=bring", one.number)).await.expect(404);
        look("tracking_number=nobody".to_owned()).await.expect(404);
        assert_eq!(look("tracking_number=".to_owned()).await.problems(), ["tracking_number"]);
        assert_eq!(look("carrier_code=sandbox".to_owned()).await.problems(), ["tracking_number"]);
        let long = format!("tracking_number={}", "9".repeat(101));
        assert_eq!(look(long).await.problems(), ["tracking_number"]);
        let (to, from) = (one.number.clone(), other.number.clone());
        let same = move |tx: &mut waybill_store::Tx<'_>| {
            let params = [(&to).into(), (&from).into()];
            tx.exec("UPDATE tracking SET number = $1 WHERE number = $2", &params)?;
            tx.exec("UPDATE tracking_number SET number = $1 WHERE number = $2", &params)
        };
        fixture.app.app.write(same).await.unwrap();
        let both = look(format!("tracking_number={}&carrier_code=sandbox", one.number)).await;
        assert_eq!(both.expect(409).header("retry-after"), None);
        let narrow = format!("tracking_number={}&shipment_uuid={}", one.number, other.shipment);
        assert_eq!(text(&look(narrow).await.expect(200), "/data/uuid"), other.tracking);
    }

    async fn a_report_of_trackings_has_a_row_for_each(fixture) {
        let known = parcel(&fixture, "REPORT").await;
        let path = format!("/beta/teams/{}/reports", fixture.app.team);
        let body = json!({"type": "tracking", "from": "2026-01-01T00:00:00Z",
            "to": "2027-01-01T00:00:00Z", "formats": ["xlsx", "pdf"]});
        let post = fixture.app.post(&path).admin().json(&body.to_string());
        let asked = post.send().await.expect(202);
        let path = format!("{path}/{}", text(&asked, "/data/uuid"));
        for _ in 0..200 {
            let report = fixture.app.get(&path).admin().send().await.expect(200);
            if report.at("/data/state") == "pending" {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
            assert_eq!(report.at("/data/state"), "ready");
            let url = text(&report, "/data/documents/0/url");
            let path = url.strip_prefix("http://waybill.test").unwrap();
            let sheet = fixture.app.get(path).send().await.expect(200).bytes.clone();
            use calamine::Reader;
            let mut book: calamine::Xlsx<_> =
                calamine::open_workbook_from_rs(std::io::Cursor::new(sheet)).unwrap();
            let range = book.worksheet_range("Trackings").unwrap();
            let rows: Vec<_> = range.rows().skip(1).map(|row| row[2].to_string()).collect();
            return assert_eq!(rows, [known.number]);
        }
        panic!("never ready");
    }
}
