//! Orders: one with every field, one that a service accepts, and changes that spoil it or not.

use proptest::prelude::*;
use waybill_domain::catalog::{Constraint, Service, ValueKind};
use waybill_domain::country::Country;
use waybill_domain::json::{Json, parse};
use waybill_domain::shipment::Order;

const FULL: &str = r#"{"identifier":"4521","reference":"ORDER-4521","parties":{
    "merchant":{"identifier":"m","reference":"m","contact":{"name":"Waybill","company":"Waybill ApS",
      "email":"shop@example.com","phone":"+4570101010"},"address":{"address_lines":["Havnegade 1"],
      "postal_code":"8000","city":"Aarhus C","country":"DK"}},
    "customer":{"identifier":"c","reference":"c","contact":{"name":"Ada Jensen","company":"Ada ApS",
      "email":"ada@example.com","phone":"+4530274735"},"address":{"address_lines":
      ["Islands Brygge 39","2. th"],"postal_code":"2300","city":"København S","country":"DK"},
      "identifiers":{"vat":"DK12345678"}}},
  "delivery":{"service_code":"sandbox:pickup_point","pickup_point":{"code":"DK-1001"},
    "addons":[{"code":"sms_notification","value":"+4530274735"}],
    "delivery_window":{"start":"2026-11-20T17:00:00+01:00","end":"2026-11-20T21:00:00+01:00"},
    "instructions":"Ring the bell"},
  "parcels":[{"identifier":"p","reference":"p","description":"Books",
    "gross_weight":{"value":1200,"unit":"g"},"length":{"value":30,"unit":"cm"},
    "width":{"value":20,"unit":"cm"},"height":{"value":10,"unit":"cm"},
    "items":[{"identifier":"i","sku":"B-1","description":"Paperback","quantity":2,
      "net_weight":{"value":400,"unit":"g"},"unit_price":{"value":9900,"currency":"DKK"},
      "hs_code":"490199","country_of_origin":"DK"}],
    "dangerous_goods":[{"un_number":"UN1263","proper_shipping_name":"PAINT","class":"3",
      "packing_group":"III","net_weight":{"value":200,"unit":"g"},"is_limited_quantity":true}]}],
  "customs":{"content_type":"commercial_goods","incoterm":"DAP","invoice_number":"INV-1",
    "invoice_date":"2026-11-14","shipping_cost":{"value":4900,"currency":"DKK"}}}"#;

/// Every field of the contract's example, and the merchant.
pub fn full() -> Json {
    accepted(&parse(FULL.as_bytes()).unwrap())
}

/// The body as it is once read: what the generator makes must be a good order in general.
pub fn accepted(body: &Json) -> Json {
    match Order::parse(body, None) {
        Ok(order) => order.to_json(),
        Err(problems) => panic!("not an order: {problems:?}\n{body}"),
    }
}

