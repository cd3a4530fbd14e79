//! What is wrong with a body is told at the name that its caller knows, and all of it at once.

use super::bodies::{translated, tried_out};
use crate::fields::FieldErrors;
use crate::json::Json;
use crate::language::Language;
use crate::legacy::Translation;
use crate::shipment::{Reading, Template};
use crate::words::Message;

/// Everything that is wrong with the body when it has this patch: the name and the sentence's key.
fn told(patch: &str) -> Vec<String> {
    let translation = translated(patch);
    let found = match Reading::new(&translation.order, Template::None) {
        Ok(reading) => reading.finish().err().unwrap_or_default(),
        Err(errors) => errors,
    };
    keys(&translation.told(found))
}

fn keys(errors: &FieldErrors) -> Vec<String> {
    let one = |(name, messages): (&str, &[crate::words::Message])| {
        let keys: Vec<&str> = messages.iter().map(crate::words::Message::key).collect();
        format!("{name} {}", keys.join(" "))
    };
    errors.iter().map(one).collect()
}

#[test]
fn a_body_with_no_carrier_and_three_bad_codes_has_exactly_five_problems() {
    let patch = r#"{"shipping_carrier":null,"shipping_method":"","currency":"invalid",
        "receiver":{"country":"invalid"},"agent":{"country":"invalid"}}"#;
    assert_eq!(
        told(patch),
        [
            "agent.country not-a-country",
            "currency not-a-currency",
            "receiver.country not-a-country",
            "shipping_carrier required",
            "shipping_method required",
        ]
    );
}

