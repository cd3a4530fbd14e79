//! Labels, customs papers, manifests and reports of real bookings.

use std::time::Duration;

use serde_json::{Value, json};

use super::fixtures;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order, order_with};

async fn set(fixture: &Fixture, patch: Value) {
    let path = fixture.app.path("/settings");
    fixture.app.patch(&path).admin().json(&patch.to_string()).send().await.expect(200);
}

async fn bytes(fixture: &Fixture, url: &Value) -> Vec<u8> {
    let path = url.as_str().unwrap().strip_prefix("http://waybill.test").unwrap().to_owned();
    fixture.app.get(&path).send().await.expect(200).bytes.clone()
}

fn beta(fixture: &Fixture, rest: &str) -> String {
    fixture.app.path(rest).replacen("/v2/", "/beta/", 1)
}

/// To Norway, with all that customs want to know.
fn abroad(reference: &str, parcels: usize) -> Value {
    let parcel = json!({"gross_weight": {"value": 900, "unit": "g"}, "items": [
        {"description": "Book", "quantity": 2, "net_weight": {"value": 400, "unit": "g"},
         "unit_price": {"value": 9900, "currency": "DKK"}, "hs_code": "490199",
         "country_of_origin": "DK"}]});
    order_with(
        reference,
        json!({
            "parties": {"customer": {"address": {"country": "NO", "postal_code": "0555", "city": "Oslo"}}},
            "customs": {"content_type": "commercial_goods", "incoterm": "DAP", "invoice_number": "INV-1",
                        "invoice_date": "2026-11-14"},
            "parcels": vec![parcel; parcels],
        }),
    )
}

fn types(reply: &Reply) -> Vec<String> {
    let documents = reply.at("/data/documents");
    documents
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["types"][0].as_str().unwrap().to_owned())
        .collect()
}

