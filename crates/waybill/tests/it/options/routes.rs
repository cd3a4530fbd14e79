//! Over the routes and services of real carriers: what is available is what can be booked.

use serde_json::{Value, json};
use waybill_carriers::CarrierUrls;
use waybill_carriers::registry::CARRIERS;
use waybill_outbound::{Network, Outbound};

use crate::harness::{Database, TestApp};
use crate::points::take;

/// Nobody listens there: an account is kept when its carrier does not answer.
const NOBODY: &str = "http://127.0.0.1:9";

/// Countries, each with a place in it.
const PLACES: [(&str, &str, &str); 7] = [
    ("DK", "2300", "København S"),
    ("SE", "111 22", "Stockholm"),
    ("NO", "0150", "Oslo"),
    ("FI", "00100", "Helsinki"),
    ("DE", "10115", "Berlin"),
    ("NL", "1011 AB", "Amsterdam"),
    ("US", "10001", "New York"),
];

const ROUTES: [(&str, &str); 14] = [
    ("DK", "DK"),
    ("SE", "SE"),
    ("NO", "NO"),
    ("FI", "FI"),
    ("DE", "DE"),
    ("SE", "NO"),
    ("NO", "SE"),
    ("NO", "DE"),
    ("DK", "FI"),
    ("FI", "DK"),
    ("SE", "DE"),
    ("SE", "NL"),
    ("SE", "US"),
    ("DE", "SE"),
];

fn party(country: &str, contact: &Value, identifiers: &Value) -> Value {
    let (_, postal_code, city) = PLACES.iter().find(|(code, ..)| *code == country).unwrap();
    let area = if country == "US" { json!("NY") } else { json!(null) };
    let address = json!({"address_lines": ["Street 1"], "postal_code": postal_code, "city": city,
        "country": country, "administrative_area": area});
    json!({"contact": contact, "identifiers": identifiers, "address": address})
}

/// What differs from question to question, beside the route.
struct Variant {
    name: &'static str,
    contact: Value,
    identifiers: Value,
    is_described: bool,
    has_goods: bool,
}

fn variants() -> [Variant; 4] {
    let full = json!({"name": "Ada Holm", "email": "ada@post.example", "phone": "+4670123456"});
    let variant = |name, identifiers| Variant {
        name,
        contact: full.clone(),
        identifiers,
        is_described: true,
        has_goods: false,
    };
    let all = json!({"vat": "SE556677", "eori": "SE556677", "voec": "2024001"});
    [
        variant("everything", all.clone()),
        Variant { has_goods: true, ..variant("a little of dangerous goods", all.clone()) },
        Variant {
            is_described: false,
            ..variant("goods of no description, and VAT", json!({"vat": "1"}))
        },
        Variant {
            contact: json!({"name": "Ada Holm", "email": "ada@post.example"}),
            ..variant("no phone", all)
        },
    ]
}

impl Variant {
    fn question(&self, (from, to): (&str, &str)) -> Value {
        let side = |value: u8| json!({"value": value, "unit": "cm"});
        let description = if self.is_described { json!("Mug") } else { json!(null) };
        let item = json!({"description": description, "quantity": 1, "hs_code": "691110",
            "country_of_origin": "SE", "net_weight": {"value": 400, "unit": "g"},
            "unit_price": {"value": 4950, "currency": "SEK"}});
        let goods = match self.has_goods {
            true => json!([{"un_number": "UN1263", "is_limited_quantity": true}]),
            false => json!([]),
        };
        let parcel = json!({"description": "Mugs", "gross_weight": {"value": 500, "unit": "g"},
            "length": side(20), "width": side(10), "height": side(5), "items": [item],
            "dangerous_goods": goods});
        json!({"parties": {"merchant": party(from, &self.contact, &self.identifiers),
                "customer": party(to, &self.contact, &json!({}))},
            "parcels": [parcel], "customs": {"content_type": "commercial_goods"}})
    }
}

