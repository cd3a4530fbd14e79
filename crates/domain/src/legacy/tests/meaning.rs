//! Each row of what a body of v1 means.

use super::bodies::{at, text, translated, tried_out};
use crate::json::{Json, parse};
use crate::party::Party;
use crate::shipment::{Order, Reading, Template};
use crate::time::Time;

/// The whole order of a patch that is good.
fn order(patch: &str) -> Order {
    let translation = translated(patch);
    let reading = Reading::new(&translation.order, Template::None).unwrap();
    let (order, found) = match reading.finish() {
        Ok(order) => (Some(order), crate::fields::FieldErrors::default()),
        Err(found) => (None, found),
    };
    let told = translation.told(found);
    assert!(told.is_empty(), "{told}");
    order.unwrap()
}

#[test]
fn a_body_from_the_field_is_an_order() {
    let order = order("{}");
    let expected = r#"{"identifier":"4521","reference":"ORDER-4521","template_uuid":null,
      "parties":{"merchant":{"identifier":null,"reference":null,
        "contact":{"name":"Boghandlen","company":"Boghandlen ApS","email":"lager@shop.example.dk",
          "phone":null},
        "address":{"address_lines":["Nørregade 12"],"postal_code":"8000","city":"Aarhus C",
          "administrative_area":null,"country":"DK"},
        "identifiers":{"vat":null,"eori":null,"gb_eori":null,"voec":null,"ioss":null,"tax_id":null}},
      "customer":{"identifier":"881","reference":null,
        "contact":{"name":"Ada Jensen","company":null,"email":"ada@example.com",
          "phone":"+4530274735"},
        "address":{"address_lines":["Islands Brygge 39","2. th","c/o Lovelace"],
          "postal_code":"2300","city":"København S","administrative_area":null,"country":"DK"},
        "identifiers":{"vat":null,"eori":null,"gb_eori":null,"voec":null,"ioss":null,"tax_id":null}}},
      "delivery":{"service_code":"postnord:mypack_collect","pickup_point":{"code":"4821"},
        "addons":[{"code":"sms_notification","value":"+4530274735"},
          {"code":"email_notification","value":"ada@example.com"}],
        "delivery_window":null,"instructions":null},
      "parcels":[{"identifier":"4521-1","reference":null,"description":"Books",
        "gross_weight":{"value":1235,"unit":"g"},"length":{"value":30.1,"unit":"cm"},
        "width":{"value":20,"unit":"cm"},"height":{"value":10,"unit":"cm"},
        "items":[{"identifier":"17","sku":"B-1","description":"Paperback","quantity":2,
          "net_weight":{"value":400,"unit":"g"},"unit_price":{"value":3333,"currency":"DKK"},
          "hs_code":"49019900","country_of_origin":"DK"}],
        "dangerous_goods":[]}],"customs":null}"#;
    assert_eq!(order.to_json(), parse(expected.as_bytes()).unwrap());
}

#[test]
fn a_company_without_a_person_is_who_receives() {
    let receiver = r#"{"receiver":{"name_line1":" ","company":"Boghandlen ApS"}}"#;
    let order = order(receiver);
    assert_eq!(order.customer.contact.name, "Boghandlen ApS");
    assert_eq!(order.customer.contact.company.as_deref(), Some("Boghandlen ApS"));
}

