//! What people read is in their language: names of documents, titles of sheets, and why not.

use std::collections::BTreeSet;
use std::time::Duration;

use calamine::Reader;
use serde_json::{Value, json};

use super::fixtures;
use crate::batches::{add, members, open};
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};

const LANGUAGES: [&str; 6] = ["en", "da", "sv", "nb", "fi", "de"];
/// Letters that no title of a sheet may have, and how long it may be.
const FORBIDDEN: [char; 7] = ['[', ']', ':', '*', '?', '/', '\\'];
const TITLE_MAX: usize = 31;

/// To Norway, so that customs papers come with the labels.
fn abroad(reference: &str) -> Value {
    let parcel = json!({"gross_weight": {"value": 900, "unit": "g"}, "items": [
        {"description": "Book", "quantity": 2, "net_weight": {"value": 400, "unit": "g"},
         "unit_price": {"value": 9900, "currency": "DKK"}, "hs_code": "490199",
         "country_of_origin": "DK"}]});
    let address = json!({"country": "NO", "postal_code": "0555", "city": "Oslo"});
    let customs = json!({"content_type": "commercial_goods", "incoterm": "DAP",
        "invoice_number": "INV-1", "invoice_date": "2026-11-14"});
    let more = json!({"parties": {"customer": {"address": address}}, "customs": customs,
        "parcels": [parcel, parcel]});
    order_with(reference, more)
}

/// What is said of a part that was taken, of documents that failed, and to whoever deletes either.
const AFTER_A_FAILURE: [(&str, &str, &str, &str); 6] = [
    ("en", "only 1 of 2 parcels", "documents could not be made", "cannot be deleted"),
    ("da", "kun 1 af 2 pakker", "dokumenterne kunne ikke laves", "kan ikke slettes"),
    ("sv", "bara emot 1 av 2 paket", "dokumenten kunde inte göras", "kan inte tas bort"),
    ("nb", "bare imot 1 av 2 pakker", "dokumentene kunne ikke lages", "kan ikke slettes"),
    ("fi", "vain osan paketeista (1/2)", "asiakirjoja ei voitu laatia", "ei voi poistaa"),
    ("de", "nur 1 von 2 Paketen", "Dokumente konnten nicht erstellt", "nicht gelöscht werden"),
];

async fn get(fixture: &Fixture, path: &str, language: Option<&str>) -> Reply {
    let ask = fixture.app.get(path).admin();
    let ask = match language {
        Some(language) => ask.header("accept-language", language),
        None => ask,
    };
    ask.send().await.expect(200)
}

fn names(documents: &Value) -> Vec<String> {
    let documents = documents.as_array().unwrap();
    documents.iter().map(|document| document["name"].as_str().unwrap().to_owned()).collect()
}

/// The titles of the sheets of a report that was asked for in this language.
async fn titles(fixture: &Fixture, kind: &str, language: &str) -> Vec<String> {
    let path = format!("/beta/teams/{}/reports", fixture.app.team);
    let body = json!({"type": kind, "from": "2026-01-01T00:00:00Z",
        "to": "2027-01-01T00:00:00Z", "formats": ["xlsx"]});
    let ask = fixture.app.post(&path).admin().header("accept-language", language);
    let asked = ask.json(&body.to_string()).send().await.expect(202);
    let path = format!("{path}/{}", asked.at("/data/uuid").as_str().unwrap());
    for _ in 0..600 {
        let report = fixture.app.get(&path).admin().send().await.expect(200);
        if report.at("/data/state") == "pending" {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        }
        let url = report.at("/data/documents/0/url").as_str().unwrap().to_owned();
        let file = fixture.app.get(url.strip_prefix("http://waybill.test").unwrap()).send().await;
        let bytes = std::io::Cursor::new(file.expect(200).bytes.clone());
        let book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(bytes).unwrap();
        return book.sheet_names();
    }
    panic!("the report was never ready");
}

/// Why a shipment is not cancelled, in a language.
async fn refusal(fixture: &Fixture, shipment: &Value, language: &str) -> String {
    let path = fixture.app.path(&format!("/shipments/{}/cancel", shipment.as_str().unwrap()));
    let ask = fixture.app.post(&path).admin().header("accept-language", language);
    ask.send().await.expect(409).at("/message").as_str().unwrap().to_owned()
}

