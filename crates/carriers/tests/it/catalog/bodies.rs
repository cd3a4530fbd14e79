//! Orders: one with every field, and one that a service accepts.

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

/// Merges a patch, written as JSON, into the body.
pub fn patch(body: &mut Json, text: &str) {
    body.merge(&parse(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault:?} {text}")));
}

/// A body that the service accepts.
pub fn good(service: &Service) -> Json {
    let mut body = parse(FULL.as_bytes()).unwrap();
    patch(&mut body, r#"{"delivery":{"pickup_point":null,"addons":[]}}"#);
    patch(&mut body, &format!(r#"{{"delivery":{{"service_code":"{}"}}}}"#, service.code));
    each_parcel(&mut body, r#"{"dangerous_goods":null}"#);
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
    let is_abroad_only = |row: &Constraint| match row {
        Constraint::NotWithin { countries, .. } => countries.is_empty(),
        _ => false,
    };
    if customers.is_empty() && service.constraints.iter().any(is_abroad_only) {
        set_country(&mut body, "customer", "SE");
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

/// Moves a party to a country, with a postal code that fits most of them.
pub fn set_country(body: &mut Json, party: &str, country: &str) {
    let code = match country {
        "DK" | "NO" | "AT" | "BE" | "CH" => "2300",
        "SE" => "111 22",
        "GB" => "SW1A 1AA",
        "NL" => "1011 AB",
        _ => "10115",
    };
    let area = match country {
        "US" => r#""NY""#,
        "CA" => r#""ON""#,
        _ => "null",
    };
    let address =
        format!(r#"{{"country":"{country}","postal_code":"{code}","administrative_area":{area}}}"#);
    patch(body, &format!(r#"{{"parties":{{"{party}":{{"address":{address}}}}}}}"#));
}

/// Chooses an addon, or gives it another value.
pub fn set_addon(body: &mut Json, code: &str, value: &str) {
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

/// Merges a patch into every parcel.
pub fn each_parcel(body: &mut Json, text: &str) {
    let Some(Json::List(parcels)) = body.member("parcels") else { panic!("no parcels: {body}") };
    let mut parcels = parcels.clone();
    for parcel in &mut parcels {
        patch(parcel, text);
    }
    patch(body, &format!(r#"{{"parcels":{}}}"#, Json::List(parcels)));
}

/// A country, known to exist.
pub fn country(code: &str) -> Country {
    Country::parse(code).unwrap()
}
