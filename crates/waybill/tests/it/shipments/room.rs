//! A label has room for every address that the catalog allows, on every size and in every format.

use serde_json::{Value, json};
use waybill_carriers::catalog::load;
use waybill_domain::catalog::customs::is_declared;
use waybill_domain::catalog::{Carrier, Catalog, Constraint, Service};
use waybill_domain::country::Country;
use waybill_domain::json::{Json, parse};
use waybill_domain::language::Language;
use waybill_domain::party::{Address, Party};
use waybill_domain::point::Position;
use waybill_domain::shipment::{Order, PickupPoint};
use waybill_engine::papers::{DocumentInputs, problems};
use waybill_paper::{PaperSize, Renderer};

use super::fixtures;
use crate::harness::fixture::{Fixture, order_with};

const SIZES: [&str; 4] = ["100x150", "105x148", "102x152", "a4"];
const FORMATS: [&str; 3] = ["pdf", "zpl", "png"];

async fn want(fixture: &Fixture, label: Value) {
    let patch = json!({"documents": {"label": label}}).to_string();
    fixture.app.patch(&fixture.app.path("/settings")).admin().json(&patch).send().await.expect(200);
}

/// The request that the documentation shows, with every part of it; its window lies ahead.
fn example(fixture: &Fixture) -> Value {
    let now = fixture.app.app.now();
    let after = |hours: i64| Json::text(waybill_domain::time::Time(now.0 + hours * 3_600_000_000));
    let text = |json: Json| serde_json::from_str::<Value>(&json.to_string()).unwrap();
    json!({
      "identifier": "4521", "reference": "ORDER-4521", "template_uuid": null,
      "parties": {
        "merchant": null,
        "customer": {
          "identifier": null, "reference": null,
          "contact": {"name": "Ada Jensen", "company": null, "email": "ada@example.com",
                      "phone": "+4530274735"},
          "address": {"address_lines": ["Islands Brygge 39", "2. th"], "postal_code": "2300",
                      "city": "København S", "administrative_area": null, "country": "DK"},
          "identifiers": {"vat": null, "eori": null, "gb_eori": null, "voec": null, "ioss": null,
                          "tax_id": null}
        }
      },
      "delivery": {
        "service_code": "sandbox:pickup_point",
        "pickup_point": {"code": "DK-1001"},
        "addons": [{"code": "sms_notification", "value": "+4530274735"}],
        "delivery_window": {"start": text(after(96)), "end": text(after(100))},
        "instructions": null
      },
      "parcels": [{
        "identifier": null, "reference": null, "description": "Books",
        "gross_weight": {"value": 1200, "unit": "g"},
        "length": {"value": 30, "unit": "cm"}, "width": {"value": 20, "unit": "cm"},
        "height": {"value": 10, "unit": "cm"},
        "items": [{"identifier": null, "sku": "B-1", "description": "Paperback", "quantity": 2,
                   "net_weight": {"value": 400, "unit": "g"},
                   "unit_price": {"value": 9900, "currency": "DKK"},
                   "hs_code": "490199", "country_of_origin": "DK"}],
        "dangerous_goods": [{"un_number": "UN1263", "proper_shipping_name": "PAINT", "class": "3",
                             "packing_group": "III", "net_weight": {"value": 200, "unit": "g"},
                             "is_limited_quantity": true}]
      }],
      "customs": {"content_type": "commercial_goods", "incoterm": "DAP", "invoice_number": "INV-1",
                  "invoice_date": "2026-11-14",
                  "shipping_cost": {"value": 4900, "currency": "DKK"}, "insured_value": null}
    })
}