#[test]
fn empty_lines_of_an_address_are_left_out() {
    let order = order(r#"{"receiver":{"address_line2":"","name_line2":"c/o Lovelace"}}"#);
    assert_eq!(order.customer.address.lines, ["Islands Brygge 39", "c/o Lovelace"]);
    let region = translated(r#"{"receiver":{"state":"","region":"Hovedstaden"}}"#);
    assert_eq!(text(&region, "parties.customer.address.administrative_area"), "\"Hovedstaden\"");
    assert_eq!(region.names.of("parties.customer.address.administrative_area"), "receiver.region");
}

#[test]
fn a_phone_number_gets_the_calling_code_of_its_country() {
    let order = order(r#"{"receiver":{"country":"SE","sms":"070-123 45 67"}}"#);
    assert_eq!(order.customer.contact.phone.as_deref(), Some("+46701234567"));
}

#[test]
fn a_sender_of_whom_nothing_is_said_is_the_team() {
    for sender in ["null", "\"\"", "[]", "{}", r#"{"company": "", "name_line1": null}"#] {
        // A merge patch would merge an object, so the old one goes first.
        let mut body = super::bodies::body(r#"{"sender": null}"#);
        let Json::Object(members) = &mut body else { panic!() };
        members.push(("sender".into(), parse(sender.as_bytes()).unwrap()));
        let context = super::super::Context { is_demo: false };
        let translation = super::super::translate(&body, &super::catalog::catalog(), context);
        assert_eq!(text(&translation, "parties.merchant"), "null", "{sender}");
        assert!(translation.errors.is_empty(), "{sender}: {}", translation.errors);
        assert_eq!(translation.names.of("parties.merchant.contact.name"), "sender");
    }
}

#[test]
fn weights_and_lengths_are_rounded_half_up_and_zero_is_unknown() {
    let weight = |given: &str| {
        let parcel = format!(r#"{{"parcels":[{{"weight":{given},"length":{given}}}]}}"#);
        let translation = translated(&parcel);
        assert!(translation.errors.is_empty(), "{given}: {}", translation.errors);
        let value = |path: &str| text(&translation, &format!("parcels.0.{path}"));
        (value("gross_weight.value"), value("length.value"))
    };
    let pair = |grams: &str, centimetres: &str| (grams.to_owned(), centimetres.to_owned());
    assert_eq!(weight("1.2345"), pair("1235", "1.2"));
    assert_eq!(weight("1.2344999999"), pair("1234", "1.2"));
    assert_eq!(weight("0.25"), pair("250", "0.3"));
    assert_eq!(weight("\"0.0001\""), pair("1", "0.1"));
    assert_eq!(weight("12"), pair("12000", "12"));
    for unknown in ["0", "\"0.00\"", "null", "\"\"", "-0.0"] {
        assert_eq!(weight(unknown), pair("null", "null"), "{unknown}");
    }
}

#[test]
fn prices_are_rounded_to_the_minor_unit_of_their_currency() {
    let price = |given: &str, currency: &str| {
        let parcels = format!(
            r#"{{"currency":"{currency}","parcels":[{{"items":[{{"quantity":1,
            "unit_price_excluding_tax":{given}}}]}}]}}"#
        );
        let translation = translated(&parcels);
        assert!(translation.errors.is_empty(), "{given}: {}", translation.errors);
        let path = "parcels.0.items.0.unit_price";
        (
            text(&translation, &format!("{path}.value")),
            at(&translation.kept, &path.replace("unit_price", "unit_price_excluding_tax"))
                .to_string(),
        )
    };
    let pair = |minor: &str, kept: &str| (minor.to_owned(), kept.to_owned());
    assert_eq!(price("33.333333333333336", "DKK"), pair("3333", "33.33"));
    assert_eq!(price("1.005", "EUR"), pair("101", "1.01"));
    assert_eq!(price("\"79.20\"", "DKK"), pair("7920", "79.2"));
    assert_eq!(price("79.5", "JPY"), pair("80", "80"));
    assert_eq!(price("1.2345", "KWD"), pair("1235", "1.235"));
    assert_eq!(price("0", "DKK"), pair("0", "0"));
}

#[test]
fn a_price_with_tax_is_taken_when_there_is_none_without() {
    let given = r#"{"parcels":[{"items":[{"quantity":1,"unit_price_including_tax":99}]}]}"#;
    let translation = translated(given);
    assert_eq!(text(&translation, "parcels.0.items.0.unit_price.value"), "9900");
    let name = "parcels.0.items.0.unit_price_including_tax";
    assert_eq!(translation.names.of("parcels.0.items.0.unit_price.value"), name);
}

#[test]
fn older_texts_of_a_parcel_are_joined() {
    let given = r#"{"parcels":[{"freetext2":"and","freetext1":"Books","freetext3":"a lamp"}]}"#;
    let translation = translated(given);
    assert_eq!(text(&translation, "parcels.0.description"), "\"Books and a lamp\"");
    assert_eq!(at(&translation.kept, "parcels.0.freetext"), &"Books and a lamp".into());
    assert_eq!(translation.names.of("parcels.0.description"), "parcels.0.freetext1");
}

