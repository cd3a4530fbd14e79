use super::*;
use crate::json::parse;

fn row(zone: &str, from: &str, to: &str, price: i64) -> String {
    format!(
        r#"{{"service_code":"a:b","zone":{zone},"from_weight":{from},"to_weight":{to},
        "price":{{"value":{price},"currency":"DKK"}}}}"#
    )
}

fn kilos(value: &str) -> String {
    format!(r#"{{"value":{value},"unit":"kg"}}"#)
}

fn rates(rows: &[String]) -> Result<Vec<Rate>, FieldErrors> {
    let body = format!(r#"{{"data":[{}]}}"#, rows.join(","));
    Rate::parse_all(&parse(body.as_bytes()).unwrap(), |code| code == "a:b")
}

fn paths(rows: &[String]) -> Vec<String> {
    rates(rows).unwrap_err().iter().map(|(path, _)| path.to_owned()).collect()
}

fn grams(value: i64) -> Option<Weight> {
    Some(Weight { thousandths: value * 1000, unit: WeightUnit::Gram })
}

#[test]
fn the_zone_that_says_the_most_decides() {
    let zone = |zone: &str, price| row(zone, &kilos("0"), &kilos("2"), price);
    let all = [zone("null", 90), zone("\"NO\"", 50), zone("\"NO:9\"", 70), zone("\"NO:91\"", 80)];
    let all = rates(&all).unwrap();
    let all: Vec<&Rate> = all.iter().collect();
    let to = |country: &str, postal_code: &str| {
        let country = Country::parse(country).unwrap();
        price(&all, country, postal_code, &[grams(500)]).map(|money| money.minor)
    };
    assert_eq!(to("NO", "0555"), Some(50));
    assert_eq!(to("NO", "9000"), Some(70));
    assert_eq!(to("NO", "91 70"), Some(80));
    assert_eq!(to("DK", "9000"), Some(90));
}

#[test]
fn a_bracket_begins_above_its_first_weight_and_ends_with_its_second() {
    let all =
        [row("null", &kilos("0"), &kilos("1"), 10), row("null", &kilos("1"), &kilos("2"), 20)];
    let all = rates(&all).unwrap();
    let all: Vec<&Rate> = all.iter().collect();
    let of = |weights: &[Option<Weight>]| {
        let country = Country::parse("DK").unwrap();
        price(&all, country, "2300", weights).map(|money| money.minor)
    };
    assert_eq!(of(&[grams(1000)]), Some(10));
    assert_eq!(of(&[grams(1001)]), Some(20));
    assert_eq!(of(&[grams(1000), grams(2000)]), Some(30), "each parcel by its own bracket");
    assert_eq!(of(&[grams(2001)]), None);
    assert_eq!(of(&[grams(1000), None]), None, "an unknown weight is not zero");
    assert_eq!(of(&[Some(Weight { thousandths: 2205, unit: WeightUnit::Pound })]), Some(20));
}

#[test]
fn brackets_of_one_service_and_zone_do_not_overlap() {
    let rows = [
        row("\"DK\"", &kilos("1"), &kilos("3"), 1),
        row("\"DK\"", &kilos("0"), &kilos("1.001"), 1),
        row("\"SE\"", &kilos("0"), &kilos("9"), 1),
        row("null", r#"{"value":500,"unit":"g"}"#, &kilos("9"), 1),
        row("null", &kilos("0"), r#"{"value":500,"unit":"g"}"#, 1),
    ];
    assert_eq!(paths(&rows), ["data.0.from_weight"]);
}

#[test]
fn every_problem_of_a_row_is_told_at_its_path() {
    let rows = [
        row("\"XX\"", &kilos("2"), &kilos("2"), 1),
        row("\"DK:\"", &kilos("-1"), &kilos("0"), -1).replace("a:b", "a:c"),
    ];
    assert_eq!(
        paths(&rows),
        [
            "data.0.to_weight",
            "data.0.zone",
            "data.1.from_weight.value",
            "data.1.price.value",
            "data.1.service_code",
            "data.1.to_weight.value",
            "data.1.zone",
        ]
    );
}

#[test]
fn a_row_is_written_as_it_was_read() {
    let all = rates(&[row("\"NO:9\"", &kilos("0"), &kilos("2.5"), 4900)]).unwrap();
    assert_eq!(Rate::from_stored(&all[0].to_json()), Some(all[0].clone()));
}
