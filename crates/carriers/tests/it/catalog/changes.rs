//! Changes that spoil a good order, or not: around limits in every unit, texts of every class,
//! missing fields, other countries, addons with every kind of value.

use proptest::prelude::*;
use waybill_domain::catalog::{Constraint, Service};
use waybill_domain::json::{Json, parse};

use super::bodies::{each_parcel, patch, set_addon, set_country};

/// One change to a body that was good.
#[derive(Clone, Debug)]
pub enum Change {
    /// Near the limit of the service, in thousandths of this unit.
    Weight(&'static str, i64),
    Side(&'static str, &'static str, i64),
    Text(&'static str, String),
    Country(&'static str, &'static str),
    PostalCode(&'static str, &'static str),
    Addon(&'static str, &'static str),
    Goods(Option<bool>),
    Parcels(usize),
    Patch(&'static str),
}

/// How many micrograms or nanometres a thousandth of the unit has, about: only to come near.
fn size(unit: &str) -> i64 {
    match unit {
        "kg" => 1_000_000,
        "lb" => 453_592,
        "oz" => 28_350,
        "cm" => 10_000,
        "in" => 25_400,
        _ => 1000,
    }
}

fn weight_limit(service: &Service) -> i64 {
    let limits = service.constraints.iter().filter_map(|row| match row {
        Constraint::MaxWeight { grams } => Some(*grams),
        _ => None,
    });
    limits.min().unwrap_or(20_000)
}

fn side_limit(service: &Service, name: &str) -> i64 {
    let limits = service.constraints.iter().filter_map(|row| match row {
        Constraint::MaxLongestSide { millimetres } => Some(*millimetres),
        Constraint::MaxSide { side, millimetres } if side.name() == name => Some(*millimetres),
        _ => None,
    });
    limits.min().unwrap_or(1500)
}

fn thousandths(value: i64) -> String {
    format!("{}.{:03}", value / 1000, value % 1000)
}

impl Change {
    /// Changes the body.
    pub fn apply(&self, body: &mut Json, service: &Service) {
        // Half a merchant is no party.
        if let Change::Text(text, _) | Change::Patch(text) = self
            && text.contains(r#""merchant":{"#)
            && !body_has(body, "merchant")
        {
            return;
        }
        match self {
            Change::Weight(unit, away) => {
                let value = weight_limit(service) * 1_000_000 / size(unit) + away;
                let value = thousandths(value.max(1));
                each_parcel(
                    body,
                    &format!(
                        r#"{{"gross_weight":{{"value":{value},"unit":"{unit}"}},"items":null,
                        "dangerous_goods":null}}"#
                    ),
                );
            }
            Change::Side(side, unit, away) => {
                let value = side_limit(service, side) * 1_000_000 / size(unit) + away;
                let value = thousandths(value.max(1));
                each_parcel(body, r#"{"length":null,"width":null,"height":null}"#);
                each_parcel(body, &format!(r#"{{"{side}":{{"value":{value},"unit":"{unit}"}}}}"#));
            }
            Change::Text(place, text) => {
                patch(body, &place.replace('?', &Json::text(text).to_string()));
            }
            Change::Country(party, country) if body_has(body, party) => {
                set_country(body, party, country);
            }
            Change::PostalCode(party, code) if body_has(body, party) => patch(
                body,
                &format!(r#"{{"parties":{{"{party}":{{"address":{{"postal_code":"{code}"}}}}}}}}"#),
            ),
            Change::Country(..) | Change::PostalCode(..) => {}
            Change::Addon(code, value) => set_addon(body, code, value),
            Change::Goods(None) => each_parcel(body, r#"{"dangerous_goods":[]}"#),
            Change::Goods(Some(is_limited)) => each_parcel(
                body,
                &format!(
                    r#"{{"dangerous_goods":[{{"un_number":"UN1263","is_limited_quantity":true}},
                    {{"un_number":"UN1950","is_limited_quantity":{is_limited}}}]}}"#
                ),
            ),
            Change::Parcels(count) => {
                let Some(Json::List(parcels)) = body.member("parcels") else { return };
                let parcels = Json::List(vec![parcels[0].clone(); *count]);
                patch(body, &format!(r#"{{"parcels":{parcels}}}"#));
            }
            Change::Patch(text) => patch(body, text),
        }
    }
}

/// The body with all of its amounts in another currency.
pub fn in_currency(body: &Json, code: &str) -> Json {
    let text = body.to_string().replace(r#""currency":"DKK""#, &format!(r#""currency":"{code}""#));
    parse(text.as_bytes()).unwrap()
}

fn body_has(body: &Json, party: &str) -> bool {
    let party = body.member("parties").and_then(|parties| parties.member(party));
    party.is_some_and(|party| *party != Json::Null)
}

const TEXTS: [&str; 11] = [
    r#"{"parties":{"customer":{"address":{"administrative_area":?}}}}"#,
    r#"{"parties":{"merchant":{"address":{"administrative_area":?}}}}"#,
    r#"{"parties":{"merchant":{"contact":{"name":?}}}}"#,
    r#"{"identifier":?}"#,
    r#"{"reference":?}"#,
    r#"{"parties":{"customer":{"contact":{"name":?}}}}"#,
    r#"{"parties":{"customer":{"contact":{"company":?}}}}"#,
    r#"{"parties":{"customer":{"address":{"city":?}}}}"#,
    r#"{"parties":{"customer":{"address":{"address_lines":["Here 1",?]}}}}"#,
    r#"{"customs":{"invoice_number":?}}"#,
    r#"{"delivery":{"instructions":?}}"#,
];

const PATCHES: [&str; 28] = [
    r#"{"parties":{"customer":{"identifiers":{"eori":"DK12345678"}}}}"#,
    r#"{"customs":{"insured_value":{"value":1,"currency":"DKK"}}}"#,
    r#"{"delivery":{"instructions":null,"addons":[{"code":"age_verification","value":"18"}]}}"#,
    r#"{"parties":{"customer":{"address":{"administrative_area":"CA"}}}}"#,
    r#"{"parties":{"customer":{"address":{"administrative_area":null}}}}"#,
    r#"{"parties":{"merchant":{"address":{"administrative_area":null}}}}"#,
    r#"{"parties":{"customer":{"address":{"address_lines":["a","b","c","d"]}}}}"#,
    r#"{"parties":{"customer":{"contact":{"phone":null,"email":null}}}}"#,
    r#"{"parties":{"merchant":{"contact":{"phone":null,"email":null}}}}"#,
    r#"{"identifier":null}"#,
    r#"{"customs":{"shipping_cost":null}}"#,
    r#"{"parties":{"merchant":{"contact":{"phone":null}}}}"#,
    r#"{"parties":{"merchant":{"contact":{"company":null}}}}"#,
    r#"{"parcels":[{"items":[{"quantity":1,"hs_code":"490199","country_of_origin":"DK",
        "unit_price":{"value":1,"currency":"DKK"}}]}]}"#,
    r#"{"parcels":[{"items":[{"quantity":1,"hs_code":"490199","country_of_origin":"DK",
        "unit_price":{"value":1,"currency":"DKK"},"net_weight":{"value":1,"unit":"g"}}]}]}"#,
    r#"{"parcels":[{"items":[]}]}"#,
    r#"{"reference":null}"#,
    r#"{"parties":{"merchant":null}}"#,
    r#"{"parties":{"customer":{"contact":{"phone":null}}}}"#,
    r#"{"parties":{"customer":{"contact":{"email":null}}}}"#,
    r#"{"parties":{"customer":{"contact":{"company":" \u00a0 "}}}}"#,
    r#"{"parties":{"customer":{"contact":{"company":null}}}}"#,
    r#"{"delivery":{"pickup_point":{"code":"P-1"}}}"#,
    r#"{"delivery":{"pickup_point":null,"addons":null}}"#,
    r#"{"customs":null}"#,
    r#"{"customs":{"invoice_number":null}}"#,
    r#"{"parcels":[{"items":[{"quantity":1,"description":"Cup"},{"quantity":1}]}]}"#,
    r#"{"parcels":[{}]}"#,
];

