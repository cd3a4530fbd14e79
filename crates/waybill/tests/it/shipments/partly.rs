//! What can be done with a shipment of which the carrier took only some parcels.

use serde_json::{Value, json};

use super::fixtures;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};

fn parcel() -> Value {
    json!({"gross_weight": {"value": 900, "unit": "g"}, "items": [
        {"description": "Book", "quantity": 2, "net_weight": {"value": 400, "unit": "g"},
         "unit_price": {"value": 9900, "currency": "DKK"}, "hs_code": "490199",
         "country_of_origin": "DK"}]})
}

/// Three parcels, of which the carrier takes the first two.
fn three(reference: &str) -> Value {
    order_with(reference, json!({"parcels": [parcel(), parcel(), parcel()]}))
}

/// Asks for the documents, and reads until they are there.
async fn documented(fixture: &Fixture, failed: &Reply) -> Reply {
    fixture.act(failed, "documents").await.expect(202);
    let is_done = |now: &Reply| {
        now.at("/data/state") == "failed"
            && !now.at("/data/documents").as_array().unwrap().is_empty()
    };
    fixture.until_it(failed, is_done).await
}

async fn text_of(fixture: &Fixture, document: &Value) -> String {
    let url = document["url"].as_str().unwrap().strip_prefix("http://waybill.test").unwrap();
    let bytes = fixture.app.get(url).send().await.expect(200).bytes.clone();
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn want_zpl(fixture: &Fixture) {
    let zpl = json!({"documents": {"label": {"formats": ["zpl", "pdf"]}}}).to_string();
    fixture.app.patch(&fixture.app.path("/settings")).admin().json(&zpl).send().await.expect(200);
}

fixtures! {
    async fn the_labels_of_the_parcels_that_the_carrier_took_can_be_had(fixture) {
        want_zpl(&fixture).await;
        let reference = "PARTLY-1 sim:partial sim:cancel=refuse";
        let failed = fixture.book(&three(reference)).await.expect(502);
        fixture.act(&failed, "cancel").await.expect(409);
        let known = documented(&fixture, &failed).await;
        assert_eq!(known.at("/data/documents").as_array().unwrap().len(), 1);
        assert_eq!(known.at("/data/documents/0/types"), json!(["label"]));
        assert_eq!(known.at("/data/documents/0/page_count"), 2);
        let label = text_of(&fixture, &known.at("/data/documents/0")).await;
        for parcel in [0, 1] {
            let number = known.at(&format!("/data/parcels/{parcel}/tracking_number"));
            assert!(label.contains(number.as_str().unwrap()), "{number} is not on {label}");
        }
        // It is not booked: the third parcel is refused, and that is still said.
        assert_eq!(known.at("/data/booked_at"), Value::Null);
        let parts = ["reason", "details"].map(|part| format!("/data/failure/{part}"));
        assert!(parts.iter().all(|part| known.at(part) == failed.at(part)));
        assert!(known.at("/data/updated_at").as_str() > failed.at("/data/updated_at").as_str());
        let told = fixture.told(&failed).await;
        let kinds: Vec<_> = told.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds, ["shipment.failed", "shipment.failed"]);
        assert_eq!(known.at("/data/updated_at"), told[1].1);
        // Again changes nothing, and nothing was booked for it.
        let again = fixture.act(&failed, "documents").await.expect(200);
        assert_eq!(again.at("/data/updated_at"), known.at("/data/updated_at"));
        assert_eq!(again.at("/data/documents/0/uuid"), known.at("/data/documents/0/uuid"));
        assert_eq!(fixture.bookings(reference), 1);
        fixture.delete(&failed).await.expect(409);
    }

    async fn customs_papers_declare_only_the_parcels_that_the_carrier_took(fixture) {
        let mut body = three("PARTLY-2 sim:partial");
        body["parties"]["customer"]["address"] = json!({"address_lines": ["Storgata 1"],
            "country": "NO", "postal_code": "0555", "city": "Oslo"});
        body["customs"] = json!({"content_type": "commercial_goods", "incoterm": "DAP",
            "invoice_number": "INV-1", "invoice_date": "2026-11-14"});
        let failed = fixture.book(&body).await.expect(502);
        let known = documented(&fixture, &failed).await;
        let documents = known.at("/data/documents");
        let pages: Vec<_> = documents.as_array().unwrap().iter()
            .map(|it| (it["types"][0].as_str().unwrap(), it["page_count"].as_i64().unwrap()))
            .collect();
        let wanted = [("label", 2), ("customs_declaration", 2), ("commercial_invoice", 1),
                      ("packing_list", 1)];
        assert_eq!(pages, wanted);
        // What goes on its way has its papers and can still be cancelled.
        let cancelled = fixture.act(&failed, "cancel").await.expect(200);
        assert_eq!(cancelled.at("/data/state"), "cancelled");
        fixture.act(&failed, "documents").await.expect(409);
    }

    async fn documents_of_a_part_that_fail_are_told_beside_what_was_refused(fixture) {
        let failed = fixture.book(&three("PARTLY-4 sim:partial sim:documents=fail")).await.expect(502);
        let refused = failed.at("/data/failure/details");
        let again = fixture.act(&failed, "documents").await.expect(202);
        assert_eq!((again.at("/data/state"), again.at("/data/failure")), (json!("processing"), json!(null)));
        let known = fixture.until(&failed, "failed").await;
        let details = known.at("/data/failure/details");
        let details = details.as_array().unwrap();
        assert_eq!(details[0], refused[0]);
        assert_eq!(details[1]["carrier_code"], "no_documents");
        assert_eq!(details.len(), 2, "{details:?}");
        assert_eq!(known.at("/data/failure/message"), failed.at("/data/failure/message"));
        assert_eq!(fixture.told(&failed).await.len(), 2);
    }

    async fn documents_of_a_part_that_come_at_last_leave_no_word_of_their_failure(fixture) {
        let failed = fixture.book(&three("PARTLY-5 sim:partial sim:documents=fail-once")).await.expect(502);
        let known = documented(&fixture, &failed).await;
        assert_eq!(known.at("/data/failure/details"), failed.at("/data/failure/details"));
    }

    async fn a_part_that_has_its_documents_is_not_told_to_recover_them(fixture) {
        let failed = fixture.book(&three("PARTLY-7 sim:partial")).await.expect(502);
        let message = |reply: &Reply| reply.at("/data/failure/message").as_str().unwrap().to_owned();
        assert!(message(&failed).contains("recover the documents"), "{}", message(&failed));
        let known = documented(&fixture, &failed).await;
        assert_eq!(message(&known), "Sandbox took only 2 of 3 parcels: those that have a tracking \
            number. Do not book them again. Their documents are ready: send these parcels, or \
            cancel this shipment and create a new one.");
        let list = fixture.app.get(&fixture.app.path("/shipments")).admin().send().await.expect(200);
        assert_eq!(list.at("/data/0/failure"), known.at("/data/failure"));
        let cancelled = fixture.act(&failed, "cancel").await.expect(200);
        assert!(message(&cancelled).contains("is cancelled"), "{}", message(&cancelled));
    }

    async fn a_manifest_has_no_shipment_that_the_carrier_took_only_in_part(fixture) {
        let failed = fixture.book(&three("PARTLY-8 sim:partial")).await.expect(502);
        documented(&fixture, &failed).await;
        let path = fixture.app.path("/manifests").replace("/v2/", "/beta/");
        let given = json!({"carrier_code": "sandbox", "shipment_uuids": [failed.at("/data/uuid")]});
        let named = fixture.app.post(&path).admin().json(&given.to_string()).send().await;
        assert_eq!(named.problems(), ["shipment_uuids.0"]);
        let all = json!({"carrier_code": "sandbox"}).to_string();
        fixture.app.post(&path).admin().json(&all).send().await.expect(409);
    }

    async fn a_shipment_of_which_the_carrier_has_nothing_has_no_documents_to_recover(fixture) {
        let refused = fixture.book(&order("PARTLY-6 sim:reject")).await.expect(424);
        fixture.act(&refused, "documents").await.expect(409);
    }
}
