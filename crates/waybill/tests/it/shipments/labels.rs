//! What a team wants of its labels, what stands on them, and what goes along across a border.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use waybill_store::teams;

use super::fixtures;
use crate::harness::Reply;
use crate::harness::fixture::{Fixture, order_with};

async fn want(fixture: &Fixture, label: Value) -> Reply {
    let patch = json!({"documents": {"label": label}}).to_string();
    fixture.app.patch(&fixture.app.path("/settings")).admin().json(&patch).send().await.expect(200)
}

async fn bytes(fixture: &Fixture, url: &Value) -> Vec<u8> {
    let path = url.as_str().unwrap().strip_prefix("http://waybill.test").unwrap().to_owned();
    fixture.app.get(&path).send().await.expect(200).bytes.clone()
}

/// The ZPL of a booking's label.
async fn zpl(fixture: &Fixture, booked: &Reply) -> String {
    let file = bytes(fixture, &booked.at("/data/documents/0/url")).await;
    String::from_utf8(file).unwrap()
}

fn letter(reference: &str) -> Value {
    let parcel = json!({"gross_weight": {"value": 100, "unit": "g"}});
    order_with(
        reference,
        json!({"delivery": {"service_code": "sandbox:letter"}, "parcels": [parcel]}),
    )
}

/// What poppler reads in a document of this type.
async fn text(fixture: &Fixture, booked: &Reply, kind: &str) -> String {
    let documents = booked.at("/data/documents");
    let document = documents.as_array().unwrap().iter().find(|d| d["types"][0] == json!(kind));
    let file = bytes(fixture, &document.unwrap()["url"]).await;
    let path = std::env::temp_dir().join(format!("waybill-{kind}-{}.pdf", std::process::id()));
    std::fs::write(&path, file).unwrap();
    let read = Command::new("pdftotext").arg("-layout").arg(&path).arg("-").output();
    std::fs::remove_file(&path).unwrap();
    String::from_utf8(read.expect("./tools installs poppler").stdout)
        .unwrap()
        .replace('\u{a0}', " ")
}

/// To another customs area, with all that customs want to know.
fn abroad(reference: &str, address: Value, parcels: &[i64]) -> Value {
    let parcel = |grams: &i64| {
        json!({"gross_weight": {"value": grams, "unit": "g"}, "items": [
        {"description": "Book", "quantity": 1, "net_weight": {"value": 400, "unit": "g"},
         "unit_price": {"value": 990_000, "currency": "DKK"}, "hs_code": "490199",
         "country_of_origin": "DK"}]})
    };
    let parcels: Vec<Value> = parcels.iter().map(parcel).collect();
    let customs = json!({"content_type": "commercial_goods", "incoterm": "DAP",
        "invoice_number": "INV-1", "shipping_cost": {"value": 10_000, "currency": "DKK"}});
    let customer = json!({"address": address});
    order_with(
        reference,
        json!({"parties": {"customer": customer}, "customs": customs, "parcels": parcels}),
    )
}

