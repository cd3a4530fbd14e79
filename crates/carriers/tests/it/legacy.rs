//! What methods of v1 mean in our own catalog, and by which names its rules are told there.

use std::collections::BTreeSet;

use waybill_carriers::catalog;
use waybill_domain::catalog::{Catalog, Constraint};
use waybill_domain::json::{Json, parse};
use waybill_domain::legacy::{Context, Translation, methods, translate};

/// A body with this carrier and method, and both forms of a name.
fn body(carrier: &str, method: &str) -> Json {
    let text = format!(
        r#"{{"shipping_carrier":"{carrier}","shipping_method":"{method}","currency":"DKK",
        "receiver":{{"name_line1":"Ada Jensen","address_line1":"Islands Brygge 39",
          "postal_code":"2300","city":"København S","country":"DK","sms":"30 27 47 35",
          "email":"ada@example.com"}},
        "parcels":[{{"weight":1.2,"length":30,"width":20,"height":10,
          "items":[{{"name":"Paperback","quantity":1,"unit_price_excluding_tax":99}}]}}],
        "services":{{"sms_notification":"30 27 47 35","email_notification":"ada@example.com"}}}}"#
    );
    parse(text.as_bytes()).unwrap()
}

fn translated(catalog: &Catalog, carrier: &str, method: &str, is_demo: bool) -> Translation {
    translate(&body(carrier, method), catalog, Context { is_demo })
}

#[test]
fn every_service_of_the_table_is_in_the_catalog() {
    let catalog = catalog::load().unwrap();
    for code in methods::services() {
        assert!(catalog.service(&code).is_some(), "{code}");
    }
}

#[test]
fn every_method_of_the_table_means_a_service_that_has_all_that_it_asks_for() {
    let catalog = catalog::load().unwrap();
    for (carrier, method) in methods::methods() {
        for is_demo in [false, true] {
            let translation = translated(&catalog, carrier, method, is_demo);
            assert!(translation.errors.is_empty(), "{carrier} {method}: {}", translation.errors);
            let code = translation.service_code.clone().unwrap();
            let (owner, service) = catalog.service(&code).unwrap();
            assert_eq!(owner.is_test, is_demo, "{carrier} {method}");
            let found = service.problems(&translation.order);
            let of_addons = found.iter().filter(|(path, _)| path.starts_with("delivery"));
            assert_eq!(of_addons.count(), 0, "{carrier} {method}: {found}");
        }
    }
}

#[test]
fn a_method_on_a_demo_path_is_of_the_same_kind_as_the_real_one() {
    let catalog = catalog::load().unwrap();
    for (carrier, method) in methods::methods() {
        let kind = |is_demo| {
            let code = translated(&catalog, carrier, method, is_demo).service_code.unwrap();
            let (_, service) = catalog.service(&code).unwrap();
            (service.is_pickup, service.is_return)
        };
        assert_eq!(kind(false), kind(true), "{carrier} {method}");
    }
}

#[test]
fn every_service_of_the_catalog_can_be_named_in_v1() {
    let catalog = catalog::load().unwrap();
    for carrier in &catalog.carriers {
        for service in &carrier.services {
            let method = methods::method_of(&service.code);
            let named = translated(&catalog, &carrier.code, method, false);
            assert_eq!(named.service_code.as_deref(), Some(service.code.as_str()));
            let (_, own) = service.code.split_once(':').unwrap();
            let tried = translated(&catalog, &carrier.code, own, true).service_code.unwrap();
            assert!(catalog.service(&tried).unwrap().0.is_test, "{} {tried}", service.code);
        }
    }
}

/// Every path of a shipment: of a whole one, with the parties' numbers and dangerous goods, and
/// those that the rows of all services name.
fn paths(catalog: &Catalog) -> BTreeSet<String> {
    let whole = parse(
        br#"{"identifier":1,"reference":1,"template_uuid":1,"parties":{"merchant":{"identifier":1,
        "reference":1,"contact":{"name":1,"company":1,"email":1,"phone":1},"address":{
        "address_lines":[1,1,1,1,1],"postal_code":1,"city":1,"administrative_area":1,"country":1},
        "identifiers":{"vat":1,"eori":1,"gb_eori":1,"voec":1,"ioss":1,"tax_id":1}}},
        "delivery":{"service_code":1,"pickup_point":{"code":1},"addons":[{"code":1,
        "value":{"value":1,"currency":1}}],"delivery_window":{"start":1,"end":1},"instructions":1},
        "parcels":[{"identifier":1,"reference":1,"description":1,"gross_weight":{"value":1,
        "unit":1},"length":{"value":1,"unit":1},"width":{"value":1,"unit":1},"height":{"value":1,
        "unit":1},"items":[{"identifier":1,"sku":1,"description":1,"quantity":1,"net_weight":{
        "value":1,"unit":1},"unit_price":{"value":1,"currency":1},"hs_code":1,
        "country_of_origin":1}],"dangerous_goods":[{"un_number":1,"proper_shipping_name":1,
        "class":1,"packing_group":1,"net_weight":{"value":1,"unit":1},"is_limited_quantity":1}]}],
        "customs":{"content_type":1,"incoterm":1,"invoice_number":1,"invoice_date":1,
        "shipping_cost":{"value":1,"currency":1},"insured_value":{"value":1,"currency":1}}}"#,
    );
    let mut found = BTreeSet::new();
    collect(&whole.unwrap(), "", &mut found);
    let services = catalog.carriers.iter().flat_map(|carrier| &carrier.services);
    let rows: Vec<Constraint> = services.flat_map(|service| service.rows()).collect();
    found.extend(rows.iter().flat_map(Constraint::paths).map(|path| path.replace('*', "0")));
    let customer = |path: &String| path.replace("parties.merchant", "parties.customer");
    found.extend(found.clone().iter().map(customer));
    found
}