/// A team that can book with both carriers, whose points are known in most countries.
async fn shop(bring: Value) -> TestApp {
    let urls = format!("postnord={NOBODY},bring={NOBODY}");
    let urls = CarrierUrls::parse(&urls).unwrap();
    let outbound = Outbound::new(Network::new().unwrap(), true);
    let app = TestApp::with_registry(Database::Sqlite, CARRIERS, urls, outbound).await;
    let postnord = json!({"customer_number": "1234567890", "agreement_country": "SE",
        "application_id": 1438});
    for (carrier, credentials, options) in [
        ("postnord", json!({"api_key": "key"}), postnord),
        ("bring", json!({"api_uid": "user@shop.example", "api_key": "key"}), bring),
    ] {
        let account = json!({"carrier_code": carrier, "name": carrier, "credentials": credentials,
            "options": options});
        let accounts = app.path("/carrier-accounts");
        app.post(&accounts).admin().json(&account.to_string()).send().await.expect(201);
    }
    let mut points = Vec::new();
    for carrier in ["postnord", "bring"] {
        for (country, postal_code, city) in PLACES.iter().filter(|(code, ..)| *code != "US") {
            points.push(json!({"carrier": carrier, "code": "1", "name": "Shop",
                "type": "parcel_shop", "coordinates": {"latitude": 55.0, "longitude": 12.0},
                "address": {"address_lines": ["Street 9"], "postal_code": postal_code,
                    "city": city, "administrative_area": null, "country": country},
                "opening_hours": null}));
        }
    }
    take(&app, points, true).await;
    app
}

/// What was said against each of the orders; nothing of those that can be booked.
async fn refused(app: &TestApp, orders: &[Value]) -> Vec<Vec<String>> {
    let batches = app.path("/booking-batches");
    let batch = app.post(&batches).admin().json("{}").send().await.expect(201);
    let id = batch.at("/data/uuid").as_str().unwrap().to_owned();
    let members = format!("{batches}/{id}/shipments");
    let body = json!({"data": orders}).to_string();
    let reply = app.post(&members).admin().json(&body).send().await;
    let said = if reply.status == 201 { Vec::new() } else { reply.problems() };
    let of = |place: usize| {
        let start = format!("data.{place}.");
        said.iter().filter(|path| path.starts_with(&start)).cloned().collect()
    };
    (0..orders.len()).map(of).collect()
}

/// How many services were available, of those that were asked about.
async fn compare(app: &TestApp, variant: &Variant, route: (&str, &str)) -> (usize, usize) {
    let question = variant.question(route);
    let path = app.path("/delivery-options");
    let reply = app.post(&path).admin().json(&question.to_string()).send().await.expect(200);
    let options = reply.at("/data").as_array().unwrap().clone();
    let order = |option: &Value| {
        let mut order = question.clone();
        order["delivery"] = json!({"service_code": option["delivery"]["service_code"]});
        order
    };
    let orders: Vec<Value> = options.iter().map(order).collect();
    for (option, said) in options.iter().zip(refused(app, &orders).await) {
        let is_available = option["is_available"] == json!(true);
        let code = &option["delivery"]["service_code"];
        let why = &option["unavailable_reasons"];
        assert_eq!(
            is_available,
            said.is_empty(),
            "{} {route:?} {code} {said:?} {why}",
            variant.name
        );
        assert_eq!(is_available, *why == json!([]), "{} {route:?} {code} {why}", variant.name);
    }
    (options.iter().filter(|it| it["is_available"] == json!(true)).count(), options.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_available_on_a_route_is_what_can_be_booked() {
    let number = json!({"customer_number": "5", "client_url": "https://shop.example"});
    let mut together = number.clone();
    together["consolidated_shipment_id"] = json!("CS-1");
    for bring in [number, together] {
        let app = shop(bring).await;
        let (mut available, mut asked) = (0, 0);
        for variant in &variants() {
            for route in ROUTES {
                let (some, all) = compare(&app, variant, route).await;
                (available, asked) = (available + some, asked + all);
            }
        }
        assert_eq!(asked, variants().len() * ROUTES.len() * 19);
        assert!(available * 10 > asked, "{available} of {asked}");
    }
}
