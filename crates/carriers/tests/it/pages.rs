//! The pages about carriers: what they say of services is what the catalog says.
//!
//! `UPDATE_PAGES=1 cargo test -p waybill-carriers pages` writes the tables.

use std::fs;
use std::path::{Path, PathBuf};

use waybill_carriers::catalog::load;
use waybill_carriers::registry::CARRIERS;
use waybill_domain::catalog::{Carrier, Constraint, Service};
use waybill_domain::country::Country;
use waybill_domain::language::Language;

const BEGIN: &str = "<!-- catalog -->\n";
const END: &str = "<!-- /catalog -->\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/carriers")
}

fn countries(countries: &[Country]) -> String {
    match countries.len() {
        0 => "anywhere".to_owned(),
        // Everywhere but a few: too many to name.
        40.. => "most countries".to_owned(),
        _ => countries.iter().map(|country| country.code()).collect::<Vec<_>>().join(" "),
    }
}

fn limits(service: &Service) -> String {
    let told = service.constraints.iter().filter_map(|constraint| match constraint {
        Constraint::MaxParcels { max: 1 } => Some("1 parcel".to_owned()),
        Constraint::MaxParcels { max } => Some(format!("{max} parcels")),
        Constraint::MaxWeight { grams } => Some(format!("{} kg", *grams as f64 / 1000.0)),
        Constraint::MaxLongestSide { millimetres } => Some(format!("{} cm", millimetres / 10)),
        _ => None,
    });
    told.collect::<Vec<_>>().join(", ")
}

fn table(carrier: &Carrier) -> String {
    let mut table = String::from(
        "| Service | Name | From | To | Addons | At most | Label |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for service in &carrier.services {
        let addons = service.addons.iter().map(|addon| format!("`{}`", addon.code));
        let formats = service.label_formats.iter().map(|format| format.name());
        let row = [
            format!("`{}`", service.code),
            service.names.say(Language::En).to_owned(),
            countries(&service.from_countries),
            countries(&service.to_countries),
            addons.collect::<Vec<_>>().join(" "),
            limits(service),
            format!("{} {}", formats.collect::<Vec<_>>().join(" "), service.label_sizes.join(" ")),
        ];
        table.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    table
}

/// The page with the table of today.
fn renewed(page: &str, carrier: &Carrier) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{}{END}{after}", table(carrier)))
}

#[test]
fn a_page_tells_the_services_of_the_catalog() {
    let (catalog, mut pages) = (load().unwrap(), 0);
    for row in CARRIERS {
        let path = folder().join(format!("{}.md", row.code));
        let Ok(page) = fs::read_to_string(&path) else { continue };
        let carrier = catalog.carrier(row.code).unwrap();
        let wanted = renewed(&page, carrier);
        let wanted = wanted.unwrap_or_else(|| panic!("{} has no place for it", path.display()));
        if std::env::var_os("UPDATE_PAGES").is_some() {
            fs::write(&path, &wanted).unwrap();
        } else {
            assert_eq!(page, wanted, "run it with UPDATE_PAGES=1");
        }
        pages += 1;
    }
    assert!(pages >= 3);
}

#[test]
fn a_page_names_every_member_of_an_account() {
    for (code, members) in [
        ("dao", &["customer_id", "code", "environment", "sender_id"][..]),
        (
            "budbee",
            &[
                "api_key",
                "api_secret",
                "webhook_username",
                "webhook_password",
                "collection_id",
                "environment",
            ],
        ),
        (
            "bring",
            &[
                "api_uid",
                "api_key",
                "customer_number",
                "customer_number_norway",
                "client_url",
                "environment",
                "consolidated_shipment_id",
                "cod_account",
                "cancel",
            ],
        ),
    ] {
        let page = fs::read_to_string(folder().join(format!("{code}.md"))).unwrap();
        for member in members {
            assert!(page.contains(&format!("{member}`")), "{code} {member}");
        }
    }
}