fixtures! {
    // Rules: Document 3, 4; Measurement objects 7.
    async fn a_label_is_drawn_in_the_format_and_size_that_the_team_wants(fixture) {
        for (format, magic) in [("pdf", "%PDF-"), ("zpl", "^XA"), ("png", "PNG")] {
            for (size, width, height) in [("100x150", 100.0, 150.0), ("a4", 210.0, 297.0)] {
                set(&fixture, json!({"documents": {"label": {"formats": [format], "size": size}}})).await;
                let reply = fixture.book(&order(&format!("L-{format}-{size}"))).await.expect(201);
                assert_eq!(reply.at("/data/documents/0/format"), json!(format));
                let side = |name: &str| {
                    let side = reply.at(&format!("/data/documents/0/{name}"));
                    assert_eq!(side["unit"], json!("mm"));
                    side["value"].as_f64().unwrap()
                };
                assert!((side("width") - width).abs() < 0.1, "{format} {}", side("width"));
                assert!((side("height") - height).abs() < 0.1, "{format} {}", side("height"));
                assert_eq!(reply.at("/data/documents/0/page_count"), json!(1));
                let file = bytes(&fixture, &reply.at("/data/documents/0/url")).await;
                assert_eq!(reply.at("/data/documents/0/size_bytes"), json!(file.len()));
                let start = String::from_utf8_lossy(&file[..8]).into_owned();
                assert!(start.contains(magic), "{format}: {start}");
            }
        }
    }

    async fn several_parcels_are_pages_of_one_file_and_pictures_are_files_of_their_own(fixture) {
        let parcel = json!({"gross_weight": {"value": 500, "unit": "g"}});
        let three = json!({"parcels": [parcel, parcel, parcel]});
        for (format, files, pages) in [("pdf", 1, 3), ("zpl", 1, 3), ("png", 3, 1)] {
            set(&fixture, json!({"documents": {"label": {"formats": [format]}}})).await;
            let reply = fixture.book(&order_with(format, three.clone())).await.expect(201);
            assert_eq!(reply.at("/data/documents").as_array().unwrap().len(), files);
            assert_eq!(reply.at("/data/documents/0/page_count"), json!(pages));
        }
    }

    async fn customs_papers_come_exactly_when_a_border_is_crossed(fixture) {
        let home = fixture.book(&order("HOME")).await.expect(201);
        assert_eq!(types(&home), ["label"]);
        let one = fixture.book(&abroad("ONE", 1)).await.expect(201);
        assert_eq!(types(&one), ["label", "customs_declaration", "commercial_invoice"]);
        let two = fixture.book(&abroad("TWO", 2)).await.expect(201);
        let all = ["label", "customs_declaration", "commercial_invoice", "packing_list"];
        assert_eq!(types(&two), all);
        assert_eq!(two.at("/data/documents/1/page_count"), json!(2));
        let mut gift = abroad("GIFT", 1);
        gift["customs"]["content_type"] = json!("gift");
        let gift = fixture.book(&gift).await.expect(201);
        assert_eq!(types(&gift), ["label", "customs_declaration", "proforma_invoice"]);
        for document in two.at("/data/documents").as_array().unwrap() {
            assert!(bytes(&fixture, &document["url"]).await.starts_with(b"%PDF-"));
        }
    }

    async fn what_cannot_be_printed_is_refused_up_front_at_its_field(fixture) {
        let named = |name: &str| order_with("X", json!({"parties": {"customer": {"contact": {"name": name}}}}));
        for name in ["Ada 😀 Jensen", "שלום", "山田太郎"] {
            let reply = fixture.book(&named(name)).await;
            assert_eq!(reply.problems(), ["parties.customer.contact.name"], "{name}");
        }
        for name in ["Łukasz Żółć", "Ελένη Παπαδοπούλου", "Олександр Ющенко", "Şule Çağlar"] {
            fixture.book(&named(name)).await.expect(201);
        }
        let letter = json!({"delivery": {"service_code": "sandbox:letter"},
            "parcels": [{"gross_weight": {"value": 100, "unit": "g"}}],
            "parties": {"customer": {"contact": {"name": "Ελένη"}}}});
        let reply = fixture.book(&order_with("G", letter)).await;
        assert_eq!(reply.problems(), ["parties.customer.contact.name"]);
        assert_eq!(fixture.bookings("X"), 4);
        set(&fixture, json!({"documents": {"label": {"size": "a4"}}})).await;
        let letter = json!({"delivery": {"service_code": "sandbox:letter"},
            "parcels": [{"gross_weight": {"value": 100, "unit": "g"}}]});
        let reply = fixture.book(&order_with("A4", letter)).await;
        assert_eq!(reply.problems(), ["delivery.service_code"]);
    }

    // Rules: Service 5.
    async fn fifty_document_failures_in_a_row_leave_the_carrier_with_one_booking(fixture) {
        let reference = "FIFTY sim:documents=fail";
        let reply = fixture.book(&order(reference)).await.expect(502);
        let id = reply.at("/data/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}/documents"));
        let mut recoveries = 0;
        while recoveries < 50 {
            let again = fixture.app.post(&path).admin().send().await;
            match again.status {
                202 => recoveries += 1,
                // The last one is still under way: let its pauses pass.
                409 => fixture.advance(Duration::from_secs(10)).await,
                other => panic!("{other}: {}", again.json()),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(fixture.bookings(reference), 1);
    }

    // Rules: Document 1, 2, 6.
    async fn documents_are_listed_with_what_made_them_and_filtered(fixture) {
        let shipment = fixture.book(&abroad("LIST", 1)).await.expect(201);
        fixture.book(&order("OTHER")).await.expect(201);
        let list = |query: &str| {
            let path = beta(&fixture, &format!("/documents{query}"));
            let fixture = &fixture;
            async move { fixture.app.get(&path).admin().send().await.expect(200) }
        };
        assert_eq!(list("").await.at("/data").as_array().unwrap().len(), 4);
        let id = shipment.at("/data/uuid").as_str().unwrap().to_owned();
        let own = list(&format!("?source_type=shipment&source_uuid={id}")).await;
        assert_eq!(own.at("/data").as_array().unwrap().len(), 3);
        assert_eq!(own.at("/data/0/source"), json!({"uuid": id, "type": "shipment"}));
        assert_eq!(list("?type=commercial_invoice").await.at("/data").as_array().unwrap().len(), 1);
        assert_eq!(list("?format=zpl").await.at("/data"), json!([]));
        let page = list("?per_page=3").await;
        assert!(page.at("/links/next").is_string());
        let one = page.at("/data/0/uuid").as_str().unwrap().to_owned();
        let path = beta(&fixture, &format!("/documents/{one}"));
        assert_eq!(fixture.app.get(&path).admin().send().await.expect(200).at("/data/uuid"), json!(one));
        for bad in ["?type=letter", "?format=doc", "?source_uuid=1", "?per_page=0"] {
            let path = beta(&fixture, &format!("/documents{bad}"));
            fixture.app.get(&path).admin().send().await.expect(422);
        }
    }

    async fn a_manifest_closes_what_is_booked_once(fixture) {
        let first = fixture.book(&order("M-1")).await.expect(201);
        let second = fixture.book(&order("M-2")).await.expect(201);
        fixture.book(&order("M-3 sim:reject")).await.expect(424);
        let path = beta(&fixture, "/manifests");
        let ask = |body: Value, key: &str| {
            let ask = fixture.app.post(&path).admin().header("idempotency-key", key);
            ask.json(&body.to_string())
        };
        let given = json!({"carrier_code": "sandbox", "shipment_uuids": [first.at("/data/uuid")]});
        let one = ask(given.clone(), "manifest-of-the-first").send().await.expect(201);
        assert_eq!(one.at("/data/shipment_count"), json!(1));
        assert!(bytes(&fixture, &one.at("/data/documents/0/url")).await.starts_with(b"%PDF-"));
        let again = ask(given.clone(), "manifest-of-the-first").send().await.expect(201);
        assert_eq!(again.at("/data/uuid"), one.at("/data/uuid"));
        let twice = ask(given, "manifest-of-the-first-again").send().await;
        assert_eq!(twice.problems(), ["shipment_uuids.0"]);
        let id = second.at("/data/uuid");
        let given = json!({"carrier_code": "sandbox", "shipment_uuids": [id, id]});
        let repeated = ask(given, "manifest-of-one-twice-1").send().await;
        assert_eq!(repeated.problems(), ["shipment_uuids.1"]);
        let nobody = json!({"carrier_code": "nobody", "shipment_uuids": ["x", 7], "colour": "red"});
        let several = ask(nobody, "manifest-of-mistakes-1").send().await;
        let paths = ["carrier_code", "colour", "shipment_uuids.0", "shipment_uuids.1"];
        assert_eq!(several.problems(), paths);
        let rest = ask(json!({"carrier_code": "sandbox"}), "manifest-of-the-rest-1").send().await;
        assert_eq!(rest.expect(201).at("/data/shipment_count"), json!(1));
        ask(json!({"carrier_code": "sandbox"}), "manifest-of-nothing-1").send().await.expect(409);
        let unknown = ask(json!({"carrier_code": "nobody"}), "manifest-of-nobody-1").send().await;
        assert_eq!(unknown.problems(), ["carrier_code"]);
        let list = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(list.at("/data").as_array().unwrap().len(), 2);
        let show = format!("{path}/{}", one.at("/data/uuid").as_str().unwrap());
        let shown = fixture.app.get(&show).admin().send().await.expect(200);
        assert_eq!(shown.at("/data/uuid"), one.at("/data/uuid"));
        let cancel = fixture.app.path(&format!("/shipments/{}/cancel", first.at("/data/uuid").as_str().unwrap()));
        fixture.app.post(&cancel).admin().send().await.expect(200);
    }

    async fn a_report_is_a_spreadsheet_and_a_summary_of_the_period(fixture) {
        fixture.book(&order("=1+1")).await.expect(201);
        fixture.book(&order("R-2 sim:reject")).await.expect(424);
        let path = beta(&fixture, "/reports");
        let body = json!({"type": "shipments", "from": "2020-01-01T00:00:00Z",
            "to": "2020-12-31T00:00:00Z", "formats": ["xlsx"]});
        let ask = |body: Value| fixture.app.post(&path).admin().json(&body.to_string()).send();
        ask(body.clone()).await.expect(202);
        let mut now = body.clone();
        now["from"] = json!("2026-01-01T00:00:00+01:00");
        now["to"] = json!("2026-12-31T00:00:00Z");
        now["formats"] = json!(["xlsx", "pdf"]);
        let asked = ask(now).await.expect(202);
        assert_eq!(asked.header("retry-after"), Some("5"));
        let location = asked.header("location").unwrap().strip_prefix("http://waybill.test").unwrap().to_owned();
        let mut report = fixture.app.get(&location).admin().send().await.expect(200);
        for _ in 0..200 {
            if report.at("/data/state") != json!("pending") { break }
            tokio::time::sleep(Duration::from_millis(50)).await;
            report = fixture.app.get(&location).admin().send().await.expect(200);
        }
        assert_eq!(report.at("/data/state"), json!("ready"));
        let sheet = bytes(&fixture, &report.at("/data/documents/0/url")).await;
        assert_eq!(rows(&sheet), [["=1+1", "Booked"], ["R-2 sim:reject", "Failed"]]);
        let paper = bytes(&fixture, &report.at("/data/documents/1/url")).await;
        assert!(paper.starts_with(b"%PDF-"));
        let mut wrong = body;
        wrong["type"] = json!("returns");
        wrong["to"] = json!("2019-01-01T00:00:00Z");
        assert_eq!(ask(wrong).await.problems(), ["to", "type"]);
        let list = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(list.at("/data").as_array().unwrap().len(), 2);
    }

    // Rules: Shipment 3.
    async fn a_qr_code_is_a_picture_and_no_document(fixture) {
        let reply = fixture.book(&order("QR sim:qr")).await.expect(201);
        let picture = bytes(&fixture, &reply.at("/data/qr_codes/0/url")).await;
        assert!(picture.starts_with(b"\x89PNG"));
        assert_eq!(types(&reply), ["label"]);
        let url = reply.at("/data/qr_codes/0/url").as_str().unwrap().to_owned();
        let path = url.strip_prefix("http://waybill.test").unwrap().replace("qr-1", "qr-2");
        fixture.app.get(&path).send().await.expect(404);
    }
}

/// Reference and state of each row, read by somebody else's reader, and no formula anywhere.
fn rows(bytes: &[u8]) -> Vec<[String; 2]> {
    use calamine::{Reader, Xlsx};
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
    let name = book.sheet_names()[0].clone();
    assert!(book.worksheet_formula(&name).unwrap().cells().all(|(_, _, text)| text.is_empty()));
    let range = book.worksheet_range(&name).unwrap();
    let cell = |row: &[calamine::Data], index: usize| row[index].to_string();
    range.rows().skip(1).map(|row| [cell(row, 2), cell(row, 1)]).collect()
}

/// Heads and cells of a spreadsheet, by row.
fn cells(bytes: &[u8]) -> Vec<Vec<String>> {
    use calamine::{Reader, Xlsx};
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
    let name = book.sheet_names()[0].clone();
    let range = book.worksheet_range(&name).unwrap();
    range.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect()
}

fixtures! {
    async fn a_report_has_units_prices_and_delivery_dates(fixture) {
        let rate = crate::rates::rate("sandbox:home", json!("DK"), (0.0, 2.0), 4_950);
        let rates = json!({"data": [rate]}).to_string();
        fixture.app.put(&fixture.app.path("/rates")).admin().json(&rates).send().await.expect(200);
        let walker = fixture.book(&order("WALKER sim:track=100ms")).await.expect(201);
        let id = walker.at("/data/uuid").as_str().unwrap().to_owned();
        let path = fixture.app.path(&format!("/shipments/{id}/tracking"));
        let mut tracking = fixture.app.get(&path).admin().send().await.expect(200);
        for _ in 0..1200 {
            if tracking.at("/data/0/state") == json!("Delivered") { break }
            tokio::time::sleep(Duration::from_millis(50)).await;
            tracking = fixture.app.get(&path).admin().send().await.expect(200);
        }
        let delivered = tracking.at("/data/0/delivered_at").as_str().unwrap().to_owned();
        let asked = json!({"type": "shipments", "from": "2026-01-01T00:00:00+01:00",
            "to": "2026-12-31T00:00:00Z", "formats": ["xlsx"]}).to_string();
        let asked = fixture.app.post(&beta(&fixture, "/reports")).admin().json(&asked).send().await.expect(202);
        let location = asked.header("location").unwrap().strip_prefix("http://waybill.test").unwrap().to_owned();
        let mut report = fixture.app.get(&location).admin().send().await.expect(200);
        for _ in 0..600 {
            if report.at("/data/state") != json!("pending") { break }
            tokio::time::sleep(Duration::from_millis(50)).await;
            report = fixture.app.get(&location).admin().send().await.expect(200);
        }
        let sheet = cells(&bytes(&fixture, &report.at("/data/documents/0/url")).await);
        let cell = |head: &str| {
            let column = sheet[0].iter().position(|name| name == head);
            sheet[1][column.unwrap_or_else(|| panic!("no {head} in {:?}", sheet[0]))].clone()
        };
        assert_eq!(cell("Weight (kg)"), "1.2");
        assert_eq!((cell("Estimated price"), cell("Currency")), ("49.5".into(), "DKK".into()));
        // Days since the end of 1899, as spreadsheets count.
        let days: f64 = cell("Delivered (UTC)").parse().unwrap();
        let moment: jiff::Timestamp = delivered.parse().unwrap();
        assert!((days - 25_569.0 - moment.as_second() as f64 / 86_400.0).abs() < 0.001, "{delivered}");
        assert!(cell("Expected by (UTC)").parse::<f64>().unwrap() > 40_000.0);
        assert!(cell("Booked (UTC)").parse::<f64>().unwrap() > 40_000.0);
    }
}