fn collect(json: &Json, path: &str, found: &mut BTreeSet<String>) {
    let below: Vec<(String, &Json)> = match json {
        Json::Object(members) => members.iter().map(|(name, it)| (name.to_string(), it)).collect(),
        Json::List(entries) => {
            entries.iter().enumerate().map(|(index, it)| (index.to_string(), it)).collect()
        }
        _ => Vec::new(),
    };
    for (step, value) in below {
        let path = if path.is_empty() { step } else { format!("{path}.{step}") };
        collect(value, &path, found);
        found.insert(path);
    }
}

#[test]
fn no_path_of_a_shipment_is_told_to_callers_of_v1() {
    let catalog = catalog::load().unwrap();
    let own = "internal_id internal_reference shipping_method receiver sender agent agent_no \
               parcels items addons company name_line1 name_line2 address_line1 address_line2 \
               postal_code city state country email sms weight length width height freetext sku \
               name quantity unit_weight unit_price_excluding_tax hs_code country_of_origin \
               currency shipping_price_excluding_tax services sms_notification";
    let own: BTreeSet<&str> = own.split_whitespace().collect();
    let mut named = body("postnord", "agent");
    named.merge(&parse(br#"{"sender":{"company":"Boghandlen"}}"#).unwrap());
    let named = translate(&named, &catalog, Context { is_demo: false });
    let unnamed = translated(&catalog, "postnord", "agent", false);
    let all = paths(&catalog);
    assert!(all.len() > 100, "{}", all.len());
    let mut told = BTreeSet::new();
    for path in &all {
        for names in [&named.names, &unnamed.names] {
            let name = names.of(path);
            let is_own = |step: &str| own.contains(step) || step.parse::<usize>().is_ok();
            assert!(name.split('.').all(is_own), "{path} is told as {name}");
            told.extend(name.split('.').map(str::to_owned));
        }
        if path.starts_with("parties.merchant") {
            assert_eq!(unnamed.names.of(path), "sender");
        }
    }
    for name in own {
        assert!(told.contains(name), "nothing is told as {name}");
    }
}

/// The rows of the table in the documentation: carrier, method, and what follows them.
fn documented() -> Vec<(String, String, String)> {
    let page = include_str!("../../../../docs/legacy.md");
    let (mut carrier, mut rows) = (String::new(), Vec::new());
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let columns: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [first, methods, service, demo] = columns[..] else { continue };
        if !first.is_empty() {
            carrier = first.to_owned();
        }
        let booked = service.split(" with ").map(|part| part.trim_matches('`'));
        let booked = booked.collect::<Vec<_>>().join(" ");
        for method in methods.split(", ").filter(|method| method.starts_with('`')) {
            let method = method.trim_matches('`').to_owned();
            rows.push((carrier.clone(), method, format!("{booked} {}", demo.trim_matches('`'))));
        }
    }
    rows
}

#[test]
fn the_documentation_has_the_same_methods() {
    let catalog = catalog::load().unwrap();
    let rows = documented();
    for (carrier, method, meaning) in &rows {
        let code = |is_demo| {
            let code = translated(&catalog, carrier, method, is_demo).service_code.unwrap();
            code.split_once(':').unwrap().1.to_owned()
        };
        let addons = translated(&catalog, carrier, method, false).order.to_string();
        let flex = if addons.contains("\"Doorstep\"") { " flex_delivery" } else { "" };
        assert_eq!(*meaning, format!("{}{flex} {}", code(false), code(true)), "{carrier} {method}");
    }
    let named: BTreeSet<(&str, &str)> =
        rows.iter().map(|(carrier, method, _)| (carrier.as_str(), method.as_str())).collect();
    assert_eq!(named, methods::methods().collect());
}
