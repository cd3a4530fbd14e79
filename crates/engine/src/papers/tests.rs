use waybill_carriers::booking::LabelData;
use waybill_carriers::catalog;
use waybill_domain::catalog::{Carrier, Service};
use waybill_domain::json::parse;
use waybill_domain::language::Language;
use waybill_domain::legacy::{Context, methods, translate};
use waybill_domain::party::Address;
use waybill_domain::point::Position;
use waybill_domain::shipment::{Order, PickupPoint};

use super::*;

const SIZES: [PaperSize; 4] =
    [PaperSize::Label100x150, PaperSize::Label102x152, PaperSize::Label105x148, PaperSize::A4];

/// Receivers with a company, a c/o, a street and a floor, a phone and an e-mail address, as shops
/// send them: the second is as long as the names of a city, a firm and a street get.
const RECEIVERS: [&str; 2] = [
    r#"{"company":"Boghandlen ApS","name_line1":"Ada Jensen","name_line2":"c/o Lovelace",
    "address_line1":"Islands Brygge 39","address_line2":"2. th","postal_code":"2300",
    "city":"København S","country":"DK","sms":"30 27 47 35","email":"ada@example.com"}"#,
    r#"{"company":"Gesellschaft für angewandte Wolkenkunde und Niederschlag mbH",
    "name_line1":"Maximiliane Wolkenstein-Trostburg von und zu Hohenfels",
    "name_line2":"c/o Nordisk Boghandel og Antikvariat, att. indkøbsafdelingen",
    "address_line1":"Straße des Siebzehnten Juni 135, Hinterhaus, Aufgang C",
    "address_line2":"4. Stock links, Abteilung Niederschlag, Zimmer 4711",
    "postal_code":"10623","city":"Berlin Charlottenburg-Wilmersdorf","state":"Brandenburg",
    "country":"DE","sms":"0151 23456789",
    "email":"maximiliane.wolkenstein-trostburg@wolkenkunde.example.com"}"#,
];

/// The order of a v1 body for one of the sandbox's services, with all that clients send.
fn order(carrier: &Carrier, service: &Service, receiver: &str) -> Order {
    let body = format!(
        r#"{{"shipping_carrier":"{}","shipping_method":"{}","receiver":{receiver},
        "sender":{receiver},"currency":"DKK","internal_id":"4521",
        "internal_reference":"ORDER-4521-2026","agent":{{"agent_no":"DE-90417"}},
        "services":{{"sms_notification":"30 27 47 35","email_notification":"ada@example.com"}},
        "parcels":[{{"weight":1.2,"length":30,"width":20,"height":10,"freetext":"Books"}}]}}"#,
        carrier.code,
        methods::method_of(&service.code),
    );
    let catalog = catalog::load().unwrap();
    let body = parse(body.as_bytes()).unwrap();
    let translation = translate(&body, &catalog, Context { is_demo: true });
    assert_eq!(translation.service_code.as_deref(), Some(service.code.as_str()));
    let order = Order::parse(&translation.order, None).unwrap();
    let refused = service.problems(&order.to_json());
    assert!(refused.is_empty(), "{}: {refused}", service.code);
    order
}

fn point(order: &Order) -> PickupPoint {
    PickupPoint {
        code: "DE-90417".to_owned(),
        name: "Kiosk am Ernst-Reuter-Platz".to_owned(),
        address: Address {
            lines: vec!["Ernst-Reuter-Platz 5".to_owned()],
            ..order.customer.address.clone()
        },
        position: Position::new(52.5, 13.3).unwrap(),
    }
}

/// Calls `look` with what the label of each service is made from, on each size.
fn each_label(receiver: &str, mut look: impl FnMut(&DocumentInputs<'_>)) {
    let catalog = catalog::load().unwrap();
    let carrier = catalog.carriers.iter().find(|carrier| carrier.is_test).unwrap();
    for service in &carrier.services {
        let order = order(carrier, service, receiver);
        let point = point(&order);
        for size in SIZES {
            look(&DocumentInputs {
                order: &order,
                carrier,
                service,
                language: Language::En,
                size,
                pickup_point: service.is_pickup.then_some(&point),
                date: jiff::civil::date(2026, 11, 16),
                is_declared: false,
            });
        }
    }
}

#[test]
fn a_receiver_with_all_that_shops_send_fits_on_every_label_in_every_language() {
    let renderer = Renderer::new();
    for receiver in RECEIVERS {
        each_label(receiver, |inputs| {
            for language in Language::ALL {
                let inputs = DocumentInputs { language, ..*inputs };
                let found = problems(&renderer, &inputs);
                let (size, code) = (inputs.size, &inputs.service.code);
                assert!(found.is_empty(), "{code} {size:?} {language}: {found}");
            }
        });
    }
}

#[test]
fn the_label_of_such_a_receiver_is_drawn_and_read_back_in_every_format() {
    let renderer = Renderer::new();
    let label_data = LabelData { routing_code: Some("DE-BER-512".to_owned()) };
    let mut drawn = 0;
    each_label(RECEIVERS[1], |inputs| {
        if !inputs.service.draws_label {
            return;
        }
        for format in &inputs.service.label_formats {
            let numbers = ["00370712345678901234".to_owned()];
            let labels = label::labels(inputs, &numbers, &label_data).layout(&renderer).unwrap();
            let files = files_of(&renderer, labels, DocumentType::Label, (*format, DPI));
            assert_eq!(files.map(|files| files.len()).ok(), Some(1), "{}", inputs.service.code);
            drawn += 1;
        }
    });
    assert_eq!(drawn, 7 * SIZES.len() * 3);
}
