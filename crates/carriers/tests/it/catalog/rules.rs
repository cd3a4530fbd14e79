//! What a file's rules and conditions become: told at the exact field, and in the schema.

use serde_json::Value;
use waybill_carriers::catalog::read;
use waybill_domain::catalog::Service;
use waybill_domain::document::CustomsPaper;
use waybill_domain::json::Json;
use waybill_domain::language::Language;

use super::bodies::{each_parcel, good, patch, set_addon, set_country};

fn service(code: &str) -> Service {
    super::every_rule().service(code).unwrap().1.clone()
}

/// What is said against the body, without what customs ask for in general.
fn told(service: &Service, body: &Json) -> Vec<String> {
    let problems = service.problems(body);
    let told = problems.iter().flat_map(|(path, messages)| {
        messages.iter().map(move |message| format!("{path} {}", message.say(Language::En)))
    });
    told.collect()
}

fn parcel(from: &str, to: &str, change: &str) -> Vec<String> {
    let service = service("rules:parcel");
    let mut body = good(&service);
    set_country(&mut body, "merchant", from);
    set_country(&mut body, "customer", to);
    patch(&mut body, change);
    told(&service, &body)
}

#[test]
fn a_rule_holds_when_its_country_is_named_and_says_so() {
    let no_phone = r#"{"parties":{"customer":{"contact":{"phone":null}}}}"#;
    assert_eq!(parcel("DK", "SE", no_phone), [""; 0]);
    let path = "parties.customer.contact.phone";
    let said = format!("{path} is required, because the shipment is sent to NO");
    assert_eq!(parcel("DK", "NO", no_phone), [said]);
    let no_phone = r#"{"parties":{"merchant":{"contact":{"phone":null}}}}"#;
    assert_eq!(parcel("DK", "SE", no_phone), [""; 0]);
    let path = "parties.merchant.contact.phone";
    let said = format!("{path} is required, because the shipment is sent from SE");
    assert_eq!(parcel("SE", "DK", no_phone), [said]);
}

#[test]
fn a_rule_holds_across_a_border_or_within_alone() {
    let change = r#"{"reference":"12345678901","customs":{"invoice_number":null}}"#;
    assert_eq!(parcel("DK", "SE", change), ["reference must be at most 10 characters"]);
    let path = "customs.invoice_number";
    let said = format!("{path} is required, because the shipment crosses a customs border");
    assert_eq!(parcel("DK", "NO", change), [said]);
    let nobody = r#"{"reference":"12345678901","parties":{"merchant":null}}"#;
    assert_eq!(parcel("DK", "SE", nobody), [""; 0], "nobody knows yet where it starts");
}

#[test]
fn all_conditions_of_a_rule_hold_together() {
    let service = service("rules:parcel");
    let mut body = good(&service);
    patch(&mut body, r#"{"parties":{"customer":{"contact":{"company":null}}}}"#);
    set_addon(&mut body, "signature", "null");
    assert_eq!(told(&service, &body), [""; 0]);
    set_country(&mut body, "customer", "SE");
    let path = "parties.customer.contact.company";
    let said = format!("{path} is required, because the shipment is sent to SE");
    assert_eq!(told(&service, &body), [said]);
}

#[test]
fn routes_that_are_not_served_together_are_told_where_they_end() {
    let to = "parties.customer.address.country";
    let ships = "is not a country that this service ships to; it ships to";
    assert_eq!(parcel("US", "DK", "{}"), [format!("{to} {ships} US, GB")]);
    let within = "must be another country: this service does not ship within";
    assert_eq!(parcel("US", "US", "{}"), [format!("{to} {within} US")]);
    assert_eq!(parcel("US", "GB", "{}"), [""; 0]);
    let anywhere = service("rules:anywhere");
    let mut body = good(&anywhere);
    set_country(&mut body, "customer", "DK");
    set_country(&mut body, "merchant", "DK");
    assert_eq!(told(&anywhere, &body), [format!("{to} {within} DK")]);
}

#[test]
fn on_a_return_the_customer_is_where_it_starts() {
    let service = service("rules:return");
    let mut body = good(&service);
    let change = r#"{"identifier":null,"reference":null,"parties":{"customer":{
        "reference":"longer than that","contact":{"phone":null}}}}"#;
    patch(&mut body, change);
    assert_eq!(told(&service, &body), [""; 0]);
    set_country(&mut body, "customer", "US");
    each_parcel(&mut body, r#"{"description":null}"#);
    let phone = "parties.customer.contact.phone";
    assert_eq!(
        told(&service, &body),
        [
            "parcels.0.description is required".to_owned(),
            format!("{phone} is required, because the shipment is sent from US"),
        ]
    );
}

