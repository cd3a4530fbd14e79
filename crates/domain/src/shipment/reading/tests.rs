use super::*;
use crate::catalog::customs::customs_problems;
use crate::json::parse;

const ORDER: &str = r#"{"parties":{"customer":{"contact":{"name":"Ada"},"address":{
    "address_lines":["Islands Brygge 39"],"postal_code":"2300","city":"København S",
    "country":"DK"}}},"delivery":{"service_code":"sandbox:home"},
    "parcels":[{"gross_weight":{"value":1200,"unit":"g"}}]}"#;

fn json(text: &str) -> Json {
    parse(text.as_bytes()).unwrap()
}

fn order_with(patch: &str) -> Json {
    let mut order = json(ORDER);
    order.merge(&json(patch));
    order
}

fn read(body: &Json) -> Reading {
    Reading::new(body, Template::None).unwrap()
}

fn told(reading: Reading) -> Vec<String> {
    let errors = reading.finish().unwrap_err();
    errors.iter().map(|(path, _)| path.to_owned()).collect()
}

#[test]
fn what_cannot_be_read_is_not_checked() {
    let body = order_with(r#"{"parcels":[{"gross_weight":7,"length":{"value":1,"unit":"cm"}}]}"#);
    let mut reading = read(&body);
    let heavy = FieldErrors::one("parcels.0.gross_weight.value", Message::new("too-large"));
    reading.note(heavy);
    reading.note(FieldErrors::one("parcels.0.length.value", Message::new("too-large")));
    assert_eq!(told(reading), ["parcels.0.gross_weight", "parcels.0.length.value"]);
}

#[test]
fn the_place_of_an_entry_does_not_depend_on_the_others() {
    let body = order_with(
        r#"{"parcels":[7,{"gross_weight":{"value":1,"unit":"g"},
        "items":["x",{"quantity":3,"net_weight":{"value":1,"unit":"g"}}]}]}"#,
    );
    assert_eq!(
        told(read(&body)),
        ["parcels.0", "parcels.1.gross_weight", "parcels.1.items.0"],
        "the items of the second parcel weigh 3 g"
    );
}

#[test]
fn a_unit_counts_even_when_its_value_is_broken() {
    let body = order_with(
        r#"{"parcels":[{"gross_weight":{"value":0,"unit":"kg"}},
        {"gross_weight":{"value":1,"unit":"g"}}]}"#,
    );
    assert_eq!(
        told(read(&body)),
        [
            "parcels.0.gross_weight.unit",
            "parcels.0.gross_weight.value",
            "parcels.1.gross_weight.unit"
        ]
    );
}

#[test]
fn net_weights_are_added_up_exactly_across_units() {
    let parcel = |gross: &str, unit: &str| {
        order_with(&format!(
            r#"{{"parcels":[{{"gross_weight":{{"value":{gross},"unit":"{unit}"}},
            "items":[{{"quantity":16,"net_weight":{{"value":0.001,"unit":"oz"}}}}]}}]}}"#
        ))
    };
    let paths = |body: &Json| {
        let told = told(read(body));
        told.into_iter().filter(|path| path == "parcels.0.gross_weight").count()
    };
    // Sixteen thousandths of an ounce are a thousandth of a pound: 0.45359237 g.
    assert_eq!(paths(&parcel("0.001", "lb")), 0);
    assert_eq!(paths(&parcel("0.453", "g")), 1);
    assert_eq!(paths(&parcel("0.454", "g")), 0);
    assert!(Reading::new(&parcel("0.015", "oz"), Template::None).unwrap().finish().is_err());
    assert!(Reading::new(&parcel("0.016", "oz"), Template::None).unwrap().finish().is_ok());
}

#[test]
fn a_list_without_end_is_looked_at_once() {
    let parcels = vec![r#"{"gross_weight":{"value":1,"unit":"kg"}}"#; 20_000].join(",");
    let mut reading = read(&order_with(&format!(r#"{{"parcels":[{parcels}]}}"#)));
    assert_eq!(reading.input().member("parcels"), Some(&Json::Null));
    reading.note(customs_problems(reading.input()));
    assert_eq!(told(reading), ["parcels"]);
}

#[test]
fn a_body_that_is_not_an_object_has_nothing_to_read() {
    let errors = Reading::new(&json("[]"), Template::Unknown).unwrap_err();
    assert_eq!(errors.iter().map(|(path, _)| path).collect::<Vec<_>>(), [""]);
}

#[test]
fn a_window_that_is_over_is_refused_and_one_that_has_begun_is_not() {
    let body = order_with(
        r#"{"delivery":{"delivery_window":{"start":"2026-11-20T17:00:00+01:00",
        "end":"2026-11-20T21:00:00+01:00"}}}"#,
    );
    let at = |now: &str| {
        let mut reading = read(&body);
        reading.check_time(Time::parse(now).unwrap());
        reading.finish().is_ok()
    };
    assert!(at("2026-11-20T18:00:00Z"));
    assert!(!at("2026-11-20T20:00:00Z"));
}
