//! The files of labels: in the answer and behind their links.

use std::time::Duration;

use lopdf::Document;
use serde_json::{Value, json};

use super::shop::{bytes, link, order, order_with, shipment};
use crate::harness::Reply;
use crate::shipments::fixtures;

/// How many pages a PDF file has.
fn pages(file: &[u8]) -> usize {
    Document::load_mem(file).unwrap().get_pages().len()
}

/// The files of an answer: of the shipment, and of each parcel.
fn files(label: &Reply) -> Vec<Value> {
    let parcels = label.at("/data/parcels").as_array().unwrap().clone();
    let of_parcels = parcels.into_iter().map(|parcel| parcel["pdf"].clone());
    std::iter::once(label.at("/data/pdf")).chain(of_parcels).collect()
}

fn three_parcels() -> Value {
    let parcel = |number: usize| json!({"internal_id": format!("P-{number}"), "weight": number});
    json!({"parcels": [parcel(1), parcel(2), parcel(3)]})
}

fixtures! {
    async fn each_parcel_has_its_label_alone_and_the_shipment_has_all(fixture) {
        let label = fixture.label(&order_with("THREE", three_parcels())).await.expect(200);
        let files = files(&label);
        assert_eq!(files.len(), 4);
        assert_eq!(pages(&bytes(&files[0])), 3);
        for number in 1..=3 {
            assert_eq!(pages(&bytes(&files[number])), 1, "parcel {number}");
            let others = files.iter().enumerate().filter(|(other, _)| *other != number);
            assert!(others.clone().all(|(_, other)| other != &files[number]));
        }
    }

    async fn a_link_has_the_bytes_of_the_answer_and_needs_no_token(fixture) {
        let label = fixture.label(&order_with("LINK", three_parcels())).await.expect(200);
        for file in files(&label) {
            let (link, whole) = (link(&file), bytes(&file));
            let got = fixture.app.get(&link).send().await.expect(200);
            assert_eq!(got.bytes, whole);
            assert_eq!(got.header("content-type"), Some("application/pdf"));
            assert_eq!(got.header("referrer-policy"), Some("no-referrer"));
            let head = fixture.app.ask("HEAD", &link).send().await.expect(200);
            assert_eq!(head.header("etag"), got.header("etag"));
            let part = fixture.app.get(&link).header("range", "bytes=5-99").send().await;
            assert_eq!(part.expect(206).bytes, whole[5..=99]);
            let known = got.header("etag").unwrap().to_owned();
            let same = fixture.app.get(&link).header("if-none-match", &known).send().await;
            same.expect(304);
            // Another name, number or time is none of ours.
            for (from, to) in [("label", "lobel"), ("expires=", "expires=1"), (".pdf", ".pdg")] {
                let other = link.replacen(from, to, 1);
                fixture.app.get(&other).send().await.expect(404);
            }
            let cut = &link[..link.len() - 1];
            fixture.app.get(cut).send().await.expect(404);
        }
    }

    async fn a_link_lives_for_thirty_days(fixture) {
        let label = fixture.label(&order_with("DAYS", three_parcels())).await.expect(200);
        let links: Vec<String> = files(&label).iter().map(link).collect();
        fixture.app.clock.advance(Duration::from_secs(30 * 24 * 60 * 60 - 600));
        for link in &links {
            fixture.app.get(link).send().await.expect(200);
        }
        fixture.app.clock.advance(Duration::from_secs(601));
        for link in &links {
            fixture.app.get(link).send().await.expect(410);
        }
    }

    async fn a_label_is_read_again_with_fresh_links_and_nothing_is_booked(fixture) {
        let label = fixture.label(&order("READ-1")).await.expect(200);
        fixture.app.clock.advance(Duration::from_secs(60));
        let id = shipment(&label);
        let again = fixture.app.website(&format!("/shipments/{id}/labels"));
        let again = again.admin().send().await.expect(200);
        assert_eq!(bytes(&again.at("/data/pdf")), bytes(&label.at("/data/pdf")));
        assert_ne!(again.at("/data/pdf/link"), label.at("/data/pdf/link"));
        let code = label.at("/data/parcels/0/tracking_code");
        let path = format!("/api/v1/shipments/tracking/{}/labels", code.as_str().unwrap());
        let found = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(shipment(&found), id);
        fixture.app.get("/api/v1/shipments/tracking/NOBODY/labels").admin().send().await.expect(404);
        for none in ["4521", "01a1e3b1-1111-7222-8333-444455556666"] {
            let path = format!("/shipments/{none}/labels");
            fixture.app.website(&path).admin().send().await.expect(404);
        }
        assert_eq!(fixture.bookings("READ-1"), 1);
    }

    async fn a_label_of_a_booking_that_failed_is_told_why_there_is_none(fixture) {
        let refused = fixture.label(&order("NONE sim:reject")).await.expect(424);
        let id = refused.at("/id").as_str().unwrap().to_owned();
        let path = format!("/shipments/{id}/labels");
        let again = fixture.app.website(&path).admin().send().await.expect(424);
        assert_eq!(again.at("/code"), "BookingException");
        assert_eq!(again.at("/errors"), json!({}));
    }

    async fn a_label_that_is_not_a_pdf_is_not_there(fixture) {
        let settings = fixture.app.path("/settings");
        let zpl = json!({"documents": {"label": {"formats": ["zpl"]}}}).to_string();
        fixture.app.patch(&settings).admin().json(&zpl).send().await.expect(200);
        let booked = fixture.book(&crate::harness::fixture::order("ZPL")).await.expect(201);
        let id = booked.at("/data/uuid").as_str().unwrap().to_owned();
        let path = format!("/shipments/{id}/labels");
        fixture.app.website(&path).admin().send().await.expect(404);
    }

    async fn papers_for_customs_follow_the_labels(fixture) {
        let mut body = order_with("CUSTOMS", json!({"shipping_method": "home"}));
        body["receiver"] = json!({"name_line1": "Kari Nordmann", "address_line1": "Karl Johans gate 1",
            "postal_code": "0154", "city": "Oslo", "country": "NO", "sms": "40612345",
            "email": "kari@example.no"});
        body["parcels"][0]["items"][0]["hs_code"] = json!("4901.99");
        body["parcels"][0]["items"][0]["country_of_origin"] = json!("DK");
        let label = fixture.label(&body).await.expect(200);
        let (whole, own) = (bytes(&label.at("/data/pdf")), bytes(&label.at("/data/parcels/0/pdf")));
        assert_eq!(pages(&own), 1, "the label alone");
        assert!(pages(&whole) > 1, "with a declaration");
        let link = link(&label.at("/data/pdf"));
        assert_eq!(fixture.app.get(&link).send().await.expect(200).bytes, whole);
    }
}