#[test]
fn sums_are_exact_and_told_in_the_callers_unit() {
    let sides = |length: &str, width: &str, height: &str, unit: &str| {
        let side = |value: &str| format!(r#"{{"value":{value},"unit":"{unit}"}}"#);
        let sides = format!(
            r#"{{"length":{},"width":{},"height":{}}}"#,
            side(length),
            side(width),
            side(height)
        );
        format!(r#"{{"parcels":[{sides}]}}"#)
    };
    assert_eq!(parcel("DK", "SE", &sides("100", "50", "50", "cm")), [""; 0]);
    let said = "parcels.0 is too large: the longest side and twice the other two must be at most";
    let long = format!("{said} 300 cm together");
    assert_eq!(parcel("DK", "SE", &sides("100.001", "50", "50", "cm")), [long.as_str()]);
    assert_eq!(parcel("DK", "SE", &sides("50", "50", "100.001", "cm")), [long]);
    let inches = format!("{said} 118.11 in together");
    assert_eq!(parcel("DK", "SE", &sides("38.111", "20", "20", "in")), [inches]);
    assert_eq!(parcel("DK", "SE", &sides("38.110", "20", "20", "in")), [""; 0]);
    let sum = "parcels.0 is too large: length, width and height must be at most 2500 mm together";
    let is_told =
        |height| parcel("DK", "NO", &sides("1900", "500", height, "mm")).contains(&sum.into());
    assert!(is_told("100.001") && !is_told("100"));
    let weights = r#"{"parcels":[{"gross_weight":{"value":20,"unit":"kg"}},{},
        {"gross_weight":{"value":10.001,"unit":"kg"}}]}"#;
    assert_eq!(parcel("DK", "SE", weights), ["parcels must weigh at most 30 kg together"]);
    assert_eq!(parcel("DK", "SE", &weights.replace(".001", "")), [""; 0]);
}