fixtures! {
    // Decisions 2, D4.
    async fn settings_show_sizes_the_first_of_them_and_dots(fixture) {
        let path = fixture.app.path("/settings");
        let label = |reply: &Reply| reply.at("/data/documents/label");
        let new = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(label(&new), json!({"formats": ["pdf", "zpl"],
            "sizes": ["100x150", "105x148", "102x152", "a4"], "size": "100x150", "dpi": 203}));
        let one = want(&fixture, json!({"size": "a4"})).await;
        assert_eq!(label(&one)["sizes"], json!(["a4"]));
        let two = want(&fixture, json!({"sizes": ["102x152", "a4"], "dpi": 300})).await;
        assert_eq!(label(&two), json!({"formats": ["pdf", "zpl"], "sizes": ["102x152", "a4"],
            "size": "102x152", "dpi": 300}));
        let bad = json!({"documents": {"label": {"sizes": ["a5"], "dpi": 600}}}).to_string();
        let bad = fixture.app.patch(&path).admin().json(&bad).send().await;
        assert_eq!(bad.problems(), ["documents.label.dpi", "documents.label.sizes.0"]);
    }

    // Decisions 2, D4: the settings of a team from before there was a list.
    async fn settings_that_were_stored_with_one_size_still_book(fixture) {
        let team = fixture.app.team;
        let path = fixture.app.path("/settings");
        want(&fixture, json!({"size": "a4"})).await;
        let shown = fixture.app.get(&path).admin().send().await.expect(200);
        let mut old = shown.at("/data");
        old["documents"]["label"] = json!({"formats": ["zpl", "pdf"], "size": "102x152"});
        let old = old.to_string();
        let now = fixture.app.app.now();
        let write = move |tx: &mut waybill_store::Tx<'_>| {
            let (_, version) = teams::find_settings(tx, team)?.unwrap();
            teams::set_settings(tx, team, version, &old, "en", now)
        };
        assert!(fixture.app.app.write(write).await.unwrap());
        let shown = fixture.app.get(&path).admin().send().await.expect(200);
        assert_eq!(shown.at("/data/documents/label/sizes"), json!(["102x152"]));
        assert_eq!(shown.at("/data/documents/label/dpi"), json!(203));
        let booked = fixture.book(&order_with("OLD", json!({}))).await.expect(201);
        assert_eq!(booked.at("/data/documents/0/width/value"), json!(102));
    }

    async fn the_first_wanted_size_that_the_service_has_is_taken_and_no_other(fixture) {
        fixture.book(&letter("ANY")).await.expect(201);
        want(&fixture, json!({"sizes": ["a4", "102x152"]})).await;
        let refused = fixture.book(&letter("NONE")).await;
        assert_eq!(refused.problems(), ["delivery.service_code"]);
        let said = refused.at("/errors/delivery.service_code/0");
        assert_eq!(said, json!("offers labels of 100x150, but the team's settings ask for a4, 102x152"));
        want(&fixture, json!({"sizes": ["a4", "100x150"]})).await;
        let letter = fixture.book(&letter("SECOND")).await.expect(201);
        assert_eq!(letter.at("/data/documents/0/width/value"), json!(100));
        let home = fixture.book(&order_with("FIRST", json!({}))).await.expect(201);
        assert_eq!(home.at("/data/documents/0/width/value"), json!(210));
        let carrier = fixture.app.get("/v2/carriers/sandbox").admin().send().await.expect(200);
        let services = carrier.at("/data/services");
        let sizes = |code: &str| {
            let service = services.as_array().unwrap().iter().find(|s| s["service_code"] == code);
            service.unwrap()["label_sizes"].clone()
        };
        assert_eq!(sizes("sandbox:letter"), json!(["100x150"]));
        assert_eq!(sizes("sandbox:home"), json!(["100x150", "102x152", "105x148", "a4"]));
    }

    async fn zpl_labels_have_the_dots_that_the_team_wants(fixture) {
        for (dpi, width) in [(203, "^PW800\n"), (300, "^PW1181\n")] {
            want(&fixture, json!({"formats": ["zpl"], "dpi": dpi})).await;
            let booked = fixture.book(&order_with(&format!("DPI-{dpi}"), json!({}))).await.expect(201);
            let label = zpl(&fixture, &booked).await;
            assert!(label.contains(width), "{dpi}: {}", &label[..60]);
            let side = booked.at("/data/documents/0/width/value").as_f64().unwrap();
            assert!((side - 100.0).abs() < 0.1, "{dpi}: {side}");
        }
    }

    async fn sizes_and_dots_are_those_of_the_acceptance(fixture) {
        want(&fixture, json!({"formats": ["zpl"], "sizes": ["100x150"], "dpi": 300})).await;
        let order = order_with("SNAPSHOT sim:delay=3s", json!({}));
        let change = async {
            let path = fixture.app.path("/shipments?state=processing");
            loop {
                let list = fixture.app.get(&path).admin().send().await.expect(200);
                if list.at("/data") != json!([]) { break }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            want(&fixture, json!({"sizes": ["102x152"], "dpi": 203})).await;
        };
        let (booked, ()) = tokio::join!(fixture.book(&order), change);
        let label = zpl(&fixture, &booked.expect(201)).await;
        assert!(label.contains("^PW1181\n"), "{}", &label[..60]);
    }

    async fn a_label_tells_the_driver_what_to_collect_to_check_and_where_to_leave_it(fixture) {
        want(&fixture, json!({"formats": ["zpl"]})).await;
        let goods = |number: &str, is_limited: bool| json!({"un_number": number, "class": "3",
            "packing_group": "III", "is_limited_quantity": is_limited});
        let order = order_with("DRIVER", json!({
            "delivery": {"addons": [
                {"code": "cash_on_delivery", "value": {"value": 49_900, "currency": "DKK"}},
                {"code": "age_verification", "value": "18"},
                {"code": "flex_delivery", "value": "Behind the shed"},
                {"code": "signature"}]},
            "parcels": [{"gross_weight": {"value": 1200, "unit": "g"},
                         "dangerous_goods": [goods("UN1263", true), goods("UN1170", false)]}]}));
        let label = zpl(&fixture, &fixture.book(&order).await.expect(201)).await;
        for wanted in ["^FDCash on ", "DKK 499.00^FS", "^FD18+^FS", "^FDCheck age: 18+^FS",
                       "^FDLeave at: Behind the shed^FS", "^FDDangerous goods: UN1170 3 III^FS",
                       "^FDLimited quantity: UN1263^FS", "^FDSignature^FS"] {
            assert!(label.contains(wanted), "{wanted}: {label}");
        }
    }

    async fn cash_on_delivery_is_collected_once_with_the_first_parcel_of_several(fixture) {
        want(&fixture, json!({"formats": ["zpl"]})).await;
        let parcel = json!({"gross_weight": {"value": 1200, "unit": "g"}});
        let addon = json!({"code": "cash_on_delivery", "value": {"value": 49_900, "currency": "DKK"}});
        let order = order_with("COLLECT", json!({"delivery": {"addons": [addon]},
            "parcels": [parcel, parcel, parcel]}));
        let file = zpl(&fixture, &fixture.book(&order).await.expect(201)).await;
        let labels: Vec<&str> = file.split_inclusive("^XZ").filter(|l| l.contains("^XA")).collect();
        assert_eq!(labels.len(), 3, "{file}");
        let words = |label: &str| {
            let fields = label.split("^FD").skip(1).filter_map(|field| field.split("^FS").next());
            fields.collect::<Vec<_>>().join(" ")
        };
        assert!(words(labels[0]).contains("DKK 499.00"), "{}", labels[0]);
        for label in &labels[1..] {
            let read = words(label);
            assert!(!read.contains("499"), "{read}");
            assert!(read.contains("Cash on delivery is collected with parcel 1/3"), "{read}");
        }
    }

    async fn flex_delivery_without_a_place_is_named_on_the_label(fixture) {
        want(&fixture, json!({"formats": ["zpl"]})).await;
        for value in [json!(null), json!("")] {
            let addons = json!([{"code": "flex_delivery", "value": value}]);
            let order = order_with("FLEX", json!({"delivery": {"addons": addons}}));
            let label = zpl(&fixture, &fixture.book(&order).await.expect(201)).await;
            assert!(label.contains("^FDFlex delivery^FS"), "{label}");
            assert!(!label.contains("Leave at"), "{label}");
        }
    }

    // Universal Postal Union, CN22 and CN23: what is dangerous is not certified to be absent.
    async fn nobody_certifies_that_dangerous_goods_hold_no_dangerous_article(fixture) {
        let oslo = json!({"country": "NO", "postal_code": "0555", "city": "Oslo"});
        let goods = json!([{"un_number": "UN1263", "class": "3", "is_limited_quantity": true}]);
        for (form, price, grams) in [("CN 22", 100, 900), ("CN 23", 990_000, 3000)] {
            for is_dangerous in [false, true] {
                let mut order = abroad("GOODS", oslo.clone(), &[grams]);
                order["parcels"][0]["items"][0]["unit_price"]["value"] = json!(price);
                if is_dangerous {
                    order["parcels"][0]["dangerous_goods"] = goods.clone();
                }
                let booked = fixture.book(&order).await.expect(201);
                let read = text(&fixture, &booked, "customs_declaration").await;
                let read = read.split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(read.contains(form) && read.contains("I certify"), "{read}");
                assert_eq!(read.contains("no dangerous article"), !is_dangerous, "{read}");
                assert!(read.contains("prohibited by law"), "{read}");
            }
        }
    }

    async fn a_label_of_the_sandbox_says_that_it_is_a_test(fixture) {
        let booked = fixture.book(&order_with("TEST", json!({}))).await.expect(201);
        let read = text(&fixture, &booked, "label").await;
        assert!(read.contains("TEST LABEL") && read.contains("do not ship"), "{read}");
    }

    async fn an_address_has_the_form_of_its_country(fixture) {
        want(&fixture, json!({"formats": ["zpl"]})).await;
        let us = json!({"address_lines": ["1 Oxford Street"], "postal_code": "02138",
            "city": "Cambridge", "administrative_area": "MA", "country": "US"});
        let booked = fixture.book(&abroad("US", us, &[900])).await.expect(201);
        let label = zpl(&fixture, &booked).await;
        assert!(label.contains("^FDCambridge_2C MA 02138^FS"), "{label}");
        let gb = json!({"address_lines": ["10 Downing Street"], "postal_code": "SW1A 2AA",
            "city": "London", "country": "GB"});
        let booked = fixture.book(&abroad("GB", gb, &[900])).await.expect(201);
        let label = zpl(&fixture, &booked).await;
        assert!(label.contains("^FDLondon^FS") && label.contains("^FDSW1A 2AA^FS"), "{label}");
    }

    async fn postal_charges_are_shared_by_the_parcels_and_the_invoice_tells_of_all(fixture) {
        let oslo = json!({"country": "NO", "postal_code": "0555", "city": "Oslo"});
        let booked = fixture.book(&abroad("THREE", oslo, &[3000, 2000, 1000])).await.expect(201);
        let forms = text(&fixture, &booked, "customs_declaration").await;
        for share in ["DKK 50.00", "DKK 33.33", "DKK 16.67"] {
            assert_eq!(forms.matches(share).count(), 1, "{share}\n{forms}");
        }
        assert!(!forms.contains("DKK 100.00"), "{forms}");
        let invoice = text(&fixture, &booked, "commercial_invoice").await;
        for parcel in booked.at("/data/parcels").as_array().unwrap() {
            let number = parcel["tracking_number"].as_str().unwrap();
            assert!(invoice.contains(number), "{number}\n{invoice}");
        }
        assert!(invoice.contains("6.00 kg"), "{invoice}");
        let facts: Vec<&str> = invoice.lines().skip_while(|l| !l.contains("Parcels")).collect();
        let at = facts[0].find("Parcels").unwrap();
        let below = facts.iter().skip(1).find(|line| !line.trim().is_empty()).unwrap();
        let count: String = below.chars().skip(at.saturating_sub(2)).take(8).collect();
        assert_eq!(count.trim(), "3", "{invoice}");
    }

    async fn more_items_than_a_small_form_holds_get_the_large_one(fixture) {
        let oslo = json!({"country": "NO", "postal_code": "0555", "city": "Oslo"});
        let mut order = abroad("SEVEN", oslo, &[900]);
        let mut item = order["parcels"][0]["items"][0].clone();
        item["unit_price"]["value"] = json!(100);
        item["net_weight"]["value"] = json!(10);
        order["parcels"][0]["items"] = json!(vec![item; 7]);
        let booked = fixture.book(&order).await.expect(201);
        let form = text(&fixture, &booked, "customs_declaration").await;
        assert!(form.contains("CN 23"), "{form}");
    }
}
