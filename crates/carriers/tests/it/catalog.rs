//! The carriers' files: all of them are read, complete, and say what they mean twice the same.

mod bodies;
mod changes;
mod letters;
mod nordic;
mod proof;
mod rules;

use std::collections::BTreeSet;

use waybill_carriers::catalog::{icon, load, logo, read};
use waybill_carriers::registry::CARRIERS;
use waybill_carriers::{CarrierUrls, Carriers};
use waybill_domain::catalog::{Catalog, Constraint, Service};
use waybill_domain::document::Format;
use waybill_domain::json::Json;
use waybill_domain::language::Language;

/// Every service there is. A code that callers have stored never changes and never goes away.
const SERVICES: &str = "
    sandbox:home sandbox:pickup_point sandbox:express sandbox:business sandbox:return_drop_off
    sandbox:letter sandbox:no_lookup sandbox:idempotent
    bring:pickup_parcel bring:pickup_parcel_bulk bring:home_delivery_parcel
    bring:home_mailbox_parcel bring:business_parcel bring:business_parcel_bulk
    bring:business_pallet bring:express_nordic_0900 bring:pickup_parcel_return
    bring:business_parcel_return
    postnord:mypack_collect postnord:mypack_home postnord:mypack_home_small postnord:parcel
    postnord:pallet postnord:letter_registered postnord:letter_tracked postnord:return_drop_off
    postnord:return_pickup
    gls:shop_delivery gls:private gls:business gls:shop_return
    dao:shop dao:home dao:shop2shop dao:shop2home dao:return
    budbee:home budbee:box
    bifrost:express_collect";

const ADDONS: [&str; 7] = [
    "sms_notification",
    "email_notification",
    "flex_delivery",
    "signature",
    "age_verification",
    "insurance",
    "cash_on_delivery",
];

use crate::harness::network;

fn catalog() -> Catalog {
    load().unwrap()
}

/// The carrier of the tests, whose file has every rule and every condition.
fn every_rule() -> Catalog {
    read(&[include_str!("catalog/rules.toml")]).unwrap()
}

fn services(catalog: &Catalog) -> impl Iterator<Item = &Service> {
    catalog.carriers.iter().flat_map(|carrier| &carrier.services)
}

#[test]
fn every_file_is_read_and_no_code_changes() {
    let catalog = catalog();
    let codes: Vec<&str> = services(&catalog).map(|service| service.code.as_str()).collect();
    assert_eq!(codes, SERVICES.split_whitespace().collect::<Vec<_>>());
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    for code in codes {
        let (carrier, service) = catalog.service(code).unwrap();
        assert_eq!(service.code, code);
        assert!(code.starts_with(&format!("{}:", carrier.code)));
    }
    assert!(catalog.service("sandbox").is_none());
    assert!(catalog.service("sandbox:gone").is_none());
    assert!(catalog.service("bring:home").is_none());
}

#[test]
fn every_name_is_there_in_six_languages() {
    for service in services(&catalog()) {
        for language in Language::ALL {
            let named = [service.names.say(language)].into_iter();
            let addons = service.addons.iter();
            let texts = addons.flat_map(|a| [a.names.say(language), a.descriptions.say(language)]);
            for text in named.chain(texts) {
                assert!(!text.trim().is_empty() && text == text.trim(), "{} {text}", service.code);
            }
        }
    }
}

#[test]
fn formats_sizes_addons_and_carriers_are_known() {
    let catalog = catalog();
    for service in services(&catalog) {
        let code = &service.code;
        assert!(!service.label_formats.is_empty(), "{code}");
        assert!(!service.label_formats.contains(&Format::Xlsx), "{code}");
        assert!(!service.label_sizes.is_empty(), "{code}");
        for size in &service.label_sizes {
            assert!(["100x150", "102x152", "105x148", "a4"].contains(&size.as_str()), "{code}");
        }
        let addons: BTreeSet<&str> = service.addons.iter().map(|a| a.code.as_str()).collect();
        assert_eq!(addons.len(), service.addons.len(), "{code}");
        assert!(addons.iter().all(|addon| ADDONS.contains(addon)), "{code}");
        let last_mile = &service.last_mile;
        let partners = last_mile.by_country.iter().filter_map(|(_, carrier)| carrier.as_ref());
        for partner in partners.chain(&last_mile.otherwise) {
            assert!(catalog.carrier(partner).is_some(), "{code} {partner}");
        }
    }
}

#[test]
fn a_rule_speaks_of_fields_that_exist() {
    let full = bodies::full();
    for service in services(&catalog()) {
        for path in service.constraints.iter().flat_map(Constraint::paths) {
            let mut at = &full;
            for step in path.split('.') {
                at = match (step, at) {
                    ("*", Json::List(entries)) => &entries[0],
                    (name, object) => object
                        .member(name)
                        .unwrap_or_else(|| panic!("{}: there is no {path}", service.code)),
                };
            }
        }
    }
}

#[test]
fn every_service_can_be_satisfied() {
    let (catalog, every_rule) = (catalog(), every_rule());
    for service in services(&catalog).chain(services(&every_rule)) {
        let order = bodies::good(service);
        let problems = service.problems(&order);
        assert!(problems.is_empty(), "{}: {problems:?}\n{order}", service.code);
    }
}

// Decisions 4: the example, with every field filled.
#[test]
fn the_example_of_the_contract_is_accepted() {
    let catalog = catalog();
    let (_, service) = catalog.service("sandbox:pickup_point").unwrap();
    let problems = service.problems(&bodies::full());
    assert!(problems.is_empty(), "{problems:?}");
}

/// The carriers that have an adapter.
const BOOKABLE: &[&str] = &["sandbox", "bring", "postnord", "gls", "dao", "budbee"];

#[test]
fn only_a_carrier_with_an_adapter_can_be_booked() {
    let carriers = Carriers::open(CARRIERS, &network(), &CarrierUrls::default()).unwrap();
    for carrier in &carriers.catalog().carriers {
        let code = carrier.code.as_str();
        let adapter = carriers.get(code).map(|adapter| adapter.code());
        assert_eq!(adapter, BOOKABLE.contains(&code).then_some(code));
    }
    assert_eq!(carriers.codes().collect::<Vec<_>>(), BOOKABLE);
    assert!(CARRIERS.iter().zip(&carriers.catalog().carriers).all(|(row, it)| row.code == it.code));
}

#[test]
fn a_letter_has_a_pdf_label_only() {
    let catalog = catalog();
    for carrier in ["home", "express", "no_lookup"] {
        let (_, service) = catalog.service(&format!("sandbox:{carrier}")).unwrap();
        assert_eq!(service.label_formats, [Format::Pdf, Format::Zpl, Format::Png]);
    }
    assert_eq!(catalog.service("sandbox:letter").unwrap().1.label_formats, [Format::Pdf]);
}

#[test]
fn a_logo_fetches_and_runs_nothing() {
    for carrier in &catalog().carriers {
        for image in [logo(carrier), icon(carrier)] {
            assert!(image.starts_with("<svg xmlns='http://www.w3.org/2000/svg'"), "{image}");
            assert!(image.contains(&format!("<title>{}</title>", carrier.name)), "{image}");
            for word in ["href", "url(", "script", "@import", "<image", "<foreign", " on"] {
                assert!(!image.contains(word), "{} {word}", carrier.code);
            }
            assert_eq!(image.matches("://").count(), 1);
        }
        let colors = [&carrier.colors.ground, &carrier.colors.ink];
        for color in colors {
            let hex = color.strip_prefix('#').unwrap();
            assert!(hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()), "{color}");
        }
    }
}