fixtures! {
    // Decisions 4.
    async fn the_documented_request_is_booked_in_every_size_and_format(fixture) {
        let fixture = fixture.with_points().await;
        for size in SIZES {
            for format in FORMATS {
                want(&fixture, json!({"formats": [format], "sizes": [size]})).await;
                let reply = fixture.book(&example(&fixture)).await.expect(201);
                assert_eq!(reply.at("/data/documents/0/format"), json!(format), "{size}");
            }
        }
    }

    // Decisions 2, B5.2.
    async fn a_shop_address_with_company_and_floor_goes_to_a_pickup_point_on_every_size(fixture) {
        let fixture = fixture.with_points().await;
        let customer = json!({
            "contact": {"name": "Ada Jensen c/o Birgit Sørensen", "company": "Bogormen ApS",
                        "email": "ada@example.com", "phone": "+4530274735"},
            "address": {"address_lines": ["Islands Brygge 39", "2. th"]}});
        for service in ["sandbox:home", "sandbox:pickup_point", "sandbox:express", "sandbox:business",
                        "sandbox:no_lookup", "sandbox:return_drop_off"] {
            for size in SIZES {
                want(&fixture, json!({"sizes": [size]})).await;
                let body = json!({"parties": {"customer": customer},
                                  "delivery": {"service_code": service}});
                fixture.book(&order_with(&format!("{service} {size}"), body)).await.expect(201);
            }
        }
    }

    async fn the_widest_address_to_a_pickup_point_is_printed_whole_or_its_field_is_named(fixture) {
        let fixture = fixture.with_points().await;
        let catalog = load().unwrap();
        let (_, service) = catalog.service("sandbox:pickup_point").unwrap();
        let wide = |path: &str| "W".repeat(most(service, &format!("parties.customer.{path}")));
        let line = wide("address.address_lines.*");
        let customer = json!({
            "contact": {"name": wide("contact.name"), "company": wide("contact.company"),
                        "phone": "+4530274735"},
            "address": {"address_lines": [line, line, line, line, line],
                        "city": wide("address.city"),
                        "administrative_area": wide("address.administrative_area")}});
        let body = order_with("WIDE", json!({"parties": {"customer": customer},
            "delivery": {"service_code": "sandbox:pickup_point"}}));
        for size in SIZES {
            want(&fixture, json!({"formats": ["zpl"], "sizes": [size]})).await;
            let reply = fixture.book(&body).await;
            if reply.status == 201 {
                let url = reply.at("/data/documents/0/url").as_str().unwrap().to_owned();
                let url = url.strip_prefix("http://waybill.test").unwrap();
                let label = fixture.app.get(url).send().await.expect(200).bytes.clone();
                assert!(String::from_utf8_lossy(&label).contains("+4530274735"));
                continue;
            }
            let told = reply.problems();
            let is_of_customer = |path: &String| {
                path.starts_with("parties.customer.contact.")
                    || path.starts_with("parties.customer.address.")
            };
            assert!(!told.is_empty() && told.iter().all(is_of_customer), "{size}: {told:?}");
        }
    }

    async fn what_has_no_room_on_the_label_is_named(fixture) {
        let long = "Wordy instructions ".repeat(50);
        let patch = json!({"delivery": {"instructions": long.trim()}});
        let reply = fixture.book(&order_with("LONG", patch)).await;
        assert_eq!(reply.problems(), ["delivery.instructions"]);
        let patch = json!({"parties": {"customer": {"address": {"address_lines":
            ["Islands Brygge 39", "Wordy street ".repeat(10).trim()]}}}});
        let reply = fixture.book(&order_with("LONG", patch)).await;
        assert_eq!(reply.problems(), ["parties.customer.address.address_lines.1"]);
    }
}

/// A few numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    /// A text of exactly so many characters: words, and now and then wide words or one alone. An
    /// address of nothing but the widest letters is nobody's, and has no room.
    fn text(&mut self, length: usize) -> String {
        let letters: &[&str] = match self.below(24) {
            0 => &["W", "M", "Æ", "Œ", "W"],
            1 => &["WWWWWWWWW ", "MMMMMM "],
            _ => &[
                "Ørsted ",
                "Straße ",
                "von ",
                "Lindqvist-",
                "gade ",
                "12 B, ",
                "Åby ",
                "ll ",
                "&Co. ",
            ],
        };
        let mut text = String::new();
        while text.chars().count() < length {
            text.push_str(letters[self.below(letters.len())]);
        }
        let cut: String = text.chars().take(length).collect();
        // Spaces at the ends are not part of a text.
        let filled = cut.trim_end();
        format!("{filled}{}", "x".repeat(length - filled.chars().count()))
    }
}

/// How long a field may be: what the service says, else what holds for every shipment.
fn most(service: &Service, path: &str) -> usize {
    let limit = service.constraints.iter().find_map(|row| match row {
        Constraint::MaxLength { path: known, max } if known == path => Some(*max),
        _ => None,
    });
    limit.unwrap_or(255)
}

const PLACES: [(&str, &str); 8] = [
    ("DK", "2300"),
    ("SE", "211 34"),
    ("NO", "0555"),
    ("FI", "00100"),
    ("DE", "10623"),
    ("NL", "1012 JS"),
    ("GB", "SW1A 2AA"),
    ("US", "02138"),
];

fn party(dice: &mut Dice, service: &Service, role: &str, place: (&str, &str)) -> Value {
    let mut text = |path: &str| {
        let length = most(service, &format!("parties.{role}.{path}"));
        dice.text(length)
    };
    let mut party = json!({
        "contact": {"name": text("contact.name"), "company": text("contact.company"),
                    "email": "ada.with.a.long.name@a.shop.with.a.long.name.example.com",
                    "phone": "+45 (30) 27-47-35"},
        "address": {"postal_code": place.1, "country": place.0, "city": text("address.city"),
                    "administrative_area": text("address.administrative_area")}});
    let lines: Vec<String> = (0..5).map(|_| text("address.address_lines.*")).collect();
    party["address"]["address_lines"] = json!(lines);
    party
}

