use super::*;
use crate::json::parse;
use crate::language::Language;
use crate::template::TemplateShipment;

const ORDER: &str = r#"{"reference":"ORDER-4521","parties":{"customer":{"contact":{"name":"Ada"},
    "address":{"address_lines":["Islands Brygge 39"],"postal_code":"2300","city":"København S",
    "country":"DK"}}},"delivery":{"service_code":"sandbox:home"},
    "parcels":[{"gross_weight":{"value":1200,"unit":"g"}}]}"#;

fn json(text: &str) -> Json {
    parse(text.as_bytes()).unwrap()
}

fn merged(patch: &str) -> Json {
    let mut order = json(ORDER);
    order.merge(&json(patch));
    order
}

fn problems(body: &Json, template: Option<&str>) -> Vec<String> {
    let template = template.map(|text| TemplateShipment::parse(&json(text)).unwrap());
    let errors = Order::parse(body, template.as_ref()).unwrap_err();
    let say = |m: &Message| m.say(Language::En);
    errors.iter().map(|(path, m)| format!("{path} {}", say(&m[0]))).collect()
}

#[test]
fn an_order_is_written_as_it_is_read() {
    let body = merged(
        r#"{"delivery":{"addons":[{"code":"sms_notification","value":"+4530274735"},
        {"code":"insurance","value":{"value":1000,"currency":"DKK"}}],"pickup_point":{"code":"X"},
        "delivery_window":{"start":"2026-11-20T17:00:00+01:00","end":"2026-11-20T21:00:00+01:00"}},
        "customs":{"content_type":"gift","invoice_date":"2026-11-14"},
        "parcels":[{"gross_weight":{"value":1.5,"unit":"kg"},"items":[{"quantity":2,
        "unit_price":{"value":9900,"currency":"DKK"}}],"dangerous_goods":[{"un_number":"UN1263"}]}]}"#,
    );
    let order = Order::parse(&body, None).unwrap();
    assert_eq!(Order::parse(&order.to_json(), None).unwrap(), order);
    let weight = order.to_json().to_string();
    assert!(weight.contains(r#""gross_weight":{"value":1.5,"unit":"kg"}"#), "{weight}");
}

#[test]
fn an_order_that_somebody_else_wrote_is_shown_too() {
    let order = StoredOrder::new(&Order::parse(&json(ORDER), None).unwrap());
    let spaced = order.as_str().replace(',', " , ") + "\n";
    let told = |order: &StoredOrder| {
        let members = order.members().unwrap().into_iter();
        let names = members.map(|(name, value)| format!("{name}: {value}"));
        names.collect::<Vec<_>>()
    };
    assert_eq!(told(&StoredOrder::from_stored(spaced)), told(&order));
    assert_eq!(StoredOrder::from_stored(r#"{"parties":<b>}"#.to_owned()).members(), None);
}

// Rules: Measurement objects 1: each supplied object requires both fields.
#[test]
fn half_a_measurement_object_is_refused_at_what_is_missing() {
    let body = merged(r#"{"parcels":[{"gross_weight":{"value":1200},"length":{"unit":"cm"}}]}"#);
    assert_eq!(
        problems(&body, None),
        ["parcels.0.gross_weight.unit is required", "parcels.0.length.value is required"]
    );
}

// Rules: Measurement objects 3: null means unknown, never zero.
#[test]
fn a_null_measurement_is_unknown_and_zero_is_refused() {
    let order = Order::parse(&merged(r#"{"parcels":[{"gross_weight":null}]}"#), None).unwrap();
    assert_eq!(order.parcels[0].gross_weight, None);
    let body = merged(r#"{"parcels":[{"gross_weight":{"value":0,"unit":"g"}}]}"#);
    assert_eq!(problems(&body, None), ["parcels.0.gross_weight.value must be greater than 0"]);
}

// Rules: Measurement objects 4, 5: one currency and one unit of each kind, told at every path.
#[test]
fn mixed_units_and_currencies_are_refused_at_every_path_that_takes_part() {
    let body = merged(
        r#"{"customs":{"shipping_cost":{"value":1,"currency":"SEK"}},"parcels":[
        {"gross_weight":{"value":1,"unit":"kg"},"length":{"value":1,"unit":"cm"},
         "width":{"value":10,"unit":"mm"},"items":[{"quantity":1,"net_weight":{"value":1,"unit":"g"},
         "unit_price":{"value":1,"currency":"DKK"}}]}]}"#,
    );
    let paths: Vec<String> =
        problems(&body, None).iter().map(|p| p.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(
        paths,
        [
            "customs.shipping_cost.currency",
            "parcels.0.gross_weight.unit",
            "parcels.0.items.0.net_weight.unit",
            "parcels.0.items.0.unit_price.currency",
            "parcels.0.length.unit",
            "parcels.0.width.unit",
        ]
    );
}

#[test]
fn the_request_wins_over_the_template_and_arrays_replace() {
    let template = r#"{"weight_unit":"kg","delivery":{"service_code":"sandbox:express",
        "pickup_point":{"code":"P"}},"parcels":[{"gross_weight":1},{"gross_weight":2}]}"#;
    let template = TemplateShipment::parse(&json(template)).unwrap();
    let order = Order::parse(&json(ORDER), Some(&template)).unwrap();
    assert_eq!(order.delivery.service_code, "sandbox:home");
    assert_eq!(order.delivery.pickup_point.as_deref(), Some("P"));
    assert_eq!(order.parcels.len(), 1);
    let bare = merged(r#"{"parcels":null,"delivery":null}"#);
    let order = Order::parse(&bare, Some(&template)).unwrap();
    assert_eq!(order.delivery.service_code, "sandbox:express");
    assert_eq!(order.parcels[1].gross_weight.unwrap().grams(), 2000);
}

#[test]
fn a_mix_of_template_and_request_is_told_at_the_requests_own_value() {
    let template = r#"{"weight_unit":"kg","dimension_unit":"cm","parcels":[{"length":1}]}"#;
    // The request's parcels replace the template's, so nothing is mixed.
    let own = merged(r#"{"parcels":[{"length":{"value":1,"unit":"mm"}}]}"#);
    let parsed = TemplateShipment::parse(&json(template)).unwrap();
    assert!(Order::parse(&own, Some(&parsed)).is_ok());
    // Its addon in another currency than its customs is its own affair.
    let mixed = merged(
        r#"{"parcels":null,"delivery":{"addons":[{"code":"insurance",
        "value":{"value":1,"currency":"EUR"}}]},"customs":{"insured_value":{"value":1,
        "currency":"DKK"}}}"#,
    );
    let told = problems(&mixed, Some(template));
    assert_eq!(told.len(), 2);
    assert!(told[0].starts_with("customs.insured_value.currency"), "{told:?}");
}

#[test]
fn every_missing_and_bad_field_is_named() {
    let body = json(
        r#"{"parties":{"customer":{"contact":{"name":" "},"address":{"country":"XX"}}},
        "delivery":{"addons":[{"code":"gold"},{"code":"signature"},{"code":"signature"}],
        "delivery_window":{"start":"2026-11-20T17:00:00","end":"2026-11-20T21:00:00+01:00"}},
        "parcels":[{"items":[{"hs_code":"12"}],"dangerous_goods":[{"un_number":"1263"}]}]}"#,
    );
    let paths: Vec<String> =
        problems(&body, None).iter().map(|p| p.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(
        paths,
        [
            "delivery.addons.0.code",
            "delivery.addons.2.code",
            "delivery.delivery_window.start",
            "delivery.service_code",
            "parcels.0.dangerous_goods.0.un_number",
            "parcels.0.items.0.hs_code",
            "parcels.0.items.0.quantity",
            "parties.customer.address.address_lines",
            "parties.customer.address.city",
            "parties.customer.address.country",
            "parties.customer.address.postal_code",
            "parties.customer.contact.name",
        ]
    );
}
