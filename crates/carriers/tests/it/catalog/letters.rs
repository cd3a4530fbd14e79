//! Carriers that draw their own labels: which letters and how many characters they take.

use waybill_domain::catalog::{Catalog, Service};
use waybill_domain::json::Json;

use super::{bodies, catalog, services};

/// The texts that stand on a label.
const TEXTS: [&str; 8] = [
    "parties.merchant.contact.name",
    "parties.merchant.contact.company",
    "parties.merchant.address.address_lines.0",
    "parties.merchant.address.city",
    "parties.customer.contact.name",
    "parties.customer.contact.company",
    "parties.customer.address.address_lines.0",
    "parties.customer.address.city",
];

/// Every service of a carrier whose labels are its own, and whose adapter is held to this here.
fn drawn_elsewhere(catalog: &Catalog) -> impl Iterator<Item = &Service> {
    let codes = ["dao:", "budbee:", "bring:", "postnord:", "gls:"];
    services(catalog).filter(move |it| codes.iter().any(|code| it.code.starts_with(code)))
}

/// A good order with this text at one place.
fn order(service: &Service, path: &str, text: &str) -> Json {
    let mut patch = Json::text(text);
    for name in path.rsplit('.') {
        patch = match name {
            "0" => Json::list([patch]),
            name => Json::object([(name.to_owned(), patch)]),
        };
    }
    let mut order = bodies::good(service);
    order.merge(&patch);
    order
}

#[test]
fn letters_of_latin_alphabets_are_taken_and_others_are_told_at_their_place() {
    let catalog = catalog();
    for service in drawn_elsewhere(&catalog) {
        for path in TEXTS {
            for good in ["Łódź", "Győr", "Škoda", "Æøå – ’x’"] {
                let problems = service.problems(&order(service, path, good));
                assert!(!problems.has(path), "{} {path} {good}", service.code);
            }
            for bad in ["Москва", "東京", "Αθήνα", "a\u{202e}b", "a\u{7}b", "😀"] {
                let problems = service.problems(&order(service, path, bad));
                assert!(problems.has(path), "{} {path} {bad:?}", service.code);
            }
        }
    }
}

#[test]
fn what_bring_has_no_room_for_is_told_at_its_place() {
    let catalog = catalog();
    for service in services(&catalog).filter(|it| it.code.starts_with("bring:")) {
        for path in TEXTS.into_iter().chain(["reference"]) {
            let full = service.problems(&order(service, path, &"å".repeat(35)));
            assert!(!full.has(path), "{} {path}", service.code);
            let long = service.problems(&order(service, path, &"å".repeat(36)));
            assert!(long.has(path), "{} {path}", service.code);
        }
    }
}

/// The texts of each carrier with the characters that it takes of them.
const ROOM: &[(&str, &[&str], usize)] = &[
    ("postnord:", &["contact.company"], 60),
    ("postnord:", &["contact.name", "address.address_lines.0"], 50),
    ("postnord:", &["contact.email"], 70),
    ("postnord:", &["address.city", "address.administrative_area"], 35),
    ("gls:", &["contact.name", "contact.company", "address.address_lines.0", "address.city"], 40),
    ("gls:", &["address.postal_code"], 10),
];

#[test]
fn what_postnord_and_gls_have_no_room_for_is_told_at_its_place() {
    let catalog = catalog();
    for (carrier, fields, max) in ROOM {
        for service in services(&catalog).filter(|it| it.code.starts_with(carrier)) {
            let paths = fields.iter().flat_map(|field| {
                ["merchant", "customer"].map(|party| format!("parties.{party}.{field}"))
            });
            for path in paths {
                let long = service.problems(&order(service, &path, &"å".repeat(max + 1)));
                assert!(long.has(&path), "{} {path}", service.code);
                if !path.ends_with("postal_code") {
                    let full = service.problems(&order(service, &path, &"å".repeat(*max)));
                    assert!(!full.has(&path), "{} {path}", service.code);
                }
            }
        }
    }
    for (carrier, max) in [("postnord:", 35), ("gls:", 40)] {
        for service in services(&catalog).filter(|it| it.code.starts_with(carrier)) {
            for path in ["reference", "parcels.0.reference"] {
                let mut long = bodies::good(service);
                set(&mut long, path, &"x".repeat(max + 1));
                assert!(service.problems(&long).has(path), "{} {path}", service.code);
                set(&mut long, path, &"x".repeat(max));
                assert!(!service.problems(&long).has(path), "{} {path}", service.code);
            }
        }
    }
}

/// Puts a text at a path that is there, or into an object that is there.
fn set(json: &mut Json, path: &str, text: &str) {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    match json {
        Json::List(entries) => set(&mut entries[name.parse::<usize>().unwrap()], rest, text),
        Json::Object(members) if rest.is_empty() => {
            members.retain(|(member, _)| member != name);
            members.push((name.to_owned().into(), text.into()));
        }
        Json::Object(members) => {
            let found = members.iter_mut().find(|(member, _)| member == name);
            set(&mut found.unwrap().1, rest, text);
        }
        other => panic!("{path} {other}"),
    }
}

#[test]
fn what_an_adapter_counts_on_is_asked_for() {
    let catalog = catalog();
    let required = |code: &str, path: &str| {
        let (_, service) = catalog.service(code).unwrap();
        let mut order = bodies::good(service);
        let names: Vec<&str> = path.split('.').collect();
        blank(&mut order, &names);
        service.problems(&order).has(path)
    };
    for code in ["dao:home", "dao:return", "bring:pickup_parcel", "bring:business_pallet"] {
        for side in ["gross_weight", "length", "width", "height"] {
            assert!(required(code, &format!("parcels.0.{side}")), "{code} {side}");
        }
    }
    for code in ["budbee:home", "budbee:box"] {
        for path in [
            "parcels.0.gross_weight",
            "parties.customer.contact.phone",
            "parties.customer.contact.email",
        ] {
            assert!(required(code, path), "{code} {path}");
        }
    }
    for service in services(&catalog) {
        let codes = ["postnord:", "gls:"];
        if codes.iter().any(|code| service.code.starts_with(code)) {
            assert!(required(&service.code, "parcels.0.gross_weight"), "{}", service.code);
        }
    }
    assert!(required("postnord:parcel", "parties.customer.contact.phone"));
    assert!(required("postnord:return_pickup", "parties.merchant.contact.phone"));
    assert!(required("postnord:return_pickup", "parties.customer.contact.phone"));
    assert!(required("bring:business_parcel", "parties.merchant.contact.phone"));
    assert!(!required("bring:home_mailbox_parcel", "parties.merchant.contact.phone"));
    assert!(!required("bring:pickup_parcel_return", "parties.merchant.contact.phone"));
}

/// Takes away what stands at a path.
fn blank(json: &mut Json, path: &[&str]) {
    let [name, rest @ ..] = path else {
        *json = Json::Null;
        return;
    };
    match json {
        Json::Object(members) => {
            let found = members.iter_mut().filter(|(member, _)| member == name);
            found.for_each(|(_, value)| blank(value, rest));
        }
        Json::List(entries) => {
            let index: usize = name.parse().unwrap();
            blank(&mut entries[index], rest);
        }
        _ => {}
    }
}