#[test]
fn a_method_of_an_unknown_carrier_is_not_looked_at() {
    assert_eq!(
        told(r#"{"shipping_carrier":"nobody","shipping_method":"by_air"}"#),
        ["shipping_carrier unknown-carrier"]
    );
    let unknown = translated(r#"{"shipping_method":"by_air"}"#);
    let (name, messages) = unknown.errors.iter().next().unwrap();
    let said = messages[0].say(Language::En);
    assert_eq!(name, "shipping_method");
    assert!(said.starts_with("must be one of: agent, collect, homedelivery, "), "{said}");
}

#[test]
fn a_method_without_a_service_is_for_demo_paths() {
    for method in ["valuemail", "valuableparcel", "letteruntracked", "expressletter", "etail2"] {
        let patch = format!(r#"{{"shipping_method":"{method}"}}"#);
        assert_eq!(told(&patch), ["shipping_method not-one-of"], "{method}");
        assert!(tried_out(&patch).errors.is_empty(), "{method}");
    }
}

#[test]
fn addons_of_an_unknown_method_are_not_guessed_about() {
    let addons = r#""addons":[{"code":"insurance","value":"1000"},
        {"code":"sms_notification","value":"30 27 47 35"}]"#;
    let unknown = told(&format!(r#"{{"shipping_method":"zzz","services":null,{addons}}}"#));
    assert_eq!(unknown.len(), 1, "{unknown:?}");
    assert!(unknown[0].starts_with("shipping_method "), "{unknown:?}");
}

#[test]
fn notifications_that_a_route_lacks_are_left_out() {
    let mut translation = translated(
        r#"{"services":{"sms_notification":"30274735","email_notification":"ada@example.com",
        "flex_delivery":"Carport"},"shipping_method":"doorstep"}"#,
    );
    let codes = |translation: &Translation| {
        let addons = translation.order.member("delivery").unwrap().member("addons").unwrap();
        let Json::List(addons) = addons else { panic!("{addons:?}") };
        let code = |addon: &Json| addon.member_text("code").unwrap().to_owned();
        addons.iter().map(code).collect::<Vec<_>>()
    };
    let before = codes(&translation);
    let flex = before.iter().position(|code| code == "flex_delivery").unwrap();
    let message = || Message::new("addon-not-on-route");
    let mut refused = FieldErrors::default();
    for place in 0..before.len() {
        refused.add(format!("delivery.addons.{place}"), message());
    }
    let refused = translation.told(refused);
    assert!(translation.leave_out_notifications(&refused));
    assert_eq!(codes(&translation), ["flex_delivery"]);
    assert_eq!(translation.names.of("delivery.addons.0.value"), "services.flex_delivery");
    assert!(flex > 0, "{before:?}");
    assert!(!translation.leave_out_notifications(&FieldErrors::default()));
}

#[test]
fn a_point_without_its_number_is_refused_where_one_is_needed() {
    let patch = r#"{"agent":{"agent_no":""}}"#;
    assert_eq!(told(patch), ["agent.agent_no required"]);
    let home = r#"{"shipping_method":"homedelivery","agent":{"agent_no":"","country":"Denmark"}}"#;
    assert_eq!(told(home), ["agent.country not-a-country"]);
}

#[test]
fn what_is_missing_of_a_party_is_told_at_its_name() {
    let receiver = r#"{"receiver":{"name_line1":null,"company":null,"address_line1":"",
        "address_line2":null,"name_line2":null,"postal_code":"","city":null}}"#;
    assert_eq!(
        told(receiver),
        [
            "receiver.address_line1 required",
            "receiver.city required",
            "receiver.name_line1 required",
            "receiver.postal_code required",
        ]
    );
    assert_eq!(told(r#"{"receiver":[]}"#), ["receiver required"]);
    assert_eq!(
        told(r#"{"receiver":"Ada","sender":7}"#),
        ["receiver not-an-object", "sender not-an-object"]
    );
    assert_eq!(
        told(r#"{"sender":{"country":"Denmark","email":"nobody"}}"#),
        ["sender.country not-a-country", "sender.email not-an-email"]
    );
    assert_eq!(told(r#"{"receiver":{"sms":"call me"}}"#), ["receiver.sms not-a-phone"]);
}

#[test]
fn numbers_are_checked_at_their_names() {
    let parcels = r#"{"parcels":[{"weight":-1,"height":"tall","width":[],"length":1e12,
        "items":[{"quantity":1.5,"unit_weight":{},"unit_price_excluding_tax":"-0.01"},
        {"quantity":0,"unit_price_excluding_tax":"1,25","hs_code":"49"},{}]},{"weight":2e6}]}"#;
    assert_eq!(
        told(parcels),
        [
            "parcels.0.height not-a-number",
            "parcels.0.items.0.quantity not-an-integer",
            "parcels.0.items.0.unit_price_excluding_tax too-small",
            "parcels.0.items.0.unit_weight not-a-number",
            "parcels.0.items.1.hs_code not-an-hs-code",
            "parcels.0.items.1.quantity too-small",
            "parcels.0.items.1.unit_price_excluding_tax not-a-number",
            "parcels.0.items.2.quantity required",
            "parcels.0.length too-large",
            "parcels.0.weight too-small",
            "parcels.0.width not-a-number",
            "parcels.1.weight too-large",
        ]
    );
}

#[test]
fn lists_and_their_entries_are_checked() {
    assert_eq!(told(r#"{"parcels":null}"#), ["parcels required"]);
    assert_eq!(told(r#"{"parcels":[]}"#), ["parcels too-few"]);
    assert_eq!(told(r#"{"parcels":{"0":{}}}"#), ["parcels not-a-list"]);
    assert_eq!(
        told(r#"{"parcels":[null,"",7,[]]}"#),
        ["parcels.0 not-an-object", "parcels.1 not-an-object", "parcels.2 not-an-object",]
    );
    assert_eq!(
        told(r#"{"parcels":[{"items":[[],null]}]}"#),
        ["parcels.0.items.0.quantity required", "parcels.0.items.1 not-an-object",]
    );
    let many = format!(r#"{{"parcels":[{}{{}}]}}"#, "{},".repeat(99));
    assert_eq!(told(&many), ["parcels too-many"]);
}

#[test]
fn an_amount_needs_a_currency() {
    assert_eq!(told(r#"{"currency":null}"#), ["currency unit-missing"]);
    assert_eq!(told(r#"{"currency":"XAU"}"#), ["currency not-money"]);
    let without_prices = r#"{"currency":"dkk","parcels":[{}],"sub_total_price_excluding_tax":null,
        "shipping_price_excluding_tax":null,"shipping_price_including_tax":null,
        "total_price_excluding_tax":null,"total_price_including_tax":null,
        "total_tax_amount":null}"#;
    assert_eq!(told(without_prices), ["currency not-a-currency"]);
    assert_eq!(told(&without_prices.replace("\"dkk\"", "null")), [""; 0]);
    let bad = r#"{"sub_total_price_excluding_tax":-1}"#;
    assert_eq!(told(bad), ["sub_total_price_excluding_tax too-small"]);
}

#[test]
fn addons_are_told_at_their_place() {
    let patch = r#"{"services":{"flex_delivery":"In the shed"},"addons":[
        {"code":"sms_notification","value":"30274735"},{"code":"signature"},{"value":"x"},
        {"code":"signature"},{"code":"teleport"},7]}"#;
    let translation = translated(patch);
    let found = Reading::new(&translation.order, Template::None).unwrap();
    let found = found.finish().err().unwrap_or_default();
    let mut told = keys(&translation.told(found));
    told.sort();
    assert_eq!(
        told,
        [
            "addons.0.code duplicate-value",
            "addons.2.code required",
            "addons.3.code duplicate-value",
            "addons.4 not-one-of",
            "addons.5 not-an-object",
        ]
    );
    // What the service lacks is told by its rows.
    assert_eq!(translation.names.of("delivery.addons.2.code"), "services.flex_delivery");
    assert_eq!(translation.names.of("delivery.addons.3.code"), "addons.1");
}

#[test]
fn an_amount_of_an_addon_is_checked_as_others_are() {
    let told_of = |value: &str| {
        told(&format!(
            r#"{{"shipping_method":"homedelivery","addons":[{{"code":"insurance","value":{value}}}]}}"#
        ))
    };
    assert_eq!(told_of("\"much\""), ["addons.0.value not-a-number"]);
    assert_eq!(told_of("-5"), ["addons.0.value too-small"]);
    assert_eq!(told_of("\"1e30\""), ["addons.0.value too-large"]);
    assert_eq!(told_of("10000000000.01"), ["addons.0.value too-large"]);
    assert_eq!(told_of("{}"), ["addons.0.value not-text"]);
    assert_eq!(told_of("\"10000000000.01\""), ["addons.0.value too-large"]);
    assert_eq!(told_of("500"), [""; 0]);
    assert_eq!(told_of("500.5"), [""; 0]);
}

#[test]
fn a_number_without_a_calling_code_is_not_blamed_for_an_unknown_country() {
    assert_eq!(told(r#"{"receiver":{"country":"invalid"}}"#), ["receiver.country not-a-country"]);
    assert_eq!(told(r#"{"receiver":{"country":null}}"#), ["receiver.country required"]);
}

#[test]
fn a_date_is_a_day_of_the_calendar() {
    for bad in ["2026-02-30", "20.11.2026", "2026-11-20T10:00:00Z", "20261120"] {
        let patch = format!(r#"{{"shipping_date":"{bad}"}}"#);
        assert_eq!(told(&patch), ["shipping_date not-a-date"], "{bad}");
    }
    assert_eq!(told(r#"{"shipping_date":""}"#), [""; 0]);
}

#[test]
fn a_problem_of_the_account_is_told_of_the_carrier() {
    let translation = translated("{}");
    let message = crate::words::Message::new("no-account").text("carrier", "PostNord");
    let found = FieldErrors::one("delivery.service_code", message);
    assert_eq!(keys(&translation.told(found)), ["shipping_carrier no-account"]);
}