const CODES: [&str; 24] = [
    "FI-22 150",
    "bt 11aa",
    "3900",
    "22100",
    "BT1 1AA",
    "9170",
    "35001",
    "2300",
    "23000",
    "230",
    "111 22",
    "11122",
    "111  22",
    "SW1A 1AA",
    "m11ae",
    "1011 AB",
    "1011ab",
    "94107",
    "94107-1234",
    "DK-2300",
    "٢٣٠٠",
    "2300 ",
    "LV-1010",
    "00-950",
];

const COUNTRIES: [&str; 15] =
    ["DK", "SE", "NO", "FI", "DE", "NL", "GB", "US", "RU", "JP", "PL", "LV", "GL", "AX", "ES"];

const VALUES: [&str; 23] = [
    "null",
    r#""""#,
    r#"" ""#,
    r#""+4530274735""#,
    r#""+0530274735""#,
    r#""004530274735""#,
    r#""+45 30 27 47 35""#,
    r#""+123456""#,
    r#""+1234567""#,
    r#""+123456789012345""#,
    r#""+1234567890123456""#,
    r#""ada@example.com""#,
    r#""é@example.dk""#,
    r#""ada@example""#,
    r#""a\u2003b@example.com""#,
    r#""a@b@example.com""#,
    r#""a@.example..com""#,
    r#""18""#,
    r#""17""#,
    r#""018""#,
    r#"{"value":0,"currency":"DKK"}"#,
    r#"{"value":1,"currency":"DKK"}"#,
    r#""Behind the shed, below the bench, under the blue cover, beside the bicycle of the neighbour who is away until May""#,
];

