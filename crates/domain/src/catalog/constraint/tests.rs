use super::*;
use crate::json::{Json, parse};
use crate::language::Language;

fn told(row: Constraint, order: &str) -> Vec<String> {
    let order = parse(order.as_bytes()).unwrap();
    let say = |(path, message): (String, crate::words::Message)| {
        format!("{path} {}", message.say(Language::En))
    };
    row.problems(&order).into_iter().map(say).collect()
}

#[test]
fn a_limit_is_told_in_the_callers_own_unit() {
    let order = |value: &str, unit: &str| {
        format!(r#"{{"parcels":[{{"gross_weight":{{"value":{value},"unit":"{unit}"}}}}]}}"#)
    };
    let row = || Constraint::MaxWeight { grams: 20_000 };
    assert_eq!(told(row(), &order("20", "kg")), [""; 0]);
    assert_eq!(
        told(row(), &order("20.001", "kg")),
        ["parcels.0.gross_weight.value must be at most 20 kg"]
    );
    assert_eq!(
        told(row(), &order("44.1", "lb")),
        ["parcels.0.gross_weight.value must be at most 44.092 lb"]
    );
    assert_eq!(told(row(), r#"{"parcels":[{"gross_weight":null}]}"#), [""; 0]);
}

#[test]
fn nothing_but_spaces_is_as_good_as_nothing() {
    let row = || Constraint::Required {
        path: "parties.customer.contact.company".into(),
        with_addon: None,
    };
    let order = |company: &str| {
        format!(r#"{{"parties":{{"customer":{{"contact":{{"company":{company}}}}}}}}}"#)
    };
    assert_eq!(told(row(), &order("\"Waybill\"")), [""; 0]);
    for missing in ["null", "\"\"", "\" \u{a0}\""] {
        let said = ["parties.customer.contact.company is required"];
        assert_eq!(told(row(), &order(missing)), said, "{missing}");
    }
}

#[test]
fn characters_that_are_not_accepted_are_named_once() {
    let row = Constraint::Characters {
        path: "parties.customer.address.address_lines.*".into(),
        allowed: Characters::Latin1,
    };
    let order = r#"{"parties":{"customer":{"address":{"address_lines":["Ærø 1","Łódź Łł"]}}}}"#;
    assert_eq!(
        told(row, order),
        ["parties.customer.address.address_lines.1 contains characters that this service does \
          not accept: Ł ł ź"]
    );
}

#[test]
fn a_field_can_be_asked_for_by_an_addon() {
    let row = || Constraint::Required {
        path: "parties.customer.contact.phone".into(),
        with_addon: Some("flex_delivery".into()),
    };
    let order = |code: &str| format!(r#"{{"delivery":{{"addons":[{{"code":"{code}"}}]}}}}"#);
    assert_eq!(told(row(), &order("signature")), [""; 0]);
    assert_eq!(
        told(row(), &order("flex_delivery")),
        ["parties.customer.contact.phone is required with the addon flex_delivery"]
    );
}

#[test]
fn a_postal_code_is_held_against_its_own_country_only() {
    let row = || Constraint::PostalCode {
        country: Country::parse("SE").unwrap(),
        masks: vec!["999_99".into()],
    };
    let order = |country: &str, code: &str| {
        format!(
            r#"{{"parties":{{"customer":{{"address":{{"country":"{country}","postal_code":"{code}"}}}}}}}}"#
        )
    };
    assert_eq!(told(row(), &order("SE", "111 22")), [""; 0]);
    assert_eq!(told(row(), &order("DK", "2300")), [""; 0]);
    assert_eq!(
        told(row(), &order("SE", "2300")),
        ["parties.customer.address.postal_code is not a postal code of SE; it should look like \
          123 45"]
    );
}

#[test]
fn the_value_of_an_addon_is_what_the_addon_asks_for() {
    let text = |text: &str| Some(Json::text(text));
    let money = |text: &str| Some(parse(text.as_bytes()).unwrap());
    let key = |kind: &ValueKind, value: &Option<Json>| {
        kind.problem(value.as_ref()).map(|(below, message)| (below, message.key()))
    };
    let age = ValueKind::Age(vec![16, 18]);
    for (kind, value, expected) in [
        (&ValueKind::None, None, None),
        (&ValueKind::None, text("x"), Some(("", "addon-without-value"))),
        (&ValueKind::Phone, None, Some(("", "addon-phone"))),
        (&ValueKind::Phone, text("+4530274735"), None),
        (&ValueKind::Phone, text("30274735"), Some(("", "addon-phone"))),
        (&ValueKind::Phone, text("+0530274735"), Some(("", "addon-phone"))),
        (&ValueKind::Email, text("ada@example.com"), None),
        (&ValueKind::Email, text("ada@example"), Some(("", "addon-email"))),
        (&ValueKind::Email, text("a@b@example.com"), Some(("", "addon-email"))),
        (&age, text("18"), None),
        (&age, text("17"), Some(("", "addon-age"))),
        (&ValueKind::Money, text("18"), Some(("", "not-an-amount"))),
        (&ValueKind::Money, money(r#"{"value":1,"currency":"DKK"}"#), None),
        (
            &ValueKind::Money,
            money(r#"{"value":0,"currency":"DKK"}"#),
            Some((".value", "not-positive")),
        ),
        (&ValueKind::Text(3), None, None),
        (&ValueKind::Text(3), text("æøå"), None),
        (&ValueKind::Text(3), text("æøåæ"), Some(("", "addon-text"))),
    ] {
        assert_eq!(key(kind, &value), expected, "{kind:?} {value:?}");
    }
}

// Whatever is written in place of a value, the advice is the same: it never sends a caller from one
// wrong value to another.
#[test]
fn the_advice_about_the_value_of_an_addon_does_not_depend_on_what_was_written() {
    let wrong = ["5", "true", "[]", r#""\u0000""#].map(|text| parse(text.as_bytes()).unwrap());
    let kinds = [
        (ValueKind::Phone, "+4530274735"),
        (ValueKind::Email, "ada@example.com"),
        (ValueKind::Age(vec![16, 18]), "\"16\", \"18\""),
        (ValueKind::Money, "\"currency\": \"DKK\""),
    ];
    for (kind, example) in kinds {
        let advice = kind.problem(None).unwrap();
        assert!(advice.1.say(Language::En).contains(example), "{}", advice.1.say(Language::En));
        for value in &wrong {
            assert_eq!(kind.problem(Some(value)), Some(advice.clone()), "{kind:?} {value}");
        }
    }
    let place = ValueKind::Text(3);
    assert_eq!(place.problem(Some(&wrong[0])), place.problem(Some(&Json::text("long"))));
}