fn patch(body: &mut Json, text: &str) {
    body.merge(&parse(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault:?} {text}")));
}

/// A body that the service accepts.
pub fn good(service: &Service) -> Json {
    let mut body = parse(FULL.as_bytes()).unwrap();
    patch(&mut body, r#"{"delivery":{"pickup_point":null,"addons":[]}}"#);
    patch(&mut body, r#"{"parcels":[{"gross_weight":{"value":0.5,"unit":"kg"},"items":[]}]}"#);
    let (merchants, customers) = match service.is_return {
        false => (&service.from_countries, &service.to_countries),
        true => (&service.to_countries, &service.from_countries),
    };
    if let Some(country) = merchants.first() {
        set_country(&mut body, "merchant", country.code());
    }
    if let Some(country) = customers.first() {
        set_country(&mut body, "customer", country.code());
    }
    for addon in service.addons.iter().filter(|addon| addon.is_required) {
        set_addon(&mut body, &addon.code, good_value(&addon.value));
    }
    accepted(&body)
}

fn good_value(kind: &ValueKind) -> &'static str {
    match kind {
        ValueKind::None => "null",
        ValueKind::Phone => r#""+4530274735""#,
        ValueKind::Email => r#""ada@example.com""#,
        ValueKind::Age(_) => r#""18""#,
        ValueKind::Money => r#"{"value":100,"currency":"DKK"}"#,
        ValueKind::Text(_) => r#""In the shed""#,
    }
}

fn set_country(body: &mut Json, party: &str, country: &str) {
    let code = match country {
        "DK" | "NO" | "AT" | "BE" | "CH" => "2300",
        "SE" => "111 22",
        "GB" => "SW1A 1AA",
        "NL" => "1011 AB",
        _ => "10115",
    };
    let address = format!(r#"{{"country":"{country}","postal_code":"{code}"}}"#);
    patch(body, &format!(r#"{{"parties":{{"{party}":{{"address":{address}}}}}}}"#));
}

fn set_addon(body: &mut Json, code: &str, value: &str) {
    let Some(Json::List(addons)) = body.member("delivery").and_then(|d| d.member("addons")) else {
        panic!("no addons: {body}");
    };
    let mut addons: Vec<Json> = addons
        .iter()
        .filter(|addon| addon.member("code") != Some(&Json::text(code)))
        .cloned()
        .collect();
    addons.push(parse(format!(r#"{{"code":"{code}","value":{value}}}"#).as_bytes()).unwrap());
    patch(body, &format!(r#"{{"delivery":{{"addons":{}}}}}"#, Json::List(addons)));
}

fn each_parcel(body: &mut Json, text: &str) {
    let Some(Json::List(parcels)) = body.member("parcels") else { panic!("no parcels: {body}") };
    let mut parcels = parcels.clone();
    for parcel in &mut parcels {
        patch(parcel, text);
    }
    patch(body, &format!(r#"{{"parcels":{}}}"#, Json::List(parcels)));
}

/// One change to a body that was good.
#[derive(Clone, Debug)]
pub enum Change {
    /// Near the limit of the service, in thousandths of this unit.
    Weight(&'static str, i64),
    Side(&'static str, &'static str, i64),
    Text(&'static str, String),
    Country(&'static str, &'static str),
    PostalCode(&'static str),
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
            Change::Country(..) => {}
            Change::PostalCode(code) => patch(
                body,
                &format!(
                    r#"{{"parties":{{"customer":{{"address":{{"postal_code":"{code}"}}}}}}}}"#
                ),
            ),
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

fn body_has(body: &Json, party: &str) -> bool {
    let party = body.member("parties").and_then(|parties| parties.member(party));
    party.is_some_and(|party| *party != Json::Null)
}

const TEXTS: [&str; 8] = [
    r#"{"identifier":?}"#,
    r#"{"reference":?}"#,
    r#"{"parties":{"customer":{"contact":{"name":?}}}}"#,
    r#"{"parties":{"customer":{"contact":{"company":?}}}}"#,
    r#"{"parties":{"customer":{"address":{"city":?}}}}"#,
    r#"{"parties":{"customer":{"address":{"address_lines":["Here 1",?]}}}}"#,
    r#"{"customs":{"invoice_number":?}}"#,
    r#"{"delivery":{"instructions":?}}"#,
];

const PATCHES: [&str; 12] = [
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

const CODES: [&str; 17] = [
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

const COUNTRIES: [&str; 12] =
    ["DK", "SE", "NO", "FI", "DE", "NL", "GB", "US", "RU", "JP", "PL", "LV"];

const VALUES: [&str; 22] = [
    "null",
    r#""""#,
    r#"" ""#,
    r#""+4530274735""#,
    r#""+0530274735""#,
    r#""004530274735""#,
    r#""+45 30 27 47 35""#,
    r#""+123456""#,
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
        prop::collection::vec(prop::sample::select(vec!['a', ' ', '~', 'é', 'ÿ', 'ø']), 33..43),
        prop::collection::vec(
            prop::sample::select(vec!['a', '\u{a0}', 'Ł', '中', '𝒜', 'ा', '\u{2003}', '¿']),
            1..42
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
        2 => select(CODES.to_vec()).prop_map(Change::PostalCode),
        4 => (select(super::ADDONS.to_vec()), select(VALUES.to_vec()))
            .prop_map(|(code, value)| Change::Addon(code, value)),
        1 => prop::option::of(any::<bool>()).prop_map(Change::Goods),
        1 => select(vec![1_usize, 2, 3, 50, 51]).prop_map(Change::Parcels),
        4 => select(PATCHES.to_vec()).prop_map(Change::Patch),
    ]
}

/// A country, known to exist.
pub fn country(code: &str) -> Country {
    Country::parse(code).unwrap()
}
