//! Bodies that a service accepts: from hardly anything to every field, in all units.

use serde_json::{Value, json};
use waybill_domain::catalog::{Constraint, Service, ValueKind};
use waybill_domain::country::Country;

use super::random::Random;

/// Weights of a parcel, of a piece and of dangerous goods, all in one unit.
const WEIGHTS: [(&str, f64, f64, f64); 4] = [
    ("g", 1200.0, 400.0, 200.0),
    ("kg", 1.2, 0.4, 0.043),
    ("lb", 2.5, 0.75, 0.1),
    ("oz", 40.0, 12.5, 3.0),
];
const LENGTHS: [(&str, f64, f64, f64); 3] =
    [("cm", 30.0, 20.0, 10.0), ("mm", 300.0, 200.5, 100.125), ("in", 11.5, 8.0, 4.0)];

/// A body that the service accepts, with this much of what may be left out.
pub fn good(service: &Service, random: &mut Random) -> Value {
    let (merchants, customers) = match service.is_return {
        false => (&service.from_countries, &service.to_countries),
        true => (&service.to_countries, &service.from_countries),
    };
    let mut customer = party(country(customers, random));
    customer["identifiers"] = json!({"vat": "DK12345678", "eori": null});
    let mut merchant = party(country(merchants, random));
    merchant["identifiers"] = json!({"vat": "DK87654321"});
    let count = 1 + random.below(most_parcels(service).min(3));
    let (weights, lengths) = (*random.pick(&WEIGHTS), *random.pick(&LENGTHS));
    let parcels: Vec<Value> = (0..count).map(|_| parcel(service, weights, lengths)).collect();
    let mut body = json!({
        "identifier": "4521", "reference": "ORDER-4521", "template_uuid": null,
        "parties": {"merchant": merchant, "customer": customer},
        "delivery": {"service_code": service.code, "pickup_point": null,
            "addons": addons(service, random), "instructions": "Ring the bell",
            "delivery_window": {"start": "2099-11-20T17:00:00+01:00",
                "end": "2099-11-20T21:00:00Z"}},
        "parcels": parcels,
        "customs": {"content_type": "commercial_goods", "incoterm": "DAP",
            "invoice_number": "INV-1", "invoice_date": "2026-11-14",
            "shipping_cost": {"value": 4900, "currency": "DKK"}, "insured_value": null},
    });
    for optional in [
        "/identifier",
        "/template_uuid",
        "/delivery/instructions",
        "/delivery/delivery_window",
        "/delivery/pickup_point",
        "/parcels/0/description",
        "/parcels/0/dangerous_goods",
        "/parties/customer/identifiers",
    ] {
        if random.once_in(3) {
            remove(&mut body, optional);
        }
    }
    // A merchant that is left out is the team, which is in Denmark.
    if merchant_may_be_team(service, &body) && random.once_in(3) {
        remove(&mut body, "/parties/merchant");
    }
    body
}

fn merchant_may_be_team(service: &Service, body: &Value) -> bool {
    let denmark = |countries: &[Country]| {
        countries.is_empty() || countries.iter().any(|country| country.code() == "DK")
    };
    let countries = if service.is_return { &service.to_countries } else { &service.from_countries };
    denmark(countries) && !body["parties"]["customer"].is_null()
}

/// Takes the member at the pointer out of its object, or the entry out of its list.
pub fn remove(body: &mut Value, pointer: &str) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.shift_remove(name)),
        Some(Value::Array(entries)) => drop(entries.remove(name.parse().unwrap())),
        _ => {}
    }
}

fn country(countries: &[Country], random: &mut Random) -> String {
    let known: Vec<&str> = countries.iter().map(Country::code).filter(|c| is_usual(c)).collect();
    match known.is_empty() {
        true => (*random.pick(&["DK", "SE", "NO"])).to_owned(),
        false => (*random.pick(&known)).to_owned(),
    }
}

fn is_usual(code: &str) -> bool {
    ["DK", "SE", "NO", "FI", "DE", "NL", "GB", "US"].contains(&code)
}

/// A postal code of the country.
pub fn postal_code(country: &str) -> &'static str {
    match country {
        "DK" | "NO" => "2300",
        "SE" => "111 22",
        "GB" => "SW1A 1AA",
        "NL" => "1011 AB",
        _ => "10115",
    }
}

/// The state or province, where addresses have one.
fn area_code(country: &str) -> Option<&'static str> {
    match country {
        "US" => Some("NY"),
        "CA" => Some("ON"),
        _ => None,
    }
}

fn party(country: String) -> Value {
    json!({"identifier": "p", "reference": null,
        "contact": {"name": "Ada Jensen", "company": "Ada ApS", "email": "ada@example.com",
            "phone": "+45 30 27 47 35"},
        "address": {"address_lines": ["Islands Brygge 39", "2. th"], "city": "København S",
            "postal_code": postal_code(&country), "administrative_area": area_code(&country),
            "country": country}})
}

fn most_parcels(service: &Service) -> usize {
    let limits = service.constraints.iter().filter_map(|row| match row {
        Constraint::MaxParcels { max } => Some(*max),
        _ => None,
    });
    limits.min().unwrap_or(99)
}

fn parcel(
    service: &Service,
    (unit, gross, net, dangerous): (&str, f64, f64, f64),
    (length_unit, length, width, height): (&str, f64, f64, f64),
) -> Value {
    let weight = |value: f64| json!({"value": value, "unit": unit});
    let side = |value: f64| json!({"value": value, "unit": length_unit});
    let mut parcel = json!({"identifier": null, "reference": "p", "description": "Books",
        "gross_weight": weight(gross), "length": side(length), "width": side(width),
        "height": side(height),
        "items": [{"identifier": null, "sku": "B-1", "description": "Paperback", "quantity": 2,
            "net_weight": weight(net), "unit_price": {"value": 9900, "currency": "DKK"},
            "hs_code": "490199", "country_of_origin": "DK"}]});
    if !service.constraints.contains(&Constraint::DangerousGoodsForbidden) {
        parcel["dangerous_goods"] = json!([{"un_number": "UN1263", "class": "3",
            "proper_shipping_name": "PAINT", "packing_group": "III",
            "net_weight": weight(dangerous), "is_limited_quantity": true}]);
    }
    parcel
}

fn addons(service: &Service, random: &mut Random) -> Value {
    let chosen = service.addons.iter().filter(|addon| addon.is_required || random.once_in(2));
    chosen.map(|addon| json!({"code": addon.code, "value": addon_value(&addon.value)})).collect()
}

fn addon_value(kind: &ValueKind) -> Value {
    match kind {
        ValueKind::None => Value::Null,
        ValueKind::Phone => json!("+4530274735"),
        ValueKind::Email => json!("ada@example.com"),
        ValueKind::Age(ages) => json!(ages[0].to_string()),
        ValueKind::Money => json!({"value": 100, "currency": "DKK"}),
        ValueKind::Text(_) => json!("In the shed"),
    }
}