fixtures! {
    async fn documents_are_named_in_the_callers_language_and_else_in_the_teams(fixture) {
        let booked = fixture.book(&abroad("NAMES")).await.expect(201);
        let english = ["Label", "Customs declaration", "Commercial invoice", "Packing list"];
        assert_eq!(names(&booked.at("/data/documents")), english);
        let id = booked.at("/data/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}"));
        let danish = ["Label", "Tolddeklaration", "Handelsfaktura", "Pakkeliste"];
        let german = ["Versandetikett", "Zollinhaltserklärung", "Handelsrechnung", "Packliste"];
        for (language, wanted) in [("da", danish), ("de", german)] {
            let shipment = get(&fixture, &path, Some(language)).await;
            assert_eq!(names(&shipment.at("/data/documents")), wanted);
        }
        let settings = fixture.app.path("/settings");
        let fi = r#"{"language": "fi"}"#;
        fixture.app.patch(&settings).admin().json(fi).send().await.expect(200);
        let labels = format!("/beta/teams/{}/documents?type=label", fixture.app.team);
        let list = get(&fixture, &labels, None).await;
        assert_eq!(names(&list.at("/data")), ["Osoitelappu"]);
        let list = get(&fixture, &labels, Some("en")).await;
        assert_eq!(names(&list.at("/data")), ["Label"]);
    }

    async fn sheets_are_titled_in_the_language_of_the_report_within_its_limits(fixture) {
        let wanted = [
            ("shipments", ["Shipments", "Forsendelser", "Försändelser", "Forsendelser",
                           "Lähetykset", "Sendungen"]),
            ("tracking", ["Trackings", "Sporinger", "Spårningar", "Sporinger", "Seurannat",
                          "Sendungsverfolgungen"]),
            ("print_jobs", ["Print jobs", "Printjob", "Utskriftsjobb", "Utskriftsjobber",
                            "Tulostustyöt", "Druckaufträge"]),
        ];
        for (kind, wanted) in wanted {
            for (language, title) in LANGUAGES.into_iter().zip(wanted) {
                assert_eq!(titles(&fixture, kind, language).await, [title], "{kind} {language}");
                assert!(title.chars().count() <= TITLE_MAX && !title.contains(FORBIDDEN));
            }
        }
    }

    async fn why_a_shipment_is_not_cancelled_is_said_in_words_and_never_by_its_state(fixture) {
        let rejected = fixture.book(&order("WHY-1 sim:reject")).await.expect(424).at("/data/uuid");
        let slow = fixture.book(&order("WHY-2 sim:delay=50s")).await.expect(202);
        assert_eq!(slow.at("/data/state"), "processing");
        let processing = slow.at("/data/uuid");
        let batch = open(&fixture).await;
        add(&fixture, &batch, &[order("WHY-3")]).await.expect(201);
        let pending = members(&fixture, &batch).await[0]["uuid"].clone();
        let mut said = BTreeSet::new();
        for language in LANGUAGES {
            for shipment in [&rejected, &processing, &pending] {
                let why = refusal(&fixture, shipment, language).await;
                let low = why.to_lowercase();
                assert!(!low.contains("processing") && !low.contains("pending"), "{why}");
                assert!(language == "en" || !low.contains("failed"), "{why}");
                said.insert(why);
            }
        }
        // What no carrier has, and what is being booked, in six languages.
        assert_eq!(said.len(), 12, "{said:?}");
        let why = refusal(&fixture, &processing, "en").await;
        assert!(why.contains("is still being booked"), "{why}");
    }

    async fn what_can_be_done_after_a_failure_is_said_in_six_languages(fixture) {
        let parcel = json!({"gross_weight": {"value": 500, "unit": "g"}});
        let two = json!({"parcels": [parcel, parcel]});
        let partial = fixture.book(&order_with("SAID-1 sim:partial", two)).await.expect(502);
        let undocumented = fixture.book(&order("SAID-2 sim:documents=fail")).await.expect(502);
        let booked = fixture.book(&order("SAID-3")).await.expect(201);
        let path = |of: &Reply| {
            fixture.app.path(&format!("/shipments/{}", of.at("/data/uuid").as_str().unwrap()))
        };
        for (language, part, papers, deletion) in AFTER_A_FAILURE {
            for (shipment, words) in [(&partial, part), (&undocumented, papers)] {
                let now = get(&fixture, &path(shipment), Some(language)).await;
                let said = now.at("/data/failure/message").as_str().unwrap().to_owned();
                assert!(said.contains(words), "{language}: {said}");
            }
            for shipment in [&partial, &undocumented, &booked] {
                let ask = fixture.app.delete(&path(shipment)).admin();
                let refused = ask.header("accept-language", language).send().await.expect(409);
                let said = refused.at("/message").as_str().unwrap().to_owned();
                assert!(said.contains(deletion), "{language}: {said}");
            }
        }
    }
}