/// An order with the longest address that the service allows, and much else.
fn maximal(dice: &mut Dice, service: &Service) -> Order {
    let mut addons = vec![json!({"code": "sms_notification", "value": "+4530274735"})];
    let offers = |code: &str| service.addons.iter().any(|addon| addon.code == code);
    if dice.below(2) == 0 {
        let money = json!({"value": 9_999_999, "currency": "DKK"});
        let more = [
            ("flex_delivery", json!(dice.text(100))),
            ("age_verification", json!("18")),
            ("cash_on_delivery", money),
            ("email_notification", json!("ada@example.com")),
        ];
        let more = more.into_iter().filter(|(code, _)| offers(code));
        addons.extend(more.map(|(code, value)| json!({"code": code, "value": value})));
    }
    let goods = json!({"un_number": "UN1263", "class": "3", "is_limited_quantity": true});
    let place = PLACES[dice.below(PLACES.len())];
    let order = json!({
        "reference": dice.text(35),
        "parties": {"merchant": party(dice, service, "merchant", PLACES[0]),
                    "customer": party(dice, service, "customer", place)},
        "delivery": {"service_code": service.code, "addons": addons},
        "parcels": [{"gross_weight": {"value": 1200, "unit": "g"}, "dangerous_goods": [goods],
            "items": [{"description": "Paperback", "quantity": 2,
                "net_weight": {"value": 400, "unit": "g"},
                "unit_price": {"value": 9900, "currency": "DKK"},
                "hs_code": "490199", "country_of_origin": "DK"}]}],
        "customs": {"content_type": "commercial_goods", "incoterm": "DAP"},
    });
    let json = parse(order.to_string().as_bytes()).unwrap();
    Order::parse(&json, None).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn point() -> PickupPoint {
    let lines = ["Islands Brygge 18-22, kælderen", "Indgang fra Artillerivej"];
    PickupPoint {
        code: "DK-10012345".to_owned(),
        name: "Kiosken ved Islands Brygge Metrostation".to_owned(),
        address: Address {
            lines: lines.map(str::to_owned).to_vec(),
            postal_code: "2300".to_owned(),
            city: "København S".to_owned(),
            administrative_area: None,
            country: Country::parse("DK").unwrap(),
        },
        position: Position::new(55.66, 12.59).unwrap(),
    }
}

/// An order as its papers are made from it, on this size, across a customs border or not.
fn inputs<'a>(
    order: &'a Order,
    carrier: &'a Carrier,
    service: &'a Service,
    point: &'a PickupPoint,
    (size, is_declared): (&str, bool),
) -> DocumentInputs<'a> {
    DocumentInputs {
        order,
        carrier,
        service,
        language: Language::De,
        size: PaperSize::parse(size).unwrap(),
        pickup_point: Some(point).filter(|_| service.is_pickup),
        date: jiff::civil::date(2026, 11, 16),
        is_declared,
    }
}

fn check(renderer: &Renderer, catalog: &Catalog, dice: &mut Dice, code: &str) {
    let (carrier, service) = catalog.service(code).unwrap();
    let order = maximal(dice, service);
    let (input, point) = (order.to_json(), point());
    let refused = service.problems(&input);
    assert!(refused.is_empty(), "the catalog does not allow it: {refused:?}");
    for size in SIZES {
        let inputs = inputs(&order, carrier, service, &point, (size, is_declared(&order)));
        let found = problems(renderer, &inputs);
        assert!(found.is_empty(), "{code} {size}: {found:?}\n{input}");
    }
}

/// The same address in nothing but one letter.
fn widest(party: &mut Party, letter: &str) {
    let wide = |text: &str| letter.repeat(text.chars().count());
    party.contact.name = wide(&party.contact.name);
    party.contact.company = party
        .contact
        .company
        .as_deref()
        .map(|text| format!("{}.", wide(text).chars().skip(1).collect::<String>()));
    party.address.lines = party.address.lines.iter().map(|line| wide(line)).collect();
    party.address.city = wide(&party.address.city);
    let area = party.address.administrative_area.as_deref();
    party.address.administrative_area = area.map(wide);
}

#[test]
fn an_address_of_the_widest_letters_is_printed_or_refused_at_a_field_of_its_own() {
    let (renderer, catalog, mut dice) = (Renderer::new(), load().unwrap(), Dice(16));
    let point = point();
    for code in ["sandbox:home", "sandbox:pickup_point", "sandbox:return_drop_off"] {
        for letter in ["W", "M", "Æ", "Œ", "Ǆ"] {
            let (carrier, service) = catalog.service(code).unwrap();
            let mut order = maximal(&mut dice, service);
            widest(&mut order.customer, letter);
            let merchant = order.merchant.as_mut().unwrap();
            widest(merchant, letter);
            for size in SIZES {
                let inputs = inputs(&order, carrier, service, &point, (size, false));
                for (path, messages) in problems(&renderer, &inputs).iter() {
                    let parts: Vec<&str> = path.split('.').collect();
                    let is_field =
                        matches!(parts[..], ["parties", _, "contact" | "address", _, ..]);
                    assert!(is_field, "{code} {letter} {size}: {path} {messages:?}");
                }
            }
        }
    }
}

#[test]
fn five_hundred_of_the_longest_addresses_that_the_catalog_allows_can_be_printed() {
    let (renderer, catalog, mut dice) = (Renderer::new(), load().unwrap(), Dice(15));
    let services = ["sandbox:home", "sandbox:pickup_point", "sandbox:return_drop_off"];
    for index in 0..500 {
        check(&renderer, &catalog, &mut dice, services[index % services.len()]);
    }
}