#[test]
fn a_parcel_does_not_weigh_less_than_its_contents_because_it_was_rounded() {
    let items = r#"[{"quantity":2,"unit_weight":0.45359237}]"#;
    let order = order(&format!(r#"{{"parcels":[{{"weight":0.90718474,"items":{items}}}]}}"#));
    assert_eq!(order.parcels[0].gross_weight.unwrap().to_string(), "907 g");
    assert_eq!(order.parcels[0].items[0].net_weight.unwrap().to_string(), "453.5 g");
}

#[test]
fn a_point_is_for_methods_that_go_to_points() {
    let home = r#"{"shipping_method":"homedelivery","agent":{"agent_no":null}}"#;
    assert_eq!(order(home).delivery.pickup_point, None);
    let nearest = order(r#"{"agent":null}"#);
    assert_eq!(nearest.delivery.pickup_point, None);
    assert_eq!(nearest.delivery.service_code, "postnord:mypack_collect");
}

#[test]
fn a_service_that_always_comes_is_left_out_where_there_is_none() {
    let order = order(r#"{"shipping_method":"commercial"}"#);
    assert_eq!(order.delivery.service_code, "postnord:parcel");
    assert_eq!(order.delivery.addons, []);
}

#[test]
fn some_methods_come_with_an_addon() {
    let place = |patch: &str| {
        let translation = translated(patch);
        assert!(translation.errors.is_empty(), "{}", translation.errors);
        text(&translation, "delivery.addons")
    };
    let bare = r#"{"shipping_method":"doorstep","services":null}"#;
    assert_eq!(place(bare), r#"[{"code":"flex_delivery","value":"Doorstep"}]"#);
    let said = r#"{"shipping_method":"flexhome","services":
        {"sms_notification":null,"email_notification":null,"flex_delivery":"In the shed"}}"#;
    assert_eq!(place(said), r#"[{"code":"flex_delivery","value":"In the shed"}]"#);
    let newer = r#"{"shipping_method":"flexhome","services":null,
        "addons":[{"code":"flex_delivery","value":"In the shed"}]}"#;
    assert_eq!(place(newer), r#"[{"code":"flex_delivery","value":"In the shed"}]"#);
}

#[test]
fn addons_have_the_values_that_a_shipment_knows() {
    let given = r#"{"shipping_method":"homedelivery","services":null,"addons":[
        {"code":"insurance","value":"500.5"},{"code":"sms_notification","value":30274735},
        {"code":"signature","value":""}]}"#;
    let translation = translated(given);
    let expected = r#"[{"code":"insurance","value":{"value":50050,"currency":"DKK"}},
        {"code":"sms_notification","value":"+4530274735"},{"code":"signature","value":null}]"#;
    let told = r#"[{"code":"insurance","value":"500.5"},
        {"code":"sms_notification","value":"+4530274735"},{"code":"signature","value":null}]"#;
    assert_eq!(*at(&translation.order, "delivery.addons"), parse(expected.as_bytes()).unwrap());
    assert_eq!(*at(&translation.kept, "addons"), parse(told.as_bytes()).unwrap());
}

#[test]
fn on_demo_paths_a_test_carrier_stands_in() {
    for (method, service) in [
        ("agent", "sandbox:pickup_point"),
        ("homedelivery", "sandbox:home"),
        ("lettertracked", "sandbox:letter"),
        ("returnpickup", "sandbox:return_drop_off"),
        ("valuemailbig", "sandbox:letter"),
        ("etailany", "sandbox:home"),
        ("expresshome", "sandbox:home"),
        ("mypack_collect", "sandbox:pickup_point"),
        ("mypack_home", "sandbox:home"),
    ] {
        let translation = tried_out(&format!(r#"{{"shipping_method":"{method}"}}"#));
        assert_eq!(translation.service_code.as_deref(), Some(service), "{method}");
        assert_eq!((&*translation.carrier, &*translation.method), ("postnord", method));
        assert!(translation.errors.is_empty(), "{method}: {}", translation.errors);
    }
    let own = tried_out(r#"{"shipping_carrier":"sandbox","shipping_method":"letter"}"#);
    assert_eq!(own.service_code.as_deref(), Some("sandbox:letter"));
    let flex = tried_out(r#"{"shipping_method":"doorstep","services":null}"#);
    let expected = r#"[{"code":"flex_delivery","value":"Doorstep"}]"#;
    assert_eq!(text(&flex, "delivery.addons"), expected);
}

#[test]
fn what_customs_want_to_know_is_told_across_a_border_alone() {
    let now = Time::parse("2026-11-14T23:30:00Z").unwrap();
    let declared = |patch: &str| {
        let mut translation = translated(patch);
        let team = Order::parse(&translated("{}").order, None).unwrap().customer;
        translation.declare(Some(&team), now);
        translation
    };
    assert_eq!(*at(&declared("{}").order, "customs"), Json::Null);
    let norway = declared(r#"{"receiver":{"country":"NO","postal_code":"0150"}}"#);
    let expected = r#"{"content_type":"commercial_goods","incoterm":"DAP",
        "invoice_number":"ORDER-4521","invoice_date":"2026-11-14",
        "shipping_cost":{"value":3920,"currency":"DKK"}}"#;
    assert_eq!(*at(&norway.order, "customs"), parse(expected.as_bytes()).unwrap());
    let back = declared(
        r#"{"shipping_method":"returndropoff","internal_reference":"",
        "receiver":{"country":"NO"},"sender":null}"#,
    );
    assert_eq!(text(&back, "customs.content_type"), "\"returned_goods\"");
    assert_eq!(text(&back, "customs.invoice_number"), "\"4521\"");
    assert_eq!(back.names.of("customs.invoice_number"), "internal_id");
    let mut nobody = translated(r#"{"receiver":{"country":"NO"},"sender":null}"#);
    nobody.declare(None::<&Party>, now);
    assert_eq!(*at(&nobody.order, "customs"), Json::Null);
}