#[test]
fn fields_are_told_at_their_exact_place() {
    let customer =
        |change: &str| parcel("DK", "SE", &format!(r#"{{"parties":{{"customer":{change}}}}}"#));
    assert_eq!(
        customer(r#"{"address":{"address_lines":["One 1","No","Three 3","Four 4"]}}"#),
        [
            "parties.customer.address.address_lines must have at most 3 entries",
            "parties.customer.address.address_lines.1 must be at least 3 characters",
        ]
    );
    assert_eq!(customer(r#"{"contact":{"name":"Łukasz Őri – “Ada” …"}}"#), [""; 0]);
    assert_eq!(
        customer(r#"{"contact":{"name":"Łukasz „Ада”"}}"#),
        ["parties.customer.contact.name contains characters that this service does not accept: \
          А а д „"]
    );
    let euros = r#"{"parcels":[{"items":[{"quantity":1},
        {"quantity":1,"unit_price":{"value":1,"currency":"EUR"}}]}]}"#;
    let path = "parcels.0.items.1.unit_price.currency";
    assert_eq!(parcel("DK", "SE", euros), [format!("{path} must be one of: DKK, SEK")]);
}

#[test]
fn a_state_or_province_is_two_capital_letters_in_the_countries_that_have_them() {
    let areas = |from: &str, to: &str, area: &str| {
        let at = format!(r#"{{"address":{{"administrative_area":{area}}}}}"#);
        parcel(from, to, &format!(r#"{{"parties":{{"merchant":{at},"customer":{at}}}}}"#))
    };
    let told = |party: &str| {
        let said = "must be the region in two capital letters, such as NY";
        format!("parties.{party}.address.administrative_area {said}")
    };
    for area in ["null", r#""ny""#, r#""New York""#, r#""N1""#] {
        assert_eq!(areas("US", "GB", area), [told("merchant")], "{area}");
        assert_eq!(areas("DK", "US", area), [told("customer")], "{area}");
        assert_eq!(areas("DK", "SE", area), [""; 0], "{area}");
    }
    assert_eq!(areas("DK", "US", r#""CA""#), [""; 0]);
}

#[test]
fn one_of_several_fields_is_enough_and_the_first_is_asked_for() {
    let without = |identifier: &str| {
        let contact = r#"{"customer":{"contact":{"phone":null,"email":null}}}"#;
        parcel("DK", "DK", &format!(r#"{{"identifier":{identifier},"parties":{contact}}}"#))
    };
    assert_eq!(without(r#""4521""#), [""; 0]);
    let others = "parties.customer.contact.email, identifier";
    let path = "parties.customer.contact.phone";
    assert_eq!(without("null"), [format!("{path} is required, or one of these: {others}")]);
}

#[test]
fn a_field_that_a_service_does_not_take_is_left_out() {
    let service = service("rules:return");
    let mut body = good(&service);
    patch(&mut body, r#"{"parties":{"customer":{"identifiers":{"eori":" "}}}}"#);
    patch(&mut body, r#"{"customs":{"insured_value":{"value":1,"currency":"DKK"}}}"#);
    let said = "must be left out: this service does not take it";
    assert_eq!(told(&service, &body), [format!("customs.insured_value {said}")]);
}

#[test]
fn an_addon_can_ask_for_any_age() {
    let service = service("rules:parcel");
    let age = |value: &str| {
        let mut body = good(&service);
        patch(&mut body, r#"{"delivery":{"instructions":null},"parcels":[{}]}"#);
        set_addon(&mut body, "age_verification", value);
        told(&service, &body)
    };
    assert_eq!(age(r#""21""#), [""; 0]);
    let path = "delivery.addons.0.value";
    let said = format!(r#"{path} must be one of these texts: "18", "21""#);
    assert_eq!(age(r#""20""#), [said]);
}

#[test]
fn the_papers_for_customs_are_all_ours_unless_the_file_says_otherwise() {
    assert_eq!(service("rules:parcel").customs_papers, CustomsPaper::ALL);
    assert_eq!(service("rules:return").customs_papers, [CustomsPaper::Invoice]);
}

#[test]
fn the_schema_tells_what_it_cannot_check() {
    let schema = |code: &str| -> Value {
        serde_json::from_str(&service(code).schema().to_string()).unwrap()
    };
    let parcel = schema("rules:parcel");
    let of_each = parcel["properties"]["parcels"]["items"]["description"].as_str().unwrap();
    assert!(of_each.contains("at most 3000 mm together"), "{of_each}");
    let of_all = parcel["properties"]["parcels"]["description"].as_str().unwrap();
    assert!(of_all.contains("at most 30000 g"), "{of_all}");
    let anywhere = schema("rules:anywhere");
    let across = &anywhere["$defs"]["across_a_customs_border"];
    assert!(across["description"].as_str().unwrap().contains("names no countries"));
    let text = across.to_string();
    assert!(text.contains("\"phone\"") && text.contains("\"email\"") && text.contains("\"US\""));
    assert!(!text.contains("\"company\""), "{text}");
    assert!(anywhere["$defs"]["within_a_customs_territory"].to_string().contains("\"company\""));
    // Standard keywords alone: strict validators refuse a schema with any other.
    assert!(!parcel.to_string().contains("\"x-"));
}

#[test]
fn a_file_with_a_rule_that_nobody_knows_is_refused() {
    let file = include_str!("rules.toml");
    for (good, bad) in [
        (r#"when = { is_return = false }"#, "when = {}"),
        (r#"when = { is_return = false }"#, "when = { is_retour = false }"),
        (r#"max = 12"#, "max = 12\nmin = 3"),
        (r#"rule = "max_length""#, r#"rule = "max_depth""#),
        (r#"when = { from = ["US"] }"#, r#"when = { from = ["USA"] }"#),
        (r#"allowed = ["DKK"]"#, r#"allowed = ["XAU"]"#),
        (r#"allowed = "latin""#, r#"allowed = "greek""#),
        (r#"customs_papers = ["invoice"]"#, r#"customs_papers = ["cn22"]"#),
        (r#", "parties.merchant.contact.phone"] }"#, r#", "parcels.*.reference"] }"#),
    ] {
        assert!(file.contains(good), "{good}");
        assert!(read(&[&file.replacen(good, bad, 1)]).is_err(), "{bad}");
    }
}