/// Letters of every class, so that each class is met alone and mixed.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(vec!['a', 'Z', '7']), 1..60),
        prop::collection::vec(prop::sample::select(vec!['0', '5', '9']), 1..45),
        prop::collection::vec(
            prop::sample::select(vec!['a', ' ', '~', '\u{a0}', 'ÿ', 'ø']),
            33..43
        ),
        prop::collection::vec(
            prop::sample::select(vec!['a', '\u{a0}', 'Ł', '中', '𝒜', 'ा', '\u{2003}', '¿']),
            1..42
        ),
        prop::collection::vec(
            prop::sample::select(vec!['ɏ', 'ő', '–', '…', '’', 'ɐ', '‐', '„']),
            1..3
        ),
    ]
    .prop_map(|letters| format!("x{}", letters.into_iter().collect::<String>()))
}

/// Any change.
pub fn change() -> impl Strategy<Value = Change> {
    use prop::sample::select;
    let sides = select(vec!["length", "width", "height"]);
    let away = prop_oneof![-3..=3_i64, -2000..=2000_i64];
    prop_oneof![
        3 => (select(vec!["g", "kg", "lb", "oz"]), away.clone())
            .prop_map(|(unit, away)| Change::Weight(unit, away)),
        3 => (sides, select(vec!["mm", "cm", "in"]), away)
            .prop_map(|(side, unit, away)| Change::Side(side, unit, away)),
        3 => (select(TEXTS.to_vec()), text()).prop_map(|(place, text)| Change::Text(place, text)),
        2 => (select(vec!["merchant", "customer"]), select(COUNTRIES.to_vec()))
            .prop_map(|(party, country)| Change::Country(party, country)),
        3 => (select(vec!["merchant", "customer"]), select(CODES.to_vec()))
            .prop_map(|(party, code)| Change::PostalCode(party, code)),
        4 => (select(super::ADDONS.to_vec()), select(VALUES.to_vec()))
            .prop_map(|(code, value)| Change::Addon(code, value)),
        1 => prop::option::of(any::<bool>()).prop_map(Change::Goods),
        1 => select(vec![1_usize, 2, 3, 50, 51]).prop_map(Change::Parcels),
        4 => select(PATCHES.to_vec()).prop_map(Change::Patch),
    ]
}
