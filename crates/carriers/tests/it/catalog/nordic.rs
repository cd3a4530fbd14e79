//! What PostNord and Bring ask for on some routes and with some addons alone.

use waybill_domain::catalog::Service;
use waybill_domain::json::Json;

use super::bodies::{each_parcel, good, patch, set_addon, set_country};
use super::{catalog, services};

fn body(service: &Service, from: &str, to: &str) -> Json {
    let mut body = good(service);
    let (merchant, customer) = if service.is_return { (to, from) } else { (from, to) };
    set_country(&mut body, "merchant", merchant);
    set_country(&mut body, "customer", customer);
    body
}

fn paths(service: &Service, body: &Json) -> Vec<String> {
    service.problems(body).iter().map(|(path, _)| path.to_owned()).collect()
}

fn told(code: &str, (from, to): (&str, &str), change: &str) -> Vec<String> {
    let catalog = catalog();
    let (_, service) = catalog.service(code).unwrap();
    let mut body = body(service, from, to);
    patch(&mut body, change);
    paths(service, &body)
}

#[test]
fn customs_are_told_what_each_item_is() {
    let path = "parcels.0.items.0.description";
    let catalog = catalog();
    let is_asked = |service: &Service, from: &str, to: &str| {
        let mut body = body(service, from, to);
        each_parcel(
            &mut body,
            r#"{"items":[{"quantity":1,"description":" ","hs_code":"490199",
            "country_of_origin":"SE","net_weight":{"value":1,"unit":"g"},
            "unit_price":{"value":1,"currency":"DKK"}}]}"#,
        );
        paths(service, &body).contains(&path.to_owned())
    };
    for service in services(&catalog).filter(|it| it.code.starts_with("postnord:")) {
        assert!(is_asked(service, "SE", "NO"), "{}", service.code);
        assert!(!is_asked(service, "SE", "SE"), "{}", service.code);
    }
    for service in services(&catalog).filter(|it| it.code.starts_with("bring:")) {
        assert!(is_asked(service, "NO", "SE"), "{}", service.code);
        assert!(!is_asked(service, "SE", "NO"), "{}: Bring takes none there", service.code);
        assert!(!is_asked(service, "NO", "NO"), "{}", service.code);
    }
}

#[test]
fn what_postnord_tells_customs_has_its_own_room() {
    let long = |party: &str, kind: &str, count: usize| {
        format!(
            r#"{{"parties":{{"{party}":{{"identifiers":{{"{kind}":"{}"}}}}}}}}"#,
            "1".repeat(count)
        )
    };
    let across = ("SE", "NO");
    for party in ["merchant", "customer"] {
        let path = format!("parties.{party}.identifiers.vat");
        let parcel = |count| told("postnord:pallet", across, &long(party, "vat", count));
        assert!(parcel(19).contains(&path) && !parcel(18).contains(&path), "{party}");
        assert!(!told("postnord:pallet", ("SE", "SE"), &long(party, "vat", 35)).contains(&path));
    }
    let path = "parties.merchant.identifiers.eori".to_owned();
    for service in ["postnord:letter_tracked", "postnord:letter_registered"] {
        let letter = |count| told(service, across, &long("merchant", "eori", count));
        assert!(letter(18).contains(&path) && !letter(17).contains(&path), "{service}");
    }
    assert!(!told("postnord:pallet", across, &long("merchant", "eori", 35)).contains(&path));
    let catalog = catalog();
    let (_, service) = catalog.service("postnord:parcel").unwrap();
    for (count, to, is_told) in [(51, "NO", true), (50, "NO", false), (51, "SE", false)] {
        let mut body = body(service, "SE", to);
        let sku = "S".repeat(count);
        each_parcel(&mut body, &format!(r#"{{"items":[{{"quantity":1,"sku":"{sku}"}}]}}"#));
        let path = "parcels.0.items.0.sku".to_owned();
        assert_eq!(paths(service, &body).contains(&path), is_told, "{count} {to}");
    }
}

#[test]
fn a_phone_is_asked_for_where_postnord_needs_one_and_an_addon_may_bring_it() {
    let path = "parties.customer.contact.phone".to_owned();
    let catalog = catalog();
    for (code, to, is_needed) in [
        ("mypack_collect", "SE", false),
        ("mypack_collect", "DE", false),
        ("mypack_collect", "NO", true),
        ("mypack_home", "SE", true),
        ("mypack_home_small", "SE", false),
        ("mypack_home_small", "NO", true),
        ("parcel", "SE", true),
        ("pallet", "SE", false),
        ("pallet", "NO", true),
        ("letter_tracked", "NO", false),
        ("return_drop_off", "SE", true),
        ("return_pickup", "SE", true),
    ] {
        let (_, service) = catalog.service(&format!("postnord:{code}")).unwrap();
        let mut body = body(service, "SE", to);
        patch(&mut body, r#"{"parties":{"customer":{"contact":{"phone":null}}}}"#);
        assert_eq!(paths(service, &body).contains(&path), is_needed, "{code} {to}");
        set_addon(&mut body, "sms_notification", r#""+46701234567""#);
        assert!(!paths(service, &body).contains(&path), "{code} {to}");
    }
}

#[test]
fn who_returns_a_parcel_to_postnord_has_a_mail_address() {
    let path = "parties.customer.contact.email".to_owned();
    let catalog = catalog();
    for (code, is_needed) in [("return_drop_off", true), ("return_pickup", false)] {
        let (_, service) = catalog.service(&format!("postnord:{code}")).unwrap();
        let mut body = body(service, "SE", "SE");
        patch(&mut body, r#"{"parties":{"customer":{"contact":{"email":null}}}}"#);
        assert_eq!(paths(service, &body).contains(&path), is_needed, "{code}");
        set_addon(&mut body, "email_notification", r#""ada@post.example""#);
        assert!(!paths(service, &body).contains(&path), "{code}");
    }
}

#[test]
fn a_service_of_bring_is_domestic_where_bring_says_so() {
    let path = "parties.customer.address.country".to_owned();
    for (code, countries) in [
        ("pickup_parcel", &["NO", "SE", "DK"][..]),
        ("pickup_parcel_bulk", &["SE", "DK"]),
        ("home_delivery_parcel", &["NO", "SE", "DK"]),
        ("business_parcel", &["NO", "SE", "DK", "FI"]),
        ("business_parcel_bulk", &["SE", "DK", "FI"]),
        ("business_pallet", &["SE", "DK", "FI"]),
        ("express_nordic_0900", &["NO", "SE"]),
    ] {
        for country in ["NO", "SE", "DK", "FI", "DE", "GB"] {
            let told = told(&format!("bring:{code}"), (country, country), "{}");
            let is_refused = told.iter().any(|it| it.ends_with(".address.country"));
            assert_eq!(is_refused, !countries.contains(&country), "{code} {country} {told:?}");
        }
        assert!(!told(&format!("bring:{code}"), ("FI", "SE"), "{}").contains(&path), "{code}");
    }
}

#[test]
fn dangerous_goods_do_not_travel_unannounced_within_norway() {
    let path = "parcels.0.dangerous_goods".to_owned();
    let catalog = catalog();
    for service in services(&catalog).filter(|it| it.code.starts_with("bring:")) {
        let mut body = body(service, "NO", "NO");
        let goods = r#"{"dangerous_goods":[{"un_number":"UN1263","is_limited_quantity":true}]}"#;
        each_parcel(&mut body, goods);
        let told = paths(service, &body);
        let is_domestic = !told.contains(&"parties.customer.address.country".to_owned());
        assert!(!is_domestic || told.contains(&path), "{} {told:?}", service.code);
    }
}
