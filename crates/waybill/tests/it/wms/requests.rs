//! Requests: what is taken, what is refused where, and what lists can be asked.

use serde_json::{Value, json};

use super::{act, get, id, item, list, path, post, read, request, wanting};
use crate::harness::Reply;
use crate::harness::fixture::Fixture;
use crate::shipments::fixtures;

async fn refused(fixture: &Fixture, body: &Value) -> Vec<String> {
    post(&fixture.app, "/fulfilment-requests", body).await.expect(422).problems()
}

fn message(reply: &Reply, place: &str) -> String {
    reply.at("/errors")[place][0].as_str().unwrap().to_owned()
}

fixtures! {
    async fn a_request_is_shown_with_its_shipment_as_it_was_given(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let mut body = wanting("SHOWN", &[("B-1", 2)]);
        body["shipment"]["parcels"][0]["items"] = Value::Null;
        let made = post(app, "/fulfilment-requests", &body).await.expect(201);
        let line = json!({"sku": "B-1", "quantity": 2, "parcel": 0, "missing": 0, "allocations": []});
        assert_eq!(made.at("/data/lines"), json!([line]));
        assert_eq!(made.at("/data/shipment"), body["shipment"]);
        assert_eq!(made.at("/data/state"), "received");
        assert_eq!(made.at("/data/shipment_uuid"), Value::Null);
        let one = format!("/fulfilment-requests/{}", id(&made));
        assert!(made.header("location").unwrap().ends_with(&path(app, &one)));
        assert_eq!(read(app, &id(&made)).await.at("/data"), made.at("/data"));
    }

    async fn everything_that_is_wrong_with_a_request_is_told_at_once_at_its_place(fixture) {
        item(&fixture.app, "B-1").await;
        let body = json!({"identifier": 5, "lines": [
            {"sku": "B-1", "quantity": 0}, {"sku": "B-1", "quantity": 1}, {"sku": "none", "quantity": 1},
            {"sku": " x", "quantity": 100_000, "parcel": -1}, {"quantity": 1, "qty": 1}, 7],
            "shipment": {"parties": {"customer": {}}, "delivery": {"service_code": "sandbox:none"},
                "parcels": [{"items": []}], "extra": 1}, "note": "x"});
        let problems = refused(&fixture, &body).await;
        let expected = ["identifier", "lines.0.quantity", "lines.1.sku", "lines.2.sku",
            "lines.3.parcel", "lines.3.quantity", "lines.3.sku", "lines.4.qty", "lines.4.sku",
            "lines.5", "note", "shipment.delivery.service_code", "shipment.extra",
            "shipment.parcels.0.items", "shipment.parties.customer.address",
            "shipment.parties.customer.contact"];
        for place in expected {
            assert!(problems.iter().any(|found| found == place), "{place} in {problems:?}");
        }
        assert_eq!(refused(&fixture, &json!({})).await, ["lines", "shipment"]);
        let none = json!({"lines": [], "shipment": {}});
        assert!(refused(&fixture, &none).await.contains(&"lines".to_owned()));
    }

    async fn a_line_goes_into_a_parcel_that_is_there(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let mut body = wanting("PARCELS", &[("B-1", 1)]);
        body["lines"][0]["parcel"] = json!(1);
        assert_eq!(refused(&fixture, &body).await, ["lines.0.parcel"]);
        let parcel = body["shipment"]["parcels"][0].clone();
        body["shipment"]["parcels"] = json!([parcel, parcel]);
        post(app, "/fulfilment-requests", &body).await.expect(201);
    }

    async fn a_thousand_lines_go_into_one_parcel_and_no_more(fixture) {
        let app = &fixture.app;
        for number in 0..1000 {
            let body = json!({"sku": format!("N-{number}"), "name": "n"});
            post(app, "/catalog-items", &body).await.expect(201);
        }
        let line = |number: i64| json!({"sku": format!("N-{number}"), "quantity": 1});
        let mut body = wanting("MANY", &[]);
        body["lines"] = (0..1000).map(line).collect();
        let made = post(app, "/fulfilment-requests", &body).await.expect(201);
        assert_eq!(made.at("/data/lines").as_array().unwrap().len(), 1000);
        let short = act(app, &id(&made), "allocate").await.expect(200);
        assert_eq!(short.at("/data/lines/999/missing"), 1);
        body["lines"] = (0..1001).map(line).collect();
        assert!(refused(&fixture, &body).await.contains(&"lines".to_owned()));
    }

    async fn what_an_item_lacks_is_told_at_its_line(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        post(app, "/catalog-items", &json!({"sku": "BARE", "name": "n",
            "weight": {"value": 1, "unit": "g"}, "country_of_origin": "DK",
            "unit_price": {"value": 1, "currency": "DKK"}})).await.expect(201);
        let mut body = wanting("ABROAD", &[("B-1", 1), ("BARE", 1)]);
        let address = &mut body["shipment"]["parties"]["customer"]["address"];
        (address["country"], address["postal_code"]) = (json!("NO"), json!("0555"));
        body["shipment"]["customs"] = json!({"content_type": "commercial_goods", "incoterm": "DAP",
            "invoice_number": "INV-1", "invoice_date": "2026-11-14"});
        let reply = post(app, "/fulfilment-requests", &body).await.expect(422);
        assert_eq!(reply.problems(), ["lines.1.sku"]);
        assert!(message(&reply, "lines.1.sku").contains("hs_code"), "{}", reply.json());
        body["lines"] = json!([{"sku": "B-1", "quantity": 1}]);
        post(app, "/fulfilment-requests", &body).await.expect(201);
        body["shipment"]["customs"]["shipping_cost"] = json!({"value": 1, "currency": "EUR"});
        let reply = post(app, "/fulfilment-requests", &body).await.expect(422);
        assert!(message(&reply, "lines.0.sku").contains("unit_price"), "{}", reply.json());
    }

    async fn a_template_is_merged_to_check_a_request(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let template = json!({"title": "T", "shipment": {"weight_unit": "g",
            "delivery": {"service_code": "sandbox:home"}, "parcels": [{"gross_weight": 5000}]}});
        let templates = app.path("/shipment-templates");
        let ask = app.post(&templates).admin().json(&template.to_string());
        let made = ask.send().await.expect(201);
        let mut body = wanting("TEMPLATE", &[("B-1", 1)]);
        let shipment = body["shipment"].as_object_mut().unwrap();
        shipment.remove("delivery");
        shipment.remove("parcels");
        shipment.insert("template_uuid".to_owned(), made.at("/data/uuid"));
        post(app, "/fulfilment-requests", &body).await.expect(201);
        body["shipment"]["template_uuid"] = json!("01a1e049-876b-7abf-afcc-5ff07827cff3");
        assert_eq!(refused(&fixture, &body).await, ["shipment.template_uuid"]);
    }

    async fn requests_are_listed_newest_first_and_found_exactly(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let mut made = Vec::new();
        for reference in ["R-1", "R-2", "R-3"] {
            made.push(request(app, reference, &[("B-1", 1)]).await);
        }
        act(app, &made[1], "cancel").await.expect(200);
        let references = |rows: Vec<Value>| -> Vec<String> {
            rows.iter().map(|row| row["reference"].as_str().unwrap().to_owned()).collect()
        };
        let all = "/fulfilment-requests";
        assert_eq!(references(list(app, all).await), ["R-3", "R-2", "R-1"]);
        let of = async |query: &str| references(list(app, &format!("{all}?{query}")).await);
        assert_eq!(of("state=received").await, ["R-3", "R-1"]);
        assert_eq!(of("state=cancelled").await, ["R-2"]);
        assert_eq!(of("reference=R-1").await, ["R-1"]);
        assert_eq!(of("identifier=4521&state=received").await, ["R-3", "R-1"]);
        assert!(of("identifier=none").await.is_empty());
        let page = get(app, &format!("{all}?per_page=2")).send().await.expect(200);
        let next = page.at("/meta/next_cursor").as_str().unwrap().to_owned();
        assert_eq!(of(&format!("per_page=2&cursor={next}")).await, ["R-1"]);
        let wrong = get(app, &format!("{all}?state=open")).send().await.expect(422);
        assert_eq!(wrong.problems(), ["state"]);
    }

    async fn a_request_of_another_team_is_not_there(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let made = request(app, "OURS", &[("B-1", 1)]).await;
        let (other, token) = app.team("other.example.com").await;
        let one = format!("/beta/teams/{other}/wms/fulfilment-requests/{made}");
        app.get(&one).token(&token).send().await.expect(404);
        for action in ["allocate", "pick", "pack", "ship", "cancel"] {
            app.post(&format!("{one}/{action}")).token(&token).send().await.expect(404);
        }
        let nobody = "/fulfilment-requests/01a1e402-0001-7001-8001-000000000001";
        get(app, nobody).send().await.expect(404);
        get(app, "/fulfilment-requests/none").send().await.expect(404);
        assert_eq!(read(app, &made).await.at("/data/state"), "received");
    }

    async fn the_same_create_again_shows_the_request_that_it_made(fixture) {
        let app = &fixture.app;
        item(app, "B-1").await;
        let body = wanting("AGAIN", &[("B-1", 1)]).to_string();
        let ask = || {
            let all = path(app, "/fulfilment-requests");
            app.post(&all).admin().header("idempotency-key", "the-same-request-again").json(&body).send()
        };
        let first = ask().await.expect(201);
        act(app, &id(&first), "cancel").await.expect(200);
        let second = ask().await.expect(201);
        assert_eq!(second.header("idempotency-replayed"), Some("true"));
        assert_eq!((id(&first), json!("cancelled")), (id(&second), second.at("/data/state")));
    }
}
